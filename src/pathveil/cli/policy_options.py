"""The option that names a policy: ``--policy frontier:walk_loss=1/2``."""

from __future__ import annotations

from typing import Annotated

import typer

from pathveil.policies import KINDS, Policy

PolicyText = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="POLICY",
        help="How coins are thrown: "
        + ", ".join(f"{kind.name}:{kind.example}" if kind.example else kind.name for kind in KINDS)
        + "; with ,copies=2 or ,link_uses=1 where a policy has copies.",
    ),
]


def policy_of(text: str | None) -> Policy | None:
    """Return the policy that the option names; None where it is left out.

    >>> policy_of("frontier:walk_loss=1/2,copies=2")
    Policy.parse('frontier:walk_loss=1/2,copies=2')
    """
    return None if text is None else Policy.parse(text)
