"""The universe: the public pairs that could be links at all. Only they have coins.

Chaff between places that cannot be linked deceives nobody, so a custodian may name the plausible
pairs, chosen without looking at which of them are links. Whoever infers anything from a publication
must use the same pairs: a pair outside is known to be no link. A publication therefore carries its
universe.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain

from pathveil.errors import BadNetwork, DoesNotFit, NotSimple
from pathveil.model.graph_index import with_lengths
from pathveil.model.network import Network, pairs_given

Pairs = Network | Iterable[tuple[Hashable, Hashable]]
"""Public pairs of vertices, or a network whose links are those pairs."""


@dataclass(frozen=True)
class Universe:
    """Which pairs had coins: ends and rows sorted, each pair once.

    Examples
    --------
    >>> Universe.of([("c", "b"), ("a", "b"), ("b", "c")]).pairs
    (('a', 'b'), ('b', 'c'))
    """

    pairs: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, pairs: Universe | Pairs) -> Universe:
        """Return the universe of some public pairs, in any order, ends either way round."""
        if isinstance(pairs, Universe):
            return pairs
        listed = pairs.links if isinstance(pairs, Network) else pairs
        rows = set()
        for u, v in ((str(u), str(v)) for u, v in pairs_given(listed)):
            if u == v:
                raise NotSimple(f"the universe pairs {u!r} with itself; list pairs of two vertices")
            rows.add((min(u, v), max(u, v)))
        return cls(tuple(sorted(rows)))

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return len(self.pairs)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the sorted names; lengths tell names apart, so no two lists share it."""
        return sha256(with_lengths(chain.from_iterable(self.pairs))).hexdigest()

    @cached_property
    def _inside(self) -> frozenset[tuple[str, str]]:
        return frozenset((min(pair), max(pair)) for pair in self.pairs)

    def require_among(self, links: Iterable[tuple[str, str]]) -> None:
        """Raise :class:`DoesNotFit` if one of these links is known to be none.

        >>> Universe.of([("a", "b")]).require_among([("b", "a")])
        """
        for u, v in links:
            if (min(u, v), max(u, v)) not in self._inside:
                raise DoesNotFit(
                    f"link {u!r} - {v!r} is outside the universe of {self.count} pairs, so it was "
                    "none where this was published, and the bits say nothing of it; use the "
                    "network the walk was published over"
                )

    def require_holds(self, network: Network) -> None:
        """Raise :class:`BadNetwork` unless every link of the network is among the pairs."""
        for name in {name for pair in self.pairs for name in pair}:
            network.index(name)
        for u, v in network.links:
            if (u, v) not in self._inside:
                raise BadNetwork(
                    f"link {u!r} - {v!r} of the network is not among the {self.count} pairs of the "
                    "universe; the universe must hold every link: add this pair and all like it"
                )
