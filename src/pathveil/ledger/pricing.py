"""The loss of each link by a release, and by many together: exact, for a ledger.

The ledger counts releases by *kind* for each link and knows no policy; this module names the kinds
and composes them. A kind is everything the loss of a link in one release depends on: the policy's
terms, how often the walk uses the link, how many copies its ends have.

Fresh coins are independent from release to release, so losses add up, exactly. Chaff that remembers
is one law for the whole series: there the loss follows from on how many of how many walks the link
lies, exactly; for a link that came to the network during the series, how often it was shown before
is not known here, and the worst is taken. What a grouping costs, once, is an estimate.

Which loss is counted: *presence*, for under most policies absence is not protected at all. A policy
that protects both is charged the larger of the two. So a sum bounds what tells that a link is
there, and where all releases are two-sided also what tells that it is not.

*Privacy*: charges tell the walk. They go to the ledger, which seals them, and nowhere else.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from hashlib import sha256
from math import inf
from typing import Any

from pathveil.chance.losses import Missing, exact_pattern_loss, losses_of, pattern_loss, urn_of
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.grouping.grouping_loss import one_time_loss
from pathveil.ledger.entries import Charge, DrawnRelease, Link
from pathveil.model.certificate import ENDLESS, NO_LOSS, Loss, PolicyTerms
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.publishing.terms import ReleaseTerms
from pathveil.sketching.sketch_release import seed_loss

LATE = "late "
"""Before the name of a kind: a release that was of this kind for the rest, made when the link was
not yet one of the network."""

ONCE = "once "
"""Before a decimal: what a grouping cost every link, once for all releases over it."""

_MANY = 65536


def price_release(
    walk: Walk,
    terms: ReleaseTerms,
    *,
    drawn: tuple[Publication, Network] | None = None,
    once: str | None = None,
) -> DrawnRelease:
    """Return what a release costs each link, as the ledger takes it; its bytes come later.

    Parameters
    ----------
    drawn
        The publication and its network, for a policy that draws copies: there the price depends on
        the draw (:attr:`PolicyKind.draws_copies`). Every other price is known before.
    once
        What the grouping costs, if this is the first release over it.

    Examples
    --------
    >>> price = price_release(Walk("abc"), ReleaseTerms())
    >>> sorted(price.charges), [str(loss) for loss in compose_losses([{price.rest: 1}])]
    ([('a', 'b'), ('b', 'c')], ['ln 2 = 0.6932'])
    """
    policy = terms.in_use
    if policy.kind.draws_copies:
        assert drawn is not None, "copies are drawn, and the price depends on them"
        kinds = _all_kinds(*drawn, walk, policy)
        rest = Counter(kind for kind, _ in kinds.values()).most_common(1)[0][0]
    else:
        series = sha256(terms.text.encode()).hexdigest()[:16] if terms.remembers else None
        name = partial(kind_name, policy, series=series, capacity=terms.capacity)
        rest = name(Missing(on_walk=False))
        kinds = {
            link: Charge(name(Missing(on_walk=True, uses=1 if terms.remembers else uses)), uses)
            for link, uses in walk.uses.items()
        }
    charges = {link: charge for link, charge in kinds.items() if charge.kind != rest or charge.uses}
    return DrawnRelease(terms.text, rest, charges, once)


def grouping_loss(network: Network, grouping: Grouping) -> str:
    """Return what a grouping costs any link at most, once, as a decimal rounded up. Estimated."""
    loss = one_time_loss(network, grouping)
    if loss == inf:
        return ENDLESS.decimal
    return Loss.at_most(Decimal(loss), "").decimal


def _all_kinds(
    publication: Publication, network: Network, walk: Walk, policy: Policy
) -> dict[Link, Charge]:
    """Return kind and uses of every link, where links off the walk differ too."""
    found = {}
    names: dict[Missing, str] = {}
    positions = publication.bits.positions_of(network.vertices)
    for u, v in network.links:
        uses = walk.uses[u, v]
        copies = (len(positions.copies_of(u)), len(positions.copies_of(v)))
        missing = Missing(on_walk=uses > 0, uses=max(uses, 1), copies=copies)
        if missing not in names:
            names[missing] = kind_name(policy, missing)
        found[u, v] = Charge(names[missing], uses)
    return found


def kind_name(
    policy: Policy, missing: Missing, *, series: str | None = None, capacity: int | None = None
) -> str:
    """Return the name of a kind: a text from which its loss can be computed again.

    ``series`` tells series of chaff that remembers apart; ``capacity`` is that of a sketch.

    >>> json.loads(kind_name(Policy.balanced(), Missing(on_walk=False)))["uses"]
    0
    """
    terms = policy.terms()
    facts = {
        "policy": terms.name,
        "parameters": dict(terms.parameters),
        "uses": missing.uses if missing.on_walk else 0,
        "copies": missing.copies,
        "series": series,
        "capacity": capacity,
    }
    return json.dumps(facts, sort_keys=True)


def compose_losses(links: Sequence[Mapping[str, int]]) -> list[Loss]:
    """Return the exact loss of links from how many releases were of which kind for each.

    *Privacy*: proved for fresh coins: the largest ratio of a product of independent draws is the
    product of the largest ratios; for chaff that remembers, the chance of the link's pattern under
    the urn's law. A grouping's estimate is added as the decimal it is. A release with fresh coins
    from before the link was one costs it nothing: the pair was drawn alike in both worlds.

    Examples
    --------
    >>> on = kind_name(Policy.balanced(), Missing(on_walk=True))
    >>> off = kind_name(Policy.balanced(), Missing(on_walk=False))
    >>> [str(loss) for loss in compose_losses([{on: 2, off: 1}, {off: 1, "late " + off: 2}])]
    ['3 ln 2 = 2.0795', 'ln 2 = 0.6932']
    """
    # Many links have run up the same, and certified digits are not cheap.
    return [_composed(tuple(sorted(kinds.items()))) for kinds in links]


@lru_cache(maxsize=_MANY)
def _composed(kinds: tuple[tuple[str, int], ...]) -> Loss:
    """Return the loss of one link: fresh coins, each series, and groupings."""
    total, series, once = ExactLoss(), dict[str, Counter[str]](), NO_LOSS
    for name, count in kinds:
        if name.startswith(ONCE):
            estimate = name.removeprefix(ONCE)
            once = once.plus(Loss(f"{estimate} (grouping, estimated)", estimate).times(count))
            continue
        facts = _facts(name.removeprefix(LATE))
        if facts["series"] is not None:
            what = "late" if name.startswith(LATE) else "on" if facts["uses"] else "off"
            key = json.dumps({**facts, "uses": 0})
            series.setdefault(key, Counter())[what] += count
        elif not name.startswith(LATE):
            total += _kind_loss(name).times(count)
    words = [total.loss().expression] if total != ExactLoss() else []
    for key, counts in series.items():
        exact, shown = _series_loss(key, counts["on"], counts["off"], counts["late"])
        total += exact
        words.append(shown)
    loss = total.loss()
    return (Loss(" + ".join(words), loss.decimal) if series else loss).plus(once)


@lru_cache(maxsize=_MANY)
def _series_loss(key: str, on: int, off: int, late: int) -> tuple[ExactLoss, str]:
    """Return what one series cost a link, exactly, and in words.

    A link that came after ``late`` releases was chaff in them, shown in some number of them; the
    chance of what followed is least if that was none or all of them.
    """
    policy = _policy_of(_facts(key))
    urn, states = urn_of(policy), policy.states
    starts = [urn.after(shown, late) for shown in sorted({0, late})]
    found = [exact_pattern_loss(start, on, on + off, states=states) for start in starts]
    worst = max(range(len(found)), key=lambda place: float(found[place].loss()))
    return found[worst], pattern_loss(starts[worst], on, on + off, states=states).expression


@lru_cache(maxsize=_MANY)
def _facts(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(name)
    return found


def _policy_of(facts: Mapping[str, Any]) -> Policy:
    return Policy.from_terms(PolicyTerms(facts["policy"], tuple(facts["parameters"].items())))


@lru_cache(maxsize=_MANY)
def _kind_loss(name: str) -> ExactLoss:
    facts = _facts(name)
    policy = _policy_of(facts)
    missing = Missing(
        on_walk=facts["uses"] > 0,
        uses=max(facts["uses"], 1),
        copies=None if facts["copies"] is None else (facts["copies"][0], facts["copies"][1]),
    )
    found = losses_of(policy, missing)
    if facts["capacity"] is not None:
        assert policy.value_bits is not None, "a sketch rounds its rates"
        found += seed_loss(facts["capacity"], policy.value_bits)
    if not policy.noisy:
        return found.presence
    return max(found.presence, found.absence, key=lambda loss: float(loss.loss()))


class Account:
    """What each link of one network has run up through its life: all releases, from the first.

    A release costs nearly all links the same: they are off the walk, the *rest*. So an account
    counts on how many releases the rest were of which kind, and keeps for each link that was ever
    charged otherwise by how much its counts differ. A link that came to the network later was of
    the kind "late" in the releases before it. Links that are gone are charged with what comes
    after, like the rest: too much, never too little.

    Nothing of this is stored: an account is computed from the sealed charges of the releases.

    Attributes
    ----------
    links
        How many there are or have been.
    uses
        How often links were used by all walks together. Secret.
    """

    def __init__(self) -> None:
        self.links = 0
        self.uses: Counter[Link] = Counter()
        self._versions: list[Network] = []
        self._rests: Counter[str] = Counter()
        self._differing: dict[Link, Counter[str]] = {}

    def enter(self, network: Network) -> None:
        """Take a version of the network in: links that are new were late for what was before."""
        if network in self._versions:
            return
        if not self._versions:
            self.links = len(network.pairs)
        else:
            fresh = set(network.links).difference(*(one.links for one in self._versions))
            self.links += len(fresh)
            for link in fresh:
                for kind, count in self._rests.items():
                    if not kind.startswith(ONCE):  # that costs a late link as much
                        self._differ(link, kind, LATE + kind, count)
        self._versions.append(network)

    def charge(self, release: DrawnRelease) -> None:
        """Add one release."""
        self._rests[release.rest] += 1
        if release.once is not None:
            self._rests[ONCE + release.once] += 1
        for link, charge in release.charges.items():
            self._differ(link, release.rest, charge.kind, 1)
            self.uses[link] += charge.uses

    def _differ(self, link: Link, rest: str, kind: str, count: int) -> None:
        counts = self._differing.setdefault(link, Counter())
        counts[rest] -= count
        counts[kind] += count

    @property
    def spent(self) -> Loss:
        """The largest loss any link has run up."""
        distinct = {frozenset(one.items()): one for one in self._differing.values()}
        if len(self._differing) < self.links:
            distinct[frozenset()] = Counter()  # some link was always like the rest
        found = compose_losses([self._rests + one for one in distinct.values()])
        # Of equal losses one is taken that does not depend on the order of links.
        return max(found, key=lambda loss: (Decimal(loss.decimal), str(loss)), default=NO_LOSS)
