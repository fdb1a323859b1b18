"""What the adversary of Figure 1 holds, and what follows from it without any release.

He knows all vertices and where they are, all links but one, and which links the path uses, but for
the missing one. From that alone the missing link is one of few *candidates*: the known part of the
path is two stretches, and the missing link joins an end of one to an end of the other: at most four
pairs, minus those that the map already has.

So the honest random guess is one over the number of candidates, not one over all absent pairs; and
on a complete map the missing link is the only absent pair, whatever is published.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, compress, product

import numpy as np

from pathveil.errors import BadNetwork
from pathveil.lab.baselines.baseline_release import FloatArray, IndexArray, Instance, Scene
from pathveil.model.network import Network

Pair = tuple[int, int]
Stretch = tuple[int, ...]


def sorted_pair(u: int, v: int) -> Pair:
    """Return a pair of indices, smaller first.

    >>> sorted_pair(3, 1)
    (1, 3)
    """
    return (u, v) if u < v else (v, u)


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """The adversary's knowledge; the missing link is not in it.

    Parameters
    ----------
    scene
        Vertices and places; ``scene.known`` is the network without the missing link.
    pieces
        The two stretches of the path that its known links make, each in some direction.
    length_weights
        What he knows about lengths of links on maps of this kind; see
        :func:`pathveil.lab.baselines.controls.learn_length_weights`. Zeros: nothing.
    """

    scene: Scene
    pieces: tuple[Stretch, Stretch]
    length_weights: tuple[float, float] = (0.0, 0.0)

    @property
    def known(self) -> Network:
        """The network without the missing link."""
        assert self.scene.known is not None
        return self.scene.known

    @cached_property
    def absent(self) -> tuple[Pair, ...]:
        """Pairs that are no known link; one of them is the missing link."""
        have = {(i, j) for i, j in self.known.pairs.tolist()}
        every = combinations(range(len(self.scene.vertices)), 2)
        return tuple(pair for pair in every if pair not in have)

    @cached_property
    def completions(self) -> Mapping[Pair, IndexArray]:
        """For each candidate, the path it completes, both directions, as rows of indices."""
        first, second = self.pieces
        made: dict[Pair, list[Stretch]] = {}
        for left, right in product({first, first[::-1]}, {second, second[::-1]}):
            pair, path = sorted_pair(left[-1], right[0]), left + right
            if pair in set(self.absent):
                made.setdefault(pair, []).extend([path, path[::-1]])
        return {pair: np.array(sorted(set(made[pair])), dtype=np.int64) for pair in sorted(made)}

    @cached_property
    def candidates(self) -> tuple[Pair, ...]:
        """Absent pairs that could be the missing link, by the adversary's knowledge alone."""
        return tuple(self.completions)

    def ends_with(self, pair: Pair) -> frozenset[int]:
        """Return the ends of the path that a candidate completes."""
        return frozenset(self.completions[pair][0, [0, -1]].tolist())

    def least(self, scores: FloatArray) -> tuple[Pair, ...]:
        """Return the candidates of smallest score, rounding forgiven."""
        best = float(scores.min())
        near = scores <= best + 1e-9 * max(1.0, abs(best))
        return tuple(compress(self.candidates, near.tolist()))

    def __repr__(self) -> str:
        return f"<View: {len(self.scene.vertices)} vertices, {len(self.candidates)} candidates>"


def observe(
    instance: Instance,
    missing: tuple[str, str],
    *,
    length_weights: tuple[float, float] = (0.0, 0.0),
) -> View:
    """Return what an adversary holds who lacks one link of the path.

    The scene of the instance must already be without that link: mechanisms may use what is public.

    Raises
    ------
    BadNetwork
        If the walk is not a path through all vertices, or does not use the link.

    Examples
    --------
    >>> from pathveil.model.walk import Walk
    >>> places = {v: (i, i % 2) for i, v in enumerate("abcdef")}
    >>> edges = ["ab", "bc", "cd", "de", "ef", "af", "cf"]
    >>> network = Network.from_links([(a, b) for a, b in edges], coordinates=places)
    >>> instance = Instance.of(network, Walk("abcdef"), known=network.without(("c", "d")))
    >>> observe(instance, ("c", "d")).candidates
    ((0, 3), (2, 3))
    """
    scene, path = instance.scene, tuple(instance.indices.tolist())
    if sorted(path) != list(range(len(instance.network))):
        raise BadNetwork(
            "the walk is not a path through all vertices; the comparison plays on those"
        )
    steps = [frozenset(step) for step in instance.walk.steps]
    if frozenset(missing) not in steps:
        raise BadNetwork(f"{missing[0]!r} - {missing[1]!r} is not a link of the walk")
    if scene.known is None or scene.known.has_edge(*missing):
        raise BadNetwork(
            "the public links of the instance hold the missing one, or there are none; "
            "make the instance with known=network.without(missing)"
        )
    cut = steps.index(frozenset(missing)) + 1
    return View(scene, (path[:cut], path[cut:]), length_weights)
