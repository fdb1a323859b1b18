from __future__ import annotations

from pathlib import Path

import pytest

from pathveil import Policy, Publication
from pathveil.chance.certify import certify
from pathveil.cli.main import run
from pathveil.layering.exact import layer_exactly
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions


def saved(folder: Path, size: int, pairs: list[tuple[int, int]]) -> str:
    """A drawing of these bits; only what is drawn matters here."""
    positions = Positions.uniform(tuple("abcdefg"[:size]), 1)
    bits = PairBits.from_pairs(size, pairs)
    layered = layer_exactly(bits, positions, upright=True)
    policy = Policy.balanced()
    promise = certify(policy, told=False)
    path = folder / "x.veil.json"
    Publication.of_drawing(layered, policy.terms(), certificate=promise).save(path)
    return str(path)


def test_a_pentagon_must_be_cut_and_a_path_need_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ring = saved(tmp_path, 5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    assert run(["inspect", ring, "--why"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "is cut in pieces. Suppose" in said
    assert "at least one must be cut" in said
    path = saved(tmp_path, 4, [(0, 1), (1, 2), (2, 3)])
    assert run(["inspect", path, "--why"]) == 0
    assert "No vertex is cut" in capsys.readouterr().out
