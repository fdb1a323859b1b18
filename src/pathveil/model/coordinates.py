"""Where a vertex lies, as files and graphs state it: under which names, in which forms."""

from __future__ import annotations

import math
from collections.abc import Mapping


def as_point(x: object, y: object) -> tuple[float, float] | None:
    """Return two values of a file as finite coordinates, or None: they are decoration only."""
    try:
        point = (float(x), float(y))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return point if math.isfinite(point[0]) and math.isfinite(point[1]) else None


_ACROSS = ("x", "longitude", "lon", "lng", "long")
_UPWARDS = ("y", "latitude", "lat")


def point_of(data: Mapping[str, object]) -> tuple[float, float] | None:
    """Return the coordinates among a vertex's attributes, whatever the case of their names.

    Known are ``pos`` (a pair, or a text such as ``"1.5, 2"``), ``x`` and ``y``, and longitude and
    latitude under their usual names; ``y`` and latitude point upwards.

    >>> point_of({"Latitude": "40.7", "Longitude": "-74"})
    (-74.0, 40.7)
    """
    data = {str(key).casefold(): value for key, value in data.items()}
    pos = data.get("pos")
    if isinstance(pos, str):
        pos = pos.strip("()[]! ").replace(",", " ").split()
    if isinstance(pos, (list, tuple)) and len(pos) >= 2:
        return as_point(pos[0], pos[1])
    x = next((data[key] for key in _ACROSS if key in data), None)
    y = next((data[key] for key in _UPWARDS if key in data), None)
    return as_point(x, y)
