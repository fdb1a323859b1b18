"""reproduce(): the paper's whole evaluation in one call.

Sweeps are run (or taken up where they were left), tables written, figures drawn from the tables,
claims judged, the report written. Everything behind the sweeps is made from the tables alone, so it
can be done again from committed ones: :func:`write_results`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pathveil.batching.worker_pool import Progress
from pathveil.lab.reproduction.figures import FIGURES, chosen_engines, chosen_figures
from pathveil.lab.reproduction.plots import FORMATS, draw_figure
from pathveil.lab.reproduction.report import (
    ReproductionReport,
    judge_tables,
    write_markdown,
    write_page,
)
from pathveil.lab.reproduction.run_sweeps import run_sweeps
from pathveil.lab.reproduction.sweep_store import Row, read_table, write_clock, write_table


def reproduce(
    output: str | Path,
    *,
    runs: int = 1000,
    figures: Iterable[int | str] | None = None,
    engine: str = "both",
    workers: int = 2,
    scheduler: str | None = None,
    progress: Progress | None = None,
    formats: Sequence[str] = FORMATS,
) -> ReproductionReport:
    """Return the paper's evaluation, reproduced: tables, figures and a report in a folder.

    Parameters
    ----------
    output
        Folder for ``tables/``, ``figures/``, ``report.md``, ``report.html`` and ``journals/``.
        Given again, what is recorded in the journals is not run again.
    runs
        Runs of each cell; the paper has 1000.
    figures
        Numbers (7 to 10) or names; all by default.
    engine
        "both", "exact" (ours) or "backtracking" (the paper's).
    workers, scheduler
        Processes here, or the address of a Dask scheduler instead.
    progress
        Called with (done, total) stints of runs as they come back.

    *Paper*: Section 5, Figures 7 to 10.

    *Cost*: 1000 runs on two cores: a minute for our engine, under ten for both.
    """
    folder = Path(output)
    chosen, engines = chosen_figures(figures), chosen_engines(engine)
    sweeps = [
        (figure, engine, figure.sweep(engine, runs=runs)) for engine in engines for figure in chosen
    ]
    results = run_sweeps(
        [
            (sweep, folder / "journals" / f"{figure.name}.{engine}.journal")
            for figure, engine, sweep in sweeps
        ],
        workers=workers,
        scheduler=scheduler,
        progress=progress,
    )
    tables: dict[str, tuple[Row, ...]] = {}
    for (figure, _, _), rows in zip(sweeps, results, strict=True):
        tables[figure.name] = (*tables.get(figure.name, ()), *rows)
    return write_results(folder, tables, runs=runs, formats=formats)


def write_results(
    output: str | Path,
    tables: Mapping[str, Sequence[Row]],
    *,
    runs: int,
    formats: Sequence[str] = FORMATS,
) -> ReproductionReport:
    """Return the report on result tables, with tables, figures and report written to a folder."""
    folder = Path(output)
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    pictures: list[Path] = []
    for figure in FIGURES:
        rows = tables.get(figure.name)
        if not rows:
            continue
        table, clock = _table_paths(folder, figure.name)
        write_table(table, rows)
        write_clock(clock, rows)
        files += [table, clock]
        if figure.drawn:
            drawn = draw_figure(figure, rows, folder / "figures", formats=formats)
            files += drawn
            pictures.append(drawn[0])
    report = judge_tables(tables, runs=runs)
    write_markdown(report, folder / "report.md", pictures)
    write_page(report, folder / "report.html", pictures)
    files += [folder / "report.md", folder / "report.html"]
    return replace(report, files=tuple(files))


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
