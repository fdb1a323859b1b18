"""Words follow from the table: change the numbers and the sentences change."""

from __future__ import annotations

from typing import Any

import pytest

from pathveil.lab.comparison.verdicts import controls_said, judge, plausibility_line, reading


def record(**more: Any) -> dict[str, Any]:
    return {
        "map": "town",
        "system": "SDD",
        "budget": 1.0,
        "attack": "nearest",
        "trials": 1000,
        "success": 0.2,
        "low": 0.17,
        "high": 0.23,
        "g0": 0.03,
        "g1": 0.36,
        "control": "any candidate",
        "control_success": 0.36,
        "difference": -0.16,
        "difference_low": -0.2,
        "over_g0_low": 0.1,
        "over_g1_low": -0.2,
        "verdict": "no leak shown",
        "recovered": 0.5,
        "exact": 0.5,
        "unit": "one location",
        **more,
    }


def cell(system: str, budget: float, verdict: str, **more: Any) -> list[dict[str, Any]]:
    """The literal attack, its restricted form, and a best attack with a verdict."""
    base = {"system": system, "budget": budget, **more}
    return [
        record(**base),
        record(**base, attack="joins", difference=0.0, difference_low=-0.1),
        record(**base, attack="likelihood", difference=0.4, difference_low=0.3, verdict=verdict),
    ]


def test_each_system_is_judged_by_budget() -> None:
    table = [
        *cell("SDD", 1.0, "definitely"),
        *cell("PIM", 1.0, "leaks"),
        *cell("DPT", 1.0, "no leak shown"),
    ]
    table += [*cell("SDD", 20.0, "definitely"), *cell("PIM", 20.0, "definitely")]
    said = judge(table)
    assert said[1] == (
        "town: at budget 1 the best attack finds the edge definitely on SDD; it gains on the best "
        "control on PIM; no gain is shown on DPT."
    )
    assert said[2] == "town: at budget 20 the best attack finds the edge definitely on SDD; PIM."


def test_the_literal_attack_is_held_to_each_control() -> None:
    table = cell("SDD", 1.0, "leaks") + cell("PIM", 20.0, "leaks")
    table[3]["over_g0_low"] = -0.1
    table[4]["over_g1_low"] = table[4]["difference_low"] = 0.05
    (literal, *_) = judge(table)
    assert "definitely in 0 of 2 cells" in literal
    assert "(G0) in 1 of 2 cells (1 at 1)" in literal
    assert "(G1) in 0 of 2 cells." in literal
    assert "it beats G1 in 1 of 2 cells (1 at 20)" in literal
    for row in table:
        row["low"] = 0.995
    assert "definitely in 2 of 2 cells" in judge(table)[0]


def test_alphas_are_listed_together() -> None:
    table = [
        row
        for alpha in (1, 5, 20)
        for row in cell(
            f"PriSTE presence, alpha {alpha}", 1.0, "leaks" if alpha > 1 else "no leak shown"
        )
    ]
    said = judge(table)[1]
    assert "gains on the best control on PriSTE presence (alpha 5, 20)" in said
    assert "no gain is shown on PriSTE presence (alpha 1)" in said


def test_too_few_trials_get_no_sentence_and_few_cannot_show_certainty() -> None:
    assert judge(cell("SDD", 1.0, "leaks", trials=40)) == [
        "town: 40 trials are too few for a verdict; 100 are needed."
    ]
    assert "fewer than 741 trials cannot show" in judge(cell("SDD", 1.0, "leaks", trials=200))[-1]


def test_without_the_five_nothing_is_judged() -> None:
    assert judge([]) == []
    assert "was not tested" in judge(cell("CNoise", 1.0, "leaks"))[0]


def test_an_unsound_attack_is_not_counted() -> None:
    said = judge(cell("SDD", 1.0, "attack unsound: it finds the edge in a placebo"))[1]
    assert "not to be trusted" in said
    assert "definitely on" not in said


@pytest.mark.parametrize(("share", "word"), [(1.0, "in every trial"), (0.999, "From no system")])
def test_who_reads_every_walk(share: float, word: str) -> None:
    table = cell("pathveil balanced", 1.0, "leaks", recovered=share, exact=0.6932)
    table += cell("DPT", 1.0, "no leak shown", recovered=float("nan"))
    said = reading(table)
    assert word in said
    assert ("up to 0.6932)" in said) == (share == 1)
    assert "synthetic output of DPT" in said


def test_what_a_universe_changes_is_read_off_the_intervals() -> None:
    plain = record(system="pathveil balanced", attack="plausible", success=0.8, low=0.75, high=0.85)
    for success, word in ((0.82, "no change shown"), (0.95, "more"), (0.5, "less")):
        near = record(
            system="pathveil balanced, universe",
            attack="plausible",
            success=success,
            low=success - 0.04,
            high=success + 0.04,
        )
        assert f"({word})" in plausibility_line([plain, near])
    assert plausibility_line([plain]) == ""


def test_the_best_control_is_named() -> None:
    said = controls_said([record(control="shortest", control_success=0.97)])
    assert "town: shortest 0.97 (G1 0.36, G0 0.030)" in said
