"""Every reader reads or refuses in our words, whatever the file; and in bounded memory."""

from __future__ import annotations

import json
import random as pseudo
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pathveil.files.publications.veil_schema import GroupingFile, PublicationFile
from tests.fuzzing.bombs import MOST_MEMORY, NETWORKS, PUBLICATIONS, SAMPLE, by_hand
from tests.fuzzing.mutations import spoil, survives
from tests.fuzzing.samples import Sample, samples

SHOWN = {bomb.name for bomb in by_hand() if bomb.name.endswith(", inspected")} | SAMPLE
"""Commands that say in words what is wrong: to the process they are files that were read."""


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


@pytest.mark.regression("spoiled files of every kind")
@pytest.mark.parametrize("round_", range(4))
def test_spoiled_files_are_read_or_refused(round_: int, good: list[Sample], tmp_path: Path) -> None:
    for number in range(60):
        random = pseudo.Random(1000 * round_ + number)
        content, ending, reader = random.choice(good)
        path = tmp_path / f"spoiled{ending}"
        path.write_bytes(spoil(content, random))
        assert survives(path, reader) is None, f"seed {1000 * round_ + number}"


@pytest.mark.regression("1.1 MB cost 4.4 GB, 12 MB asked for 37 GiB, a universe over many vertices")
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_no_file_of_ten_megabytes_costs_five_hundred() -> None:
    """A 1.1 MB file cost 4.4 GB, and a 12 MB one asked for 37 GiB; each here is refused."""
    words = [sys.executable, "-m", "tests.fuzzing.bombs", "sample"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {name for name, *_ in rows} >= {*PUBLICATIONS, *NETWORKS, *SAMPLE}
    for name, _, ended, held, _ in rows:
        assert ended == "refused" or (ended == "read" and name in SHOWN), f"{name}: {ended}"
        assert held < MOST_MEMORY, f"{name}: {held:,} kB"


@pytest.mark.regression("a list of wrong things cost its faults a thousand megabytes")
def test_every_list_of_a_format_is_given_up_at_its_first_fault() -> None:
    """Who collects every fault of two megabytes of zeros holds a thousand megabytes."""
    for model in (PublicationFile, GroupingFile):
        lists = [part for part in parts_of(model.__pydantic_core_schema__) if is_list(part)]
        assert lists
        assert all(part.get("fail_fast") for part in lists), model.__name__


def parts_of(schema: object) -> Iterator[dict[str, object]]:
    """Yield every part of a schema of pydantic's core."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts_of(value)
    elif isinstance(schema, list | tuple):
        for value in schema:
            yield from parts_of(value)


def is_list(part: dict[str, object]) -> bool:
    return part.get("type") == "list"
