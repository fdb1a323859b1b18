"""What people write first, understood, or refused with what to write instead."""

from __future__ import annotations

from typing import Any

from pathveil.chance.policy import Policy
from pathveil.chance.source import Source, System
from pathveil.model.network import Network
from pathveil.model.walk import Walk


def as_network(given: Any) -> Network:
    """Return a network: itself, or a networkx graph's; anything else is refused with what to write.

    >>> as_network(Network.parse("ab"))
    <Network: 2 vertices, 1 edges>
    """
    return Network.of(given)


def as_walk(given: Any) -> Walk:
    """Return a walk: itself, or that of a list of vertices.

    >>> as_walk(["a", "b"])
    <Walk: 2 visits>
    """
    return Walk.of(given)


def as_policy(given: Any) -> Policy | None:
    """Return a policy: itself, or the one of a name that needs no number.

    >>> as_policy("sealed")
    Policy.sealed(copies=1)
    """
    if given is None or isinstance(given, Policy):
        return given
    if not isinstance(given, str):
        raise TypeError(f"the policy is a {type(given).__name__}; write pv.Policy.balanced(), say")
    return Policy.named(given)


def as_source(given: Any) -> Source:
    """Return where random bytes come from: the system source if none is given.

    >>> as_source(None)
    System()
    """
    if given is None:
        return System()
    if not hasattr(given, "take"):
        raise TypeError(
            f"the source is a {type(given).__name__}; leave it out for the system source, or write "
            "pv.Seeded(7) for a repeatable one, which is not private"
        )
    source: Source = given
    return source
