"""``groups.json``: a grouping as a file of its own, in canonical bytes.

It is public, drawn once, and used by every publication over the network: each names it by its
digest. Classes are listed by their first member and members by name, so that no order of a list can
carry a message. Reading trusts nothing: strict JSON, the shape of
:mod:`~pathveil.files.publications.veil_schema`, then the classes must agree with the terms and
the digest.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from pathveil.errors import BadFile, BadGrouping
from pathveil.files.atomic_write import read_text, shorten, write_aside
from pathveil.files.strict_json import (
    VERSION,
    bring_into_shape,
    json_list,
    json_object,
    json_text,
    parse_json,
    require_kind,
)
from pathveil.model.grouping import Grouping, GroupingTerms

FORMAT = "pathveil/grouping"


def write_grouping(grouping: Grouping, path: str | Path, *, replacing: bool = True) -> None:
    """Write a grouping to a file that is there whole or not at all."""
    write_aside(path, grouping_text(grouping), replacing=replacing)


def read_grouping(path: str | Path) -> Grouping:
    """Return the grouping in a file.

    Raises
    ------
    BadFile
        Where the file is missing, cut off, too large, has not the right shape, or contradicts its
        own terms or digest.
    """
    return parse_grouping(read_text(path), str(path))


def grouping_text(grouping: Grouping) -> str:
    """Return the canonical text of a grouping.

    >>> print(grouping_text(Grouping.of(["bd", "ca"])))
    {
      "$schema": "urn:pathveil:grouping:1",
      "format": "pathveil/grouping",
      "version": 1,
      "unsafe": false,
      "terms": {"classes": 2, "cap": 2, "at_least": 2},
      "digest": "9347b0ce5bb65d27ec17971a7c33255c729d14c6d80b2ff29aab2a0cb4dac609",
      "classes": [
        ["a", "c"],
        ["b", "d"]
      ]
    }
    <BLANKLINE>
    """
    parts = {
        "$schema": _json(f"urn:pathveil:grouping:{VERSION}"),
        "format": _json(FORMAT),
        "version": _json(VERSION),
        "unsafe": _json(grouping.unsafe),
        "terms": _json(asdict(grouping.terms)),
        "digest": _json(grouping.digest),
        "classes": json_list([_json(members) for members in grouping]),
    }
    return json_object(parts)


def parse_grouping(text: str, where: str = "grouping") -> Grouping:
    """Return the grouping written in a text."""
    from pathveil.files.publications.veil_schema import GroupingFile

    found = parse_json(text, where)
    require_kind(found, where, form=FORMAT, what="grouping (groups.json)")
    file = bring_into_shape(GroupingFile, found, where)
    del found  # as large as the shape of it
    terms = file.terms
    try:
        grouping = Grouping.of(
            file.classes,
            terms=GroupingTerms(terms.classes, terms.cap, terms.at_least),
            unsafe=file.unsafe,
        )
    except BadGrouping as error:
        raise BadFile(f"{where}: classes: {error}") from None
    if grouping.digest != file.digest:
        raise BadFile(
            f"{where}: digest: is {shorten(file.digest)}, but the classes and terms of the file "
            f"have {grouping.digest[:12]}…; the file was changed by hand: get the original, for "
            "publications name it by its digest"
        )
    return grouping


def _json(value: object) -> str:
    return json_text(value, BadGrouping)
