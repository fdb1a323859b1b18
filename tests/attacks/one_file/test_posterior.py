"""What an adversary believes, as data, and the law of the coins behind it."""

from __future__ import annotations

from itertools import product
from math import exp, inf, log

import pytest

from pathveil import Policy
from pathveil.attacks.one_file.posterior import Candidate, CoinModel, Inference, LinkBelief, Method
from pathveil.chance.certify import certify
from pathveil.model.certificate import Certificate

AB, BC = ("a", "b"), ("b", "c")


def believed(
    *candidates: Candidate, method: Method = "exact", policy: Policy | None = None
) -> Inference:
    certificate = certify(policy or Policy.balanced())
    beliefs = tuple(LinkBelief(c.links[0], c.prior, c.posterior) for c in candidates if c.links)
    return Inference(candidates, beliefs, method, 0.0, certificate, 0.5)


def test_the_best_answer_and_the_best_guess_are_two_things() -> None:
    """Naming every missing link needs luck with those off the walk, too."""
    vague = Candidate((AB,), 1, 0.5, 0.6, 2.0, naming=0.25)
    sure = Candidate((BC,), 0, 0.5, 0.4, 2.0)
    found = believed(vague, sure)
    assert found.best is vague
    assert found.success == 0.4


def test_answers_are_found_by_their_links_either_end_first() -> None:
    found = believed(Candidate((AB, BC), 0, 0.5, 0.75, 1.0), Candidate((AB,), 1, 0.5, 0.25, 1.0))
    assert found.posterior_of(("c", "b"), ("b", "a")) == 0.75
    assert found.posterior_of(AB) == 0.25
    assert found.posterior_of(BC) == 0.0
    assert [label for label, *_ in found.rows()] == ["a - b, b - c", "a - b and 1 off the walk"]
    assert Candidate((), 2, 1, 1, 1.0).label == "2 off the walk"


@pytest.mark.parametrize(("odds", "within"), [(2.0, True), (2.001, False), (inf, False)])
def test_odds_are_held_against_the_certificate(odds: float, within: bool) -> None:  # noqa: FBT001
    """A fair coin may double the odds of a walk link, no more; the slack is a printed decimal's."""
    found = believed(Candidate((AB,), 0, 0.5, 1.0, odds))
    assert found.certified == pytest.approx(exp(log(2)), abs=2e-4)
    assert found.within_certificate is within


def test_an_answer_that_is_ruled_out_raises_nothing() -> None:
    found = believed(Candidate((AB,), 0, 0.5, 1.0, 1.5), Candidate((BC,), 0, 0.5, 0.0, 9.0))
    assert found.odds == 1.5
    assert found.within_certificate


def test_where_nothing_is_certified_there_is_no_verdict() -> None:
    candidate = Candidate((AB,), 0, 0.5, 1.0, 1.5)
    silent = Inference((candidate,), (), "exact", 0.0, Certificate(), 0.5)
    assert (silent.certified, silent.within_certificate) == (None, None)
    sampled = believed(candidate, method="sampled")
    assert (sampled.certified, sampled.within_certificate) == (None, None)
    assert repr(sampled).endswith("sampled>")


@pytest.mark.parametrize(
    ("policy", "pairs"),
    [
        (Policy.sealed(), 1),
        (Policy.balanced(), 1),
        (Policy.paper(vertex=1, link=1), 4),
        (Policy.balanced(copies=2), 4),
        (Policy.balanced(copies=2, link_uses=1), 4),
        (Policy.sealed(copies=2), 4),
        (Policy.frontier(walk_loss=2, copies=2, link_uses=1), 4),
    ],
    ids=str,
)
def test_patterns_add_up(policy: Policy, pairs: int) -> None:
    model = CoinModel(policy)
    total = sum(
        model.chance(clear=sum(pattern), pairs=pairs) for pattern in product([0, 1], repeat=pairs)
    )
    assert total == pytest.approx(1)


def test_some_policies_prove_links() -> None:
    assert CoinModel(Policy.balanced()).shows_everything
    assert not CoinModel(Policy.sealed()).shows_everything
    assert not CoinModel(Policy.balanced(copies=2, link_uses=1)).shows_everything
