"""What verifying, attacks, audits and studies found, as plain data.

What participants and parties read, as plain data.

Losses and other numbers as JSON has a form for them.

What was released, converted, grouped or recorded, as plain data: nothing of a walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathveil.checking.certificate_check import is_earned
from pathveil.files.publications.veil_json import certificate_facts
from pathveil.model.certificate import Certificate, Loss
from pathveil.model.publication import Publication
from pathveil.model.series import keeps_its_digest
from pathveil.model.universe import Universe

if TYPE_CHECKING:
    from pathveil.attacks.one_file.posterior import Inference
    from pathveil.attacks.series.insider import SeriesInference
    from pathveil.attacks.series.pile_attack import OutsiderFindings
    from pathveil.batching.batch_run import BatchReport
    from pathveil.checking.auditing import Audit
    from pathveil.checking.verification import Finding
    from pathveil.exchange.field import Opening
    from pathveil.exchange.protocol import Exchange, Learnt, Outcome, Statuses
    from pathveil.lab.comparison.running import Comparison
    from pathveil.lab.reproduction.evaluation import ReproductionReport
    from pathveil.ledger.entries import LedgerFinding, Recorded, Standing
    from pathveil.model.grouping import Grouping
    from pathveil.model.network import Network
    from pathveil.model.publication import Direction
    from pathveil.reading.assemble import Reading
    from pathveil.reading.participant import Link, LinkStatus, VertexStatus


def reading_data(found: Reading, *, noisy: bool) -> dict[str, Any]:
    """Return a walk read back; with noisy bits also how sure it is."""
    likely = {"gap": found.gap, "rivals": found.rivals, "path_only": found.path_only}
    sure = likely if noisy else dict.fromkeys(likely)
    return {"walk": list(found.walk), "order": found.order, **sure}


def vertex_data(status: VertexStatus) -> dict[str, Any]:
    """Return what a vertex reads of itself."""
    return {"vertex": status.vertex, "visits": status.visits, "links": _links(status.links)}


def link_data(status: LinkStatus) -> dict[str, Any]:
    """Return what a link reads of itself."""
    return {"link": list(status.link), "on_walk": status.on_walk, "links": _links(status.links)}


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


def rehearsal_data(results: Sequence[dict[str, Any]], *, same: bool) -> dict[str, Any]:
    """Return every party's result, and whether they read what `reconstruct` reads."""
    return {"parties": list(results), "as_reconstruct": same}


def outcome_data(
    exchange: Exchange, number: int, mine: Statuses, outcome: Outcome
) -> dict[str, Any]:
    """Return what one party put in, learnt and can work out, as plain data."""
    from pathveil.exchange.rehearse import work_out

    learnt, positions = outcome.learnt, exchange.positions
    follows = work_out(exchange.agreement, number, mine, learnt)

    def label(position: int) -> dict[str, Any]:
        vertex, copy = positions.label(position)
        return {"vertex": vertex, "copy": copy}

    return {
        "party": exchange.roster.names[number],
        "put_in": {"rows": len(mine.rows)},
        "learn": exchange.agreement.learn,
        "places": [{**label(p), "place": place} for p, place in sorted(learnt.places.items())],
        "walk": _walk(exchange, learnt),
        "order": learnt.order,
        "follows": {
            "places": [{**label(p), "place": place} for p, place in follows.places.items()],
            "swapped": [
                {"positions": [label(p) for p in pair], "places": list(places)}
                for pair, places in follows.swapped
            ],
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


def loss_data(loss: Loss) -> dict[str, str]:
    """Return a loss."""
    return {"expression": loss.expression, "decimal": loss.decimal}


def decimal_data(loss: float) -> dict[str, str | None]:
    """Return a loss that has no closed form."""
    return {"expression": None, "decimal": str(loss)}


def universe_data(universe: Universe | None) -> dict[str, Any] | None:
    """Return which universe it is, without its pairs."""
    return None if universe is None else {"count": universe.count, "digest": universe.digest}


def finite(value: Any) -> Any:
    """Return a value that JSON has a form for."""
    if not isinstance(value, float) or isfinite(value):
        return value
    return None if isnan(value) else str(value)


def findings_data(findings: Iterable[Finding | LedgerFinding]) -> dict[str, Any]:
    """Return what verifying found, claim by claim."""
    from pathveil.checking.verification import verdict

    listed = list(findings)
    return {
        "holds": verdict(finding.holds for finding in listed),
        "findings": [
            {"claim": f.claim, "holds": f.holds, "found": f.detail or None} for f in listed
        ],
    }


def inference_data(found: Inference) -> dict[str, Any]:
    """Return what an adversary believes, most likely first."""
    return {
        "candidates": [
            {"candidate": label, "prior": prior, "posterior": posterior}
            for label, prior, posterior in found.rows()
        ],
        "best_guess_right": {
            "with_release": found.success,
            "by_known_links": found.control,
            "without": found.without,
        },
        "odds": None if found.method == "sampled" else finite(found.odds),
        "certified_odds": finite(found.certified),
        "within_certificate": found.within_certificate,
        "method": found.method,
        "error": found.error,
        "left_out": list(found.left_out),
    }


def audit_data(
    found: Audit,
    *,
    policy: str,
    whose: str,
    claimed: tuple[float, float],
    drawn: int,
    direction: Direction = "public",
    universe: Universe | None = None,
) -> dict[str, Any]:
    """Return what an audit measured beside what is claimed; ``drawn`` is of both sides."""
    presence, absence = claimed
    return {
        "policy": policy,
        "direction": direction,
        "universe": universe_data(universe),
        "claim": whose,
        "claimed": {"presence": decimal_data(presence), "absence": decimal_data(absence)},
        "measured_at_least": {
            "presence": decimal_data(found.forward.epsilon),
            "absence": decimal_data(found.backward.epsilon),
        },
        "samples": found.samples,
        "drawn": drawn,
        "confidence": found.confidence,
        "verdict": found.verdict,
    }


def insider_data(found: SeriesInference, truth: tuple[str, str]) -> dict[str, Any]:
    """Return what is left to someone who lacks one link, and their belief in the true one."""
    names = found.names
    u, v = (names.index(name) for name in truth)
    return {
        "candidates": [
            {"link": [names[i], names[j]], "posterior": posterior}
            for (i, j), posterior in zip(found.pairs, found.posterior, strict=True)
        ][:SHOWN],
        "left": len(found.pairs),
        "left_without_coins": found.control,
        "truth_posterior": found.chance_of((u, v)),
    }


SHOWN = 12
"""Candidates that are listed."""


def outsider_data(
    read: OutsiderFindings, network: Network | None, true: Sequence[Sequence[int]]
) -> dict[str, Any]:
    """Return what outsiders read; with the network, and its true walks, also what of it is right.

    ``links_by_luck`` is what as many blind guesses would name on average.
    """
    from pathveil.attacks.series.outsider import walks_right

    data: dict[str, Any] = {"files": len(read.files)}
    names = read.files[0].vertices
    for name, reading in (("counting", read.counting), ("structure", read.structure)):
        walks = [None if walk is None else [names[i] for i in walk] for walk in reading.walks]
        links = [(names[i], names[j]) for i, j in reading.links]
        judged: dict[str, Any] = dict.fromkeys(("walks_right", "links_right", "links_by_luck"))
        if network is not None:
            judged = {
                "walks_right": walks_right(reading, true),
                "links_right": sum(link in network.links for link in links),
                "links_by_luck": len(links) * len(network.links) / len(read.sightings.pairs),
            }
        data[name] = {
            "links": [list(link) for link in links],
            "walks": walks,
            "paths": sum(walk is not None for walk in walks),
            "strain": None if reading.strain < 0 else reading.strain,
            **judged,
        }
    return data


def reproduction_data(report: ReproductionReport) -> dict[str, Any]:
    """Return the verdicts on the paper's claims."""
    findings = report.findings
    return {
        "verdicts": report.verdicts,
        "files": [str(path) for path in report.files],
        "findings": [
            {"claim": f.claim, "found": f.found, "ours": f.ours, "verdict": f.verdict}
            for f in findings
        ],
    }


def comparison_data(comparison: Comparison, files: Iterable[Path]) -> dict[str, Any]:
    """Return how the prior systems and ours fared under one attack."""
    return {
        "verdict": list(comparison.sentences),
        "files": [str(path) for path in files],
        "strongest": table_data(comparison.best),
    }


def table_data(records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of a table; what is not a number has no value, what has no bound is "inf"."""
    return [{key: finite(value) for key, value in record.items()} for record in records]


def certificate_data(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate: its rows as data, each with its words."""
    facts = certificate_facts(certificate)
    for told, row in zip(facts["rows"], certificate.rows, strict=True):
        told |= {"words": str(row.adversary), "notion": row.notion}
    for told, chance in zip(facts["identification"], certificate.identification, strict=True):
        told |= {"words": str(chance)}
    return facts


def publication_data(publication: Publication) -> dict[str, Any]:
    """Return what a publication says of itself, without its bits."""
    universe = publication.universe
    return {
        "policy": str(publication.policy),
        "layering": publication.layering,
        "direction": publication.direction,
        "universe": None
        if universe is None
        else {
            "count": universe.count,
            "digest": universe.digest,
            "carried": universe.pairs is not None,
        },
        "series": None if publication.series is None else asdict(publication.series),
        "unsafe": publication.unsafe,
        "certificate": certificate_data(publication.certificate),
    }


def release_data(
    publication: Publication, file: str, *, recorded: Recorded | None
) -> dict[str, Any]:
    """Return what was released: public facts, nothing of the walk."""
    return {
        "file": file,
        **publication_data(publication),
        "ledger": None if recorded is None else recorded_data(recorded),
    }


def conversion_data(file: Path, *, size: int | None, before: int | None) -> dict[str, Any]:
    """Return what a publication takes in its new file, and took in the old one."""
    return {"file": str(file), "bytes": size, "bytes_before": before}


def inspection_data(publication: Publication, **numbers: object) -> dict[str, Any]:
    """Return what a publication holds; numbers that its form does not have are null."""
    return {
        **dict.fromkeys(INSPECTED),
        **numbers,
        **publication_data(publication),
        "certificate_earned": is_earned(publication),
        "digest_kept": keeps_its_digest(publication),
    }


INSPECTED = (
    *("form", "bytes", "vertices", "classes", "copies", "pieces", "layers", "arcs"),
    *("same_branch_pairs", "capacity", "value_bits"),
)


def standing_data(stand: Standing) -> dict[str, Any]:
    """Return how a network stands in a ledger."""
    return {
        "network": stand.network,
        "links": stand.links,
        "spent": loss_data(stand.spent),
        "budget": None if stand.budget is None else str(stand.budget),
        "left": None if stand.left is None else str(stand.left),
        "uses": {str(uses): links for uses, links in stand.uses.items()},
        "cover": None if stand.cover is None else finite_share(stand.cover.share),
        "more_walks": stand.more[0],
        "releases": [
            {
                "entry": row.counter,
                "series": row.series,
                "place": row.place,
                "policy": row.policy,
                "grouping": row.grouping,
                "time": row.time,
                "digest": row.digest,
                "spent": loss_data(row.spent),
                "handed_out": row.handed_out,
            }
            for row in stand.rows
        ],
    }


def finite_share(share: float) -> float | None:
    """Return a share for JSON, which has no infinity."""
    return round(share, 4) if isfinite(share) else None


def standings_data(stands: Iterable[Standing]) -> dict[str, Any]:
    """Return how the networks of a ledger stand."""
    return {"networks": [standing_data(stand) for stand in stands]}


def recorded_data(recorded: Recorded) -> dict[str, Any]:
    """Return a release that a ledger recorded."""
    return {
        "entry": recorded.counter,
        "series": recorded.series,
        "place": recorded.place,
        "digest": recorded.digest,
        "given_back": recorded.replayed,
        "spent": loss_data(recorded.spent),
        "budget": None if recorded.budget is None else str(recorded.budget),
    }


def batch_data(report: BatchReport, recorded: Iterable[Recorded] | None = None) -> dict[str, Any]:
    """Return what became of a batch, and of its entries in a ledger where there is one."""
    return {
        "output": str(report.output),
        "published": report.published,
        "resumed": report.resumed,
        "failures": [{"line": f.line, "error": f.message} for f in report.failures],
        "repeated": [{"line": line, "of": first} for line, first in report.repeated],
        "ledger": None if recorded is None else [recorded_data(release) for release in recorded],
    }


GROUPED = ("digest", "vertices", "classes", "members", "pairs_a_link_hides_among", "voids")


def grouping_data(grouping: Grouping | None, file: Path | None) -> dict[str, Any]:
    """Return the public facts of a grouping, and where it was written; null where there is none."""
    written = {"file": None if file is None else str(file)}
    if grouping is None:
        return {**written, **dict.fromkeys(GROUPED)}
    fewest, most = grouping.pairs_in_a_block
    return {
        **written,
        "digest": grouping.digest,
        "vertices": len(grouping),
        "classes": grouping.classes,
        "members": [int(grouping.sizes.min()), int(grouping.sizes.max())],
        "pairs_a_link_hides_among": [fewest, most],
        "voids": grouping.terms.voids or None,
    }


def cleaned_data(network: Network, file: Path) -> dict[str, Any]:
    """Return what became of a network that was written again."""
    return {"file": str(file), **network_data(network)}


def network_data(network: Network) -> dict[str, Any]:
    """Return what participants compare, as plain data."""
    return {
        "vertices": len(network),
        "links": len(network.pairs),
        "digest": network.digest,
    }
