"""Patterns against their definition: sets of copy pairs that are parts of a simple path."""

from __future__ import annotations

from itertools import combinations, product

import networkx as nx
import pytest

from pathveil.errors import BadBudget
from pathveil.model import bits as patterns
from pathveil.model.bits import LARGEST_TABLE, pattern_count, pattern_table


def expected(copies: int, uses: int) -> list[list[bool]]:
    """Few uses first; within a number of uses by the first column in which two differ."""
    pairs = list(product(range(copies), repeat=2))
    rows = []
    for used in range(1, uses + 1):
        for chosen in combinations(range(len(pairs)), used):
            shown: nx.Graph[tuple[str, int]] = nx.Graph()
            shown.add_edges_from((("u", pairs[k][0]), ("v", pairs[k][1])) for k in chosen)
            if nx.is_forest(shown) and max(degree for _, degree in shown.degree) <= 2:
                rows.append([k in chosen for k in range(len(pairs))])
    return rows


@pytest.mark.parametrize(
    ("copies", "uses"), [(1, 1), (1, 2), (2, 1), (2, 3), (2, 4), (3, 3), (3, 6)]
)
def test_patterns_are_the_parts_of_paths_in_a_public_order(copies: int, uses: int) -> None:
    table = pattern_table(copies, uses)
    assert table.tolist() == expected(copies, uses)
    assert pattern_count(copies, uses) == len(table)
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = False


def test_what_would_fill_the_memory_is_refused_with_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(BadBudget, match=f"have 245505 patterns, more than the {LARGEST_TABLE}"):
        pattern_table(5, 6)
    monkeypatch.setattr(patterns, "LARGEST_TABLE", 14)
    assert len(pattern_table.__wrapped__(2, 3)) == 14
    with pytest.raises(BadBudget, match="have 15 patterns, more than the 14"):
        pattern_table.__wrapped__(2, 4)
    assert pattern_count(5, None) == 2**25 - 1


def test_patterns() -> None:
    table = pattern_table(2, 3)
    assert len(table) == pattern_count(2, 3) == len({row.tobytes() for row in table})
    assert table.sum(axis=1).min() == 1
    assert table.sum(axis=1).max() == 3
    # Three copies, five uses: 381 sets of copy pairs, of which 240 are parts of a path.
    assert pattern_count(3, 5) == 240
