"""What people write first, understood, or refused with what to write instead."""

from __future__ import annotations

from typing import Any

from pathveil.chance.policy import Policy
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
    return given if isinstance(given, Walk) else Walk(given)


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
