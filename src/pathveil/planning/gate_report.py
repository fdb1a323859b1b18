"""What the gate found, as data and in plain words for the custodian's screen.

*Privacy*: a report looks at the network and the walks. It is shown to the custodian and to nobody
else.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pathveil.attacks.series.outsider import Judgement
from pathveil.grouping.grouping_tradeoff import recommend
from pathveil.model.certificate import Loss
from pathveil.model.grouping import Grouping, spanned
from pathveil.model.network import Network
from pathveil.model.universe import Universe
from pathveil.planning.chaff_fit import ChaffFit
from pathveil.wording import counted


@dataclass(frozen=True)
class Limits:
    """Above which the gate is closed: walks read, and uses per link.

    Uses per link of None are one, and less where chaff does not fit the walks
    (:attr:`~pathveil.planning.chaff_fit.ChaffFit.most_uses`).
    """

    walks_read: int = 0
    uses_per_link: Fraction | None = None


@dataclass(frozen=True)
class Effort:
    """How hard the outsiders try: bits they look at, moves and restarts of the structural one."""

    bits: int = 4_000_000
    steps: int = 2_000_000
    restarts: int = 2


@dataclass(frozen=True, repr=False)
class GateReport:
    """What an outsider would read. It looks at the network: for the custodian's screen alone.

    Attributes
    ----------
    walks, looked_at
        Releases there are, and how many of them the outsiders looked at: the first ones and the
        last, those that can be laid side by side.
    links, uses_per_link, most_uses
        Links of the network, on how many walks each lies on average, and at most.
    dearest
        The largest composed loss of any link: (walks it lies on, loss).
    counting, structural
        What each outsider found, against the truth; None if he could not be run. The structural one
        looks for paths, and over a grouping a walk need not be one: there he is run only if a walk
        is left bare: all of it, or two links in a row, between classes of one member.
    grouping
        The grouping, if there is one and it hides something: then all this is between classes.
    reasons
        Why the gate is closed; empty if it is open.
    unread
        Earlier releases that were not looked at, nor counted in anything here.
    fit
        How the chaff fits the links; None for one walk, or over a grouping.
    but
        What the loss of the dearest link leaves out, in words; empty if nothing.
    needless
        Whether there is a grouping in which every class has one member: it hides nothing, and all
        this is as if there were none.
    bare
        Over a grouping: how many links lie between classes of one member, and how many walks pass
        two of them in a row, or nothing else. These it does not hide.
    unbrought
        Universes that releases name by digest and nobody brought. Then the outsiders were not run,
        and the gate is closed: who has these public pairs reads more than can be said here.
    """

    walks: int
    looked_at: int
    links: int
    uses_per_link: Fraction
    most_uses: int
    dearest: tuple[int, Loss]
    counting: Judgement | None
    structural: Judgement | None
    effort: Effort
    grouping: Grouping | None
    reasons: tuple[str, ...]
    unread: int = 0
    fit: ChaffFit | None = None
    but: str = ""
    needless: bool = False
    bare: tuple[int, int] = (0, 0)
    unbrought: tuple[Universe, ...] = ()

    @property
    def open(self) -> bool:
        """Whether nothing speaks against handing the files out."""
        return not self.reasons

    def __repr__(self) -> str:
        return f"<GateReport: {self.walks} walks, for the custodian>"


# -- in words ------------------------------------------------------------------------------------


def report_sentences(report: GateReport) -> list[str]:
    """Return the report in plain words, for the custodian's screen."""
    count, loss = report.dearest
    walks = counted(report.walks, "walk")
    used = (
        f"{walks} over {report.links} links: each link is used "
        f"{float(report.uses_per_link):.2f} times on average, {report.most_uses} times at most. "
        f"The dearest link lies on {count} of {walks} and loses at most {loss} in all"
        f"{report.but}."
    )
    lines = [used]
    between = "" if report.grouping is None else " between classes"
    for who, judged in (
        ("who counts how often each pair was shown", report.counting),
        ("who looks for links that form a path in every release", report.structural),
    ):
        if judged is not None:
            lines.append(
                f"An outsider {who} names {judged.links_found} of {judged.links_hidden} links"
                f"{between} (by luck {judged.luck:.1f}) and reads {judged.walks_read} of "
                f"{counted(judged.walks, 'walk')}{between}."
            )
    lines.append(_effort_words(report))
    if report.fit is not None and not report.fit.fits:
        lines.append(report.fit.sentence())
    if report.unread:
        lines.append(
            f"{report.unread} earlier releases, over a grouping or over a network that has changed "
            "since, were neither looked at nor counted."
        )
    if report.needless:
        lines.append(NEEDLESS)
    if report.grouping is not None:
        lines += _grouping_words(report, report.grouping)
    return lines


NEEDLESS = (
    "No class of the grouping has two members: it hides nothing, and all this is between vertices, "
    "as without a grouping."
)


def _grouping_words(report: GateReport, grouping: Grouping) -> list[str]:
    """Return what stays hidden over a grouping, and what does not."""
    links, walks = report.bare
    pairs = spanned(*grouping.hidden_among)
    each = "each other link" if grouping.leaves_bare else "each link"
    but = "Besides these, over" if grouping.leaves_bare else "Over"
    hidden = (
        f"{but} the grouping he learns walks between classes and no more, however many he "
        f"collects: {each} stays among the {pairs} pairs of vertices between its "
        "two classes, unless he knows one of its ends or tells members of a class apart."
    )
    if not grouping.leaves_bare:
        return [hidden]
    read = [
        f"who {who} names {judged.bare_links_found} of these links and reads "
        f"{judged.bare_walks_read} of these walks"
        for who, judged in (("counts", report.counting), ("looks for paths", report.structural))
        if judged is not None and judged.bare_links
    ]
    bare = (
        f"Links between classes of one member are not hidden: these are {links} of "
        f"{report.links} links, and {walks} of {counted(report.walks, 'walk')} pass two of them in "
        f"a row, or nothing else{''.join(f'; {part}' for part in read)}."
    )
    return [bare, hidden]


def _effort_words(report: GateReport) -> str:
    if report.unbrought:
        return (
            "The outsiders were not run: files name the pairs that may be links by digest only, "
            f"and not all of them were brought. {BRING}."
        )
    if report.counting is None:
        return (
            "The outsiders were not run: copies differ from file to file, or the vertices are too "
            "many for every pair to be looked at."
        )
    moves = report.effort.steps * report.effort.restarts
    made = "" if report.structural is None else f" and made {moves:,} moves"
    return (
        f"The outsiders were told the number of links, had no other knowledge, looked at "
        f"{report.looked_at} of {report.walks} releases{made}: who knows more or tries longer may "
        "read more."
    )


TRUST = "hand the files to readers you trust, and nobody else, with --accept-outsider"
BRING = "Bring the public files of these pairs (universes=[...], --earlier-universe FILE)"


def remedies(report: GateReport, network: Network) -> str:
    """Return what a custodian before a closed gate can do, and which of it fits this network."""
    if report.unbrought:
        return f"{BRING[0].lower()}{BRING[1:]}, or {TRUST}"
    advice = recommend(network)
    steps = report.uses_per_link * report.links / report.walks
    fit = report.fit
    limit = Fraction(1) if fit is None else fit.most_uses
    few = int(limit * report.links / steps) if steps else report.walks
    below = {Fraction(1): "one use", Fraction(1, 2): "half a use"}.get(limit, "a quarter of a use")
    choices = []
    if report.walks > 1:
        bound = f" (up to about {max(1, few)}: below {below} per link)"
        choices.append("release fewer walks" + (bound if few < report.walks else ""))
    if fit is not None and not fit.fits and report.uses_per_link <= 1:
        choices.insert(0, f"chaff that fits: --usage {float(fit.usage):g}, under one use per link")
    if advice.useful:
        choices.insert(
            0,
            f"publish over a grouping, which fits this network (`pathveil group`, about "
            f"{advice.classes} classes of {advice.mean:.0f}; then --groups)",
        )
    else:
        choices.append("a grouping does not fit: the network is too small, or a hub too large")
    choices.append(TRUST)
    return "; ".join(choices)
