"""The same on a real PostgreSQL server, started here where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import psycopg
import pytest

from pathveil import Network
from pathveil.errors import LedgerError, LedgerUnreachable, OverBudget
from pathveil.ledger import record
from pathveil.ledger.ledger import Ledger
from pathveil.model.certificate import Loss
from tests.ledger.releasing import NETWORK, OVER_AB, is_sound, release
from tests.ledger.test_killing import killed
from tests.postgres_server import binaries, fresh_database, running_server

pytestmark = pytest.mark.skipif(
    binaries() is None, reason="no PostgreSQL server is installed here (initdb was not found)"
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running_server() as url:
        yield url


@pytest.fixture
def url(server: str) -> Iterator[str]:
    with fresh_database(server) as found:
        yield found


@pytest.fixture
def shared(url: str, folder: Path) -> Iterator[Ledger]:
    with Ledger.begin(url, key=folder / "key", budget=Fraction(6)) as found:
        yield found


def test_releases_are_recorded_given_back_and_checked(
    shared: Ledger, folder: Path, url: str
) -> None:
    first = release(shared, NETWORK, "abc", folder / "1.veil.json")
    with Ledger.open(url, key=folder / "key") as other:
        again = release(other, NETWORK, "abc", folder / "2.veil.json")
        assert again.replayed
        assert again.data == first.data
        release(other, NETWORK, "abd", folder / "3.veil.json")
    grown = Network.parse("ab bc cd de ef bd ce af ad")
    release(shared, grown, "adb", folder / "4.veil.json")
    assert is_sound(shared)
    assert len(shared.standings()[0].rows) == 3
    with pytest.raises(LedgerError, match="holds a ledger already"):
        Ledger.begin(url, key=folder / "second")


def test_at_once_they_neither_fork_nor_overspend(shared: Ledger, folder: Path, url: str) -> None:
    def publish_some(worker: int) -> int:
        made = 0
        with Ledger.open(url, key=folder / "key") as ledger:
            for number in range(4):
                try:
                    name = folder / f"{worker}-{number}.veil.json"
                    release(ledger, NETWORK, OVER_AB[4 * worker + number], name)
                    made += 1
                except OverBudget:
                    pass
        return made

    with ThreadPoolExecutor(4) as pool:
        made = sum(pool.map(publish_some, range(4)))
    assert made == 6  # of sixteen: each costs the walk's links 1, the budget is 6
    stand = shared.standings()[0]
    assert [row.place for row in stand.rows] == [1, 2, 3, 4, 5, 6]
    assert stand.spent == Loss("6", "6.0000")
    assert is_sound(shared)


def test_a_lost_connection_loses_nothing(
    shared: Ledger, folder: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang_up(links: int) -> int:
        with psycopg.connect(url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        return 2048 + links

    with monkeypatch.context() as patched:
        patched.setattr(record, "charges_room", hang_up)  # asked for inside the transaction
        with pytest.raises(LedgerUnreachable, match="connection was lost"):
            release(shared, NETWORK, "abc", folder / "1.veil.json")
    assert not (folder / "1.veil.json").exists()
    assert shared.standings() == ()
    assert release(shared, NETWORK, "abc", folder / "1.veil.json").place == 1


def test_a_server_that_is_away_is_said_so(folder: Path, shared: Ledger) -> None:
    with pytest.raises(LedgerUnreachable, match="cannot be used or reached") as error:
        Ledger.open(f"postgresql://me:secret@/db?host={folder}", key=folder / "key")
    assert "secret" not in str(error.value)


def test_killed_at_random_nothing_is_lost(folder: Path, url: str) -> None:
    verdict = killed(folder / "run", "--url", url)
    assert verdict["wrong"] == []
    assert verdict["files"] > 0
