"""Count what the paper's authors and PriSTE's might object to, and write the counts as a table.

Usage: python studies/objections.py [-o studies/results/objections.csv]

- The paper's mechanism with the *printed* order of insertion, on the trials of the comparison.
- PriSTE aimed at the link: in how many releases the loss exceeds epsilon.
- The proof of Proposition 1: roots, leaves and outputs that do not confirm the first vertex.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from pathveil.lab.baselines.baseline_release import FloatArray
from pathveil.lab.baselines.events import Worlds
from pathveil.lab.baselines.priste import PriSTE
from pathveil.lab.comparison.games import Settings, make_trial
from pathveil.lab.comparison.ours import Veiled
from pathveil.lab.reproduction.draws import draw_runs
from pathveil.lab.reproduction.sweep import Cell
from pathveil.lab.reproduction.sweep_store import write_csv_file
from pathveil.layering.backtracking import insert_vertices, turn_roots_first

TABLE = Path(__file__).parent / "results" / "objections.csv"
ROWS = {
    "without copies": "the paper without copies, its layering",
    "with copies": "the paper, its copies and layering",
}
TRIALS, RELEASES, MAPS = 1000, 200, 1000
SIZES = ((5, 7), (6, 10), (6, 14), (7, 12), (7, 17), (8, 11), (8, 23), (10, 15))
"""Sizes of maps on which the proof of Proposition 1 is counted."""

Count = tuple[str, float, int]


def printed_order(visits: Sequence[int], size: int) -> list[int]:
    """Return Alg. 4's own order: v1 is dequeued, all others are popped, the last fake first.

    >>> printed_order((2, 0, 1), 5)
    [2, 4, 3, 1, 0]
    """
    used = set(visits)
    fakes = [p for p in range(size) if p not in used]
    return [visits[0], *fakes[::-1], *visits[:0:-1]]


def printed_counts(trials: int = TRIALS) -> Iterator[Count]:
    """Yield how often the link is named and the order read if vertices are inserted as printed."""
    for kind, name in ROWS.items():
        for budget in (0.5, 1.0, 5.0):
            contestant, settings = Veiled(name, budget, printed_order), Settings()
            sums = np.zeros(3)
            for number in range(trials):
                out = contestant.play(make_trial(number, settings), settings.stream(number, 3))
                sums += (out.earned["layout"], out.placebo["layout"], out.recovered)
            for what, counted in zip(("link named", "placebo", "order read"), sums, strict=True):
                yield f"printed order, {kind}, budget {budget:g}: {what}", float(counted), trials


def told(worlds: Worlds, laws: Iterable[FloatArray], beliefs: FloatArray) -> float:
    """Return the worst log-ratio of event against no event, over beliefs, events and visits."""
    forward, worst = worlds.opening, 0.0
    for t, law in enumerate(laws):
        forward = forward * np.tile(law, 2)
        forward = forward / forward.max()
        for prior in beliefs:
            chance = worlds.chance @ prior
            both = np.einsum("i,eij,ej->e", prior, forward, worlds.tails[t])
            seen = prior @ forward[0].sum(axis=1)
            ratio = (both / chance) / ((seen - both) / (1 - chance))
            worst = max(worst, float(np.abs(np.log(ratio)).max()))
        if t < len(worlds.moves):
            forward = forward @ worlds.moves[t]
    return worst


def priste_counts(releases: int = RELEASES) -> Iterator[Count]:
    """Yield in how many releases of the comparison's maps PriSTE tells a link by more than epsilon.

    Five beliefs about the start are tried, so it is a lower bound.
    """
    beliefs, settings = np.random.default_rng(0).dirichlet(np.ones(10), size=5), Settings()
    for alpha in (1, 5, 20):
        for epsilon in (0.5, 1.0, 5.0):
            mechanism = PriSTE(epsilon, event="edge", alpha=float(alpha))
            above = 0
            for number in range(releases):
                instance = make_trial(number, settings).instance
                release = mechanism.publish(instance, settings.stream(number, 3))
                worlds = mechanism.worlds(instance.scene, len(release.points))
                law = mechanism.law(release, instance.scene)
                above += told(worlds, law, beliefs) > epsilon + 1e-9
            yield f"PriSTE link, alpha {alpha}, epsilon {epsilon:g}: loss above", above, releases


def confirmed(vertices: int, edges: int, maps: int = MAPS) -> dict[str, float]:
    """Return what the proof of Proposition 1 speaks of, over the usable ones of some maps.

    No DP, no splitting, Rule 5 kept. A vertex is given by its place on the path. *Chance* adds up
    4 / (k (k - 1)), k being the number of roots and leaves.
    """
    draws = draw_runs(Cell("backtracking", vertices, edges, splitting=False), "Proposition 1", maps)
    names = ("usable", "fewer than four", "the case", "chance", "open", "open beside the case")
    sums = dict.fromkeys(names, 0.0)
    for run in range(maps):
        visits = draws.lifted_visits(run)
        bits, positions = draws.bits(run), draws.positions(run)
        drawn = insert_vertices(bits, positions, visits, splitting=False).layered
        if drawn is None:
            continue
        drawn = turn_roots_first(drawn, visits)
        place = {int(position): number for number, position in enumerate(visits)}
        roots = {place[p] for p in drawn.position_of[drawn.is_root].tolist()}
        leaves = set(range(vertices)) - {
            place[int(drawn.position_of[upper])] for upper, _ in drawn.arcs.tolist()
        }
        both = roots | leaves
        case = {min(both), max(both)} <= roots
        unsure = min(roots) >= vertices - 1 - max(roots)
        few = len(both) < 4
        chance = 4 / (len(both) * (len(both) - 1))
        found = (1, few, case, chance, unsure, unsure and not case)
        for name, more in zip(names, found, strict=True):
            sums[name] += more
    return sums


def proof_counts(maps: int = MAPS) -> Iterator[Count]:
    """Yield the sums of :func:`confirmed` over all sizes."""
    found = [confirmed(*size, maps) for size in SIZES]
    usable = int(sum(one["usable"] for one in found))
    for name in list(found[0])[1:]:
        yield f"proof of Proposition 1: {name}", round(sum(one[name] for one in found), 1), usable


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", default=str(TABLE))
    output = parser.parse_args().output
    counts = (*proof_counts(), *priste_counts(), *printed_counts())
    rows = [(case, f"{counted:g}", of) for case, counted, of in counts]
    write_csv_file(output, ("case", "counted", "of"), rows)


if __name__ == "__main__":
    main()
