"""Codes instead of names, for people whose names are the secret.

``pathveil network clean --codes codes.csv`` draws a code for each vertex, writes the network in
codes, and writes the custodian's table of both. With that table walks and rows that are written in
names are read as codes, and what is read back in codes is shown in names. The codes of a table
begin alike and those of two tables do not, so that nobody reads a file with the wrong table. When
the network changes, ``--keep`` gives new vertices codes beside the old ones.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from itertools import count, islice
from pathlib import Path
from random import SystemRandom

from pathveil.errors import BadFile, FileTaken, NameClash, UnknownVertex
from pathveil.files.atomic_write import read_text, shorten, write_aside
from pathveil.files.text_tables import text_rows
from pathveil.model.network import Network
from pathveil.wording import did_you_mean

_HEADER = ("name", "code")
_LETTERS = "bcdfghjkmnpqrstvwxz"
"""Of which no words are made."""
_CODE = re.compile(r"[a-z]{4}[0-9]+")


@dataclass(frozen=True)
class Codes:
    """The custodian's table.

    Parameters
    ----------
    where
        What messages call the table.
    code_of
        The code of each name.

    Examples
    --------
    >>> codes = Codes("codes.csv", {"Lyon": "kqxw2", "Metz": "kqxw1"})
    >>> codes.encode(["Lyon", "Metz"]), codes.decode(["kqxw1", "kqxw3"])
    (['kqxw2', 'kqxw1'], ['Metz', 'kqxw3'])
    """

    where: str
    code_of: Mapping[str, str]

    @cached_property
    def name_of(self) -> dict[str, str]:
        """The name of each code."""
        return {code: name for name, code in self.code_of.items()}

    def encode(
        self, names: Sequence[str], place_of: Callable[[int], str] = "name {}".format
    ) -> list[str]:
        """Return the code of each name; ``place_of`` says where each is, for the message.

        Raises
        ------
        UnknownVertex
            For the first name that the table does not have.
        """
        for place, name in enumerate(names):
            if name not in self.code_of:
                raise UnknownVertex(
                    f"{place_of(place)}: {shorten(name)} is not a name in {self.where}; correct "
                    "the name, leave the table out if the file is in codes already, or code a new "
                    "vertex with network clean --codes NEW.csv --keep OLD.csv"
                    + did_you_mean(name, self.code_of)
                )
        return [self.code_of[name] for name in names]

    def decode(self, codes: Sequence[str]) -> list[str]:
        """Return the name of each code; what is not a code of the table stays as it is."""
        return [self.name_of.get(code, code) for code in codes]


def codes_hint(names: Iterable[str], given: Codes | None = None) -> str:
    """Return what ends a message about names where a table seems to be missing, or not to belong.

    >>> codes_hint(["kqxw1", "kqxw2"]), codes_hint(["kqxw1", "Lyon"])
    ('; the network seems to be in codes: give their table, --codes CODES.csv', '')
    >>> codes_hint(["Lyon", "Metz"], Codes("codes.csv", {"Lyon": "kqxw2", "Metz": "kqxw1"}))
    '; it has no codes of codes.csv: give its own table, or leave --codes out'
    """
    if given is not None:
        known = set(given.code_of.values())
        if any(name in known for name in names):
            return ""
        return f"; it has no codes of {given.where}: give its own table, or leave --codes out"
    if seem_codes(names):
        return "; the network seems to be in codes: give their table, --codes CODES.csv"
    return ""


def seem_codes(names: Iterable[str]) -> bool:
    """Return whether all names look like the codes that are drawn here."""
    return all(_CODE.fullmatch(name) for name in names)


def with_codes(
    network: Network, *, keep: Codes | None = None
) -> tuple[Network, list[tuple[str, str]]]:
    """Return the network with codes for names, drawn by the system, and (name, code) of each.

    Names that the table ``keep`` has keep their codes, and its rows stay. Coordinates are left out:
    they would say who is who.
    """
    code = {} if keep is None else dict(keep.code_of)
    fresh = [name for name in network.vertices if name not in code]
    chance, taken = SystemRandom(), set(code.values())
    tag = next(iter(code.values()), "")[:4] or "".join(chance.choices(_LETTERS, k=4))
    width = len(str(len(code) + len(fresh)))
    numbered = (f"{tag}{number:0{width}}" for number in count(len(code) + 1))
    codes = list(islice((one for one in numbered if one not in taken), len(fresh)))
    chance.shuffle(codes)
    code |= zip(fresh, codes, strict=True)
    coded = Network.from_links((code[u], code[v]) for u, v in network.links)
    return coded, list(code.items())


def save_codes(
    table: Sequence[tuple[str, str]], path: str | Path, *, replacing: bool = False
) -> None:
    """Write the custodian's table of names and codes, its owner's alone (mode 0600).

    Only a partner's rows, which can be cut again, are written with ``replacing``.

    Raises
    ------
    FileTaken
        If the name is taken: nobody reads a file in codes once their table is lost.
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_HEADER, *table])
    try:
        write_aside(path, text.getvalue(), private=True, replacing=replacing)
    except FileTaken:
        raise FileTaken(
            f"{path}: exists, and a table of codes is never replaced, because files in its codes "
            "cannot be read without it; choose another name (--keep keeps its codes)"
        ) from None


def read_codes(path: str | Path) -> Codes:
    """Return the table in a file: a name and its code on each line, under the header name,code.

    A spreadsheet may have saved it with semicolons or tabs.

    Raises
    ------
    BadFile
        Where the file is not such a table.
    NameClash
        Where a name or a code is there twice.
    """
    lines = StringIO(read_text(path), newline="\n")
    rows = text_rows(lines, str(path), expected="names and codes", otherwise=",")
    if next(rows)[1] != list(_HEADER):
        raise BadFile(
            f"{path}: does not begin with the header name,code; give the table that "
            "pathveil network clean --codes wrote"
        )
    code_of: dict[str, str] = {}
    codes: set[str] = set()
    for line, cells in rows:
        if len(cells) != 2 or not all(cells):
            raise BadFile(
                f"{path}, line {line}: expected a name and its code, found {shorten(cells)}"
            )
        name, code = cells
        if name in code_of or code in codes:
            raise NameClash(
                f"{path}, line {line}: {shorten(name if name in code_of else code)} was given "
                "before; each name has one code of its own"
            )
        code_of[name] = code
        codes.add(code)
    return Codes(str(path), code_of)
