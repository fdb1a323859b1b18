from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pathveil import Network
from pathveil.ledger.book import Ledger

MEMORY = Path("/dev/shm")  # noqa: S108 - a disk that forces nothing, where there is one


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Give a folder whose disk is quick: these tests are about order, not about power cuts."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with TemporaryDirectory(dir=MEMORY) as found:
        yield Path(found)


@pytest.fixture
def ledger(folder: Path) -> Iterator[Ledger]:
    with Ledger.begin(folder / "ledger.db") as found:
        yield found


@pytest.fixture(scope="session")
def network() -> Network:
    return Network.parse("ab bc cd de ef bd ce af")
