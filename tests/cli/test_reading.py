"""A large network is read behind a bar whose total is true; a small one, or into a pipe, is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pathveil.cli import network_options as reading
from pathveil.cli.network_options import open_network


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    file = tmp_path / "ring [b].csv"  # markup in a name is no markup
    file.write_text("".join(f"v{i},v{(i + 1) % 3000}\n" for i in range(3000)))
    return file


def test_the_bar_counts_the_bytes_of_the_file(
    ring: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reading, "LARGE", 1)
    monkeypatch.setattr("pathveil.cli.console.SafeConsole.is_terminal", True)
    monkeypatch.setattr("pathveil.cli.console.console.quiet", False)
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(
        "rich.progress.Progress.update",
        lambda _self, _task, *, completed, total: seen.append((completed, total)),
    )
    assert len(open_network(ring).pairs) == 3000
    size = ring.stat().st_size
    assert {total for _, total in seen} == {size}
    assert seen[-1] == (size, size)
    shown = capsys.readouterr()
    assert not shown.out
    assert "reading ring [b].csv" in shown.err


def test_no_bar_for_a_small_file_or_in_a_pipe(
    ring: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(open_network(ring)) == 3000
    monkeypatch.setattr(reading, "LARGE", 1)
    assert len(open_network(ring)) == 3000  # standard error is no terminal here
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")
