"""Print every section: ours, the peer or limit, the ratio, the goal. ``make bench``.

``python -m benchmarks [--quick] [WORD ...]`` runs the sections whose titles hold one of the words.
"""

from __future__ import annotations

import os
import platform
import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

from benchmarks.rows import QUICK, noise

MODULES = (
    "layering_sections",
    "publishing_sections",
    "reading_sections",
    "first_use_sections",
    "scale_sections",
    "throughput_sections",
    "experiment_sections",
    "participant_sections",
    "series_sections",
    "cover_sections",
)


def main(words: list[str]) -> None:
    wanted = [word for word in words if word != "--quick"]
    if len(wanted) < len(words):
        os.environ[QUICK] = "1"
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
                mark = "" if os.environ.get(QUICK) else mark
                table.add_row(row.name, row.ours, row.peer, row.ratio, row.goal, mark)
            console.print(table)
    console.print(f"at the end: {noise()}")


if __name__ == "__main__":
    main(sys.argv[1:])
