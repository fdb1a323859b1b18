"""The options that describe a policy, made from the policies themselves.

Every kind of policy lists its own options (:class:`~pathveil.policies.base.Option`). A command
that needs a policy takes one argument ``policy`` and is decorated with :func:`takes_policy`: on the
command line it then has ``--policy``, ``--copies``, ``--link-uses`` and every option of every kind,
and it is handed the policy they describe.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pathveil.cli.composed_options import compose_options, option_parameter
from pathveil.policies import KINDS, Policy, kind_named
from pathveil.policies.base import Option

PolicyChoice = StrEnum(  # type: ignore[misc]
    "PolicyChoice", {kind.name.replace("-", "_"): kind.name for kind in KINDS}
)
OPTIONS = tuple(option for kind in KINDS for option in kind.options)


def _annotation(option: Option) -> Any:
    shown = typer.Option(option.flag, metavar=option.metavar or None, help=option.help)
    return Annotated[bool if option.is_flag else (str | None), shown]


def _parameters(unsaid: str | None) -> list[inspect.Parameter]:
    """Return what the command line shows instead of ``policy``."""
    choice: Any = Annotated[PolicyChoice, typer.Option("--policy", help="How coins are thrown.")]
    if unsaid is not None:
        told = f"How coins are thrown; {unsaid} if not given, or as the series was begun."
        choice = Annotated[PolicyChoice | None, typer.Option("--policy", help=told)]
    copies = Annotated[
        int, typer.Option("--copies", metavar="M", help="Copies of every vertex (all but paper).")
    ]
    uses = Annotated[
        int | None,
        typer.Option(
            "--link-uses",
            metavar="R",
            help="The walk uses no link more often; coins of copies are thrown together.",
        ),
    ]
    first = PolicyChoice(KINDS[0].name) if unsaid is None else None
    listed: list[tuple[str, Any, Any]] = [("policy", choice, first)]
    listed += [
        (option.name, _annotation(option), False if option.is_flag else None) for option in OPTIONS
    ]
    listed += [("copies", copies, 1), ("link_uses", uses, None)]
    return [option_parameter(*option) for option in listed]


def takes_policy(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with all policy options in place of its argument ``policy``."""
    return _with_options(command, unsaid=None)


def may_take_policy(*, unsaid: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator like :func:`takes_policy` for a command that can do without.

    Where nothing about a policy is said the command is handed None; where only options are, they
    belong to the policy named ``unsaid``.
    """
    return lambda command: _with_options(command, unsaid=unsaid)


def _with_options(command: Callable[..., None], *, unsaid: str | None) -> Callable[..., None]:
    added = _parameters(unsaid)
    silent = {parameter.name: parameter.default for parameter in added}

    def made_of(values: dict[str, Any]) -> Policy | None:
        if unsaid is not None and all(values[name] == silent[name] for name in values):
            return None
        values["policy"] = values.get("policy") or unsaid or KINDS[0].name
        return policy_from_options(**values)

    return compose_options(command, "policy", added, made_of)


def policy_from_options(
    policy: str, *, copies: int = 1, link_uses: int | None = None, **values: str | bool | None
) -> Policy:
    """Return the policy the options describe; an option of another policy is an error.

    Examples
    --------
    >>> policy_from_options("frontier", walk_loss="1/2", copies=2)
    Policy.frontier(walk_loss=1/2, copies=2)
    """
    kind = kind_named(str(policy))
    for owner in KINDS:
        for option in owner.options:
            given = values.get(option.name) not in (None, False)
            if owner is kind and option.needed and not given:
                raise typer.BadParameter(f"--policy {kind.name} needs {option.flag}")
            if owner is not kind and given:
                raise typer.BadParameter(f"{option.flag} belongs to --policy {owner.name}")
    if link_uses is not None and not kind.takes_link_uses:
        raise typer.BadParameter(f"--link-uses does not go with --policy {kind.name}")
    if copies != 1 and kind.draws_copies:
        raise typer.BadParameter(f"--copies: the {kind.name} policy draws the number of copies")
    own = kind.from_options(_texts(kind.options, values))
    return Policy.of(own, copies=copies, link_uses=link_uses)


def _texts(options: tuple[Option, ...], values: Mapping[str, str | bool | None]) -> dict[str, str]:
    """Return the values given, files as their text and flags as "yes"."""
    from pathveil.files.atomic_write import read_text

    found = {}
    for option in options:
        value = values.get(option.name)
        if isinstance(value, str):
            found[option.name] = read_text(Path(value)) if option.is_file else value
        elif value:
            found[option.name] = "yes"
    return found
