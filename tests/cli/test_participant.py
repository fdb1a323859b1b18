"""What a participant reads: the walk, its own visits or links, how sure that is, or why nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.cli.main import run
from pathveil.cli.reconstruct import _likelihood
from pathveil.reading.assemble import Reading
from tests.cli.conftest import LINKS

NETWORK = Network.parse(LINKS)
READ = ["reconstruct", "route.veil.json", "network.csv"]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_the_whole_network_reads_the_walk(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(READ) == 0
    shown = said(capsys)
    assert "a → b → c → d → e → f" in shown
    assert "tie" not in shown
    assert "unsafe" in shown
    assert run([*READ, "-q"]) == 0
    assert said(capsys) == "a → b → c → d → e → f"  # the answer, and nothing else


@pytest.mark.parametrize(
    ("vertex", "place"), [("a", "an end of the walk, next to b"), ("c", "between b and d")]
)
def test_a_vertex_reads_its_own_place_from_its_own_row(
    example: Path, capsys: pytest.CaptureFixture[str], vertex: str, place: str
) -> None:
    row = "".join(f"{vertex},{other}\n" for other in NETWORK.neighbours(vertex))
    Path("row.csv").write_text(row)
    assert run(["reconstruct", "route.veil.json", "row.csv", "--as", vertex]) == 0
    shown = said(capsys)
    assert f"the walk visits {vertex} once" in shown
    assert place in shown


def test_who_is_not_on_the_walk_is_told_so(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(NETWORK, Walk("abc"), source=Seeded(1)).save("short.veil.json")
    assert run(["reconstruct", "short.veil.json", "network.csv", "--as", "e"]) == 0
    assert "the walk does not visit e" in said(capsys)
    assert run(["reconstruct", "short.veil.json", "network.csv", "--as", "e", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["visits"] == 0


def test_a_link_reads_its_own_place(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*READ, "--as-link", "c", "d"]) == 0
    assert "the walk uses c - d once" in said(capsys)
    assert run([*READ, "--as-link", "c", "e"]) == 0
    assert "the walk does not use c - e" in said(capsys)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (["--as", "c", "--as-link", "c", "d"], "two different participants"),
        (["--as-link", "a", "d"], "'a' - 'd' is no link of network.csv"),
        (["--as", "nobody"], "'nobody'"),
    ],
)
def test_who_is_no_participant_reads_nothing(
    example: Path, capsys: pytest.CaptureFixture[str], more: list[str], reason: str
) -> None:
    """A pair that is no link has a coin, which must not be read to anybody as an answer."""
    assert run([*READ, *more]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert reason in shown.err


def test_an_order_that_cannot_be_told_is_called_a_tie(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(NETWORK, Walk("abcdef"), direction="hidden", source=Seeded(1)).save("tie.veil.json")
    assert run(["reconstruct", "tie.veil.json", "network.csv"]) == 0
    assert "tie: either end may be the first" in said(capsys)


def test_noise_is_not_read_to_one_vertex_as_an_answer(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = Policy.two_sided(epsilon="8")
    publish(NETWORK, Walk("abcdef"), policy=policy, source=Seeded(1)).save("noisy.veil.json")
    assert run(["reconstruct", "noisy.veil.json", "network.csv", "--as", "c"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"path_only": True, "rivals": 0}, "another walk may be likelier"),
        ({"gap": 2, "rivals": 0}, "at most 2 more bits"),
        ({"rivals": None}, "were not counted"),
        ({"rivals": 3}, "3 other walks are exactly as likely"),
        ({"rivals": 0}, "no other walk is as likely"),
    ],
)
def test_how_sure_a_noisy_reading_is(facts: dict[str, object], words: str) -> None:
    found = _likelihood(Reading(Walk("abc"), "known", (0, 0, 0), **facts))  # type: ignore[arg-type]
    assert words in found
    assert ("likeliest[/]:" in found) == (facts == {"rivals": 0})
