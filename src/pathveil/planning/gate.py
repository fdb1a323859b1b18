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

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import inf, log

from pathveil.errors import GateClosed, PathveilError
from pathveil.grouping.grouping_loss import recommend
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.sketch import SketchedBits
from pathveil.model.walk import Walk
from pathveil.planning.capacity import ExpectedSeries
from pathveil.planning.cover import (
    Classes,
    Coins,
    CountedRelease,
    Cover,
    Law,
    Life,
    Link,
    Urns,
    cover,
    shape,
)
from pathveil.planning.plan import usage_for
from pathveil.policies import Policy
from pathveil.sketching.sketch_release import seed_loss

GROUPING_LOSS = 0.7
"""What a link loses when a grouping is drawn, where nobody says: the worst that was measured at the
recommended number of classes."""

ONLY = Coins(inf, inf)
"""What the paper's policy and engine cost: no finite loss, because the drawing follows the walk."""


# -- what a release counts as ---------------------------------------------------------------------


def law_of(policy: Policy, *, once: float = 0.0, series: Hashable = "") -> Coins | Urns:
    """Return what links pay under a policy.

    Parameters
    ----------
    policy
        As it is drawn: of a sketch, with its rounded rates.
    once
        What the seed of a sketch costs.
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
    carried: bool = False,
    grouping: Grouping | None = None,
    grouping_loss: float = GROUPING_LOSS,
    once: float = 0.0,
    series: Hashable = "",
    shows: Callable[[Link], bool] | None = None,
) -> CountedRelease:
    """Return a release as cover counts it.

    Parameters
    ----------
    carried
        Whether its layers are drawn by the paper's engine, which follows the walk.
    grouping, grouping_loss
        The classes that it is published over, and what drawing them cost a link.
    once, series
        As for :func:`law_of`.
    shows
        As for :class:`~pathveil.planning.cover.CountedRelease`.
    """
    law: Law = ONLY if carried else law_of(policy, once=once, series=series)
    if grouping is not None:
        law = Classes.of(grouping, walks, grouping_loss)
    return CountedRelease(network, tuple(walks), law, shows)


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
    grouping: Grouping | None = None,
) -> Life:
    """Return the life of a network that consists of these public files, without a ledger.

    Parameters
    ----------
    read
        Reads a file back with today's network.

    Raises
    ------
    GateClosed
        If a file does not read back as one walk through today's network: it cannot be counted.
    """
    releases = []
    pairs = None
    for place, publication in enumerate(publications, start=1):
        over = publication.grouped
        if (None if over is None else over.digest) != (grouping and grouping.digest):
            one, other = ("coins or a series", "a grouping")
            raise _two_ways(one, other, None) if over is None else _two_ways(other, one, None)
        try:
            walk = read(publication)
            walk.require_in(network)
        except PathveilError as error:
            raise GateClosed(
                f"not released: the {place}. earlier file does not read back as one walk through "
                f"this network ({error}). If the network changed since, only a ledger can count "
                "this (--ledger)",
                cover=None,
            ) from error
        policy = Policy.from_terms(publication.policy)
        bits = publication.bits
        once = 0.0
        if isinstance(bits, SketchedBits):
            once = float(seed_loss(bits.capacity, bits.shape.planes).presence.loss())
        if publication.universe is not None:
            pairs = publication.universe.count
        releases.append(
            counted_release(
                network,
                [walk],
                policy,
                carried=publication.drawing is not None,
                grouping=grouping,
                once=once,
            )
        )
    return Life(tuple(releases), pairs)


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
    answer = cover(life.and_then(*new))
    if answer.closed:
        raise GateClosed(
            f"not released: {answer.sentence}. Nothing was drawn. What fits instead: "
            f"{'; '.join(remedies(life, new))}",
            cover=answer,
        )
    return answer


def require_one_way(life: Life, new: Sequence[CountedRelease]) -> None:
    """Raise :class:`GateClosed` unless all public releases of a network go one way."""
    before = {way_of(release.law) for release in life.releases}
    ways = before | {way_of(release.law) for release in new}
    alone = ("one release", None) in ways and len(life.releases) + len(new) > 1
    if len(ways) <= 1 and not alone:
        return
    answer = Cover(len(life.releases) + len(new), 0, inf, 0.0, "set", inf, mixed=True)
    if alone:
        raise GateClosed(
            "not released: the paper's policy and engine draw layers that follow the walk, so such "
            "a file must stay a network's only public release. Choose another policy, or encrypt "
            "the file to its readers (--to)",
            cover=answer,
        )
    raise _two_ways(min(before or ways)[0], min(way_of(release.law)[0] for release in new), answer)


def _two_ways(before: str, wanted: str, answer: Cover | None) -> GateClosed:
    return GateClosed(
        f"not released: one network, one way. This network's public releases are by {before}, and "
        f"this is by {wanted} with other terms; together they give away what each hides. Go on as "
        "before, or encrypt the files to their readers (--to). A grouping is drawn before the "
        "first release",
        cover=answer,
    )


def remedies(life: Life, new: Sequence[CountedRelease]) -> list[str]:
    """Return what would fit instead, in words."""
    choices = []
    low, high = 0, len(new)
    while high - low > 1:
        middle = (low + high) // 2
        is_open = not cover(life.and_then(*new[:middle])).closed
        low, high = (middle, high) if is_open else (low, middle)
    if low:
        choices.append("the first walk" if low == 1 else f"the first {low} walks")
    law, network = new[-1].law, new[-1].network
    plain = not isinstance(law, Classes)
    if isinstance(law, Urns) and not life.releases:
        steps = [len(walk.links) for release in new for walk in release.walks]
        usage = usage_for(max(1, round(sum(steps) / len(steps))), len(network.pairs))
        fitted = Urns(4.0, 4.0 * float(1 / usage - 1), law.states, law.copies)
        tried = [CountedRelease(r.network, r.walks, fitted, r.shows) for r in new]
        if not cover(Life((), life.pairs, life.counts).and_then(*tried)).closed:
            choices.append(f"all of them with usage={float(usage):g}")
    if plain and not life.releases and recommend(network).useful:
        choices.append("all of them over a grouping (`pathveil group`, then --groups)")
    choices.append("any number encrypted to their readers (--to)")
    return choices


def expected_walks(network: Network, walk: Walk) -> ExpectedSeries:
    """Return a series of walks as long as this one, of which one asks how many fit."""
    return ExpectedSeries(network, max(1, shape(walk)[1]))


def fitting_walks(
    network: Network, walk: Walk, policy: Policy, *, expected: ExpectedSeries | None = None
) -> int:
    """Return about how many walks as long as this one fit a network under a policy.

    Parameters
    ----------
    expected
        :func:`expected_walks`, where several policies are asked about: its paths are counted once.
    """
    law = law_of(policy)
    if law == ONLY or law.on == inf or getattr(law, "off", 0.0) == inf:
        return 1
    return (expected or expected_walks(network, walk)).most_walks(law, roughly=True)


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
