"""What was released, converted, grouped or recorded, as plain data: nothing of a walk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathveil.apps.results.values import loss_data
from pathveil.earning import is_earned
from pathveil.formats.veil import certificate_facts
from pathveil.model.certificate import Certificate
from pathveil.model.publication import Publication
from pathveil.model.series import keeps_its_digest

if TYPE_CHECKING:
    from pathveil.batch_report import BatchReport
    from pathveil.ledger.entries import Recorded, Standing
    from pathveil.model.grouping import Grouping
    from pathveil.model.network import Network


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
    publication: Publication, file: str, *, pieces: int | None, recorded: Recorded | None
) -> dict[str, Any]:
    """Return what was released: public facts, nothing of the walk."""
    return {
        "file": file,
        **publication_data(publication),
        "pieces": pieces,
        "ledger": None if recorded is None else recorded_data(recorded),
    }


def together_data(
    releases: Sequence[Publication], folder: Path, files: Sequence[str]
) -> dict[str, Any]:
    """Return what was released of several walks at once."""
    return {
        **publication_data(releases[0]),
        "folder": str(folder),
        "files": list(files),
        "walks": len(releases),
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
        "edges": len(network.pairs),
        "digest": network.digest,
    }
