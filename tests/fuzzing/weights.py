"""Ten megabytes of JSON to put in one place of a file: every kind of value that costs memory.

A weight is the text of one value. What it costs when read is many times its length: an empty list
takes four signs and ninety bytes, an object of one key five signs and two hundred.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

SIZE = 9_800_000
"""Signs of a weight; with the rest of its file it stays below ten million bytes."""

Steps = tuple[str | int, ...]
"""The way to a place of a document."""


def repeated(item: str, *, opening: str = "[", closing: str = "]", size: int = SIZE) -> str:
    """Return a list of as many equal items as there is room for."""
    return opening + ",".join([item] * (size // (len(item.encode()) + 1))) + closing


def numbered(form: str, *, between: str = "", size: int = SIZE) -> str:
    """Return as many different items as there is room for: # is a number, @ the next one."""
    items: list[str] = []
    length = 0
    for number in count():
        item = form.replace("#", f"{number:x}").replace("@", f"{number + 1:x}")
        length += len(item) + len(between)
        if length > size:
            return between.join(items)
        items.append(item)
    raise AssertionError


def counted(form: str, *, opening: str = "[", closing: str = "]", size: int = SIZE) -> str:
    """Return a list of different items: the form with a number in it."""
    return opening + numbered(form, between=",", size=size) + closing


WEIGHTS: dict[str, Callable[[], str]] = {
    "zeros": lambda: repeated("0"),
    "numbers": lambda: repeated("1000"),
    "a great number": lambda: "9" * 4000,
    "empty texts": lambda: repeated('""'),
    "different texts": lambda: counted('"#"'),
    "one wide text": lambda: '"' + "a" * SIZE + '\U0001f600"',
    "one hexadecimal text": lambda: '"' + "0f" * (SIZE // 2) + '"',
    "empty lists": lambda: repeated("[]    "),
    "pairs of numbers": lambda: repeated("[1,2] "),
    "different pairs": lambda: counted('["#","#."]'),
    "objects": lambda: repeated('{"a":0}  '),
    "many keys": lambda: counted('"#":0', opening="{", closing="}"),
    "many keys with texts": lambda: counted('"#":""', opening="{", closing="}"),
}
"""By kind; what is put where a file expects something else is refused, and must cost little."""

MARK = "\ue000here"


def places(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """Yield the path of every value in a document, of a list's items only the first."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def value_at(document: Any, path: Steps) -> Any:
    """Return what stands at a path."""
    for step in path:
        document = document[step]
    return document


def with_weight(document: Any, path: Steps, weight: str) -> str:
    """Return the text of a document with a weight instead of what stands at a path."""
    if not path:
        return weight
    document = json.loads(json.dumps(document))
    value_at(document, path[:-1])[path[-1]] = MARK
    return json.dumps(document, ensure_ascii=False).replace(
        json.dumps(MARK, ensure_ascii=False), weight
    )


def more_of_the_same(document: Any, path: Steps, *, size: int) -> str | None:
    """Return a weight of what stands there already, so that every part has the right shape."""
    found = value_at(document, path)
    if isinstance(found, list) and found:
        return repeated(json.dumps(found[0], ensure_ascii=False), size=size)
    if isinstance(found, dict):
        own = json.dumps(found, ensure_ascii=False)[1:-1]
        item = '"#":' + json.dumps(next(iter(found.values()), 0))
        more = counted(item, opening="", closing="", size=size)
        return "{" + own + (", " if own else "") + more + "}"
    if isinstance(found, str) and found:
        return json.dumps(found * (size // len(found)))
    return None


def written(path: Steps) -> str:
    """Return a path as messages write it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)[1:] or "."
