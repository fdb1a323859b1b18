from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.exchange.stage import Stage
from tests.exchange.transcript import blocks_of_page, perform


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the stage forks its parts")
def test_the_page_shows_what_the_couriers_print(tmp_path: Path) -> None:
    """If this fails and the new text is right: ``python -m tests.exchange.transcript``."""
    stage = Stage()
    try:
        played = perform(stage, tmp_path)
    finally:
        stage.close()
    assert played == blocks_of_page()
