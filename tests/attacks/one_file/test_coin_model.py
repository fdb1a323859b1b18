"""The adversary's law of the coins is a law, for every policy."""

from __future__ import annotations

from itertools import product

import pytest

from pathveil import Policy
from pathveil.attacks.one_file.posterior import CoinModel


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
        (
            Policy.labelled(
                {"a": "x", "b": "y"}, {("x", "x"): 1, ("x", "y"): "1/3", ("y", "y"): 0}
            ),
            1,
        ),
    ],
    ids=str,
)
def test_patterns_add_up(policy: Policy, pairs: int) -> None:
    model = CoinModel(policy)
    total = sum(
        model.chance("a", "b", clear=sum(pattern), pairs=pairs)
        for pattern in product([0, 1], repeat=pairs)
    )
    assert total == pytest.approx(1)


def test_walks_together_share_a_state() -> None:
    model = CoinModel(Policy.balanced().together(3))
    assert model.chance("a", "b", clear=1, pairs=1) == pytest.approx(1 / 4)
    assert model.chance("a", "b", clear=0, pairs=1) == pytest.approx(3 / 4)


def test_some_policies_prove_links() -> None:
    assert CoinModel(Policy.balanced()).shows_everything
    assert not CoinModel(Policy.sealed()).shows_everything
    assert not CoinModel(Policy.balanced(copies=2, link_uses=1)).shows_everything
    kinds = {"a": "x", "b": "x"}
    assert CoinModel(Policy.labelled(kinds, {("x", "x"): "1/2"})).shows_everything
    assert not CoinModel(Policy.labelled(kinds, {("x", "x"): 1})).shows_everything
