"""What the parts of a publication file owe each other, checked one after another.

The order of the checks is the order in which a fault explains the next: vertices, nodes, layers,
arcs that lead nowhere, cycles, and only then layers that contradict arcs (a cycle
contradicts any layers, so it is the truer message).
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadPublication
from pathveil.files.atomic_write import shorten
from pathveil.files.publications.size_limits import MOST_NODES
from pathveil.model.bits import PairBits, pair_count, unflatten
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions

if TYPE_CHECKING:
    from pathveil.files.publications.veil_schema import PublicationFile

IndexArray = npt.NDArray[np.int64]


def packed_bits(
    file: PublicationFile, positions: Positions, layered: LayeredGraph, where: str
) -> PairBits:
    """Return the bits of a file, which must be exactly those of the drawing beside them."""
    packed = np.frombuffer(bytes.fromhex(file.bits), dtype=np.uint8)
    expected = (pair_count(len(positions)) + 7) // 8
    if len(packed) != expected:
        raise BadPublication(
            f"{where}: bits: holds {len(packed)} bytes, expected {expected} for the pairs of "
            f"{len(positions)} copies; get the file again"
        )
    try:
        bits = PairBits(len(positions), packed)
    except ValueError as error:
        raise BadPublication(f"{where}: bits: {error}; get the file again") from None
    drawn = layered.bits()
    if drawn != bits:
        wrong = int(np.flatnonzero(drawn.flat() != bits.flat())[0])
        first, second = unflatten(np.array([wrong]), bits.size)[0].tolist()
        (u, i), (v, j) = positions.label(first), positions.label(second)
        raise BadPublication(
            f"{where}: bits: copy {i} of {shorten(u)} and copy {j} of {shorten(v)} are "
            f"{'in one branch' if bits.same_branch(first, second) else 'in different branches'} by "
            "the bits and not by the drawing; one of them has been changed, get the file again"
        )
    return bits


def layered_graph(file: PublicationFile, positions: Positions, where: str) -> LayeredGraph:
    """Return the layered graph of a file whose shape is right, or raise with the bad item."""
    owner, piece = _nodes(file, positions, where)
    layer = _layers(file, where)
    arcs = _arcs(file, where)
    wrong = np.flatnonzero(layer[arcs[:, 0]] >= layer[arcs[:, 1]])
    if len(wrong):
        upper, lower = arcs[wrong[0]].tolist()
        raise BadPublication(
            f"{where}: arcs[{upper}][{file.arcs[upper].index(lower)}]: "
            f"{_named(file, upper)} on layer {layer[upper]} covers {_named(file, lower)} on layer "
            f"{layer[lower]}, expected a lower layer (a larger number)"
        )
    return LayeredGraph.build(positions, owner, layer, arcs, piece=piece)


def published_positions(file: PublicationFile, where: str) -> Positions:
    """Return the public copies of a file, checked before anything is built in their size."""
    seen: dict[str, int] = {}
    for place, vertex in enumerate(file.vertices):
        if vertex.name in seen:
            raise BadPublication(
                f"{where}: vertices[{place}].name: {shorten(vertex.name)} is vertices"
                f"[{seen[vertex.name]}] already; names are distinct"
            )
        seen[vertex.name] = place
        # Before anything is built in this size: each copy needs a node of its own.
        if vertex.copies > len(file.nodes):
            raise BadPublication(
                f"{where}: vertices[{place}].copies: says {shorten(vertex.copies)} copies, but the "
                f"file has {len(file.nodes)} nodes; each copy has at least one"
            )
    if not seen:
        raise BadPublication(f"{where}: vertices: is empty, expected at least one vertex")
    ordered = sorted(file.vertices, key=lambda vertex: vertex.name)
    return Positions(tuple(v.name for v in ordered), tuple(v.copies for v in ordered))


def _require_few_pieces(file: PublicationFile, positions: Positions, where: str) -> None:
    """Refuse more pieces than an honest drawing can need, before anything is built in their size.

    No copy needs more pieces than there are other copies to share a branch with, and two always
    suffice. Closures over pieces cost their number squared.
    """
    copies = len(positions)
    most = copies * max(copies - 1, 2)
    if len(file.nodes) > most:
        raise BadPublication(
            f"{where}: nodes: {len(file.nodes)} pieces of {copies} copies, expected at most "
            f"{most}: no drawing needs more; get the file again"
        )
    if len(file.nodes) > MOST_NODES and len(file.nodes) > 2 * copies:
        raise BadPublication(
            f"{where}: nodes: {len(file.nodes)} pieces of {copies} copies; above {MOST_NODES} "
            "pieces no copy may have more than two, which always suffice"
        )


def _nodes(file: PublicationFile, positions: Positions, where: str) -> tuple[IndexArray, list[int]]:
    """Position and piece of each node; every copy has pieces 0, 1, ... and no other."""
    _require_few_pieces(file, positions, where)
    number = {name: i for i, name in enumerate(positions.vertices)}
    starts = positions.starts.tolist()
    owner = np.empty(len(file.nodes), dtype=np.int64)
    seen: dict[tuple[int, int], int] = {}
    for place, (vertex, copy, piece) in enumerate(file.nodes):
        index = number.get(vertex)
        if index is None:
            raise BadPublication(
                f"{where}: nodes[{place}][0]: {shorten(vertex)} is none of the {len(number)} "
                "vertices of the file"
            )
        if copy >= positions.counts[index]:
            raise BadPublication(
                f"{where}: nodes[{place}][1]: copy {shorten(copy)} of {shorten(vertex)}, which has "
                f"copies 0 to {positions.counts[index] - 1}"
            )
        key = (starts[index] + copy, piece)
        if key in seen:
            raise BadPublication(
                f"{where}: nodes[{place}]: is the same piece as nodes[{seen[key]}]; "
                "each piece is listed once"
            )
        seen[key] = place
        owner[place] = key[0]
    _require_all_pieces(owner, seen, positions, where)
    return owner, [piece for _, piece in seen]


def _require_all_pieces(
    owner: IndexArray, seen: dict[tuple[int, int], int], positions: Positions, where: str
) -> None:
    """Raise unless every copy has a piece, and its pieces are numbered without gaps."""
    pieces = np.bincount(owner, minlength=len(positions))
    empty = np.flatnonzero(pieces == 0)
    if len(empty):
        vertex, copy = positions.label(int(empty[0]))
        raise BadPublication(
            f"{where}: nodes: copy {copy} of {shorten(vertex)} has no node; "
            "each copy has one piece or more"
        )
    for (position, piece), place in seen.items():
        if piece >= pieces[position]:
            raise BadPublication(
                f"{where}: nodes[{place}][2]: piece {shorten(piece)} of a copy in "
                f"{pieces[position]} pieces; pieces are numbered 0, 1, ... without gaps"
            )


def _layers(file: PublicationFile, where: str) -> IndexArray:
    layer = np.full(len(file.nodes), -1, dtype=np.int64)
    for depth, row in enumerate(file.layers):
        for place, node in enumerate(row):
            if node >= len(layer):
                raise BadPublication(
                    f"{where}: layers[{depth}][{place}]: there is no node {shorten(node)}, "
                    f"the file has nodes 0 to {len(layer) - 1}"
                )
            if layer[node] >= 0:
                raise BadPublication(
                    f"{where}: layers[{depth}][{place}]: {_named(file, node)} is on layer "
                    f"{layer[node]} already; each node is on one layer"
                )
            layer[node] = depth
    loose = np.flatnonzero(layer < 0)
    if len(loose):
        raise BadPublication(
            f"{where}: layers: {_named(file, int(loose[0]))} is on no layer; each node is on one"
        )
    return layer


def _arcs(file: PublicationFile, where: str) -> IndexArray:
    """Cover links as pairs of nodes, upper first."""
    nodes = len(file.nodes)
    if len(file.arcs) != nodes:
        raise BadPublication(
            f"{where}: arcs: has {len(file.arcs)} rows, expected one for each of the {nodes} nodes"
        )
    counts = np.fromiter(map(len, file.arcs), dtype=np.int64, count=nodes)
    lower = np.fromiter(chain.from_iterable(file.arcs), dtype=np.int64, count=int(counts.sum()))
    if (lower >= nodes).any():
        upper, place, node = next(
            (upper, place, node)
            for upper, row in enumerate(file.arcs)
            for place, node in enumerate(row)
            if node >= nodes
        )
        raise BadPublication(
            f"{where}: arcs[{upper}][{place}]: an arc leads from {_named(file, upper)} to "
            f"node {shorten(node)}, which is not there; the file has nodes 0 to {nodes - 1}"
        )
    arcs = np.stack([np.repeat(np.arange(nodes), counts), lower], axis=1)
    keys = np.sort(arcs[:, 0] * nodes + arcs[:, 1])
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        upper, node = divmod(int(keys[twice[0]]), nodes)
        place = len(file.arcs[upper]) - 1 - file.arcs[upper][::-1].index(node)
        raise BadPublication(
            f"{where}: arcs[{upper}][{place}]: node {node} is covered by node {upper} twice; "
            "each arc is listed once"
        )
    return arcs


def _named(file: PublicationFile, node: int) -> str:
    vertex, copy, piece = file.nodes[node]
    return f"node {node} ({shorten(vertex)}, copy {copy}, piece {piece})"
