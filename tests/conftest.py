"""Tests are deterministic and untimed: the same examples on every machine, however slow."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from pathveil.chance.source import Seeded, System

if TYPE_CHECKING:
    from pathveil.ledger.ledger import Ledger

# Processes share the cores here: threads of the linear algebra would burn them waiting for a turn.
# For what starts from now on, processes of the tests included.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile(
    "steady",
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--coins", default="0", help="throw other coins in every test: any text")
    parser.addoption("--write-docs", action="store_true", help="write outputs into the pages")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no process is left alone with it at the end.

    Browsers, servers and parties are in the folders named here: one process of the tests waits for
    them while the others compute.
    """
    long = ("tests/docs/test_pages.py", "tests/studio/", "tests/exchange/", "tests/fuzzing/")
    items.sort(
        key=lambda item: not (item.get_closest_marker("slow") or item.nodeid.startswith(long))
    )


_ask_the_system = System._rekey


@contextmanager
def coins_of(name: str, salt: str) -> Iterator[None]:
    """Key every ``System`` made meanwhile by a name and by how many were made before it.

    With fresh coins a test that is wrong about one throw in a hundred would be red once in a
    hundred runs. What processes of their own draw stays the operating system's: two workers must
    not agree.
    """
    numbers, here, before = count(), os.getpid(), System._rekey

    def rekey(self: System) -> None:
        _ask_the_system(self)
        if os.getpid() == here:
            self._cipher = Seeded(f"a test's coins {salt} {name} {next(numbers)}")._cipher

    System._rekey = rekey  # type: ignore[method-assign]
    try:
        yield
    finally:
        System._rekey = before  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if item.get_closest_marker("system_coins"):
        return (yield)
    with coins_of(item.nodeid, item.config.getoption("--coins")):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    if fixturedef.scope == "function":
        return (yield)
    # Shared by many tests, and made for whichever happens to come first.
    name = f"{fixturedef.baseid} {fixturedef.argname}"
    with coins_of(name, request.config.getoption("--coins")):
        return (yield)


MEMORY = Path("/dev/shm")  # noqa: S108 - a disk that forces nothing, where there is one


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Give a folder whose disk is quick: tests are about order, not about power cuts."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with TemporaryDirectory(dir=MEMORY) as found:
        yield Path(found)


@pytest.fixture
def ledger(folder: Path) -> Iterator[Ledger]:
    """Give a new ledger in that folder, without a budget."""
    from pathveil.ledger.ledger import Ledger

    with Ledger.begin(folder / "ledger.db") as found:
        yield found
