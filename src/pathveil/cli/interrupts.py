"""Ctrl-C: a command ends with 130 at once, and leaves nothing half made.

The command runs in a thread of its own while the main thread waits for it. Python gives signals to
the main thread alone, so no interrupt breaks into compiled code, which does not survive it; and the
main thread is free to answer within a moment, for compiled kernels run without the interpreter's
lock. Then what was being written is removed and the process ends as if it had been killed, which
every file, journal and ledger of ours has to survive anyway.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

INTERRUPTED = 130
CUT_SHORT = "interrupted; run again to go on, where it was if it keeps a journal"

_outputs: list[Path] = []
_replaced: list[Path] = []
_telling = threading.Lock()  # held for good by a process that is about to end
_announced = threading.Event()


def note_output(output: Path) -> None:
    """Note where a result goes.

    If the name is free now, an interrupt removes what is written there, or left empty. If not, it
    says whether what had the name was replaced.
    """
    (_replaced if output.exists() else _outputs).append(output)


def outputs_there() -> list[Path]:
    """Return which of these names something has by now."""
    return [output for output in _outputs if output.exists()]


def results_are_shown() -> None:
    """Make interrupts change nothing from now on if an output is there: what is announced stays."""
    with _telling:
        if outputs_there():
            _announced.set()


def run_until_interrupted(command: Callable[[], int]) -> int:
    """Return the exit code of a command; an interrupt ends this process instead."""
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(command()), name="command", daemon=True)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as with nohup
        signal.signal(signal.SIGINT, _leave)
    thread.start()
    while thread.is_alive():
        thread.join(0.5)  # not for ever: some versions of Python hear no signal while they join
    # The work is done: an interrupt now changes nothing, not even the exit code.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return codes[0] if codes else 1  # it broke down, and has said how


def _leave(_number: int, _frame: FrameType | None) -> None:
    from pathveil.files.atomic_write import drop_unfinished, is_own

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _telling.acquire()
    if _announced.is_set():
        _telling.release()
        return
    try:
        drop_unfinished(_outputs)
        for output in _outputs:
            if output.is_dir() and not any(output.iterdir()):
                output.rmdir()
        if "multiprocessing.util" in sys.modules:
            _end_workers()
        # A bar may have hidden the cursor.
        shown = "\x1b[?25h" if sys.stderr.isatty() else ""
        new = "".join(f"; {one} is whole, and new" for one in _replaced if is_own(one))
        os.write(2, f"{shown}pathveil: {CUT_SHORT}{new}\n".encode())
    finally:
        os._exit(INTERRUPTED)


def _end_workers() -> None:
    from multiprocessing import active_children, util

    for worker in active_children():
        worker.kill()
    # Semaphores have names in the system; Python's own tracker complains of those left.
    util._run_finalizers(0)  # type: ignore[attr-defined] # noqa: SLF001
