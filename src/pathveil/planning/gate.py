"""The gate: may this go out? Asked before any coin is drawn.

The answer is :func:`~pathveil.planning.cover.cover` of everything public over the network together
with what is about to be. It follows from the network, the walks and the public laws, never from a
coin: so another name, another try or a cut journal changes nothing, and nobody has to be trusted
not to try again. What cannot be counted is refused. Nothing overrides a closed gate; files that are
encrypted to their readers do not pass it.

*One network, one way.* A network's public releases are all of one way: *coins* (balanced, frontier,
sealed, two_sided: losses add up), *one series*, *one grouping*, or *one release* by the paper's
policy or engine. Plain files and grouped ones over the same network undo the grouping; a second
series or grouping undoes the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from math import inf, log

from pathveil.chance.source import Seeded
from pathveil.errors import BadGrouping, GateClosed, PathveilError
from pathveil.grouping.draw_grouping import group, recommend
from pathveil.grouping.grouping_loss import one_time_loss
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.universe import Universe
from pathveil.model.walk import Walk
from pathveil.planning.capacity import FEW, ExpectedSeries, last_open, usages_from
from pathveil.planning.cover import Classes, Coins, CountedRelease, Cover, Law, Life, Urns, cover
from pathveil.planning.description_lengths import shape
from pathveil.policies import Policy
from pathveil.sketching.sketch_release import seed_loss

ONLY = Coins(inf, inf)
"""What the paper's policy and engine cost: no finite loss, because the drawing follows the walk."""


# -- what a release counts as ---------------------------------------------------------------------


def law_of(policy: Policy, *, capacity: int | None = None, series: Hashable = "") -> Coins | Urns:
    """Return what links pay under a policy.

    Parameters
    ----------
    policy
        As it is drawn: of a sketch, with its rounded rates.
    capacity
        Of a sketch: the most links there may be. Its seed costs something.
    series
        Which series a release belongs to, where chaff remembers.

    Examples
    --------
    >>> law_of(Policy.balanced()).on == log(2)
    True
    >>> law_of(Policy.sealed())
    Coins(off=inf, on=0.0, more=0.0, once=0.0, copies=1, at_most=False)
    """
    copies = policy.copies
    if policy.kind.draws_copies or copies is None:
        return ONLY
    urn = policy.kind.urn
    if urn is not None:
        return Urns(float(urn.on), float(urn.off), policy.states, copies, series)
    once = 0.0
    if capacity is not None:
        assert policy.value_bits is not None, "a sketch rounds its rates"
        once = float(seed_loss(capacity, policy.value_bits).presence.loss())
    law = policy.law()
    off, on = (_loss(law.doubt, law.chance(on_walk=shown)) for shown in (False, True))
    if not policy.joint and copies > 1:
        pairs = copies**2
        return Coins(pairs * off, on + (pairs - 1) * off, on - off, once, copies, policy.noisy)
    return Coins(off, on, 0.0, once, copies, policy.noisy)


def _loss(doubt: object, chance: object) -> float:
    """Return what the presence of a link costs in a state that chaff shows with this chance."""
    wrong, shown = float(doubt), float(chance)  # type: ignore[arg-type]
    return inf if shown == 0 else log((1 - wrong + wrong * shown) / shown)


def counted_release(
    network: Network,
    walks: Sequence[Walk],
    policy: Policy,
    *,
    over: tuple[Grouping, float] | None = None,
    carried: bool = False,
    capacity: int | None = None,
    series: Hashable = "",
) -> CountedRelease:
    """Return a release as cover counts it.

    Parameters
    ----------
    over
        The grouping that it is published over, and what drawing it cost a link.
    carried
        Whether its layers are drawn by the paper's engine, which follows the walk.
    capacity, series
        As for :func:`law_of`.
    """
    law: Law
    if over is not None:
        law = Classes.of(over[0], walks, over[1])
    else:
        law = ONLY if carried else law_of(policy, capacity=capacity, series=series)
    return CountedRelease(network, tuple(walks), law)


def way_of(law: Law) -> tuple[str, Hashable]:
    """Return the way a release went: its kind, and which series or grouping it is.

    >>> way_of(ONLY), way_of(Coins(1.0, 1.0))
    (('one release', None), ('coins', None))
    """
    if isinstance(law, Classes):
        return "one grouping", law.digest
    if isinstance(law, Urns):
        return "one series", (law.on, law.off, law.states, law.copies, law.series)
    return ("one release", None) if law == ONLY else ("coins", None)


def life_of_files(
    publications: Iterable[Publication],
    network: Network,
    *,
    read: Callable[[Publication], Walk],
    over: tuple[Grouping, float] | None = None,
    universe: Universe | None = None,
) -> Life:
    """Return the life of a network that consists of these public files, without a ledger.

    Parameters
    ----------
    read
        Reads a file back with today's network.
    over
        As for :func:`counted_release`.
    universe
        The pairs that have coins in what is about to go out, if not all have.

    Raises
    ------
    GateClosed
        If a file does not read back as one walk through today's network: it cannot be counted. If
        one has another universe: whoever has both knows that every link is in both.
    """
    releases = []
    for place, publication in enumerate(publications, start=1):
        called, classes = publication.where or f"earlier file {place}", publication.grouped
        if (classes and classes.digest) != (over and over[0].digest):
            ways = ("coins or a series", "a grouping")
            raise _two_ways(*(ways if classes is None else reversed(ways)))
        if publication.universe != universe:
            raise GateClosed(
                f"not released: {called} has another universe than this. Links are in both, so two "
                "universes together give them away. Give the same --universe with every release, "
                "or encrypt the file to its readers (--to)"
            )
        try:
            walk = read(publication)
            walk.require_in(network)
        except PathveilError as error:
            raise GateClosed(
                f"not released: {called} does not read back as one walk through this network "
                f"({error}). If the network changed since, only a ledger can count this (--ledger)"
            ) from error
        policy = Policy.from_terms(publication.policy)
        sketch = publication.sketch
        releases.append(
            counted_release(
                network,
                [walk],
                policy,
                over=over,
                carried=publication.drawing is not None,
                capacity=None if sketch is None else sketch.capacity,
            )
        )
    return Life(tuple(releases), None if universe is None else universe.count)


# -- the question ---------------------------------------------------------------------------------


def require_open(life: Life, new: Sequence[CountedRelease]) -> Cover:
    """Return the cover that all releases together use, or raise if they must not go out.

    Parameters
    ----------
    life
        What is public over this network.
    new
        What is about to be, in order.

    Raises
    ------
    GateClosed
        With the reason and with what would fit instead.
    """
    require_one_way(life, new)
    _require_old_names(life, new)
    answer = cover_in_turn(life, new)
    if answer.closed:
        raise GateClosed(
            f"not released: {answer.sentence}. Nothing was drawn. What fits instead: "
            f"{'; '.join(remedies(life, new))}",
            cover=answer,
        )
    return answer


def cover_in_turn(life: Life, new: Sequence[CountedRelease]) -> Cover:
    """Return the cover that all releases use, or the first few that must not go out.

    An outsider may look at the first files alone. So many at once do not pass where the first ones
    would not: each of the first :data:`FEW` is asked about as if it went out by itself.
    """
    for count in range(1, min(len(new), FEW)):
        answer = cover(life.and_then(*new[:count]))
        if answer.closed:
            return answer
    return cover(life.and_then(*new))


def require_one_way(life: Life, new: Sequence[CountedRelease]) -> None:
    """Raise :class:`GateClosed` unless all public releases of a network go one way."""
    before = {way_of(release.law) for release in life.releases}
    ways = before | {way_of(release.law) for release in new}
    alone = ("one release", None) in ways and len(life.releases) + len(new) > 1
    if len(ways) <= 1 and not alone:
        return
    if alone:
        raise GateClosed(
            "not released: the paper's policy and engine draw layers that follow the walk, so such "
            "a file must stay a network's only public release. Choose another policy, or encrypt "
            "the file to its readers (--to)"
        )
    raise _two_ways(min(before or ways)[0], min(way_of(release.law)[0] for release in new))


def _require_old_names(life: Life, new: Sequence[CountedRelease]) -> None:
    """Raise :class:`GateClosed` where a vertex seems to be there under another name.

    A renamed vertex would make its links new ones, whose cover nobody has used yet.
    """
    now = {id(release.network): release.network for release in new}
    earlier = {id(release.network): release.network for release in life.releases}
    for network in now.values():
        for before in (one for key, one in earlier.items() if key not in now):
            gone = set(before.vertices) - set(network.vertices)
            for name in sorted(set(network.vertices) - set(before.vertices)) if gone else ():
                near = network.neighbours(name)
                alike = Counter(
                    old
                    for other in near
                    if other in before
                    for old in before.neighbours(other)
                    if old in gone
                )
                for old, shared in alike.items():
                    if 2 * shared >= max(len(near), before.degree(old)):
                        raise GateClosed(
                            f"not released: {old!r} is gone from this network, and {name!r} is in "
                            "its place. If it is the same, give it the old name; if not, what it "
                            "hides cannot be counted: encrypt the file to its readers (--to)"
                        )


def _two_ways(before: str, wanted: str) -> GateClosed:
    return GateClosed(
        f"not released: one network, one way. This network's public releases are by {before}, and "
        f"this is by {wanted} with other terms; together they give away what each hides. Go on as "
        "before, or encrypt the files to their readers (--to). A grouping is drawn before the "
        "first release"
    )


def remedies(life: Life, new: Sequence[CountedRelease]) -> list[str]:
    """Return what would fit instead, in words."""
    choices = []
    fits = last_open(lambda count: not cover_in_turn(life, new[:count]).closed, 0, len(new) - 1)
    if fits:
        choices.append("the first walk" if fits == 1 else f"the first {fits} walks")
    law, network = new[-1].law, new[-1].network
    walks = [walk for release in new for walk in release.walks]
    if isinstance(law, Urns) and not life.releases:
        mean = round(sum(len(walk.links) for walk in walks) / len(walks))
        for usage in usages_from(max(1, mean), len(network.pairs)):
            fitted = Urns(4.0, 4.0 * float(1 / usage - 1), law.states, law.copies)
            if not cover_in_turn(life, [replace(r, law=fitted) for r in new]).closed:
                choices.append(f"all of them with usage={float(usage):g}")
                break
    before = life.releases[-1].law if life.releases else law
    as_before = [replace(release, law=before) for release in new]
    if isinstance(law, Coins) and before != law and not cover_in_turn(life, as_before).closed:
        choices.append("all of them by the policy of the last file")
    if not isinstance(law, Classes) and not life.releases:
        over = cover_over_grouping(network, walks)
        if over is not None and not over[1].closed:
            choices.append("all of them over a grouping (`pathveil group`, then --groups)")
    choices.append("any number encrypted to their readers (--to)")
    return choices


def cover_over_grouping(network: Network, walks: Sequence[Walk]) -> tuple[Grouping, Cover] | None:
    """Return the recommended grouping, drawn as an example, and the cover that walks use over it.

    None if no grouping is recommended for this network. The cover is that of the first two walks or
    of all of them, whichever the gate closes.
    """
    advice = recommend(network)
    if not advice.useful:
        return None
    try:
        grouping = group(network, classes=advice.classes, source=Seeded("an example"))
    except BadGrouping:
        return None
    over = (grouping, one_time_loss(network, grouping))
    releases = [counted_release(network, [walk], Policy.balanced(), over=over) for walk in walks]
    few, every = (cover(Life(tuple(part))) for part in (releases[:2], releases))
    return grouping, few if few.closed else every


def expected_walks(network: Network, walk: Walk) -> ExpectedSeries:
    """Return a series of walks as long as this one, of which one asks how many fit."""
    return ExpectedSeries(network, max(1, shape(walk)[1]))


def fitting_walks(
    network: Network,
    walk: Walk,
    policy: Policy,
    *,
    expected: ExpectedSeries | None = None,
    roughly: bool = False,
) -> int:
    """Return about how many walks as long as this one fit a network under a policy.

    Parameters
    ----------
    expected
        :func:`expected_walks`, where several policies are asked about: its paths are counted once.
    roughly
        Look at one series and no parts: for many policies at once.
    """
    law = law_of(policy)
    if law == ONLY or law.on == inf or getattr(law, "off", 0.0) == inf:
        return 1
    return (expected or expected_walks(network, walk)).most_walks(law, roughly=roughly)


def more_walks(life: Life) -> tuple[int, int]:
    """Return about how many more walks fit after all releases so far, and how many links each has.

    They are paths of the newest network, as long as the walks so far are on average.
    """
    last = life.releases[-1]
    if isinstance(last.law, Classes) or cover(life).closed:
        return 0, 0
    lengths = [len(walk.links) for release in life.releases for walk in release.walks]
    length = max(1, round(sum(lengths) / len(lengths)))
    return ExpectedSeries(last.network, length).more_walks(life, last.law), length
