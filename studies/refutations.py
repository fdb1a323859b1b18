"""Count the counterexamples that the review of the paper quotes, and write them as a table.

Usage: python studies/refutations.py [-o studies/results/refutations.csv]
"""

from __future__ import annotations

import argparse
import csv
import io
from pathlib import Path

from pathveil.files.atomic_write import write_aside
from pathveil.lab.reproduction.refutations import refutation_table

TABLE = Path(__file__).parent / "results" / "refutations.csv"


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", default=str(TABLE))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("case", "counted", "of"))
    writer.writerows(refutation_table())
    write_aside(parser.parse_args().output, text.getvalue())


if __name__ == "__main__":
    main()
