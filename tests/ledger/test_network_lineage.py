"""A network that changes is the same network: what its links have run up stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from pathveil import Network
from pathveil.errors import LedgerError
from pathveil.ledger.ledger import Ledger
from tests.ledger.releasing import losses, release


def test_a_link_added_or_removed_does_not_begin_a_new_account(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    release(ledger, network, "abc", folder / "1.veil.json")
    grown = Network.parse("ab bc cd de ef bd ce af ad")
    second = release(ledger, grown, "abc", folder / "2.veil.json")
    assert not second.replayed  # the same walk, but its file would show the new link as a coin
    assert str(second.spent) == "2 = 2.0000"
    shrunk = Network.parse("ab bc cd de ef bd ce")
    assert str(release(ledger, shrunk, "abc", folder / "3.veil.json").spent) == "3 = 3.0000"
    assert len(ledger.standings()) == 1
    assert ledger.standings()[0].links == 9
    assert len(ledger.past(grown)) == 3
    assert all(finding.holds for finding in ledger.check(losses))


def test_a_link_that_came_later_owes_nothing_for_what_was_before(
    ledger: Ledger, folder: Path
) -> None:
    """Three releases on ab, then ad joins and is walked twice: ab 3 + 2 off, ad 2 on."""
    before, after = Network.parse("ab bc"), Network.parse("ab bc ad")
    for number in range(3):
        release(ledger, before, "ab", folder / f"{number}.veil.json", fresh=True)
    for number in range(3, 5):
        last = release(ledger, after, "ad", folder / f"{number}.veil.json", fresh=True)
    assert last.spent.decimal == "3.9174"  # 3 + 2 (1 - ln(e - 1)), and not 3 more for ad
    assert all(finding.holds for finding in ledger.check(losses))


def test_networks_without_a_common_link_are_different_networks(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    release(ledger, network, "abc", folder / "1.veil.json")
    other = Network.parse("uv vw")
    assert str(release(ledger, other, "uvw", folder / "2.veil.json").spent) == "1 = 1.0000"
    assert [stand.network for stand in ledger.standings()] == [1, 2]
    both = Network.parse("ab bv vw uv")
    with pytest.raises(LedgerError, match="shares links with 2 networks"):
        release(ledger, both, "abv", folder / "3.veil.json")
    assert not (folder / "3.veil.json").exists()
    assert len(ledger.standings()) == 2
