"""What verifying, attacks, audits and studies found, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathveil.apps.results.values import decimal_data, finite, universe_data

if TYPE_CHECKING:
    from pathveil.adversary.auditing import Audit
    from pathveil.adversary.posterior import Inference
    from pathveil.adversary.series_attack import OutsiderFindings
    from pathveil.adversary.series_insider import SeriesInference
    from pathveil.adversary.series_outsider import SeriesReading
    from pathveil.comparison.reporting import Comparison
    from pathveil.ledger.entries import LedgerFinding
    from pathveil.model.grouping import Grouping
    from pathveil.model.network import Network
    from pathveil.model.publication import Direction
    from pathveil.model.universe import Universe
    from pathveil.reproduction.report import ReproductionReport
    from pathveil.verifying import Finding


def findings_data(findings: Iterable[Finding | LedgerFinding]) -> dict[str, Any]:
    """Return what verifying found, claim by claim."""
    from pathveil.verifying import verdict

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
    direction: Direction = "told",
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
    """Return what is left to who knows all links but one, and what he believes of the true one."""
    names = found.names
    u, v = (names.index(name) for name in truth)
    return {
        "candidates": [
            {"edge": [names[i], names[j]], "posterior": posterior}
            for (i, j), posterior in zip(found.pairs, found.posterior, strict=True)
        ][:SHOWN],
        "left": len(found.pairs),
        "left_without_coins": found.control,
        "truth_posterior": found.chance_of((u, v)),
        "left_out": list(found.left_out),
    }


SHOWN = 12
"""Candidates that are listed."""


def outsider_data(
    read: OutsiderFindings,
    network: Network | None,
    grouping: Grouping | None,
    true: Sequence[Sequence[int]],
) -> dict[str, Any]:
    """Return what outsiders read; with the network, and its true walks, also what of it is right.

    Walks are numbered as the outsider numbers things: vertices, or classes.
    """
    data: dict[str, Any] = {"files": len(read.files)}
    names = read.files[0].vertices
    for name, reading in (("counting", read.counting), ("structure", read.structure)):
        told = None if reading is None else _read_data(reading, names)
        if told is not None and reading is not None and network is not None:
            told |= _judged_data(reading, names, network, grouping, true)
        data[name] = told
    return data


def _read_data(reading: SeriesReading, names: Sequence[str]) -> dict[str, Any]:
    walks = [None if walk is None else [names[i] for i in walk] for walk in reading.walks]
    return {
        "links": [[names[i], names[j]] for i, j in reading.links],
        "walks": walks,
        "paths": sum(walk is not None for walk in walks),
        "strain": None if reading.strain < 0 else reading.strain,
        "walks_right": None,
        "links_right": None,
        "bare": None,
    }


def _judged_data(
    reading: SeriesReading,
    names: Sequence[str],
    network: Network,
    grouping: Grouping | None,
    true: Sequence[Sequence[int]],
) -> dict[str, Any]:
    """Return what is right of what was read."""
    from pathveil.adversary.series_judgement import walks_right

    ground = network if grouping is None else grouping.between_classes(network)
    edges = set(ground.edges)
    bare = None
    if grouping is not None and grouping.leaves_bare:
        bare = _bare_data(reading, true, network, grouping)
    return {
        "walks_right": walks_right(reading, true, grouped=grouping is not None),
        "links_right": sum((names[i], names[j]) in edges for i, j in reading.links),
        "bare": bare,
    }


def _bare_data(
    reading: SeriesReading, true: Sequence[Sequence[int]], network: Network, grouping: Grouping
) -> dict[str, int]:
    """Return what is read, and what there is, that the grouping leaves bare."""
    from pathveil.adversary.series_judgement import (
        bare_among,
        bare_walks_among,
        bare_walks_right,
    )

    links = [tuple(block) for block in grouping.blocks_of(network).tolist()]
    bare = {links[place] for place in bare_among(links, grouping)}
    return {
        "walks_right": bare_walks_right(reading, true, grouping),
        "walks": len(bare_walks_among(true, grouping)),
        "links_right": len(bare.intersection(reading.links)),
        "links": len(bare),
    }


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
