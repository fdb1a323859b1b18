"""The demonstration: the story is complete, true of what it publishes, and can be repeated."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pathveil import Network, Publication, Walk, reconstruct
from pathveil.cli.demo import LINKS, MISSING, VISITS
from pathveil.cli.main import run


@pytest.fixture(autouse=True)
def wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)


def test_the_story_is_told_and_its_files_hold_what_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["demo", "--seed", "1", "-o", "here"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    places = [said.index(f"{number} {title}") for number, title in TITLES.items()]
    assert places == sorted(places)
    assert "Together, or with the whole network: a → b → c → d → e → f, order known" in said
    assert "next to b, an end" in said
    assert "between b and d" in said
    assert "(true)" in said  # the missing link is marked among the candidates
    publication = Publication.load("here/route.veil.json")
    assert publication.unsafe  # it came from a seed
    assert reconstruct(publication, Network.parse(LINKS)).walk == Walk(VISITS)
    assert f"{len(publication.layered.arcs)} lines say it for" in said
    assert Path("here/route.svg").read_text("utf-8").startswith("<svg")


def test_the_papers_mechanism_is_shown_step_by_step(capsys: pytest.CaptureFixture[str]) -> None:
    """Seed 5: the coins leave two candidates, the layers one; the order is read wrongly."""
    assert run(["demo", "--paper", "--seed", "5", "-o", "here"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for words in ("Algorithm 1: copies", "Algorithm 2: one coin", "Algorithms 4 to 6 and Rule 5"):
        assert words in said
    assert "the coins leave 2 candidates" in said
    assert "leave 1 and 100.0%" in said
    publication = Publication.load("here/route.veil.json")
    assert publication.layering == "backtracking"
    assert "f → e → d → c → b → a, order known: the wrong way round" in said


TITLES = {
    1: "A network and a walk",
    2: "One bit for each pair",
    3: "Published as a layered graph",
    4: "What each participant reads",
    5: f"What is left to someone who misses ({', '.join(MISSING)})",
    6: "Your turn",
}


def test_the_picture_that_shows_the_secret_is_the_owners() -> None:
    assert run(["demo", "-q", "-o", "here"]) == 0
    assert stat.S_IMODE(Path("here/network.svg").stat().st_mode) == 0o600
    assert not Publication.load("here/route.veil.json").unsafe  # without a seed: real coins


def test_a_seed_repeats_the_run() -> None:
    for folder, seed in (("one", "3"), ("two", "3"), ("three", "4")):
        assert run(["demo", "-q", "--seed", seed, "-o", folder]) == 0
    one, two, three = (
        Path(folder, "route.veil.json").read_bytes() for folder in ("one", "two", "three")
    )
    assert one == two
    assert one != three


def test_the_missing_link_is_one_of_the_walk() -> None:
    """Otherwise the fifth scene would show an adversary who has nothing to find."""
    assert MISSING in Walk(VISITS).links
    Walk(VISITS).require_in(Network.parse(LINKS))
