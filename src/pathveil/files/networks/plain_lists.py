"""Large plain edge lists, read in chunks with array operations.

Most large edge lists are plain: the same separator in every line, the same number of columns, no
quotes, no blank lines, comments only at the top. Then a chunk of lines is one split and one look-up
for each cell, several times faster than going line by line. Whatever is not plain in any of its
chunks is left to :mod:`pathveil.files.networks.edge_lists`, which knows all forms and names the bad
line;
both give the same draft.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from pathveil.files.networks.headers import EndColumns
from pathveil.files.networks.name_index import NameIndex
from pathveil.files.networks.raw_network import Draft
from pathveil.model.sketch import words_of

IndexArray = npt.NDArray[np.int64]

CHUNK = 1 << 22
"""Bytes of a chunk; what is held besides the result is a few times as much."""

_NEWLINE = ord("\n")
# Signs that are stripped, quoted or refused elsewhere; a file with one of them is not plain.
_ODD = bytes([*(sign for sign in range(32) if sign not in b"\n\t"), ord('"'), 127])


class Numbering(dict[str, int]):
    """Names numbered in the order they are met: looking a new one up adds it.

    >>> met = Numbering()
    >>> met["b"], met["a"], met["b"]
    (0, 1, 0)
    """

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


@dataclass
class _PlainLines:
    """How the lines of a file are parted."""

    separator: str
    count: int
    left: int
    right: int
    index: NameIndex | None = field(default_factory=NameIndex)
    numbers: Numbering = field(default_factory=Numbering)

    def numbered(self, chunk: bytes) -> IndexArray | None:
        """Return the two ends of each line of a chunk as numbers, or None if it is not plain."""
        stops = _stops(chunk, self.separator, self.count)
        if stops is None:
            return None
        try:
            text = chunk.decode()
        except UnicodeDecodeError:
            return None
        if not chunk.isascii() and not all(cell == cell.strip() for cell in self._cells(text)):
            return None  # some other white space, which is stripped elsewhere
        if self.index is not None:
            begins = np.concatenate([[0], stops[:-1] + 1])
            sides = [np.arange(side, len(stops), self.count) for side in (self.left, self.right)]
            ends = np.stack(sides, axis=1).ravel()
            begins, lengths = begins[ends], (stops - begins)[ends]
            numbers = self.index.numbers(words_of(chunk), begins, lengths)
            if numbers is not None:
                return numbers.reshape(-1, 2)
            # Long names, or two with one key: from here on with a dictionary.
            self.numbers.update(zip(self.index.names(), count(), strict=False))
            self.index = None
        return self._looked_up(text)

    def _looked_up(self, text: str) -> IndexArray:
        cells = self._cells(text)
        if self.count > 2:
            sides = (cells[self.left :: self.count], cells[self.right :: self.count])
            cells = list(chain.from_iterable(zip(*sides, strict=True)))
        elif (self.left, self.right) == (1, 0):
            cells[0::2], cells[1::2] = cells[1::2], cells[0::2]
        ends = np.fromiter(map(self.numbers.__getitem__, cells), np.int64, count=len(cells))
        return ends.reshape(-1, 2)

    def names(self) -> list[str]:
        """Return all names met, by their numbers."""
        return list(self.numbers) if self.index is None else self.index.names()

    def _cells(self, text: str) -> list[str]:
        return text.removesuffix("\n").replace("\n", self.separator).split(self.separator)


def plain_draft(
    handle: BinaryIO,
    where: str,
    *,
    separator_of: Callable[[list[str]], str | None],
    columns_of: Callable[[list[str]], EndColumns],
    sample: int,
) -> Draft | None:
    """Return the draft of a plain edge list, or None if it is not plain.

    Parameters
    ----------
    separator_of, columns_of, sample
        How :mod:`pathveil.files.networks.edge_lists` finds the separator in the first lines, and
        the two
        columns in the first one: files are read by the same rules either way.

    *Cost*: about 0.6 s for a million edges; 40 bytes for each, and the names.
    """
    skipped, first, lines = _opening(handle, sample)
    if not lines:
        return None
    separator = separator_of(lines)
    sign = " " if separator is None else separator
    cells = lines[0].rstrip("\r\n").split(sign)
    if len(cells) < 2 or any(cell != cell.strip() for cell in cells):
        return None
    found = columns_of(cells)
    columns = _PlainLines(sign, len(cells), found.left, found.right)
    handle.seek(first)
    if found.header:
        handle.readline()
    parts = []
    for chunk in _chunks(handle):
        ends = columns.numbered(chunk)
        if ends is None:
            return None
        parts.append(ends)
    start = skipped + 1 + bool(found.header)
    return _finished(where, columns, parts, start, found)


def _finished(
    where: str, columns: _PlainLines, parts: list[IndexArray], start: int, found: EndColumns
) -> Draft | None:
    if not parts:
        return None
    ends = np.concatenate(parts)
    places = np.arange(start, start + len(ends))
    names = columns.names()
    if any(word in names for word in found.doubtful):
        numbers = Numbering(zip(names, count(), strict=False))
        last = [[numbers[word] for word in found.header]]
        names = list(numbers)
        ends = np.concatenate([ends, np.array(last, dtype=np.int64)])
        places = np.append(places, start - 1)
    return Draft(where, names=names, ends=ends, places=places)


def _opening(handle: BinaryIO, sample: int) -> tuple[int, int, list[str]]:
    """Return how many comment lines come first, where the next line starts, and some lines."""
    skipped, first = 0, 0
    lines: list[bytes] = []
    if handle.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:
        return 0, 0, []
    for raw in _first_lines(handle):
        if not lines and raw.startswith(b"#"):
            skipped += 1
            first += len(raw)
            continue
        lines.append(raw)
        if len(lines) > sample:
            break
    try:
        return skipped, first, [raw.decode() for raw in lines]
    except UnicodeDecodeError:
        return 0, 0, []


def _first_lines(handle: BinaryIO) -> Iterator[bytes]:
    handle.seek(0)
    while raw := handle.readline(CHUNK):
        yield raw


def _chunks(handle: BinaryIO) -> Iterator[bytes]:
    """Yield whole lines, many at a time, each ended by a bare newline."""
    rest = b""
    while data := handle.read(CHUNK):
        data = rest + data
        cut = data.rfind(b"\n") + 1
        rest = data[cut:]
        if cut:
            yield data[:cut].replace(b"\r\n", b"\n")
    if rest:
        yield rest + b"\n"


def _stops(chunk: bytes, separator: str, count: int) -> IndexArray | None:
    """Return where the cells of all lines end, if the chunk is plain.

    It is where every line has so many cells, none empty, none with space around it.
    """
    sign = separator.encode()
    if chunk.startswith(b"#") or b"\n#" in chunk or chunk.translate(None, _ODD) != chunk:
        return None
    if separator != "\t" and b"\t" in chunk:
        return None
    for space in () if separator == " " else (b" "):
        edge = bytes([space])
        sides = (edge + sign, sign + edge, edge + b"\n", b"\n" + edge)
        if chunk.startswith(edge) or any(side in chunk for side in sides):
            return None
    letters = np.frombuffer(chunk, dtype=np.uint8)
    at = np.flatnonzero((letters == ord(sign)) | (letters == _NEWLINE))
    if len(at) % count or at[0] == 0 or bool((np.diff(at) == 1).any()):
        return None
    ends = (letters[at] == _NEWLINE).reshape(-1, count)
    return at if bool(ends[:, -1].all()) and not bool(ends[:, :-1].any()) else None
