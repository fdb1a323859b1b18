"""The publishing rules as a checker: the specification every engine answers to.

| rule | paper | here |
|---|---|---|
| 1 | ends of a walk edge are in different branches | :func:`check_relation` |
| 2 | ends of another edge are in the same branch | :func:`check_relation` |
| 3 | an absent pair is as its coin says | :func:`check_bits` |
| 4 | several copies tell nothing | a law of tests: each visit has a copy of its own |
| 5 | roots are the group closest to the first vertex | :func:`check_roots` |
| shape | branches are chains, arcs a transitive reduction | :func:`check_shape` |

The checks share no code with the engines: order is recomputed here from the arcs alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pathveil.errors import RuleBroken
from pathveil.model.bits import PairBits, Relation, unflatten
from pathveil.model.layered import LayeredGraph


def check_shape(layered: LayeredGraph) -> None:
    """Raise unless the covers are a transitive reduction and pieces of a copy are strangers."""
    children = _children(layered)
    reach = _below(layered, children)
    for upper, lowers in enumerate(children):
        implied = lowers[np.logical_or.reduce(reach[lowers], axis=0)[lowers]]
        if len(implied):
            raise RuleBroken(
                f"arc {layered.node(upper)} -> {layered.node(int(implied[0]))} is implied "
                "by others; arcs must be a transitive reduction",
                rule="shape",
            )
    owner = layered.position_of
    # The pieces of a copy stand in a row and are numbered from 0 on.
    for apart in np.unique(layered.piece)[1:].tolist():
        one = np.flatnonzero(owner[:-apart] == owner[apart:])
        wrong = one[reach[one, one + apart] | reach[one + apart, one]]
        if len(wrong):
            here, there = layered.node(int(wrong[0])), layered.node(int(wrong[0]) + apart)
            raise RuleBroken(
                f"pieces {here} and {there} of one copy share a branch; pieces of a copy must not",
                rule="shape",
            )


def check_bits(layered: LayeredGraph, bits: PairBits) -> None:
    """Raise unless the branches say exactly what the bits say (rules 1 to 3 at once)."""
    shown = layered.bits().matrix()
    wanted = bits.matrix()
    wrong = np.argwhere(shown != wanted)
    if len(wrong):
        i, j = wrong[0].tolist()
        here, there = layered.positions.label(i), layered.positions.label(j)
        raise RuleBroken(
            f"{here} and {there} are {_branch(same=bool(shown[i, j]))} but their bit says "
            f"{_branch(same=bool(wanted[i, j]))}",
            rule="3",
        )


def check_relation(layered: LayeredGraph, relation: Relation) -> None:
    """Raise unless walk edges are in different branches and other edges in the same."""
    shown = layered.bits().matrix()
    for rule, places, same in (("1", relation.on_walk, False), ("2", relation.off_walk, True)):
        for i, j in unflatten(places, relation.size).tolist():
            if shown[i, j] != same:
                here, there = layered.positions.label(i), layered.positions.label(j)
                raise RuleBroken(
                    f"{here} and {there} are {_branch(same=not same)}; rule {rule} wants them "
                    f"{_branch(same=same)}",
                    rule=rule,
                )


def check_roots(layered: LayeredGraph, visits: Sequence[int]) -> None:
    """Raise unless some root is as close to the first vertex, along the walk, as any leaf."""
    roots, leaves = walk_distances(layered, visits)
    if roots > leaves:
        raise RuleBroken(
            f"the nearest root is {roots} steps from the first vertex, the nearest leaf {leaves}; "
            "the layers should be upside down",
            rule="5",
        )


def walk_distances(layered: LayeredGraph, visits: Sequence[int]) -> tuple[int, int]:
    """Return how many steps along the walk the nearest root and the nearest leaf are.

    Every walk has both on it or neither: a copy that is no root has a root above it, but that
    one may be off the walk; then the distance is the length of the walk.
    """
    roots = set(layered.position_of[layered.is_root].tolist())
    leaves = set(layered.position_of[layered.is_leaf].tolist())
    return (
        next((step for step, position in enumerate(visits) if position in roots), len(visits)),
        next((step for step, position in enumerate(visits) if position in leaves), len(visits)),
    )


def _children(layered: LayeredGraph) -> list[npt.NDArray[np.int32]]:
    """Return the nodes that each node covers."""
    ends = np.searchsorted(layered.arcs[:, 0], np.arange(len(layered.position_of) + 1))
    return np.split(layered.arcs[:, 1], ends[1:-1])


def _below(layered: LayeredGraph, children: list[npt.NDArray[np.int32]]) -> npt.NDArray[np.bool_]:
    """Return the strict order of the nodes by closing the arcs, bottom up."""
    nodes = len(layered.position_of)
    reach = np.zeros((nodes, nodes), dtype=bool)
    for node in np.argsort(-layered.layer, kind="stable").tolist():
        lowers = children[node]
        if len(lowers):
            reach[node] = reach[lowers].any(axis=0)
            reach[node, lowers] = True
    return reach


def _branch(*, same: bool) -> str:
    return "in the same branch" if same else "in different branches"
