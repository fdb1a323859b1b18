"""A publication in letters and box characters, for a terminal.

Between two rows each upper node has one horizontal track of its own, and each of its arcs
ends in a column of its own above the lower node. So lines of different nodes may cross (a column
then interrupts a track) but never touch, and the picture can be read without guessing.

A picture too wide or too dense for that becomes a list: the layers, and what each node covers.
"""

from __future__ import annotations

import textwrap

import numpy as np

from pathveil.drawing.layer_layout import Links, ordered_rows, spread
from pathveil.drawing.sheet import Label, labels
from pathveil.model.layered import LayeredGraph
from pathveil.model.publication import Publication

_MOST_TRACKS = 9
_MOST_NODES = 40


def publication_text_picture(publication: Publication, width: int = 80) -> str:
    """Return the layered graph as lines of at most ``width`` characters, where that is possible.

    Examples
    --------
    >>> from pathveil.model.positions import Positions
    >>> from pathveil.model.certificate import PolicyTerms
    >>> graph = LayeredGraph.build(Positions(("a", "b"), (1, 1)), [0, 1], [0, 1], [(0, 1)])
    >>> publication = Publication.of_drawing(graph, PolicyTerms("paper"))
    >>> print(publication_text_picture(publication))
    layer 0   a
              │
    layer 1   b
    """
    layered = publication.layered
    names = labels(layered)
    if len(names) <= _MOST_NODES:
        for tried in (labels(layered, longest=width), names):
            drawn = _drawn(layered, tried, width)
            if drawn is not None:
                return drawn
    return _listed(layered, names, width)


def _drawn(layered: LayeredGraph, names: tuple[Label, ...], width: int) -> str | None:
    rows = ordered_rows(layered, most_bends=60)
    links, row_of = rows.links(), rows.row_of()
    if (np.diff(row_of[links], axis=1) != 1).any():
        return None  # long lines were not bent, for they were too many
    entering = np.bincount(links[:, 1], minlength=rows.items)
    cells = np.array(
        [
            max(names[i].cells if i < rows.nodes else 1, 2 * int(entering[i]) - 1)
            for i in range(rows.items)
        ]
    )
    x = spread(rows, cells + 1.0, gap=3.0, stagger=[1] * len(rows.rows))
    left = float((x - cells / 2).min())
    # Centres on even columns; rounding down keeps the order, and the gaps leave room for it.
    centre = 2 * np.floor((x - left + 2) / 2).astype(np.int64)
    gutter = len(f"layer {len(rows.rows) - 1}") + 1
    right = int((centre + cells // 2).max()) + 1
    if gutter + right > width:
        return None
    out: list[str] = []
    ports: dict[tuple[int, int], int] = {}
    for depth, row in enumerate(rows.rows):
        out.append(f"{f'layer {depth}':<{gutter}}" + _name_line(row, centre, names, ports))
        mine = links[row_of[links[:, 0]] == depth]
        ports = _ports(mine, centre, entering)
        between = _channel(ports, centre, right + 1)
        if len(between) > _MOST_TRACKS:
            return None
        if depth + 1 < len(rows.rows):
            out += [" " * gutter + line for line in between]
    return "\n".join(line.rstrip() for line in out)


def _name_line(
    row: tuple[int, ...],
    centre: Links,
    names: tuple[Label, ...],
    ports: dict[tuple[int, int], int],
) -> str:
    """The names of a row; where lines enter far beside a short name, arms lead them to it."""
    line, used = "", 0
    for item in row:
        word = names[item].plain if item < len(names) else "│"
        size = names[item].cells if item < len(names) else 1
        start = int(centre[item]) - (size - 1) // 2
        columns = {column for (_, lower), column in ports.items() if lower == item}
        low, high = min(columns, default=start), max(columns, default=start)
        if low < start - 1 or high > start + size:
            left = "".join(_arm(c, low, columns, "└") for c in range(low, start))
            ends = range(start + size, high + 1)
            word = left + word + "".join(_arm(c, high, columns, "┘") for c in ends)
            size, start = size + len(left) + len(ends), start - len(left)
        line += " " * (start - used) + word
        used = start + size
    return line


def _arm(column: int, end: int, columns: set[int], corner: str) -> str:
    return corner if column == end else "┴" if column in columns else "─"


def _channel(ports: dict[tuple[int, int], int], centre: Links, right: int) -> list[str]:
    """The lines between a row and the next: one net for each upper item."""
    nets: dict[int, list[int]] = {}
    for (upper, _), column in ports.items():
        nets.setdefault(upper, []).append(column)
    tracks = _tracks(nets, centre)
    height = max(tracks.values(), default=0) + 1
    grid = [[" "] * right for _ in range(height)]
    # Tracks first, then columns over them: a column interrupts the track of another net.
    for upper, ends in nets.items():
        columns = [int(centre[upper]), *ends]
        for column in range(min(columns), max(columns) + 1):
            if len(set(columns)) > 1:
                grid[tracks[upper]][column] = "─"
    for upper, ends in nets.items():
        track, here = tracks[upper], int(centre[upper])
        for line in range(track):
            grid[line][here] = "│"
        for column in ends:
            for line in range(track + 1, height):
                grid[line][column] = "│"
        low, high = min(here, *ends), max(here, *ends)
        for column in {here, *ends}:
            sides = (column == here, column in ends, column > low, column < high)
            grid[track][column] = _CORNERS[sides]
    return ["".join(line) for line in grid]


def _ports(mine: Links, centre: Links, entering: Links) -> dict[tuple[int, int], int]:
    """The column in which each link enters its lower item, none used twice.

    Odd columns can never meet the even ones in which upper items start. An odd number of links
    looks better on even columns around the middle: taken where no other net starts there.
    """
    starts = {int(centre[upper]): upper for upper in mine[:, 0].tolist()}
    ports = {}
    for lower in np.unique(mine[:, 1]).tolist():
        uppers = sorted(mine[mine[:, 1] == lower, 0].tolist(), key=lambda item: centre[item])
        middle, count = int(centre[lower]), int(entering[lower])
        columns = [middle + 1 - count + 2 * k for k in range(count)]
        if any(starts.get(c, u) != u for u, c in zip(uppers, columns, strict=True)):
            columns = [column - 1 for column in columns]
        ports.update({(u, lower): c for u, c in zip(uppers, columns, strict=True)})
    return ports


def _tracks(nets: dict[int, list[int]], centre: Links) -> dict[int, int]:
    """A track for each net: the first that is free over its whole length."""
    taken: list[list[tuple[int, int]]] = []
    found = {}
    spans = {
        u: (min(int(centre[u]), *ends), max(int(centre[u]), *ends)) for u, ends in nets.items()
    }
    for upper in sorted(nets, key=lambda u: (spans[u][0], spans[u][1])):
        low, high = spans[upper]
        track = 0
        while track < len(taken) and any(a <= high + 1 and low - 1 <= b for a, b in taken[track]):
            track += 1
        if track == len(taken):
            taken.append([])
        taken[track].append((low, high))
        found[upper] = track
    return found


_CORNERS = {
    # up, down, left, right
    (True, True, False, False): "│",
    (True, False, True, True): "┴",
    (True, False, True, False): "┘",
    (True, False, False, True): "└",
    (False, True, True, True): "┬",
    (False, True, True, False): "┐",
    (False, True, False, True): "┌",
    (True, True, True, True): "┼",
    (True, True, True, False): "┤",
    (True, True, False, True): "├",
}


def _listed(layered: LayeredGraph, names: tuple[Label, ...], width: int) -> str:
    """The layers, and under each what its nodes cover."""
    out = []
    starts, below = layered.arcs[:, 0], layered.arcs[:, 1]
    for depth in range(layered.height):
        here = np.flatnonzero(layered.layer == depth).tolist()
        head = f"layer {depth}  "
        out += _wrapped(head, [names[node].plain for node in here], width)
        for node in here:
            low, high = np.searchsorted(starts, [node, node + 1])
            covered = [names[i].plain for i in below[low:high].tolist()]
            if covered:
                out += _wrapped(f"  {names[node].plain} ─ ", covered, width)
    return "\n".join(out)


def _wrapped(head: str, items: list[str], width: int) -> list[str]:
    hang = " " * min(len(head), max(4, width // 3))
    return textwrap.wrap(
        head + " ".join(items),
        width=max(width, len(hang) + 20),
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
