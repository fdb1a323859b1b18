"""The claims the paper prints about its evaluation, each held against the result tables.

A claim is judged by a 95 % interval where it states a number, and by the one rule of
:mod:`~pathveil.lab.reproduction.judges` where it states a trend. "Cannot be compared" is said
of what only the missing images show. A claim is about the paper's engine; our engine's number
stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pathveil.lab.reproduction import judges as budgets
from pathveil.lab.reproduction import judges as quality
from pathveil.lab.reproduction import judges as run_time
from pathveil.lab.reproduction.figures import ALL_VERTICES, FIGURES, SAME_VISITS
from pathveil.lab.reproduction.judges import Judge, Opinion, Verdict
from pathveil.lab.reproduction.sweep import ENGINES, Engine
from pathveil.lab.reproduction.sweep_store import Row

Tables = Mapping[str, Sequence[Row]]
"""Rows of the sweeps that were run, by figure name."""


@dataclass(frozen=True)
class JudgedClaim:
    """A printed claim beside what was found.

    Attributes
    ----------
    figure
        The figure of the paper it belongs to.
    claim
        What the paper says.
    printed
        The number it prints, if any.
    found, ours
        What the paper's engine shows here, and what ours does.
    """

    figure: int
    claim: str
    printed: str
    found: str
    ours: str
    verdict: Verdict
    note: str = ""


def judge_claims(tables: Tables) -> tuple[JudgedClaim, ...]:
    """Return every claim of the paper's evaluation with its verdict, figure by figure.

    Examples
    --------
    >>> {finding.verdict for finding in judge_claims({})} == {"not run", "cannot be compared"}
    True
    """
    findings = []
    for figure in FIGURES:
        rows = tables.get(figure.name, ())
        for claim, printed, judge in CLAIMS[figure.name]:
            findings.append(_judge(figure.number, claim, printed, judge, rows))
        if not figure.drawn:
            continue
        findings.append(
            JudgedClaim(
                figure.number,
                f"The curves of Figure {figure.number} themselves",
                "image missing",
                "drawn from our tables",
                "drawn from our tables",
                "cannot be compared",
                "the paper's source names an empty image file",
            )
        )
    return tuple(findings)


def _judge(figure: int, claim: str, printed: str, judge: Judge, rows: Sequence[Row]) -> JudgedClaim:
    said: dict[Engine, Opinion] = {}
    for engine in ENGINES:
        part = [row for row in rows if row.cell.engine == engine]
        if part:
            said[engine] = judge(part)
    paper = said.get("backtracking", Opinion("not run", None))
    ours = said["exact"].found if "exact" in said else "not run"
    return JudgedClaim(
        figure, claim, printed, paper.found, ours, paper.verdict or "not run", paper.note
    )


CLAIMS: dict[str, tuple[tuple[str, str, Judge], ...]] = {
    "run-time": (
        (
            "More vertices: the running time increases significantly",
            "",
            run_time.grows_with_vertices,
        ),
        ("DP on edges: more edges, less run time", "", run_time.falls_with_edges),
        ("Vertex budget 0.5 takes much longer than 1", "much higher", run_time.slower(0, 1)),
        ("Edge budget 0.5 takes much longer than 1", "much higher", run_time.slower(2, 3)),
    ),
    "quality": (
        ("Overall 122 different sizes of maps", "122", quality.sizes),
        ("Sizes usable with less than 50 %", "about 43 % (52/122)", quality.under_half),
        (
            "... especially most of the maps with more than 7 vertices",
            "most",
            quality.large_maps_under_half,
        ),
        ("Share of sizes that are always usable", "about 30 %", quality.always_share),
        ("Number of sizes that are always usable", "30 of 122", quality.always_count),
        (
            "They are the complete graphs and |E| in [|V| - 1, |V| + 3]",
            "these",
            quality.always_which,
        ),
        ("Good output with usable map: at least 50 %", "0.5 or more", quality.at_least_half),
        ("... exactly one half where the map is just the path", "0.5", quality.trees_half),
        (
            "Good output, the bare path aside: at least 2/3 (proof of Proposition 1)",
            "2/3 or more",
            quality.at_least_two_thirds,
        ),
        ("... and certain on complete maps", "1", quality.complete_told),
        (
            "Good output and |E| are roughly positively correlated",
            "",
            quality.more_edges_better,
        ),
        ("Overall good output is the product of the two", "", quality.product),
    ),
    "base-map": (
        (
            "(6, 10) is a local minimum of good output: with usable map",
            "",
            quality.local_minimum(splitting=False),
        ),
        ("... and with splitting", "", quality.local_minimum(splitting=True)),
    ),
    "budgets": (
        ("With splitting every map gives an output", "100 %", budgets.always_output),
        ("Good output increases with the vertex budget", "", budgets.rises("vertex_budget")),
        ("Good output increases with the edge budget", "", budgets.rises("edge_budget")),
        ("A smaller vertex budget makes more copies", "", budgets.fewer_copies),
        (
            "DP on vertices costs more good output than DP on edges",
            "",
            budgets.vertices_hurt_more,
        ),
    ),
    "cyclic": (
        ("With splitting every map gives an output", "100 %", budgets.always_output),
        (
            "Acyclic paths do better than cyclic ones: walks of as many visits",
            "",
            budgets.acyclic_better(SAME_VISITS),
        ),
        (
            "Acyclic paths do better than cyclic ones: walks that see as many vertices",
            "",
            budgets.acyclic_better(ALL_VERTICES),
        ),
        ("Cyclic walks get more copies", "", budgets.cyclic_copies),
        (
            "Cyclic: good output increases with the vertex budget",
            "",
            budgets.rises("vertex_budget", walk="cyclic"),
        ),
        (
            "Cyclic: good output increases with the edge budget",
            "",
            budgets.rises("edge_budget", walk="cyclic"),
        ),
    ),
}
"""By figure name: what the paper says, what number it prints, who judges it."""
