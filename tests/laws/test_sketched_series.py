"""Laws of a series of sketches: read back exactly, in any order, over a changing network."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from pathveil import Network, Policy, Publication, Seeded, Walk, group, publish, reconstruct
from pathveil.batching.batch_run import batch
from pathveil.chance.history import History
from pathveil.chance.urn import Urn
from pathveil.checking.verification import verify_series
from pathveil.errors import (
    BadNetwork,
    BadPublication,
    BrokenSeries,
    DoesNotFit,
    FalseCertificate,
    PathveilError,
)
from pathveil.model.remembered import Remembered, shown_before
from pathveil.publishing.release import publish_together
from pathveil.reading.participant import read_vertex
from pathveil.sketching.sketched_urn import SketchedUrn
from tests.laws.test_series_round_trip import changing_series

NETWORK = Network.parse("ab bc cd de bd ae")
WALKS = [Walk("abc"), Walk("bde"), Walk("eab"), Walk("cde")]
ALARM = 1e-6


def series(count: int = 3, *, seed: int = 0, **options: Any) -> list[Publication]:
    found: list[Publication] = []
    terms: dict[str, Any] = {"policy": Policy.remembering(), "form": "sketch", "capacity": 20}
    terms |= options
    for number, walk in enumerate(WALKS[:count]):
        source = Seeded(seed + number)
        found.append(publish(NETWORK, walk, after=found, source=source, **terms))
    return found


@settings(max_examples=25, deadline=None)
@given(changing_series(), st.integers(0, 1 << 20), st.booleans())
def test_every_series_reads_back_exactly(
    steps: list[tuple[Network, Walk]], seed: int, once: Any
) -> None:
    """Vertices too may come and go: a sketch lists none."""
    copies = max(max(walk.visits.values()) for _, walk in steps)
    uses = max(max(walk.uses.values()) for _, walk in steps)
    joint = once and copies in (2, 3) and uses <= copies
    if copies > 3 or (copies == 3 and not joint):
        return  # patterns that are not listed
    policy = Policy.remembering(copies=copies, link_uses=uses if joint else None)
    found: list[Publication] = []
    for number, (network, walk) in enumerate(steps):
        listed = list(found)
        random.Random(seed).shuffle(listed)
        source = Seeded(seed + number)
        options: dict[str, Any] = {"form": "sketch", "capacity": 40, "policy": policy}
        found.append(publish(network, walk, after=listed, source=source, **options))
    for (network, walk), publication in zip(steps, found, strict=True):
        assert reconstruct(publication, network).walk == walk


def test_vertices_may_come_and_go() -> None:
    grown = Network.parse("ab bc cd de bd ae ef fg")
    after = series(2)
    third = publish(grown, Walk("defg"), after=after, form="sketch", source=Seeded(9))
    assert reconstruct(third, grown).walk == Walk("defg")


def test_files_are_read_with_those_before_them(tmp_path: Path) -> None:
    paths = []
    for number, publication in enumerate(series()):
        paths.append(tmp_path / f"{number}.veil")
        publication.save(paths[-1])
    one, two, three = map(Publication.load, paths)
    assert [one, two, three] == series()
    assert reconstruct(one, NETWORK).walk == WALKS[0]  # the first needs nothing
    with pytest.raises(DoesNotFit, match=r"release 3 of a series of sketches.*the 2 before it"):
        reconstruct(three, NETWORK)
    assert reconstruct(three, NETWORK, after=[three, two, one]).walk == WALKS[2]
    assert read_vertex(two.following([one]), "d", ["b", "c", "e"]).visits == 1
    with pytest.raises(BrokenSeries, match="not among the"):
        three.following([one])
    with pytest.raises(BrokenSeries, match="not among the earlier files"):
        three.following(series(2, seed=50))
    assert all(finding.holds for finding in verify_series([three, one, two]))


def test_listing_order_does_not_matter_and_going_on_from_files_is_the_same(tmp_path: Path) -> None:
    one, two, three = series()
    two.save(tmp_path / "2.veil")
    again = Publication.load(tmp_path / "2.veil")
    orders = [[one, two, three], [three, again, one], [two, three, one, two]]
    options: dict[str, Any] = {"form": "sketch", "source": Seeded(7)}
    nexts = [
        publish(NETWORK, WALKS[3], after=order, **(options | {"source": Seeded(7)}))
        for order in orders
    ]
    assert nexts[0] == nexts[1] == nexts[2]
    assert nexts[0].series is not None
    assert nexts[0].series.place == 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"form": "packed"}, "keeps its form"),
        ({"capacity": 21}, "keeps its capacity"),
        ({"policy": Policy.remembering(usage="0.2")}, "keeps its terms"),
        ({"policy": Policy.balanced()}, "keeps its terms"),
        ({"after": "gap"}, "not among the files"),
        ({"after": "fork"}, "forked"),
    ],
)
def test_what_is_not_the_series_is_refused(change: dict[str, Any], said: str) -> None:
    after = series()
    listed = {"gap": after[1:], "fork": [*after, series(1, seed=9)[0]]}
    chosen = {"form": "sketch"} | change
    chosen["after"] = listed[change["after"]] if "after" in change else after
    with pytest.raises(BrokenSeries, match=said):
        publish(NETWORK, WALKS[3], **chosen)


def test_a_packed_series_does_not_go_on_as_sketches() -> None:
    packed = publish(NETWORK, WALKS[0], policy=Policy.remembering(), source=Seeded(1))
    with pytest.raises(BrokenSeries, match="was begun packed"):
        publish(NETWORK, WALKS[1], after=[packed], form="sketch", capacity=20)


def test_an_edited_sketch_falls_out_of_its_series(tmp_path: Path) -> None:
    one, two, _ = series()
    assert two.sketch is not None
    words = two.sketch.words.copy()
    words[0, 0] ^= np.uint64(1)
    edited = replace(two, bits=replace(two.sketch, words=words))
    with pytest.raises(BrokenSeries, match="was changed"):
        History.of([one, edited])
    # Thresholds are no part of the digest, for they follow from the terms: a file that states
    # others is not opened.
    false = replace(two, bits=replace(two.sketch, threshold=Remembered((1, 1))))
    false.save(tmp_path / "false.veil")
    with pytest.raises(FalseCertificate, match="other thresholds"):
        Publication.load(tmp_path / "false.veil")
    short = replace(two, bits=replace(two.sketch, threshold=Remembered((1,))))
    short.save(tmp_path / "short.veil")
    with pytest.raises(BadPublication, match="one threshold for each count"):
        Publication.load(tmp_path / "short.veil", trust=True)


def test_over_a_grouping_and_with_walks_together() -> None:
    path = [(f"v{i:02}", f"v{i + 1:02}") for i in range(19)]
    network = Network.from_links(path)
    grouping = group(network, classes=12, source=Seeded(3))
    options: dict[str, Any] = {"form": "sketch", "capacity": 40, "grouping": grouping}
    walks = [Walk(network.vertices[i : i + 6]) for i in (0, 5, 9)]
    found: list[Publication] = []
    for number, walk in enumerate(walks):
        policy = Policy.remembering()
        source = Seeded(number)
        found.append(publish(network, walk, policy=policy, after=found, source=source, **options))
        assert reconstruct(found[-1], network).walk == walk
    first = publish_together(
        NETWORK, [WALKS[0], Walk("de")], policy=Policy.remembering(), form="sketch", capacity=20
    )
    then = publish_together(NETWORK, [Walk("abd"), Walk("cd")], after=first, form="sketch")
    assert [reconstruct(p, NETWORK).walk for p in then] == [Walk("abd"), Walk("cd")]


# -- the coins of pairs that are no links, with a broken twin -------------------------------------


def counted(*, forgets: bool = False) -> list[tuple[int, int, int]]:
    """Return for the fourth release by earlier count: pairs, of them shown, values that mean on.

    170 vertices, 14,365 pairs of which 169 are links; four releases.
    """
    names = [f"v{i:03}" for i in range(170)]
    network = Network.from_links(pairwise(names))
    found: list[Publication] = []
    for number in range(4):
        after = [] if forgets and number == 3 else found
        policy = Policy.remembering(prior=(1, 2))
        walk = Walk(names[number : number + 9])
        options: dict[str, Any] = {"form": "sketch", "capacity": 200, "policy": policy}
        source = Seeded(f"sketched urn {number}")
        found.append(publish(network, walk, after=after, source=source, **options))
    pairs = np.stack(np.triu_indices(170, 1), axis=1)
    pairs = pairs[pairs[:, 1] - pairs[:, 0] > 1]
    sketches = [publication.sketch for publication in found if publication.sketch]
    before = shown_before(sketches[:3], network.vertices, pairs)
    asked = found[3].bits.positions_of(names)
    shown = ~found[3].bits.same_branch(asked, pairs)
    each = SketchedUrn(Urn(1, 2)).each(3)  # type: ignore[arg-type]
    return [(int((before == k).sum()), int(shown[before == k].sum()), each[k]) for k in range(4)]


def fits(counts: list[tuple[int, int, int]], bits: int) -> bool:
    """Chi-square of shown and not, count by count; false-alarm rate one in a million."""
    statistic = 0.0
    for pairs, shown, each in counts:
        rate = each / (1 << bits)
        assert pairs * min(rate, 1 - rate) > 50, "too few pairs for a chi-square test"
        statistic += (shown - pairs * rate) ** 2 / (pairs * rate * (1 - rate))
    return bool(chi2.sf(statistic, len(counts)) > ALARM)


def test_chaff_of_a_sketch_remembers() -> None:
    bits = SketchedUrn(Urn(1, 2)).bits(3)  # type: ignore[arg-type]
    assert fits(counted(), bits)
    assert not fits(counted(forgets=True), bits)


def test_a_batch_does_not_go_on_with_sketches(tmp_path: Path) -> None:
    """It publishes packed; a series keeps its form, and is told so before anything is drawn."""
    for number, publication in enumerate(series(2)):
        publication.save(tmp_path / f"{number}.veil")
    files = [Publication.load(path) for path in sorted(tmp_path.glob("*.veil"))]
    with pytest.raises(BrokenSeries, match="was begun sketched"):
        batch(NETWORK, [WALKS[2]], tmp_path / "out", after=files, accept_outsider=True)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_universe_is_brought_again_for_every_release() -> None:
    """A sketch names it by digest; a link outside it would belie the file, so it is looked for."""
    pairs = [*NETWORK.links, ("a", "c"), ("b", "e")]
    first = series(1, universe=pairs)
    with pytest.raises(BadNetwork, match="comes without its pairs"):
        publish(NETWORK, WALKS[1], after=first, form="sketch")
    then = publish(NETWORK, WALKS[1], after=first, form="sketch", universe=pairs)
    assert reconstruct(then, NETWORK).walk == WALKS[1]
    grown = Network.from_links([*NETWORK.links, ("a", "d")])
    with pytest.raises(PathveilError, match="universe"):
        publish(grown, WALKS[1], after=first, form="sketch", universe=pairs)
