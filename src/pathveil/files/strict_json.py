"""JSON read without good will: no duplicate keys, no NaN, no depth or number that overflows.

What is written keeps one of these rules too: nothing but text. Parsed JSON is brought into a
declared shape, with the path to the first thing that is wrong.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pathveil.errors import BadFile, PathveilError
from pathveil.files.atomic_write import shorten

if TYPE_CHECKING:
    from pydantic import BaseModel

_SMALL = 1 << 20
"""Signs up to which a text may be as it likes: it cannot cost much."""

_WRITER = json.JSONEncoder(ensure_ascii=False)
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def json_text(value: object, refuse: type[PathveilError]) -> str:
    """Return a value as JSON text; names with half of a surrogate pair in them are refused.

    >>> json_text(["Å", None], BadFile)
    '["Å", null]'
    """
    text = _WRITER.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise refuse(
            f"{shorten(value)} holds half of a surrogate pair, which is no text; rename it"
        ) from None
    return text


def json_list(items: list[str]) -> str:
    """Return a list of JSON texts, each on its own line."""
    return "[\n    " + ",\n    ".join(items) + "\n  ]" if items else "[]"


def json_object(parts: dict[str, str]) -> str:
    """Return a file: an object of JSON texts, each key on its own line."""
    return "{\n" + ",\n".join(f'  "{key}": {value}' for key, value in parts.items()) + "\n}\n"


def parse_json(text: str, where: str) -> Any:
    """Return the value of a JSON text, or raise :class:`BadFile` with its line.

    >>> parse_json('{"a": 1, "a": 2}', "x.json")
    Traceback (most recent call last):
        ...
    pathveil.errors.BadFile: x.json: key 'a' is given twice in one object; keep one of them
    """
    if len(text) > _SMALL:
        _require_content(text, where)
    if not text.strip():
        raise BadFile(f"{where}: is empty; check whether the file was written whole")
    try:
        found = json.loads(
            text,
            object_pairs_hook=partial(_object, where),
            parse_constant=partial(_refuse, where),
        )
    except json.JSONDecodeError as error:
        raise BadFile(
            f"{where}, line {error.lineno}, column {error.colno}: no JSON ({error.msg}); correct "
            "the file, or get it again if it was cut off"
        ) from None
    except BadFile:
        raise
    except (RecursionError, ValueError) as error:
        # Python refuses to read integers of more than 4300 digits.
        raise BadFile(
            f"{where}: lists or objects are nested too deeply, or a number is too long ({error})"
        ) from None
    if _HALF_PAIR.search(text):
        try:  # every string must be text that can be written again
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise BadFile(
                f"{where}: holds half of a surrogate pair (\\ud800 to \\udfff), which is no text; "
                "write the whole sign"
            ) from None
    return found


def require_name(value: object, place: str) -> None:
    """Raise unless a value in a JSON text can be the name of a vertex."""
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        raise BadFile(
            f"{place}: holds {shorten(value)}, expected the name of a vertex (a text or a number)"
        )


def _require_content(text: str, where: str) -> None:
    """Raise where a long text is mostly lists and objects, of a hundred and three hundred bytes.

    The shortest honest ones are ``[1,2],`` (a link) and ``{"id":1},`` (a vertex).
    """
    objects = text.count("{")
    if 9 * objects > len(text) or 6 * (objects + text.count("[")) > len(text):
        raise BadFile(
            f"{where}: every sixth sign opens a list, or every ninth an object, which no network "
            "and no publication does; check whether this is the right file"
        )


def _object(where: str, items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON, each key of which is given once."""
    made = dict(items)
    if len(made) != len(items):
        twice = next(key for key, often in Counter(key for key, _ in items).items() if often > 1)
        raise BadFile(
            f"{where}: key {shorten(twice)} is given twice in one object; keep one of them"
        )
    return made


def _refuse(where: str, word: str) -> NoReturn:
    raise BadFile(f"{where}: holds {word}, which is not a JSON number; write a finite number")


VERSION = 1
"""Of every file this program writes; a reader of another version refuses it by this number."""

Shape = TypeVar("Shape", bound="BaseModel")


def require_kind(found: Any, where: str, *, form: str, what: str) -> None:
    """Say plainly what the file is, before anybody complains about its details."""
    stated = (found.get("format"), found.get("version")) if isinstance(found, dict) else ()
    if stated != (form, VERSION) or type(stated[1]) is not int:
        raise BadFile(
            f"{where}: is no {what} of format {form!r} and version {VERSION}, but states "
            f"{shorten(stated)}; check whether this is the right file, or get a newer pathveil"
        )


def bring_into_shape(model: type[Shape], found: Any, where: str) -> Shape:
    """Return the parsed JSON in its shape, or raise :class:`BadFile` with the path to a fault."""
    from pydantic import ValidationError

    try:
        return model.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
    path = dotted(first["loc"])
    if first["type"] == "missing":
        said = "is missing; the file is incomplete, get it again"
    elif first["type"] == "extra_forbidden":
        said = "is no key of this format; remove it"
    else:
        said = f"{first['msg'][:1].lower()}{first['msg'][1:]}, found {shorten(first['input'])}"
    raise BadFile(f"{where}: {path}: {said}")


def dotted(path: tuple[int | str, ...]) -> str:
    """Return the path to an item as it is written in messages.

    >>> dotted(("layers", 2, 0)), dotted(("policy", "name"))
    ('layers[2][0]', 'policy.name')
    """
    text = ""
    for step in path:
        word = f"[{step}]" if isinstance(step, int) else step[:60]
        text += f".{word}" if text and isinstance(step, str) else word
    return text
