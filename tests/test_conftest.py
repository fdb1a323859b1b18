"""The coins of tests: fixed for each, other ones for each, and still the system's in a child."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pathveil.chance.source import Seeded, System


def coins(request: pytest.FixtureRequest, name: str, number: int) -> bytes:
    salt = request.config.getoption("--coins")
    return Seeded(f"a test's coins {salt} {name} {number}").take(8)


@pytest.fixture(scope="module")
def shared() -> bytes:
    return System().take(8)


@pytest.mark.parametrize("turn", [0, 1])
def test_each_test_has_coins_of_its_own(
    turn: int, shared: bytes, request: pytest.FixtureRequest
) -> None:
    """Whatever ran before it: the first of the two makes what both share."""
    drawn = [System().take(8) for _ in range(3)]
    assert drawn == [coins(request, request.node.nodeid, number) for number in range(3)]
    assert request.node.nodeid.endswith(f"[{turn}]")
    assert shared == coins(request, "tests/test_conftest.py shared", 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_still_asks_the_operating_system(request: pytest.FixtureRequest) -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:  # pragma: no cover - another process
        os.write(writing, System().take(8))
        os._exit(0)
    os.waitpid(child, 0)
    fixed = coins(request, request.node.nodeid, 0)
    assert os.read(reading, 8) != fixed
    assert System().take(8) == fixed
    os.close(reading)
    os.close(writing)


@pytest.mark.system_coins
def test_a_marked_test_asks_it_too(request: pytest.FixtureRequest) -> None:
    assert System().take(8) != coins(request, request.node.nodeid, 0)


@pytest.mark.regression("statistical tests state their false-alarm rate")
@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent / "statistical").glob("test_*.py")), ids=str
)
def test_statistical_tests_state_their_false_alarm_rate_and_have_a_broken_twin(path: Path) -> None:
    text = path.read_text("utf-8")
    opening = re.sub(r"\s+", " ", text.split('"""')[1]).lower()
    assert re.search(r"false[- ]alarm", opening), f"{path.name}: how often?"
    assert re.search(r"1e-6|once in (a million|\d\.?\d*e[6-9])", opening), path.name
    assert "broken twin" in opening, path.name
    assert re.search(r"def test_\w*(caught|refuted|catch\w*|seen)", text), f"{path.name}: no twin"
