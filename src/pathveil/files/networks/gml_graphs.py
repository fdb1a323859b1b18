"""GML, read token by token with its lines.

GML ids are integers, so a vertex is named by its ``label`` where every vertex has one and all are
distinct (as networkx writes them), else by its ``id``.
"""

from __future__ import annotations

import html
import re
from typing import Any

from pathveil.errors import BadFile
from pathveil.files.atomic_write import shorten
from pathveil.files.networks.raw_network import BY_ID, Draft, Roll
from pathveil.model.coordinates import point_of

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\f\v]+|\#[^\n]*)
    |(?P<newline>\n)
    |(?P<number>[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|INF|NAN)(?=[\s\]]|$))
    |(?P<key>[A-Za-z_][\w.-]*)
    |(?P<text>"[^"]*")
    |(?P<open>\[)
    |(?P<close>\])""",
    re.VERBOSE,
)

Entry = tuple[int, dict[str, Any]]
_LONGEST_NUMBER = 400
DEEPEST = 1000
"""Lists in one another: each that is open costs a few hundred bytes."""


def draft_of_gml(text: str, where: str, *, labels: bool | None = None) -> Draft:
    """Return the draft of a GML text.

    Parameters
    ----------
    labels
        True to name vertices by label, False by id, None for labels where they are distinct.
    """
    nodes, edges = _entries(text, where)
    ids = Roll(where)
    for line, node in nodes:
        if "id" not in node:
            raise BadFile(f"{where}, line {line}: a node without an id; give it one")
        ids.add(node["id"], line)
    draft = Draft(where, names=list(ids.number))
    for line, edge in edges:
        for end, ends in (("source", draft.sources), ("target", draft.targets)):
            if end not in edge:
                raise BadFile(f"{where}, line {line}: an edge without a {end}; it has two ends")
            ends.append(ids.find(edge[end], f"line {line}"))
    draft.places = [line for line, _ in edges]
    for number, (_, node) in enumerate(nodes):
        graphics = node.get("graphics")
        point = point_of({**(graphics if isinstance(graphics, dict) else {}), **node})
        if point is not None:
            draft.points[number] = point
    if labels is None:
        given = [str(node.get("label", "")) for _, node in nodes]
        labels = all(given) and len(set(given)) == len(given)
    if labels:
        draft.names = _labels(nodes, where)
    return draft


def _labels(nodes: list[Entry], where: str) -> list[str]:
    roll = Roll(where, advice=BY_ID)
    for line, node in nodes:
        if not node.get("label"):
            raise BadFile(f"{where}, line {line}: a node without a label; give it one, or {BY_ID}")
        roll.add(node["label"], line)
    return list(roll.number)


def _entries(text: str, where: str) -> tuple[list[Entry], list[Entry]]:
    """The nodes and edges of the one graph, each with the line it starts on."""
    graphs: list[dict[str, Any]] = []
    nodes: list[Entry] = []
    edges: list[Entry] = []
    # The open lists, outermost first: (key, line, content). An own stack, not recursion.
    stack: list[tuple[str, int, dict[str, Any]]] = [("", 1, {})]
    key: str | None = None
    for line, kind, token in _tokens(text, where):
        if kind == "key" and key is None:
            key = token.lower()
        elif kind == "close" and key is None and len(stack) > 1:
            name, started, content = stack.pop()
            stack[-1][2][name] = content
            if len(stack) == 1 and name == "graph":
                graphs.append(content)
            elif len(stack) == 2 and stack[1][0] == "graph" and name in {"node", "edge"}:
                (nodes if name == "node" else edges).append((started, content))
        elif kind == "open" and key is not None:
            stack.append((key, line, {}))
            key = None
            if len(stack) > DEEPEST:
                raise BadFile(
                    f"{where}, line {line}: lists lie {len(stack)} deep in one another; no network "
                    "needs that: correct the file"
                )
        elif kind in {"number", "text"} and key is not None:
            stack[-1][2].setdefault(key, _value(kind, token, f"{where}, line {line}"))
            key = None
        else:
            wanted = "a value" if key is not None else "a key or ]"
            raise BadFile(
                f"{where}, line {line}: found {shorten(token)}, expected {wanted}; correct the file"
            )
    if len(stack) > 1 or key is not None:
        name, started, _ = stack[-1]
        due = f"the {name} opened on line {started} is closed"
        raise BadFile(
            f"{where}, line {text.count(chr(10)) + 1}: the file ends before "
            + (due if len(stack) > 1 else f"the value of {shorten(key)}")
            + "; it was cut off, get it again"
        )
    if len(graphs) != 1:
        raise BadFile(f"{where}: holds {len(graphs)} graphs, expected one 'graph [ ... ]'")
    return nodes, edges


def _tokens(text: str, where: str) -> Any:
    line, end = 1, 0
    while end < len(text):
        found = _TOKEN.match(text, end)
        if found is None:
            raise BadFile(
                f"{where}, line {line}: cannot make sense of {shorten(text[end : end + 20])}; "
                "GML holds keys, numbers, texts in double quotes and brackets (or the file was "
                "cut off inside a text)"
            )
        end = found.end()
        kind = found.lastgroup
        if kind == "newline":
            line += 1
        elif kind != "blank":
            yield line, kind, found.group()
            line += found.group().count("\n") if kind == "text" else 0


def _value(kind: str, token: str, place: str) -> int | float | str:
    if kind == "text":
        return html.unescape(token[1:-1])
    if len(token) > _LONGEST_NUMBER:
        raise BadFile(f"{place}: a number of {len(token)} digits; correct the file")
    try:
        return int(token)
    except ValueError:
        return float(token)
