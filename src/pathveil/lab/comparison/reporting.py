"""compare(): five prior systems and ours under Figure 1's attack; table, picture, page, verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Literal

from pathveil.batching.worker_pool import run_all
from pathveil.files.atomic_write import write_aside
from pathveil.lab.baselines.baseline_release import require_places
from pathveil.lab.comparison.games import LESSONS, Contestant, Row, Settings, run_trials
from pathveil.lab.comparison.picture import draw_table
from pathveil.lab.comparison.records import CHUNK, TrialRecord, fingerprint
from pathveil.lab.comparison.result_tables import (
    Record,
    alphas,
    comparison_table,
    share,
    strongest,
    write_csv,
)
from pathveil.lab.comparison.systems import USUAL, prior_systems
from pathveil.lab.comparison.veiled import own_systems
from pathveil.lab.comparison.verdicts import controls_said, judge, reading
from pathveil.lab.maps import are_degrees, in_metres, local_route, random_map
from pathveil.model.network import Network

Coordinates = Literal["auto", "degrees", "plane"]


@dataclass(frozen=True)
class Comparison:
    """A finished comparison: the records of all attacks, and what they say of the paper's claim."""

    records: tuple[dict[str, Any], ...]

    @property
    def trials(self) -> int:
        """How many games each cell has."""
        return max((int(r["trials"]) for r in self.records), default=0)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the table allows one to say, each sentence by a rule."""
        if not self.records:
            return ()
        return (controls_said(self.records), *judge(self.records), reading(self.records))

    @property
    def verdict(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)

    @property
    def best(self) -> list[dict[str, Any]]:
        """For each map, system and budget the attack with the largest gain over the control."""
        return strongest(self.records)


def compare(
    *,
    vertices: int = 10,
    edges: int = 15,
    budgets: Sequence[float] = (0.5, 1, 5, 20),
    trials: int = 1000,
    systems: Sequence[str] = USUAL,
    network: Network | None = None,
    name: str | None = None,
    visits: int = 10,
    coordinates: Coordinates = "plane",
    reach: float | None = None,
    seed: int = 0,
    lessons: int = LESSONS,
    journal: Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Comparison, list[Row]]:
    """Return the comparison and its raw rows.

    Parameters
    ----------
    vertices, edges
        Size of the random maps, if no network is given.
    budgets
        Each counts once, however often and in whatever form it is given.
    network, name, visits
        A real network with coordinates, what to call it, and the length of the random paths on
        it; each trial is played on the sub-network between the vertices of its path.
    coordinates
        What those are: "plane", "degrees" of longitude and latitude, which are projected to metres,
        or "auto": degrees if they could be.
    reach
        Public bound on the length of a link, in metres or the map's units: the step bound of SDD
        and its siblings, and the universe of ours. None: any two vertices of a trial may be linked.
    lessons
        Other maps of the kind from which adversaries learn what the length of a link tells.
    journal
        Where finished trials are recorded; a comparison that was stopped goes on from it.

    *Cost*: about half a second of one core a trial for the usual systems at four budgets.
    """
    budgets = sorted({float(budget) for budget in budgets})
    make_map: Any = partial(random_map, vertices, edges)
    board, unit = f"random maps, {vertices} vertices, {edges} edges", "sides of the map"
    if network is not None:
        network, unit = _flat(network, coordinates)
        make_map = partial(local_route, network, visits)
        board = f"{name or 'network'}, paths of {visits}"
    contestants: list[Contestant] = [
        *prior_systems(budgets, systems),
        *own_systems(budgets, universe=reach is not None),
    ]
    settings = Settings(seed=seed, make_map=make_map, reach=reach).studied(lessons)
    digest = fingerprint(
        contestants,
        seed=seed,
        trials=trials,
        board=f"{board}, reach {reach}, lessons {lessons}",
        network=network,
    )
    with ExitStack() as stack:
        record = journal and stack.enter_context(TrialRecord(journal, digest, trials))
        rows = _played(
            partial(_play, contestants, settings),
            trials,
            record or None,
            progress=progress or (lambda _done, _total: None),
            run=partial(run_all, workers=workers, scheduler=scheduler),
        )
    rows = _in_order(rows, contestants)
    return Comparison(tuple(comparison_table(rows, map_=board, length_unit=unit))), rows


def _in_order(rows: Sequence[Row], contestants: Sequence[Contestant]) -> list[Row]:
    """Return rows by trial, then as the contestants were listed, whoever finished first."""
    order = {c.name: place for place, c in enumerate(contestants)}
    return sorted(
        rows, key=lambda row: (int(row["trial"]), order[str(row["system"])], float(row["budget"]))
    )


def _flat(network: Network, coordinates: Coordinates) -> tuple[Network, str]:
    """Return the network in the plane, and in what its lengths are measured."""
    require_places(network)
    if coordinates == "degrees" or (coordinates == "auto" and are_degrees(network)):
        return in_metres(network), "m"
    return network, "map units"


def _played(
    work: Callable[[range], tuple[range, list[Row]]],
    trials: int,
    record: TrialRecord | None,
    *,
    progress: Callable[[int, int], None],
    run: Callable[..., Any],
) -> list[Row]:
    """Return all rows: those of the record, and those of the chunks played now."""
    chunks = [range(start, min(start + CHUNK, trials)) for start in range(0, trials, CHUNK)]
    rows = [] if record is None else list(record.rows)
    done = 0 if record is None else record.done
    progress(done, trials)
    for chunk, made in run(work, chunks if record is None else record.missing):
        if record is not None:
            record.append(chunk, made)
        rows.extend(made)
        done += len(chunk)
        progress(done, trials)
    return rows


def _play(
    contestants: Sequence[Contestant], settings: Settings, chunk: range
) -> tuple[range, list[Row]]:
    return chunk, run_trials(contestants, chunk, settings)


def write_comparison(comparison: Comparison, folder: Path) -> list[Path]:
    """Write table, picture and page into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    table, picture, page = (folder / f"comparison.{kind}" for kind in ("csv", "svg", "html"))
    write_aside(table, write_csv(comparison.records))
    draw_table(comparison.records, picture)
    write_aside(page, _page(comparison, picture.read_text(encoding="utf-8")))
    return [table, picture, page]


PAGE_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
  color: #1f2937; background: #fff }
table { border-collapse: collapse; font-size: 14px; width: 100% }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #e5e7eb;
  white-space: nowrap }
svg { max-width: 100%; height: auto }
.table { overflow-x: auto }
"""


def _page_row(r: Record) -> str:
    """Return the strongest attack of one cell as a row of the page's table."""
    cells = (
        r["system"],
        f"{r['budget']:g}",
        r["unit"],
        alphas(r),
        r["attack"],
        f"{r['success']:.3f} [{r['low']:.3f}, {r['high']:.3f}]",
        f"{r['control']} {r['control_success']:.3f}",
        f"{r['difference']:+.3f} [{r['difference_low']:+.3f}, {r['difference_high']:+.3f}]",
        f"{r['placebo']:.3f}",
        f"{r['distance']:.3g} {r['length_unit']}",
        share(r["recovered"]),
        r["verdict"],
        r["parameters"],
    )
    return "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>"


def _page(comparison: Comparison, svg: str) -> str:
    """Return one self-contained page: verdict, picture, the strongest attack of each cell."""
    heads = (
        "system", "budget", "unit", "alpha asked / used", "best attack", "success",
        "best control", "gain over it", "placebo", "distance", "walk read", "verdict",
        "parameters",
    )  # fmt: skip
    lines = [_page_row(record) for record in comparison.best]
    drawing = svg[svg.index("<svg") :]
    said = "\n".join(f"<p>{escape(sentence)}</p>" for sentence in comparison.sentences)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Six systems under Figure 1's attack</title>
<style>{PAGE_STYLE}</style></head><body>
<h1>Six systems under Figure 1's attack</h1>
{said}
<p>{comparison.trials} trials. Each system's budget is about something else: read the unit. A leak
is a gain over the best control whose interval excludes zero, with a placebo that is not shown to
beat that control. Intervals of one kind are made at 95 % for all attacks on a system at a budget
together.</p>
{drawing}
<h2>The strongest attack on each system at each budget</h2>
<div class="table"><table><tr>{"".join(f"<th>{escape(head)}</th>" for head in heads)}</tr>
{chr(10).join(lines)}
</table></div></body></html>
"""
