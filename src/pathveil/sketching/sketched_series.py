"""What a series of sketches costs: the same rows as a packed one, at the rates that are in use.

Every release has a seed of its own, and each adds its small term. Of all orders in which a link may
lie on k of T walks the dearest is stated; see :mod:`pathveil.sketching.sketched_urn`.
"""

from __future__ import annotations

from fractions import Fraction

from pathveil.chance.series_loss import fresh_loss, is_short
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.model.certificate import ENDLESS, Adversary, CertificateRow, Loss
from pathveil.policies import Policy
from pathveil.sketching.sketch_release import kept_urn
from pathveil.sketching.sketched_urn import loss_of

SERIES = (
    "Releases of this series are counted together in the rows that say of how many walks. Who sees "
    "only some of them pays for each of those what it costs in its place, and not what a series of "
    "that length would: a sketch shows values, and they tell what came before. That holds provided "
    "that walks and links do not depend on what was released before. A release outside the series "
    "over the same network, or a second series, adds its losses to these."
)
NEEDED = (
    "What this release shows of a pair is read with the earlier releases of the series at hand; "
    "who has lost one of them can no longer be sure of those after it."
)


def sketched_rows(policy: Policy, releases: int, seed: ExactLoss) -> list[CertificateRow]:
    """Return the public rows of a series of sketches: functions of its terms and length alone.

    Parameters
    ----------
    seed
        What the seed of one release adds.
    """
    kept, last = kept_urn(policy), releases - 1
    least = kept.least_chances(releases)
    typical = min(releases, int(kept.urn.rate(0, 0) * releases + Fraction(1, 2)))
    dearest = min(range(releases + 1), key=lambda shown: (least[shown], shown))
    counts = sorted({0, min(1, releases), min(2, releases), typical, dearest})
    rows = [
        _row(Adversary(walk_links=1), kept.chance(0, last, on=True), seed, 1),
        _row(Adversary(other_links=1), kept.chance(last, last, on=False), seed, 1),
    ]
    rows += [
        _row(Adversary("series", on_walks=shown, releases=releases), least[shown], seed, releases)
        for shown in counts
    ]
    if releases > 1:
        chance, shown = kept.latest_chance(releases)
        late = Adversary("late-link", on_walks=shown, releases=releases)
        rows.append(_row(late, chance, seed, releases))
    fresh = Adversary("fresh-coins", releases=releases)
    return [*rows, CertificateRow(fresh, fresh_loss(policy, releases), ENDLESS, bound=False)]


def sketched_pattern_loss(policy: Policy, shown: int, releases: int, seed: ExactLoss) -> Loss:
    """Return what a link on so many of so many walks of a series of sketches loses, at most."""
    return _loss(kept_urn(policy).least_chances(releases)[shown], seed, releases)


def _row(who: Adversary, chance: Fraction, seed: ExactLoss, seeds: int) -> CertificateRow:
    return CertificateRow(who, _loss(chance, seed, seeds), ENDLESS)


def _loss(chance: Fraction, seed: ExactLoss, seeds: int) -> Loss:
    once, added = loss_of(chance), seed.times(seeds)
    total = (once + added).loss()
    if is_short(1 / chance):
        return total
    words = "ln(1/Q), Q the least chance to look like it"
    return Loss(f"{words} + {added.loss().expression}", total.decimal)
