"""The report of a reproduction: one text for readers and one page for browsers, same content.

Four parts: every printed claim beside what was found, with a verdict; our engine beside the
paper's; how often the step limit struck; the figures. The page holds its pictures in itself.
"""

from __future__ import annotations

import base64
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pathveil.files.atomic_write import write_aside
from pathveil.lab.reproduction.claims import JudgedClaim, Tables, judge_claims
from pathveil.lab.reproduction.figures import CYCLIC_KINDS_TRIED, FIGURES
from pathveil.lab.reproduction.judges import VERDICTS, sum_tallies
from pathveil.lab.reproduction.measures import Clock
from pathveil.lab.reproduction.sweep import ENGINES
from pathveil.lab.reproduction.sweep_store import Row


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
    clock = sum((row.clock for row in rows), Clock())
    return clock.nanoseconds / 1e3 / sum_tallies(rows).runs if clock.stints else math.nan


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
        "engines had the same maps, copies and coins. A trend is judged by its direction only, in "
        "each curve by all its points, with intervals that hold for all curves of the claim at "
        "once: it agrees if all or most curves surely go that way and none surely against it, and "
        "is borne out in part if some do. A search of the paper's engine ends at a limit of "
        "placements by splitting where it stands (below); the paper's has none. Curves in which "
        "the limit struck are not counted, save where it can only have weakened a rise. Search "
        "steps are placements for the paper's engine and sets of cuts tried for ours; times are "
        f"those of the compiled engines alone. Figure 10: {CYCLIC_KINDS_TRIED}"
    )


_PARTS = (
    "What the paper prints, and what was found",
    "Our engine beside the paper's",
    "How often the step limit struck",
    "Figures",
)


def write_markdown(report: ReproductionReport, path: Path, pictures: Sequence[Path]) -> None:
    """Write the report as Markdown; pictures are referred to beside it."""
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
    write_aside(path, "\n".join(lines))


def _markdown_table(table: Table) -> list[str]:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return [line(table.head), line(["---"] * len(table.head)), *map(line, table.rows)]


_PAGE_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem;
         border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #444; }
td.agrees { color: #005a8c; font-weight: 600; } td.disagrees { color: #a33c00; font-weight: 600; }
td.in-part { color: #6a5200; font-weight: 600; }
img { width: 100%; height: auto; margin: 1rem 0; }
.wide { overflow-x: auto; }
"""


def write_page(report: ReproductionReport, path: Path, pictures: Sequence[Path]) -> None:
    """Write the report as one page that needs no other file."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>The paper's evaluation, reproduced</title><style>{_PAGE_STYLE}</style></head>",
        "<body><h1>The paper's evaluation, reproduced</h1>",
        f"<p>{escape(_introduction(report))}</p>",
    ]
    tables = (
        Table(_FINDING_HEAD, _finding_rows(report.findings)),
        report.comparison,
        report.strikes,
    )
    for title, table in zip(_PARTS, tables, strict=False):
        parts += [f"<h2>{title}</h2>", _page_table(table)]
    parts.append(f"<h2>{_PARTS[-1]}</h2>")
    for picture in pictures:
        kind = "svg+xml" if picture.suffix == ".svg" else picture.suffix[1:]
        data = base64.b64encode(picture.read_bytes()).decode()
        parts.append(f"<img alt='{picture.stem}' src='data:image/{kind};base64,{data}'>")
    parts.append("</body></html>\n")
    write_aside(path, "\n".join(parts))


def _page_table(table: Table) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        inner = "".join(
            f"<{tag} class='{escape(cell.replace(' ', '-'))}'>{escape(cell)}</{tag}>"
            if cell in VERDICTS
            else f"<{tag}>{escape(cell)}</{tag}>"
            for cell in cells
        )
        return f"<tr>{inner}</tr>"

    body = "".join(line(row, "td") for row in table.rows)
    return (
        f"<div class='wide'><table><thead>{line(table.head, 'th')}</thead>"
        f"<tbody>{body}</tbody></table></div>"
    )
