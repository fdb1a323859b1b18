"""The section of the paper's review that speaks of the prior systems, made from the table.

Its numbers are the table's and its words follow from them by rule; a test keeps the section in the
documents equal to what the committed table gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, log10
from pathlib import Path

from pathveil.errors import BadFile
from pathveil.files.atomic_write import write_aside
from pathveil.lab.baselines.scoring import CERTAIN, CONFIDENCE
from pathveil.lab.comparison.result_tables import Record, rounded, share, strongest
from pathveil.lab.comparison.systems import SYSTEMS
from pathveil.lab.comparison.verdicts import (
    LITERAL,
    RESTRICTED,
    budgets_of,
    controls_said,
    is_ours,
    judge,
    maps_of,
    plausibility_line,
    reading,
)

BEGIN = "<!-- comparison: made by studies/comparison.py from studies/results/comparison.csv -->"
END = "<!-- end of comparison -->"

MARKS = {"definitely": "**!**", "leaks": "!", "no leak shown": ""}


def review_section(records: Sequence[Record]) -> str:
    """Return the section in Markdown."""
    parts = [_preface(records), controls_said(records)]
    for name in maps_of(records):
        mine = [r for r in records if r["map"] == name]
        parts += [f"### {_sentence(name)}", _table(mine)]
    said = [*judge(records, each_budget=False), plausibility_line(records), reading(records)]
    parts += ["### What follows", "\n".join(f"- {_sentence(text)}" for text in said if text)]
    parts += ["### What else was chosen", _settings(records)]
    return "\n\n".join(parts)


def _preface(records: Sequence[Record]) -> str:
    budgets = " / ".join(f"{budget:g}" for budget in budgets_of(records))
    return (
        f"One walk edge is missing; budgets {budgets}. What a budget is about differs from system "
        "to system; the tables name it. The adversary of Figure 1 knows all vertices and places, "
        "all edges but one, and which edges the walk uses but that one; what the lengths of links "
        "tell on maps of the kind he has learned from other such maps. Intervals of one kind are "
        f"made at {CONFIDENCE:.0%} for all attacks on a system at a budget together. A *leak* (!) "
        "is a gain over the best answer without a release whose interval lies above zero, with a "
        "placebo that is not shown to beat that answer; *definitely* (**!**) asks besides for a "
        f"success above {CERTAIN:g} by the lower end of its interval. Where the best "
        "attack does worse than that answer, the adversary ignores the release."
    )


def _sentence(said: str) -> str:
    return said[:1].upper() + said[1:]


def _table(records: Sequence[Record]) -> str:
    """Return one map's table: a row for each system, budgets side by side in each cell."""
    heads = (
        "system", "budget is about", "Figure 1 as drawn", "among the joins", "best attack",
        "which", "exact walk read", "distance",
    )  # fmt: skip
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    best = strongest(records)
    for system in dict.fromkeys(r["system"] for r in records):
        top = [r for r in best if r["system"] == system]
        literal, joins = (
            [r for r in records if (r["system"], r["attack"]) == (system, attack)]
            for attack in (LITERAL, RESTRICTED)
        )
        which = "; ".join(dict.fromkeys(str(r["attack"]) for r in top))
        cells = (
            system,
            top[0]["unit"],
            _row(literal, lambda r: share(float(r["success"]))),
            _row(joins, lambda r: share(float(r["success"]))),
            _row(top, lambda r: f"{share(r['success'])}{MARKS.get(str(r['verdict']), '?')}"),
            which,
            _row(top, lambda r: share(float(r["recovered"]))),
            "" if is_ours(system) else _row(top, lambda r: _length(float(r["distance"]))),
        )
        lines.append("| " + " | ".join(cells) + " |")
    without = float(records[0]["read_without"])
    lines.append("")
    lines.append(
        f"{min(int(r['trials']) for r in records)} trials. Without any release the missing edge is "
        f"found in {share(records[0]['control_success'])} "
        f"({records[0]['control']}), and a participant who knows the network guesses the walk in "
        f"{share(without)}. Distances to the true points are in {records[0]['length_unit']}."
    )
    return "\n".join(lines)


def _length(value: float) -> str:
    """Return a length with two digits at least and no exponent.

    >>> _length(20), _length(0.5), _length(0.0512), _length(0.0525), _length(99.6), _length(1234.5)
    ('20', '0.5', '0.051', '0.053', '100', '1,235')
    """
    if value >= 99.5:
        return rounded(value, 0)
    if not value > 0:
        return f"{value:.2g}"
    # Two digits, of which the last is dropped if it is a nought.
    shown = rounded(value, 1 - floor(log10(value)))
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _row(records: Sequence[Record], show: Callable[[Record], str]) -> str:
    """Return the values at each budget; one alone where all are the same."""
    shown = [show(r) for r in sorted(records, key=lambda r: float(r["budget"]))]
    return shown[0] if len(set(shown)) == 1 else " / ".join(shown)


def _settings(records: Sequence[Record]) -> str:
    """Return what else was chosen, and PriSTE's inner budget as asked and as used."""
    lines = []
    for system in dict.fromkeys(r["system"] for r in records):
        mine = [r for r in records if r["system"] == system]
        line = f"- {system}: {mine[0]['parameters']}"
        if not is_ours(system) and SYSTEMS[system].family == "PriSTE":
            first = [r for r in mine if r["map"] == mine[0]["map"] and r["attack"] == LITERAL]
            used = _row(first, lambda r: f"{r['alpha_used']:.3g}")
            line += f"; alpha used on average, {mine[0]['map']}: {used}"
        lines.append(line)
    return "\n".join(lines)


def rewrite_section(path: Path, records: Sequence[Record]) -> None:
    """Put the section into its place in a document."""
    write_aside(path, with_section(path.read_text(encoding="utf-8"), records, where=str(path)))


def with_section(text: str, records: Sequence[Record], *, where: str = "the document") -> str:
    """Return a document with the section between its two marks made anew."""
    head, begun, rest = text.partition(BEGIN)
    _, ended, tail = rest.partition(END)
    if not begun or not ended:
        raise BadFile(f"{where}: holds no section between {BEGIN!r} and {END!r}; put the marks in")
    return f"{head}{BEGIN}\n{review_section(records)}\n{END}{tail}"
