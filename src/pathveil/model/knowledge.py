"""What an adversary holds: a network but for some links, and perhaps how parts of the walk run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pathveil.errors import BadArgument
from pathveil.model.network import Network, pairs_given


@dataclass(frozen=True)
class Knowledge:
    """A network known but for some links.

    Parameters
    ----------
    network
        What is known; it may be disconnected.
    missing
        How many links he lacks; he knows the number. The paper's adversary lacks one.
    steps
        Steps of the walk whose direction is known, each as (from, to).
    first, last
        Where the walk is known to begin and to end.

    Examples
    --------
    >>> whole = Network.parse("ab bc cd bd")
    >>> known = Knowledge(whole.without(("c", "d")), steps=[("a", "b")])
    >>> known.network, known.missing, known.steps
    (<Network: 4 vertices, 3 links>, 1, (('a', 'b'),))
    """

    network: Network
    missing: int = 1
    steps: Iterable[tuple[str, str]] = field(default=(), kw_only=True)
    first: str | None = field(default=None, kw_only=True)
    last: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "network", Network.of(self.network, connected=False))
        if not isinstance(self.missing, int) or self.missing < 1:
            raise BadArgument(
                f"missing={self.missing!r}, expected a whole number of links, 1 or more; someone "
                "who lacks no link reads the walk: pv.reconstruct(...)"
            )
        steps = tuple((str(u), str(v)) for u, v in pairs_given(self.steps))  # frozen, hashed
        object.__setattr__(self, "steps", steps)
        for end in ("first", "last"):
            if getattr(self, end) is not None:
                object.__setattr__(self, end, str(getattr(self, end)))
        ends = (name for name in (self.first, self.last) if name is not None)
        for name in (*ends, *(name for step in self.steps for name in step)):
            self.network.index(name)

    @property
    def knows_course(self) -> bool:
        """Whether anything is known of where the walk begins, ends or runs."""
        return bool(self.steps) or self.first is not None or self.last is not None
