"""What the auditor sees: beliefs, losses against claims, and a code that says who is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pathveil import Knowledge, Publication, Seeded, Walk, attack, publish
from pathveil.checking import release_audit
from pathveil.cli import attack as screens
from pathveil.cli.attack import guess_words, inference_table, print_inference
from pathveil.cli.console import SafeConsole
from pathveil.cli.main import run
from tests.cli.json_schemas import parsed
from tests.cli.test_console import NETWORK, put_screen, shown


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> SafeConsole:
    return put_screen(screens, monkeypatch)


@pytest.fixture(scope="module")
def route() -> Publication:
    return publish(NETWORK, Walk("abcdef"), source=Seeded(1))


def test_beliefs_are_told_with_the_truth_marked_and_the_rest_counted(
    screen: SafeConsole, route: Publication
) -> None:
    inferred = attack(route, Knowledge(NETWORK.without(("c", "d"))))
    print_inference(inferred, truth=[("d", "c")])
    said = shown(screen)
    assert said.count("(true)") == 1
    assert "c - d (true)" in said
    assert said.startswith(guess_words(inferred, 1))
    two = attack(route, Knowledge(NETWORK.without(("c", "d"), ("d", "e")), missing=2))
    assert guess_words(two, 2).startswith("one of the 2 missing links is guessed right")
    assert "; all of them " in guess_words(two, 2)
    screen.print(inference_table(inferred, truth=[], most=1))
    assert f"and {len(inferred.candidates) - 1} more" in shown(screen)


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
