"""`pathveil studio`: one command, one address, ended by Ctrl-C; nothing is written."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from pathveil.cli.main import run
from pathveil.studio import server


def test_one_command_serves_the_named_network_and_ends_on_interrupt(tmp_path: Path) -> None:
    table = tmp_path / "net.csv"
    table.write_text("source,target\nParis,Rome\nRome,Oslo\n", encoding="utf-8")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "  # nohup
        "from pathveil.__main__ import main; main()"
    )
    command = [sys.executable, "-c", code, "studio", str(table), "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with httpx.Client(follow_redirects=True, timeout=600) as client:
            assert "<title>pathveil studio" in client.get(address).text
            base = address.split("?")[0]
            opened = client.get(f"{base}api/opened").json()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=600)
    assert opened["links"] == [["Oslo", "Rome"], ["Paris", "Rome"]]
    assert process.returncode == 130
    assert "Traceback" not in said
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_a_port_in_use_and_bad_networks_are_said_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with server.listen(0) as listener:
        port = listener.getsockname()[1]
        assert run(["studio", "--no-browser", "--port", str(port)]) == 2
    assert str(port) in capsys.readouterr().err
    assert run(["studio", "--no-browser", str(tmp_path / "none.csv")]) == 2
    large = tmp_path / "large.csv"
    large.write_text("".join(f"hub,v{k}\n" for k in range(501)), encoding="utf-8")
    assert run(["studio", "--no-browser", str(large)]) == 2


def test_without_the_extra_the_command_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    for name in [name for name in sys.modules if name.startswith("pathveil.studio")]:
        monkeypatch.delitem(sys.modules, name)
    assert run(["studio", "--no-browser"]) == 2
    assert "pathveil[studio]" in capsys.readouterr().err
