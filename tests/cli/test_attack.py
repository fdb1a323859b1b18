"""What the auditor sees: beliefs, losses against claims, and a code that says who is wrong."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from typing import Any

import pytest

from pathveil import Knowledge, Network, Publication, Seeded, Walk, attack, publish
from pathveil.checking import release_audit
from pathveil.checking.auditing import audit
from pathveil.cli import attack as screens
from pathveil.cli.attack import (
    _bar,
    _sorted_arguments,
    audit_table,
    guess_words,
    inference_table,
    print_inference,
)
from pathveil.cli.console import SafeConsole
from pathveil.cli.main import run
from pathveil.cli.results import inference_data
from tests.cli.json_schemas import parsed
from tests.cli.test_console import NETWORK, put_screen, shown


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> SafeConsole:
    return put_screen(screens, monkeypatch)


@pytest.fixture(scope="module")
def route() -> Publication:
    return publish(NETWORK, Walk("abcdef"), source=Seeded(1))


def test_arguments_are_told_apart_by_their_names() -> None:
    files = [Path("y.veil"), Path("z.veil.json"), Path("s.age")]
    for words in (["n.csv", "y.veil", "z.veil.json", "s.age"], [*map(str, files), "n.csv"]):
        assert _sorted_arguments(words) == (files, Path("n.csv"))
    assert _sorted_arguments(["x.txt", "n.csv"]) == ([Path("x.txt")], Path("n.csv"))
    assert _sorted_arguments(["x.veil"]) == ([Path("x.veil")], None)


def test_a_bar_has_its_tick_where_the_belief_was() -> None:
    assert _bar(0.0, 1.0, width=4) == "▓███"
    assert _bar(1.0, 0.0, width=4) == "···┃"
    assert _bar(0.5, 0.25, width=4) == "█·┃·"
    assert {len(_bar(a / 9, b / 9)) for a in range(10) for b in range(10)} == {24}


def test_beliefs_are_told_with_the_truth_marked_and_the_rest_counted(
    screen: SafeConsole, route: Publication
) -> None:
    inferred = attack(route, Knowledge(NETWORK.without(("c", "d"))))
    print_inference(inferred, truth=[("d", "c")])
    said = shown(screen)
    assert said.count("(true)") == 1
    assert "c - d (true)" in said
    assert said.endswith(guess_words(inferred, 1))
    screen.print(inference_table(inferred, truth=[], most=1))
    assert f"and {len(inferred.candidates) - 1} more" in shown(screen)
    assert len(inference_table(inferred, truth=[]).columns) == 4
    screen.width = screens.WIDE_ENOUGH - 1
    assert len(inference_table(inferred, truth=[]).columns) == 3, "bars go, no number does"


def test_a_sampled_attack_does_not_call_the_certificate_exceeded(screen: SafeConsole) -> None:
    """It had not worked the odds out, and compared nought with what is allowed."""
    network = Network.parse("ab bc cd de ef bd ce af")
    release = publish(network, Walk("abcdef"), source=Seeded(1))
    known = Knowledge(network.without(("c", "d")))
    inferred = attack(release, known, limit=1, samples=500, source=Seeded(1))
    assert inferred.method == "sampled"
    assert (inferred.certified, inferred.within_certificate) == (None, None)
    assert inference_data(inferred)["odds"] is None
    print_inference(inferred, truth=[("c", "d")])
    said = shown(screen)
    assert "not worked out" in said
    assert "EXCEEDED" not in said


class Response:
    """Tell the truth three times of four."""

    def law(self, secret: bool) -> dict[bool, float]:  # noqa: FBT001
        return {secret: 0.75, not secret: 0.25}


def test_an_audit_says_measured_claimed_and_who_is_right(screen: SafeConsole) -> None:
    for claimed, verdict in ((2.0, "not refuted"), (1.0, "refuted"), (inf, "no claim")):
        audited = audit(Response(), (True, False), claimed=claimed)
        screen.print(audit_table(audited, whose="its certificate", drawn=70_600))
        said = shown(screen).rpartition("Loss measured")[2]
        assert said.count("at least 1.0986") == 2  # ln 3, both ways
        assert said.count(verdict) == 2
        assert ("not refuted" in said) == (verdict == "not refuted")
        assert ("infinite" in said) == (claimed == inf)
        assert "70600 releases were drawn" in said


@pytest.fixture
def _seeded_audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits with a fixed source, of a small network, with few whole files written out."""
    (tmp_path / "n.csv").write_text("a,b\nb,c\nc,d\n")
    (tmp_path / "w.txt").write_text("a\nb\nc\nd\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(release_audit, "FILES", 30)
    real = release_audit.audit_release

    def audited(*args: Any, **given: Any) -> Any:
        return real(*args, **given, source=Seeded(5))

    monkeypatch.setattr(release_audit, "audit_release", audited)


AUDIT = ["lab", "audit", "n.csv", "w.txt", "--samples", "200", "--lacking"]


@pytest.mark.regression("`audit` had no direction")
@pytest.mark.usefixtures("_seeded_audits")
def test_an_audit_refutes_or_does_not_and_the_code_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([*AUDIT, "d", "c", "--json"]) == 0
    honest = json.loads(capsys.readouterr().out)
    assert honest["verdict"] != "refuted"
    assert honest["drawn"] == 2 * (350 + 30)
    assert run([*AUDIT, "d", "c", "--policy", "paper:vertex=off,link=1"]) == 1
    assert "never prove it" in " ".join(capsys.readouterr().out.split())
    assert run([*AUDIT, "c", "d", "--direction", "hidden", "--json"]) == 0
    hidden = parsed("lab audit", capsys.readouterr().out)
    assert (hidden["direction"], hidden["verdict"]) == ("hidden", "inconclusive")
