"""What an adversary holds, and the pair of worlds that privacy compares."""

from __future__ import annotations

from dataclasses import dataclass

from pathveil.model.network import Network


@dataclass(frozen=True)
class Knowledge:
    """A network known but for some edges.

    Parameters
    ----------
    network
        What is known; it may be disconnected.
    missing
        How many edges are known to miss. The paper's adversary misses one.

    Examples
    --------
    >>> whole = Network.parse("ab bc cd bd")
    >>> Knowledge(whole.without(("c", "d")))
    Knowledge(network=<Network: 4 vertices, 3 edges>, missing=1)
    """

    network: Network
    missing: int = 1

    def __post_init__(self) -> None:
        if self.missing < 1:
            raise ValueError(
                f"{self.missing} edges missing; who misses none is a participant and reads the walk"
            )
