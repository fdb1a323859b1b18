"""Walks between classes are trails: traced, and judged by their blocks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil import Grouping, Network, Policy, Seeded, Walk, group, publish
from pathveil.attacks.series.observed_pairs import trace_path, trace_trail
from pathveil.attacks.series.outsider import (
    Judgement,
    SeriesReading,
    counting_outsider,
    judge,
    structural_outsider,
    walks_right,
)
from pathveil.attacks.series.release_pile import collect
from pathveil.planning.gate import examine
from pathveil.planning.gate_report import Effort, report_sentences


@given(st.lists(st.integers(0, 6), min_size=2, max_size=14))
def test_every_trail_is_traced_again_link_by_link(visits: list[int]) -> None:
    """Cut where it would stand still or take a link again."""
    trail, links = visits[:1], set[frozenset[int]]()
    for node in visits[1:]:
        step = frozenset((trail[-1], node))
        if len(step) == 2 and step not in links:
            links.add(step)
            trail.append(node)
    pairs = [(min(step), max(step)) for step in links]
    found = trace_trail(pairs)
    if not pairs:
        assert found is None
        return
    assert found is not None
    assert sorted(map(sorted, pairwise(found))) == sorted(map(sorted, pairs))
    path = trace_path(pairs)
    assert path is None or found in (path, path[::-1])
    reading = SeriesReading((), (tuple(found),), -1)
    assert walks_right(reading, [trail[::-1]], grouped=True) == 1
    assert walks_right(reading, [[*trail, 7]], grouped=True) == 0
    assert trace_trail([*pairs, (8, 9)]) is None


def test_the_gate_over_a_grouping_counts_and_reads_walks_that_pass_a_class_twice() -> None:
    """Between classes they were called no walk, so none was ever read."""
    network = Network.from_links([(f"v{i:02d}", f"v{(i + 1) % 30:02d}") for i in range(30)])
    grouping = group(network, classes=14, source=Seeded(2))
    walks = [Walk(f"v{(3 * k + i) % 30:02d}" for i in range(9)) for k in range(8)]
    assert any(len(set(grouping.classes_of(walk.vertices).tolist())) < 9 for walk in walks)
    policy = Policy.balanced()
    files = [
        publish(network, walk, policy=policy, grouping=grouping, source=Seeded(k))
        for k, walk in enumerate(walks)
    ]
    report = examine(
        network, walks, files, policy, grouping=grouping, effort=Effort(steps=1000, restarts=1)
    )
    assert report.structural is None
    assert report.counting is not None
    said = " ".join(report_sentences(report))
    assert "looks for links that form a path" not in said
    assert " moves" not in said
    collected = collect(files)
    assert collected is not None
    seen, law = collected.sightings, collected.law
    blocks = grouping.blocks_of(network)
    told = counting_outsider(seen, law, len(blocks), known=blocks)
    truth = [grouping.classes_of(walk.vertices).tolist() for walk in walks]
    assert judge(told, seen, blocks, truth).walks_read == len(walks)
    with pytest.raises(ValueError, match="pass one twice"):
        structural_outsider(seen, law, len(blocks), known=np.zeros((0, 2), dtype=np.int64))


def test_what_passes_classes_of_one_member_alone_is_counted_apart() -> None:
    """Such a link is read as it is: "among the 1 to 1 pairs" it was said to stay hidden."""
    network = Network.parse("ab bc cd de")
    grouping = Grouping.of(["ae", "bx", "cy", "dz"])
    walks = [Walk("bcd"), Walk("abc"), Walk("cd")]
    files = [publish(network, walk, grouping=grouping, source=Seeded(3)) for walk in walks]
    collected = collect(files)
    assert collected is not None
    seen, blocks = collected.sightings, grouping.blocks_of(network)
    truth = [grouping.classes_of(walk.vertices).tolist() for walk in walks]
    assert truth == [[1, 2, 3], [0, 1, 2], [2, 3]]
    reading = SeriesReading(((0, 1), (1, 2)), ((3, 2, 1), (2, 1, 0), (1, 2)), -1)
    plain = judge(reading, seen, blocks, truth)
    assert (plain.links_found, plain.links_hidden, plain.walks_read) == (2, 4, 2)
    assert (plain.bare_links, plain.bare_walks) == (0, 0)
    found = judge(reading, seen, blocks, truth, grouping=grouping)
    assert found == Judgement(
        2, 4, plain.luck, 2, 3, bare_links_found=1, bare_links=2, bare_walks_read=1, bare_walks=2
    )
