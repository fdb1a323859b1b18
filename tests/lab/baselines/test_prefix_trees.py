from __future__ import annotations

from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.lab.baselines.baseline_release import Instance, KnownLaw
from pathveil.lab.baselines.prefix_trees import (
    START,
    STOP,
    PrefixTree,
    admissible_anchors,
    count_prefixes,
)
from pathveil.lab.baselines.ptcs import PTCSTree

sequences = st.lists(
    st.lists(st.integers(0, 3), min_size=1, max_size=9).map(
        lambda row: [a for i, a in enumerate(row) if i == 0 or row[i - 1] != a]
    ),
    max_size=4,
)


@settings(deadline=None)
@given(sequences, st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 4))
def test_one_sequence_more_changes_each_level_by_the_bound_at_most(
    corpus: list[list[int]], more: list[int], height: int
) -> None:
    """The sensitivity that the noise is scaled to; the broken twin forgets to cut."""
    before = count_prefixes(corpus, height=height, longest=6)
    after = count_prefixes([*corpus, more], height=height, longest=6)
    for length in range(1, height + 1):
        change = sum(abs(after[g] - before[g]) for g in {*before, *after} if len(g) == length)
        assert change <= 6
    uncut = count_prefixes([more], height=1, longest=1000)
    assert sum(uncut.values()) == len(more) + 2


def grow(corpus: list[list[int]], seed: int, *, epsilon: float = 1.0) -> PrefixTree:
    return PrefixTree.grow(
        count_prefixes(corpus, height=3, longest=8).__getitem__,
        partial(admissible_anchors, 4),
        height=3,
        scale=3 * 8 / epsilon,
        consistent=False,
        rng=np.random.default_rng(seed),
    )


def test_what_is_released_has_one_shape_whatever_the_data() -> None:
    """At a tiny budget nothing but noise decides what is grown: every child gets its count."""
    empty, full = (grow(corpus, 0, epsilon=1e-9) for corpus in ([], [[0, 1, 2, 3], [3, 0]]))
    assert empty.nodes.keys() == full.nodes.keys()
    for gram, (symbols, counts) in full.nodes.items():
        assert symbols == admissible_anchors(4, gram)
        assert len(counts) == len(symbols)
        assert (counts >= 0).all()


def test_at_a_large_budget_the_tree_is_the_counts_and_the_draw_the_walk() -> None:
    tree = grow([[0, 1, 2, 3]] * 50, 0, epsilon=1e9)
    symbols, counts = tree.nodes[0, 1]
    assert dict(zip(symbols, counts.round().tolist(), strict=True)) == {0: 0, 2: 50, 3: 0, STOP: 0}
    for seed in range(20):
        assert tree.draw(10, np.random.default_rng(seed)) == [0, 1, 2, 3]
    assert len(tree.draw(2, np.random.default_rng(0))) == 2
    assert admissible_anchors(4, (STOP,)) == ()
    assert admissible_anchors(4, (START,)) == (0, 1, 2, 3)


def test_the_2017_form_publishes_a_synthetic_walk_for_a_whole_trajectory(
    instance: Instance,
) -> None:
    mechanism = PTCSTree(2.0)
    assert not isinstance(mechanism, KnownLaw)
    for seed in range(10):
        release = mechanism.publish(instance, np.random.default_rng(seed))
        assert release.exact == 1.0
        assert not release.aligned
        assert 1 <= len(release.points) <= 6
        anchors = {tuple(point) for point in release.meta["anchors"].tolist()}
        assert {tuple(point) for point in release.points.tolist()} <= anchors
