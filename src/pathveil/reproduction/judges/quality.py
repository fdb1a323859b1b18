"""Judges of Figure 8: which maps are usable, and how often the order is told."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pathveil.intervals import count_below, difference
from pathveil.reproduction.figures import BASE, SIZES, WORST
from pathveil.reproduction.judges.picking import Judge, Opinion, rows_at, sum_tallies
from pathveil.reproduction.judges.trends import judge_trend
from pathveil.reproduction.store import Row

Size = tuple[int, int]


def described_sizes() -> set[Size]:
    """Return the sizes the paper says are always usable."""
    return {(v, e) for v, e in SIZES if e <= v + 3 or e == v * (v - 1) // 2}


def sizes(rows: Sequence[Row]) -> Opinion:
    """Judge "overall 122 different sizes of maps"."""
    return Opinion.plain(f"{len(rows)} sizes", len(rows) == 122)


def under_half(rows: Sequence[Row]) -> Opinion:
    """Judge "52/122 of the maps cannot produce the graph-based path with over 50 %"."""
    shares = [(row.tally.usable, row.tally.runs) for row in rows]
    found, other = count_below(shares, 0.5), count_below(shares, 0.5, again=1000)
    shown = f"{found.value} of {len(rows)} [{found.low}, {found.high}]"
    note = f"another 1000 runs, such as the paper's, would give {other.low} to {other.high}"
    return Opinion.plain(shown, other.low <= 52 <= other.high, note)


def large_maps_under_half(rows: Sequence[Row]) -> Opinion:
    """Judge "especially for most of the maps with more than 7 vertices"."""
    large = [row for row in rows if row.cell.vertices > 7]
    found = count_below(((row.tally.usable, row.tally.runs) for row in large), 0.5)
    return Opinion.plain(f"{found.value} of {len(large)}", found.low > len(large) / 2)


def _always(rows: Sequence[Row]) -> list[Size]:
    return [
        (row.cell.vertices, row.cell.edges) for row in rows if row.tally.usable == row.tally.runs
    ]


def always_share(rows: Sequence[Row]) -> Opinion:
    """Judge "only about 30 % ... with 100 % guarantee"."""
    share = len(_always(rows)) / len(rows)
    shown = f"{len(_always(rows))} of {len(rows)}: {share:.1%}"
    return Opinion.plain(shown, round(share, 1) == 0.3)


def always_count(rows: Sequence[Row]) -> Opinion:
    """Judge "(30/122) maps ... with 100 % guarantee"."""
    always = set(_always(rows))
    sure, found = len(always & described_sizes()), len(always)
    note = "the sizes the paper describes are 36, and for these no unusable map can exist" + (
        "; each other size showed one" if found == sure else "; more runs would tell the rest"
    )
    return Opinion.plain(f"{found} [{sure}, {found}]", sure <= 30 <= found, note)


def always_which(rows: Sequence[Row]) -> Opinion:
    """Judge "such maps are the complete graph and |E| in [|V| - 1, |V| + 3]"."""
    here = {(row.cell.vertices, row.cell.edges) for row in rows}
    found, wanted = set(_always(rows)), described_sizes() & here
    if wanted - found:
        return Opinion.plain(f"{len(wanted - found)} of those are not", holds=False)
    if found == wanted:
        return Opinion.plain("exactly those", holds=True)
    runs = max(row.tally.runs for row in rows)
    note = f"in {runs} runs; more would tell them"
    return Opinion.plain(f"those, and {len(found - wanted)} more", holds=True, note=note)


def at_least_half(rows: Sequence[Row]) -> Opinion:
    """Judge "with at least 50 % probability, our graph-based path confirms the visiting order"."""
    shares = {(row.cell.vertices, row.cell.edges): row.tally.order_share() for row in rows}
    shares = {size: one for size, one in shares.items() if not math.isnan(one.value)}
    lowest = min(shares, key=lambda size: shares[size].value)
    below = [size for size, one in shares.items() if one.high < 0.5]
    return Opinion.plain(f"smallest {shares[lowest]} at {lowest}", not below)


def at_least_two_thirds(rows: Sequence[Row]) -> Opinion:
    """Judge "which is at least 2/3" in Proposition 1's proof: every map but the bare paths."""
    shares = {
        (row.cell.vertices, row.cell.edges): row.tally.order_share()
        for row in rows
        if row.tally.outputs and row.cell.edges >= row.cell.vertices
    }
    below = {size: one.value for size, one in shares.items() if one.high < 2 / 3}
    shown = f"surely below at {len(below)} of {len(shares)} sizes"
    if below:
        shown += ": " + ", ".join(f"{value:.3f} at {size}" for size, value in below.items())
    return Opinion.plain(shown, not below, "every size but |E| = |V| - 1, which the proof excepts")


def trees_half(rows: Sequence[Row]) -> Opinion:
    """Judge the one half of a map that is just the path."""
    tally = sum_tallies(row for row in rows if row.cell.edges == row.cell.vertices - 1)
    note = "follows from Proposition 1's proof"
    return Opinion.plain(f"{tally.order_share()}", tally.tied == tally.runs, note)


def complete_told(rows: Sequence[Row]) -> Opinion:
    """Judge that the order is certain on complete maps."""
    tally = sum_tallies(
        r for r in rows if 2 * r.cell.edges == r.cell.vertices * (r.cell.vertices - 1)
    )
    return Opinion.plain(f"{tally.order_share()}", tally.told == tally.runs)


def more_edges_better(rows: Sequence[Row]) -> Opinion:
    """Judge "the number of edges and the percentage of good outputs are positively correlated"."""
    curves = {
        f"|V| = {v}": [
            (float(row.cell.edges), row.tally.order_share())
            for row in rows_at(rows, vertices=v)
            if row.tally.outputs
        ]
        for v in WORST
    }
    if len({y.value for curve in curves.values() for _, y in curve}) == 1:
        return Opinion("constant", None)
    return judge_trend(curves, "rises").opinion("", "one curve for each |V|")


def local_minimum(*, splitting: bool) -> Judge:
    """Judge whether (6, 10) lies below its neighbours: surely on one side, and not above any."""

    def judge(rows: Sequence[Row]) -> Opinion:
        part = rows_at(rows, splitting=splitting)
        shares = {row.cell.edges: row.tally.order_share() for row in part}
        here = shares[BASE[1]]
        gaps = [difference(shares[BASE[1] + step], here) for step in (-1, 1)]
        if all(gap.value == 0 for gap in gaps):
            return Opinion("constant at 1.000", None)
        shown = ", ".join(f"{edges}: {share.value:.4f}" for edges, share in shares.items())
        holds = max(gap.low for gap in gaps) > 0 and min(gap.high for gap in gaps) >= 0
        level = not (gaps[0].low > 0 and gaps[1].low > 0)
        note = f"each within {(here.high - here.low) / 2:.4f}"
        if holds and level:
            note += "; level with a neighbour within the interval"
        return Opinion.plain(f"by edges {shown}", holds, note)

    return judge


def product(rows: Sequence[Row]) -> Opinion:
    """Judge "the Hadamard product" of the first two panels."""
    off = max(
        abs(
            row.tally.usable_share().value * row.tally.order_share().value
            - row.tally.overall_order().value
        )
        for row in rows
        if row.tally.outputs
    )
    return Opinion.plain(f"largest deviation {off:.0e}", off < 1e-9)
