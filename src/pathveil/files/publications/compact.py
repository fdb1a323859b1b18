"""``*.veil``: a publication as compact as its bits, in either form.

The header holds the public facts of the publication, the same JSON as in ``*.veil.json``; the
sections hold what is large: the names and the packed bits, or the values of a sketch. With the
exact layering the drawing follows from these, so it is not written; a drawing in the paper's
layering, which does not, is carried as the whole ``*.veil.json`` in one section.

See :mod:`pathveil.files.publications.container` for the bytes and for what hostile files meet.

Packed bits that stay in their file until somebody asks for them, chunk by chunk.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from pathveil.errors import BadFile, BadPublication, TooLarge
from pathveil.files.atomic_write import shorten
from pathveil.files.publications.container import CHUNK, Container, Section, contained, pack
from pathveil.files.publications.veil_json import (
    parse_publication,
    public_facts,
    publication_of_facts,
    publication_text,
)
from pathveil.files.strict_json import bring_into_shape, json_text, parse_json
from pathveil.model.bits import (
    PACKED_LIMIT,
    BoolArray,
    ByteArray,
    IndexArray,
    PackedBits,
    PairBits,
    pair_count,
)
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.model.sketch import SketchedBits, SketchShape

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


_DRAWING = "drawing"
"""What a compact file is called that carries a drawing: no form of bits."""

_TEXT_LIMIT = 1 << 23
"""Bytes of names, or of a drawing: as values in memory they may be twenty times as large. Names of
32,768 copies may have 256 bytes each; drawings in walk order are of small networks."""


def publication_bytes(publication: Publication) -> bytes:
    """Return the canonical bytes of a publication's compact file."""
    if publication.follows_walk:
        text = publication_text(publication).encode()
        if len(text) > _TEXT_LIMIT:
            raise TooLarge(
                f"the drawing has {len(text):,} bytes, more than the {_TEXT_LIMIT:,} of a compact "
                "file; write it as *.veil.json"
            )
        return contained({"form": _DRAWING}, [pack("json", text)])
    facts: dict[str, Any] = {"publication": public_facts(publication)}
    # The keys of a header are sorted; parameters have an order of their own, so they are listed.
    terms = facts["publication"]["policy"]
    terms["parameters"] = list(map(list, terms["parameters"].items()))
    # A grouping is a file of its own, its digest one of the facts.
    sketch = publication.sketch
    if sketch is None:
        return contained({**facts, "form": "packed"}, _packed_sections(publication.packed))
    facts["sketch"] = _sketch_facts(sketch)
    return contained({**facts, "form": "sketch"}, [_sketch_values(sketch)])


def _packed_sections(bits: PackedBits) -> list[Section]:
    """Return what a compact file holds of packed bits."""
    positions = bits.positions
    if len(positions) > PACKED_LIMIT:
        raise TooLarge(
            f"{len(positions):,} copies are more than the {PACKED_LIMIT:,} a packed file may have; "
            "publish a sketch: form='sketch' (--form sketch)"
        )
    names = json_text(positions.vertices, BadPublication, dense=True).encode()
    counts = np.array(positions.counts, dtype="<u4").tobytes()
    return [pack("names", names), pack("copies", counts), pack(SECTION, bits.pairs.packed)]


def _sketch_facts(bits: SketchedBits) -> dict[str, Any]:
    return {
        "capacity": bits.capacity,
        "planes": bits.shape.planes,
        "seed": bits.seed.hex(),
        "threshold": bits.threshold,
    }


def _sketch_values(bits: SketchedBits) -> Section:
    plane = (bits.shape.columns + 7) // 8
    lines = np.ascontiguousarray(bits.words, dtype="<u8").view(np.uint8)[:, :plane]
    return pack("values", lines.tobytes(), coding="raw")


# -- reading --------------------------------------------------------------------------------------


_PARTS: dict[str, tuple[set[str], set[str]]] = {
    "packed": ({"form", "publication"}, {"names", "copies", SECTION}),
    "sketch": ({"form", "publication", "sketch"}, {"values"}),
    _DRAWING: ({"form"}, {"json"}),
}
"""The facts and the sections of each form."""


def opened(container: Container) -> Publication:
    """Return the publication in an opened compact file; nothing in it is trusted."""
    form = container.facts.get("form")
    if not isinstance(form, str) or form not in _PARTS:
        raise BadPublication(
            f"{container.where}: has the form {shorten(form)}, this version knows "
            f"{', '.join(sorted(_PARTS))}; use a newer version"
        )
    if (set(container.facts), set(container.names())) != _PARTS[form]:
        raise container.damaged(f"its parts are not those of the form {form!r}")
    try:
        if form == _DRAWING:
            text = container.read("json", limit=_TEXT_LIMIT).tobytes()
            return parse_publication(text.decode(), container.where)
        facts = container.facts["publication"]
        _restore_terms(container, facts)
        bits = _packed_in(container) if form == "packed" else _sketch_in(container, facts)
        return publication_of_facts(facts, bits, container.where)
    except BadFile:
        raise
    except (ValueError, TypeError, RecursionError) as error:
        raise container.damaged(f"its parts do not fit ({error})") from None


def _restore_terms(container: Container, facts: Any) -> None:
    """Turn the listed parameters of the policy back into a mapping."""
    try:
        listed = facts["policy"]["parameters"]
    except (KeyError, TypeError):
        listed = None
    pairs: list[Any] = listed if isinstance(listed, list) else [listed]
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise container.damaged("its policy has no list of parameters")
    mapped = dict(pairs)
    if len(mapped) != len(pairs):
        raise container.damaged("its policy states a parameter twice")
    facts["policy"]["parameters"] = mapped


def _packed_in(container: Container) -> PackedBits:
    """Return the packed bits in a compact file; they stay there until somebody asks for them."""
    text = container.read("names", limit=_TEXT_LIMIT).tobytes().decode()
    names = parse_json(text, f"{container.where}: names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise container.damaged("the names are no list of names")
    if any(first >= second for first, second in pairwise(["", *names])) or not names:
        raise container.damaged("the names are not one or more names, sorted and distinct")
    counts = np.frombuffer(container.read("copies", limit=4 * len(names)).tobytes(), dtype="<u4")
    if len(counts) != len(names) or (counts < 1).any():
        raise container.damaged("the numbers of copies do not belong to the names")
    total = int(counts.sum(dtype=np.int64))
    if total > PACKED_LIMIT:
        raise container.damaged(f"it has {total:,} copies, the limit is {PACKED_LIMIT:,}")
    positions = Positions(tuple(names), tuple(counts.tolist()))
    return PackedBits(positions, StoredPairBits(total, container))


def _sketch_in(container: Container, facts: dict[str, Any]) -> SketchedBits:
    """Return the sketch in a compact file; its numbers must be those of the policy."""
    from pathveil.files.publications.veil_schema import SketchPart

    given = bring_into_shape(SketchPart, container.facts["sketch"], f"{container.where}: sketch")
    terms: dict[str, str] = facts["policy"]["parameters"]
    stated = (terms.get("copies", "1"), terms.get("value_bits"))
    if stated != ("1", str(given.planes)) or given.threshold >> given.planes:
        raise container.damaged("the sketch has other copies or values than its policy states")
    shape = SketchShape.holding(given.capacity, planes=given.planes)
    words = _words(container, shape)
    return SketchedBits(bytes.fromhex(given.seed), shape, words, given.capacity, given.threshold)


def _words(container: Container, shape: SketchShape) -> np.ndarray[Any, np.dtype[np.uint64]]:
    if container.size("values") != shape.bytes:
        raise container.damaged(
            f"section 'values' says it has {container.size('values'):,} bytes, its capacity takes "
            f"{shape.bytes:,}"
        )
    lines = container.read("values", limit=shape.bytes).reshape(shape.planes, -1)
    padded = np.zeros((shape.planes, 8 * shape.words), dtype=np.uint8)
    padded[:, : lines.shape[1]] = lines
    words = padded.view("<u8").astype(np.uint64)
    if shape.spare and (words[:, -1] >> np.uint64(64 - shape.spare)).any():
        raise container.damaged("the spare bits of a plane are not clear")
    return words
