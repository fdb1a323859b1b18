"""``*.veil.json``: a publication as a file, in canonical bytes.

Writing: the same publication gives the same file, byte for byte. Keys have one order, lists are
sorted, numbers are integers or exact texts, so that nothing but the publication is in the bytes and
no order of a list can carry a message.

Reading: nothing is trusted. The text is strict JSON, then has the shape of
:mod:`~pathveil.files.publications.veil_schema`, then its parts must agree: what the model refuses
is refused with the place in the file. Other white space, another order of keys or of the nodes of a
layer, and null keys left out are read as well; writing the file again makes them canonical.

A node is ``[vertex, copy, piece]`` and is called by its place in the list of nodes; ``layers`` and
``arcs`` hold such numbers. So names may contain anything, and the file stays readable:

    "nodes": [["a", 0, 0], ["b", 0, 0]], "layers": [[1], [0]], "arcs": [[], [0]]

says that ``b`` is above ``a``. The file has the bits as well; the drawing must have exactly these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadGrouping, BadPublication, BrokenSeries
from pathveil.files.atomic_write import shorten
from pathveil.files.publications.size_limits import require_honest_sizes
from pathveil.files.strict_json import (
    VERSION,
    bring_into_shape,
    json_list,
    json_object,
    json_text,
    parse_json,
    require_kind,
)
from pathveil.model.bits import PackedBits, PairBits, pair_count
from pathveil.model.certificate import (
    Adversary,
    Certificate,
    CertificateRow,
    Identification,
    Loss,
    PolicyTerms,
)
from pathveil.model.grouping import ClassSizes, GroupedBits
from pathveil.model.layered import LayeredGraph, follows_walk
from pathveil.model.positions import Positions
from pathveil.model.publication import Bits, Publication, SeriesPlace
from pathveil.model.universe import Universe

if TYPE_CHECKING:
    from pathveil.files.publications.veil_schema import (
        CertificatePart,
        FactsFile,
        PublicationFile,
        UniversePart,
        VertexPart,
    )

Facts = TypeVar("Facts", bound="FactsFile")


def publication_text(publication: Publication) -> str:
    """Return the canonical text of a publication.

    *Cost*: half a second for a million arcs.
    """
    layered = publication.layered
    parts = {
        **_undrawn(publication),
        "nodes": json_list([_json(node) for node in layered.nodes]),
        "layers": json_list(_layer_rows(layered)),
        "arcs": json_list(_cover_rows(layered)),
    }
    return json_object(parts)


FALSE_DIRECTION, TRUE_DIRECTION = b'\n  "direction": false', b'\n  "direction": true'
_EXACT = b'\n  "layering": "exact"'


def longest_json(data: bytes) -> int:
    """Return how long a ``*.veil.json`` with these public facts can be, whatever its bits.

    It is the same for either direction. An exact drawing has at most two pieces of a copy, and an
    arc for a pair. Where the drawing follows the walk nothing bounds it, and the answer is the next
    power of two. Of another text it is the length that it has.
    """
    facts, _, drawing = data.partition(b'\n  "nodes": [\n')
    listed = drawing.partition(b"\n  ],")[0].split(b"\n")
    whole = [row for row in listed if row.rstrip(b",").endswith(b", 0]")]  # each copy's first piece
    if not whole:
        return len(data)
    if _EXACT not in facts:
        return 1 << (len(data) - 1).bit_length()
    copies = len(whole)
    number = len(str(2 * copies)) + 2  # a node's number, comma and blank
    nodes = 2 * sum(len(row) + 2 for row in whole)
    rows = 2 * 2 * copies * len("    [],\n") + 2 * copies * number  # of layers, of arcs
    told = len(facts) - (FALSE_DIRECTION in facts)
    return told + nodes + rows + pair_count(copies) * number + _BETWEEN


_BETWEEN = 80  # the names of three lists, their brackets and the end


def text_without_drawing(publication: Publication) -> str:
    """Return the canonical text but for the nodes, layers and arcs, which follow from the bits."""
    return json_object(_undrawn(publication))


def _undrawn(publication: Publication) -> dict[str, str]:
    bits = _json(publication.packed.pairs.packed.tobytes().hex())
    return {**fact_texts(publication), "bits": bits}


def fact_texts(publication: Publication) -> dict[str, str]:
    """Return every public fact beside bits and drawing as JSON text, by key."""
    from pathveil.files.publications.veil_schema import FORMAT, SCHEMA_ID

    terms, over, universe = publication.policy, publication.grouped, publication.universe
    pairs = [] if universe is None else [_json(pair) for pair in universe.pairs]
    facts = {
        "$schema": _json(SCHEMA_ID),
        "format": _json(FORMAT),
        "version": _json(VERSION),
        "unsafe": _json(publication.unsafe),
        "policy": _json(
            {"name": terms.name, "parameters": dict(terms.parameters), "noisy": terms.noisy}
        ),
        "layering": _json(publication.layering),
        "direction": _json(publication.direction),
        "universe": "null" if universe is None else f'{{"pairs": {json_list(pairs)}}}',
        "grouping": _json(over and {"digest": over.digest, "sizes": over.sizes.counts}),
        "series": _json(publication.series and asdict(publication.series)),
        "salt": _json(publication.salt),
        "certificate": _certificate(publication.certificate),
    }
    if not publication.lists_vertices:
        return facts
    positions = publication.packed.positions
    if any(a >= b for a, b in pairwise(positions.vertices)):
        raise BadPublication("the vertices of a publication must be sorted by name and distinct")
    named = zip(positions.vertices, positions.counts, strict=True)
    vertices = [f'{{"name": {_json(name)}, "copies": {count}}}' for name, count in named]
    return {**facts, "vertices": json_list(vertices)}


def parse_publication(text: str, where: str = "publication") -> Publication:
    """Return the publication written in a text.

    *Cost*: about a second for a million arcs.
    """
    from pathveil.files.publications.veil_schema import PublicationFile

    shaped = facts_of(PublicationFile, text, where)
    positions = positions_of(shaped.vertices, len(shaped.nodes), where)
    bits = _bits(shaped, positions, where)
    layered = _layered(shaped, positions, where)
    _require_same(bits, layered, where)
    carried = follows_walk(shaped.layering)
    drawing = layered if carried else None
    publication = stated(shaped, PackedBits(positions, bits), drawing, where)
    return publication if carried else publication.showing(layered)


def facts_of(model: type[Facts], text: str, where: str, *, copies: int | None = None) -> Facts:
    """Return the facts in a text, strict and of honest sizes; ``copies`` if bits are elsewhere."""
    from pathveil.files.publications.veil_schema import FORMAT

    found = parse_json(text, where)
    require_kind(found, where, form=FORMAT, what="publication")
    require_honest_sizes(found, where, copies=copies)
    return bring_into_shape(model, found, where)


def stated(shaped: FactsFile, bits: Bits, drawing: LayeredGraph | None, where: str) -> Publication:
    """Return the publication with the stated facts."""
    terms, over, at = shaped.policy, shaped.grouping, shaped.series
    policy = PolicyTerms(terms.name, tuple(terms.parameters.items()), terms.noisy)
    with located(f"{where}: series"):
        series = None if at is None else SeriesPlace(at.place, at.before, at.release)
    if over is not None:
        if not isinstance(bits, PackedBits) or drawing is not None:
            raise BadPublication(
                f"{where}: grouping: is given with a sketch or the paper's layering, which have "
                "none; expected null"
            )
        with located(f"{where}: grouping: sizes"):
            bits = GroupedBits(bits, over.digest, ClassSizes(tuple(over.sizes)))
    with located(where):
        return Publication(
            bits=bits,
            policy=policy,
            layering=shaped.layering,
            direction=shaped.direction,
            drawing=drawing,
            universe=_universe_of(shaped.universe),
            series=series,
            salt=shaped.salt,
            certificate=_certified(shaped.certificate),
            unsafe=shaped.unsafe,
        )


# -- writing ------------------------------------------------------------------------------------


def _json(value: object) -> str:
    return json_text(value, BadPublication)


def _layer_rows(layered: LayeredGraph) -> list[str]:
    layer = layered.layer
    order = np.argsort(layer, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(layer[order])) + 1)
    return [json.dumps(part.tolist()) for part in parts if len(part)]


def _cover_rows(layered: LayeredGraph) -> list[str]:
    """One row a node; built row by row, so that a million arcs never become objects at once."""
    arcs, nodes = layered.arcs, len(layered.position_of)
    bounds = np.searchsorted(arcs[:, 0], np.arange(nodes + 1)).tolist()
    lower = arcs[:, 1]
    return [json.dumps(lower[start:end].tolist()) for start, end in pairwise(bounds)]


@lru_cache(maxsize=8)
def _certificate(certificate: Certificate) -> str:
    """Return a certificate as text; many files in a row have the same one."""
    parts = certificate_facts(certificate).items()
    listed = [f'"{key}": {json_list([_json(item) for item in items])}' for key, items in parts]
    return "{" + ", ".join(listed) + "}"


def certificate_facts(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate as plain data: what files and programs see of it."""
    return {
        "rows": [asdict(row) for row in certificate.rows],
        "identification": [asdict(row) for row in certificate.identification],
        "not_protected": list(certificate.not_protected),
    }


# -- reading ------------------------------------------------------------------------------------


@contextmanager
def located(place: str) -> Iterator[None]:
    """Name the place in the file of whatever the model refuses."""
    try:
        yield
    except (BadPublication, BadGrouping, BrokenSeries, ValueError) as error:
        raise BadPublication(f"{place}: {error}; get the file again") from None


def positions_of(vertices: list[VertexPart], most: int, where: str) -> Positions:
    """Return the public copies, at most so many, checked before anything is built in their size."""
    names = tuple(vertex.name for vertex in vertices)
    if not names or any(one >= other for one, other in pairwise(names)):
        raise BadPublication(
            f"{where}: vertices: are not one or more names, sorted and distinct; get the file again"
        )
    copies = sum(vertex.copies for vertex in vertices)
    if copies > most:
        raise BadPublication(
            f"{where}: vertices: have {shorten(copies)} copies, expected at most {most:,} by the "
            "rest of the file; get the file again"
        )
    return Positions(names, tuple(vertex.copies for vertex in vertices))


def _bits(file: PublicationFile, positions: Positions, where: str) -> PairBits:
    packed = np.frombuffer(bytes.fromhex(file.bits), dtype=np.uint8)
    with located(f"{where}: bits"):
        return PairBits(len(positions), packed)


def _layered(file: PublicationFile, positions: Positions, where: str) -> LayeredGraph:
    """Return the drawing of a file whose shape is right."""
    count = len(file.nodes)
    place = {positions.label(number): number for number in range(len(positions))}
    owners = [place.get((vertex, copy), -1) for vertex, copy, _ in file.nodes]
    if -1 in owners:
        at = owners.index(-1)
        raise BadPublication(
            f"{where}: nodes[{at}]: {shorten(list(file.nodes[at]))} belongs to no copy of the "
            "vertices; get the file again"
        )
    members = _flat(file.layers)
    if not np.array_equal(np.sort(members), np.arange(count)):
        raise BadPublication(
            f"{where}: layers: hold {len(members)} numbers, expected each of the {count} nodes "
            "once; get the file again"
        )
    layer = np.empty(count, dtype=np.int32)
    layer[members] = np.repeat(np.arange(len(file.layers)), [len(row) for row in file.layers])
    lower = _flat(file.arcs)
    if len(file.arcs) != count or (lower >= count).any():
        raise BadPublication(
            f"{where}: arcs: have {len(file.arcs)} rows or lead to other nodes, expected a row for "
            f"each of the nodes 0 to {count - 1}; get the file again"
        )
    upper = np.repeat(np.arange(count), [len(row) for row in file.arcs])
    with located(f"{where}: nodes, layers and arcs"):
        return LayeredGraph(
            positions,
            np.array(owners, dtype=np.int32),
            np.array([min(piece, count) for *_, piece in file.nodes], dtype=np.int32),
            layer,
            np.stack([upper, lower], axis=1).astype(np.int32),
        )


def _flat(rows: list[list[int]]) -> npt.NDArray[np.int64]:
    return np.fromiter(chain.from_iterable(rows), dtype=np.int64)


def _require_same(bits: PairBits, layered: LayeredGraph, where: str) -> None:
    """Raise unless the bits of a file are exactly those of the drawing beside them."""
    wrong = np.flatnonzero(layered.bits().flat() != bits.flat())
    if len(wrong):
        raise BadPublication(
            f"{where}: bits: {len(wrong):,} are shown by the bits and not by the drawing; one of "
            "them has been changed, get the file again"
        )


def _universe_of(part: UniversePart | None) -> Universe | None:
    if part is None:
        return None
    pairs = tuple((u, v) for u, v in part.pairs)
    if any(u >= v for u, v in pairs) or any(one >= other for one, other in pairwise(pairs)):
        raise BadPublication("universe: pairs are not sorted and distinct")
    return Universe(pairs)


def _certified(part: CertificatePart) -> Certificate:
    # A part of the file, gone over, yields its fields.
    rows = tuple(
        CertificateRow(
            Adversary(**dict(row.adversary)),
            Loss(**dict(row.presence)),
            Loss(**dict(row.absence)),
            row.bound,
        )
        for row in part.rows
    )
    chances = tuple(Identification(**dict(row)) for row in part.identification)
    return Certificate(rows, tuple(part.not_protected), chances)
