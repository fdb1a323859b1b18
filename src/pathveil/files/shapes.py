"""Bringing parsed JSON into a declared shape, with the path to the first thing that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pathveil.errors import BadFile
from pathveil.files.atomic_write import shorten

if TYPE_CHECKING:
    from pydantic import BaseModel

VERSION = 1
"""Of every file this program writes; a reader of another version refuses it by this number."""

Shape = TypeVar("Shape", bound="BaseModel")


def require_kind(found: Any, where: str, *, form: str, what: str) -> None:
    """Say plainly what the file is, before anybody complains about its details."""
    if not isinstance(found, dict):
        raise BadFile(f"{where}: holds no JSON object, expected a {what}")
    if found.get("format") != form:
        raise BadFile(
            f"{where}: format: is {shorten(found.get('format'))}, expected {form!r}; "
            f"this is no {what}"
        )
    number = found.get("version")
    if type(number) is not int or number != VERSION:
        raise BadFile(
            f"{where}: version: is {shorten(number)}, this program reads version {VERSION}; "
            "get the file again, or a newer pathveil"
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
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
