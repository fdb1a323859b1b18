"""Results as plain data, for ``--json``: one vocabulary, in one place.

Counts, measured probabilities and times are numbers. Losses are ``{"expression", "decimal"}``: a
closed form (null where there is none), and a decimal text rounded against us, "inf" where there is
no bound; chances that a certificate promises are such decimal texts too, as in the file. Exact
budgets are texts ("7/2"). A command always gives the same keys: what has no value is null. The
schema of each command's output is in ``pathveil/formats/schemas``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

from pathveil.earning import is_earned
from pathveil.formats.veil import identification_data, row_data
from pathveil.model.certificate import Certificate, Loss
from pathveil.model.publication import Publication
from pathveil.model.series import keeps_its_digest

if TYPE_CHECKING:
    from pathveil.adversary.auditing import Audit
    from pathveil.adversary.posterior import Inference
    from pathveil.batch_report import BatchReport
    from pathveil.ledger.entries import LedgerFinding, Recorded, Standing
    from pathveil.recovery.assembly import Reading
    from pathveil.recovery.participant import EdgeStatus, Link, VertexStatus
    from pathveil.verifying import Finding


def certificate_data(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate: its rows as data, each with its words."""
    return {
        "rows": [
            {**row_data(row), "words": str(row.adversary), "notion": row.notion}
            for row in certificate.rows
        ],
        "identification": [
            {**identification_data(row), "words": str(row)} for row in certificate.identification
        ],
        "not_protected": list(certificate.not_protected),
    }


def publication_data(publication: Publication) -> dict[str, Any]:
    """Return what a publication says of itself, without its bits."""
    universe = publication.universe
    return {
        "policy": str(publication.policy),
        "layering": publication.layering,
        "direction": publication.direction,
        "universe": None
        if universe is None
        else {"count": universe.count, "digest": universe.digest},
        "series": None if publication.series is None else asdict(publication.series),
        "unsafe": publication.unsafe,
        "certificate": certificate_data(publication.certificate),
    }


def release_data(
    publication: Publication, file: str, *, pieces: int | None, recorded: Recorded | None
) -> dict[str, Any]:
    """Return what was released: public facts, nothing of the walk."""
    return {
        "file": file,
        **publication_data(publication),
        "pieces": pieces,
        "ledger": None if recorded is None else recorded_data(recorded),
    }


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
    *("form", "bytes", "vertices", "classes", "copies", "pieces", "pieces_lower_bound"),
    *(
        "pieces_ratio",
        "layers",
        "cover_edges",
        "same_branch_pairs",
        "seconds",
        "capacity",
        "value_bits",
    ),
)


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
        "odds": None if found.method == "sampled" else _finite(found.odds),
        "certified_odds": _finite(found.certified),
        "within_certificate": found.within_certificate,
        "method": found.method,
        "error": found.error,
        "left_out": list(found.left_out),
    }


def audit_data(
    found: Audit, *, policy: str, whose: str, claimed: tuple[float, float]
) -> dict[str, Any]:
    """Return what an audit measured beside what is claimed."""
    presence, absence = claimed
    return {
        "policy": policy,
        "claim": whose,
        "claimed": {"presence": _decimal(presence), "absence": _decimal(absence)},
        "measured_at_least": {
            "presence": _decimal(found.forward.epsilon),
            "absence": _decimal(found.backward.epsilon),
        },
        "samples": found.samples,
        "confidence": found.confidence,
        "verdict": found.verdict,
    }


def findings_data(findings: Iterable[Finding | LedgerFinding]) -> dict[str, Any]:
    """Return what verifying found, claim by claim."""
    listed = list(findings)
    return {
        "holds": all(finding.holds for finding in listed),
        "findings": [
            {"claim": f.claim, "holds": f.holds, "found": f.detail or None} for f in listed
        ],
    }


def _decimal(loss: float) -> dict[str, str | None]:
    """Return a loss that has no closed form."""
    return {"expression": None, "decimal": str(loss)}


def loss_data(loss: Loss) -> dict[str, str]:
    """Return a loss."""
    return {"expression": loss.expression, "decimal": loss.decimal}


def standing_data(stand: Standing) -> dict[str, Any]:
    """Return how a network stands in a ledger."""
    return {
        "network": stand.network,
        "links": stand.links,
        "spent": loss_data(stand.spent),
        "budget": None if stand.budget is None else str(stand.budget),
        "left": None if stand.left is None else str(stand.left),
        "uses": {str(uses): links for uses, links in stand.uses.items()},
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


def table_data(records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of a table; what is not a number has no value, what has no bound is "inf"."""
    return [{key: _finite(value) for key, value in record.items()} for record in records]


def _finite(value: Any) -> Any:
    """Return a value that JSON has a form for."""
    if not isinstance(value, float) or isfinite(value):
        return value
    return None if isnan(value) else str(value)
