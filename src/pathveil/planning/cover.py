"""How much of the cover is used: what the links of released walks lost, against what hides them.

Theory of operation. An outsider has every public file and knows no link. Each link of the walks has
lost something by being shown: LOSS, the sum over the links used, is what all files together tell
him. What he would have to learn is which pairs are links and which paths the walks are: D, the
length of the shortest description of that secret, in nats. His chance to name the whole secret is
at most e^-(D - LOSS) on average, even if the unused links are handed to him
(docs/explanation/how-many-walks-fit.md has the proof). So D is
the *cover* and LOSS is the part of it that is used. Both follow from the network, the walks and the
public law. No coin is asked and no search is run, so the answer is there before any chaff is drawn,
and another try gives the same one.

A corner of the network that is used much can stand out while the whole looks harmless. So links are
peeled off, at each step the one whose going leaves the most conspicuous rest: :attr:`Cover.excess`
is how far the most conspicuous part met on the way exceeds what chaff shows by chance.

D is the shortest of six descriptions, each a model of what an outsider may expect:
:mod:`pathveil.planning.description_lengths` has them.

Each walk is asked about as well: what its links lost must stay below what it takes to describe it
alone. So is a stretch that walks share, described once together with the releases that use it.

*Privacy*: every number here is a function of the secret: for the custodian's eyes alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain, groupby
from math import exp, inf, log

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import IndexArray
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.description_lengths import Extent, Peeling, Shape, log_hand_outs, shape
from pathveil.planning.link_shape import UnusedLinks
from pathveil.planning.named_links import chaff_counts, named_links
from pathveil.planning.path_counts import PathCounts, log_beta, log_choose, log_falling, paths_of
from pathveil.wording import counted

FloatArray = npt.NDArray[np.float64]
Link = tuple[str, str]

SPARE = 4.0
"""Nats that each walk, and all together, keep from the second release on: e^-4 is 2 in 100."""
SPARE_SHARE = 0.1
"""The share of the cover that always stays unused."""


# -- what was released ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coins:
    """Fresh coins: what a link pays in one release, by how often its walk uses it.

    Parameters
    ----------
    off, on, more
        Losses of a link that the walk does not use, uses once, and for each further use.
    once
        What the file costs in addition, whatever it shows: the seed of a sketch.
    copies
        Public number of copies of each vertex.
    at_most
        Whether these are bounds and not the exact losses.
    """

    off: float
    on: float
    more: float = 0.0
    once: float = 0.0
    copies: int = 1
    at_most: bool = False

    def loss(self, uses: int, files: int) -> float:
        """Return what a link loses that some files use once each, and the others do not."""
        return uses * self.on + (files - uses) * self.off

    def counts(self, files: int) -> FloatArray:
        """Return the chance that 0, 1, 2 and so on of some files show chaff as a link on a walk."""
        off = exp(-self.off)
        on = 1 - off
        if self.copies > 1:  # a link shows one pair of copies; chaff may show several, or too many
            on = min(on, self.copies**2 * exp(-self.on))
        return (on + off) ** files * chaff_counts(files, on, off)


@dataclass(frozen=True, slots=True)
class Urns:
    """One series of chaff that remembers: Polya's urn with ``on`` and ``off`` balls at first.

    Parameters
    ----------
    states
        How many patterns of copies mean *on the walk*.
    series
        Which series a release belongs to.
    """

    on: float
    off: float
    states: int = 1
    copies: int = 1
    series: Hashable = ""

    def loss(self, uses: int, files: int) -> float:
        """Return what a link loses that is on ``uses`` of ``files`` walks of a series (T7).

        >>> round(Urns(0.5, 0.5).loss(0, 100), 2)
        2.88
        """
        before = log_beta(self.on, self.off)
        after = log_beta(uses + self.on, files - uses + self.off)
        return before - after + uses * log(self.states)

    def counts(self, files: int) -> FloatArray:
        """Return the chance that 0, 1, 2 and so on of some files show chaff as a link on a walk."""
        return chaff_counts(files, self.on, self.off, more=1)


@dataclass(frozen=True, slots=True, repr=False)
class Classes:
    """A grouping: walks between classes count as read, links stay hidden among their classes.

    Parameters
    ----------
    digest
        Which grouping it is.
    loss
        What a link lost when the grouping was drawn, once for all releases.
    sizes
        How many members the class of each visited vertex has.
    """

    digest: str
    loss: float
    sizes: Mapping[str, int] = field(hash=False, compare=False)

    @classmethod
    def of(cls, grouping: Grouping, walks: Iterable[Walk], loss: float) -> Classes:
        """Return the law of walks over a grouping."""
        names = sorted({name for walk in walks for name in walk.vertices})
        members = grouping.sizes[grouping.classes_of(names)].tolist()
        return cls(grouping.digest, loss, dict(zip(names, members, strict=True)))


Law = Coins | Urns | Classes


@dataclass(frozen=True, slots=True, repr=False)
class CountedRelease:
    """One public file over a network: what it was then, the walks in the file, the public law.

    Parameters
    ----------
    shows
        Whether the file shows a pair on the walk; asked only for pairs that were no link then and
        became one later in the same series. None: unknown, and the worst is assumed.
    """

    network: Network
    walks: tuple[Walk, ...]
    law: Law
    shows: Callable[[Link], bool] | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Life:
    """All public releases of one network, in order.

    Parameters
    ----------
    pairs
        Pairs that may be links, where a public universe says so; else all pairs of vertices.
    """

    releases: tuple[CountedRelease, ...]
    pairs: int | None = None

    def and_then(self, *releases: CountedRelease) -> Life:
        """Return this life with more releases at its end."""
        return Life((*self.releases, *releases), self.pairs)


# -- the answer -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cover:
    """How much of a network's cover its public releases use. For the custodian.

    Attributes
    ----------
    releases, walks
        How many files and walks were counted.
    loss, description
        LOSS of the links used, and D, in nats.
    by
        Which description is the shortest.
    excess
        By how many nats the most conspicuous part exceeds what chaff shows by chance.
    part
        The links of that part.
    at_most
        Whether the loss is a bound.
    named
        How many links of the network outsiders name on average who count how many files show each
        pair; None over a grouping or a network that changed, and where losses are no exact, finite
        numbers.
    """

    releases: int
    walks: int
    loss: float
    description: float
    by: str
    excess: float
    part: tuple[Link, ...] = field(default=(), repr=False)
    at_most: bool = False
    named: float | None = None

    @property
    def share(self) -> float:
        """The share of the cover that is used."""
        if self.description > 0:
            return self.loss / self.description
        return inf if self.loss > 0 else 0.0

    @property
    def used(self) -> str:
        """The share in words."""
        return f"{'over ' * (self.share > 10)}{min(self.share, 10):.0%} of cover used"

    @property
    def left(self) -> float:
        """Headroom: nats of cover that are left."""
        return self.description - self.loss

    @property
    def spare(self) -> float:
        """Nats of cover that must stay unused."""
        return max(SPARE, SPARE_SHARE * self.description)

    @property
    def closed(self) -> bool:
        """Whether these releases must not all be public: never so for a single one."""
        return self.releases > 1 and not (self.excess <= 0 and self.left >= self.spare)

    @property
    def limit(self) -> float:
        """The share of the cover that may be used."""
        return max(1 - self.spare / self.description, 0.0) if self.description > 0 else 0.0

    @property
    def sentence(self) -> str:
        """What this means, in one sentence."""
        walks = counted(self.walks, "walk")
        if self.loss == inf:
            return (
                f"{counted(len(self.part), 'link')} of the {walks} would be shown as a link "
                "outright: losses of these files have no bound"
            )
        if self.closed and not self.limit:
            return f"there is too little cover for {walks} in public, whatever the chaff"
        times = f"{self.share:.0%} of" if self.share < 3 else f"{self.share:.0f} times"
        most = "at most " if self.at_most else ""
        if not self.closed:
            return f"{walks} use {most}{times} the cover".replace("1 walk use", "1 walk uses")
        used = f"{walks} would use {most}{times} the cover"
        if self.left >= self.spare:
            if self.by != "classes":
                links = counted(len(self.part), "link")
                own = "has no cover of its" if len(self.part) == 1 else "have no cover of their"
                return f"{links} of these {walks} {own} own left, though the whole has some"
            links = counted(len(self.part), "link")
            return f"{links} of these {walks} would stand out from the chaff, whatever is left"
        return f"{used}, and {self.limit:.0%} may be used"


def cover(life: Life) -> Cover:
    """Return how much of the cover of a network its releases use.

    *Cost*: counting simple paths, and peeling: quadratic in the links used, whatever the network.

    Examples
    --------
    >>> network, law = Network.parse("ab bc cd de ef fg gh ah be dg"), Coins(log(2), log(2))
    >>> walks = [Walk("abcd"), Walk("efgh"), Walk("bedg")]
    >>> life = Life(tuple(CountedRelease(network, (walk,), law) for walk in walks))
    >>> answer = cover(life)
    >>> round(answer.loss, 2), round(answer.description, 2), answer.by, answer.closed
    (18.71, 19.54, 'shape', True)
    """
    answers = list(_covers(life))
    worst = max(answers, key=lambda answer: (answer.closed, answer.share))
    return replace(worst, named=answers[0].named)


def is_open(life: Life) -> bool:
    """Return whether :func:`cover` is not closed; where the whole is, no part is looked for."""
    return not any(answer.closed for answer in _covers(life, briefly=True))


def _covers(life: Life, *, briefly: bool = False) -> Iterator[Cover]:
    """Yield the cover of all releases, of some of them, and of some of their walks."""
    for some in chain([life], _parts(life)):
        yield _cover_of_all(some, briefly=briefly)
    yield from _costly_walks(life)


def _parts(life: Life) -> Iterator[Life]:
    """Yield some of the releases that an outsider may look at alone, leaving the others aside.

    A release may add more to the description of everything than its links lose: walks under much
    noise, or over a much larger version of the network. Such releases must not pay for others. So
    the costlier releases are asked about without the cheaper ones, and the walks among the vertices
    of each version, and of all later versions in common, without the rest.
    """
    releases = life.releases
    if any(isinstance(release.law, Classes) for release in releases):
        return
    prices = sorted({_price(release.law) for release in releases})
    for price in prices[1:]:
        costly = tuple(release for release in releases if _price(release.law) >= price)
        yield Life(costly, life.pairs)
    versions = {id(release.network): release.network for release in releases}
    names = {key: frozenset(network.vertices) for key, network in versions.items()}
    if len(set(names.values())) == 1:
        return
    each = [names[id(release.network)] for release in releases]
    common = accumulate(reversed(each), lambda names, others: names & others)
    for scope in dict.fromkeys([*each, *common]):
        inside = [
            _among(release, scope)
            for release in releases
            if all(scope.issuperset(walk.vertices) for walk in release.walks)
        ]
        for price in prices:
            yield Life(tuple(release for release in inside if _price(release.law) >= price))


def _costly_walks(life: Life) -> Iterator[Cover]:
    """Yield the cover of the walks of costlier releases, with what all files show of their links.

    Of a walk under rare chaff little is in doubt, and files under much chaff test it. So walks of
    the costlier releases must keep as much cover as all walks together.
    """
    prices = sorted({_price(release.law) for release in life.releases})[1:]
    if not prices or prices[-1] == inf:
        return
    used = _Used(life)
    losses = used.losses()
    peeling = used.peeling(losses)
    for price in prices:
        part, walks = np.zeros(len(losses), dtype=bool), 0
        for place, _, steps in used.rows:
            if _price(life.releases[place].law) >= price:
                part[steps] = True
                walks += 1
        peeling.restrict(part)
        lost, length = float(losses[part].sum()), peeling.length()
        links = tuple(used.links[k] for k in np.flatnonzero(part).tolist())
        yield Cover(len(life.releases), walks, lost, length, "prior", lost - length, links)


def _price(law: Law) -> float:
    """Return what a link of the walk loses by one release; in a series all releases are alike."""
    return law.on if isinstance(law, Coins) else 0.0


def _among(release: CountedRelease, names: frozenset[str]) -> CountedRelease:
    """Return a release as it looks between some of the vertices."""
    network = release.network
    if names.issuperset(network.vertices):
        return release
    links = [link for link in network.links if names.issuperset(link)]
    return replace(release, network=Network.from_links(links, connected=False))


def _cover_of_all(life: Life, *, briefly: bool) -> Cover:
    """Return how much of the cover all these releases together use.

    Briefly: what stands out is not looked for where the whole is closed.
    """
    releases, walks = len(life.releases), sum(len(release.walks) for release in life.releases)
    if not releases:
        return Cover(0, 0, 0.0, 0.0, "prior", 0.0)
    groupings = {r.law.digest if isinstance(r.law, Classes) else None for r in life.releases}
    if len(groupings) > 1:  # they undo each other
        return Cover(releases, walks, inf, 0.0, "classes", inf)
    if None not in groupings:
        return _grouped_cover(life, walks)
    at_most = any(isinstance(r.law, Coins) and r.law.at_most for r in life.releases)
    used = _Used(life)
    losses, once = used.losses(), used.once()
    loss = float(losses.sum()) + once
    lengths = used.descriptions()
    by = min(lengths, key=lengths.__getitem__)
    excess = loss - lengths[by]
    answer = Cover(releases, walks, loss, lengths[by], by, excess, at_most=at_most)
    if briefly and answer.closed:
        return answer
    if loss == inf:
        part = np.flatnonzero(losses == inf).tolist()
    else:
        excess, part = max(
            (excess, list(range(len(losses)))),
            used.peeling(losses, once).most_conspicuous(),
            used.alone(losses),
            used.unused.at_hubs(losses, (steps for _, _, steps in used.rows)),
            key=lambda answer: answer[0],
        )
    links = tuple(used.links[k] for k in part)
    one = len({id(release.network) for release in life.releases}) == 1
    named = used.named() if one and not at_most and loss < inf else None
    return replace(answer, excess=excess, part=links, named=named)


def descriptions(life: Life) -> dict[str, float]:
    """Return the lengths of the six descriptions of all that these plain releases hide, in nats.

    Examples
    --------
    >>> network = Network.parse("ab bc cd de ef")
    >>> life = Life((CountedRelease(network, (Walk("abc"),), Coins(log(2), log(2))),))
    >>> {name: round(length, 2) for name, length in descriptions(life).items()}
    {'prior': 3.74, 'set': 4.09, 'pairs': 4.95, 'degrees': 7.77, 'rest': 3.3, 'shape': 5.29}
    """
    return _Used(life).descriptions()


# -- the links that walks use, and what they lost -------------------------------------------------


class _Used:
    """The links that some walk uses, over a life. Rows are releases, columns are these links."""

    def __init__(self, life: Life) -> None:
        self.releases = life.releases
        numbers: dict[Link, int] = {}
        self.rows: list[tuple[int, Walk, list[int]]] = []
        for place, release in enumerate(life.releases):
            for walk in release.walks:
                steps = [numbers.setdefault(_ordered(step), len(numbers)) for step in walk.steps]
                self.rows.append((place, walk, steps))
        self.links = list(numbers)
        names = {name: k for k, name in enumerate(sorted({v for link in numbers for v in link}))}
        self.ends = np.array([[names[u], names[v]] for u, v in self.links], dtype=np.int64)
        self.uses = np.zeros((len(life.releases), len(self.links)), dtype=np.int64)
        for place, _, steps in self.rows:
            np.add.at(self.uses[place], steps, 1)
        networks = {id(release.network): release.network for release in life.releases}
        present = {
            key: np.array([network.has_edge(*link) for link in self.links])
            for key, network in networks.items()
        }
        paths = {key: paths_of(network) for key, network in networks.items()}
        self.paths = [paths[id(release.network)] for release in life.releases]
        self.is_link = np.array([present[id(release.network)] for release in life.releases])
        self.extent = Extent.of(list(networks.values()), life.pairs)
        every = dict.fromkeys(self.links)  # the links used come first, in their order
        for network in networks.values():
            every |= dict.fromkeys(network.links)
        _, ends = np.unique(np.array(list(every)), return_inverse=True)
        self.every: IndexArray = ends.reshape(-1, 2)
        self.is_used = np.arange(len(self.every)) < len(self.links)

    def descriptions(self) -> dict[str, float]:
        """Return the lengths of the six descriptions."""
        walks: Counter[tuple[PathCounts, Shape]] = Counter()
        copied = 0.0
        for place, walk, _ in self.rows:
            walks[self.paths[place], shape(walk)] += 1
            law = self.releases[place].law
            if not isinstance(law, Classes):
                copied += log_hand_outs(walk, law.copies)
        within = PathCounts(int(self.ends.max()) + 1, self.ends)
        return self.extent.lengths(within, walks, self.unused.log_used(), copied)

    @cached_property
    def unused(self) -> UnusedLinks:
        """The links that no walk uses."""
        lost = sum(r.law.off for r in self.releases if isinstance(r.law, Coins))
        series = Counter(r.law for r in self.releases if isinstance(r.law, Urns))
        lost += sum(law.loss(0, count) for law, count in series.items())
        return UnusedLinks(self.extent.size, self.extent.pairs, self.every, self.is_used, lost)

    def named(self) -> float:
        """Return how many links an outsider names who counts how many files show each pair."""
        chaff = np.ones(1)
        for law, files in Counter(release.law for release in self.releases).items():
            assert not isinstance(law, Classes), "over a grouping everything counts as read"
            chaff = np.convolve(chaff, law.counts(files))
        links = np.bincount((self.uses > 0).sum(axis=0), minlength=len(chaff))
        links[0] += self.extent.links - len(self.links)
        return named_links(links, chaff, self.extent.pairs)

    def growth(self, place: int, walk: Walk) -> float:
        """Return ln b: by what paths of its network grow with each link of a walk."""
        return self.paths[place].log_growth(shape(walk)[1])

    def losses(self) -> FloatArray:
        """Return what each of these links lost by all releases in which it was a link."""
        total = np.zeros(len(self.links))
        by_law: dict[Law, list[int]] = {}
        for place, release in enumerate(self.releases):
            by_law.setdefault(release.law, []).append(place)
        for law, places in by_law.items():
            if isinstance(law, Urns):
                total += self._series_losses(law, places)
            elif isinstance(law, Coins):
                uses, present = self.uses[places], self.is_link[places]
                on = (law.on + k * law.more for k in range(int(uses.max())))
                table = np.array([law.off, *on])
                total += np.where(present, table[uses], 0.0).sum(axis=0)
        return total

    def _series_losses(self, urns: Urns, places: list[int]) -> FloatArray:
        on = self.uses[places] > 0
        always = self.is_link[places].all(axis=0)
        shown, releases = on.sum(axis=0), len(places)
        table = np.array([urns.loss(k, releases) for k in range(releases + 1)])
        losses: FloatArray = table[shown]
        for column in np.flatnonzero(~always).tolist():
            seen = [self._shown(place, column) for place in places]
            losses[column] = changing_urn_loss(urns, self.is_link[places, column].tolist(), seen)
        return losses

    def _shown(self, place: int, column: int) -> bool | None:
        """Return whether a file shows a pair on the walk; None if that is not known."""
        if self.is_link[place, column]:
            return bool(self.uses[place, column] > 0)
        shows = self.releases[place].shows
        return None if shows is None else shows(self.links[column])

    def once(self) -> float:
        """Return what the files cost besides: the seeds of sketches."""
        return sum(r.law.once for r in self.releases if isinstance(r.law, Coins))

    def peeling(self, losses: FloatArray, once: float = 0.0) -> Peeling:
        """Return how parts of these links stand out, given what each lost and what files cost."""
        rows = [list(dict.fromkeys(steps)) for _, _, steps in self.rows]
        growths = np.array([self.growth(place, walk) for place, walk, _ in self.rows])
        return Peeling(self.extent, self.ends, rows, growths, losses, once)

    def alone(self, losses: FloatArray) -> tuple[float, list[int]]:
        """Return the excess of the walk that hides least, or of a stretch that walks share.

        Each walk must keep :data:`SPARE`. Links in a row that the very same releases use are
        described once, with these releases.
        """
        releases, on = len(self.releases), self.uses > 0
        patterns, times = [column.tobytes() for column in on.T], on.sum(axis=0).tolist()
        answers: list[tuple[float, list[int]]] = []
        stretches: dict[tuple[int, ...], float] = {}
        for place, walk, steps in self.rows:
            links = list(dict.fromkeys(steps))
            length, growth = 0.0, self.growth(place, walk)
            for _, run in groupby(links, key=lambda link: patterns[link]):
                stretch = tuple(sorted(run))
                often = times[stretch[0]]
                if often > 1:
                    length += log(releases) + log_choose(releases - 1, often - 1)
                    shared = log_choose(releases, often)
                    stretches[stretch] = self._log_path(list(stretch), growth) + shared
            length += self._log_path(links, growth)
            answers.append((float(losses[links].sum()) - length + SPARE, links))
        for one, length in stretches.items():
            lost = float(losses[list(one)].sum())
            answers.append((lost - length - log(len(stretches)), list(one)))
        return max(answers, key=lambda answer: answer[0])

    def _log_path(self, links: list[int], growth: float) -> float:
        """Return how long it takes to say along which links one walk runs.

        It is a path of the network, or one that avoids all unused links, or one of links that are
        like the unused ones, as far as those beside it are found.
        """
        extent, count = self.extent, len(links)
        which = log_falling(extent.pairs, count) - log_falling(extent.links, count)
        length = which + log(extent.size / 2) + count * growth
        open_paths = extent.log_open_paths(count, len(self.links))
        return min(length, open_paths, self.unused.log_walk(links))


def _ordered(step: Link) -> Link:
    return (min(step), max(step))


def changing_urn_loss(urns: Urns, present: Sequence[bool], shown: Sequence[bool | None]) -> float:
    """Return what a pair loses that was a link in some releases of a series only.

    Where it was no link it paid nothing and the urn remembers what chaff showed; where that is not
    known, the costliest history counts.

    >>> urns = Urns(0.5, 0.5)
    >>> late = changing_urn_loss(urns, [False] * 20 + [True] * 10, [True] * 20 + [False] * 10)
    >>> round(late, 2)
    18.95
    """
    best = {0: 0.0}  # how often it was shown: the most it can have lost
    for release, (is_link, on) in enumerate(zip(present, shown, strict=True)):
        after: dict[int, float] = {}
        for count, lost in best.items():
            for choice in (False, True) if on is None else (on,):
                rate = (count + urns.on) / (release + urns.on + urns.off)
                cost = 0.0
                if is_link:
                    cost = log(urns.states / rate) if choice else -log(1 - rate)
                key = count + choice
                after[key] = max(after.get(key, -inf), lost + cost)
        best = after
    return max(best.values())


def _grouped_cover(life: Life, walks: int) -> Cover:
    """Return the cover over a grouping: it does not shrink with the number of walks.

    Links between two classes of one member are not hidden by it: they are the part that stands out.
    """
    links = sorted({link for r in life.releases for walk in r.walks for link in walk.links})
    laws = [r.law for r in life.releases if isinstance(r.law, Classes)]
    lost = max(law.loss for law in laws)
    sizes = {name: size for law in laws for name, size in law.sizes.items()}
    hidden = np.array([log(sizes[u] * sizes[v]) for u, v in links])
    excess = float(np.maximum(lost - hidden, 0.0).sum())
    part = tuple(links[k] for k in np.flatnonzero(hidden < lost).tolist())
    loss, total, releases = lost * len(links), float(hidden.sum()), len(life.releases)
    return Cover(releases, walks, loss, total, "classes", excess, part, at_most=True)
