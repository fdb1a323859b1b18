"""What participants and parties read, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathveil.recovery.assembly import Reading
    from pathveil.recovery.exchange.agreement import Learnt, Statuses
    from pathveil.recovery.exchange.computation import Opening
    from pathveil.recovery.participant import EdgeStatus, Link, VertexStatus
    from pathveil.recovery.secure import Exchange, Outcome


def reading_data(found: Reading, *, noisy: bool) -> dict[str, Any]:
    """Return a walk read back; with noisy bits also how sure it is."""
    likely = {"gap": found.gap, "rivals": found.rivals, "path_only": found.path_only}
    sure = likely if noisy else dict.fromkeys(likely)
    return {"walk": list(found.walk), "order": found.order, **sure}


def vertex_data(status: VertexStatus) -> dict[str, Any]:
    """Return what a vertex reads of itself."""
    return {"vertex": status.vertex, "visits": status.visits, "links": _links(status.links)}


def edge_data(status: EdgeStatus) -> dict[str, Any]:
    """Return what an edge reads of itself."""
    return {"edge": list(status.edge), "on_walk": status.on_walk, "links": _links(status.links)}


def _links(links: Iterable[Link]) -> list[dict[str, object]]:
    return [
        {
            "here": {"vertex": link.here[0], "copy": link.here[1]},
            "there": {"vertex": link.there[0], "copy": link.there[1]},
        }
        for link in links
    ]


def card_data(card: Path, key: Path, fingerprint: str) -> dict[str, Any]:
    """Return where a party's card and key are, and what others compare."""
    return {"card": str(card), "key": str(key), "fingerprint": fingerprint}


def rehearsal_data(results: Sequence[dict[str, Any] | None], *, same: bool) -> dict[str, Any]:
    """Return what became of every party, and whether they read what the network reads."""
    return {"parties": list(results), "as_reconstruct": same}


def outcome_data(
    exchange: Exchange, number: int, mine: Statuses, outcome: Outcome
) -> dict[str, Any]:
    """Return what one party put in, learnt and can work out, as plain data."""
    from pathveil.recovery.exchange.consequences import work_out

    learnt, positions = outcome.learnt, exchange.positions
    follows = work_out(exchange.agreement, number, mine, learnt)

    def label(position: int) -> dict[str, Any]:
        vertex, copy = positions.label(position)
        return {"vertex": vertex, "copy": copy}

    on_walk = [link for link in mine.links if link[2]]
    return {
        "party": exchange.roster.names[number],
        "put_in": {"rows": len(mine.rows), "link_places": len(mine.links)},
        "learn": exchange.agreement.learn,
        "places": [{**label(p), "place": place} for p, place in sorted(learnt.places.items())],
        "steps": [
            {"from": {**label(a), "place": i}, "to": {**label(b), "place": j}}
            for (a, b, _), (i, j) in zip(on_walk, learnt.steps, strict=False)
        ],
        "walk": _walk(exchange, learnt),
        "length": learnt.length,
        "order": learnt.order,
        "follows": {
            "places": [{**label(p), "place": place} for p, place in follows.places.items()],
            "swapped": [
                {"positions": [label(p) for p in pair], "places": list(places)}
                for pair, places in follows.swapped
            ],
            "either": [{**label(p), "places": list(places)} for p, places in follows.either],
            "length": follows.length,
            "at_least": follows.at_least,
        },
        "opened": [_opened(opening, exchange) for opening in learnt.opened],
        "rounds": outcome.rounds,
        "bytes_sent": outcome.bytes_sent,
    }


def _opened(opening: Opening, exchange: Exchange) -> dict[str, Any]:
    """Return what was opened, and to whom; None for all."""
    to = None if opening.to is None else exchange.roster.names[opening.to]
    return {"name": opening.name, "numbers": opening.numbers, "to": to}


def _walk(exchange: Exchange, learnt: Learnt) -> list[str] | None:
    if exchange.agreement.learn != "walk":
        return None
    visited = sorted((place, p) for p, place in learnt.places.items() if place)
    return [exchange.positions.label(p)[0] for _, p in visited]
