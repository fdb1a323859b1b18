"""Arguments and options that several commands share: one name, one meaning, one help text."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pathveil.chance.policy import Policy

NetworkFile = Annotated[
    Path,
    typer.Argument(
        metavar="NETWORK",
        help="Edge list (CSV, TSV), GraphML, GEXF, GML or node-link JSON.",
    ),
]
WalkFile = Annotated[
    Path, typer.Argument(metavar="WALK", help="One vertex a line, CSV, or a JSON list. Secret.")
]
PublicationFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A publication, *.veil.json.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, nothing else.")]
Simplify = Annotated[
    bool,
    typer.Option(
        "--simplify", help="Merge parallel edges and both arcs of a street, drop self-loops."
    ),
]
LargestComponent = Annotated[
    bool,
    typer.Option("--largest-component", help="Keep the largest component of a torn network."),
]


Workers = Annotated[
    int, typer.Option("--workers", min=1, max=256, help="Processes on this machine.")
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, tcp://host:port."),
]


class PolicyChoice(StrEnum):
    """The policies by name."""

    balanced = "balanced"
    sealed = "sealed"
    frontier = "frontier"
    two_sided = "two-sided"
    paper = "paper"


PolicyOption = Annotated[PolicyChoice, typer.Option("--policy", help="How coins are thrown.")]
WalkLoss = Annotated[
    str | None,
    typer.Option("--walk-loss", metavar="A", help="frontier: loss of a walk edge, exact number."),
]
Epsilon = Annotated[
    str | None, typer.Option("--epsilon", metavar="E", help="two-sided: the budget of any edge.")
]
EpsilonVertex = Annotated[
    str | None,
    typer.Option("--epsilon-vertex", metavar="EV", help="paper: vertex budget, or 'off'."),
]
EpsilonEdge = Annotated[
    str | None, typer.Option("--epsilon-edge", metavar="EE", help="paper: edge budget, or 'off'.")
]
Copies = Annotated[
    int, typer.Option("--copies", metavar="M", help="Copies of every vertex (all but paper).")
]


EdgeUses = Annotated[
    int | None,
    typer.Option(
        "--edge-uses", metavar="R", help="The walk uses no edge more often: cheaper joint coins."
    ),
]


def policy_from_options(
    name: PolicyChoice,
    *,
    walk_loss: str | None = None,
    epsilon: str | None = None,
    epsilon_vertex: str | None = None,
    epsilon_edge: str | None = None,
    copies: int = 1,
    edge_uses: int | None = None,
) -> Policy:
    """Return the policy the options describe; an option of another policy is an error."""
    from pathveil import Policy

    wanted = {
        PolicyChoice.frontier: {"--walk-loss": walk_loss},
        PolicyChoice.two_sided: {"--epsilon": epsilon},
        PolicyChoice.paper: {"--epsilon-vertex": epsilon_vertex, "--epsilon-edge": epsilon_edge},
    }
    for owner, options in wanted.items():
        for option, value in options.items():
            if name == owner and value is None:
                raise typer.BadParameter(f"--policy {name.value} needs {option}")
            if name != owner and value is not None:
                raise typer.BadParameter(f"{option} belongs to --policy {owner.value}")
    if edge_uses is not None and name in {PolicyChoice.paper, PolicyChoice.two_sided}:
        raise typer.BadParameter(f"--edge-uses does not go with --policy {name.value}")
    if name == PolicyChoice.paper:
        if copies != 1:
            raise typer.BadParameter("--copies: the paper's policy draws the number of copies")
        return Policy.paper(
            vertex=None if epsilon_vertex == "off" else epsilon_vertex,
            edge=None if epsilon_edge == "off" else epsilon_edge,
        )
    if name == PolicyChoice.frontier:
        assert walk_loss is not None
        return Policy.frontier(walk_loss=walk_loss, copies=copies, edge_uses=edge_uses)
    if name == PolicyChoice.two_sided:
        assert epsilon is not None
        return Policy.two_sided(epsilon=epsilon, copies=copies)
    return (Policy.sealed if name == PolicyChoice.sealed else Policy.balanced)(
        copies=copies, edge_uses=edge_uses
    )
