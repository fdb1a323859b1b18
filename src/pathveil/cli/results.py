"""What commands found, as plain data for ``--json`` (:mod:`pathveil.cli.result_types`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pathveil.checking.certificate_check import is_earned
from pathveil.cli.result_types import (
    AuditResult,
    BatchResult,
    CardResult,
    CertificateResult,
    CleanedResult,
    ComparisonResult,
    ConversionResult,
    CopyResult,
    FindingsResult,
    GroupingResult,
    InferenceResult,
    InsiderResult,
    InspectionResult,
    LedgerResult,
    LinkResult,
    LossResult,
    NetworkResult,
    OpenedResult,
    OutcomeResult,
    OutsiderReadingResult,
    OutsiderResult,
    PublicationResult,
    ReadingResult,
    RecordedResult,
    RehearsalResult,
    ReleaseResult,
    ReproductionResult,
    StandingResult,
    StepResult,
    UniverseResult,
    VertexResult,
)
from pathveil.files.publications.veil_json import certificate_facts
from pathveil.model.certificate import Certificate, Loss
from pathveil.model.publication import Publication
from pathveil.model.series import keeps_its_digest
from pathveil.model.universe import Universe

if TYPE_CHECKING:
    from pathveil.attacks.one_file.posterior import Inference
    from pathveil.attacks.series.insider import SeriesInference
    from pathveil.attacks.series.outsider import SeriesReading
    from pathveil.attacks.series.pile_attack import OutsiderFindings
    from pathveil.batching.batch_run import BatchReport
    from pathveil.checking.auditing import Audit
    from pathveil.checking.verification import Finding
    from pathveil.exchange.field import Opening
    from pathveil.exchange.protocol import Exchange, Learnt, Outcome, Statuses
    from pathveil.lab.comparison.comparison_run import Comparison
    from pathveil.lab.reproduction.evaluation import ReproductionReport
    from pathveil.ledger.entries import LedgerFinding, Recorded, Standing
    from pathveil.model.grouping import Grouping
    from pathveil.model.network import Network
    from pathveil.model.publication import Direction
    from pathveil.reading.assemble import Reading
    from pathveil.reading.participant import Link, LinkStatus, VertexStatus


def reading_data(found: Reading, *, noisy: bool) -> ReadingResult:
    """Return a walk read back; with noisy bits also how sure it is."""
    return {
        "walk": list(found.walk),
        "order": found.order,
        "gap": found.gap if noisy else None,
        "rivals": found.rivals if noisy else None,
    }


def vertex_data(status: VertexStatus) -> VertexResult:
    """Return what a vertex reads of itself."""
    return {"vertex": status.vertex, "visits": status.visits, "links": _links(status.links)}


def link_data(status: LinkStatus) -> LinkResult:
    """Return what a link reads of itself."""
    return {"link": list(status.link), "on_walk": status.on_walk, "links": _links(status.links)}


def _links(links: Iterable[Link]) -> list[StepResult]:
    return [
        {
            "here": {"vertex": link.here[0], "copy": link.here[1]},
            "there": {"vertex": link.there[0], "copy": link.there[1]},
        }
        for link in links
    ]


def card_data(card: Path, key: Path, fingerprint: str) -> CardResult:
    """Return where a party's card and key are, and what others compare."""
    return {"card": str(card), "key": str(key), "fingerprint": fingerprint}


def rehearsal_data(results: Sequence[OutcomeResult], *, same: bool) -> RehearsalResult:
    """Return every party's result, and whether they read what `reconstruct` reads."""
    return {"parties": list(results), "as_reconstruct": same}


def outcome_data(
    exchange: Exchange, number: int, mine: Statuses, outcome: Outcome
) -> OutcomeResult:
    """Return what one party put in, learnt and can work out, as plain data."""
    from pathveil.exchange.rehearse import work_out

    learnt, positions = outcome.learnt, exchange.positions
    follows = work_out(exchange.agreement, number, mine, learnt)

    def label(position: int) -> CopyResult:
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


def _opened(opening: Opening, exchange: Exchange) -> OpenedResult:
    """Return what was opened, and to whom; None for all."""
    to = None if opening.to is None else exchange.roster.names[opening.to]
    return {"name": opening.name, "numbers": opening.numbers, "to": to}


def _walk(exchange: Exchange, learnt: Learnt) -> list[str] | None:
    if exchange.agreement.learn != "walk":
        return None
    visited = sorted((place, p) for p, place in learnt.places.items() if place)
    return [exchange.positions.label(p)[0] for _, p in visited]


def loss_data(loss: Loss) -> LossResult:
    """Return a loss."""
    return {"expression": loss.expression, "decimal": loss.decimal}


def decimal_data(loss: float) -> LossResult:
    """Return a loss that has no closed form."""
    return {"expression": None, "decimal": str(loss)}


def universe_data(universe: Universe | None) -> UniverseResult | None:
    """Return which universe it is, without its pairs."""
    return None if universe is None else {"count": universe.count, "digest": universe.digest}


def finite(value: Any) -> Any:
    """Return a value that JSON has a form for."""
    if not isinstance(value, float) or isfinite(value):
        return value
    return None if isnan(value) else str(value)


def findings_data(findings: Iterable[Finding | LedgerFinding]) -> FindingsResult:
    """Return what verifying found, claim by claim."""
    from pathveil.checking.verification import verdict

    listed = list(findings)
    return {
        "holds": verdict(finding.holds for finding in listed),
        "findings": [
            {"claim": f.claim, "holds": f.holds, "found": f.detail or None} for f in listed
        ],
    }


def inference_data(found: Inference) -> InferenceResult:
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
) -> AuditResult:
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


def insider_data(found: SeriesInference, truth: tuple[str, str]) -> InsiderResult:
    """Return what is left to someone who lacks one link, and their belief in the true one."""
    names = found.names
    u, v = (names.index(name) for name in truth)
    return {
        "candidates": [
            {"link": [names[i], names[j]], "posterior": posterior}
            for (i, j), posterior in zip(found.pairs[:SHOWN], found.posterior, strict=False)
        ],
        "left": len(found.pairs),
        "left_without_coins": found.control,
        "truth_posterior": found.chance_of((u, v)),
    }


SHOWN = 12
"""Candidates that are listed."""


def outsider_data(
    read: OutsiderFindings, network: Network | None, true: Sequence[Sequence[int]]
) -> OutsiderResult:
    """Return what outsiders read; with the network, and its true walks, also what of it is right.

    ``links_by_luck`` is what as many blind guesses would name on average.
    """
    from pathveil.attacks.series.outsider import walks_right

    names, rivals = read.files[0].vertices, len(read.sightings.pairs)

    def result(reading: SeriesReading) -> OutsiderReadingResult:
        links = [(names[i], names[j]) for i, j in reading.links]
        known = () if network is None else network.links
        return {
            "links": [list(link) for link in links],
            "walks": [None if walk is None else [names[i] for i in walk] for walk in reading.walks],
            "paths": sum(walk is not None for walk in reading.walks),
            "strain": None if reading.strain < 0 else reading.strain,
            "walks_right": walks_right(reading, true) if known else None,
            "links_right": sum(link in known for link in links) if known else None,
            "links_by_luck": len(links) * len(known) / rivals if known else None,
        }

    return {
        "files": len(read.files),
        "counting": result(read.counting),
        "structure": result(read.structure),
    }


def reproduction_data(report: ReproductionReport) -> ReproductionResult:
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


def comparison_data(comparison: Comparison, files: Iterable[Path]) -> ComparisonResult:
    """Return how the prior systems and ours fared under one attack."""
    return {
        "verdict": list(comparison.sentences),
        "files": [str(path) for path in files],
        "strongest": table_data(comparison.best),
    }


def table_data(records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of a table; what is not a number has no value, what has no bound is "inf"."""
    return [{key: finite(value) for key, value in record.items()} for record in records]


def certificate_data(certificate: Certificate) -> CertificateResult:
    """Return a certificate: its rows as data, each with its words."""
    facts = certificate_facts(certificate)
    for data, row in zip(facts["rows"], certificate.rows, strict=True):
        data |= {"words": str(row.adversary), "notion": row.notion}
    for data, chance in zip(facts["identification"], certificate.identification, strict=True):
        data |= {"words": str(chance)}
    return cast("CertificateResult", facts)


def publication_data(publication: Publication) -> PublicationResult:
    """Return what a publication says of itself, without its bits."""
    at = publication.series
    return {
        "policy": str(publication.policy),
        "layering": publication.layering,
        "direction": publication.direction,
        "universe": universe_data(publication.universe),
        "series": None
        if at is None
        else {"place": at.place, "before": at.before, "release": at.release},
        "unsafe": publication.unsafe,
        "certificate": certificate_data(publication.certificate),
    }


def release_data(
    publication: Publication, file: str, *, recorded: Recorded | None
) -> ReleaseResult:
    """Return what was released: public facts, nothing of the walk."""
    return {
        "file": file,
        **publication_data(publication),
        "ledger": None if recorded is None else recorded_data(recorded),
    }


def conversion_data(file: Path, *, size: int | None, before: int | None) -> ConversionResult:
    """Return what a publication takes in its new file, and took in the old one."""
    return {"file": str(file), "bytes": size, "bytes_before": before}


def inspection_data(publication: Publication, **numbers: object) -> InspectionResult:
    """Return what a publication holds; numbers that its form does not have are null."""
    data = {
        **dict.fromkeys(InspectionResult.__annotations__),
        **numbers,
        **publication_data(publication),
        "certificate_earned": is_earned(publication),
        "digest_kept": keeps_its_digest(publication),
    }
    return cast("InspectionResult", data)


def standing_data(stand: Standing) -> StandingResult:
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


def standings_data(stands: Iterable[Standing]) -> LedgerResult:
    """Return how the networks of a ledger stand."""
    return {"networks": [standing_data(stand) for stand in stands]}


def recorded_data(recorded: Recorded) -> RecordedResult:
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


def batch_data(report: BatchReport, recorded: Iterable[Recorded] | None = None) -> BatchResult:
    """Return what became of a batch, and of its entries in a ledger where there is one."""
    return {
        "output": str(report.output),
        "published": report.published,
        "resumed": report.resumed,
        "failures": [{"line": f.line, "error": f.message} for f in report.failures],
        "repeated": [{"line": line, "of": first} for line, first in report.repeated],
        "ledger": None if recorded is None else [recorded_data(release) for release in recorded],
    }


def grouping_data(made: Grouping | None, file: Path | None) -> GroupingResult:
    """Return the public facts of a grouping, and where it was written; null where there is none."""
    written = None if file is None else str(file)
    if made is None:
        absent = dict.fromkeys(GroupingResult.__annotations__)
        return cast("GroupingResult", {**absent, "file": written})
    return {
        "file": written,
        "digest": made.digest,
        "vertices": len(made),
        "classes": made.classes,
        "members": [int(made.sizes.min()), int(made.sizes.max())],
        "pairs_a_link_hides_among": list(made.pairs_in_a_block),
        "voids": made.terms.voids or None,
    }


def cleaned_data(network: Network, file: Path) -> CleanedResult:
    """Return what became of a network that was written again."""
    return {"file": str(file), **network_data(network)}


def network_data(network: Network) -> NetworkResult:
    """Return what participants compare, as plain data."""
    return {
        "vertices": len(network),
        "links": len(network.pairs),
        "digest": network.digest,
    }
