"""Every kind of policy there is. A new one is named here, and nowhere else."""

from __future__ import annotations

from pathveil.chance.policy.balanced import Balanced
from pathveil.chance.policy.frontier import Frontier
from pathveil.chance.policy.kind import PolicyKind
from pathveil.chance.policy.labelled import Labelled
from pathveil.chance.policy.paper import Paper
from pathveil.chance.policy.remembering import Remembering
from pathveil.chance.policy.sealed import Sealed
from pathveil.chance.policy.two_sided import TwoSided
from pathveil.errors import BadBudget
from pathveil.model.names import did_you_mean

KINDS: tuple[type[PolicyKind], ...] = (
    Balanced,
    Sealed,
    Frontier,
    Remembering,
    TwoSided,
    Labelled,
    Paper,
)
"""Every kind of policy there is; the default first."""


def kind_named(name: str) -> type[PolicyKind]:
    """Return the kind of policy with this name, or raise :class:`BadBudget`."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in KINDS)
    asked = did_you_mean(name, [kind.name for kind in KINDS])
    raise BadBudget(f"{name!r} is no policy this version knows; it knows {known}{asked}")
