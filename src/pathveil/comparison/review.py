"""The section of the paper's review that speaks of the prior systems, made from the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pathveil.comparison.tables import Record


def rewrite_section(path: Path, records: Sequence[Record]) -> None:
    """Put the section into its place."""
    raise NotImplementedError
