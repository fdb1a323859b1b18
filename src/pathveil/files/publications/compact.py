"""``*.veil``: a publication as compact as its bits, in either form.

The section ``facts`` holds the public facts of the publication, the JSON of a ``*.veil.json``
without bits and drawing; a second one the packed bits, or seed and values of a sketch. With the
exact layering the drawing follows from these, so it is not written; a publication in the paper's
layering, where it does not, is the whole ``*.veil.json`` in the one section ``drawing``.

See :mod:`pathveil.files.publications.container` for the bytes and for what hostile files meet.

Packed bits stay in their file until somebody asks for them, chunk by chunk.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pathveil.errors import BadPublication, TooLarge
from pathveil.files.atomic_write import decode
from pathveil.files.publications.container import CHUNK, Container, contained, most_stored, pack
from pathveil.files.publications.veil_json import (
    FALSE_DIRECTION,
    TRUE_DIRECTION,
    fact_texts,
    facts_of,
    located,
    parse_publication,
    positions_of,
    publication_text,
    stated,
)
from pathveil.files.strict_json import json_object, json_text
from pathveil.model.bits import (
    PACKED_LIMIT,
    BoolArray,
    ByteArray,
    IndexArray,
    PackedBits,
    PairBits,
    pair_count,
)
from pathveil.model.publication import Publication
from pathveil.model.sketch import SEED_BYTES, SketchedBits, SketchShape

if TYPE_CHECKING:
    from pathveil.files.publications.veil_schema import CompactFile

SECTION = "bits"
_FACTS, _DRAWING, _VALUES = "facts", "drawing", "values"

_TEXT_LIMIT = 1 << 23
"""Bytes of facts, or of a drawing: as values in memory they may be twenty times as large. Names of
32,768 copies may have 200 bytes each; drawings in walk order are of small networks."""


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


def publication_bytes(publication: Publication) -> bytes:
    """Return the canonical bytes of a publication's compact file."""
    if publication.follows_walk:
        return contained([pack(_DRAWING, _bounded(publication_text(publication)))])
    facts, sketch = fact_texts(publication), publication.sketch
    if sketch is None:
        bits = publication.packed
        if len(bits.positions) > PACKED_LIMIT:
            raise TooLarge(
                f"{len(bits.positions):,} copies are more than the {PACKED_LIMIT:,} a packed file "
                "may have; publish a sketch: form='sketch' (--form sketch)"
            )
        large = pack(SECTION, bits.pairs.packed)
    else:
        numbers = {
            "capacity": sketch.capacity,
            "planes": sketch.shape.planes,
            "threshold": sketch.threshold,
        }
        facts["sketch"] = json_text(numbers, BadPublication)
        plane = (sketch.shape.columns + 7) // 8
        lines = np.ascontiguousarray(sketch.words, dtype="<u8").view(np.uint8)[:, :plane]
        large = pack(_VALUES, sketch.seed + lines.tobytes())
    return contained([pack(_FACTS, _bounded(json_object(facts))), large])


def longest_compact(data: bytes) -> int:
    """Return how long a compact file with these public facts can be, whatever its bits.

    It is a bound, and the same for either direction. Where the drawing follows the walk nothing
    bounds it, and the answer is the next power of two.
    """
    container = Container(data, "publication")
    if _DRAWING in container.names():
        return 1 << (container.length - 1).bit_length()
    facts = container.read(_FACTS, limit=_TEXT_LIMIT).tobytes()
    told = facts.replace(FALSE_DIRECTION, TRUE_DIRECTION, 1)
    (large,) = container.names() - {_FACTS}
    beside = len(contained([pack(_FACTS, told)]))
    return beside + most_stored(container.size(large))


def _bounded(text: str) -> bytes:
    data = text.encode()
    if len(data) > _TEXT_LIMIT:
        raise TooLarge(
            f"names and drawing have {len(data):,} bytes, more than the {_TEXT_LIMIT:,} of a "
            "compact file; write it as *.veil.json"
        )
    return data


def opened(container: Container) -> Publication:
    """Return the publication in an opened compact file; nothing in it is trusted."""
    from pathveil.files.publications.veil_schema import CompactFile

    where, parts = container.where, container.names()
    if parts not in ({_DRAWING}, {_FACTS, SECTION}, {_FACTS, _VALUES}):
        raise container.damaged("its sections are not those of a publication")
    name = _DRAWING if parts == {_DRAWING} else _FACTS
    text = decode(container.read(name, limit=_TEXT_LIMIT).tobytes(), f"{where}: {name}")
    if name == _DRAWING:
        return parse_publication(text, where)
    shaped = facts_of(CompactFile, text, where, copies=PACKED_LIMIT)
    if (shaped.sketch is not None) != (_VALUES in parts):
        raise container.damaged("its facts are not those of its sections")
    if shaped.sketch is not None:
        return stated(shaped, _sketch_in(container, shaped), None, where)
    positions = positions_of(shaped.vertices, PACKED_LIMIT, where)
    bits = PackedBits(positions, StoredPairBits(len(positions), container))
    return stated(shaped, bits, None, where)


def _sketch_in(container: Container, facts: CompactFile) -> SketchedBits:
    """Return the sketch in a compact file; its numbers must be those of the policy."""
    given, terms = facts.sketch, facts.policy.parameters
    assert given is not None
    stated_terms = (terms.get("copies", "1"), terms.get("value_bits"))
    if (
        stated_terms != ("1", str(given.planes))
        or given.threshold >> given.planes
        or facts.vertices
    ):
        raise container.damaged("the sketch has other copies or values than its policy states")
    shape = SketchShape.holding(given.capacity, planes=given.planes)
    size = SEED_BYTES + shape.bytes
    if container.size(_VALUES) != size:
        raise container.damaged(
            f"section {_VALUES!r} says it has {container.size(_VALUES):,} bytes, its capacity "
            f"takes {size:,}"
        )
    data = container.read(_VALUES, limit=size)
    padded = np.zeros((shape.planes, 8 * shape.words), dtype=np.uint8)
    lines = data[SEED_BYTES:].reshape(shape.planes, -1)
    padded[:, : lines.shape[1]] = lines
    words = padded.view("<u8").astype(np.uint64)
    with located(container.where):
        return SketchedBits(
            data[:SEED_BYTES].tobytes(), shape, words, given.capacity, given.threshold
        )
