"""Noisy prefix trees over anchors: the last step of PTCS's 2017 form, the one that is private.

Wang and Sinnott, Computers & Security 67, 2017. Trajectories, already calibrated to anchors, are
counted in a prefix tree, each count gets noise, and synthetic sequences are drawn from the tree.
The calibrated trajectories themselves are not published. Our interpretation: all constants, the
marks for start and stop, the threshold for growing, drawing by the longest context the tree has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pathveil.lab.baselines.baseline_release import (
    FloatArray,
    weighted_index,
)

START = -1
STOP = -2
Gram = tuple[int, ...]


def count_prefixes(
    sequences: Sequence[Sequence[int]], *, height: int, longest: int
) -> Counter[Gram]:
    """Return how often each gram of up to ``height`` symbols occurs.

    A sequence is framed by marks and cut to ``longest`` symbols, marks included: so one sequence
    more or less changes the counts of each length by ``longest`` in all at most.

    >>> sorted(count_prefixes([[4, 5]], height=1, longest=10).items())
    [((-2,), 1), ((-1,), 1), ((4,), 1), ((5,), 1)]
    """
    counts: Counter[Gram] = Counter()
    for sequence in sequences:
        framed = (START, *sequence, STOP)[:longest]
        for length in range(1, height + 1):
            counts.update(framed[i : i + length] for i in range(len(framed) - length + 1))
    return counts


def admissible_anchors(gram: Gram, anchors: int) -> tuple[int, ...]:
    """Return the symbols that may follow a gram: a fact about the alphabet, not about the data."""
    every = tuple(range(anchors))
    if not gram:
        return (START, *every)
    if gram[-1] == STOP:
        return ()
    return every if gram[-1] == START else (*(a for a in every if a != gram[-1]), STOP)


@dataclass(frozen=True, eq=False)
class AnchorTree:
    """The released tree: each grown gram with its admissible continuations and noisy counts.

    Every admissible continuation is there, whether the data has it or not: to give noise to those
    only that occur would publish which ones occur.
    """

    nodes: Mapping[Gram, tuple[tuple[int, ...], FloatArray]]
    anchors: int
    height: int

    @classmethod
    def grow(
        cls,
        sequences: Sequence[Sequence[int]],
        anchors: int,
        *,
        epsilon: float,
        height: int,
        longest: int,
        rng: np.random.Generator,
    ) -> AnchorTree:
        """Return the noisy tree of calibrated sequences.

        *Privacy.* Neighbours: one sequence added or removed. Each of the ``height`` levels changes
        by at most ``longest``, so Laplace noise of scale ``height x longest / epsilon`` on every
        count spends epsilon. Where to grow is read off noisy counts; the start is always grown.
        """
        counts = count_prefixes(sequences, height=height, longest=longest)
        scale = height * longest / epsilon
        nodes: dict[Gram, tuple[tuple[int, ...], FloatArray]] = {}
        waiting: list[Gram] = [()]
        while waiting:
            gram = waiting.pop()
            symbols = admissible_anchors(gram, anchors)
            if not symbols:
                continue
            true = np.array([counts[(*gram, s)] for s in symbols], dtype=np.float64)
            noisy = np.maximum(true + rng.laplace(scale=scale, size=len(symbols)), 0.0)
            nodes[gram] = (symbols, noisy)
            if len(gram) + 1 < height:
                enough = 2 * np.sqrt(2) * scale
                waiting.extend(
                    (*gram, symbol)
                    for symbol, count in zip(symbols, noisy.tolist(), strict=True)
                    if count >= enough or symbol == START
                )
        return cls(nodes, anchors, height)

    def draw(self, longest: int, rng: np.random.Generator) -> list[int]:
        """Return one synthetic sequence of at least one and at most ``longest`` anchors."""
        history: list[int] = [START]
        while len(history) <= longest:
            symbols, counts = self._after(history)
            symbol = symbols[weighted_index(counts, rng)]
            if symbol == STOP:
                break
            history.append(symbol)
        return history[1:]

    def _after(self, history: list[int]) -> tuple[tuple[int, ...], FloatArray]:
        """Return the continuations of the longest context that the tree has counts for."""
        for length in range(min(self.height - 1, len(history)), 0, -1):
            found = self.nodes.get(tuple(history[-length:]))
            if found is not None and found[1].sum() > 0:
                return found
        symbols = admissible_anchors((history[-1],), self.anchors)
        return symbols, np.ones(len(symbols))
