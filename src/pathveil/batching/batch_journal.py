"""The journal of a batch: what was drawn for each walk, in order. For the custodian's eyes only.

Coins are thrown once. What was drawn is on the disk before anything is done with it, so that a
batch that was killed, or that the gate refused, goes on with the same coins: throwing them again
until the gate opens would make what is published depend on the secret. Layers are not recorded:
they are a function of the bits.

What the gate refused is worth as much as what it guards, and a plain digest of a walk is found by
trying walks. So the journal says in the clear only how many lines were drawn: its title is a keyed
digest, its rows are sealed, and the key is a file of its own beside it, its owner's alone, which
goes when the journal goes.

Each row is sealed as the row of its number: rows are those of the first lines of the walks, each
once. One that was removed, doubled or moved would make later releases follow one that is not there.

A row takes as much room as public facts say (how many vertices and copies there are), whatever was
drawn and whether it failed: nothing is compressed that could then tell of bits by its length. Only
where copies or layers are drawn there is no such bound, and a row that needs more than its room,
which is ample, takes twice as much, or four times.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from pathveil.errors import BadFile, LedgerBroken
from pathveil.files.journal import Journal
from pathveil.files.publications.veil_json import parse_publication, publication_text
from pathveil.ledger.keys import Keyring, ample_room, create_key, load_key, power_of_two
from pathveil.model.bits import PackedBits, PairBits, pair_count
from pathveil.model.publication import Publication
from pathveil.model.series import SeriesPlace

_FACTS = 512
"""Bytes of a row's facts at most: numbers, two digests, a salt and a fingerprint."""

_LEAST = 2048
"""Room for why a line failed, however small the network."""


@dataclass(frozen=True)
class DrawnLine:
    """What became of one line: a publication, or why there is none."""

    line: int
    publication: Publication | None
    error: str = ""


class BatchJournal:
    """Draws recorded so far, open for more.

    Parameters
    ----------
    facts
        What this batch goes by: network, policy, grouping, what came before.
    lines
        The text on each line.
    names
        Public names of all vertices.
    template
        A publication of this batch with everything that is the same for all; None where copies or
        layers are drawn, and each is recorded whole.

    Attributes
    ----------
    rows
        What was recorded, by line.
    damage
        What to tell the custodian if rows at the end were lost; else empty.
    """

    def __init__(
        self,
        path: Path,
        facts: str,
        lines: Iterable[tuple[int, str]],
        *,
        names: Sequence[str],
        template: Publication | None,
    ) -> None:
        self.path = path
        self.rows: dict[int, JournalRow] = {}
        self.damage = ""
        self._written = 0
        self._template = template
        self._room = _room(names, template)
        self._ring = _ring_beside(path)
        self._title = f"pathveil batch 4 {self._ring.text(facts)}"
        self._known = {line: self._ring.text(text) for line, text in lines}
        self._journal = Journal(
            path,
            self._title,
            mismatch="is the record of a batch with another network, policy, grouping, "
            "direction or layering, or made by another version; finish that one, or remove the "
            "file to have its coins thrown again",
        )

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            journal = stack.enter_context(self._journal)
            lines = iter(self._known.items())
            for payload in journal.found:
                row = self._opened(payload)
                drawn = row.facts["line"], row.facts["of"]
                expected = next(lines, drawn[:1])
                if drawn != expected:
                    raise BadFile(
                        f"{journal.path}: line {expected[0]} of the walks is not the one drawn "
                        "before; restore it, or remove the file to have all coins thrown again"
                    )
                self.rows[drawn[0]] = row
            if journal.damaged:
                self.damage = (
                    f"{journal.path}: is damaged behind row {len(self.rows)}, by a kill or a fault "
                    "of the disk; what was drawn after it is lost, and those coins are thrown again"
                )
            self._written = len(self.rows)
            stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    @property
    def releases(self) -> int:
        """How many of the rows hold a publication."""
        return sum(row.facts["holds"] != "error" for row in self.rows.values())

    def remove(self) -> None:
        """Take the journal and its key away: everything it kept has been handed out.

        To be called while it is held, so that nobody else begins with a key that goes.
        """
        if os.name == "nt":  # pragma: no cover - it removes no file that is open
            self._journal.__exit__()
        self.path.unlink(missing_ok=True)
        key_beside(self.path).unlink(missing_ok=True)

    def _opened(self, payload: bytes) -> JournalRow:
        try:
            about = self._about(len(self.rows))
            data = self._ring.unseal_padded(base64.b64decode(payload), about=about)
        except (LedgerBroken, ValueError):
            raise BadFile(
                f"{self.path}: row {len(self.rows) + 1} does not open as that row: it was changed, "
                "or rows were removed, doubled or moved; restore the file, or remove it and "
                f"{key_beside(self.path).name} to have all coins thrown again"
            ) from None
        return JournalRow.from_bytes(data)

    def _about(self, before: int) -> str:
        """Return what the row after so many is sealed as."""
        return f"{self._title} row {before + 1}"

    def append(self, drawn: Iterable[DrawnLine]) -> None:
        """Record draws, in the order of the lines; on return they outlive this process."""
        payloads = []
        for number, one in enumerate(drawn, start=self._written):
            data = self._row(one).to_bytes()
            room = ample_room(self._room, len(data))
            sealed = self._ring.seal_padded(data, about=self._about(number), room=room)
            payloads.append(base64.b64encode(sealed))
        self._journal.append(payloads)
        self._written += len(payloads)

    def _row(self, one: DrawnLine) -> JournalRow:
        """Return a draw as a row: its bits; whole where more than bits was drawn."""
        facts: dict[str, Any] = {"line": one.line, "of": self._known[one.line]}
        found = one.publication
        if found is None:
            # Of a message too long for the room the end is lost, not the secret that it is one.
            said = one.error.encode("utf-8", "replace")[: self._room - _FACTS]
            return JournalRow({**facts, "holds": "error"}, said)
        if self._template is None:
            text = publication_text(found).encode()
            return JournalRow({**facts, "holds": "text"}, zlib.compress(text, 6))
        place = found.series
        series = None if place is None else [place.place, place.before, place.release, place.walk]
        facts |= {"holds": "bits", "direction": found.direction}
        facts |= {"series": series, "salt": found.salt}
        return JournalRow(facts, found.packed.pairs.packed.tobytes())

    def recall(self, line: int) -> DrawnLine:
        """Return what was drawn for a line before."""
        facts, body = self.rows[line].facts, self.rows[line].body
        if facts["holds"] == "error":
            return DrawnLine(line, None, body.decode("utf-8", "ignore"))
        if facts["holds"] == "text":
            text = zlib.decompress(body).decode()
            return DrawnLine(line, parse_publication(text, f"{self.path}, line {line}"))
        template = self._template
        assert template is not None, "bits alone are recorded where everything else is public"
        pairs = PairBits(len(template.positions), np.frombuffer(body, dtype=np.uint8).copy())
        bits, over = PackedBits(template.positions, pairs), template.grouped
        series = None if facts["series"] is None else SeriesPlace(*facts["series"])
        return DrawnLine(
            line,
            replace(
                template,
                bits=bits if over is None else replace(over, blocks=bits),
                direction=facts["direction"],
                series=series,
                salt=facts["salt"],
            ),
        )


@dataclass(frozen=True)
class JournalRow:
    """A row as it is sealed: a few facts, and bytes of which they say what they are.

    >>> row = JournalRow({"line": 1, "holds": "bits"}, bytes(3))
    >>> JournalRow.from_bytes(row.to_bytes()) == row
    True
    """

    facts: dict[str, Any]
    body: bytes

    def to_bytes(self) -> bytes:
        """Return both as bytes."""
        head = json.dumps(self.facts).encode()
        return len(head).to_bytes(4, "big") + head + self.body

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the row that was written."""
        end = 4 + int.from_bytes(data[:4], "big")
        return cls(json.loads(data[4:end]), data[end:])


def _room(names: Sequence[str], template: Publication | None) -> int:
    """Return how many bytes every row takes, by public facts alone."""
    if template is not None:
        return _FACTS + max(_LEAST, len(template.packed.pairs.packed))
    # A drawing of two copies each, compressed: about a byte for each pair, beside the certificate.
    wanted = 4 * _LEAST + 2 * pair_count(2 * len(names)) + 2 * sum(map(len, names))
    return power_of_two(wanted)


def key_beside(journal: Path) -> Path:
    """Return where the key of a journal lies."""
    return journal.with_name(f"{journal.name}.key")


def _ring_beside(journal: Path) -> Keyring:
    """Return the key of a journal, or a new one where there is no journal yet."""
    place = key_beside(journal)
    if place.is_symlink() or place.exists() or journal.exists():
        return load_key(
            place,
            whose="the key of a batch's journal",
            remedy=f"restore it, or remove it and {journal} to have all coins thrown again",
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    return create_key(place)
