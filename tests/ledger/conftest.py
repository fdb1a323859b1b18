from __future__ import annotations

import pytest

from pathveil import Network


@pytest.fixture(scope="session")
def network() -> Network:
    return Network.parse("ab bc cd de ef bd ce af")
