"""How much of the cover is used: what the links of released walks lost, against what hides them.

Theory of operation. An outsider has every public file and knows no link. Each link of the walks has
lost something by being shown: LOSS, the sum over the links used, is what all files together tell
him. What he would have to learn is which pairs are links and which paths the walks are: D, the
length of the shortest description of that secret, in nats. His chance to name the whole secret is
at most e^-(D - LOSS) on average (docs/explanation/how-many-walks-fit.md has the proof). So D is
the *cover* and LOSS is the part of it that is used. Both follow from the network, the walks and the
public law. No coin is asked and no search is run, so the answer is there before any chaff is drawn,
and another try gives the same one.

A corner of the network that is used much can stand out while the whole looks harmless. So links are
peeled off, at each step the one whose going leaves the most conspicuous rest: :attr:`Cover.excess`
is how far the most conspicuous part met on the way exceeds what chaff shows by chance.

D is the shortest of four descriptions, each a model of what an outsider may expect:

- *prior*: m of the P pairs are links, and each walk is any simple path of the network;
- *set*: which pairs are used, and for each walk which path among these;
- *pairs*: which pairs are used, and walks that are drawn together with them; in both, pairs may be
  told by the vertices that they touch first, which is shorter where walks keep to a corner;
- *degrees*: how many links used each vertex has, a graph with these degrees, and its paths.

Walks that share a route, or a stretch of it, can be described once together with the releases that
use it. A stretch that exceeds such a description stands out like any other part.

*Privacy*: every number here is a function of the secret: for the custodian's eyes alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, groupby
from math import inf, lgamma, log

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import BoolArray, IndexArray
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.path_counts import PathCounts
from pathveil.planning.peeling import ShownWalks, log_choices, most_conspicuous
from pathveil.wording import counted

FloatArray = npt.NDArray[np.float64]
Link = tuple[str, str]

SPARE = 10.0
"""Nats of cover that always stay unused from the second release on (h0)."""
SPARE_SHARE = 0.1
"""The share of the cover that always stays unused."""
LEAST_GROWTH = 1.25
"""Ways to go on from a vertex that an outsider assumes at least, however sparse the links."""


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
    counts
        Path counts that are kept between questions about the same networks.
    """

    releases: tuple[CountedRelease, ...]
    pairs: int | None = None
    counts: dict[int, PathCounts] = field(default_factory=dict)

    def and_then(self, *releases: CountedRelease) -> Life:
        """Return this life with more releases at its end."""
        return Life((*self.releases, *releases), self.pairs, self.counts)

    def paths(self, network: Network) -> PathCounts:
        """Return the path counts of one of its networks."""
        key = id(network)
        if key not in self.counts:
            self.counts[key] = PathCounts(len(network), network.pairs)
        return self.counts[key]


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
    mixed
        Whether plain files and files over a grouping meet: they undo each other.
    """

    releases: int
    walks: int
    loss: float
    description: float
    by: str
    excess: float
    part: tuple[Link, ...] = field(default=(), repr=False)
    at_most: bool = False
    mixed: bool = False

    @property
    def share(self) -> float:
        """The share of the cover that is used."""
        if self.description > 0:
            return self.loss / self.description
        return inf if self.loss > 0 else 0.0

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
    def sentence(self) -> str:
        """What this means, in one sentence."""
        walks = counted(self.walks, "walk")
        if self.mixed:
            return (
                "plain files and files over a grouping are both public: together they undo the "
                "grouping"
            )
        if self.loss == inf:
            return (
                f"{counted(len(self.part), 'link')} of the {walks} would be shown as a link "
                "outright: losses of these files have no bound"
            )
        most = "at most " if self.at_most else ""
        if self.closed and self.description <= self.spare:
            return f"there is too little cover for {walks} in public, whatever the chaff"
        times = f"{self.share:.0%}" if self.share < 3 else f"{self.share:.0f} times"
        used = f"{most}{times} of the cover is used by {walks}".replace("times of", "times")
        if not self.closed:
            return used
        if self.left >= self.spare:
            return f"{counted(len(self.part), 'link')} that these walks use much stand out: {used}"
        return f"{used}, and it is full at {1 - self.spare / self.description:.0%}"


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
    (18.71, 21.92, 'pairs', True)
    """
    answers = [_cover_of_all(life), *map(_cover_of_all, _parts(life))]
    return max(answers, key=lambda answer: (answer.closed, answer.share))


def _parts(life: Life) -> Iterator[Life]:
    """Yield some of the releases that an outsider may look at alone, leaving the others aside.

    A release may add more to the description of everything than its links lose: walks under much
    noise, or over a much larger version of the network. Such releases must not pay for others. So
    the dearer releases are asked about without the cheaper ones, and the walks among the vertices
    of each version, and of all later versions in common, without the rest.
    """
    releases = life.releases
    if any(isinstance(release.law, Classes) for release in releases):
        return
    prices = sorted({_price(release.law) for release in releases})[1:]
    for price in prices:
        dear = tuple(release for release in releases if _price(release.law) >= price)
        yield Life(dear, life.pairs, life.counts)
    versions = [frozenset(release.network.vertices) for release in releases]
    if len(set(versions)) == 1:
        return
    common = accumulate(reversed(versions), lambda names, others: names & others)
    for names in dict.fromkeys([*versions, *common]):
        inside = [release for release in releases if _is_among(release, names)]
        for price in (0.0, *prices):
            kept = tuple(
                _among(release, names) for release in inside if _price(release.law) >= price
            )
            yield Life(kept)


def _price(law: Law) -> float:
    """Return what a link of the walk loses by one release; in a series all releases are alike."""
    return law.on if isinstance(law, Coins) else 0.0


def _is_among(release: CountedRelease, names: frozenset[str]) -> bool:
    return all(names.issuperset(walk.vertices) for walk in release.walks)


def _among(release: CountedRelease, names: frozenset[str]) -> CountedRelease:
    """Return a release as it looks between some of the vertices."""
    network = release.network
    if names.issuperset(network.vertices):
        return release
    links = [link for link in network.links if names.issuperset(link)]
    return replace(release, network=Network.from_links(links, connected=False))


def _cover_of_all(life: Life) -> Cover:
    """Return how much of the cover all these releases together use."""
    walks = sum(len(release.walks) for release in life.releases)
    grouped = [isinstance(release.law, Classes) for release in life.releases]
    at_most = any(isinstance(r.law, Coins) and r.law.at_most for r in life.releases)
    if not life.releases:
        return Cover(0, 0, 0.0, 0.0, "prior", 0.0)
    if all(grouped):
        return _grouped_cover(life, walks)
    if any(grouped):
        return Cover(len(grouped), walks, inf, 0.0, "set", inf, mixed=True)
    used = _Used.of(life)
    losses, once = used.losses(), used.once()
    loss = float(losses.sum()) + once
    lengths = descriptions(life)
    by = min(lengths, key=lengths.__getitem__)
    if loss == inf:
        uncovered = tuple(
            link for link, each in zip(used.links, losses.tolist(), strict=True) if each == inf
        )
        return Cover(len(grouped), walks, inf, lengths[by], by, inf, uncovered, at_most)
    excess, part = most_conspicuous(used.shown(life), losses, once)
    again, stretch = used.repeated(life, losses)
    if again > excess:
        excess, part = again, stretch
    whole = loss - lengths[by]
    links = tuple(used.links[k] for k in part)
    if whole >= excess:
        excess, links = whole, tuple(used.links)
    return Cover(len(grouped), walks, loss, lengths[by], by, excess, links, at_most)


def descriptions(life: Life) -> dict[str, float]:
    """Return the lengths of the four descriptions of all that these plain releases hide, in nats.

    Examples
    --------
    >>> network = Network.parse("ab bc cd de ef")
    >>> life = Life((CountedRelease(network, (Walk("abc"),), Coins(log(2), log(2))),))
    >>> {name: round(length, 3) for name, length in descriptions(life).items()}
    {'prior': 3.738, 'set': 4.094, 'pairs': 4.946, 'degrees': 7.771}
    """
    used = _Used.of(life)
    size, links, pairs, count = used.size, used.all_links, used.pairs, len(used.links)
    ends = used.ends
    touched = len(np.unique(ends))
    within = PathCounts(touched, ends)
    growth = log(max(2 * count / touched - 1, LEAST_GROWTH))
    chosen = log_choices(size, touched, pairs, count)
    total = np.zeros(3)
    for release in life.releases:
        law, paths = release.law, life.paths(release.network)
        for walk in release.walks:
            closed, length, further = shape(walk)
            if closed:
                one = np.array([paths.log_cycles(length), within.log_cycles(length), 0.0])
                one[2] = max(length * growth - log(2 * length), 0.0)
            else:
                inside = (within.log_paths(length) - log(touched / 2)) / length
                one = np.array([paths.log_paths(length), within.log_paths(length), 0.0])
                one[:2] += further * np.maximum([paths.log_growth(length), inside], 0.0)
                one[2] = log(touched / 2) + (length + further) * growth
            total += one + _log_hand_outs(walk, 1 if isinstance(law, Classes) else law.copies)
    by_prior, by_set, by_pairs = total.tolist()
    return {
        "prior": _log_falling(pairs, count) - _log_falling(links, count) + by_prior,
        "set": chosen + by_set,
        "pairs": chosen + by_pairs,
        "degrees": _log_degree_graphs(size, ends) + by_set,
    }


def shape(walk: Walk) -> tuple[bool, int, int]:
    """Return how a walk is counted: whether it is a simple cycle, its links, and further steps.

    Of a walk that visits vertices again it is the longest simple piece, and the other steps.

    >>> shape(Walk("abcd")), shape(Walk("abca")), shape(Walk("abcbd"))
    ((False, 3, 0), (True, 3, 0), (False, 2, 2))
    """
    names = walk.vertices
    if walk.is_closed and len(set(names)) == len(names) - 1 and len(names) > 3:
        return True, len(names) - 1, 0
    longest, start = 1, 0
    seen: dict[str, int] = {}
    for place, name in enumerate(names):
        start = max(start, seen.get(name, -1) + 1)
        seen[name] = place
        longest = max(longest, place - start)
    return False, longest, len(names) - 1 - longest


# -- the links that walks use, and what they lost -------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class _Used:
    """The links that some walk uses, over a life. Rows are releases, columns are these links."""

    releases: tuple[CountedRelease, ...]
    links: list[Link]
    ends: IndexArray
    uses: IndexArray
    is_link: BoolArray
    size: int
    all_links: int
    pairs: int

    @classmethod
    def of(cls, life: Life) -> _Used:
        numbers: dict[Link, int] = {}
        for release in life.releases:
            for walk in release.walks:
                for step in walk.steps:
                    numbers.setdefault((min(step), max(step)), len(numbers))
        links = list(numbers)
        uses = np.zeros((len(life.releases), len(links)), dtype=np.int64)
        is_link = np.zeros(uses.shape, dtype=bool)
        rows: dict[int, BoolArray] = {}
        networks: dict[int, Network] = {}
        for place, release in enumerate(life.releases):
            for walk in release.walks:
                for link, times in walk.uses.items():
                    uses[place, numbers[link]] += times
            key = id(release.network)
            if key not in rows:
                networks[key] = release.network
                rows[key] = np.array([release.network.has_edge(*link) for link in links])
            is_link[place] = rows[key]
        size, all_links = _extent(list(networks.values()))
        names = sorted({end for link in links for end in link})
        place_of = dict(zip(names, range(len(names)), strict=True))
        ends = np.array([[place_of[u], place_of[v]] for u, v in links], dtype=np.int64)
        pairs = size * (size - 1) // 2 if life.pairs is None else life.pairs
        return cls(life.releases, links, ends, uses, is_link, size, all_links, pairs)

    def losses(self) -> FloatArray:
        """Return what each of these links lost by all releases in which it was a link."""
        total = np.zeros(len(self.links))
        series: dict[Urns, list[int]] = {}
        fresh: dict[Coins, list[int]] = {}
        for place, release in enumerate(self.releases):
            if isinstance(release.law, Urns):
                series.setdefault(release.law, []).append(place)
            elif isinstance(release.law, Coins):
                fresh.setdefault(release.law, []).append(place)
        for coins, places in fresh.items():
            uses, present = self.uses[places], self.is_link[places]
            table = np.array(
                [coins.off, *(coins.on + k * coins.more for k in range(int(uses.max())))]
            )
            total += np.where(present, table[uses], 0.0).sum(axis=0)
        for urns, places in series.items():
            total += self._series_losses(urns, places)
        return total

    def _series_losses(self, urns: Urns, places: list[int]) -> FloatArray:
        on = self.uses[places] > 0
        always = self.is_link[places].all(axis=0)
        shown, releases = on.sum(axis=0), len(places)
        table = np.array([urn_loss(urns, k, releases) for k in range(releases + 1)])
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

    def repeated(self, life: Life, losses: FloatArray) -> tuple[float, list[int]]:
        """Return the excess of stretches of links that several walks share, and these links.

        Links in a row that the very same releases use are described once, as a path of the network,
        with the releases that use it.
        """
        number = {link: k for k, link in enumerate(self.links)}
        patterns = [column.tobytes() for column in (self.uses > 0).T]
        walks = len(self.releases)
        stretches: dict[tuple[int, ...], float] = {}
        for release in self.releases:
            for walk in release.walks:
                steps = [number[min(step), max(step)] for step in walk.steps]
                growth = life.paths(release.network).log_growth(shape(walk)[1])
                for _, run in groupby(dict.fromkeys(steps), key=lambda link: patterns[link]):
                    links = tuple(sorted(run))
                    if (times := int((self.uses[:, links[0]] > 0).sum())) > 1:
                        stretches[links] = (
                            log(self.size / 2) + len(links) * growth + _log_choose(walks, times)
                        )
        best, part = -inf, []
        for links, path in stretches.items():
            count = len(links)
            which = _log_falling(self.pairs, count) - _log_falling(self.all_links, count)
            excess = float(losses[list(links)].sum()) - which - path - log(len(stretches))
            if excess > best:
                best, part = excess, list(links)
        return best, part

    def shown(self, life: Life) -> ShownWalks:
        """Return the walks as sequences of these links, for peeling."""
        number = {link: k for k, link in enumerate(self.links)}
        rows, growths = [], []
        for release in self.releases:
            paths = life.paths(release.network)
            for walk in release.walks:
                steps = dict.fromkeys(number[min(step), max(step)] for step in walk.steps)
                rows.append(list(steps))
                growths.append(paths.log_growth(shape(walk)[1]))
        return ShownWalks(rows, growths, self.ends, self.size, self.all_links, self.pairs)


def urn_loss(urns: Urns, shown: int, releases: int) -> float:
    """Return what a link loses that is on ``shown`` of ``releases`` walks of a series (T7).

    >>> round(urn_loss(Urns(0.5, 0.5), 0, 100), 2)
    2.88
    """
    before = _log_beta(urns.on, urns.off)
    after = _log_beta(shown + urns.on, releases - shown + urns.off)
    return before - after + shown * log(urns.states)


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
    if len({law.digest for law in laws}) > 1:
        return Cover(len(life.releases), walks, inf, 0.0, "classes", inf, mixed=True)
    law = max(laws, key=lambda law: law.loss)
    sizes = {name: size for one in laws for name, size in one.sizes.items()}
    hidden = [log(sizes[u] * sizes[v]) for u, v in links]
    uncovered = [link for link, among in zip(links, hidden, strict=True) if law.loss > among]
    excess = sum(max(law.loss - among, 0.0) for among in hidden)
    total = law.loss * len(links)
    return Cover(
        len(life.releases),
        walks,
        total,
        sum(hidden),
        "classes",
        excess,
        tuple(uncovered),
        at_most=True,
    )


# -- logarithms of counts -------------------------------------------------------------------------


def _extent(networks: Sequence[Network]) -> tuple[int, int]:
    """Return how many vertices and links several versions of a network have in all."""
    if len(networks) == 1:
        return len(networks[0]), len(networks[0].pairs)
    vertices = {name for network in networks for name in network.vertices}
    links = {link for network in networks for link in network.links}
    return len(vertices), len(links)


def _log_falling(number: float, count: int) -> float:
    return lgamma(number + 1) - lgamma(number - count + 1)


def _log_choose(number: float, count: float) -> float:
    return lgamma(number + 1) - lgamma(count + 1) - lgamma(number - count + 1)


def _log_beta(first: float, second: float) -> float:
    return lgamma(first) + lgamma(second) - lgamma(first + second)


def _log_hand_outs(walk: Walk, copies: int) -> float:
    """Return the logarithm of the number of ways to hand copies to the visits of a walk."""
    if copies == 1:
        return 0.0
    return sum(_log_falling(copies, visits) for visits in walk.visits.values())


def _log_degree_graphs(size: int, ends: IndexArray) -> float:
    """Return the length of: which vertex has which degree, and one of the graphs with them."""
    degrees = np.bincount(ends.ravel(), minlength=size)
    count = len(ends)
    kinds = Counter(degrees.tolist())
    length = lgamma(size + 1) - sum(lgamma(many + 1) for many in kinds.values())
    length += sum(2 * log(degree + 1) for degree in kinds)
    length += lgamma(2 * count + 1) - count * log(2) - lgamma(count + 1)
    length -= sum(many * lgamma(degree + 1) for degree, many in kinds.items())
    pull = float((degrees * (degrees - 1)).sum()) / (4 * count)
    return length - pull - pull**2
