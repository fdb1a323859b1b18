"""Charged again from the beginning, a ledger comes to what it says."""

from __future__ import annotations

from pathlib import Path

from pathveil import Network
from pathveil.ledger.ledger import Ledger
from tests.ledger.releasing import losses, release
from tests.ledger.test_checking import LOSSES


def test_another_way_of_composing_is_another_sum(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    release(ledger, network, "abc", folder / "1.veil.json")
    found = ledger.check(lambda links: [loss.__class__("0", "0.0") for loss in losses(links)])
    assert [finding.holds for finding in found] == [place != LOSSES for place in range(9)]
