"""The journal of a batch: what was drawn for each walk, in order. For the custodian's eyes only.

Coins are thrown once. What was drawn is on the disk before anything is done with it, so that a
batch that was killed, or that the gate refused, goes on with the same coins: throwing them again
until the gate opens would make what is published depend on the secret. Layers are not recorded:
they are a function of the bits.

What the gate refused is worth as much as what it guards, and a plain digest of a walk is found by
trying walks. So the journal says in the clear only how many lines were drawn and how long their
sealed rows are (which failed can be told by that): its title is a keyed digest, its rows are
sealed, and the key is a file of its own beside it, its owner's alone, which goes when the journal
goes.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from pathveil.errors import BadFile, LedgerBroken
from pathveil.formats.veil import parse_publication, publication_text
from pathveil.journal import Journal
from pathveil.ledger.keys import Keyring, create_key, load_key
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.grouped_bits import GroupedBits
from pathveil.model.publication import Publication
from pathveil.model.series import SeriesPlace


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
    """

    def __init__(self, path: Path, facts: str, lines: Iterable[tuple[int, str]]) -> None:
        self.path = path
        self.rows: dict[int, dict[str, Any]] = {}
        self._ring = _ring_beside(path)
        self._title = f"pathveil batch {self._ring.text(facts)}"
        self._known = {line: self._ring.text(text) for line, text in lines}
        self._journal = Journal(
            path,
            self._title,
            mismatch="is the record of a batch with another network, policy, grouping, universe or "
            "layering; finish that one, or remove the file to have its coins thrown again",
        )

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            journal = stack.enter_context(self._journal)
            for payload in journal.found:
                row = self._opened(payload)
                if self._known.get(row["line"]) != row["of"]:
                    raise BadFile(
                        f"{journal.path}: line {row['line']} of the walks is not the one drawn "
                        "before; restore it, or remove the file to have all coins thrown again"
                    )
                self.rows[row["line"]] = row
            stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    def remove(self) -> None:
        """Take the journal and its key away: everything it kept has been handed out."""
        self.path.unlink()
        key_beside(self.path).unlink(missing_ok=True)

    def _opened(self, payload: bytes) -> dict[str, Any]:
        try:
            data = self._ring.unseal(base64.b64decode(payload), about=self._title)
        except (LedgerBroken, ValueError):
            raise BadFile(
                f"{self.path}: does not open with the key beside it, {key_beside(self.path).name}; "
                "restore that file, or remove both to have all coins thrown again"
            ) from None
        row: dict[str, Any] = json.loads(data)
        return row

    def append(self, drawn: Iterable[DrawnLine]) -> None:
        """Record draws; on return they outlive this process."""
        payloads = []
        for one in drawn:
            row: dict[str, Any] = {"line": one.line, "of": self._known[one.line]}
            if one.publication is None:
                row["error"] = one.error
            else:
                row |= _written(one.publication)
            self.rows[one.line] = row
            sealed = self._ring.seal(json.dumps(row).encode(), about=self._title)
            payloads.append(base64.b64encode(sealed))
        self._journal.append(payloads)

    def recall(self, line: int, template: Publication | None) -> DrawnLine:
        """Return what was drawn for a line before.

        ``template`` is a publication of this batch: what is the same for all is taken from it.
        """
        row = self.rows[line]
        if "error" in row:
            return DrawnLine(line, None, row["error"])
        if "text" in row:
            return DrawnLine(line, parse_publication(row["text"], f"{self.path}, line {line}"))
        assert template is not None, "bits alone are recorded where everything else is public"
        size = len(template.positions)
        packed = np.frombuffer(bytes.fromhex(row["bits"]), dtype=np.uint8).copy()
        bits = PackedBits(template.positions, PairBits(size, packed))
        over = template.bits
        series = None if row["series"] is None else SeriesPlace(*row["series"])
        return DrawnLine(
            line,
            replace(
                template,
                bits=replace(over, blocks=bits) if isinstance(over, GroupedBits) else bits,
                direction=row["direction"],
                series=series,
            ),
        )


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


def _written(publication: Publication) -> dict[str, Any]:
    """Return a publication as a row: its bits; whole where more than bits was drawn."""
    counts = set(publication.positions.counts)
    if publication.drawing is not None or len(counts) > 1:
        return {"text": publication_text(publication)}
    place = publication.series
    return {
        "bits": publication.packed.pairs.packed.tobytes().hex(),
        "direction": publication.direction,
        "series": None if place is None else [place.place, place.before, place.release, place.walk],
    }
