"""BatchReport: what became of many walks, whether a ledger kept them or a journal did."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pathveil.batch_lines import Failure
from pathveil.gate_report import GateReport
from pathveil.model.certificate import Certificate


@dataclass(frozen=True)
class BatchReport:
    """What became of a batch.

    Attributes
    ----------
    published
        How many walks are in the output.
    resumed
        How many of them had been drawn before this call took the batch up.
    failures
        Walks that could not be published, by line.
    repeated
        Lines whose walk stood on an earlier line, with that line. Each was released again, and
        costs its links again.
    gate
        What outsiders would read; for the custodian alone. None if nothing was published.
    certificate
        What the series promises after the last of them.
    """

    output: Path
    published: int
    resumed: int
    failures: tuple[Failure, ...]
    gate: GateReport | None = None
    certificate: Certificate | None = None
    repeated: tuple[tuple[int, int], ...] = ()
