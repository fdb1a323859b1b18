"""Do these walks fit? Asked before the first release: by which way, and what would others learn.

Two adversaries want opposite things. An *outsider* has all files and knows no link: rare chaff
costs the links that walks use little, so more walks fit. *Someone who lacks one link* knows all
others and looks for it: rare chaff leaves few rivals. Both figures are given for every way.

Where a network is given, whether a grouping fits follows from its degrees: for the custodian's
eyes. Everything else follows from numbers that one would print anyway, and from the paths of the
network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from html import escape
from math import ceil, exp, floor, inf, log, log2
from typing import Any

import numpy as np

from pathveil.errors import BadArgument, BadNetwork
from pathveil.grouping.grouping_loss import JOINS, guess_right
from pathveil.model.bits import PACKED_LIMIT
from pathveil.model.network import Network
from pathveil.planning.capacity import ExpectedSeries, usage_for
from pathveil.planning.cover import Coins, Cover, Urns
from pathveil.planning.gate import cover_over_grouping
from pathveil.wording import counted, did_you_mean, html_table

SURE = 1e-9
"""A chance below which no rival join is left."""
ROUTES = 3
"""Routes that walks are taken to repeat, where they are alike."""
EXAMPLES = 128
"""Walks over a grouping that are looked at: its cover hardly changes with more."""


@dataclass(frozen=True)
class Way:
    """One way to publish the walks.

    Attributes
    ----------
    way
        once, coins, series, grouping or envelopes.
    fits
        Whether all the walks may be published so.
    most_walks
        How many walks of this length fit, by the gate's own rule; None: any number.
    cover, limit
        The share of the cover that the walks would use, and the share that may be used; None where
        outsiders get nothing, or where no grouping can be drawn.
    guessed, certain
        Of 100 first releases: in how many someone who lacks one link of the walk guesses it right,
        and in how many it is identified with certainty. He has four joins to choose from.
    guessed_after, certain_after
        The same once all walks are out, for a link that one of them uses.
    named
        How many links of the network outsiders name at least, once all walks are out; None where
        they get nothing, and over a grouping.
    usage
        The public number that says how often chaff shows a pair; None where there is none.
    command
        What to type; empty where no grouping can be drawn.
    size
        Bytes of one file, about.
    note
        What to know about it.
    refused
        What the gate would say, where a grouping does not fit.
    """

    way: str
    fits: bool
    most_walks: int | None
    cover: float | None
    limit: float | None
    guessed: int
    certain: int
    guessed_after: int
    certain_after: int
    named: int | None
    usage: str | None
    command: str
    size: int
    note: str
    refused: str = ""


MOST_WALKS = 100_000
LONGEST_WALK = 10_000
MOST_LINKS = 1_000_000
"""The most walks, links of a walk, and links of a network that is made up, for a plan."""


@dataclass(frozen=True, repr=False)
class Plan:
    """Whether walks fit a network, and by which ways.

    Attributes
    ----------
    verdict
        Whether they fit, and in its last line what to type.
    fits
        Whether they fit by some public way.
    ways
        In the order once, coins, series, grouping, envelopes.
    curves
        For the picture: by way, the share of the cover that is used after some numbers of walks.

    Examples
    --------
    >>> print(plan(vertices=40, links=61, walks=1, length=6).verdict)
    Fits: one walk of 6 links is a single release.
    Type: pathveil publish NETWORK WALK -o FILE
    """

    verdict: str
    fits: bool
    walks: int
    length: int
    vertices: int
    links: int
    ways: tuple[Way, ...]
    curves: dict[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)

    def way(self, name: str) -> Way:
        """Return one of the ways by its name."""
        ways = {way.way: way for way in self.ways}
        if name not in ways:
            expected = f"expected one of {', '.join(ways)}{did_you_mean(str(name), ways)}"
            raise BadArgument(f"{name!r} is no way to publish; {expected}")
        return ways[name]

    def to_json(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {name: value for name, value in asdict(self).items() if name != "curves"}

    def picture(self) -> str:
        """Return a small drawing as SVG: cover used against the number of walks, for each way."""
        return cover_curves(self.curves, self.walks)

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return the ways side by side: heads, and a row for each."""
        heads = ("way", "room for", "cover used", "guessed", "insider", f"after {self.walks:,}")
        last = 5 if self.walks == 1 else 6
        return heads[:last], [self._row(way)[:last] for way in self._shown]

    @property
    def _shown(self) -> tuple[Way, ...]:
        """The ways without fresh coins where these are the default policy."""
        same = self.way("coins").command == self.way("once").command
        return tuple(way for way in self.ways if not (same and way.way == "coins"))

    def _row(self, way: Way) -> tuple[str, ...]:
        fit = {None: "any", 0: "none", 1: "1"}.get(way.most_walks, f"about {way.most_walks}")
        if not way.command:
            return (way.way, fit, *"----")
        cover = "-" if way.cover is None else "no bound" if way.cover == inf else f"{way.cover:.0%}"
        if self.walks > 1 and way.cover not in {None, inf}:
            cover += f" (max {way.limit or 0:.0%})"
        return (
            way.way,
            fit,
            cover,
            "-" if way.named is None or not way.fits else f"{way.named}+",
            f"{way.guessed} ({way.certain})",
            f"{way.guessed_after} ({way.certain_after})",
        )

    def caption(self) -> str:
        """Return what the columns of the table are."""
        used, after = "", ""
        if self.walks > 1:
            used, after = " (max: what may be used)", f", and after all {self.walks:,} walks"
        return (
            f"Room for: how many such walks fit. Cover used: by all of them{used}. Guessed: about "
            f"how many of the {self.links:,} links outsiders guess. Insider: how often in 100 "
            "someone who lacks just one link of the walk guesses it, if four could be it (in "
            f"brackets: is certain of it), with the first file{after}."
        )

    def commands(self) -> list[tuple[str, str]]:
        """Return labelled lines: what to type for each way that fits, and what to know about it."""
        lines = []
        for way in self._shown:
            many = way.most_walks or 0
            if way.fits:
                lines += [(way.way, way.command), ("", way.note)]
            elif many > 1:
                lines += [(way.way, f"for about {many:,} of them: {way.command}"), ("", way.note)]
            elif way.refused or not way.command:
                lines.append((way.way, way.refused or way.note))
        if any("--ledger" in line for _, line in lines):
            lines.append(("ledger", "pathveil ledger init DB, once, before the first file"))
        return lines

    def __repr__(self) -> str:
        walks = f"{counted(self.walks, 'walk')} of {counted(self.length, 'link')}"
        return f"<Plan: {walks}, {'fits' if self.fits else 'does not fit'} in public>"

    def __str__(self) -> str:
        heads, rows = self.table()
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        table = [
            "  ".join(map(str.ljust, row, widths)).rstrip()  # as wide as its widest word
            for row in (heads, *rows)
        ]
        typed = [f"{name:10} {words}" for name, words in self.commands()]
        parts = ("\n".join(table), self.caption(), "\n".join(typed), EXPLAINED)
        return "\n\n".join((self.verdict, *parts))

    def _repr_html_(self) -> str:
        fits, typed = map(escape, self.verdict.split("\n"))
        return (
            f"<p><b>{fits}</b></p><pre>{typed}</pre>{html_table(*self.table())}"
            f"<p>{escape(self.caption())}</p>{html_table(('way', 'what to type'), self.commands())}"
            f"<p>{EXPLAINED}</p>{self.picture()}"
        )


EXPLAINED = (
    "The cover is what hides walks from outsiders, who have all files and know no link; public "
    "files use it up. It does not refuse a network's first file. The numbers come from example "
    "walks: of yours half or twice as many may fit, fewer if routes share links or one lies in a "
    "corner; what decides is asked when you publish. What names tell is not counted: if they say "
    "which places are near, use codes (network clean --codes). If a walk may visit a vertex twice, "
    "add copies=2 to the policy from the first file on; far fewer fit then than it says here."
)


def plan(
    network: Network | None = None,
    *,
    walks: int,
    length: int,
    vertices: int | None = None,
    links: int | None = None,
    alike: bool = False,
) -> Plan:
    """Return whether walks fit a network, by which ways, and what others would learn.

    Parameters
    ----------
    network
        The network; or give its size instead, and a random network of that size is looked at.
    walks, length
        How many walks there will be, and how many links each has.
    vertices, links
        The size of a network, instead of the network.
    alike
        Whether most walks repeat a few routes. Else they are taken to spread evenly.

    Raises
    ------
    BadArgument
        If walks or length is no whole number, or out of range.
    BadNetwork
        If neither or both of network and size are given, or no path is that long.

    *Cost*: one to two seconds at 1,000 vertices.

    Examples
    --------
    >>> made = plan(vertices=40, links=61, walks=30, length=6)
    >>> made.fits, made.way("series").fits, made.way("envelopes").fits
    (False, False, True)
    """
    whole = isinstance(walks, int) and isinstance(length, int)
    if not whole or not 1 <= walks <= MOST_WALKS or not 1 <= length <= LONGEST_WALK:
        raise BadArgument(
            f"walks={walks!r} of length={length!r}; expected whole numbers: 1 to "
            f"{MOST_WALKS:,} walks of 1 to {LONGEST_WALK:,} links"
        )
    given = network is not None
    if network is None:
        network = _typical_network(vertices, links)
    elif vertices is not None or links is not None:
        raise BadNetwork("give the network, or vertices and links without a network; not both")
    network = Network.of(network)
    series = ExpectedSeries(network, length, ROUTES if alike else None)
    if not len(series.sample):
        raise BadNetwork(
            f"no simple path of this network of {len(network)} vertices has {length} links; give "
            "a smaller length"
        )
    planner = _Planner(network, series, walks, given=given)
    ways = planner.ways()
    return Plan(
        "\nType: ".join(_verdict(ways, walks, length, len(network.pairs))),
        any(way.fits for way in ways if way.way != "envelopes"),
        walks,
        length,
        len(network),
        len(network.pairs),
        ways,
        planner.curves(ways[3]),
    )


def lacking_one_link(chance: float) -> tuple[int, int]:
    """Return how often in 100 someone who lacks one link guesses it, and is certain of it.

    A rival join passes for the link if it shows what the link shows, which has this chance.

    >>> lacking_one_link(0.5), lacking_one_link(1.0)
    ((47, 13), (25, 0))
    """
    right = guess_right(JOINS, chance if chance > SURE else 0.0)
    return ceil(100 * right - SURE), ceil(100 * (1 - chance) ** (JOINS - 1) - SURE)


FAIR = Coins(log(2), log(2))
"""The law of the default policy."""


class _Planner:
    """The ways one by one."""

    def __init__(
        self, network: Network, expected: ExpectedSeries, walks: int, *, given: bool
    ) -> None:
        self.network, self.expected, self.walks, self.given = network, expected, walks, given
        self.alike = alike = expected.alike is not None
        self.sketched = len(network) > PACKED_LIMIT
        self.form = " --form sketch --capacity N" if self.sketched else ""
        self.ledger = " --ledger DB" if walks > 1 else ""
        self.usage = usage_for(expected.length, len(network.pairs))
        shown = float(self.usage)
        # What is typed for fresh coins has two decimals, and the law follows what is typed.
        self.walk_loss = f"{-log(shown):.2f}"
        self.rate = 0.5 if shown >= 0.5 else exp(-float(self.walk_loss))
        self.coins_law = Coins(-log(1 - self.rate), -log(self.rate))
        self.series_law = Urns(0.5, 0.5) if alike else Urns(4.0, 4.0 * (1 - shown) / shown)

    def ways(self) -> tuple[Way, ...]:
        """Return all of them, in their order."""
        return (self.once(), self.coins(), self.series(), self.grouping(), self.envelopes())

    @cached_property
    def most_fair(self) -> int:
        """How many walks fit with fair coins."""
        return self.expected.most_walks(FAIR)

    def once(self) -> Way:
        return self._way(
            "once",
            self.most_fair,
            self.expected.typical(FAIR, self.walks),
            (0.5, 0.5**self.walks),
            f"pathveil publish NETWORK WALK -o FILE{self.ledger}{self.form}",
            "The default policy, made for one walk. Often (with 4 to 7 links, in 2 to 6 of 10 "
            "files) a link is certain to someone who lacks just that: inspect before you send one.",
        )

    def coins(self) -> Way:
        law, rate = self.coins_law, self.rate
        policy = f" --policy frontier:walk_loss={self.walk_loss}"
        most = self.expected.most_walks(law)
        if rate == 0.5 or self.most_fair > most:  # small networks may hide more in fair coins
            law, policy, rate, most = FAIR, "", 0.5, self.most_fair
            self.coins_law = FAIR
        return self._way(
            "coins",
            most,
            self.expected.typical(law, self.walks),
            (rate, exp(-law.loss(1, self.walks))),
            f"pathveil publish NETWORK WALK -o FILE{policy}{self.ledger}{self.form}",
            "Fresh coins for each file. The rate of chaff is public and tells roughly how many "
            "links there are.",
            usage=None if law is FAIR else f"{float(self.usage):g}",
        )

    def series(self) -> Way:
        law, usage = self.series_law, f"{float(self.usage):g}"
        policy, note = f"usage={usage}", "The usage is public and tells roughly how many links"
        note = f"Chaff remembers what was shown. {note} there are."
        if self.alike:
            policy, note = "on=1/2,off=1/2", "Chaff remembers what was shown and follows it."
        if self.sketched:
            note = "A network of this size is published as sketches, and a sketch has no series."
        return self._way(
            "series",
            0 if self.sketched else self.expected.most_walks(law),
            self.expected.typical(law, self.walks),
            (law.on / (law.on + law.off), exp(-law.loss(1, self.walks))),
            f"pathveil batch NETWORK WALKS -o OUT --policy remembering:{policy}; or day by day "
            f"pathveil publish NETWORK WALK -o FILE --policy remembering:{policy} --ledger DB",
            note,
            usage=None if self.alike else usage,
        )

    def grouping(self) -> Way:
        made = cover_over_grouping(self.network, self.expected.walks(min(self.walks, EXAMPLES)))
        eyes = " For your eyes only: it follows from the network." if self.given else ""
        if made is None:
            note = "The network has too few vertices for its links, or too large a hub."
            return self._way("grouping", 0, None, (0.5, 0.5), "", note + eyes)
        grouping, used = made
        free = 1 - grouping.load_of(self.network)
        classes = grouping.classes
        return self._way(
            "grouping",
            1 if used.closed else None,
            used,
            (free * 0.5, free * 0.5 ** min(self.walks, 60)),
            "pathveil group NETWORK -o groups.json, then pathveil batch ... --groups groups.json",
            f"Before the first release: {classes} classes of about "
            f"{len(self.network) / classes:.1f} vertices.{eyes}",
            size=ceil(classes * (classes - 1) / 16),
            refused=used.sentence if used.closed else "",
        )

    def envelopes(self) -> Way:
        hidden = self.walks <= self.most_fair
        inside = "is an outsider to what is inside" if hidden else "may read these walks"
        return self._way(
            "envelopes",
            None,
            None,
            (0.5, 0.5**self.walks),
            "pathveil publish NETWORK WALK -o FILE --to KEY",
            "Files are encrypted to their readers; outsiders get nothing. Someone with a key but "
            f"not the network {inside}.",
        )

    def _way(
        self,
        name: str,
        most: int | None,
        used: Cover | None,
        chances: tuple[float, float],
        *words: str,
        usage: str | None = None,
        size: int | None = None,
        refused: str = "",
    ) -> Way:
        """Return a way, with its command and note.

        ``chances``: that a rival join passes for the link in the first file, and in all of them.
        """
        named = None if used is None else used.named
        return Way(
            name,
            most is None or self.walks <= most,
            most,
            None if used is None else round(used.share, 4),
            None if used is None else round(used.limit, 4),
            *lacking_one_link(chances[0]),
            *lacking_one_link(chances[1]),
            None if named is None else floor(named + 0.5),
            usage,
            words[0],
            self._bytes(chances[0]) if size is None else size,
            words[1],
            refused,
        )

    def curves(self, grouping: Way) -> dict[str, tuple[tuple[int, float], ...]]:
        """Return cover used after some numbers of walks, by way."""
        most = 2 * max(self.walks, 5)
        steps = sorted({max(1, round(most * k / 12)) for k in range(1, 13)} | {1, self.walks})
        laws: dict[str, Coins | Urns] = {"coins": self.coins_law, "series": self.series_law}
        drawn = {
            name: tuple((walks, self.expected.expected(law, walks).share) for walks in steps)
            for name, law in laws.items()
        }
        if grouping.fits and grouping.cover is not None:
            drawn["grouping"] = tuple((walks, grouping.cover) for walks in steps)
        return drawn

    def _bytes(self, rate: float) -> int:
        if self.sketched:
            bits = 1 if rate == 0.5 else max(1, ceil(-log2(rate)) + 4)
            return ceil(1.1 * bits * len(self.network.pairs) / 8)
        entropy = -rate * log2(rate) - (1 - rate) * log2(1 - rate)
        return ceil(len(self.network) * (len(self.network) - 1) * entropy / 16)


def _typical_network(vertices: int | None, links: int | None) -> Network:
    """Return a random connected network of this size: an example."""
    if vertices is None or links is None:
        raise BadNetwork(
            "give a network, or its numbers: vertices= and links= (--vertices N --links M)"
        )
    if links > MOST_LINKS:
        raise BadNetwork(
            f"a network of {links:,} links is not made up; give the network itself, or at most "
            f"{MOST_LINKS:,} links"
        )
    if vertices < 2 or not vertices - 1 <= links <= vertices * (vertices - 1) // 2:
        raise BadNetwork(
            f"no connected network has {counted(vertices, 'vertex', 'vertices')} and "
            f"{counted(links, 'link')}; give at least one link less than vertices, and at most one "
            "for each pair"
        )
    random = np.random.default_rng([vertices, links])
    order = random.permutation(vertices)
    before = (random.random(vertices - 1) * np.arange(1, vertices)).astype(np.int64)
    chosen = {tuple(sorted(order[[i, k + 1]].tolist())) for k, i in enumerate(before.tolist())}
    while len(chosen) < links:
        more = random.integers(0, vertices, (links - len(chosen), 2)).tolist()
        chosen |= {(min(i, j), max(i, j)) for i, j in more if i != j}
    width = len(str(vertices))
    return Network.from_links((f"{i:0{width}}", f"{j:0{width}}") for i, j in sorted(chosen))


def _verdict(ways: tuple[Way, ...], walks: int, length: int, links: int) -> tuple[str, str]:
    """Return whether they fit, and what to type."""
    once, coins, series, grouping, envelopes = ways
    these = f"{counted(walks, 'walk')} of {counted(length, 'link')}"
    if walks == 1 and (once.cover or 0) >= 1:
        return (
            f"One walk of {counted(length, 'link')} uses up the cover of this network: outsiders "
            "may read it from the file alone. Encrypt it to its readers (--to)."
        ), envelopes.command
    if walks == 1:
        return f"Fits: one walk of {counted(length, 'link')} is a single release.", once.command
    best = max(series, coins, key=lambda way: inf if way.fits else way.most_walks or 0)
    if best.fits:
        also = "; over a grouping any number does" if grouping.fits else ""
        way, more = _by_default(once, best, links)
        return (
            f"{these} fit this network {_as(way)}: they use {way.cover or 0:.0%} of its cover, "
            f"and {_about(way.most_walks or 0)}{also}.{_exposed(way, once, walks)}{more}"
        ), way.command.partition("; ")[0]
    if grouping.fits:
        return (
            f"{these} fit this network only over a grouping, drawn before the first release."
            f"{_exposed(grouping, once, walks)}"
        ), grouping.command
    many = best.most_walks or 0
    return (
        f"{these} do not fit this network in public: {_about(many)}"
        f"{'' if many < 2 else f', {_as(best)}'}. Publish fewer, or encrypt "
        f"{'the files' if many < 2 else 'the others'} to their readers (--to)."
    ), envelopes.command


def _exposed(way: Way, once: Way, walks: int) -> str:
    """Return how often a link is named that someone lacks, if more often than by default."""
    if way.guessed <= once.guessed:
        return ""
    return (
        f" Someone who lacks just one link then names it {way.guessed} times in 100 with the first "
        f"file, {way.guessed_after} after {counted(walks, 'walk')}: send the files only to people "
        "who may know the links."
    )


def _by_default(once: Way, best: Way, links: int) -> tuple[Way, str]:
    """Return the better way where all walks fit by default too, and what the other one does."""
    if best.command == once.command:
        return once, ""
    if not once.fits or once.guessed >= best.guessed:
        return best, ""
    first = f"{best.guessed} times in 100 with the first file, not {once.guessed}"
    if (once.guessed_after, once.certain_after) <= (best.guessed_after, best.certain_after):
        return once, (
            f" Outsiders name about {once.named} or more of the {links} links. "
            f"{_as(best).capitalize()} they would name about {best.named}, but someone who lacks "
            f"just one link names it {first}."
        )
    return best, (
        " The default policy fits too: its first file tells someone who lacks one link less, but "
        f"all files together more, and outsiders name about {once.named} or more of the {links} "
        f"links, not {best.named}."
    )


def _as(way: Way) -> str:
    words = {"series": "as one series", "coins": "with fresh coins"}
    return words.get(way.way, "by the default policy")


def _about(walks: int) -> str:
    words = {0: "no walk fits", 1: "only the first fits"}
    return words.get(walks, f"about {walks:,} fit")


# -- the picture ----------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 420.0, 220.0, 48.0, 16.0, 184.0, 330.0
COLOURS = {"coins": "#b35900", "series": "#1b6ca8", "grouping": "#2e7d32"}
FULL = 0.9
"""Where the cover counts as full."""
HIGHEST = 1.5
"""The share at the top of the drawing."""


def cover_curves(curves: Mapping[str, Sequence[tuple[int, float]]], walks: int) -> str:
    """Return the drawing as SVG.

    Parameters
    ----------
    curves
        By way, points of walks and the share of the cover that they use.
    walks
        How many are planned: a line is drawn there.

    Examples
    --------
    >>> cover_curves({"series": ((1, 0.2), (10, 0.8))}, 5).startswith("<svg")
    True
    """
    most = max([walks, *(point[0] for points in curves.values() for point in points)])

    def place(count: float, share: float) -> str:
        x = LEFT + (RIGHT - LEFT) * count / most
        y = BOTTOM - (BOTTOM - TOP) * min(share, HIGHEST) / HIGHEST
        return f"{x:.1f},{y:.1f}"

    def line(start: str, end: str, style: str) -> str:
        return f'<path d="M{start}L{end}" fill="none" {style}/>'

    def text(x: float, y: float, words: str, more: str = "") -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'

    grey = 'stroke="#888" stroke-width="1"'
    body = [
        line(place(0, 0), place(most, 0), grey),
        line(place(0, 0), place(0, HIGHEST), grey),
        line(place(0, FULL), place(most, FULL), 'stroke="#c62828" stroke-dasharray="5 4"'),
        line(place(walks, 0), place(walks, HIGHEST), 'stroke="#888" stroke-dasharray="2 3"'),
        text(LEFT, HEIGHT - 6, f"walks: 0 to {most:,}, planned {walks:,}"),
    ]
    for share in (0.5, FULL, HIGHEST):
        y = BOTTOM - (BOTTOM - TOP) * share / HIGHEST
        body.append(text(LEFT - 6, y + 4, f"{share:.0%}", 'text-anchor="end"'))
    for number, (name, points) in enumerate(curves.items()):
        colour = COLOURS.get(name, "#555")
        path = "L".join(place(*point) for point in points)
        body.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body.append(text(RIGHT + 12, TOP + 18 * number + 12, name, f'fill="{colour}"'))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{HEIGHT:g}" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-family="sans-serif" font-size="12" role="img">'
        f"<title>Cover used against the number of walks</title>{''.join(body)}</svg>"
    )
