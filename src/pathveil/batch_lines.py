"""The walks of a batch, line by line: as they were given, and as walks or why they are none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pathveil.errors import BadFile, PathveilError
from pathveil.formats.files import read_text
from pathveil.formats.walks import parse_walk
from pathveil.model.network import Network
from pathveil.model.walk import Walk

Line = tuple[int, str]
"""Number of a line, from 1, and the walk written on it."""


@dataclass(frozen=True)
class Failure:
    """A walk that could not be published, and why. The message may name vertices."""

    line: int
    message: str


def read_walks(path: str | Path) -> list[Line]:
    """Return the walks of a file as (line, text), not yet looked into."""
    lines = enumerate(read_text(path).splitlines(), start=1)
    found = [(n, text) for n, text in lines if text.strip() and not text.lstrip().startswith("#")]
    if not found:
        raise BadFile(f"{path}: holds no walk; write one walk a line, commas between vertices")
    return found


def lines_of(walks: str | Path | Iterable[Walk | Iterable[str]]) -> Iterator[Line]:
    """Yield the walks of a file, or those given, as numbered lines."""
    if isinstance(walks, str | Path):
        yield from read_walks(walks)
        return
    for line, walk in enumerate(walks, start=1):
        yield line, json.dumps([str(vertex) for vertex in walk])


def walk_on(line: int, text: str, network: Network) -> Walk | Failure:
    """Return the walk on a line, or why there is none."""
    try:
        walk = parse_walk(text, where=f"line {line}", network=network)
        walk.require_in(network)
    except PathveilError as error:
        return line_failure(line, error)
    return walk


def line_failure(line: int, error: PathveilError) -> Failure:
    """Return why the walk on a line could not be published."""
    # The reader counts lines of a walk's own text, of which there is one here.
    message = str(error).replace(f"line {line}, line 1", f"line {line}", 1)
    return Failure(line, message if message.startswith("line ") else f"line {line}: {message}")


def repeated_lines(parsed: Mapping[int, Walk | Failure]) -> tuple[tuple[int, int], ...]:
    """Return each line whose walk stood on an earlier line, with that line.

    >>> repeated_lines({1: Walk("abc"), 2: Walk("cba"), 4: Walk("abc")})
    ((4, 1),)
    """
    first: dict[Walk, int] = {}
    return tuple(
        (line, first[walk])
        for line, walk in parsed.items()
        if isinstance(walk, Walk) and first.setdefault(walk, line) != line
    )
