"""The universe: the public pairs that could be links at all. Only they have coins.

Chaff between places that cannot be linked deceives nobody, so a custodian may name the plausible
pairs, chosen without looking at which of them are links. Whoever infers anything from a publication
must use the same pairs: a pair outside is known to be no link. A publication therefore carries its
universe: the pairs themselves, or, where they stand in a public file of their own, their number and
a digest, and then the reader has to bring them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256

from pathveil.errors import BadNetwork, DoesNotFit, NotSimple
from pathveil.model.network import Network

Pairs = Network | Iterable[tuple[Hashable, Hashable]]
"""Public pairs of vertices, or a network whose links are those pairs."""


@dataclass(frozen=True)
class Universe:
    """Which pairs had coins.

    Parameters
    ----------
    count, digest
        How many pairs there are, and a SHA-256 digest of their sorted names.
    pairs
        The pairs, ends and rows sorted; None where the reader brings them.
    by_digest
        Whether a publication shall name them by number and digest only.

    Examples
    --------
    >>> universe = Universe.of([("c", "b"), ("a", "b"), ("b", "c")])
    >>> universe.pairs
    (('a', 'b'), ('b', 'c'))
    >>> named = Universe.of(universe.pairs, by_digest=True).as_published
    >>> named.pairs is None, named.brought([("a", "b"), ("b", "c")]) == universe
    (True, True)
    """

    count: int
    digest: str
    pairs: tuple[tuple[str, str], ...] | None = None
    by_digest: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, pairs: Pairs, *, by_digest: bool = False) -> Universe:
        """Return the universe of some public pairs, in any order, ends either way round."""
        listed = pairs.links if isinstance(pairs, Network) else pairs
        rows = set()
        for u, v in ((str(u), str(v)) for u, v in listed):
            if u == v:
                raise NotSimple(f"the universe pairs {u!r} with itself; list pairs of two vertices")
            rows.add((min(u, v), max(u, v)))
        ordered = tuple(sorted(rows))
        return cls(len(ordered), _digest(ordered), ordered, by_digest)

    def __post_init__(self) -> None:
        if self.pairs is not None and (
            len(self.pairs) != self.count or _digest(self.pairs) != self.digest
        ):
            raise DoesNotFit(
                f"the universe is said to have {self.count} pairs with digest {self.digest[:12]}, "
                f"but {len(self.pairs)} other pairs are listed; get it again"
            )

    @property
    def as_published(self) -> Universe:
        """The universe as a publication carries it: with its pairs, or named by digest only."""
        return replace(self, pairs=None) if self.by_digest else self

    def brought(self, pairs: Pairs | None) -> Universe:
        """Return this universe with its pairs, brought by the reader where it does not carry them.

        Raises
        ------
        DoesNotFit
            If the pairs are needed and not brought, or are not the ones the digest names.
        """
        if pairs is None:
            if self.pairs is None:
                raise DoesNotFit(
                    f"the coins of this publication lie on {self.count} public pairs that it names "
                    f"by digest only ({self.digest[:12]}); bring the public file of these pairs: "
                    "universe=..., --universe FILE"
                )
            return self
        found = Universe.of(pairs)
        if (found.count, found.digest) != (self.count, self.digest):
            raise DoesNotFit(
                f"the universe brought has {found.count} pairs with digest {found.digest[:12]}, "
                f"the publication was made with {self.count} pairs with digest "
                f"{self.digest[:12]}; bring the same public file"
            )
        return found

    @cached_property
    def _inside(self) -> frozenset[tuple[str, str]]:
        return frozenset((min(pair), max(pair)) for pair in self.pairs or ())

    def require_among(self, links: Iterable[tuple[str, str]]) -> None:
        """Raise :class:`DoesNotFit` if one of these links is known to be none.

        Nothing is known of them where the pairs are named by digest only.

        >>> Universe.of([("a", "b")]).require_among([("b", "a")])
        """
        if self.pairs is None:
            return
        for u, v in links:
            if (min(u, v), max(u, v)) not in self._inside:
                raise DoesNotFit(
                    f"link {u!r} - {v!r} is outside the universe of {self.count} pairs, so it was "
                    "none where this was published, and the bits say nothing of it; use the "
                    "network the walk was published over"
                )

    def require_holds(self, network: Network) -> None:
        """Raise :class:`BadNetwork` unless every link of the network is among the pairs."""
        inside = frozenset(self.pairs or ())
        for name in {name for pair in inside for name in pair}:
            network.index(name)
        for u, v in network.links:
            if (u, v) not in inside:
                raise BadNetwork(
                    f"link {u!r} - {v!r} of the network is not among the {self.count} pairs of the "
                    "universe; the universe must hold every link: add this pair and all like it"
                )


def _digest(pairs: tuple[tuple[str, str], ...]) -> str:
    """Return a digest that no two lists of pairs share: names are told apart by their lengths."""
    text = sha256()
    for pair in pairs:
        for name in pair:
            data = name.encode("utf-8", "surrogatepass")
            text.update(len(data).to_bytes(4, "big") + data)
    return text.hexdigest()
