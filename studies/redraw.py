"""Draw the figures and judge the claims again from the committed tables.

Usage: python studies/redraw.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path

from pathveil.lab.reproduction.evaluation import read_results, write_results

FOLDER = Path(__file__).parent / "results"


def main() -> None:
    """Read the tables, write figures and report beside them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    tables = read_results(folder)
    runs = min(row.tally.runs for rows in tables.values() for row in rows)
    report = write_results(folder, tables, runs=runs)
    for verdict, count in sorted(report.verdicts.items()):
        print(f"{verdict}: {count}")


if __name__ == "__main__":
    main()
