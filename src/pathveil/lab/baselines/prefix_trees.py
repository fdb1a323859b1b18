"""Noisy prefix trees, as DPT grows one for each grid and PTCS (2017) one over its anchors.

Sequences are counted by their grams, each count gets noise, and synthetic sequences are drawn from
the counts, by the longest context the tree has. Every continuation that the alphabet admits is in a
tree, whether the data has it or not: to give noise to those only that occur would publish which
ones occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pathveil.lab.baselines.baseline_release import FloatArray, weighted_index

START = -1
STOP = -2
Gram = tuple[int, ...]
Follow = Callable[[Gram], tuple[int, ...]]
"""From a gram to the symbols that may follow it: a fact about the alphabet, not about the data."""


@dataclass(frozen=True, eq=False)
class PrefixTree:
    """A released tree: each grown gram with its admissible continuations and noisy counts."""

    nodes: Mapping[Gram, tuple[tuple[int, ...], FloatArray]]
    follow: Follow
    height: int

    @classmethod
    def grow(
        cls,
        count: Callable[[Gram], float],
        follow: Follow,
        *,
        height: int,
        scale: float,
        consistent: bool,
        rng: np.random.Generator,
    ) -> PrefixTree:
        """Return the noisy tree of a count of grams.

        Parameters
        ----------
        scale
            Of the Laplace noise on every count: with sensitivity s of each of the ``height`` levels
            the tree is epsilon-private at ``height x s / epsilon``.
        consistent
            Whether the continuations of a gram are scaled to add up to its own count.

        *Privacy.* Where to grow is read off noisy counts; the start mark is always grown.
        """
        enough = 2 * np.sqrt(2) * scale
        nodes: dict[Gram, tuple[tuple[int, ...], FloatArray]] = {}
        waiting: list[tuple[Gram, float]] = [((), 0.0)]
        while waiting:
            gram, mass = waiting.pop()
            symbols = follow(gram)
            if not symbols:
                continue
            true = np.array([count((*gram, s)) for s in symbols], dtype=np.float64)
            noisy = np.maximum(true + rng.laplace(scale=scale, size=len(symbols)), 0.0)
            if consistent and mass > 0 and noisy.sum() > 0:
                noisy *= mass / noisy.sum()
            nodes[gram] = (symbols, noisy)
            if len(gram) + 1 < height:
                waiting.extend(
                    ((*gram, symbol), value)
                    for symbol, value in zip(symbols, noisy.tolist(), strict=True)
                    if value >= enough or symbol == START
                )
        return cls(nodes, follow, height)

    def after(self, history: Sequence[int]) -> tuple[tuple[int, ...], FloatArray]:
        """Return the continuations of the longest context that the tree has counts for."""
        for length in range(min(self.height - 1, len(history)), 0, -1):
            node = self.nodes.get(tuple(history[-length:]))
            if node is not None and node[1].sum() > 0:
                return node
        symbols = self.follow((history[-1],))
        return symbols, np.ones(len(symbols))

    def draw(self, longest: int, rng: np.random.Generator) -> list[int]:
        """Return one synthetic sequence of at least one and at most ``longest`` symbols."""
        history: list[int] = [START]
        while len(history) <= longest:
            symbols, counts = self.after(history)
            symbol = symbols[weighted_index(counts, rng)]
            if symbol == STOP:
                break
            history.append(symbol)
        return history[1:]


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


def admissible_anchors(anchors: int, gram: Gram) -> tuple[int, ...]:
    """Return what may follow a gram of anchors: each but the last one, or the end."""
    every = tuple(range(anchors))
    if not gram:
        return (START, *every)
    if gram[-1] == STOP:
        return ()
    return every if gram[-1] == START else (*(a for a in every if a != gram[-1]), STOP)
