"""Releases through a ledger, as its own tests make them: balanced coins, exactly composed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pathveil import Network, Policy, Walk, publish
from pathveil.chance.losses import NOTHING, Missing, losses_of
from pathveil.files.atomic_write import write_aside
from pathveil.files.publications.veil_json import publication_text
from pathveil.ledger.entries import LATE, Charge, DrawnRelease, Recorded, Request
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.public_life import counted_text
from pathveil.ledger.views import Past
from pathveil.model.certificate import Loss
from pathveil.planning.gate import counted_release

TERMS = "frontier(walk_loss=1)"
POLICY = Policy.frontier(walk_loss=1)  # a link on the walk costs more than one off it


def losses(links: Sequence[Mapping[str, int]]) -> list[Loss]:
    """Return the exact loss of links from how often they were on and off a walk."""
    found = []
    for kinds in links:
        parts = [
            losses_of(POLICY, Missing(on_walk=kind == "on")).times(count)
            for kind, count in sorted(kinds.items())
            if not kind.startswith(LATE)
        ]
        found.append(sum(parts, NOTHING).presence.loss())
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
        counted = counted_text(counted_release(request.network, [request.walk], POLICY))
        drawn.append(DrawnRelease(data, "off", charges, losses=prices, counted=counted))
    return drawn


def note_releases(ledger: Ledger, network: Network, folder: Path) -> None:
    """Release two walks as entries 3 and 4, then hand one out once more."""
    for number, walk in enumerate(("abc", "abd")):
        release(ledger, network, walk, folder / f"{number}.veil.json")
    release(ledger, network, "abc", folder / "again.veil.json")


def request(network: Network, walk: str, output: Path | None = None, **options: object) -> Request:
    return Request(network, Walk(walk), TERMS, "frontier", output=output, **options)  # type: ignore[arg-type]


def write(release: Recorded) -> None:
    assert release.output is not None
    write_aside(release.output, release.parcel)


def release(
    ledger: Ledger, network: Network, walk: str, output: Path, *, fresh: bool = False
) -> Recorded:
    """Release a walk to a file, through the ledger."""
    made = ledger.record(
        [request(network, walk, output, fresh=fresh)], draw, compose=losses, independent=True
    )
    ledger.hand_out(made, write)
    return made[0]
