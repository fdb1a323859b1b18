from __future__ import annotations

from fractions import Fraction

import pytest

from pathveil.errors import BadBudget, UnknownVertex
from pathveil.policies.labelled import Labelled
from tests.chance.written import require_as_written

LABELS = {"a": "hub", "b": "leaf", "c,d": "leaf"}
TEXT = 'a,hub\nb, leaf\n\n"c,d",leaf\n'
RATES = "hub-hub=1/3, leaf-hub=0.9,leaf-leaf=0"


def labelled() -> Labelled:
    return Labelled.of(LABELS, {("hub", "hub"): "1/3", ("leaf", "hub"): "0.9", ("leaf", "leaf"): 0})


def test_options_say_the_same_as_the_constructor() -> None:
    assert Labelled.from_options({"labels": TEXT, "rates": RATES}) == labelled()
    assert [option.flag for option in Labelled.options] == ["--labels", "--rates"]
    assert Labelled.options[0].is_file


@pytest.mark.parametrize(
    ("labels", "rates", "said"),
    [
        ("a,hub,x\n", RATES, "--labels, line 1: has 3 fields, expected vertex,label"),
        (TEXT, "hub-hub", "--rates: 'hub-hub' is no rate; expected A-B=P"),
        (TEXT, "hub=1", "is no rate"),
        (TEXT, "hub-hub=1", "no rate for the labels 'hub' and 'leaf'; the 2 labels need 3 rates"),
        (TEXT, f"{RATES},hub-leaf=0.8", "given twice, as 9/10 and 4/5"),
        ("\n", RATES, "no vertex is labelled"),
    ],
)
def test_bad_options_say_what_is_wrong(labels: str, rates: str, said: str) -> None:
    with pytest.raises(BadBudget, match=said):
        Labelled.from_options({"labels": labels, "rates": rates})


def test_labels_are_stated_in_the_letters_they_are_written_in() -> None:
    kind = Labelled.of({"Köln": "Stadt", "Aa": "Fluß"}, {("Stadt", "Stadt"): 1, ("Fluß", "Fluß"): 1,
                       ("Fluß", "Stadt"): 0})  # fmt: skip
    stated = dict(kind.parameters())
    assert stated["labels"] == '{"Aa":"Fluß","Köln":"Stadt"}'
    assert Labelled.from_parameters(stated) == kind


def test_the_law_goes_by_labels_in_either_order() -> None:
    kind = labelled()
    assert kind.labels == ("hub", "leaf")
    for pair in (("hub", "leaf"), ("leaf", "hub")):
        assert kind.law(1, pair).on.as_fraction == Fraction(9, 10)
    assert kind.law(1, ("leaf", "leaf")).on.as_fraction == 0
    with pytest.raises(BadBudget, match="ask for two of: hub, leaf"):
        kind.law(1, ("hub", "port"))
    with pytest.raises(BadBudget, match="not for None"):
        kind.law(1)


def test_every_vertex_needs_a_label() -> None:
    assert labelled().label_of("c,d") == "leaf"
    with pytest.raises(UnknownVertex, match="none of the 3 that the policy labels"):
        labelled().label_of("z")


def test_bare_labels_are_told() -> None:
    from pathveil import Policy

    lines = Policy.of(labelled()).sentences()
    assert "Walk links between leaf and leaf are bare: their rate is 0." in lines
    sure = Labelled.of({"a": "x"}, {("x", "x"): 1})
    other, all_of_them = (
        "Other links between x and x are bare: their rate is 1.",
        "Links between x and x are bare, walk links too: their rate is 1.",
    )
    for policy, line in (
        (Policy.of(sure), other),
        # With a coin for each copy pair, a pair that is no link shows all of them on the walk.
        (Policy.of(sure, copies=2), all_of_them),
        (Policy.of(sure, copies=2, link_uses=1), other),
        (Policy.of(sure, copies=2).together(2), other),
    ):
        assert {other, all_of_them} & set(policy.sentences()) == {line}


def test_all_that_it_says_is_written_down_and_was_read() -> None:
    require_as_written("labelled")
