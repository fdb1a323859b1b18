"""Kernels that search for the network behind a series of releases, in integers only.

Theory of operation
-------------------
In every release the true links that are shown on a walk form *one simple path* over copies. Chaff
does not. The state is a candidate network: a set of pairs. A *sighting* says that a pair is shown
in one layer (the bits of one walk) between two nodes (copies in that layer; nodes of different
layers are different). For each layer the kernel keeps the number of candidate links at each node,
how many nodes have exactly one (*ends*) and by how much the others have more than two (*excess*). A
path has two ends and no excess, so

    strain of a layer = 2 excess + |ends - 2| + links beyond the longest walk

is zero for a path (and for a path beside rings, which the reader refuses later). Energy is the
strain of all layers times a weight, minus the evidence for each candidate link.

A move takes one candidate out and another pair in. The number of candidates is kept on purpose: a
network free to shrink freezes into many short paths and never finds the long ones. Half of what
comes in is found where a path might go on, at a loose end of a strained layer, the rest anywhere;
what goes out is any candidate, or one that meets the new pair. Moves are accepted by Metropolis'
rule with a falling temperature; ``decline`` is a table of -ln u. Known links stay. All numbers are
whole, so plain and compiled runs agree to the last move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.bundle_annealing import next_below
from pathveil.layering.kernels.running import kernel

Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]

SCALE = 1024  # energies, temperatures and -ln u are in 1/1024
ENDS, EXCESS, LINKS = 0, 1, 2  # what is tallied for each layer
LOOSE = 4  # of eight moves bring in a pair from a loose end
RIVALS = 1  # of eight take out a link that meets the one brought in
TRIES = 8  # strained layers that a focused proposal looks at before it gives up


class Seen(NamedTuple):
    """What the files show, for kernels: pair by pair, layer by layer and node by node.

    Pair i has the rows ``starts[i]`` to ``starts[i + 1]`` of ``sightings``, each a layer and two
    nodes; the other two lists begin likewise.
    """

    starts: Int64Array
    sightings: Int32Array
    layer_starts: Int64Array
    layer_pairs: Int32Array
    node_starts: Int64Array
    node_pairs: Int32Array


class Books(NamedTuple):
    """What is counted of the candidates: links at each node, tallies of each layer."""

    links_at: Int32Array
    tallies: Int32Array
    longest: int


class Cooling(NamedTuple):
    """How candidates are improved: temperatures and declines of the moves, their number, a seed.

    ``weight`` is what a unit of strain costs, ``longest`` the most steps a walk has.
    """

    decline: Int64Array
    temperatures: Int64Array
    weight: int
    longest: int
    steps: int
    seed: int


@kernel
def strain_of(books: Books, layer: int) -> int:
    """Return how far the candidate links shown in a layer are from one path."""
    tallies = books.tallies
    over = tallies[layer, LINKS] - books.longest
    return int(2 * tallies[layer, EXCESS] + abs(tallies[layer, ENDS] - 2) + max(0, over))


@kernel
def tally_node(tallies: Int32Array, layer: int, many: int, sign: int) -> None:
    """Count a node by its number of links, with sign -1 no more: a path ends there, or it forks."""
    if many == 1:
        tallies[layer, ENDS] += sign
    elif many > 2:
        tallies[layer, EXCESS] += sign * (many - 2)


@kernel
def toggle(pair: int, change: int, seen: Seen, books: Books) -> int:
    """Put a pair in (+1) or take it out (-1); return by how much the strain of all layers grows."""
    growth = 0
    for at in range(seen.starts[pair], seen.starts[pair + 1]):
        layer = seen.sightings[at, 0]
        before = strain_of(books, layer)
        books.tallies[layer, LINKS] += change
        for side in range(1, 3):
            node = seen.sightings[at, side]
            many = books.links_at[node]
            tally_node(books.tallies, layer, many, -1)
            books.links_at[node] = many + change
            tally_node(books.tallies, layer, many + change, 1)
        growth += strain_of(books, layer) - before
    return growth


@kernel
def loose_pair(state: Int64Array, seen: Seen, books: Books) -> int:
    """Return a pair sighted in a strained layer, at a loose end where there is one; -1 if none."""
    layers = len(seen.layer_starts) - 1
    for _ in range(TRIES):
        layer = next_below(state, layers)
        many = seen.layer_starts[layer + 1] - seen.layer_starts[layer]
        if many == 0 or strain_of(books, layer) == 0:
            continue
        pair = seen.layer_pairs[seen.layer_starts[layer] + next_below(state, many)]
        for at in range(seen.starts[pair], seen.starts[pair + 1]):
            if seen.sightings[at, 0] == layer:
                # From a node of this sighting go on if a path ends here, else take the sighting.
                node = seen.sightings[at, 1 + next_below(state, 2)]
                if books.links_at[node] == 1:
                    there = seen.node_starts[node + 1] - seen.node_starts[node]
                    return int(seen.node_pairs[seen.node_starts[node] + next_below(state, there)])
                return int(pair)
    return -1


@kernel
def rival_of(state: Int64Array, pair: int, fixed: int, seen: Seen, slots: Int32Array) -> int:
    """Return a candidate, no known one, that meets a pair where both are seen, or -1."""
    many = seen.starts[pair + 1] - seen.starts[pair]
    if many == 0:
        return -1
    node = seen.sightings[seen.starts[pair] + next_below(state, many), 1 + next_below(state, 2)]
    rival = -1
    met = 0
    for at in range(seen.node_starts[node], seen.node_starts[node + 1]):
        other = seen.node_pairs[at]
        if other != pair and slots[other] >= fixed:
            met += 1
            if next_below(state, met) == 0:
                rival = other
    return rival


@kernel
def anneal_network(
    chosen: Int32Array, known: int, seen: Seen, evidence: Int64Array, cooling: Cooling
) -> Int64Array:
    """Improve the candidate links in place; return their strain and energy.

    The first ``known`` of ``chosen`` are links that stay. On return ``chosen`` holds the candidates
    of least energy that were met.
    """
    pairs = len(evidence)
    size = len(chosen)
    slots = np.full(pairs, -1, dtype=np.int32)  # where in chosen a pair is, -1 if nowhere
    layers = len(seen.layer_starts) - 1
    books = Books(
        np.zeros(len(seen.node_starts) - 1, dtype=np.int32),
        np.zeros((layers, 3), dtype=np.int32),
        cooling.longest,
    )
    state = np.zeros(1, dtype=np.int64)
    state[0] = cooling.seed & 0xFFFFFFFF | 1
    strain = 2 * layers
    energy = 0
    for at in range(size):
        slots[chosen[at]] = at
        strain += toggle(chosen[at], 1, seen, books)
        energy -= evidence[chosen[at]]
    energy += cooling.weight * strain
    best = np.array([strain, energy])
    kept = chosen.copy()
    levels = len(cooling.temperatures)
    steps = 0 if size in (known, pairs) else cooling.steps  # else there is nothing to choose
    for move in range(steps):
        heat = cooling.temperatures[move * levels // steps]
        if next_below(state, 8) < LOOSE:
            new = loose_pair(state, seen, books)
        else:
            new = next_below(state, pairs)
        if new < 0 or slots[new] >= 0:
            continue
        old = -1
        if next_below(state, 8) < RIVALS:
            old = rival_of(state, new, known, seen, slots)
        if old < 0:
            old = chosen[known + next_below(state, size - known)]
        allowed = heat * cooling.decline[next_below(state, len(cooling.decline))] // SCALE
        growth = toggle(old, -1, seen, books) + toggle(new, 1, seen, books)
        change = cooling.weight * growth + evidence[old] - evidence[new]
        if change > allowed:
            toggle(new, -1, seen, books)
            toggle(old, 1, seen, books)
            continue
        chosen[slots[old]] = new
        slots[new] = slots[old]
        slots[old] = -1
        energy += change
        strain += growth
        if energy < best[1]:
            best[0] = strain
            best[1] = energy
            for k in range(size):
                kept[k] = chosen[k]
    chosen[:] = kept
    return best
