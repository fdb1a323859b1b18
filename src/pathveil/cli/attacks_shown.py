"""How attacks and audits look in a terminal: beliefs, and losses measured beside those claimed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import exp, inf, log1p
from typing import TYPE_CHECKING

from rich.markup import escape

from pathveil.cli.console import SturdyTable, console
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil import Knowledge, Publication
    from pathveil.attacks.one_file.posterior import Inference
    from pathveil.checking.auditing import Audit
    from pathveil.policies import Policy

WIDE_ENOUGH = 66
"""Columns from which there is room for a bar beside the numbers."""


def inference_table(
    inferred: Inference, *, truth: Collection[tuple[str, str]], most: int = 12
) -> SturdyTable:
    """Return candidates with bars from prior to posterior; the truth is marked."""
    table = SturdyTable(
        title="Which links are missing? By known bits, and by all",
        title_justify="left",
    )
    table.add_column("candidate", overflow="fold")
    table.add_column("known", justify="right", no_wrap=True)
    table.add_column("all", justify="right", no_wrap=True)
    pictured = console.width >= WIDE_ENOUGH
    if pictured:
        table.add_column("", no_wrap=True)
    wanted = {tuple(sorted(link)) for link in truth}
    for candidate in inferred.candidates[:most]:
        true = {tuple(sorted(link)) for link in candidate.links} == wanted and not candidate.others
        table.add_row(
            f"[bold cyan]{escape(candidate.label)}[/] (true)" if true else escape(candidate.label),
            f"{candidate.prior:.1%}",
            f"{candidate.posterior:.1%}",
            *([_bar(candidate.prior, candidate.posterior)] if pictured else []),
        )
    if len(inferred.candidates) > most:
        more = f"[dim]and {len(inferred.candidates) - most} more[/]"
        table.add_row(more, *[""] * (len(table.columns) - 1))
    return table


def print_inference(
    inferred: Inference, *, truth: Collection[tuple[str, str]], layout: str = ""
) -> None:
    """Print what an attacker believes, and last what that means."""
    console.print(inference_table(inferred, truth=truth))
    lines = [layout] if layout else []
    if inferred.certified is not None:
        held = "not exceeded" if inferred.within_certificate else "EXCEEDED"
        lines.append(
            f"loss: the file makes it {inferred.odds:.3g} times as likely that these links exist; "
            f"the certificate allows {inferred.certified:.3g}: {held}"
        )
    if inferred.method == "sampled":
        lines.append("loss: not worked out, because possible walks were sampled")
    lines.extend(f"not used: {what}" for what in inferred.left_out)
    for line in (*lines, guess_words(inferred, len(truth))):
        console.print(line, markup=False)


def guess_words(inferred: Inference, lacking: int) -> str:
    """Return the verdict: how often the best guess is right, with its yardstick."""
    what = "the missing link is" if lacking == 1 else f"all {lacking} missing links are"
    error = f" (± {100 * inferred.error:.0f})" if inferred.error else ""
    return (
        f"{what} guessed right {_times(inferred.success)} in 100{error}; "
        f"{_number(inferred.without)} without the file, {_number(inferred.control)} by the bits of "
        "known links alone"
    )


def _number(chance: float) -> str:
    percent = 100 * chance
    return f"{percent:.0f}" if percent >= 1 or not percent else f"{percent:.1g}"


def _times(chance: float) -> str:
    return f"{_number(chance)} times"


def layout_words(
    publication: Publication, knowledge: Knowledge, found: Inference, *, spanning: bool = False
) -> str:
    """Return what the coins of a file leave open and what its drawing then decides."""
    from pathveil import attack

    bits = replace(publication, drawing=None, layering="exact")
    coins = attack(bits, knowledge, spanning=spanning)
    left = [sum(row[-1] > 0 for row in one.rows()) for one in (coins, found)]
    return (
        f"layering {publication.layering}: the coins leave {counted(left[0], 'candidate')} and a "
        f"best guess of {coins.success:.1%}; the published layers, drawn again for each of them, "
        f"leave {left[1]} and {found.success:.1%}"
    )


def _bar(prior: float, posterior: float, *, width: int = 24) -> str:
    """Return the posterior as a bar with a tick where the prior was."""
    filled, tick = round(posterior * width), min(round(prior * width), width - 1)
    cells = ["█" if i < filled else "·" for i in range(width)]
    cells[tick] = "┃" if tick >= filled else "▓"
    return "".join(cells)


def audit_table(found: Audit, *, whose: str, drawn: int) -> SturdyTable:
    """Return what an audit measured beside what is claimed; ``drawn`` is of both sides."""
    table = SturdyTable(title="Loss measured from outside", title_justify="left")
    table.add_column("direction")
    table.add_column("measured", justify="right")
    table.add_column(f"claimed ({whose})", justify="right")
    table.add_column("verdict")
    for name, loss in (
        ("link is there", found.forward),
        ("link is not", found.backward),
    ):
        claimed = loss.claimed
        verdict = "[bold red]refuted[/]" if loss.refuted else "[green]not refuted[/]"
        if claimed == inf:
            verdict = "nothing claimed"
        table.add_row(
            name,
            f"at least {loss.epsilon:.4f}",
            "infinite" if claimed == inf else f"{claimed:.4f}",
            verdict,
        )
    table.caption = (
        f"{drawn} releases were drawn, of which {found.samples} on each side confirm; a bound "
        f"is wrong with probability at most {1 - found.confidence:.2g}. An audit can "
        "refute a claim, never prove it."
    )
    table.caption_justify = "left"
    return table


def frontier_picture(policy: Policy, *, width: int = 48, height: int = 12) -> str:
    """Return the frontier e^-a + e^-b = 1 as text, with the policy on it.

    Losses are drawn up to 3; exact recovery with one-sided protection of both kinds of links is
    impossible below the line.
    """
    from pathveil.chance.certify import certify

    most = 3.0
    rows = [[" "] * width for _ in range(height)]

    def put(walk_loss: float, other_loss: float, mark: str) -> None:
        column = min(int(walk_loss / most * width), width - 1)
        row = height - 1 - min(int(other_loss / most * height), height - 1)
        rows[row][column] = mark

    for step in range(1, 4 * width):
        a = most * step / (4 * width)
        b = -log1p(-exp(-a))
        if b <= most:
            put(a, b, "·")
    if policy.noisy:
        where = f"{policy.terms()} is symmetric and gives up exact recovery: not on this line"
    else:
        copies = (1, 1) if policy.kind.draws_copies else None
        walk_link, other_link = (
            float(row.presence)
            for row in (
                certify(policy).bound(walk_links=1, copies=copies),
                certify(policy).bound(other_links=1, copies=copies),
            )
            if row is not None
        )
        put(min(walk_link, most), min(other_link, most), "●")
        where = f"● {policy.terms()}: walk link {walk_link:.4g}, other link {other_link:.4g}"
    lines = [f"  {'3' if i == 0 else ' '}│{''.join(row)}" for i, row in enumerate(rows)]
    title = "loss of another link ↑   frontier e^-a + e^-b = 1   (below it: impossible)"
    return "\n".join([title, *lines, f"  0└{'─' * width} 3  loss of a walk link →", f"   {where}"])
