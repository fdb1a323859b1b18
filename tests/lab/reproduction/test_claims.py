"""Every claim of the evaluation has a judge, a verdict and words that say what was judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pathveil.lab.reproduction.claims import CLAIMS, judge_claims
from pathveil.lab.reproduction.evaluation import read_results
from pathveil.lab.reproduction.figures import FIGURES
from pathveil.lab.reproduction.judges import VERDICTS

RESULTS = Path(__file__).parents[3] / "studies" / "results"
TABLES = read_results(RESULTS)
FOUND = judge_claims(TABLES)

WANTED = {
    (7, "More vertices: the running time increases significantly"): "agrees",
    (7, "DP on edges: more edges, less run time"): "agrees",
    (7, "Vertex budget 0.5 takes much longer than 1"): "agrees",
    (7, "Edge budget 0.5 takes much longer than 1"): "agrees",
    (8, "Overall 122 different sizes of maps"): "agrees",
    (8, "Sizes usable with less than 50 %"): "disagrees",
    (8, "... especially most of the maps with more than 7 vertices"): "agrees",
    (8, "Share of sizes that are always usable"): "agrees",
    (8, "Number of sizes that are always usable"): "disagrees",
    (8, "They are the complete graphs and |E| in [|V| - 1, |V| + 3]"): "agrees",
    (8, "Good output with usable map: at least 50 %"): "agrees",
    (8, "... exactly one half where the map is just the path"): "agrees",
    (8, "Good output, the bare path aside: at least 2/3 (proof of Proposition 1)"): "disagrees",
    (8, "... and certain on complete maps"): "agrees",
    (8, "Good output and |E| are roughly positively correlated"): "agrees",
    (8, "Overall good output is the product of the two"): "agrees",
    (8, "(6, 10) is a local minimum of good output: with usable map"): "disagrees",
    (8, "... and with splitting"): "agrees",
    (9, "With splitting every map gives an output"): "agrees",
    (9, "Good output increases with the vertex budget"): "in part",
    (9, "Good output increases with the edge budget"): "agrees",
    (9, "A smaller vertex budget makes more copies"): "agrees",
    (9, "DP on vertices costs more good output than DP on edges"): "agrees",
    (10, "With splitting every map gives an output"): "agrees",
    (10, "Acyclic paths do better than cyclic ones: walks of as many visits"): "in part",
    (10, "Acyclic paths do better than cyclic ones: walks that see as many vertices"): "disagrees",
    (10, "Cyclic walks get more copies"): "agrees",
    (10, "Cyclic: good output increases with the vertex budget"): "agrees",
    (10, "Cyclic: good output increases with the edge budget"): "agrees",
}


def test_every_verdict_on_the_committed_tables() -> None:
    """Another rule, or other tables, must say so here and in the report."""
    found = {
        (one.figure, one.claim): one.verdict for one in FOUND if one.verdict != "cannot be compared"
    }
    assert found == WANTED


def test_every_figure_has_claims_and_every_claim_a_figure() -> None:
    assert set(CLAIMS) == {figure.name for figure in FIGURES}
    assert all(one.verdict in VERDICTS for one in FOUND)
    images = [one for one in FOUND if one.verdict == "cannot be compared"]
    assert [one.figure for one in images] == [7, 8, 9, 10]


TRENDS = (
    "increase",
    "less run time",
    "longer",
    "correlated",
    "more copies",
    "costs more",
    "better",
)


@pytest.mark.regression("one rule for trends")
def test_every_trend_is_judged_by_the_one_rule() -> None:
    """Whoever states a direction is judged in curves, and the words say that it is all."""
    stated = [one for one in FOUND if any(word in one.claim for word in TRENDS)]
    assert len(stated) == 14
    for one in stated:
        assert "direction only" in one.found, one.claim
        assert " curves (surely in " in one.found, one.claim
    assert sum("direction only" in one.found for one in FOUND) == len(stated)


@pytest.mark.regression("the step limit is spoken of only where it bit")
def test_the_step_limit_is_spoken_of_only_where_it_struck() -> None:
    """No run of the edge panels was struck: their claims carry no such note."""
    noted = [one.claim for one in FOUND if "step limit" in one.note]
    assert noted == [
        "More vertices: the running time increases significantly",
        "Vertex budget 0.5 takes much longer than 1",
    ]


@pytest.mark.parametrize("engine", ["backtracking", "exact"])
def test_one_engine_alone_is_judged_as_far_as_it_goes(engine: str) -> None:
    tables = {
        name: [row for row in rows if row.cell.engine == engine] for name, rows in TABLES.items()
    }
    found = judge_claims(tables)
    for one, both in zip(found, FOUND, strict=True):
        if engine == "backtracking":
            assert (one.found, one.verdict, one.note) == (both.found, both.verdict, both.note)
        elif one.verdict != "cannot be compared":
            assert (one.verdict, one.found, one.ours) == ("not run", "not run", both.ours)


def test_other_numbers_give_other_verdicts() -> None:
    """One unusable map where the paper says there is none is enough."""
    rows = list(TABLES["quality"])
    first = rows[0]
    rows[0] = replace(first, tally=replace(first.tally, usable=first.tally.usable - 1))
    found = {one.claim: one for one in judge_claims({"quality": rows})}
    claim = "They are the complete graphs and |E| in [|V| - 1, |V| + 3]"
    assert found[claim].verdict == "disagrees"
    assert found[claim].found == "1 of those are not"
