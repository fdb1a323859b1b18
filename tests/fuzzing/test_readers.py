"""Every reader reads or refuses in our words, whatever the file; and in bounded memory."""

from __future__ import annotations

import json
import random as pseudo
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzzing.bombs import MOST_MEMORY, NETWORKS, PUBLICATIONS
from tests.fuzzing.mutations import spoil, survives
from tests.fuzzing.samples import Sample, samples


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    return samples(tmp_path_factory.mktemp("samples"))


def test_good_files_are_read(good: list[Sample], tmp_path: Path) -> None:
    """So that spoiled ones are refused for what was spoiled."""
    for content, ending, reader in good:
        path = tmp_path / f"good{ending}"
        path.write_bytes(content)
        # A card alone is no roster: it is refused from the beginning.
        others = ending not in (".veil", ".veil.json", ".card.json")
        if "load_trusting" in repr(reader) or others:
            reader(path)


@pytest.mark.parametrize("round_", range(4))
def test_spoiled_files_are_read_or_refused(round_: int, good: list[Sample], tmp_path: Path) -> None:
    for number in range(60):
        random = pseudo.Random(1000 * round_ + number)
        content, ending, reader = random.choice(good)
        path = tmp_path / f"spoiled{ending}"
        path.write_bytes(spoil(content, random))
        assert survives(path, reader) is None, f"seed {1000 * round_ + number}"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_no_file_of_ten_megabytes_costs_five_hundred(tmp_path: Path) -> None:
    """A 1.1 MB file cost 4.4 GB, and a 12 MB one asked for 37 GiB; each here is refused."""
    words = [sys.executable, "-m", "tests.fuzzing.bombs"]
    subprocess.run([*words, "write", str(tmp_path)], check=True)
    done = subprocess.run(
        [*words, "read", str(tmp_path)], capture_output=True, text=True, check=True
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {name for name, *_ in rows} >= {*PUBLICATIONS, *NETWORKS}
    for name, _, ended, peak, _ in rows:
        assert ended == "refused" or name.endswith(", inspected"), name
        assert peak < MOST_MEMORY, f"{name}: {peak:,} kB"
