"""Releases through a ledger, as its own tests make them: balanced coins, exactly composed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pathveil import Network, Policy, Walk, publish
from pathveil.chance.losses import Missing, compose, losses_of
from pathveil.formats.files import write_aside
from pathveil.formats.veil import publication_text
from pathveil.ledger.book import Ledger
from pathveil.ledger.entries import LATE, Charge, DrawnRelease, Recorded, Request
from pathveil.ledger.views import Past
from pathveil.model.certificate import Loss

TERMS = "frontier(walk_loss=1)"
POLICY = Policy.frontier(walk_loss=1)  # a link on the walk costs more than one off it


def losses(links: Sequence[Mapping[str, int]]) -> list[Loss]:
    """Return the exact loss of links from how often they were on and off a walk."""
    found = []
    for kinds in links:
        parts = [
            losses_of(POLICY, Missing(on_walk=kind == "on"), releases=count)
            for kind, count in sorted(kinds.items())
            if not kind.startswith(LATE)
        ]
        found.append(compose(*parts).presence.loss())
    return found


def draw(requests: Sequence[Request], history: Past) -> list[DrawnRelease]:
    """Draw a release for each request."""
    drawn = []
    for request in requests:
        publication = publish(request.network, request.walk, policy=POLICY)
        steps = Counter((u, v) if u < v else (v, u) for u, v in request.walk.steps)
        charges = {link: Charge("on", uses) for link, uses in steps.items()}
        prices = {kind: losses([{kind: 1}])[0] for kind in ("on", "off")}
        data = publication_text(publication).encode()
        drawn.append(DrawnRelease(data, "off", charges, losses=prices))
    return drawn


def request(network: Network, walk: str, output: Path | None = None, **options: object) -> Request:
    return Request(network, Walk(walk), TERMS, "frontier", output=output, **options)  # type: ignore[arg-type]


def write(path: Path, data: bytes) -> None:
    write_aside(path, data.decode())


def release(
    ledger: Ledger, network: Network, walk: str, output: Path, *, fresh: bool = False
) -> Recorded:
    """Release a walk to a file, through the ledger."""
    made = ledger.record(
        [request(network, walk, output, fresh=fresh)], draw, compose=losses, independent=True
    )
    ledger.hand_out(made, write)
    return made[0]
