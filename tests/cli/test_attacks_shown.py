"""What is told of an attack: beliefs with the truth marked, verdicts only where there is one."""

from __future__ import annotations

from math import inf

import pytest

from pathveil import Knowledge, Network, Policy, Publication, Seeded, Walk, attack, publish
from pathveil.checking.auditing import Audit, audit
from pathveil.cli import attacks_shown as screens
from pathveil.cli.attacks_shown import (
    _bar,
    audit_table,
    frontier_picture,
    guess_words,
    inference_table,
    print_inference,
)
from pathveil.cli.console import SafeConsole
from pathveil.cli.results import inference_data
from tests.cli.test_console import NETWORK, put_screen, shown


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> SafeConsole:
    return put_screen(screens, monkeypatch)


@pytest.fixture(scope="module")
def route() -> Publication:
    return publish(NETWORK, Walk("abcdef"), source=Seeded(1))


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
    assert f"{100 * found.success:.0f} times in 100; 25 without the file" in said
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
    screen.print(audit_table(measured(claimed), whose="its certificate", drawn=70_600))
    said = shown(screen)
    assert said.count("at least 1.0986") == 2  # ln 3, both ways
    assert said.count(verdict) == 2
    assert ("not refuted" in said) == (verdict == "not refuted")
    assert ("infinite" in said) == (claimed == inf)
    assert "never prove it" in said
    assert "70600 releases were drawn" in said


def test_the_frontier_shows_where_a_policy_stands() -> None:
    picture = frontier_picture(Policy.balanced(), width=30, height=9)
    assert picture.count("●") == 2  # on the line, and in the words under it
    assert "walk link 0.6932, other link 0.6932" in picture
    drawn = picture.splitlines()[1:10]
    assert [line.index("●") for line in drawn if "●" in line] == [4 + 6]  # 0.69 of 3, 30 wide
    noisy = frontier_picture(Policy.two_sided(epsilon="1"))
    assert "●" not in noisy
    assert "not on this line" in noisy


def test_a_sampled_attack_does_not_call_the_certificate_exceeded(screen: SafeConsole) -> None:
    """It had not worked the odds out, and compared nought with what is allowed."""
    network = Network.parse("ab bc cd de ef bd ce af")
    release = publish(network, Walk("abcdef"), source=Seeded(1))
    known = Knowledge(network.without(("c", "d")))
    found = attack(release, known, limit=1, samples=500, source=Seeded(1))
    assert found.method == "sampled"
    assert (found.certified, found.within_certificate) == (None, None)
    assert inference_data(found)["odds"] is None
    print_inference(found, truth=[("c", "d")])
    said = shown(screen)
    assert "not worked out" in said
    assert "EXCEEDED" not in said
    assert said.endswith(guess_words(found, 1))
