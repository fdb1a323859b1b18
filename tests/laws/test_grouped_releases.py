"""Releases over a grouping: read back exactly, and blind to who is who within a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import pathveil as pv
from pathveil.chance.copies import draw_copies
from pathveil.checking.verification import verify_publication
from pathveil.errors import BadGrouping, DoesNotFit, NotHarmonious, UnknownVertex
from pathveil.files.publications.veil_json import parse_publication, publication_text
from pathveil.reading.participant import read_link, read_vertex


@dataclass(frozen=True)
class Grouped:
    network: pv.Network
    walk: pv.Walk
    grouping: pv.Grouping


@st.composite
def grouped_journeys(draw: st.DrawFn) -> Grouped:
    """A sparse network, a simple walk, and a harmonious grouping of classes of two or more."""
    size = draw(st.integers(24, 30))
    names = [f"v{i:02}" for i in range(size)]
    more = draw(st.lists(st.tuples(st.integers(0, size - 5), st.integers(2, 4)), max_size=2))
    links = {(i, i + 1) for i in range(size - 1)} | {(i, i + step) for i, step in more}
    network = pv.Network.from_links((names[i], names[j]) for i, j in sorted(links))
    walk = [draw(st.sampled_from(names))]
    for _ in range(draw(st.integers(1, 6))):
        onward = [name for name in network.neighbours(walk[-1]) if name not in walk]
        if not onward:
            break
        walk.append(draw(st.sampled_from(onward)))
    assume(len(walk) > 1)
    seed = draw(st.integers(0, 10_000))
    try:
        grouping = pv.group(network, classes=11, source=pv.Seeded(seed))
    except BadGrouping:
        grouping = pv.group(network, classes=12, source=pv.Seeded(seed))
    return Grouped(network, pv.Walk(walk), grouping)


POLICIES = [pv.Policy.balanced(), pv.Policy.frontier(walk_loss="1/2")]


def within_classes(grouping: pv.Grouping, random: np.random.Generator) -> dict[str, str]:
    """A random permutation that leaves every class as it is."""
    moved: dict[str, str] = {}
    for members in grouping:
        moved |= dict(zip(members, random.permutation(members).tolist(), strict=True))
    return moved


def rename(case: Grouped, names: dict[str, str]) -> Grouped:
    links = [(names[u], names[v]) for u, v in case.network.links]
    network = pv.Network.from_links(links, vertices=case.network.vertices)
    return Grouped(network, pv.Walk(names[v] for v in case.walk), case.grouping)


@settings(max_examples=40)
@given(grouped_journeys(), st.data())
def test_the_walk_reads_back_exactly(case: Grouped, data: st.DataObject) -> None:
    policy = data.draw(st.sampled_from(POLICIES))
    publication = pv.publish(case.network, case.walk, policy=policy, grouping=case.grouping)
    again = parse_publication(publication_text(publication))
    for bound in (publication, again.over(case.grouping)):
        found = pv.reconstruct(bound, case.network)
        assert (found.walk, found.order) == (case.walk, "known")
    assert publication_text(again) == publication_text(publication)
    findings = verify_publication(again, case.network, case.walk, grouping=case.grouping)
    assert all(finding.holds for finding in findings), findings


@settings(max_examples=60)
@given(grouped_journeys(), st.data(), st.integers(0, 10_000))
def test_same_coins_same_bytes_whoever_is_who_within_a_class(
    case: Grouped, data: st.DataObject, seed: int
) -> None:
    """The symmetry: permute the vertices within classes and not a byte of the file changes."""
    policy = data.draw(st.sampled_from(POLICIES))
    moved = rename(case, within_classes(case.grouping, np.random.default_rng(seed)))
    texts = {
        publication_text(
            pv.publish(
                each.network,
                each.walk,
                policy=policy,
                grouping=case.grouping,
                source=pv.Seeded(seed),
            )
        )
        for each in (case, moved)
    }
    assert len(texts) == 1


def test_broken_twin_that_goes_by_names_is_caught() -> None:
    network = pv.Network.parse("ab bc cd de")
    case = Grouped(network, pv.Walk("bcd"), pv.Grouping.of(["ad", "be", "cf"]))
    moved = rename(case, {"a": "d", "d": "a", "b": "e", "e": "b", "c": "c", "f": "f"})

    def by_name(each: Grouped) -> bool:
        return each.walk.vertices[0] < each.walk.vertices[-1]

    def by_class(each: Grouped) -> tuple[tuple[int, ...], bool]:
        lifted = draw_copies(
            each.network, each.walk, POLICIES[0], pv.Seeded(1), grouping=each.grouping
        )
        return lifted.visits, lifted.direction

    assert by_name(case) != by_name(moved)
    assert by_class(case) == by_class(moved)


RING = pv.Network.from_links([(i, (i + 1) % 60) for i in range(60)])
GROUPS = pv.group(RING, classes=24, source=pv.Seeded(1))


def ring_walk(*visits: int) -> pv.Walk:
    return pv.Walk(str(visit % 60) for visit in visits)


@pytest.mark.parametrize("visits", [(5, 6), (9, 8, 7), tuple(range(30))])
def test_either_direction_is_told(visits: Sequence[int]) -> None:
    for way in (ring_walk(*visits), ring_walk(*visits[::-1])):
        found = pv.reconstruct(pv.publish(RING, way, grouping=GROUPS), RING)
        assert (found.walk, found.order) == (way, "known")
    untold = pv.publish(RING, ring_walk(5, 6), grouping=GROUPS, direction="hidden")
    assert pv.reconstruct(untold, RING).order == "either_way"


def test_participants_read_their_own_place() -> None:
    publication = parse_publication(
        publication_text(pv.publish(RING, ring_walk(3, 4, 5), grouping=GROUPS))
    )
    status = read_vertex(publication, "4", ["3", "5"], grouping=GROUPS)
    assert {link.there[0] for link in status.links} == {"3", "5"}
    assert read_link(publication, "3", "4", grouping=GROUPS).on_walk
    assert not read_link(publication, "6", "7", grouping=GROUPS).on_walk
    with pytest.raises(DoesNotFit, match="bring it: grouping="):
        read_vertex(publication, "4", ["3", "5"])
    members = next(members for members in GROUPS if len(members) > 2)
    with pytest.raises(DoesNotFit, match="are in one class"):
        read_vertex(publication, members[0], [members[1]], grouping=GROUPS)


def test_a_network_that_grew() -> None:
    """A link in an empty block is published; one in a taken block, or a new vertex, is refused."""
    open_to: list[str] = []
    taken: list[str] = []
    for name in RING.vertices:
        if name not in ("0", "1", "59"):
            block = sorted(GROUPS.classes_of(["0", name]).tolist())
            full_block = block[0] == block[1] or block in GROUPS.blocks_of(RING).tolist()
            (taken if full_block else open_to).append(name)
    grown = pv.Network.from_links([*RING.links, ("0", open_to[0])])
    walk = pv.Walk(["1", "0", open_to[0]])
    assert pv.reconstruct(pv.publish(grown, walk, grouping=GROUPS), grown).walk == walk
    full = pv.Network.from_links([*RING.links, ("0", taken[0])])
    with pytest.raises(NotHarmonious):
        pv.publish(full, ring_walk(3, 4), grouping=GROUPS)
    with pytest.raises(UnknownVertex):
        pv.publish(
            pv.Network.from_links([*RING.links, ("0", "new")]), ring_walk(3, 4), grouping=GROUPS
        )
    shrunk = pv.Network.from_links([e for e in RING.links if "30" not in e])
    assert pv.reconstruct(
        pv.publish(shrunk, ring_walk(3, 4), grouping=GROUPS), shrunk
    ).walk == ring_walk(3, 4)


def test_the_certificate_is_a_function_of_public_numbers() -> None:
    """Two networks and two walks over one grouping: the same certificate, word for word."""
    fewer = pv.Network.from_links([e for e in RING.links if set(e) != {"30", "31"}])
    one = pv.publish(RING, ring_walk(3, 4), grouping=GROUPS).certificate
    other = pv.publish(fewer, ring_walk(8, 9, 10, 11), grouping=GROUPS).certificate
    assert one == other
    words = " ".join(one.not_protected)
    assert f"{GROUPS.classes} classes of {GROUPS.sizes.min()} to {GROUPS.sizes.max()}" in words
    least, most = GROUPS.class_sizes.pairs_in_a_block
    assert f"{least} to {most} pairs" in words


def test_a_seeded_grouping_stamps_what_is_published_over_it() -> None:
    from pathveil.chance.source import System

    assert pv.publish(RING, ring_walk(3, 4), grouping=GROUPS, source=System()).unsafe
