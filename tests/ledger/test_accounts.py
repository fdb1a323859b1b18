"""What every link has run up: counted against the plain way, a counter for every link."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pathveil import Network, Policy
from pathveil.chance.losses import Missing
from pathveil.ledger.entries import Charge, DrawnRelease
from pathveil.ledger.pricing import LATE, Account, compose_losses, kind_name

POLICY = Policy.frontier(walk_loss=1)
OFF = kind_name(POLICY, Missing(on_walk=False))
ON = kind_name(POLICY, Missing(on_walk=True))
TWICE = kind_name(Policy.frontier(walk_loss=2), Missing(on_walk=True))
VERSIONS = [Network.parse(text) for text in ("ab bc cd", "ab bc cd bd", "ab bc da", "ab bc cd ac")]
RELEASES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.dictionaries(st.sampled_from([("a", "b"), ("b", "c")]), st.sampled_from([ON, TWICE])),
    ),
    max_size=8,
)


def drawn(kinds: dict[tuple[str, str], str]) -> DrawnRelease:
    charges = {link: Charge(kind, 1) for link, kind in kinds.items()}
    return DrawnRelease("terms", OFF, charges)


@given(RELEASES)
def test_an_account_counts_what_every_link_ran_up(
    releases: list[tuple[int, dict[tuple[str, str], str]]],
) -> None:
    account, plain = Account(), dict[tuple[str, str], Counter[str]]()
    uses: Counter[tuple[str, str]] = Counter()
    for number, (version, charges) in enumerate(releases):
        account.enter(VERSIONS[version])
        for link in VERSIONS[version].links:
            plain.setdefault(link, Counter({LATE + OFF: number}))
        account.charge(drawn(charges))
        for link, counts in plain.items():
            counts[charges.get(link, OFF)] += 1
        uses.update(charges.keys())
    losses = compose_losses(list(plain.values()))
    assert float(account.spent) == max(map(float, losses), default=0)
    assert (account.links, account.uses) == (len(plain), uses)


def test_a_link_nobody_has_is_not_charged() -> None:
    """Once every link was walked, no link is left that was always off: it must not count."""
    account = Account()
    account.enter(Network.parse("ab"))
    account.charge(DrawnRelease("terms", TWICE, {("a", "b"): Charge(OFF, 1)}))
    assert account.spent.decimal == "0.4587"


def test_a_grouping_is_paid_by_links_that_come_later_too() -> None:
    account = Account()
    account.enter(VERSIONS[0])
    account.charge(DrawnRelease("terms", OFF, {}, once="0.5"))
    account.enter(VERSIONS[1])
    late, old = {LATE + OFF: 1, "once 0.5": 1}, {OFF: 1, "once 0.5": 1}
    assert float(account.spent) == max(map(float, compose_losses([late, old])))


def test_what_is_sealed_comes_back() -> None:
    release = DrawnRelease("terms", OFF, {("ä", "\ud800"): Charge(ON, 3)}, "0.5", "counted")
    assert DrawnRelease.parse(release.text) == release
    assert release.kinds == {OFF, ON}
