"""Files that are ten megabytes of one line, tag or word, many times over."""

from __future__ import annotations

from typing import NamedTuple

from pathveil.files.networks.network_reader import read_network, read_row
from tests.fuzzing.mutations import Reader
from tests.fuzzing.samples import read_batch_walks, read_journal, read_walk_here
from tests.fuzzing.weights import SIZE, numbered


class Line(NamedTuple):
    """What is repeated: # is a number, @ the next one."""

    item: str
    ending: str
    reader: Reader
    opening: str = ""
    closing: str = ""


def lines_of(line: Line) -> bytes:
    """Return the file."""
    different = set("#@") & set(line.item)
    body = numbered(line.item) if different else line.item * (SIZE // len(line.item.encode()))
    return (line.opening + body + line.closing).encode()


GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
KEYED = '<graphml><key id="x" for="node" attr.name="x"/><graph><node id="a">'
GEXF = "<gexf><graph><attributes class='node'>"
ROW: Reader = lambda path: read_row(path, "a")  # noqa: E731

LINES: dict[str, Line] = {
    "links.csv: a path": Line("#,@\n", ".csv", read_network),
    "links.csv: a star": Line("0,a#\n", ".csv", read_network),
    "links.csv: quoted": Line('"a#","b#"\n', ".csv", read_network),
    "links.csv: a long name": Line("b", ".csv", read_network, "a,"),
    "links.csv: comments": Line("%\n".replace("%", "\u0023"), ".csv", read_network),
    "links.csv: an open quote": Line("a\n", ".csv", read_network, '"'),
    "links.csv: one's row": Line("a,b#\n", ".csv", ROW),
    "graphml: nodes": Line('<node id="#"/>', ".graphml", read_network, GRAPHML),
    "graphml: deep": Line("<a>", ".graphml", read_network, GRAPHML),
    "graphml: links": Line('<edge source="#" target="@"/>', ".graphml", read_network, GRAPHML),
    "graphml: data": Line('<data key="x">1</data>', ".graphml", read_network, KEYED),
    "graphml: keys": Line('<key id="#" attr.name="x#"/>', ".graphml", read_network, "<graphml>"),
    "graphml: attributes": Line('a#="" ', ".graphml", read_network, GRAPHML + "<node "),
    "gexf: attributes": Line('<attribute id="#" title="#"/>', ".gexf", read_network, GEXF),
    "gexf: positions": Line(
        '<node id="#"><position x="1" y="1"/></node>', ".gexf", read_network, "<gexf><graph><nodes>"
    ),
    "gml: nodes": Line('node[id "#"]', ".gml", read_network, "graph [", "]"),
    "gml: deep": Line("a[", ".gml", read_network, "graph ["),
    "gml: keys": Line("a# 0 ", ".gml", read_network, "graph [", "]"),
    "gml: a long number": Line("9", ".gml", read_network, "graph [node [id ", "]]"),
    "gml: a long text": Line("&amp;", ".gml", read_network, 'graph [node [id "', '"]]'),
    "gml: graphs": Line("graph[]", ".gml", read_network),
    "walk.txt: a sound walk": Line("a\nb\n", ".txt", read_walk_here),
    "walk.txt: commas": Line("a,", ".txt", read_walk_here, closing="b"),
    "walk.txt: quoted": Line('"#"\n', ".txt", read_walk_here),
    "walk.txt: a table": Line("a,1\n", ".txt", read_walk_here, "vertex,x\n"),
    "walk.txt: a wide header": Line("a,", ".txt", read_walk_here, "vertex,", "\na\n"),
    "walk.txt: visits below a comment": Line("a\n", ".txt", read_walk_here, "\u0023\n"),
    "walk.txt: quotes": Line('"', ".txt", read_walk_here),
    "walks.txt: lists": Line('["a","b"]\n', ".txt", read_batch_walks),
    "walks.txt: one": Line("a,b,", ".txt", read_batch_walks, closing="a\n"),
    "journal: lines": Line("00000000 \n", ".journal", read_journal, "work\n"),
    "journal: one line": Line("0", ".journal", read_journal, "work\n"),
}
