"""What the file of a release is due to say, and what it says beyond that.

Bits and direction come from the secret through coins, and a salt is random by itself. All the rest
of a file follows from them and from the public terms: names, policy, the certificate that the
policy earns, flags, the drawing, every order of a list. So a release is made again from its bits,
direction and salt and from nothing else, and written; where the file handed out is another one, it
is said in which part. Nothing here decides whether that gives anything away: an audit does, by
asking whether it depends on the link.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from pathveil.chance.sketch_release import draw_sketches
from pathveil.chance.source import System
from pathveil.edge_release import EdgeRelease
from pathveil.formats.compact import publication_bytes
from pathveil.formats.veil import publication_text
from pathveil.model.bits import Bits, BoolArray, PackedBits
from pathveil.model.engines import engine_named
from pathveil.model.layered import LayeredGraph
from pathveil.model.publication import Publication
from pathveil.model.series import SeriesPlace, release_digest
from pathveil.model.sketch import SketchedBits

MOST_RAW = 1 << 13
"""Bits of the values of a sketch that are looked at as they stand in the file."""

FOLLOWING = frozenset({"bits", "direction", "nodes", "layers", "covers", "salt", "series"})
"""Parts of a file that vary with the coins: of these only *that* they are wrong can be counted."""

Writer = Callable[[Publication], str | bytes]
Difference = tuple[tuple[str, ...], ...]


def canonical(publication: Publication) -> str | bytes:
    """Return the canonical file of a publication: ``*.veil.json``, of a sketch ``*.veil``."""
    if publication.lists_vertices:
        return publication_text(publication)
    return publication_bytes(publication)


@dataclass(frozen=True)
class DueFile:
    """What the files of releases are due to say.

    Examples
    --------
    >>> from pathveil import Network, Policy, Seeded, Walk
    >>> release = EdgeRelease(Network.parse("ab bc"), Walk("abc"), Policy.sealed(), ("a", "b"))
    >>> release = release.with_fixed_copies(Seeded(1))
    >>> one, due = release(True, Seeded(2)), DueFile(release)
    >>> due.publication(one) == one
    True
    >>> due.beyond(one, canonical(one))
    ()
    >>> due.beyond(one, canonical(one).replace('"unsafe": true', '"unsafe": false'))
    (('unsafe', 'is another', '6'),)
    """

    release: EdgeRelease

    def publication(self, one: Publication) -> Publication:
        """Return the publication with these bits, direction and salt, made from the terms."""
        found = Publication(
            bits=self._bits(one),
            direction=one.direction,
            drawing=self._drawing(one),
            salt=one.salt,
            **self._facts,
        )
        if not self.release.terms.remembers:
            return found
        return replace(found, series=SeriesPlace(1, None, release_digest(1, None, [found]), 1))

    def aside(self, one: Publication) -> BoolArray:
        """Return bits of the file beside those of pairs: the salt, a sketch, a fact not as due.

        Of the values of a sketch as they stand in the file the first :data:`MOST_RAW` are taken.
        """
        raw = bytes.fromhex(one.salt or "")
        if one.sketch is not None:
            raw += one.sketch.seed + one.sketch.words.tobytes()[: MOST_RAW // 8]
        bits = np.unpackbits(np.frombuffer(raw, dtype=np.uint8)).astype(np.bool_)
        honest = all(getattr(one, name) == fact for name, fact in self._facts.items())
        return np.append(bits, not honest)

    def beyond(self, one: Publication, content: str | bytes) -> Difference:
        """Return in which parts a file is not what it is due to be; nothing if it is."""
        due = canonical(self.publication(one))
        if content == due:
            return ()
        if isinstance(content, str) and isinstance(due, str):
            parts = _parts_apart(content, due)
            if parts:
                return parts
        return (("bytes", str(len(content) - len(due)), str(_first_apart(content, due))),)

    # -- making again ---------------------------------------------------------------------------

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """All that is neither bits, direction and salt nor follows from them."""
        terms, public = self.release.terms, self.release.terms.universe
        if public is not None:
            # The pairs of a universe are names, of which a sketch carries none.
            packed, bare = public.as_published, replace(public, pairs=None, by_digest=True)
            public = packed if self.release.capacity is None else bare
        return {
            "policy": terms.policy.terms(),
            "layering": terms.layering,
            "universe": public,
            "certificate": terms.certificate(capacity=terms.capacity),
            "unsafe": self.release.unsafe or terms.unsafe,
        }

    @cached_property
    def _frame(self) -> SketchedBits:
        """A sketch of these terms: all but its seed and its values is public."""
        release, terms = self.release, self.release.terms
        assert release.capacity is not None, "asked of sketches"
        return draw_sketches(
            release.network, [release.lifted], terms.policy, release.capacity, System()
        )[0]

    def _bits(self, one: Publication) -> Bits:
        if one.sketch is not None:
            return replace(self._frame, seed=one.sketch.seed, words=one.sketch.words)
        return PackedBits(self.release.lifted.positions, one.packed.pairs)

    def _drawing(self, one: Publication) -> LayeredGraph | None:
        """Return the paper's layout, drawn again in the walk's order, which both worlds share."""
        engine = engine_named(self.release.layering)
        if not engine.carried:
            return None
        path, tells = self.release.lifted, self.release.terms.tells
        upright = path.direction or not tells
        return engine.draw(one.packed.pairs, path.positions, upright=upright, visits=path.visits)


def _parts_apart(content: str, due: str) -> Difference:
    """Return which parts of a JSON file are missing, too many, in another order or another."""
    try:
        found = json.loads(content, object_pairs_hook=list)
    except ValueError:
        return ()
    wanted = json.loads(due, object_pairs_hook=list)
    if not _is_object(found):
        return ()
    here, there = dict(found), dict(wanted)
    apart: list[tuple[str, ...]] = [(key, "is missing") for key, _ in wanted if key not in here]
    apart += [(key, "is too many", _short(value)) for key, value in found if key not in there]
    apart += [
        _part_apart(key, value, there[key])
        for key, value in found
        if key in there and value != there[key]
    ]
    if not apart and [key for key, _ in found] != [key for key, _ in wanted]:
        return (("keys", "in another order"),)
    return tuple(apart)


def _is_object(found: object) -> bool:
    return isinstance(found, list) and all(
        isinstance(item, tuple) and isinstance(item[0], str) for item in found
    )


def _part_apart(key: str, found: Any, due: Any) -> tuple[str, ...]:
    listed = isinstance(found, list) and isinstance(due, list)
    if listed and sorted(map(repr, found)) == sorted(map(repr, due)):
        return key, "in another order"
    return (key, "is another") if key in FOLLOWING else (key, "is another", _short(found))


def _short(value: object) -> str:
    """Return one of sixteen digits for a value: enough to count, few enough to be counted."""
    return sha256(repr(value).encode()).hexdigest()[0]


def _first_apart(content: str | bytes, due: str | bytes) -> int:
    pairs = enumerate(zip(content, due, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(content), len(due)))
