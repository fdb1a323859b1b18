"""A stage for parties: real processes of the real command line, started quickly, any of them bad.

The stage is one process that has imported everything; for each scene it forks a process for every
part, which runs ``pathveil`` with its own folder, standard output and standard error. A part may be
given a *vice*: what a party with a program of its own could do. For a part in a *hurry* all time
limits are over as soon as a bad party has died or fallen asleep, however fast the machine is.
Scenes come as JSON lines on standard input; what became of each part goes back the same way.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ending:
    """How a part ended: exit code (minus the signal if killed; None if it had to be removed)."""

    code: int | None
    out: str
    err: str

    @property
    def result(self) -> Any:
        return json.loads(self.out)


class Stage:
    """The stage, seen from a test."""

    def __init__(self) -> None:
        # Absolute, for the parts change their folder.
        entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        path = os.pathsep.join([str(ROOT), *map(os.path.abspath, filter(None, entries))])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.exchange.stage"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path, "COLUMNS": "100", "OPENBLAS_NUM_THREADS": "1"},
        )

    def play(self, parts: list[dict[str, Any]], *, patience: float = 300.0) -> list[Ending]:
        """Run all parts at once; each is a folder, arguments, and perhaps a vice."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"parts": parts, "patience": patience}) + "\n")
        self.process.stdin.flush()
        return [Ending(**ending) for ending in json.loads(self.process.stdout.readline())]

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=600)
        self.process.stdout.close()


# -- on the stage ---------------------------------------------------------------------------------


def _play(parts: list[dict[str, Any]], patience: float) -> list[dict[str, Any]]:
    told = [Path(part["folder"]) / HURRY for part in parts if "hurry" in part]
    for file in told:
        file.unlink(missing_ok=True)
    started = [_start(number, part) for number, part in enumerate(parts)]
    last = time.monotonic() + patience
    codes: dict[int, int | None] = {}
    while len(codes) < len(started) and time.monotonic() < last:
        honest = [pid for pid, part in zip(started, parts, strict=True) if "vice" not in part]
        if all(pid in codes for pid in honest):
            last = min(last, time.monotonic() + 0.2)  # the bad ones need not end by themselves
        for pid in started:
            if pid not in codes:
                done, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
                if done and pid not in honest:
                    for file in told:
                        file.touch()
                if done and not os.WIFSTOPPED(status):
                    codes[pid] = os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    for pid in started:
        if pid not in codes:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            codes[pid] = None
    endings = []
    for number, (pid, part) in enumerate(zip(started, parts, strict=True)):
        out, err = (Path(part["folder"]) / f".{number}.{what}" for what in ("out", "err"))
        endings.append({"code": codes[pid], "out": out.read_text(), "err": err.read_text()})
    return endings


def _start(number: int, part: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        os.chdir(part["folder"])
        for descriptor, what in ((1, "out"), (2, "err")):
            file = os.open(f".{number}.{what}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, descriptor)
        if "hurry" in part:
            _hurry()
        if "vice" in part:
            VICES[part["vice"]["kind"]](part["vice"])
        from pathveil.cli.main import run

        code = run(part["arguments"])
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - the test shall see it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


HURRY = ".hurry"


def _hurry() -> None:
    """Let the clock of this party's exchange leap once it is told to."""
    true_time, leapt = asyncio.BaseEventLoop.time, [0.0]
    loops: list[asyncio.BaseEventLoop] = []

    def later(loop: asyncio.BaseEventLoop) -> float:
        loops[:] = [loop]
        return true_time(loop) + leapt[0]

    def watch() -> None:
        while True:
            if Path(HURRY).exists():
                leapt[0] += 1e6
                with contextlib.suppress(RuntimeError, IndexError):  # there is no loop by now
                    loops[0].call_soon_threadsafe(lambda: None)  # wakes it
            time.sleep(0.05)

    asyncio.BaseEventLoop.time = later  # type: ignore[method-assign, assignment]
    threading.Thread(target=watch, daemon=True).start()


def _at_round(vice: dict[str, Any], act: Any) -> None:
    """Let a party act when it is about to send its first message of a round, or after it."""
    from pathveil.exchange.meeting import Wire

    send = Wire._send
    acted: list[bool] = []

    def misbehaving(self: Wire, party: int, kind: int, data: bytes) -> None:
        due = self.rounds_done == vice["round"] and not acted
        if due:
            acted.append(True)
        if due and not vice.get("halfway"):
            act(self)
        send(self, party, kind, data)
        if due and vice.get("halfway"):
            act(self)

    Wire._send = misbehaving  # type: ignore[method-assign]


def _die(vice: dict[str, Any]) -> None:
    if vice["round"] == 0:  # while meeting: as soon as the first other party is there
        from pathveil.exchange.meeting import Wire

        Wire.join = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
    _at_round(vice, lambda _wire: os.kill(os.getpid(), signal.SIGKILL))


def _interrupt(vice: dict[str, Any]) -> None:
    # A program started in the background inherits that interrupts are ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _at_round(vice, lambda _wire: os.kill(os.getpid(), signal.SIGINT))


def _fall_asleep(vice: dict[str, Any]) -> None:
    _at_round(vice, lambda _wire: os.kill(os.getpid(), signal.SIGSTOP))


def _lie(vice: dict[str, Any]) -> None:
    """Turn one status round."""
    from pathveil.exchange import protocol

    honest = protocol.own_statuses

    def lying(*arguments: Any, **options: Any) -> Any:
        mine = honest(*arguments, **options)
        mine.rows[vice["row"], vice["column"]] ^= True
        return mine

    protocol.own_statuses = lying


VICES = {"die": _die, "interrupt": _interrupt, "fall asleep": _fall_asleep, "lie": _lie}


def _lines() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def _warm_up() -> None:
    """Import everything once, for all that are forked."""
    import tempfile

    import pathveil.cli.main
    import pathveil.exchange.rehearse  # noqa: F401
    from pathveil import Network, Publication, Walk, publish, reconstruct
    from pathveil.exchange.field import numbers, split

    split(numbers([1]), 3)
    network = Network.parse("ab bc")
    with tempfile.TemporaryDirectory() as folder:
        publish(network, Walk("abc")).save(f"{folder}/x.veil.json")
        reconstruct(Publication.load(f"{folder}/x.veil.json"), network)


if __name__ == "__main__":
    _warm_up()
    with contextlib.suppress(KeyboardInterrupt):
        for scene in _lines():
            print(json.dumps(_play(scene["parts"], scene["patience"])), flush=True)  # noqa: T201
