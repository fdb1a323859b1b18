"""Count what the paper's Section 6 prints about maps without coins and without splitting, in full.

Usage: python studies/section2_numbers.py [maps a size]

For every size the share of usable maps by both engines and the order confirmed by the paper's; then
the numbers in the text beside them, the rarest unusable maps, and the sizes near one half.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pathveil.batching.worker_pool import Crew
from pathveil.lab.reproduction.claims import described_sizes
from pathveil.lab.reproduction.figures import SIZES
from pathveil.lab.reproduction.measures import Tally
from pathveil.lab.reproduction.sweep import ENGINES, Cell, Sweep
from pathveil.lab.reproduction.sweep_store import run_sweeps

Counts = dict[tuple[int, int], Tally]


def count(maps: int) -> tuple[Counts, Counts]:
    """Return the tallies of all sizes, by the paper's engine and by ours, on the same maps."""
    sweeps = []
    with TemporaryDirectory() as folder:
        for engine in ENGINES:
            cells = tuple(
                Cell(engine, v, e, splitting=False, step_limit=100_000_000) for v, e in SIZES
            )
            sweeps.append((Sweep("section 2", cells, runs=maps), Path(folder) / engine))
        paper, ours = run_sweeps(sweeps, Crew(workers=2))
    return (
        {(row.cell.vertices, row.cell.edges): row.tally for row in paper},
        {(row.cell.vertices, row.cell.edges): row.tally for row in ours},
    )


def main() -> None:
    """Print the table and the numbers."""
    maps = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    paper, ours = count(maps)
    print("size      usable (paper, ours)   order with usable map")
    for size, tally in paper.items():
        usable = f"{tally.usable / maps:.4f}  {ours[size].usable / maps:.4f}"
        print(f"{size!s:9} {usable}         {tally.order_share()}")
    always = {size for size, tally in ours.items() if tally.usable == maps}
    print(f"always usable: {len(always)} of {len(SIZES)} (the paper prints 30, and describes 36)")
    print(f"  exactly those described: {always == described_sizes()}")
    for name, counts in (("the paper's engine", paper), ("ours", ours)):
        under = sum(2 * tally.usable < maps for tally in counts.values())
        print(f"usable in under half of the maps, {name}: {under} (the paper prints 52)")
    missed = sum(ours[size].usable - paper[size].usable for size in SIZES)
    worst = max(SIZES, key=lambda size: ours[size].usable - paper[size].usable)
    points = (ours[worst].usable - paper[worst].usable) / maps
    print(f"usable maps the paper's search misses: {missed / maps / len(SIZES):.3%} of all,")
    print(f"  at most {points:.2%} (at {worst})")
    rare = sorted(set(SIZES) - always, key=lambda size: -ours[size].usable)[:5]
    print("rarest unusable maps:", {size: 1 - ours[size].usable / maps for size in rare})
    near = sorted(SIZES, key=lambda size: abs(2 * ours[size].usable - maps))[:9]
    print("nearest one half:", {size: ours[size].usable / maps for size in near})
    steps = {size: tally.steps / maps for size, tally in paper.items()}
    hardest = max(steps, key=lambda size: steps[size])
    print(f"steps at (9, 18): {steps[9, 18]:,.0f}; most, at {hardest}: {steps[hardest]:,.0f}")


if __name__ == "__main__":
    main()
