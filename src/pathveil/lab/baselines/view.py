"""What the adversary of Figure 1 holds, and what follows from it without any release.

He knows all vertices and where they are, all edges but one, and which edges of the walk are used
how often, but for the missing one. From that alone the missing edge is one of few *candidates*:
the known part of the walk and the new edge must together be traversable in one stroke. For a
simple path the known part is two stretches, and a candidate joins an end of one to an end of the
other: at most four, minus those that the map already has.

So the honest random guess is one over the number of candidates, not one over all absent pairs; and
on a complete map the missing edge is the only absent pair, whatever is published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from pathveil.errors import BadNetwork
from pathveil.lab.baselines.baseline_release import IndexArray, Instance, Scene
from pathveil.model.network import Network

Pair = tuple[int, int]

TRAILS = 2000  # completions listed for each candidate; simple paths have two


def sorted_pair(u: int, v: int) -> Pair:
    """Return a pair of indices, smaller first.

    >>> sorted_pair(3, 1)
    (1, 3)
    """
    return (u, v) if u < v else (v, u)


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """The adversary's knowledge; the missing edge is not in it.

    Parameters
    ----------
    scene
        Vertices and places; ``scene.known`` is the network without the missing edge.
    used
        How often the walk uses each known edge.
    visited
        Vertices the walk is known to visit.
    copies
        How often the walk uses the missing edge: its length is public.
    counted
        Whether he knows ``used`` and ``copies`` as numbers. If not, every absent pair is a
        candidate and no completion can be written down.
    length_weights
        What he knows about lengths of edges on maps of this kind; see
        :func:`pathveil.lab.baselines.controls.learn_length_weights`. Zeros: nothing.
    """

    scene: Scene
    used: Mapping[Pair, int]
    visited: frozenset[int]
    copies: int
    counted: bool = True
    length_weights: tuple[float, float] = (0.0, 0.0)

    @property
    def known(self) -> Network:
        """The network without the missing edge."""
        assert self.scene.known is not None
        return self.scene.known

    @cached_property
    def absent(self) -> tuple[Pair, ...]:
        """Pairs that are no known edge; one of them is the missing edge."""
        have = {(i, j) for i, j in self.known.pairs.tolist()}
        every = combinations(range(len(self.scene.vertices)), 2)
        return tuple(pair for pair in every if pair not in have)

    @cached_property
    def pieces(self) -> tuple[frozenset[int], ...]:
        """The connected pieces that the known edges of the walk make of its vertices."""
        root = {v: v for v in self.visited}

        def find(v: int) -> int:
            while root[v] != v:
                v = root[v]
            return v

        for u, v in self.used:
            root[find(u)] = find(v)
        groups: dict[int, set[int]] = {}
        for v in self.visited:
            groups.setdefault(find(v), set()).add(v)
        return tuple(sorted((frozenset(g) for g in groups.values()), key=min))

    @cached_property
    def odd(self) -> frozenset[int]:
        """Vertices that an odd number of known steps of the walk touch."""
        touches: Counter[int] = Counter()
        for (u, v), times in self.used.items():
            touches[u] += times
            touches[v] += times
        return frozenset(v for v, times in touches.items() if times % 2)

    def ends_with(self, pair: Pair) -> frozenset[int]:
        """Return the odd vertices once a pair is added: the ends of the walk, none if closed."""
        return self.odd ^ frozenset(pair) if self.copies % 2 else self.odd

    @cached_property
    def candidates(self) -> tuple[Pair, ...]:
        """Absent pairs that could be the missing edge, by the adversary's knowledge alone."""
        if not self.counted:
            return self.absent
        out = []
        for u, v in self.absent:
            if u not in self.visited or v not in self.visited or len(self.ends_with((u, v))) > 2:
                continue
            apart = [piece for piece in self.pieces if (u in piece) or (v in piece)]
            if len(apart) == len(self.pieces):
                out.append((u, v))
        return tuple(out)

    @cached_property
    def completions(self) -> Mapping[Pair, IndexArray]:
        """For each candidate, the walks it completes, both directions, as rows of indices.

        At most :data:`TRAILS` rows each; a walk with many revisits can have more.
        """
        if not self.counted:
            return {}
        return {
            pair: np.array(list(self._trails(pair)), dtype=np.int64) for pair in self.candidates
        }

    def _trails(self, pair: Pair) -> Iterator[tuple[int, ...]]:
        """Yield traversals of the known steps and the new edge in one stroke."""
        left = Counter(self.used)
        left[pair] += self.copies
        total = sum(left.values())
        beside: dict[int, list[int]] = {}
        for u, v in sorted(left):
            beside.setdefault(u, []).append(v)
            beside.setdefault(v, []).append(u)
        found = 0
        for start in sorted(self.ends_with(pair) or beside):
            trail = [start]
            choices = [iter(beside[start])]
            while choices:
                step = next(choices[-1], None)
                if step is None:
                    choices.pop()
                    gone = trail.pop()
                    if trail:
                        left[sorted_pair(trail[-1], gone)] += 1
                    continue
                edge = sorted_pair(trail[-1], step)
                if left[edge] == 0:
                    continue
                left[edge] -= 1
                trail.append(step)
                choices.append(iter(beside[step]))
                if len(trail) == total + 1:
                    yield tuple(trail)
                    found += 1
                    if found == TRAILS:
                        return

    def __repr__(self) -> str:
        return f"<View: {len(self.scene.vertices)} vertices, {len(self.candidates)} candidates>"


def observe(
    instance: Instance,
    missing: tuple[str, str],
    *,
    counted: bool = True,
    length_weights: tuple[float, float] = (0.0, 0.0),
) -> View:
    """Return what an adversary holds who lacks one edge of the walk.

    The scene of the instance must already be without that edge: mechanisms may use what is public.

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
    network, scene = instance.network, instance.scene
    if not instance.network.has_edge(*missing) or tuple(sorted(missing)) not in instance.walk.links:
        raise BadNetwork(f"{missing[0]!r} - {missing[1]!r} is no edge of the walk")
    if scene.known is None or scene.known.has_edge(*missing):
        raise BadNetwork(
            "the public edges of the instance hold the missing one, or there are none; "
            "make the instance with known=network.without(missing)"
        )
    steps = Counter(sorted_pair(network.index(u), network.index(v)) for u, v in instance.walk.steps)
    copies = steps.pop(sorted_pair(network.index(missing[0]), network.index(missing[1])))
    visited = frozenset(instance.indices.tolist())
    return View(scene, dict(steps), visited, copies, counted, length_weights)
