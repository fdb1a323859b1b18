"""What stands on a screen: text that is text, marks that mean what they say, nothing cut off."""

from __future__ import annotations

import io
import json
from math import inf

import pytest

from pathveil import Knowledge, Network, Policy, Publication, Seeded, Walk, attack, publish
from pathveil.adversary.auditing import Audit, audit
from pathveil.apps import console as screens
from pathveil.apps.console import (
    SafeConsole,
    _bar,
    _percent,
    _verdict,
    arrows,
    audit_table,
    facts,
    frontier_picture,
    inference_table,
    print_certificate,
    print_findings,
    print_inference,
    print_json,
    warn_unearned,
    warn_unsafe,
)
from pathveil.apps.results import inference_data
from pathveil.verifying import Finding
from tests.apps.conftest import EDGES

NETWORK = Network.parse(EDGES)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> SafeConsole:
    made = SafeConsole(highlight=False, file=io.StringIO(), width=100)
    monkeypatch.setattr(screens, "console", made)
    return made


@pytest.fixture(scope="module")
def route() -> Publication:
    return publish(NETWORK, Walk("abcdef"), source=Seeded(1))


def shown(screen: SafeConsole) -> str:
    assert isinstance(screen.file, io.StringIO)
    return " ".join(screen.file.getvalue().split())


def test_a_screen_obeys_no_name(screen: SafeConsole) -> None:
    screen.print(facts([("[red]a[/]", "b\x1b[2J"), ("c\x07", "[/nonsense]")]))
    said = shown(screen)
    assert "\x1b" not in said
    assert "\x07" not in said
    assert "[red]a[/]" in said
    assert "[/nonsense]" in said


def test_json_is_one_document_whose_value_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    for value in ({"b": "é", "a": 1}, {"name": "x\u202ey"}):
        print_json(value)
        text = capsys.readouterr().out
        assert json.loads(text) == value
        assert "\u202e" not in text
        assert ("é" in text) == ("b" in value)  # what is harmless stays readable


def test_findings_say_what_was_found_only_where_it_matters(screen: SafeConsole) -> None:
    print_findings([Finding("it is so", True), Finding("[b]so too[/]", False, "it is [not]")])
    assert shown(screen) == "holds claim: it is so fails claim: [b]so too[/] found: it is [not]"


def test_arrows_are_signs_that_the_screen_has(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(screens, "console", SafeConsole(file=narrow))
    assert arrows("ab") == "a -> b"
    wide = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(screens, "console", SafeConsole(file=wide))
    assert arrows("ab") == "a → b"


def test_a_certificate_is_never_shown_without_what_it_does_not_say(
    screen: SafeConsole, route: Publication
) -> None:
    print_certificate(route)
    said = shown(screen)
    assert "ln 2" in said
    assert "the paper claims" not in said
    assert len(route.certificate.not_protected) > 0
    assert said.count("•") == len(route.certificate.not_protected)


def test_the_papers_own_claim_stands_beside_what_is_true(screen: SafeConsole) -> None:
    policy = Policy.paper(vertex=None, edge=1)
    print_certificate(publish(NETWORK, Walk("abcdef"), policy=policy, source=Seeded(1)))
    assert "paper" in shown(screen)
    assert "claims" in shown(screen)


def test_figures_of_a_hostile_file_are_shown_not_computed() -> None:
    assert _percent("0.25") == "25.0%"
    assert _percent("[a]") == r"\[a]"
    assert _percent("1e999") == "inf%"


def test_a_bar_has_its_tick_where_the_belief_was() -> None:
    assert _bar(0.0, 1.0, width=4) == "▓███"
    assert _bar(1.0, 0.0, width=4) == "···┃"
    assert _bar(0.5, 0.25, width=4) == "█·┃·"
    assert {len(_bar(a / 9, b / 9)) for a in range(10) for b in range(10)} == {24}


def test_beliefs_are_told_with_the_truth_marked_and_the_rest_counted(
    screen: SafeConsole, route: Publication
) -> None:
    found = attack(route, Knowledge(NETWORK.without(("c", "d"))))
    print_inference(found, truth=[("d", "c")])
    said = shown(screen)
    assert said.count("(true)") == 1
    assert "c - d (true)" in said
    assert "without any release" in said
    screen.print(inference_table(found, truth=[], most=1))
    assert f"and {len(found.candidates) - 1} more" in shown(screen)


def test_a_narrow_screen_drops_the_bars_and_no_number(
    screen: SafeConsole, route: Publication
) -> None:
    found = attack(route, Knowledge(NETWORK.without(("c", "d"))))
    assert len(inference_table(found, truth=[]).columns) == 4
    screen.width = screens.WIDE_ENOUGH - 1
    assert len(inference_table(found, truth=[]).columns) == 3


class Response:
    """Tell the truth three times of four."""

    def law(self, secret: bool) -> dict[bool, float]:  # noqa: FBT001
        return {secret: 0.75, not secret: 0.25}


def measured(claimed: float) -> Audit:
    return audit(Response(), (True, False), claimed=claimed)


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [(2.0, "not refuted"), (1.0, "refuted"), (inf, "nothing claimed")],
)
def test_an_audit_says_measured_claimed_and_who_is_right(
    screen: SafeConsole, claimed: float, verdict: str
) -> None:
    screen.print(audit_table(measured(claimed), whose="its certificate"))
    said = shown(screen)
    assert said.count("at least 1.0986") == 2  # ln 3, both ways
    assert said.count(verdict) == 2
    assert ("not refuted" in said) == (verdict == "not refuted")
    assert ("infinite" in said) == (claimed == inf)
    assert "never prove it" in said


def test_the_frontier_shows_where_a_policy_stands() -> None:
    picture = frontier_picture(Policy.balanced(), width=30, height=9)
    assert picture.count("●") == 2  # on the line, and in the words under it
    assert "walk edge 0.6932, other edge 0.6932" in picture
    drawn = picture.splitlines()[1:10]
    assert [line.index("●") for line in drawn if "●" in line] == [4 + 6]  # 0.69 of 3, 30 wide
    noisy = frontier_picture(Policy.two_sided(epsilon="1"))
    assert "●" not in noisy
    assert "not on this line" in noisy


def test_what_protects_nothing_is_said_aloud(screen: SafeConsole, route: Publication) -> None:
    warn_unearned(route)
    assert shown(screen) == ""
    warn_unsafe(route)
    assert shown(screen).startswith("unsafe: the coins came from a seed")


def test_a_sampled_attack_does_not_call_the_certificate_exceeded() -> None:
    """It had not worked the odds out, and compared nought with what is allowed."""
    network = Network.parse("ab bc cd de ef bd ce af")
    release = publish(network, Walk("abcdef"), source=Seeded(1))
    known = Knowledge(network.without(("c", "d")))
    found = attack(release, known, limit=1, samples=500, source=Seeded(1))
    assert found.method == "sampled"
    assert (found.certified, found.within_certificate) == (None, None)
    assert inference_data(found)["odds"] is None
    said = " ".join(_verdict(found))
    assert "not worked out, as worlds were sampled" in said
    assert "EXCEEDED" not in said
