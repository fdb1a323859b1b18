"""``python -m tests.fuzzing --minutes 10``: spoil files and read them, until the time is over.

What breaks a reader is kept beside, as ``fuzz-found-*``, with the seed that made it.
"""

from __future__ import annotations

import argparse
import random as pseudo
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzzing.mutations import seeds, spoil, survives

MEMORY = 2 << 30
"""Bytes of address space: a reader that asks for more fails with MemoryError, and is found."""


def main() -> int:
    """Return 1 if a reader did what it must not."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    until, tried, found = time.monotonic() + 60 * given.minutes, 0, 0
    with TemporaryDirectory() as folder:
        good = seeds(Path(folder))
        while time.monotonic() < until:
            seed = given.seed + tried
            random = pseudo.Random(seed)
            content, ending, reader = random.choice(good)
            path = Path(folder) / f"spoiled{ending}"
            path.write_bytes(spoil(content, random))
            wrong = survives(path, reader)
            tried += 1
            if wrong is not None:
                found += 1
                Path(f"fuzz-found-{seed}{ending}").write_bytes(path.read_bytes())
                print(f"seed {seed}: {reader.__name__} of {ending}: {wrong}")  # noqa: T201
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{tried} files, {found} found, {peak} MB at most")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
