"""Networks from graph files: GraphML, GEXF and GML by networkx, node-link JSON, topohub.

Nothing is expanded: an XML document that declares an entity or reaches for another file is refused
by defusedxml before networkx sees it. The same pass knows the lines, so it refuses what networkx
would repair in silence: a vertex declared twice, a link to a vertex that is not declared, a second
graph.

A vertex is named by its label, by its id if it has none, and by both if others share its label:
``Rome (n7)``. Where most labels are missing or shared, ids are the names (labels are missing or
double in 121 of the 276 Topology Zoo files).
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from typing import Any, Literal
from xml.sax import SAXException
from xml.sax.handler import ContentHandler, ErrorHandler
from xml.sax.xmlreader import AttributesImpl, Locator

import networkx as nx
import numpy as np

from pathveil.errors import BadFile, MissingExtra, NameClash, UnknownVertex
from pathveil.files.atomic_write import decode, shorten
from pathveil.files.networks.raw_network import RawNetwork
from pathveil.files.networks.tables import UNDIRECTED
from pathveil.files.strict_json import parse_json, require_name
from pathveil.files.text_tables import HARD_SPACE
from pathveil.model.graph_index import VertexNames
from pathveil.model.network import point_of

Names = Literal["id", "label"]

GRAPH_LIMIT = 64 << 20
"""Bytes of a file that is held as a graph of Python objects, thirty times its size."""

DEEPEST = 1000
"""Elements in one another."""

_BY_ID = "name vertices by their ids: pathveil network clean FILE -o NEW.csv --names id"
_PLACE = re.compile(r"(?:at \(|: line )(\d+)")
"""Where networkx or its parser says that something is wrong."""


def raw_of_xml(data: bytes, where: str, *, names: Names | None = None) -> RawNetwork:
    """Return the network of a GraphML or GEXF document, which its first tag tells apart."""
    if not data.strip():
        raise BadFile(f"{where}: is empty, expected XML; get the file again")
    if b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        decode(data, where)
    tags = _Pass(where)
    try:
        # ErrorHandler's own methods raise what they are given.
        from defusedxml import DefusedXmlException
        from defusedxml.sax import parse

        parse(io.BytesIO(data), tags, ErrorHandler())
    except DefusedXmlException:
        raise BadFile(
            f"{where}, line {tags.line}: declares an entity or a reference to another file; "
            "network files need none, and none is ever expanded: remove it"
        ) from None
    except (SAXException, LookupError, UnicodeError) as error:
        said = error.getMessage() if isinstance(error, SAXException) else error
        raise BadFile(
            f"{where}, line {tags.line}: is no well-formed XML ({said}); correct the file, or get "
            "it again if it was cut off"
        ) from None
    for name in tags.met.keys() - tags.declared:  # a link ends at a vertex that is not declared
        raise undeclared(f"{where}, line {tags.met[name]}", name, len(tags.declared))
    if tags.root == "gexf" and b"xmlns" not in data:  # networkx knows the dialect by it
        data = data.replace(b"<gexf", b'<gexf xmlns="http://www.gexf.net/1.2draft"', 1)
    read = nx.read_graphml if tags.root == "graphml" else nx.read_gexf
    return _raw_of_graph(lambda: read(io.BytesIO(data), node_type=str), where, names)


class _Pass(ContentHandler):
    """Goes over the tags of either dialect and refuses what networkx would not."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where, self.root = where, ""
        self._spot: Locator | None = None
        self._depth = self._graphs = 0
        self.declared: set[str] = set()
        self.met: dict[str, int] = {}

    @property
    def line(self) -> int:
        """The line of the tag being read."""
        number = self._spot.getLineNumber() if self._spot is not None else None
        return number or 1

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        self._spot = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        tag = name.rpartition(":")[2]
        if not self._depth:
            if tag not in {"graphml", "gexf"}:
                raise self._wrong(
                    f"the document is <{shorten(tag)[1:-1]}>, expected <graphml> or <gexf>; check "
                    "whether this is the right file"
                )
            self.root = tag
        self._depth += 1
        self._graphs += tag == "graph"
        if self._depth > DEEPEST:
            # The parser keeps a hundred bytes for every element that is open.
            raise self._wrong(f"more than {DEEPEST} elements in one another; correct the file")
        if self._graphs > 1:
            raise self._wrong("a second or nested <graph>; keep one network in a file")
        for attribute in {"node": ("id",), "edge": ("source", "target")}.get(tag, ()):
            if not attrs.get(attribute):
                raise self._wrong(f"<{tag}> without {attribute}; give it one")
            if tag == "edge":
                self.met.setdefault(attrs[attribute], self.line)
            elif attrs["id"] in self.declared:
                raise NameClash(
                    f"{self.where}, line {self.line}: vertex {shorten(attrs['id'])} was declared "
                    "before; rename one"
                )
            else:
                self.declared.add(attrs["id"])

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802
        self._depth -= 1

    def _wrong(self, what: str) -> BadFile:
        return BadFile(f"{self.where}, line {self.line}: {what}")


def undeclared(place: str, name: object, count: int) -> UnknownVertex:
    """Return the error for a link that ends at a vertex the file does not declare."""
    return UnknownVertex(
        f"{place}: a link ends at {shorten(name)}, which is none of the {count} vertices the file "
        "declares; declare it or correct the link"
    )


_GML_GRAPH = re.compile(r"(?im)^(\s*graph\s*\[)")


def raw_of_gml(text: str, where: str, *, names: Names | None = None) -> RawNetwork:
    """Return the network of a GML text."""
    if not text.strip():
        raise BadFile(f"{where}: is empty, expected GML; get the file again")
    if "multigraph" not in text:
        # networkx refuses parallel links elsewhere; here they are refused or merged like others.
        text = _GML_GRAPH.sub(r"\1 multigraph 1", text, count=1)
    lines = ["" if line.lstrip().startswith("#") else line for line in text.splitlines()]
    return _raw_of_graph(lambda: nx.parse_gml(lines, label="id"), where, names)


def _raw_of_graph(make: Any, where: str, names: Names | None) -> RawNetwork:
    """Return what networkx reads, or say why it does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph: nx.Graph[Any] = make()
    except Exception as error:  # noqa: BLE001 - whatever files raise that are not what they seem
        said = " ".join(str(error).split()) or type(error).__name__
        at = _PLACE.search(said)
        place = f"{where}, line {at[1]}" if at else where
        raise BadFile(
            f"{place}: networkx cannot read it ({shorten(said, limit=160)}); correct the file, or "
            "get it again if it was cut off"
        ) from None
    default = graph.graph.get("node_default", {})
    ids, data = list(graph.nodes), [{**default, **graph.nodes[node]} for node in graph.nodes]
    number = {node: i for i, node in enumerate(ids)}
    links: list[tuple[int, ...]] = [(number[u], number[v]) for u, v in graph.edges()]
    return _raw_of_parts(
        where, ids, data, links, unit="link {}", names=names, directed=graph.is_directed()
    )


def _raw_of_parts(
    where: str,
    ids: list[Any],
    data: list[Any],
    links: list[tuple[int, ...]],
    *,
    unit: str,
    names: Names | None,
    directed: bool,
) -> RawNetwork:
    """Return the network with its vertices named by label or by id."""
    ends = np.array(links, dtype=np.int64).reshape(-1, 2)
    found = (str(item.get("label") or item.get("name") or "") for item in data)
    labels = [label.replace(HARD_SPACE, " ") for label in found]
    texts = [str(node) for node in ids]
    times = Counter(labels)
    missing = times.pop("", 0)
    shared = [label for label in labels if times[label] > 1]
    named = [
        f"{label} ({text})" if times[label] > 1 else label or text
        for label, text in zip(labels, texts, strict=True)
    ]
    enough = 2 * max(missing, len(shared)) <= len(labels)
    fit = enough and len({*named}) == len(named)
    why = f"not fit for names: {missing} are missing, and {len(shared)} vertices share theirs"
    if names == "label" and not fit:
        raise NameClash(f"{where}: labels are {why}; give every vertex one of its own, or {_BY_ID}")
    by_label = fit and names != "id"
    remarks = [UNDIRECTED.format(where)] if directed else []
    if names is None and not fit and missing < len(labels) and labels != texts:
        remarks.append(f"{where}: labels are {why}, so vertices are named by id")
    if by_label and names is None and labels != texts:
        remarks.append(f"{where}: vertices are named by label (by id: network clean --names id)")
    if by_label and shared:
        example = named[labels.index(shared[0])]
        remarks.append(
            f"{where}: {len(shared)} share a label and are named like {shorten(example)}"
        )
    if by_label and missing:
        remarks.append(f"{where}: {missing} have no label and are named by id")
    points = {}
    for i, item in enumerate(data):
        extra = item.get("viz", {}).get("position") if isinstance(item.get("viz"), dict) else None
        extra = extra or item.get("graphics")
        point = point_of({**(extra if isinstance(extra, dict) else {}), **item})
        if point is not None:
            points[i] = point
    place = lambda link: unit.format(link if "[" in unit else link + 1)  # noqa: E731
    raw = RawNetwork(where, named if by_label else texts, ends[:, 0], ends[:, 1], place, points)
    raw.remarks = remarks
    return raw


# -- JSON ---------------------------------------------------------------------------------------


def raw_of_json(text: str, where: str, *, names: Names | None = None) -> RawNetwork:
    """Return the network of a JSON text.

    Accepted are ``{"nodes": [{"id": ...}], "edges": [{"source": ..., "target": ...}]}`` (or
    ``links``), links as pairs, no list of nodes (then the links name them), and a plain list of
    pairs. Names are texts or numbers; ``1`` and ``"1"`` must not both be vertices.
    """
    return _raw_of_value(parse_json(text, where), where, names)


def raw_of_topohub(name: str, *, names: Names | None = None) -> RawNetwork:
    """Return a network that the topohub package holds, such as ``topohub:topozoo/Abilene``."""
    try:
        import topohub
    except ImportError:
        raise MissingExtra("topohub", "the topohub package") from None
    try:
        with warnings.catch_warnings():
            # The package leaves its files to the garbage collector.
            warnings.simplefilter("ignore", ResourceWarning)
            value = topohub.get(name.removeprefix("topohub:"))
    except Exception as error:  # noqa: BLE001 - the package raises whatever its files raise
        raise BadFile(
            f"{name}: topohub has no such network ({type(error).__name__}); names look like "
            "topohub:sndlib/germany50 or topohub:topozoo/Abilene"
        ) from None
    links = value.get("edges", value.get("links"))
    return _raw_of_value({"nodes": value["nodes"], "edges": links}, name, names)


def _raw_of_value(value: Any, where: str, names: Names | None) -> RawNetwork:
    if isinstance(value, list):
        value = {"edges": value}
    if not isinstance(value, dict):
        raise BadFile(f"{where}: holds {shorten(value)}, expected an object with nodes and edges")
    keys = [key for key in ("edges", "links") if key in value]
    if len(keys) != 1:
        raise BadFile(
            f"{where}: has {'both edges and links' if keys else 'neither edges nor links'}, "
            "expected one list of links under 'edges' or 'links'"
        )
    key, nodes = keys[0], value.get("nodes")
    for part, content in ((key, value[key]), ("nodes", [] if nodes is None else nodes)):
        if not isinstance(content, list):
            raise BadFile(f"{where}, {part}: holds {shorten(content)}, expected a list")
    vertices = VertexNames()
    data = [node if isinstance(node, dict) else {"id": node} for node in nodes or ()]
    for i, item in enumerate(data):
        place = f"{where}, nodes[{i}]"
        if _number(vertices, item.get("id"), place) != i:
            raise NameClash(f"{place}: {shorten(item['id'])} was declared before; rename one")
    links: list[tuple[int, ...]] = []
    for i, item in enumerate(value[key]):
        place = f"{where}, {key}[{i}]"
        ends = [item.get("source"), item.get("target")] if isinstance(item, dict) else item
        if not isinstance(ends, list) or len(ends) < 2:
            raise BadFile(f"{place}: holds {shorten(item)}, expected two ends of a link")
        link = tuple(_number(vertices, end, place) for end in ends[:2])
        if nodes is not None and max(link) >= len(data):
            raise undeclared(place, ends[link.index(max(link))], len(data))
        links.append(link)
    data += [{}] * (len(vertices.number) - len(data))
    return _raw_of_parts(
        where,
        list(vertices.number),
        data,
        links,
        unit=key + "[{}]",
        names=names,
        directed=value.get("directed") is True,
    )


def _number(vertices: VertexNames, label: Any, place: str) -> int:
    """Return the number of a vertex; two whose names are the same text are refused."""
    require_name(label, place)
    try:
        return vertices.add(label)
    except NameClash as error:
        raise NameClash(f"{place}: {error}") from None
