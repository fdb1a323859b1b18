"""Count the counterexamples that the review of the paper quotes, and write them as a table.

Usage: python studies/refutations.py [-o studies/results/refutations.csv]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pathveil.lab.reproduction.refutations import refutation_table
from pathveil.lab.reproduction.sweep_store import write_csv_file

TABLE = Path(__file__).parent / "results" / "refutations.csv"


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", default=str(TABLE))
    write_csv_file(parser.parse_args().output, ("case", "counted", "of"), refutation_table())


if __name__ == "__main__":
    main()
