"""Releases through a ledger, as its own tests make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pathveil import Network, Policy, Walk
from pathveil.files.atomic_write import write_aside
from pathveil.ledger.entries import Delivery, Recorded
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.ledger_check import check_ledger
from pathveil.ledger.past import Drawing
from pathveil.ledger.release_walks import TermsDrawing, release_walks, requests_for
from pathveil.publishing.terms import ReleaseTerms

NETWORK = Network.parse("ab bc cd de ef bd ce af")
OVER_AB = (
    *("ab", "abc", "abd", "abcd", "abdc", "abce", "abde", "abcde", "abdce", "abced", "abdec"),
    *("abcdef", "abcef", "abdef", "abdcef", "ba"),
)
"""Walks that all use the link of a and b, once."""

TERMS = ReleaseTerms(Policy.frontier(walk_loss=1))  # a link on the walk costs more than one off it


def release(
    ledger: Ledger, network: Network, walk: Iterable[str], output: Path, **given: Any
) -> Recorded:
    """Release a walk to a file, through the ledger."""
    wanted = [(Walk(walk), output)]
    return release_walks(ledger, network, wanted, TERMS, Delivery(**given))[0]


def record(
    ledger: Ledger,
    network: Network,
    walks: Mapping[Path, Iterable[str]],
    drawing: Drawing | None = None,
    **given: Any,
) -> tuple[Recorded, ...]:
    """Record walks for some files, which are not written."""
    delivery = Delivery(**given)
    wanted = [(Walk(walk), path) for path, walk in walks.items()]
    asked = requests_for(network, wanted, TERMS, delivery)
    return ledger.record(asked, drawing or TermsDrawing(TERMS, delivery), delivery)


def write(release: Recorded) -> None:
    write_aside(release.output, release.parcel, resuming=True)


def is_sound(ledger: Ledger) -> bool:
    """Whether every claim about a ledger holds."""
    return all(finding.holds for finding in check_ledger(ledger))
