"""``python -m tests.fuzzing --minutes 10``: spoil files and read them, until the time is over.

What breaks a reader is kept beside, as ``fuzz-found-*``, with the seed that made it. Every file is
small, so no reader may need much: one that asks for 500 MB beyond what is loaded at the beginning
fails with MemoryError, and is found; so is one that takes longer than a minute.
"""

from __future__ import annotations

import argparse
import random as pseudo
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzzing.bombs import peak
from tests.fuzzing.mutations import spoil, survives
from tests.fuzzing.samples import samples

MEMORY = 500 << 20
SLOW = 60.0


def hold_memory() -> None:
    """Let this process ask for so much more and not a byte besides."""
    lines = Path("/proc/self/status").read_text().splitlines()
    now = 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmSize")))
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


def main() -> int:
    """Return 1 if a reader did what it must not."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    tried = found = 0
    with TemporaryDirectory() as folder:
        good = samples(Path(folder))
        for content, ending, reader in good:
            # Everything is loaded and compiled before memory is counted, and every file is good.
            path = Path(folder) / f"good{ending}"
            path.write_bytes(content)
            wrong = survives(path, reader)
            assert wrong is None, f"{ending}: {wrong}"
        hold_memory()
        until = time.monotonic() + 60 * given.minutes
        while time.monotonic() < until:
            seed = given.seed + tried
            random = pseudo.Random(seed)
            content, ending, reader = random.choice(good)
            path = Path(folder) / f"spoiled{ending}"
            path.write_bytes(spoil(content, random))
            start = time.monotonic()
            wrong = survives(path, reader)
            if wrong is None and time.monotonic() - start > SLOW:
                wrong = f"took {time.monotonic() - start:.0f} seconds"
            tried += 1
            if wrong is not None:
                found += 1
                Path(f"fuzz-found-{seed}{ending}").write_bytes(path.read_bytes())
                print(f"seed {seed}: {reader.__name__} of {ending}: {wrong}")  # noqa: T201
    print(f"{tried} files, {found} found, {peak() // 1024} MB at most")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
