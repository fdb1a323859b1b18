"""reproduce(): the paper's whole evaluation in one call.

Sweeps are run (or taken up where they were left), tables written, figures drawn from the tables,
claims judged, the report written. Everything behind the sweeps is made from the tables alone, so it
can be done again from committed ones: :func:`write_results`. The report has four parts: every
printed claim beside what was found, with a verdict; our engine beside the paper's; how often the
step limit struck; the figures.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pathveil.batching.worker_pool import Crew
from pathveil.files.atomic_write import write_aside
from pathveil.lab.reproduction.claims import JudgedClaim, Tables, judge_claims, sum_tallies
from pathveil.lab.reproduction.figures import CYCLIC_KINDS_TRIED, FIGURES, chosen_figures
from pathveil.lab.reproduction.measures import Clock
from pathveil.lab.reproduction.plots import draw_figure
from pathveil.lab.reproduction.sweep import ENGINES
from pathveil.lab.reproduction.sweep_store import (
    Row,
    read_table,
    run_sweeps,
    write_clock,
    write_table,
)


@dataclass(frozen=True)
class Table:
    """A table of the report."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ReproductionReport:
    """What a reproduction found.

    Attributes
    ----------
    findings
        The paper's claims with verdicts.
    runs
        Runs of each cell.
    files
        Everything that was written.
    """

    findings: tuple[JudgedClaim, ...]
    runs: int
    comparison: Table
    strikes: Table
    files: tuple[Path, ...] = ()

    @property
    def verdicts(self) -> dict[str, int]:
        """How many claims got which verdict."""
        return dict(Counter(finding.verdict for finding in self.findings))


def judge_tables(tables: Tables, *, runs: int) -> ReproductionReport:
    """Return the report on result tables, with nothing written yet."""
    return ReproductionReport(
        judge_claims(tables), runs, compare_engines(tables), count_strikes(tables)
    )


def compare_engines(tables: Tables) -> Table:
    """Return our engine beside the paper's, figure by figure, on the same maps and coins."""
    rows = []
    for figure in FIGURES:
        parts = {
            engine: [row for row in tables.get(figure.name, ()) if row.cell.engine == engine]
            for engine in ENGINES
        }
        if not any(parts.values()):
            continue
        for name, measure in _MEASURES:
            shown = [measure(part) if part else math.nan for part in parts.values()]
            if all(math.isnan(value) for value in shown):
                continue
            rows.append((f"{figure.number} {figure.name}", name, *map(_number, shown)))
    return Table(("figure", "measure", "the paper's engine", "our engine"), tuple(rows))


def _order_by_cell(rows: Sequence[Row]) -> float:
    shares = [row.tally.order_share().value for row in rows if row.tally.outputs]
    return sum(shares) / len(shares) if shares else math.nan


def _order_by_output(rows: Sequence[Row]) -> float:
    return sum_tallies(rows).order_share().value


def _order_by_run(rows: Sequence[Row]) -> float:
    tally = sum_tallies(rows)
    return math.nan if tally.outputs == tally.runs else tally.overall_order().value


def _microseconds(rows: Sequence[Row]) -> float:
    timed = [row for row in rows if row.clock.stints]
    clock = sum((row.clock for row in timed), Clock())
    return clock.nanoseconds / 1e3 / sum_tallies(timed).runs if timed else math.nan


def _pieces(rows: Sequence[Row]) -> float:
    tally = sum_tallies(row for row in rows if row.cell.splitting)
    return tally.pieces / tally.copies if tally.copies else math.nan


_MEASURES = (
    ("order confirmed, mean over its cells", _order_by_cell),
    ("order confirmed, mean over all outputs", _order_by_output),
    ("order confirmed, no output counted as a failure", _order_by_run),
    ("share of usable maps", lambda rows: sum_tallies(rows).usable / sum_tallies(rows).runs),
    ("pieces a copy", _pieces),
    ("search steps a run", lambda rows: sum_tallies(rows).steps / sum_tallies(rows).runs),
    ("microseconds a run", _microseconds),
)


def _number(value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.3f}" if value < 100 else f"{value:,.0f}"


def count_strikes(tables: Tables) -> Table:
    """Return how often the step limit ended a search of the paper's engine."""
    rows = []
    for figure in FIGURES:
        part = [row for row in tables.get(figure.name, ()) if row.cell.engine == "backtracking"]
        if not part:
            continue
        tally = sum_tallies(part)
        most = max(part, key=lambda row: row.tally.struck / row.tally.runs)
        limits = sorted({row.cell.step_limit for row in part})
        where = "-"
        if most.tally.struck:
            share = most.tally.struck / most.tally.runs
            where = f"{share:.1%} at |V| = {most.cell.vertices}, |E| = {most.cell.edges}"
        rows.append(
            (
                f"{figure.number} {figure.name}",
                " or ".join(f"{limit:,}" for limit in limits),
                f"{tally.runs:,}",
                f"{tally.struck:,} ({tally.struck / tally.runs:.2%})",
                where,
            )
        )
    return Table(("figure", "step limit", "runs", "struck", "most often"), tuple(rows))


# -- writing ------------------------------------------------------------------------------------

_FINDING_HEAD = ("figure", "the paper says", "printed", "found", "our engine", "verdict", "note")


def _finding_rows(findings: Sequence[JudgedClaim]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (str(f.figure), f.claim, f.printed or "-", f.found, f.ours, f.verdict, f.note or "")
        for f in findings
    )


def _introduction(report: ReproductionReport) -> str:
    counted = ", ".join(f"{count} {verdict}" for verdict, count in sorted(report.verdicts.items()))
    return (
        f"{report.runs} runs a cell; brackets are 95 % intervals. Verdicts: {counted}. Both "
        "engines had the same maps, copies and coins. A verdict is given only where the runs can "
        "tell; else the claim is undecided, and the note says about how many runs would decide. "
        "A trend is judged by its direction: it agrees if more than half of its curves surely go "
        'that way, at 95 % for all of them at once, and none surely against it. "Much" is twice '
        'or more, "about" within five points. A search of the paper\'s engine ends at a limit of '
        "placements by splitting where it is (below); the paper's has none. Curves in which the "
        "limit struck are not counted, except where it can only have weakened a rise. Search "
        "steps are placements for the paper's engine and sets of cuts tried for ours; times are "
        f"those of the compiled engines alone. Figure 10: {CYCLIC_KINDS_TRIED}"
    )


_PARTS = (
    "What the paper prints, and what was found",
    "Our engine beside the paper's",
    "How often the step limit struck",
    "Figures",
)


def write_markdown(
    report: ReproductionReport, path: Path, pictures: Sequence[Path], *, replacing: bool = True
) -> None:
    """Write the report; pictures are referred to beside it."""
    lines = ["# The paper's evaluation, reproduced", "", _introduction(report), ""]
    tables = (
        Table(_FINDING_HEAD, _finding_rows(report.findings)),
        report.comparison,
        report.strikes,
    )
    for title, table in zip(_PARTS, tables, strict=False):
        lines += [f"## {title}", "", *_markdown_table(table), ""]
    lines += [f"## {_PARTS[-1]}", ""]
    for picture in pictures:
        shown = picture.relative_to(path.parent).as_posix()
        lines += [f"![{picture.stem}]({shown})", ""]
    write_aside(path, "\n".join(lines), replacing=replacing, resuming=True)


def _markdown_table(table: Table) -> list[str]:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return [line(table.head), line(["---"] * len(table.head)), *map(line, table.rows)]


# -- running and writing ---------------------------------------------------------------------------


def reproduce(
    output: str | Path,
    *,
    runs: int = 1000,
    figures: Iterable[int | str] | None = None,
    crew: Crew | None = None,
    replacing: bool = True,
) -> ReproductionReport:
    """Return the paper's evaluation, reproduced: tables, figures and a report in a folder.

    Parameters
    ----------
    output
        Folder for ``tables/``, ``figures/``, ``report.md`` and ``journals/``.
        Given again, what is recorded in the journals is not run again.
    runs
        Runs of each cell; the paper has 1000.
    figures
        Numbers (7 to 10) or names; all by default.
    replacing
        Whether files that are there and hold other results may be replaced.

    *Paper*: Section 5, Figures 7 to 10.

    *Cost*: 1000 runs of both engines on two idle cores: about three minutes.
    """
    folder = Path(output)
    chosen = chosen_figures(figures)
    journals = folder / "journals"
    sweeps = [(figure.sweep(runs=runs), journals / figure.name) for figure in chosen]
    names = [figure.name for figure in chosen]
    tables = dict(zip(names, run_sweeps(sweeps, crew), strict=True))
    return write_results(folder, tables, runs=runs, replacing=replacing)


def write_results(
    output: str | Path, tables: Mapping[str, Sequence[Row]], *, runs: int, replacing: bool = True
) -> ReproductionReport:
    """Return the report on result tables, written to a folder with tables and figures."""
    folder = Path(output)
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    pictures: list[Path] = []
    for figure in FIGURES:
        rows = tables.get(figure.name)
        if not rows:
            continue
        table, clock = _table_paths(folder, figure.name)
        write_table(table, rows, replacing=replacing)
        write_clock(clock, rows, replacing=replacing)
        files += [table, clock]
        if figure.drawn:
            pictures.append(draw_figure(figure, rows, folder / "figures", replacing=replacing))
    report = judge_tables(tables, runs=runs)
    write_markdown(report, folder / "report.md", pictures, replacing=replacing)
    return replace(report, files=(*files, *pictures, folder / "report.md"))


def read_results(output: str | Path) -> dict[str, tuple[Row, ...]]:
    """Return the tables in a folder that :func:`reproduce` wrote, by figure name."""
    tables = {}
    for figure in FIGURES:
        table, clock = _table_paths(Path(output), figure.name)
        if table.exists():
            tables[figure.name] = read_table(table, clock=clock if clock.exists() else None)
    return tables


def _table_paths(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / "tables" / f"{name}.csv", folder / "tables" / f"{name}.clock.csv"
