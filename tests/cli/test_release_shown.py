"""What a custodian reads after publishing: five lines for everybody, one for his eyes only."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from pathlib import Path

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.attacks.link_risk import LinkRisk
from pathveil.cli import console as screens
from pathveil.cli import publish as release_shown
from pathveil.cli.console import SafeConsole
from pathveil.cli.main import run
from pathveil.cli.publish import draw_words, reader_lines, tell_this_draw, used_words
from pathveil.files.codes import Codes
from pathveil.model.publication import Verdict
from pathveil.planning.cover import Cover

LABELS = ["written", "readers", "", "outsiders", "one link", "", "public"]
PUBLISH = ["publish", "network.csv", "walk.txt", "-o"]
FILES = [Path("x.veil"), Path("network.csv"), Path("walk.txt")]


def labels(shown: str) -> list[str]:
    return [line[:10].strip() for line in shown.splitlines()]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """The custodian's standard error, as a terminal."""
    seen = io.StringIO()
    monkeypatch.setattr(screens.notes, "_force_terminal", True)
    monkeypatch.setattr(screens.notes, "_file", seen)
    monkeypatch.setattr(screens.notes, "_width", 80)
    return seen


def test_five_lines_at_most_eight_on_screen(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["keys", "-o", "my.key", "-q"]) == 0
    public = capsys.readouterr().out.strip()
    assert run([*PUBLISH, "0.veil.age", "--to", public, "--policy", "sealed"]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 8
    assert run([*PUBLISH, "1.veil.json"]) == 0
    piped = capsys.readouterr()
    assert labels(piped.out) == LABELS
    assert "right in 47 of 100 (25 without the file)" in piped.out
    assert "the names of all 6 vertices, none visited twice, which end is first" in piped.out
    assert piped.err.count("\n") == 1
    assert "pathveil inspect 1.veil.json network.csv walk.txt" in piped.err
    assert run([*PUBLISH, "2.veil.json", "--notes"]) == 0
    asked = capsys.readouterr()
    assert asked.out.replace("2.veil", "1.veil").splitlines()[1:] == piped.out.splitlines()[1:]
    assert len(asked.out.splitlines()) <= 7
    assert len(asked.err.splitlines()) == 1 + ("--to KEY" in asked.err)
    assert asked.err.startswith("this draw ")
    assert run(["inspect", "2.veil.json", "network.csv", "walk.txt"]) == 0
    assert capsys.readouterr() == ("", asked.err), "the same words later on"


def test_a_terminal_shows_the_same_lines(
    example: Path, terminal: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screens.console, "_force_terminal", True)
    monkeypatch.setattr(screens.console, "_file", screen)
    monkeypatch.setattr(screens.console, "_width", 80)
    assert run([*PUBLISH, "1.veil.json"]) == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())
    assert labels(plain) == LABELS
    assert "this draw" in terminal.getvalue()


def test_outsiders_cover_used_not_counted_or_nothing(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def outsiders(*more: str) -> str:
        name = f"{len(list(example.iterdir()))}.veil"
        assert run([*PUBLISH, name, *more]) == 0
        (line,) = (x for x in capsys.readouterr().out.splitlines() if x.startswith("outsiders"))
        return line[10:]

    assert re.fullmatch(
        r"see links among chaff; (one|about \d+) such walks? fits? \(earlier not counted\)",
        outsiders(),
    )
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    counted = outsiders("--ledger", "l.db")
    assert re.match(r"\d+ % of the cover used; .*walk.* of 5 links fits?$", counted)
    assert run(["keys", "-o", "my.key", "-q"]) == 0
    public = capsys.readouterr().out.strip()
    assert outsiders("--to", public) == "see only the size of the file: it is encrypted"


def test_cover_used_comes_with_its_yardstick() -> None:
    cover = Cover(2, 2, 6.3, 10.0, "pairs", 0.0)
    assert used_words(cover, 11, 6) == "63 % of the cover used; about 11 more walks of 6 links fit"
    assert used_words(cover, 1, 6).endswith("one more walk of 6 links fits")
    assert used_words(cover, 0, 6).endswith("probably no further walk of 6 links fits")
    assert used_words(cover, 0, 0) == "63 % of the cover used"


def test_a_certain_link_is_named_with_what_to_do() -> None:
    assert draw_words([0.5], []).endswith("guessed right 50 times in 100")
    assert draw_words([1.0, 0.5], [("c", "d")]).startswith("c - d is certain: never redraw")
    assert "4 more" in draw_words([1.0] * 5, [("c", "d")] * 5)
    long = draw_words([1.0] * 5, [("Lyon Stamping and Sons", "d" * 60)] * 5)
    assert len(long) <= 70, "one line of 80 columns"
    codes = Codes("codes.csv", {"Lyon": "v2", "Metz": "v1"})
    assert draw_words([1.0], [("v1", "v2")], codes).startswith("Metz - Lyon is certain")


@pytest.mark.parametrize(("rarely", "red"), [(0.05, True), (0.2, False)])
def test_only_what_should_have_been_rare_is_an_alarm(
    rarely: float,
    red: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = SafeConsole(file=io.StringIO(), force_terminal=True, color_system="standard")
    monkeypatch.setattr(release_shown, "notes", screen)
    risk = LinkRisk(("c", "d"), 4, 0.25, 1.0, rarely)
    monkeypatch.setattr("pathveil.attacks.link_risk.identify_links", lambda *_: (risk,))
    network, walk = Network.parse("ab bc cd bd"), Walk("abcd")
    tell_this_draw(
        publish(network, walk, source=Seeded(1)), network, walk, files=FILES, asked=False
    )
    assert isinstance(screen.file, io.StringIO)
    assert ("\x1b[1;31m" in screen.file.getvalue()) == red


def test_a_long_walk_is_told_how_to_ask(terminal: io.StringIO) -> None:
    names = [f"v{i:02}" for i in range(62)]
    network, walk = Network.from_links(list(pairwise(names))), Walk(names)
    tell_this_draw(
        publish(network, walk, source=Seeded(1)), network, walk, files=FILES, asked=False
    )
    assert "61 links, too many to try each" in " ".join(terminal.getvalue().split())


def test_no_link_of_the_walk_gets_into_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The attack: read the log of a nightly job that ran publish."""
    monkeypatch.chdir(tmp_path)
    names = [f"depot{i}" for i in range(6)]
    links = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    Path("network.csv").write_text("".join(f"{a},{b}\n" for a, b in links))
    Path("walk.txt").write_text("\n".join(names))
    for more in ([], ["--json"], ["--json", "--notes"], ["-q", "--notes"]):
        assert run([*PUBLISH, "x.veil.json", "--force", *more]) == 0
        shown = "".join(capsys.readouterr())
        assert not any(name in shown for name in names), more


def test_the_lines_are_the_same_for_every_draw(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = set()
    for seed in range(4):
        assert run([*PUBLISH, "x.veil", "--force", "--unsafe-seed", str(seed)]) == 0
        seen.add(capsys.readouterr().out.partition("\n")[2])
    assert len(seen) == 1


def test_a_seed_is_called_unsafe(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*PUBLISH, "x.veil.json", "--unsafe-seed", "1"]) == 0
    assert "unsafe: the coins came from a seed" in " ".join(capsys.readouterr().out.split())


def test_lines_for_readers_work_as_they_are_typed(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PUBLISH, "x.veil.json", "--for-readers"]) == 0
    assert "and FILE.readers.txt" in " ".join(capsys.readouterr().out.split())
    lines = Path("x.veil.json.readers.txt").read_text().splitlines()
    assert [line.split(":")[0] for line in lines] == ["Install", "Read", "You need"]
    command = lines[1].partition("pathveil ")[2].split()
    assert run(command) == 0
    assert "a → b → c" in capsys.readouterr().out
    assert "--codes" in reader_lines(Path("x"), sealed=False, grouped=False, coded=True)[1]
    sealed = reader_lines(Path("x.veil.age"), sealed=True, grouped=True)
    assert "--groups groups.json --identity YOUR-KEY" in sealed[1]
    Path("walks.txt").write_text("a,b,c\nd,e,f\n")
    batch = ["batch", "network.csv", "walks.txt", "-o", "out", "--policy", "balanced"]
    assert run([*batch, "--workers", "1", "--for-readers"]) == 0
    assert Path("out.readers.txt").exists()


def test_a_noisy_file_says_that_readers_guess() -> None:
    noisy = publish(
        Network.parse("ab bc cd bd"),
        Walk("abcd"),
        policy=Policy.two_sided(epsilon=3),
        source=Seeded(1),
    )
    for encrypted in (False, True):
        words = Verdict.of(noisy, encrypted=encrypted)
        lines = release_shown.reading_lines(words, sealed=encrypted)
        assert "most likely" in lines[0][1]
