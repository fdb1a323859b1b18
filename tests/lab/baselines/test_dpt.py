from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.lab.baselines.baseline_release import Instance, scene_of
from pathveil.lab.baselines.dpt import (
    DPT,
    admissible,
    count_grams,
    gram_weights,
    grow_tree,
    select_systems,
)
from pathveil.lab.baselines.prefix_trees import STOP, PrefixTree
from pathveil.lab.baselines.reference_grids import ReferenceGrids
from tests.lab.baselines.conftest import Floats, audit

GRIDS = ReferenceGrids(np.zeros(2), 8.0, (8, 4, 2))
EVERY = (0, 1, 2)
coordinate = st.floats(0, 8, allow_nan=False)
trajectories = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=8)

HERE = [np.array([[0.5, 0.5], [1.5, 0.5], [1.5, 1.5]])] * 3
THERE = [np.array([[7.5, 7.5], [0.5, 7.5]])] * 2


@settings(deadline=None)
@given(trajectories, st.integers(1, 4))
def test_one_trajectory_adds_at_most_one_to_each_level(
    points: list[tuple[float, float]], height: int
) -> None:
    """The sensitivity on which the noise rests, and no gram outside the admissible ones."""
    weights = gram_weights(GRIDS.write(np.array(points), EVERY), height)
    levels: dict[int, float] = defaultdict(float)
    for (system, gram), weight in weights.items():
        levels[len(gram)] += weight
        assert weight > 0
        for end in range(len(gram)):
            assert gram[end] in admissible(GRIDS, EVERY, system, gram[:end])
    assert all(total <= 1 + 1e-12 for total in levels.values())
    assert levels[1] == pytest.approx(1)


def tree(corpus: list[Floats], epsilon: float, seed: int) -> PrefixTree:
    counts = count_grams(corpus, GRIDS, EVERY, 3)
    rng = np.random.default_rng(seed)
    return grow_tree(counts, GRIDS, EVERY, 2, scale=3 / epsilon, rng=rng)


def test_support_does_not_depend_on_the_data() -> None:
    """As the budget goes to 0 two corpora without a common cell release the same nodes."""
    for seed in range(20):
        one, two = tree(HERE, 1e-9, seed), tree(THERE, 1e-9, seed)
        assert one.nodes.keys() == two.nodes.keys()
        for gram in one.nodes:
            assert one.nodes[gram][0] == two.nodes[gram][0]
    # the broken twin: noise for grams only that occur
    present = [
        {gram for _, gram in count_grams(corpus, GRIDS, EVERY, 2)} for corpus in (HERE, THERE)
    ]
    assert present[0] != present[1]


def test_children_add_up_to_their_parent() -> None:
    grown = tree(HERE * 10, 100.0, 1)
    symbols, counts = grown.nodes[()]
    for gram in grown.nodes:
        if len(gram) == 1 and counts[symbols.index(gram[0])] > 0:
            assert grown.nodes[gram][1].sum() == pytest.approx(counts[symbols.index(gram[0])])


def test_neighbours_on_few_cells_pass_an_audit() -> None:
    """One trajectory more or less on a grid of four cells, the level that is not rescaled."""
    grids = ReferenceGrids(np.zeros(2), 2.0, (2,))
    corpus = [np.array([[0.5, 0.5]])] * 3
    epsilon = 1.0

    def heavy(points: list[Floats], spent: float) -> Callable[[int], bool]:
        counts = count_grams(points, grids, (0,), 1)

        def run(seed: int) -> bool:
            rng = np.random.default_rng(seed)
            grown = grow_tree(counts, grids, (0,), 0, scale=1 / spent, rng=rng)
            noisy = grown.nodes[()][1]
            return bool(noisy[0] >= 2.0 and noisy[1] >= 2.0)

        return run

    honest = audit(heavy(corpus, epsilon), heavy(corpus[1:], epsilon), 8000)
    assert 0.4 * epsilon < honest <= epsilon
    twin = audit(heavy(corpus, 3 * epsilon), heavy(corpus[1:], 3 * epsilon), 8000)
    assert twin > epsilon


def test_selection_keeps_what_carries_mass_and_always_the_coarsest() -> None:
    counts = count_grams(HERE * 100, GRIDS, EVERY, 2)

    def kept(epsilon: float, seed: int) -> tuple[int, ...]:
        rng = np.random.default_rng(seed)
        return select_systems(counts, GRIDS, epsilon=epsilon, scale=3 / (9 * epsilon), rng=rng)

    assert kept(1000.0, 0) == (0, 2)
    assert all(2 in kept(0.01, seed) for seed in range(20))


def test_with_a_huge_budget_the_corpus_comes_back(instance: Instance) -> None:
    """The machinery works where it is meant to: trajectories follow the corpus's cells."""
    scene = scene_of(instance.network)
    corpus = [instance.points] * 50
    mechanism = DPT(1e7)
    model = mechanism.synthesizer(corpus, scene, np.random.default_rng(0))
    low, side = scene.box
    fine = ReferenceGrids(low, side, (2,))
    seen = {
        (fine.cell(0, u), fine.cell(0, v))
        for u, v in zip(corpus[0][:-1], corpus[0][1:], strict=True)
    }
    lengths, starts = [], []
    for seed in range(40):
        points = model.draw(np.random.default_rng(seed))
        lengths.append(len(points))
        starts.append(fine.cell(0, points[0]))
        moves = pairwise(points)
        assert {(fine.cell(0, u), fine.cell(0, v)) for u, v in moves} <= seen | {
            (c, c) for c in range(4)
        }
    assert set(starts) == {fine.cell(0, corpus[0][0])}
    assert 3 <= np.mean(lengths) <= 6


def test_the_present_direction_is_preferred(instance: Instance) -> None:
    model = DPT(1.0).synthesizer([instance.points], instance.scene, np.random.default_rng(0))
    straight = [np.array([0.0, 0.0]), np.array([1.0, 0.0])]
    symbols = admissible(model.grids, (0,), 0, (9,))
    weights = dict(zip(symbols, model._turns(0, 9, symbols, straight), strict=True))
    assert weights[10] == pytest.approx(np.exp(1))
    assert weights[8] == pytest.approx(np.exp(-1))
    assert weights[9] == weights[STOP] == 1
    assert model._turns(0, 9, symbols, straight[:1]).tolist() == [1.0] * len(symbols)


def test_release(instance: Instance) -> None:
    for companions in (0, 4):
        mechanism = DPT(1.0, companions=companions)
        release = mechanism.publish(instance, np.random.default_rng(0))
        assert not release.aligned
        assert len(release.starts) == companions + 1
        lengths = np.diff([*release.starts, len(release.points)])
        assert (lengths >= 1).all()
        assert (lengths <= 6).all()
        low, side = instance.scene.box
        assert (release.points >= low).all()
        assert (release.points <= low + side).all()
