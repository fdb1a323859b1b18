"""compare(): five prior systems and ours under Figure 1's attack; table, picture, page, verdict."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from pathveil.comparison.games import (
    FIVE,
    Contestant,
    Row,
    Settings,
    prior_systems,
    run_trials,
)
from pathveil.comparison.tables import comparison_table, draw_table, strongest
from pathveil.comparison.veiled import own_systems
from pathveil.formats.files import write_aside
from pathveil.maps import local_route, random_map
from pathveil.model.network import Network
from pathveil.runners import run_all

CHUNK = 20
USUAL = (*FIVE, "PriSTE edge", "CNoise, noisy ends")
"""The five of the paper, the strongest honest variant of one, and plain noise for scale."""
LITERAL = "nearest"
"""Figure 1's own attack: nearest vertices of consecutive published points."""


@dataclass(frozen=True)
class Comparison:
    """A finished comparison: the records of all attacks, and what they say of the paper's claim."""

    records: tuple[dict[str, Any], ...]
    trials: int
    verdict: str

    @property
    def best(self) -> list[dict[str, Any]]:
        """For each system and budget the attack with the largest gain over its control."""
        return strongest(self.records)


def compare(
    *,
    vertices: int = 10,
    edges: int = 15,
    budgets: Sequence[float] = (0.5, 1, 5, 20),
    trials: int = 1000,
    systems: Sequence[str] = USUAL,
    network: Network | None = None,
    visits: int = 10,
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Comparison, list[Row]]:
    """Return the comparison and its raw rows.

    Parameters
    ----------
    vertices, edges
        Size of the random maps, if no network is given.
    network, visits
        A real network with coordinates, and the length of the random paths on it; each trial is
        played on the sub-network between the vertices of its path.

    *Cost*: some 150 ms a trial and budget for the usual systems on one core, two thirds of it
    PriSTE aimed at the edge.
    """
    make_map = (
        partial(random_map, vertices, edges)
        if network is None
        else partial(local_route, network, visits)
    )
    contestants: list[Contestant] = [*prior_systems(budgets, systems), *own_systems(budgets)]
    settings = Settings(seed=seed, make_map=make_map)
    chunks = [range(start, min(start + CHUNK, trials)) for start in range(0, trials, CHUNK)]
    rows: list[Row] = []
    done = 0
    for made in run_all(
        partial(_play, contestants, settings), chunks, workers=workers, scheduler=scheduler
    ):
        rows.extend(made)
        done += len({row["trial"] for row in made})
        if progress is not None:
            progress(done, trials)
    order = {c.name: place for place, c in enumerate(contestants)}
    rows.sort(key=lambda row: (int(row["trial"]), order[str(row["system"])], float(row["budget"])))
    records = comparison_table(rows)
    return Comparison(tuple(records), trials, judge(records)), rows


def _play(contestants: Sequence[Contestant], settings: Settings, chunk: range) -> list[Row]:
    return run_trials(contestants, chunk, settings)


def judge(records: Sequence[Mapping[str, Any]]) -> str:
    """Return the verdict on "can definitely infer the privacy from the published path".

    Definitely would be success 1. The sentence is written from the figures, whatever they are.
    """
    literal = [r for r in records if r["attack"] == LITERAL and r["system"] in FIVE]
    if not literal:
        return "None of the five systems was run, so the paper's sentence was not tested."
    certain = [r for r in literal if r["low"] > 0.99]
    above = [r for r in literal if r["difference_low"] > 0]
    top = max(literal, key=lambda r: float(r["success"]))
    literally = (
        f'"Can definitely infer" (Figure 1, literal attack): in {len(certain)} of {len(literal)} '
        f"system-budget cells the attack is right in more than 99 % of trials; in {len(above)} it "
        f"beats the random guess among the candidates at all. Its best is {top['success']:.2f} "
        f"[{top['low']:.2f}, {top['high']:.2f}] on {top['system']} at budget {top['budget']:g}, "
        f"where guessing without any release gives {top['g1']:.2f}."
    )
    least: dict[str, float] = {}
    for r in strongest(records):
        if r["system"] in FIVE and r["verdict"] == "leaks":
            least[r["system"]] = min(r["budget"], least.get(r["system"], r["budget"]))
    leaks = sorted(f"{system} from budget {budget:g}" for system, budget in least.items())
    if not leaks:
        return f"{literally} No attack finds a leak in any of the five at these budgets."
    return (
        f"{literally} The best attack on each system, which is not the figure's, does find a leak: "
        f"{'; '.join(leaks)}."
    )


COLUMNS = (
    "system", "unit", "budget", "attack", "trials", "success", "low", "high", "g0", "g1",
    "difference", "difference_low", "difference_high", "advantage", "fallback", "abstained",
    "placebo", "placebo_low", "placebo_high", "single_candidate", "verdict", "distance",
    "recovered", "claimed", "exact",
)  # fmt: skip


def write_comparison(comparison: Comparison, folder: Path) -> list[Path]:
    """Write table, picture and page into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    table, picture, page = (folder / f"comparison.{kind}" for kind in ("csv", "svg", "html"))
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {k: f"{v:.6g}" if isinstance(v, float) else v for k, v in record.items()}
        for record in comparison.records
    )
    write_aside(table, text.getvalue())
    draw_table(comparison.records, picture)
    write_aside(page, _page(comparison, picture.read_text(encoding="utf-8")))
    return [table, picture, page]


def _page(comparison: Comparison, svg: str) -> str:
    """Return one self-contained page: verdict, picture, the strongest attack of each cell."""
    heads = (
        "system", "budget", "unit", "best attack", "success [95 %]", "random guess G1",
        "difference [95 %]", "placebo", "walk recovered", "verdict",
    )  # fmt: skip
    lines = []
    for r in comparison.best:
        cells = (
            r["system"],
            f"{r['budget']:g}",
            r["unit"],
            r["attack"],
            f"{r['success']:.3f} [{r['low']:.3f}, {r['high']:.3f}]",
            f"{r['g1']:.3f}",
            f"{r['difference']:+.3f} [{r['difference_low']:+.3f}, {r['difference_high']:+.3f}]",
            f"{r['placebo']:.3f}",
            f"{r['recovered']:.3f}",
            r["verdict"],
        )
        lines.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
    drawing = svg[svg.index("<svg") :]
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Six systems under Figure 1's attack</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
  color: #1f2937; background: #fff }}
table {{ border-collapse: collapse; font-size: 14px; width: 100% }}
th, td {{ text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #e5e7eb;
  white-space: nowrap }}
svg {{ max-width: 100%; height: auto }}
.table {{ overflow-x: auto }}
</style></head><body>
<h1>Six systems under Figure 1's attack</h1>
<p>{escape(comparison.verdict)}</p>
<p>{comparison.trials} trials. Each system's budget is about something else: read the unit. A leak
is a gain over the random guess among the candidates (G1) whose interval excludes zero, with a
placebo that gains nothing.</p>
{drawing}
<h2>The strongest attack on each system at each budget</h2>
<div class="table"><table><tr>{"".join(f"<th>{escape(head)}</th>" for head in heads)}</tr>
{chr(10).join(lines)}
</table></div></body></html>
"""
