"""The comparison as a table and as a picture.

Both are made from the rows of :func:`pathveil.comparison.games.run_trials`, whoever played.
Every success stands beside its control: a bare success rate says nothing about a leak.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pathveil.baselines.release import FloatArray
from pathveil.baselines.scoring import advantage, paired_difference, resamples, verdict
from pathveil.errors import BadFile, MissingExtra
from pathveil.intervals import wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Record = Mapping[str, Any]

CONTROLS = ("candidate guess", "pair guess")
TITLES = {
    "nearest": "A1 nearest vertices\n(the paper's Figure 1)",
    "closeness": "A2 closest candidate",
    "completion": "A3 completed walk",
    "interior": "A3 without exact points",
    "likelihood": "A3 posterior (Bayes)",
    "endpoints": "A4 exact endpoints",
    "posterior": "pathveil: posterior of\nthe fragment ends",
}
# Okabe and Ito's eight colours without yellow, which is too pale for lines on white
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
MARKERS = "osD^vPX*<>phd"
DASHES = ("-", "--", ":", "-.")


def comparison_table(
    rows: Sequence[Record], *, confidence: float = 0.95, seed: int = 0, by: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return one record for each system, budget and attack, ready for CSV or for printing.

    Parameters
    ----------
    rows
        From ``run_trials``, of any number of chunks in any order.
    confidence
        Of Wilson's interval for ``success`` and ``placebo`` and of the bootstrap interval for
        ``difference`` = success - G1, trial by trial. The verdict on a system at a budget uses the
        share of 1 - confidence that falls to each of its attacks.
    seed
        Of the bootstrap.
    by
        Further columns to split by, such as ``("segment",)`` or ``("candidates",)``.

    Notes
    -----
    ``success`` counts abstentions as failures, ``fallback`` as random guesses among the candidates.
    ``advantage`` is (s - G1) / (1 - G1) over the trials with two candidates or more.
    """
    rows = sorted(rows, key=lambda row: int(row["trial"]))
    groups: dict[tuple[Any, ...], list[Record]] = {}
    for row in rows:
        key = (row["system"], float(row["budget"]), *(row[name] for name in by))
        groups.setdefault(key, []).append(row)
    weights: dict[int, FloatArray] = {}
    table = []
    for (system, budget, *rest), members in groups.items():
        attacks = _attacks(members)
        for attack in attacks:
            took_part = [row for row in members if attack in row]
            trials = len(took_part)
            if trials not in weights:
                weights[trials] = resamples(trials, np.random.default_rng(seed))
            level = 1 - (1 - confidence) / len(attacks)
            table.append(
                {
                    "system": system,
                    "unit": members[0]["unit"],
                    "budget": budget,
                    **dict(zip(by, rest, strict=True)),
                    "attack": attack,
                    **_measured(took_part, attack, weights[trials], confidence, level),
                }
            )
    return table


def _attacks(rows: Iterable[Record]) -> list[str]:
    """Return the attacks that have a column in some row, in the order of their first one."""
    columns = dict.fromkeys(name for row in rows for name in row)
    return [name.removesuffix("/fallback") for name in columns if name.endswith("/fallback")]


def _column(rows: Sequence[Record], name: str) -> FloatArray:
    return np.array([float(row.get(name, np.nan)) for row in rows])


def _measured(
    rows: Sequence[Record], attack: str, weights: FloatArray, confidence: float, level: float
) -> dict[str, Any]:
    """Return the numbers of one attack on one system at one budget."""
    success, guess = _column(rows, attack), _column(rows, "g1")
    blank = _column(rows, f"{attack}/placebo")
    blank = blank[~np.isnan(blank)]
    low, high = wilson(float(success.mean()), len(rows), confidence=confidence)
    gap = paired_difference(success, guess, weights, confidence=confidence)
    strict = paired_difference(success, guess, weights, confidence=level)
    mean, band = float("nan"), (0.0, 1.0)
    if len(blank):
        mean = float(blank.mean())
        band = wilson(mean, len(blank), confidence=level)
    return {
        "trials": len(rows),
        "success": float(success.mean()),
        "low": low,
        "high": high,
        "g0": float(_column(rows, "g0").mean()),
        "g1": float(guess.mean()),
        "difference": gap.mean,
        "difference_low": gap.low,
        "difference_high": gap.high,
        "advantage": advantage(success, guess),
        "fallback": float(_column(rows, f"{attack}/fallback").mean()),
        "abstained": float(_column(rows, f"{attack}/abstained").mean()),
        "placebo": mean,
        "placebo_low": band[0],
        "placebo_high": band[1],
        "single_candidate": float((_column(rows, "candidates") == 1).mean()),
        "verdict": verdict(strict, band, float(guess.mean())),
        "distance": float(_column(rows, "distance").mean()),
        "recovered": float(_column(rows, "recovered").mean()),
        "claimed": float(_column(rows, "claimed").mean()),
        "exact": float(_column(rows, "exact").mean()),
    }


def strongest(table: Sequence[Record]) -> list[dict[str, Any]]:
    """Return, for each system and budget, the record of the attack with the largest difference."""
    best: dict[tuple[Any, Any], Record] = {}
    for record in table:
        key = (record["system"], record["budget"])
        if key not in best or record["difference"] > best[key]["difference"]:
            best[key] = record
    return [dict(record) for record in best.values()]


def draw_comparison(rows: Sequence[Record], path: Path | str) -> None:
    """Draw success over the control against the budget, attack by attack, and utility.

    The ending of the path chooses the form: png, svg, pdf.

    Parameters
    ----------
    rows
        From ``run_trials``.
    """
    draw_table(comparison_table(rows), path)


def draw_table(table: Sequence[Record], path: Path | str) -> None:
    """Draw the same from a table that is already made: its intervals cost a bootstrap each."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("plot", "matplotlib") from None
    if not table:
        raise BadFile("the comparison has no rows, so there is nothing to draw; run some trials")
    systems = list(dict.fromkeys(record["system"] for record in table))
    styles = _styles(systems)
    attacks = [a for a in TITLES if any(r["attack"] == a for r in table)]
    attacks += sorted({r["attack"] for r in table} - set(TITLES))
    panels = len(attacks) + 2
    columns = min(4, panels)
    lines = -(-panels // columns)
    figure = Figure(figsize=(3.6 * columns, 3.1 * lines + 0.9), layout="constrained")
    FigureCanvasAgg(figure)
    axes: list[Axes] = list(np.atleast_1d(figure.subplots(lines, columns)).ravel())
    for axis, attack in zip(axes, attacks, strict=False):
        chosen = [r for r in table if r["attack"] == attack]
        _lines(axis, chosen, "difference", styles, bars=True)
        guess = chosen[0]["g1"]
        axis.axhline(0, color="0.35", linewidth=1)
        axis.axhline(1 - guess, color="0.35", linewidth=1, linestyle=(0, (1, 2)))
        axis.text(
            0.02,
            1 - guess + 0.04,
            "always right",
            fontsize=7,
            color="0.35",
            transform=axis.get_yaxis_transform(),
        )
        axis.set_title(TITLES.get(attack, attack), fontsize=9)
        axis.set_ylabel("success − G1", fontsize=8)
        axis.set_ylim(-guess - 0.06, 1 - guess + 0.1)
    one = list({(r["system"], r["budget"]): r for r in table}.values())
    distance, recovered = axes[len(attacks) : panels]
    _lines(distance, one, "distance", styles, bars=False)
    distance.set_title("Utility: mean distance to the true points", fontsize=9)
    distance.set_ylabel("distance", fontsize=8)
    distance.set_yscale("log")
    _lines(recovered, one, "recovered", styles, bars=False)
    recovered.set_title("Utility: exact walk recovered", fontsize=9)
    recovered.set_ylabel("share of trials", fontsize=8)
    recovered.set_ylim(-0.05, 1.05)
    handles, labels = recovered.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=min(7, len(labels)), fontsize=8
    )
    for axis in axes[panels:]:
        axis.axis("off")
    figure.suptitle(
        f"Guessing the missing edge, {table[0]['trials']} trials. 0 is the random guess among the "
        f"candidates (G1 = {table[0]['g1']:.2f}); bars: 95 % bootstrap intervals",
        fontsize=10,
    )
    figure.savefig(path, dpi=150)


def _styles(systems: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return colour, marker and dash for each system; no two share all three."""
    colours = islice(cycle(PALETTE), len(systems))
    return {
        name: {
            "color": colour,
            "marker": MARKERS[i % len(MARKERS)],
            "linestyle": DASHES[i // len(PALETTE) % len(DASHES)],
        }
        for i, (name, colour) in enumerate(zip(systems, colours, strict=True))
    }


def _lines(
    axis: Axes, records: Sequence[Record], value: str, styles: Mapping[str, Any], *, bars: bool
) -> None:
    """Draw one line for each system, moved a little sideways so that bars do not hide others."""
    names = [name for name in styles if any(r["system"] == name for r in records)]
    for place, name in enumerate(names):
        mine = sorted((r for r in records if r["system"] == name), key=lambda r: float(r["budget"]))
        x = np.array([r["budget"] for r in mine]) * 1.025 ** (place - (len(names) - 1) / 2)
        y = np.array([r[value] for r in mine])
        style = {"linewidth": 1.1, "markersize": 4, "label": name, **styles[name]}
        if bars:
            low = y - np.array([r[f"{value}_low"] for r in mine])
            high = np.array([r[f"{value}_high"] for r in mine]) - y
            reach = np.maximum(np.array([low, high]), 0.0)
            axis.errorbar(x, y, yerr=reach, elinewidth=0.7, capsize=0, **style)
        else:
            axis.plot(x, y, **style)
    budgets = sorted({float(r["budget"]) for r in records})
    axis.set_xscale("log")
    axis.set_xticks(budgets, [f"{b:g}" for b in budgets])
    axis.minorticks_off()
    axis.set_xlabel("budget ε (each for its own unit)", fontsize=8)
    axis.tick_params(labelsize=7)
    axis.grid(visible=True, linewidth=0.3, color="0.85")
