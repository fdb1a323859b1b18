"""Every reader reads or refuses in our words, whatever the file; and in bounded memory."""

from __future__ import annotations

import json
import random as pseudo
import subprocess
import sys
from pathlib import Path

import pytest

from pathveil import Policy, Publication, Seeded, publish
from pathveil.errors import BadFile
from pathveil.formats.veil import publication_text
from tests.fuzzing.mutations import NETWORK, WALK, seeds, spoil, survives


@pytest.mark.parametrize("round_", range(8))
def test_spoiled_files_are_read_or_refused(round_: int, tmp_path: Path) -> None:
    good = seeds(tmp_path)
    for number in range(60):
        random = pseudo.Random(1000 * round_ + number)
        content, ending, reader = random.choice(good)
        path = tmp_path / f"spoiled{ending}"
        path.write_bytes(spoil(content, random))
        assert survives(path, reader) is None, f"seed {1000 * round_ + number}"


def many_pieces(nodes: int) -> str:
    """One vertex in very many pieces: closures over nodes cost nodes squared."""
    sealed = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))
    found = json.loads(publication_text(sealed))
    start = len(found["nodes"])
    found["nodes"] += [["a", 0, piece] for piece in range(1, nodes)]
    found["layers"][0] += range(start, start + nodes - 1)
    found["covers"] += [[] for _ in range(nodes - 1)]
    return json.dumps(found)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("nodes", [60_000])
def test_a_file_of_a_megabyte_does_not_cost_gigabytes(nodes: int, tmp_path: Path) -> None:
    """A 1.1 MB file cost 4.4 GB, and a 12 MB one asked for 37 GiB."""
    path = tmp_path / "pieces.veil.json"
    path.write_text(many_pieces(nodes), encoding="utf-8")
    with pytest.raises(BadFile, match="pieces"):
        Publication.load(path, trust=True)
    code = (
        "from pathlib import Path\n"
        "from pathveil.apps.cli import run\n"
        f"print(run(['inspect', {str(path)!r}]))\n"
        # Not ru_maxrss: that remembers the process this one was forked from.
        "lines = Path('/proc/self/status').read_text().splitlines()\n"
        "print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    exit_code, peak = done.stdout.split()[-2:]
    assert exit_code == "2"
    assert int(peak) < 500 * 1024
