"""Networks in JSON: node-link data as networkx and d3 write it, or a plain list of pairs.

Networks by name from the topohub package: ``topohub:sndlib/germany50``. Needs the extra.
"""

from __future__ import annotations

import json
import warnings
from typing import Any

from pathveil.errors import BadFile, MissingExtra, NameClash
from pathveil.files.atomic_write import shorten
from pathveil.files.networks.raw_network import BY_ID, Draft, Roll
from pathveil.files.strict_json import parse_json
from pathveil.model.coordinates import point_of

_NODES = "nodes[{}]"


def draft_of_json(text: str, where: str, *, labels: bool = False) -> Draft:
    """Return the draft of a JSON text.

    Accepted are ``{"nodes": [{"id": ...}], "edges": [{"source": ..., "target": ...}]}`` (or
    ``links``), edges as pairs, a missing node list (then the edges declare their ends), and a bare
    list of pairs. Names are texts or numbers; ``1`` and ``"1"`` must not both be vertices.
    """
    found = parse_json(text, where)
    if isinstance(found, list):
        found = {"edges": found}
    if not isinstance(found, dict):
        raise BadFile(f"{where}: holds {_kind(found)}, expected an object with nodes and edges")
    key = _edge_key(found, where)
    draft = Draft(where, unit=key + "[{}]", places=range(len(found[key])))
    nodes = found.get("nodes")
    roll = Roll(where, unit=draft.unit if nodes is None else _NODES)
    if nodes is not None:
        _declare(nodes, roll, draft)
    for place, item in enumerate(found[key]):
        u, v = _ends(item, where, f"{key}[{place}]")
        for label in (u, v):
            if nodes is None and _is_new(label, roll, f"{where}, {key}[{place}]"):
                roll.add(label, place)
        draft.sources.append(roll.find(u, f"{key}[{place}]"))
        draft.targets.append(roll.find(v, f"{key}[{place}]"))
    draft.names = list(roll.number)
    if labels:
        draft.names = _labels(nodes, where)
    return draft


def _edge_key(found: dict[str, Any], where: str) -> str:
    keys = [key for key in ("edges", "links") if key in found]
    if len(keys) != 1:
        raise BadFile(
            f"{where}: has {'both edges and links' if keys else 'neither edges nor links'}, "
            "expected one list of edges under 'edges' or 'links'"
        )
    if not isinstance(found[keys[0]], list):
        raise BadFile(f"{where}, {keys[0]}: holds {_kind(found[keys[0]])}, expected a list")
    return keys[0]


def _declare(nodes: Any, roll: Roll, draft: Draft) -> None:
    if not isinstance(nodes, list):
        raise BadFile(f"{draft.where}, nodes: holds {_kind(nodes)}, expected a list")
    for place, node in enumerate(nodes):
        spot = f"nodes[{place}]"
        data = node if isinstance(node, dict) else {"id": node}
        if "id" not in data:
            raise BadFile(f"{draft.where}, {spot}: has no id; every vertex needs one")
        number = roll.add(_label(data["id"], draft.where, f"{spot}.id"), place)
        point = point_of(data)
        if point is not None:
            draft.points[number] = point


def _labels(nodes: Any, where: str) -> list[str]:
    roll = Roll(where, unit=_NODES, advice=BY_ID)
    for place, node in enumerate(nodes or []):
        label = (node.get("label") or node.get("name")) if isinstance(node, dict) else None
        if not label:
            raise BadFile(f"{where}, nodes[{place}]: has no label or name; give it one, or {BY_ID}")
        roll.add(_label(label, where, f"nodes[{place}].label"), place)
    if not nodes:
        raise BadFile(f"{where}: has no nodes, so there are no labels; {BY_ID}")
    return list(roll.number)


def _ends(item: Any, where: str, spot: str) -> tuple[Any, Any]:
    if isinstance(item, dict):
        for end in ("source", "target"):
            if end not in item:
                raise BadFile(f"{where}, {spot}: has no {end}; an edge has two ends")
        u, v = item["source"], item["target"]
        return _label(u, where, f"{spot}.source"), _label(v, where, f"{spot}.target")
    if isinstance(item, list) and len(item) >= 2:
        return _label(item[0], where, f"{spot}[0]"), _label(item[1], where, f"{spot}[1]")
    raise BadFile(
        f"{where}, {spot}: holds {shorten(item)}, expected a source and a target, or a pair"
    )


def _label(value: Any, where: str, spot: str) -> Any:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return value
    raise BadFile(f"{where}, {spot}: holds {_kind(value)}, expected a name (a text or a number)")


def _is_new(label: Any, roll: Roll, place: str) -> bool:
    """Whether this is the first edge to name a vertex; a label of another type is a clash."""
    known = roll.declared(str(label))
    if known is None:
        return True
    if type(known) is not type(label):
        raise NameClash(
            f"{place}: label {shorten(label)} and label {shorten(known)} are both called "
            f"{shorten(str(label))}; names must be distinct as text, rename one"
        )
    return False


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "nothing (null)" if value is None else "a number")


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
