"""For the custodian's eyes only: what a release says of his own walk and network.

It looks at the secret, so it is in no file and no JSON, which may be passed on, and never on
standard output, which is redirected into files: it goes to standard error. What names a link of
the walk goes there only if a person is looking (a terminal) or it was asked for (``--notes``): a
log is a file too. Nothing is said where there is nothing to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from pathveil.cli.console import SturdyTable, notes
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication
    from pathveil.model.walk import Walk
    from pathveil.planning.cover import Cover
    from pathveil.publishing.terms import ReleaseTerms

MOST_COUNTED = 2_000
"""Vertices up to which `publish` says how many walks fit; beyond, ask `plan`."""

Notes = Annotated[
    bool | None,
    typer.Option(
        "--notes/--no-notes",
        help="What the release says of your own walk and network, on standard error. "
        "Not said: only where that is a terminal.",
    ),
]


def are_wanted(asked: bool | None) -> bool:  # noqa: FBT001
    """Return whether notes that name links are shown: as asked, else only to who looks."""
    return notes.is_terminal if asked is None else asked


def tell_dearest(publication: Publication, network: Network, walk: Walk) -> None:
    """Print what the walk itself decides, the loss of its dearest link, if it is not the usual one.

    A link used once between single copies costs what the certificate says of every walk link.
    """
    from pathveil.chance.losses import custodian_losses
    from pathveil.policies import Policy

    in_use = Policy.from_terms(publication.policy)  # a sketch rounds the rates
    positions = publication.bits.positions_of(network.vertices)
    losses = custodian_losses(network, walk, in_use, positions, links=walk.links)
    dearest = max(
        (loss for loss in losses if loss.uses),
        key=lambda loss: (float(loss.presence), loss.uses, loss.link),
    )
    u, v = dearest.link
    first, second = dearest.copies
    if dearest.uses == first == second == 1:
        return
    notes.print(
        f"For your eyes only: the dearest walk link here is {u} - {v}, used "
        f"{counted(dearest.uses, 'time')}, with {first} x {second} copies: {dearest.presence}",
        markup=False,
    )


MOST_LINKS = 60
"""Walk links up to which each is taken away in turn for the custodian's eyes: on 400 vertices that
is a minute."""

MOST_SHOWN = 8
"""Of them so many are listed."""


def tell_links(publication: Publication, network: Network, walk: Walk) -> None:
    """Print which walk links someone who lacks just that one names best, worst first."""
    if len(walk.links) > MOST_LINKS:
        notes.print(
            "For your eyes only: how well someone who lacks a walk link guesses it was not worked "
            f"out: the walk has {len(walk.links):,} links, each is tried in turn, and beyond "
            f"{MOST_LINKS} that takes too long. Ask about one: pathveil attack FILE NETWORK "
            "--lacking U V",
            markup=False,
        )
        return
    from pathveil.attacks.link_risk import identify_links

    with notes.status("asking someone who lacks a link"):
        risks = identify_links(publication, network, walk)
    beyond = len(walk.links) - len(risks)
    if beyond:
        notes.print(
            f"For your eyes only: of {counted(beyond, 'walk link')} it was too much to work out "
            "how well someone who lacks it guesses it.",
            markup=False,
        )
    if all(risk.after <= risk.before for risk in risks):
        return
    shown = risks[:MOST_SHOWN]
    table = SturdyTable(
        title=f"For your eyes only: {len(shown)} of {counted(len(walk.links), 'walk link')}, each "
        "asked of someone who lacks just that one, worst first",
        title_justify="left",
    )
    heads = ("link", "possible joins", "named before", "certain in", "named after")
    for head in heads:
        table.add_column(head, justify="left" if head == "link" else "right")
    for risk in shown:
        u, v = risk.link
        sure = " (certain)" if risk.alone else ""
        after = f"{risk.after:.1%}{sure}"
        alone = "?" if risk.left_alone is None else f"{risk.left_alone:.1%}"
        table.add_row(escape(f"{u} - {v}"), str(risk.joins), f"{risk.before:.1%}", alone, after)
    table.caption = (
        "Certain in: the share of releases, with other coins, that leave no other answer. "
        "A release may be withheld; drawing it again until it looks good would leak."
    )
    table.caption_justify = "left"
    notes.print(table)


def tell_joins(publications: Sequence[Publication], network: Network) -> None:
    """Print of the links the series used how many pairs could be each, given all releases."""
    from pathveil.attacks.link_risk import joins_of_used_links

    last = publications[-1]
    if len(publications) == 1:
        return
    if dict(last.policy.parameters)["copies"] != "1":
        return
    risks = joins_of_used_links(publications, network, most=MOST_LINKS)
    if not risks:
        return
    lone = sum(risk.without_coins == 1 for risk in risks)
    named = sum(risk.left == 1 for risk in risks)
    most = " most" if len(risks) == MOST_LINKS else ""  # there may be others, not looked at
    notes.print(
        f"For your eyes only: of {counted(len(risks), 'link')} the series used{most}, someone "
        f"who knows all others finds {lone} without any coin, because only one pair joins the "
        f"pieces of every walk with it, and {named} with the coins of all releases.",
        markup=False,
    )


def tell_uncounted(network: Network, walk: Walk, terms: ReleaseTerms) -> None:
    """Print that nothing was counted, and how many walks fit."""
    from pathveil.planning.gate import fitting_walks

    fit = ""
    if terms.grouping is None and len(network) <= MOST_COUNTED:
        many = fitting_walks(network, walk, terms.policy)
        fit = f"; {about_walks(many)} of this length {'fits' if many == 1 else 'fit'} this network"
    notes.print(f"not counted against earlier releases{fit}", markup=False)


def tell_cover(cover: Cover | None) -> None:
    """Print how much of the cover is used."""
    if cover is not None:
        notes.print(f"For your eyes only: {cover.sentence}.", markup=False)


def about_walks(many: int) -> str:
    """Return a number of walks in words."""
    return "one walk" if many == 1 else f"about {many:,} walks"
