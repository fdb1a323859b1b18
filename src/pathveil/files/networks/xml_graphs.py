"""GraphML and GEXF, read as a stream of tags with their lines.

Nothing is expanded: a document that declares an entity or reaches for an outside one is refused
(defusedxml). Only what a network needs is kept: node ids, labels, coordinates, edge ends.

A vertex is named by its ``id``, which is unique and what edges refer to; labels are often missing
or double (121 of the 276 Topology Zoo files). Ask for labels where they are wanted and distinct.
"""

from __future__ import annotations

import io
from typing import BinaryIO
from xml.sax import SAXException, SAXParseException  # only the exceptions; parsing is defused
from xml.sax.handler import ContentHandler, ErrorHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml import DefusedXmlException
from defusedxml.sax import parse

from pathveil.errors import BadFile
from pathveil.files.atomic_write import decode, shorten
from pathveil.files.networks.raw_network import BY_ID, Draft, Roll
from pathveil.model.coordinates import as_point, point_of

DEEPEST = 1000
"""Elements in one another."""

_MARKS_OF_WIDE_TEXT = (b"\xff\xfe", b"\xfe\xff")


def draft_of_xml(
    handle: BinaryIO, where: str, *, root: str | None = None, labels: bool = False
) -> Draft:
    """Return the draft of a GraphML or GEXF document.

    Parameters
    ----------
    root
        ``"graphml"`` or ``"gexf"`` where the file's suffix promises one; else the first tag
        decides.
    labels
        Whether to name vertices by their labels instead of their ids.
    """
    data = handle.read()
    if not data.strip():
        raise BadFile(f"{where}: is empty, expected {root or 'XML'}; get the file again")
    if b"\0" in data and not data.startswith(_MARKS_OF_WIDE_TEXT):
        decode(data, where)
    reader = _GraphReader(where, root, labels=labels)
    try:
        # ErrorHandler's own methods raise what they are given.
        parse(io.BytesIO(data), reader, ErrorHandler())
    except DefusedXmlException:
        raise BadFile(
            f"{where}, line {reader.line}: declares an entity or a reference to another file; "
            "network files need none, and none is ever expanded: remove it"
        ) from None
    except SAXParseException as error:
        said = error.getMessage()
        cut = "no element found" in said or "unclosed" in said
        raise BadFile(
            f"{where}, line {error.getLineNumber()}: is no well-formed XML ({said}); "
            + ("the file was cut off, get it again" if cut else "correct the file")
        ) from None
    except (SAXException, LookupError, UnicodeError) as error:
        raise BadFile(f"{where}: cannot be read as XML ({error}); correct the file") from None
    return reader.draft()


class _GraphReader(ContentHandler):
    """Collects nodes and edges of either dialect; they differ in where coordinates stand."""

    def __init__(self, where: str, root: str | None, *, labels: bool) -> None:
        super().__init__()
        self._where, self._root, self._by_label = where, root, labels
        self._spot: Locator | None = None
        self._depth: list[str] = []
        self._graphs = 0
        self._attribute: dict[str, str] = {}
        self._default: dict[str, object] = {}
        self._ids = Roll(where)
        self._data: list[dict[str, object]] = []
        self._lines: list[int] = []
        self._edges: list[tuple[int, str, str]] = []
        self._open_nodes: list[int] = []
        self._declaring: str | None = None
        self._for_nodes = False
        self._key: str | None = None
        self._text: list[str] = []

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
            self._check_root(tag)
        self._depth.append(tag)
        if len(self._depth) > DEEPEST:
            # The parser keeps a hundred bytes for every element that is open.
            raise BadFile(
                f"{self._where}, line {self.line}: elements lie {len(self._depth)} deep in one "
                "another; no network needs that: correct the file"
            )
        method = getattr(self, f"_start_{tag}", None)
        if method is not None:
            method(attrs)

    def characters(self, content: str) -> None:
        if self._key is not None:
            self._text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802
        tag = name.rpartition(":")[2]
        self._depth.pop()
        if tag == "node":
            self._open_nodes.pop()
        elif tag == "key":
            self._declaring = None
        elif tag in {"data", "default"} and self._key is not None:
            text = "".join(self._text).strip()
            if tag == "default":
                self._default[self._key] = text
            elif self._open_nodes:
                self._data[self._open_nodes[-1]][self._key] = text
            self._key = None
            self._text.clear()

    # -- tags -----------------------------------------------------------------------------------

    def _check_root(self, tag: str) -> None:
        wanted = (self._root,) if self._root else ("graphml", "gexf")
        if tag not in wanted:
            raise BadFile(
                f"{self._where}, line {self.line}: the document is <{shorten(tag)[1:-1]}>, "
                f"expected <{'> or <'.join(wanted)}>; check whether this is the right file"
            )
        self._root = tag

    def _start_graph(self, _: AttributesImpl) -> None:
        self._graphs += 1
        if self._graphs > 1:
            raise BadFile(
                f"{self._where}, line {self.line}: a second or nested <graph>, expected one; "
                "keep one network a file"
            )

    def _start_hyperedge(self, _: AttributesImpl) -> None:
        raise BadFile(
            f"{self._where}, line {self.line}: a hyperedge; a network has edges with two ends only"
        )

    def _start_key(self, attrs: AttributesImpl) -> None:
        if attrs.get("for", "all") in {"node", "all"} and "id" in attrs:
            name = attrs.get("attr.name") or attrs["id"]
            self._attribute[attrs["id"]] = name.casefold()
            self._declaring = name.casefold()

    def _start_default(self, _: AttributesImpl) -> None:
        self._key = self._declaring if self._depth[-2:-1] == ["key"] else None

    def _start_attributes(self, attrs: AttributesImpl) -> None:
        self._for_nodes = attrs.get("class") == "node"

    def _start_attribute(self, attrs: AttributesImpl) -> None:
        if self._for_nodes and "id" in attrs and "title" in attrs:
            self._attribute[attrs["id"]] = attrs["title"].casefold()

    def _start_node(self, attrs: AttributesImpl) -> None:
        if "id" not in attrs:
            raise BadFile(f"{self._where}, line {self.line}: <node> without an id; give it one")
        number = self._ids.add(attrs["id"], self.line)
        data: dict[str, object] = {}
        if "label" in attrs:
            data["label"] = attrs["label"]
        self._data.append(data)
        self._lines.append(self.line)
        self._open_nodes.append(number)

    def _start_edge(self, attrs: AttributesImpl) -> None:
        if "source" not in attrs or "target" not in attrs:
            missing = "source" if "source" not in attrs else "target"
            raise BadFile(
                f"{self._where}, line {self.line}: <edge> without a {missing}; an edge has two ends"
            )
        self._edges.append((self.line, attrs["source"], attrs["target"]))

    def _start_data(self, attrs: AttributesImpl) -> None:
        self._key = self._attribute.get(attrs.get("key", "")) if self._on_node() else None

    def _start_attvalue(self, attrs: AttributesImpl) -> None:
        key = self._attribute.get(attrs.get("for") or attrs.get("id") or "")
        if key is not None and self._open_nodes:
            self._data[self._open_nodes[-1]][key] = attrs.get("value", "")

    def _start_position(self, attrs: AttributesImpl) -> None:
        if self._open_nodes:
            self._data[self._open_nodes[-1]]["pos"] = (attrs.get("x"), attrs.get("y"))

    def _on_node(self) -> bool:
        return len(self._depth) > 1 and self._depth[-2] == "node"

    # -- the end --------------------------------------------------------------------------------

    def draft(self) -> Draft:
        """Return what was collected."""
        draft = Draft(self._where, names=list(self._ids.number))
        for line, source, target in self._edges:
            draft.sources.append(self._ids.find(source, f"line {line}"))
            draft.targets.append(self._ids.find(target, f"line {line}"))
        draft.places = [line for line, _, _ in self._edges]
        for number, data in enumerate(self._data):
            found = data.get("pos")
            point = as_point(*found) if isinstance(found, tuple) else None
            point = point or point_of({**self._default, **data})
            if point is not None:
                draft.points[number] = point
        if self._by_label:
            draft.names = self._labels()
        return draft

    def _labels(self) -> list[str]:
        roll = Roll(self._where, advice=BY_ID)
        for line, data in zip(self._lines, self._data, strict=True):
            label = data.get("label") or data.get("name")
            if not label:
                raise BadFile(
                    f"{self._where}, line {line}: <node> without a label or name; "
                    f"give it one, or {BY_ID}"
                )
            roll.add(label, line)
        return list(roll.number)
