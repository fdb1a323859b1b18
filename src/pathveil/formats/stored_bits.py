"""Packed bits that stay in their file until somebody asks for them, chunk by chunk."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from pathveil.formats.containers import CHUNK, Container
from pathveil.model.bits import BoolArray, ByteArray, IndexArray, PairBits, pair_count

SECTION = "bits"


class StoredPairBits(PairBits):
    """The bits of a compact file: a participant's links decode the chunks they lie in, no others.

    Whatever asks for all bits (drawing, enumerating, comparing) decodes them once, and they stay.
    """

    def __init__(self, size: int, container: Container) -> None:
        # The base is frozen and would ask for the packed bytes; its facts are set past it.
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "_container", container)
        expected = (pair_count(size) + 7) // 8
        if container.size(SECTION) != expected:
            raise container.damaged(
                f"section {SECTION!r} says it has {container.size(SECTION):,} bytes, {size:,} "
                f"copies have pairs for {expected:,}"
            )
        spare = 8 * expected - pair_count(size)
        if spare and container.chunk(SECTION, (expected - 1) // CHUNK)[-1] & ((1 << spare) - 1):
            raise container.damaged("the spare bits of the last byte are not clear")

    @cached_property
    def packed(self) -> ByteArray:
        """All bytes, checked and decoded the first time they are asked for."""
        limit = (pair_count(self.size) + 7) // 8
        found: ByteArray = self._container.read(SECTION, limit=limit)  # type: ignore[attr-defined]
        found.setflags(write=False)
        return found

    def at(self, places: IndexArray) -> BoolArray:
        """Return the bits at flat places."""
        touched = np.unique(places >> 3 >> CHUNK_SHIFT)
        whole = (pair_count(self.size) + 7) // 8 // CHUNK + 1
        if "packed" in self.__dict__ or 4 * len(touched) > whole:
            return super().at(places)
        found = np.empty(len(places), dtype=np.bool_)
        for number in touched.tolist():
            here = places >> 3 >> CHUNK_SHIFT == number
            part = self._container.chunk(SECTION, number)  # type: ignore[attr-defined]
            inside = places[here] - number * 8 * CHUNK
            found[here] = part[inside >> 3] >> (7 - (inside & 7)).astype(np.uint8) & 1
        return found

    def same_branch(self, i: int, j: int) -> bool:
        """Return the bit of one pair."""
        low, high = (i, j) if i < j else (j, i)
        place = low * (2 * self.size - low - 1) // 2 + high - low - 1
        return bool(self.at(np.array([place]))[0])

    def __reduce__(self) -> tuple[Any, ...]:
        # Sent to another process the bits go along, not the map of a file.
        return PairBits, (self.size, np.array(self.packed))


CHUNK_SHIFT = CHUNK.bit_length() - 1
