"""A fingerprint of a publication: the same for the same publication, whatever file it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from pathveil.model.bits import PairBits
from pathveil.model.publication import Publication


def fingerprint(publication: Publication) -> bytes:
    """Return a SHA-256 over everything that decides how a publication is read.

    The certificate is left out: it is a promise, it does not change what is read.

    >>> from pathveil import Network, Seeded, Walk, publish
    >>> network, walk = Network.parse("ab bc cd"), Walk("abc")
    >>> one, other = (publish(network, walk, source=Seeded(seed)) for seed in (1, 2))
    >>> fingerprint(one) == fingerprint(one), fingerprint(one) == fingerprint(other)
    (True, False)
    """
    parts = (
        publication.bits,
        publication.policy,
        publication.layering,
        publication.direction,
        publication.drawing,
    )
    return _digest(parts)


def _digest(value: Any) -> bytes:
    """Return a digest of plain data, frozen values and arrays: kind, then content, no ambiguity."""
    if isinstance(value, np.ndarray):
        kind = f"array {value.dtype.str} {value.shape}"
        return sha256(kind.encode() + b"\0" + np.ascontiguousarray(value).tobytes()).digest()
    if isinstance(value, PairBits):  # also those that stay in their file until they are asked
        return _joined("PairBits", [value.size, value.packed])
    if is_dataclass(value):
        parts = [(item.name, getattr(value, item.name)) for item in fields(value) if item.compare]
        return _joined(type(value).__name__, [part for pair in parts for part in pair])
    if isinstance(value, Mapping):
        return _joined("map", [part for pair in sorted(value.items()) for part in pair])
    if isinstance(value, tuple | list):
        return _joined("list", value)
    if value is None or isinstance(value, str | bytes | int | np.integer | np.bool_):
        plain = value.item() if isinstance(value, np.generic) else value
        return sha256(f"{type(plain).__name__} {plain!r}".encode()).digest()
    raise TypeError(f"no fingerprint of a {type(value).__name__}")


def _joined(kind: str, parts: Any) -> bytes:
    return sha256(kind.encode() + b"\0" + b"".join(map(_digest, parts))).digest()
