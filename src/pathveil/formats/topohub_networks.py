"""Networks by name from the topohub package: ``topohub:sndlib/germany50``. Needs the extra."""

from __future__ import annotations

import json
import warnings

from pathveil.errors import BadFile, MissingExtra
from pathveil.formats.drafts import Draft
from pathveil.formats.json_graphs import draft_of_json

PREFIX = "topohub:"


def draft_of_topohub(name: str, *, labels: bool = True) -> Draft:
    """Return the draft of a network that topohub ships, such as ``topohub:topozoo/Abilene``.

    Vertices have the names of their places, or the package's numbers with ``labels=False``.
    """
    try:
        import topohub
    except ImportError:
        raise MissingExtra("topohub", "the topohub package") from None
    wanted = name.removeprefix(PREFIX)
    try:
        with warnings.catch_warnings():
            # The package leaves its files to the garbage collector.
            warnings.simplefilter("ignore", ResourceWarning)
            found = topohub.get(wanted)
    except Exception as error:  # noqa: BLE001 - the package raises whatever its files raise
        raise BadFile(
            f"{name}: topohub has no such network ({type(error).__name__}); names look like "
            "topohub:sndlib/germany50 or topohub:topozoo/Abilene"
        ) from None
    text = json.dumps({"nodes": found["nodes"], "edges": found.get("edges", found.get("links"))})
    return draft_of_json(text, name, labels=labels)
