"""Do these walks fit? Asked before the first release: by which way, and what would others learn.

Two adversaries want opposite things. An *outsider* has all files and knows no link: rare chaff
costs the links that walks use little, so more walks fit. *Someone who lacks one link* knows all
others and looks for it: rare chaff leaves few rivals. Both figures are given for every way.

Where a network is given, whether a grouping fits follows from its degrees: for the custodian's
eyes. Everything else follows from numbers that one would print anyway, and from the paths of the
network.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from html import escape
from math import ceil, exp, floor, inf, log, log2
from typing import Any

import numpy as np

from pathveil.errors import BadNetwork
from pathveil.grouping.grouping_loss import USEFUL, guess_right, recommended_classes, rounded_up
from pathveil.model.bits import PACKED_LIMIT
from pathveil.model.network import Network
from pathveil.planning.capacity import ExpectedSeries
from pathveil.planning.cover import SPARE, SPARE_SHARE, Coins, Urns, urn_loss
from pathveil.planning.plan_picture import cover_curves
from pathveil.wording import counted

JOINS = 4
"""Ways to join two pieces of a walk: the candidates of someone who lacks one link of it."""
SURE = 1e-9
"""A chance below which no rival join is left."""
LADDER = (10, 15, 20, 30, 50, 70, 100)
"""A usage is rounded up to one of these tenths of its decade."""
FIT = 1.4
"""The usage that fits best, by the share of walks that a link lies on."""
ROUTES = 3
"""Routes that walks are taken to repeat, where they are alike."""
GROUPED_LOSS = 0.5
"""What a link loses when a grouping of the recommended number of classes is drawn, about."""


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
    cover
        The share of the cover that the walks would use; None where outsiders get nothing, or where
        the share does not grow with walks.
    guessed, certain
        Of 100 first releases: in how many someone who lacks one link of the walk guesses it right,
        and in how many it is identified with certainty. He has four joins to choose from.
    guessed_after, certain_after
        The same once all walks are out, for a link that one of them uses.
    usage
        The public number that says how often chaff shows a pair; None where there is none.
    command
        What to type.
    size
        Bytes of one file, about.
    note
        What to know about it.
    """

    way: str
    fits: bool
    most_walks: int | None
    cover: float | None
    guessed: int
    certain: int
    guessed_after: int
    certain_after: int
    usage: str | None
    command: str
    size: int
    note: str


MOST_WALKS = 100_000
LONGEST_WALK = 10_000
"""The most walks, and links of a walk, that a plan is made for."""


@dataclass(frozen=True)
class Plan:
    """Whether walks fit a network, and by which ways.

    Attributes
    ----------
    verdict
        One sentence.
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
    """

    verdict: str
    fits: bool
    walks: int
    length: int
    vertices: int
    links: int
    ways: tuple[Way, ...]
    curves: dict[str, tuple[tuple[int, float], ...]] = field(default_factory=dict, repr=False)

    def way(self, name: str) -> Way:
        """Return one of the ways by its name."""
        return next(way for way in self.ways if way.way == name)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "verdict": self.verdict,
            "fits": self.fits,
            "walks": self.walks,
            "length": self.length,
            "vertices": self.vertices,
            "links": self.links,
            "ways": [asdict(way) for way in self.ways],
        }

    def picture(self) -> str:
        """Return a small drawing as SVG: cover used against the number of walks, for each way."""
        return cover_curves(self.curves, self.walks)

    def lines(self, way: Way) -> list[str]:
        """Return what there is to know about one way, in lines."""
        many = "any number of walks fits" if way.most_walks is None else _about(way.most_walks)
        return [
            f"{way.way}: {'fits' if way.fits else 'does not fit'}; {many}. {way.note}",
            f"  outsiders: {_outsiders(way)}",
            f"  someone who lacks one link: {_insider(way, self.walks)}",
            f"  {way.command}",
        ]

    def __str__(self) -> str:
        ways = ["\n".join(self.lines(way)) for way in self.ways]
        return "\n\n".join([self.verdict, *ways, "Fewer fit if routes share links."])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{way.way}</td><td>{'yes' if way.fits else 'no'}</td>"
            f"<td>{'any' if way.most_walks is None else way.most_walks}</td>"
            f"<td>{escape(_outsiders(way))}</td><td>{escape(_insider(way, self.walks))}</td>"
            f"<td><code>{escape(way.command)}</code></td></tr>"
            for way in self.ways
        )
        heads = ("way", "fits", "walks that fit", "outsiders", "someone who lacks one link", "type")
        head = "".join(f"<th>{name}</th>" for name in heads)
        return f"<p>{escape(self.verdict)}</p><table><tr>{head}</tr>{rows}</table>{self.picture()}"


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
    BadNetwork
        If neither or both of network and size are given, or no path is that long.

    *Cost*: two seconds at 1,000 vertices.

    Examples
    --------
    >>> made = plan(vertices=40, links=61, walks=30, length=6)
    >>> made.fits, made.way("series").fits, made.way("envelopes").fits
    (False, False, True)
    """
    whole = isinstance(walks, int) and isinstance(length, int)
    if not whole or not 1 <= walks <= MOST_WALKS or not 1 <= length <= LONGEST_WALK:
        raise BadNetwork(
            f"walks={walks!r} of length={length!r}; expected 1 to {MOST_WALKS:,} walks of 1 to "
            f"{LONGEST_WALK:,} links"
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
    usage = usage_for(length, len(network.pairs))
    planner = _Planner(network, series, walks, length, alike, given, usage)
    ways = (
        planner.once(),
        planner.coins(),
        planner.series(),
        planner.grouping(),
        planner.envelopes(),
    )
    public = [way for way in ways if way.fits and way.way != "envelopes"]
    return Plan(
        _verdict(ways, walks, length),
        bool(public),
        walks,
        length,
        len(network),
        len(network.pairs),
        ways,
        planner.curves(),
    )


def usage_for(length: int, links: int) -> Fraction:
    """Return the usage to begin a series with: 1.4 l/m, rounded up to a step of the ladder.

    >>> usage_for(6, 61), usage_for(4, 61), usage_for(9, 10)
    (Fraction(3, 20), Fraction(1, 10), Fraction(1, 2))
    """
    wanted, decade = Fraction(str(FIT)) * length / links, Fraction(1)
    while wanted < decade:
        decade /= 10
    step = next(s * decade / 10 for s in LADDER if s * decade / 10 >= wanted)
    return min(step, Fraction(1, 2))


def lacking_one_link(chance: float) -> tuple[int, int]:
    """Return how often in 100 someone who lacks one link guesses it, and is certain of it.

    A rival join passes for the link if it shows what the link shows, which has this chance.

    >>> lacking_one_link(0.5), lacking_one_link(1.0)
    ((47, 13), (25, 0))
    """
    right = guess_right(JOINS, chance if chance > SURE else 0.0)
    return floor(100 * right + 0.5), floor(100 * (1 - chance) ** (JOINS - 1) + 0.5)


@dataclass(frozen=True, eq=False)
class _Planner:
    """The ways one by one."""

    network: Network
    expected: ExpectedSeries
    walks: int
    length: int
    alike: bool
    given: bool
    usage: Fraction

    @property
    def sketched(self) -> bool:
        return len(self.network) > PACKED_LIMIT

    @property
    def pairs(self) -> int:
        return len(self.network) * (len(self.network) - 1) // 2

    def once(self) -> Way:
        guessed, certain = lacking_one_link(0.5)
        return Way(
            "once",
            self.walks == 1,
            1,
            self._share(Coins(log(2), log(2)), 1),
            guessed,
            certain,
            guessed,
            certain,
            None,
            f"pathveil publish NETWORK WALK -o FILE{self._form()}",
            self._bytes(0.5),
            "A network's first release is never refused: its certificate says what it costs.",
        )

    def coins(self) -> Way:
        loss, rate = self._fresh()
        law = self._coins_law()
        most = self.expected.most_walks(law)
        later = exp(-law.on - (self.walks - 1) * law.off)
        policy = "balanced" if rate == 0.5 else f"frontier:walk_loss={loss}"
        return Way(
            "coins",
            self.walks <= most,
            most,
            self._share(law, self.walks),
            *lacking_one_link(rate),
            *lacking_one_link(later),
            f"{float(self.usage):g}",
            f"pathveil publish NETWORK WALK -o FILE --policy {policy} --ledger DB{self._form()}",
            self._bytes(rate),
            "Fresh coins for each release. The rate of chaff is public and tells roughly how many "
            "links there are.",
        )

    def series(self) -> Way:
        law = self._series_law()
        most = self.expected.most_walks(law)
        first = law.on / (law.on + law.off)
        policy = (
            "remembering:prior=1/2,1/2"
            if self.alike
            else f"remembering:usage={float(self.usage):g}"
        )
        return Way(
            "series",
            self.walks <= most and not self.sketched,
            most,
            self._share(law, self.walks),
            *lacking_one_link(first),
            *lacking_one_link(exp(-urn_loss(law, 1, self.walks))),
            None if self.alike else f"{float(self.usage):g}",
            f"pathveil batch NETWORK WALKS -o OUT --policy {policy}",
            self._bytes(first),
            "Chaff remembers what was shown. The usage will be public; it tells roughly how many "
            "links there are."
            if not self.alike
            else "Chaff remembers what was shown, and follows routes that repeat.",
        )

    def grouping(self) -> Way:
        degrees = np.bincount(self.network.pairs.ravel(), minlength=len(self.network))
        classes = min(
            recommended_classes(
                rounded_up(len(self.network.pairs)), rounded_up(int(degrees.max()))
            ),
            len(self.network),
        )
        members = len(self.network) / classes
        among = 2 * log(members)
        used = self.length
        left = used * (among - GROUPED_LOSS)
        fits = members >= USEFUL and left >= max(SPARE, SPARE_SHARE * used * among)
        load = len(self.network.pairs) / max(classes * (classes - 1) / 2, 1)
        figures = lacking_one_link(max(1 - load, 0) * 0.5)
        about = f"about {classes} classes of {members:.1f} vertices"
        eyes = "for your eyes only: it follows from the network's degrees"
        return Way(
            "grouping",
            fits,
            None if fits else 1,
            GROUPED_LOSS / among if among > 0 else None,
            *figures,
            *lacking_one_link(max(1 - load, 0) * 0.5 ** min(self.walks, 60)),
            None,
            "pathveil group NETWORK -o groups.json, then pathveil batch ... --groups groups.json",
            ceil(classes * (classes - 1) / 16),
            f"Before the first release: {about}"
            + (
                f" ({eyes})."
                if self.given
                else "; how many the network needs follows from its hubs."
            ),
        )

    def envelopes(self) -> Way:
        figures = lacking_one_link(0.5)
        return Way(
            "envelopes",
            True,
            None,
            None,
            *figures,
            *lacking_one_link(0.5**self.walks),
            None,
            "pathveil publish NETWORK WALK -o FILE --to KEY",
            self._bytes(0.5),
            "Files are encrypted to their readers: outsiders get nothing. The figures are for a "
            "reader who lacks one link.",
        )

    def curves(self) -> dict[str, tuple[tuple[int, float], ...]]:
        """Return cover used after some numbers of walks, by way."""
        laws: dict[str, Coins | Urns] = {"coins": self._coins_law(), "series": self._series_law()}
        most = 2 * max(self.walks, 5)
        steps = sorted({max(1, round(most * k / 12)) for k in range(1, 13)} | {1, self.walks})
        found = {
            name: tuple((walks, share) for walks in steps if (share := self._share(law, walks)))
            for name, law in laws.items()
        }
        grouping = self.grouping()
        if grouping.fits and grouping.cover is not None:
            found["grouping"] = tuple((walks, grouping.cover) for walks in steps)
        return found

    def _share(self, law: Coins | Urns, walks: int) -> float | None:
        if self.expected.alike is not None:
            return None if walks > 4 * self.walks else self.expected.drawn_share(law, walks)
        loss, length = self.expected.expected(law, walks)
        return round(loss / length, 4) if length > 0 else inf

    def _fresh(self) -> tuple[str, float]:
        """Return the walk loss to type for fresh coins at the usage rate, and that rate."""
        if self.usage >= Fraction(1, 2):
            return "", 0.5
        loss = f"{-log(float(self.usage)):.2f}"
        return loss, exp(-float(loss))

    def _coins_law(self) -> Coins:
        _, rate = self._fresh()
        return Coins(-log(1 - rate), -log(rate))

    def _series_law(self) -> Urns:
        if self.alike:
            return Urns(0.5, 0.5)
        usage = float(self.usage)
        return Urns(4.0, 4.0 * (1 - usage) / usage)

    def _form(self) -> str:
        return " --form sketch --capacity N" if self.sketched else ""

    def _bytes(self, rate: float) -> int:
        if self.sketched:
            bits = 1 if rate == 0.5 else max(1, ceil(-log2(rate)) + 4)
            return ceil(1.1 * bits * len(self.network.pairs) / 8)
        entropy = -rate * log2(rate) - (1 - rate) * log2(1 - rate)
        return ceil(self.pairs * entropy / 8)


def _typical_network(vertices: int | None, links: int | None) -> Network:
    """Return a random connected network of this size: an example."""
    if vertices is None or links is None:
        raise BadNetwork(
            "give a network, or its numbers: vertices= and links= (--vertices N --links M)"
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
    chosen = {_key(int(order[i]), int(order[k + 1])) for k, i in enumerate(before.tolist())}
    while len(chosen) < links:
        for i, j in random.integers(0, vertices, (links - len(chosen), 2)).tolist():
            if i != j:
                chosen.add(_key(i, j))
    width = len(str(vertices))
    return Network.from_links((f"{i:0{width}}", f"{j:0{width}}") for i, j in sorted(chosen))


def _key(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i < j else (j, i)


def _verdict(ways: tuple[Way, ...], walks: int, length: int) -> str:
    once, coins, series, grouping, _ = ways
    these = f"{counted(walks, 'walk')} of {counted(length, 'link')}"
    if once.fits:
        return f"Fits: one walk of {counted(length, 'link')} is a single release."
    best = coins if coins.fits and not series.fits else series
    if best.fits:
        also = "; over a grouping any number does" if grouping.fits else ""
        return (
            f"{these} fit this network {_as(best)}: they use {best.cover or 0:.0%} of its cover, "
            f"and {_about(best.most_walks or 0)}{also}."
        )
    if grouping.fits:
        return f"{these} fit this network only over a grouping, drawn before the first release."
    return (
        f"{these} do not fit this network in public: {_about(best.most_walks or 0)}, {_as(best)}. "
        "Publish fewer, or encrypt the files to their readers (--to)."
    )


def _as(way: Way) -> str:
    return "as one series" if way.way == "series" else "with fresh coins"


def _about(walks: int) -> str:
    return "only the first fits" if walks == 1 else f"about {walks:,} fit"


def _outsiders(way: Way) -> str:
    if way.way == "envelopes":
        return "get nothing"
    if way.cover is None:
        return "see the walks"
    return f"{min(way.cover, 9.99):.0%} of the cover used"


def _insider(way: Way, walks: int) -> str:
    first = f"guesses it right in {way.guessed} of 100 first releases, certain in {way.certain}"
    if walks == 1:
        return first
    return (
        f"{first}; after all {walks:,} right in {way.guessed_after}, certain in {way.certain_after}"
    )
