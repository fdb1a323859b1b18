"""May this draw be sent? What a custodian asks, in Python as on the command line."""

from __future__ import annotations

import pytest

import pathveil as pv
from pathveil.checking.judging import judge, read_alone
from pathveil.errors import PathveilError
from pathveil.model.universe import Universe

RING = pv.Network.from_links(
    [(f"v{i:02}", f"v{(i + k) % 40:02}") for i in range(40) for k in (1, 7)]
)
WALK = pv.Walk(["v00", "v01", "v08", "v09", "v16"])


def test_a_draw_is_good_or_bad_by_its_certain_links() -> None:
    said = set()
    for seed in range(12):
        file = pv.publish(RING, WALK, source=pv.Seeded(seed))
        found = judge(file, RING, WALK)
        assert found.verdict().startswith("Send it only" if found.certain else "You may"), seed
        assert found.brief.startswith("send only" if found.certain else "you may send it"), seed
        assert not any(name in str(found) + repr(found) for name in WALK)
        said.add(bool(found.certain))
        for link in WALK.links:
            guess = pv.attack(file, RING, lacking=[link])
            used = [one.links for one in guess.candidates if one.posterior > 0 and not one.others]
            assert (used == [(link,)]) == (link in found.certain)
    assert said == {True, False}


def test_a_file_that_outsiders_read_alone_is_not_for_the_public() -> None:
    small, walk = pv.Network.parse("ab bc cd de"), pv.Walk("abcde")
    file = pv.publish(small, walk, policy=pv.Policy.parse("frontier:walk_loss=5"))
    assert judge(file, small, walk).brief.startswith("do not send it in public")
    assert read_alone(pv.publish(RING, WALK), RING, WALK) == ""


def test_a_universe_of_links_alone_hides_nothing() -> None:
    """publish said that outsiders see links among chaff, of which there was none."""
    universe = Universe.of(RING.links)
    file = pv.publish(RING, WALK, universe=universe)
    assert "may read the walk from this file alone" in read_alone(file, RING, WALK)


def test_a_wrong_walk_and_one_earlier_file_are_taken_for_what_they_are() -> None:
    file, other = pv.publish(RING, WALK), pv.publish(RING, pv.Walk(["v30", "v31", "v38"]))
    with pytest.raises(PathveilError, match="another walk reads back"):
        judge(file, RING, pv.Walk(["v30", "v31", "v38"]))
    assert judge(file, RING, WALK, other).judged is True


@pytest.mark.regression("a draw could be sent that made a link of an earlier walk certain")
def test_links_of_earlier_walks_are_judged_too() -> None:
    network = pv.Network.parse("ab bc cd de ef fg gh ae cg")
    first = pv.publish(network, pv.Walk("abcde"), source=pv.Seeded(18))
    second = pv.publish(network, pv.Walk("efgh"), source=pv.Seeded(1018))
    assert pv.attack(first, network, lacking=[("c", "d")]).candidates[0].posterior < 1
    found = judge(second, network, pv.Walk("efgh"), first)
    assert ("c", "d") in found.certain
    assert "of other walks" in found.words


@pytest.mark.regression("many files that outsiders read together were judged one by one")
def test_files_that_outsiders_read_together_are_not_for_the_public() -> None:
    walks = [pv.Walk([f"v{(k + i) % 40:02}" for i in range(5)]) for k in range(0, 36, 3)]
    files = [pv.publish(RING, walk) for walk in walks]
    found = judge(files[-1], RING, walks[-1], files[:-1])
    assert "may read walks from these 12 files" in found.outsiders
    assert found.verdict().startswith("Do not send it in public")
    assert judge(files[1], RING, walks[1], files[:1]).outsiders == ""


def test_two_to_six_of_ten_files_make_some_link_certain() -> None:
    """So say README and plan, of walks of four to seven links by the default policy."""
    for length in (4, 7):
        walk = pv.Walk([f"v{(7 * (k // 2) + k % 2 + k // 2) % 40:02}" for k in range(length + 1)])
        files = [pv.publish(RING, walk, source=pv.Seeded(seed)) for seed in range(60)]
        share = sum(bool(judge(file, RING, walk).certain) for file in files) / len(files)
        assert 0.15 < share < 0.65


@pytest.mark.regression("an older file of a series was not judged with those after it")
def test_an_older_file_of_a_series_is_judged_with_the_newer() -> None:
    walks = [pv.Walk([f"v{(k + i) % 40:02}" for i in range(4)]) for k in (0, 9, 18)]
    first, *later = pv.publish_series(RING, walks, policy=pv.Policy.remembering(usage="0.1"))
    found = judge(first, RING, walks[0], later)
    assert found.judged
    assert not found.alone
