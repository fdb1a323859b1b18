"""DPT: synthetic trajectories from noisy prefix trees in private reference systems.

He, Cormode, Machanavajjhala, Procopiuc, Srivastava: *DPT: differentially private trajectory
synthesis using hierarchical reference systems*, PVLDB 8(11), 2015.

It is made for a corpus and protects a whole trajectory in it. Kept: hierarchical reference systems,
the private choice of a few of them, noisy prefix trees, direction-weighted sampling.
Simplified: going over to another system names the system only; the cell follows from the point.
Our interpretation (the paper's constants were not at hand): one trajectory's weight is spread over
its grams so that each level of the trees has sensitivity 1; the thresholds; the split of the
budget; the direction weight ``exp(cosine)``.

With a corpus of one trajectory, as edge-private publishing has it, counts of at most 1 stand
against noise of scale k / epsilon and the output is noise. ``companions`` adds simulated walks on
the public edges, so that both readings can be reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, hypot

import numpy as np

from pathveil.lab.baselines.baseline_release import (
    FloatArray,
    Instance,
    Release,
    Scene,
    require_epsilon,
    simulated_walks,
    weighted_index,
)
from pathveil.lab.baselines.prefix_trees import START, STOP, Gram, PrefixTree
from pathveil.lab.baselines.reference_grids import ReferenceGrids, Segment, vertical

HEIGHT = 3
"""Of the prefix trees."""
CELLS = (8, 4, 2)
"""Cells along a side of the box, finest system first."""
SELECTION = 0.1
"""Share of the budget that chooses the systems."""
WINDOW = 5
"""Moves that make up the present direction."""
Counts = Mapping[tuple[int, Gram], float]


def gram_weights(segments: Sequence[Segment], height: int) -> dict[tuple[int, Gram], float]:
    """Return one trajectory's share in each gram of each system; each level sums to at most 1.

    Examples
    --------
    >>> gram_weights([Segment(0, (START, 4, 5, STOP))], 1)
    {(0, (-1,)): 0.3333333333333333, (0, (4,)): 0.3333333333333333, (0, (5,)): 0.3333333333333333}
    """
    out: dict[tuple[int, Gram], float] = defaultdict(float)
    for length in range(1, height + 1):
        grams = [
            (segment.system, segment.symbols[i : i + length])
            for segment in segments
            for i in range(len(segment.symbols) - length + 1)
            if segment.symbols[i] >= START  # a gram begins with a cell or the start mark
        ]
        for gram in grams:
            out[gram] += 1 / len(grams)
    return dict(out)


def count_grams(
    corpus: Sequence[FloatArray], grids: ReferenceGrids, kept: Sequence[int], height: int
) -> dict[tuple[int, Gram], float]:
    """Return the corpus's weight in each gram: adding a trajectory adds at most 1 to each level."""
    total: dict[tuple[int, Gram], float] = defaultdict(float)
    for points in corpus:
        for gram, weight in gram_weights(grids.write(points, kept), height).items():
            total[gram] += weight
    return dict(total)


def admissible(
    grids: ReferenceGrids, kept: Sequence[int], system: int, gram: Gram
) -> tuple[int, ...]:
    """Return the symbols that may follow a gram: a fact about the grids, not about the data."""
    every = tuple(range(grids.cells[system] ** 2))
    if not gram:
        return (START, *every)
    last = gram[-1]
    if last == START:
        return every
    if last < START:
        return ()
    others = tuple(vertical(m) for m in kept if m != system)
    return (*grids.around(system, last), STOP, *others)


def grow_tree(
    counts: Counts,
    grids: ReferenceGrids,
    kept: Sequence[int],
    system: int,
    *,
    scale: float,
    rng: np.random.Generator,
) -> PrefixTree:
    """Return the noisy tree of one system, with Laplace noise of that scale on every count.

    *Privacy.* Each level has sensitivity 1 over all systems together, so at scale
    ``HEIGHT / epsilon`` all trees together are epsilon-private.
    """
    return PrefixTree.grow(
        lambda gram: counts.get((system, gram), 0.0),
        partial(admissible, grids, kept, system),
        height=HEIGHT,
        scale=scale,
        consistent=True,
        rng=rng,
    )


def select_systems(
    counts: Counts, grids: ReferenceGrids, *, epsilon: float, scale: float, rng: np.random.Generator
) -> tuple[int, ...]:
    """Return the systems whose noisy mass can stand against the noise of their tree, of a scale.

    The coarsest always stays. *Privacy.* The masses have sensitivity 1 together.
    """
    masses = np.zeros(len(grids.cells))
    for (system, gram), weight in counts.items():
        if len(gram) == 1:
            masses[system] += weight
    noisy = masses + rng.laplace(scale=1 / epsilon, size=len(masses))
    children = 10 + len(masses) - 1  # nine cells, stop, other systems
    need = np.sqrt(2) * scale * np.sqrt(np.array(grids.cells) ** 2 * children)
    return tuple(m for m in range(len(masses)) if m == len(masses) - 1 or noisy[m] >= need[m])


@dataclass(frozen=True, eq=False)
class Synthesizer:
    """Draws trajectories from noisy trees; it reads nothing else."""

    grids: ReferenceGrids
    trees: Mapping[int, PrefixTree]
    longest: int
    """Public bound on the points of a trajectory: the number of vertices."""

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Return the points of one synthetic trajectory."""
        kept = sorted(self.trees)
        begun = np.array([self.trees[m].nodes[()][1][0] for m in kept])
        system = kept[weighted_index(begun, rng)]
        symbols, counts = self.trees[system].nodes[START,]
        history: list[int] = [START, symbols[weighted_index(counts, rng)]]
        points = [self.grids.point(system, history[-1], rng)]
        moves = 0  # going over between systems for ever has probability 0, but must end too
        while len(points) < self.longest and moves < 4 * self.longest:
            moves += 1
            choice = self._next(system, history, points, rng)
            if choice == STOP:
                break
            if choice < STOP:  # go over to another system, at the same point
                system = vertical(0) - choice
                history = [self.grids.cell(system, points[-1])]
            else:
                history.append(choice)
                points.append(self.grids.point(system, choice, rng))
        return np.array(points)

    def _next(
        self, system: int, history: list[int], points: list[FloatArray], rng: np.random.Generator
    ) -> int:
        symbols, counts = self.trees[system].after(history)
        weights = counts * self._turns(system, history[-1], symbols, points)
        return symbols[weighted_index(weights, rng)]

    def _turns(
        self, system: int, here: int, symbols: Sequence[int], points: list[FloatArray]
    ) -> FloatArray:
        """Return the weight of each symbol by how well it goes on in the present direction."""
        first, last = points[max(0, len(points) - WINDOW - 1)], points[-1]
        across, upwards = float(last[0] - first[0]), float(last[1] - first[1])
        size = hypot(across, upwards)
        out = np.ones(len(symbols))
        if size == 0:
            return out
        count = self.grids.cells[system]
        row, column = divmod(here, count)
        for j, symbol in enumerate(symbols):
            if symbol >= 0 and symbol != here:
                up, right = symbol // count - row, symbol % count - column
                cosine = (right * across + up * upwards) / (hypot(right, up) * size)
                out[j] = exp(cosine)
        return out


@dataclass(frozen=True, slots=True)
class DPT:
    """Trajectory synthesis with hierarchical reference systems.

    Parameters
    ----------
    epsilon
        Loss for one whole trajectory, added or removed.
    companions
        Simulated trajectories on the public edges that fill up the corpus.

    Notes
    -----
    *Privacy.* Neighbours: one trajectory added or removed. Claimed: epsilon, and our form of it is
    epsilon by composition of selection and trees. As many trajectories come out as went in, so the
    size of the corpus is taken as public.
    """

    epsilon: float
    companions: int = 0

    def corpus(self, instance: Instance, rng: np.random.Generator) -> list[FloatArray]:
        """Return the secret trajectory and its companions."""
        walks = simulated_walks(instance.scene, self.companions, rng)
        return [instance.points, *instance.scene.positions[walks]]

    def synthesizer(
        self, corpus: Sequence[FloatArray], scene: Scene, rng: np.random.Generator
    ) -> Synthesizer:
        """Return the private model of a corpus: all that touches the data happens here."""
        epsilon = require_epsilon(self.epsilon)
        low, side = scene.box
        grids = ReferenceGrids(low, side, CELLS)
        scale = HEIGHT / ((1 - SELECTION) * epsilon)
        every = count_grams(corpus, grids, range(len(CELLS)), 1)
        kept = select_systems(every, grids, epsilon=SELECTION * epsilon, scale=scale, rng=rng)
        counts = count_grams(corpus, grids, kept, HEIGHT)
        grown = {m: grow_tree(counts, grids, kept, m, scale=scale, rng=rng) for m in kept}
        return Synthesizer(grids, grown, len(scene.vertices))

    def publish(self, instance: Instance, rng: np.random.Generator) -> Release:
        """Return as many synthetic trajectories as the corpus has, one after the other."""
        corpus = self.corpus(instance, rng)
        model = self.synthesizer(corpus, instance.scene, rng)
        drawn = [model.draw(rng) for _ in corpus]
        starts = np.cumsum([0, *(len(points) for points in drawn[:-1])])
        return Release(
            np.concatenate(drawn), self.epsilon, aligned=False, starts=tuple(starts.tolist())
        )
