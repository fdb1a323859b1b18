"""Print every section: ours, the peer or limit, the ratio, the goal. ``make bench``."""

from __future__ import annotations

import os
import platform
import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

from benchmarks.rows import noise

MODULES = (
    "layering_sections",
    "publishing_sections",
    "reading_sections",
    "scale_sections",
    "throughput_sections",
    "experiment_sections",
    "participant_sections",
    "series_sections",
    "ledger_sections",
    "comparison_sections",
)


def main(wanted: list[str]) -> None:
    console = Console()
    console.print(
        f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}, "
        f"{os.cpu_count()} cores; {noise()}"
    )
    for module in MODULES:
        for title, section in import_module(f"benchmarks.{module}").SECTIONS:
            if wanted and not any(word.lower() in title.lower() for word in wanted):
                continue
            table = Table(title=title, title_justify="left")
            for head in ("what", "ours", "peer or limit", "ratio", "goal", ""):
                table.add_column(head)
            for row in section():
                mark = {None: "", True: "met", False: "[red]not met[/]"}[row.met]
                table.add_row(row.name, row.ours, row.peer, row.ratio, row.goal, mark)
            console.print(table)
    console.print(f"at the end: {noise()}")


if __name__ == "__main__":
    main(sys.argv[1:])
