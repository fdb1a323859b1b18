"""From trials to one table: every success beside its controls, its placebo and its interval.

The table is made from the rows of :func:`pathveil.lab.comparison.games.run_trials`, whoever played;
pictures, pages and verdicts are made from the table, which is also what the CSV holds. A
success rate alone says nothing about a leak.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import numpy as np

from pathveil.chance.intervals import wilson
from pathveil.errors import BadFile
from pathveil.lab.baselines.baseline_release import FloatArray
from pathveil.lab.baselines.controls import CONTROLS
from pathveil.lab.baselines.scoring import (
    G1,
    baseline_control,
    paired_difference,
    shared_level,
    word_verdict,
)

Record = Mapping[str, Any]

TEXTS = ("map", "length_unit", "system", "unit", "parameters", "attack", "control", "verdict")
COLUMNS = (
    "map", "system", "unit", "parameters", "budget", "alpha_asked", "alpha_used", "attack",
    "trials", "level", "success", "low", "high", "g0", "g1", "control", "control_success",
    "difference", "difference_low", "difference_high", "over_g0", "over_g0_low", "over_g1",
    "over_g1_low", "placebo", "placebo_low", "placebo_high", "verdict", "distance",
    "length_unit", "recovered", "recovered_low", "recovered_high", "read_without", "exact",
)  # fmt: skip


def comparison_table(
    rows: Sequence[Record], *, map_: str = "", length_unit: str = ""
) -> list[dict[str, Any]]:
    """Return one record for each system, budget and attack, ready for CSV or for printing.

    Parameters
    ----------
    rows
        From ``run_trials``, of any number of chunks in any order.
    map_
        What the trials were played on, in words.
    length_unit
        In what distances are measured there.

    Notes
    -----
    The intervals of one kind hold at :data:`CONFIDENCE` for all attacks on a system at a budget
    together: each attack's are made at the share of it that falls to it (column ``level``), and
    the verdicts follow from these same intervals.

    ``control`` names the baseline (see :func:`pathveil.lab.baselines.scoring.baseline_control`) and
    ``difference`` is success less the control's, trial by trial; ``over_g0`` and ``over_g1`` are
    success less the guess among all absent pairs and among the candidates. An
    abstention counts as a failure.
    """
    rows = sorted(rows, key=lambda row: int(row["trial"]))
    groups: dict[tuple[str, float], list[Record]] = {}
    for row in rows:
        groups.setdefault((row["system"], float(row["budget"])), []).append(row)
    table = []
    chosen = ""
    for (system, budget), members in groups.items():
        # One for all systems: they play the same trials.
        chosen = chosen or _baseline(members)
        attacks = _attacks(members)
        level = shared_level(len(attacks))
        for attack in attacks:
            took_part = [row for row in members if f"attack/{attack}" in row]
            table.append(
                {
                    "map": map_,
                    "system": system,
                    "unit": members[0]["unit"],
                    "parameters": members[0].get("parameters", ""),
                    "budget": budget,
                    "attack": attack,
                    **_measured(took_part, attack, chosen, level),
                    **_of_the_system(took_part, level),
                    "length_unit": length_unit,
                }
            )
    return table


def _baseline(rows: Sequence[Record]) -> str:
    """Return the name of the control that is the baseline on these trials."""
    earned = {name: _column(rows, f"control/{name}") for name in CONTROLS}
    known = {name: values for name, values in earned.items() if not np.isnan(values).any()}
    return baseline_control(known) if G1 in known else G1


def _attacks(rows: Iterable[Record]) -> list[str]:
    """Return the attacks that have a column in some row, in the order of their first one."""
    columns = dict.fromkeys(name for row in rows for name in row)
    return [name.removeprefix("attack/") for name in columns if name.startswith("attack/")]


def _column(rows: Sequence[Record], name: str) -> FloatArray:
    return np.array([float(row.get(name, np.nan)) for row in rows])


def _placebo(
    rows: Sequence[Record], attack: str, level: float
) -> tuple[float, tuple[float, float]]:
    """Return how often an attack names the edge in a release of another map; nan if not played."""
    blank = _column(rows, f"placebo/{attack}")
    blank = blank[~np.isnan(blank)]
    if not len(blank):
        return float("nan"), (0.0, 1.0)
    found = float(blank.mean())
    return found, wilson(found, len(blank), confidence=level)


def _measured(rows: Sequence[Record], attack: str, control: str, level: float) -> dict[str, Any]:
    """Return the numbers of one attack on one system at one budget."""
    success, guess, pairs = (_column(rows, name) for name in (f"attack/{attack}", "g1", "g0"))
    base = guess if control == G1 else _column(rows, f"control/{control}")
    mean = float(success.mean())
    low, high = wilson(mean, len(rows), confidence=level)
    gap, over_g0, over_g1 = (
        paired_difference(success, other, confidence=level) for other in (base, pairs, guess)
    )
    found, band = _placebo(rows, attack, level)
    return {
        "trials": len(rows),
        "level": level,
        "success": mean,
        "low": low,
        "high": high,
        "g0": float(pairs.mean()),
        "g1": float(guess.mean()),
        "control": control,
        "control_success": float(base.mean()),
        "difference": gap.value,
        "difference_low": gap.low,
        "difference_high": gap.high,
        "over_g0": over_g0.value,
        "over_g0_low": over_g0.low,
        "over_g1": over_g1.value,
        "over_g1_low": over_g1.low,
        "placebo": found,
        "placebo_low": band[0],
        "placebo_high": band[1],
        "verdict": word_verdict(
            gap, trials=len(rows), success_low=low, placebo_low=band[0], control=float(base.mean())
        ),
    }


def _of_the_system(rows: Sequence[Record], level: float) -> dict[str, float]:
    """Return what does not depend on the attack: utility, budgets."""
    read = _column(rows, "recovered")
    low = high = float("nan")
    if not np.isnan(read).any():
        low, high = wilson(float(read.mean()), len(read), confidence=level)
    return {
        "distance": float(_column(rows, "distance").mean()),
        "recovered": float(read.mean()),
        "recovered_low": low,
        "recovered_high": high,
        **{
            name: float(_column(rows, name).mean())
            for name in ("read_without", "alpha_asked", "alpha_used", "exact")
        },
    }


def strongest(table: Sequence[Record]) -> list[dict[str, Any]]:
    """Return, for each map, system and budget, the record of the attack that gains most."""
    best: dict[tuple[Any, ...], Record] = {}
    for record in table:
        key = (record["map"], record["system"], record["budget"])
        if key not in best or record["difference"] > best[key]["difference"]:
            best[key] = record
    return [dict(record) for record in best.values()]


def write_csv(table: Sequence[Record]) -> str:
    """Return the table as CSV; numbers with six digits, "inf" and "nan" in words."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {k: f"{v:.6g}" if isinstance(v, float) else v for k, v in record.items()}
        for record in table
    )
    return text.getvalue()


def read_csv(path: Path | str) -> list[dict[str, Any]]:
    """Return the records of a table that :func:`write_csv` wrote.

    Raises
    ------
    BadFile
        If a column is missing or a number is none.
    """
    with Path(path).open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    records = []
    for line, row in enumerate(found, start=2):
        try:
            record: dict[str, Any] = {
                name: row[name] if name in TEXTS else float(row[name]) for name in COLUMNS
            }
        except (KeyError, TypeError, ValueError) as error:
            raise BadFile(f"{path}: line {line}: is no row of a comparison: {error}") from None
        record["trials"] = int(record["trials"])
        records.append(record)
    return records


def share(value: float) -> str:
    """Return a share with two digits, halves rounded up, or a dash where there is none.

    >>> share(0.256), share(0.735), share(0.985), share(float("nan"))
    ('0.26', '0.74', '0.99', '–')
    """
    return "–" if value != value else rounded(value, 2)  # noqa: PLR0124 - nan


def rounded(value: float, places: int) -> str:
    """Return a number with so many decimals; halves are rounded away from zero.

    A float is taken for the decimal it stands for: 735 of 1000 is a half, though the float nearest
    to it lies a little below.

    >>> rounded(0.735, 2), rounded(1234.5, 0), rounded(-0.125, 2)
    ('0.74', '1,235', '-0.13')
    """
    exact = Decimal(f"{value:.12g}")
    return f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,}"
