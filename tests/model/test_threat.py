from __future__ import annotations

import pytest

from pathveil import Knowledge, Network


def test_who_misses_nothing_is_no_adversary() -> None:
    with pytest.raises(ValueError, match="is a participant"):
        Knowledge(Network.parse("ab bc"), missing=0)
