"""Walks from files: text, CSV with any header, ``A > B > C``, a JSON list, an Excel sheet.

A walk is the custodian's secret. Messages of this module name the line and may name vertices: they
speak to the custodian, who holds the file anyway.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from csv import writer
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pathveil.errors import BadFile, NotAWalk, UnknownVertex
from pathveil.files.atomic_write import open_file, read_text, shorten
from pathveil.files.codes import Codes, codes_hint
from pathveil.files.strict_json import parse_json, require_name
from pathveil.files.text_tables import (
    HARD_SPACE,
    MOST_COLUMNS,
    SAMPLE,
    WORKBOOK,
    Row,
    Sheet,
    fullest,
    of_one_sheet,
    require_exact,
    sheets_of,
    split_lines,
    text_rows,
)
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.wording import LEAST_PART, MOST_COMPARED, counted, did_you_mean

_COLUMN_NAMES = ("vertex", "node", "name", "id")
_HEADERS = {
    *(*_COLUMN_NAMES, "stop", "station", "place", "city", "town", "location", "site", "visit"),
    *("clinic", "hospital", "ward", "depot", "warehouse", "store", "shop", "branch", "school"),
    *("router", "host", "device", "hop", "port"),
    *("firm", "company", "supplier", "customer", "partner"),
}
"""Words that are headers, even where several vertices have names like them."""
_ORDERS = frozenset(
    {"step", "hop", "seq", "sequence", "order", "position", "no", "nr", "number", "index", "visit"}
    | {"date", "day", "time", "timestamp", "when", "arrival", "departure", "leg", "stop", "#", ""}
)
"""Words over a column beside the walk that counts its visits or says when they were."""
_APART = frozenset(
    {"trip", "walk", "route", "tour", "ride", "run", "journey", "patient", "case", "person", "user"}
    | {"vehicle", "bus", "shipment", "delivery", "parcel", "day", "date", "tag", "datum"}
)
"""Words over a column that tells several walks in one table apart."""
_DAYS = frozenset({"day", "date", "tag", "datum"})
"""Of these, words over days. A clock time behind a day tells no walks apart: it orders visits."""
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d+)?))?")
_ON_A_DAY = re.compile(r"(.+?)[T ](\d{1,2}:\d\d.*)")
_ARROW = re.compile(r"\s*(?:->|→|=>|>)\s*")
_NETWORKS = (".graphml", ".gexf", ".gml", ".parquet")
_TRACKS = (".gpx", ".geojson", ".kml", ".fit", ".tcx")

Known = Network | Mapping[str, str]
"""Where a name is looked up: in the network, or among the names of a table of codes."""


class Visits(NamedTuple):
    """The names of a walk, and a function that says where the file names each."""

    names: list[str]
    place: Callable[[int], str]


def read_walk(
    path: str | Path,
    *,
    network: Network | None = None,
    column: str | None = None,
    codes: Codes | None = None,
    note: Callable[[str], None] | None = None,
) -> Walk:
    r"""Return the walk in a file.

    Parameters
    ----------
    path
        See :func:`parse_walk` for the forms; JSON is known by its content, not by the suffix. Of an
        Excel workbook (``*.xlsx``) the one sheet is read that holds a walk.
    network
        If given, each step must be one of its links, and the error names the line that is not.
    column
        Which column of a table holds the vertices, by the word of its header or by number from 1.
    codes
        The table by which the file's names are codes of the network.
    note
        Gets what was decided: which line is a header, which column the walk.

    Raises
    ------
    BadFile
        Where the file is missing, empty, binary, cut off or of no known form.
    NotAWalk, UnknownVertex
        Where it is read well but holds no walk, or none through the network.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "walk.txt"
    ...     _ = path.write_text("a\nb\nc\n")
    ...     read_walk(path).vertices
    ('a', 'b', 'c')
    """
    suffix = Path(path).suffix.lower()
    if _ARROW.search(str(path)) and not Path(path).exists():
        raise BadFile(f"{path}: the walk is read from a file; write it into one")
    if suffix in _TRACKS:
        raise _track(str(path))
    if suffix in _NETWORKS or str(path).endswith((".veil", ".veil.json", ".age")):
        raise BadFile(
            f"{path}: is a {'network' if suffix in _NETWORKS else 'publication'}; were "
            "the arguments given in another order? The network comes before the walk"
        )
    parse = partial(parse_walk, network=network, column=column, codes=codes)
    if suffix != WORKBOOK:
        text = read_text(path, note=note or (lambda _: None))
        return parse(text, where=str(path), note=note)
    with open_file(path) as handle:
        sheets = sheets_of(handle, str(path))

    def read(sheet: Sheet, where: str) -> tuple[Walk, list[str]]:
        said: list[str] = []
        return parse(sheet.text, where=where, note=said.append), said

    (walk, said), taken = of_one_sheet(sheets, str(path), read, holds="the walk")
    if note is not None:
        for one in [f"{path}: {taken}", *said][not taken :]:
            note(one)
    return walk


def parse_walk(
    text: str,
    *,
    where: str = "walk",
    network: Network | None = None,
    column: str | None = None,
    codes: Codes | None = None,
    note: Callable[[str], None] | None = None,
) -> Walk:
    r"""Return the walk written in a text.

    Forms: a vertex on each line; a table (commas, semicolons, tabs) with a column of vertices; all
    vertices on one line with commas or arrows (``A > B > C``, ``A -> B``); a JSON list, or
    ``{"walk": [...]}``. ``#`` opens a comment line. A first line that is not a vertex of the
    network and like none, while the others are vertices, is a header. A line that is a vertex of
    the network is not split; other names with commas in them go into double quotes.

    Examples
    --------
    >>> parse_walk("a\nb\nc\nb\n").vertices
    ('a', 'b', 'c', 'b')
    >>> parse_walk("a > b > c") == parse_walk("a, b, c") == parse_walk('["a", "b", "c"]')
    True
    """
    tell, known = note or (lambda _: None), network if codes is None else codes.code_of
    if HARD_SPACE in text and not any(HARD_SPACE in name for name in network or ()):
        text = text.replace(HARD_SPACE, " ")
    if text.lstrip()[:1] == "<" and re.search(r"<(gpx|kml)\b", text[:1000]):
        raise _track(where)
    if text.lstrip()[:1] in {"[", "{"}:
        visits = _json_visits(text, where)
    else:
        visits = _line_visits(text, where, known, column, tell)
        require_exact(visits.names, visits.place)
    if len(visits.names) < 2:
        place = visits.place(0) if visits.names else where
        raise NotAWalk(
            f"{place}: the walk has {'one vertex' if visits.names else 'no vertex'}, expected two "
            "or more; write them on one line with commas, or, of one walk alone, each on its own"
        )
    names = visits.names if known is None else _in_its_letters(visits, known, tell)
    names = names if codes is None else codes.encode(names, visits.place)
    if network is None:
        return Walk(names)
    called = None if codes is None else codes.name_of
    try:
        return _walk_in(network, Walk(names), visits.place, tell, called)
    except UnknownVertex as error:
        wrong = UnknownVertex(f"{error}{codes_hint(network.vertices, codes)}")
        wrong.among_known = any(name in network for name in names)
        raise wrong from None


def _in_its_letters(visits: Visits, known: Known, note: Callable[[str], None]) -> list[str]:
    """Return the names of the visits, those in other capitals as the one vertex that is meant."""
    lacking = {name: name.casefold() for name in visits.names if name not in known}
    if not lacking:
        return visits.names
    alike = Counter(map(str.casefold, known))
    meant = {name.casefold(): name for name in known if alike[name.casefold()] == 1}
    sure = meant.keys() - _HEADERS  # such a word may be a header that was taken for a visit
    read = {name: meant[word] for name, word in lacking.items() if word in sure}
    for first in islice(read, 1):
        more = f", and {counted(len(read) - 1, 'more name')} likewise" if len(read) > 1 else ""
        place = visits.place(visits.names.index(first))
        note(f"{place}: {first!r} is read as {read[first]!r}{more}")
    return [read.get(name, name) for name in visits.names]


def _walk_in(
    network: Network,
    walk: Walk,
    place: Callable[[int], str],
    note: Callable[[str], None],
    called: Mapping[str, str] | None,
) -> Walk:
    """Return the walk; a label that vertices share is read as the only one with its links."""
    with suppress(UnknownVertex):
        walk.require_in(network, place, called)
        return walk
    names, every = list(walk), network.vertices
    for at, label in enumerate(walk):
        if label in network:
            continue
        alike = every[bisect_left(every, f"{label} (") : bisect_left(every, f"{label} )")]
        beside = [visit for visit in (at - 1, at + 1) if 0 <= visit < len(walk)]
        ends = [names[visit] for visit in beside if names[visit] in network]
        fits = [name for name in alike if all(network.has_edge(name, end) for end in ends)]
        if len(alike) < 2 or len(fits) != 1 or any(walk[visit] == label for visit in beside):
            break
        names[at] = fits[0]
        note(f"{place(at)}: {label!r} is read as {fits[0]!r}: the others lack the walk's link")
    read = Walk(names)
    read.require_in(network, place, called)
    return read


def _track(where: str) -> BadFile:
    """Return the refusal of coordinates, which are no vertices yet."""
    return BadFile(
        f"{where}: holds coordinates, expected names of vertices; match the track to the map first "
        "(LeuvenMapMatching, mappymatch or Valhalla's Meili do this), and give the matched vertices"
    )


def walks_of_table(text: str, where: str, known: Known) -> dict[str, str]:
    r"""Return the texts of several walks in one table, by what tells them apart.

    Nothing if the text is no such table: one whose header holds a word such as trip, patient or
    day, and no vertex.

    Raises
    ------
    BadFile
        If it is not clear which column is the walk, or what tells the walks apart.
    UnknownVertex
        If it names no vertex, for those seem to be codes.

    >>> network = Network.parse("ab bc")
    >>> walks_of_table("day,router\nmon,a\nmon,b\ntue,b\ntue,c\n", "x.csv", network)
    {'mon': 'vertex\na\nb', 'tue': 'vertex\nb\nc'}
    >>> walks_of_table("day,hop1,hop2\nmon,a,b\ntue,b,c\n", "x.csv", network)
    {'mon': 'vertex\na\nb', 'tue': 'vertex\nb\nc'}
    """
    lines = [line for line in text.split("\n") if line.strip() and line.lstrip()[0] != "#"]
    (header,) = split_lines(lines[:1]) or [[]]
    words = [cell.casefold() for cell in header]
    is_list = bool(lines) and (lines[0].lstrip()[0] in "[{" or _ARROW.search(lines[0]) is not None)
    if is_list or len(header) < 2 or len(lines) < 2 or any(cell in known for cell in header):
        return {}
    _, *rows = split_lines(lines)
    keys = [place for place, word in enumerate(words) if word in _APART]
    in_rows = _walks_in_rows(rows, keys, known) if keys else {}
    if in_rows:
        return in_rows
    hint = codes_hint(known)
    if hint and not any(cell in known for row in rows for cell in row):
        raise UnknownVertex(f"{where}: no cell is a vertex{hint}")
    if not keys:
        if {len(row) for row in rows} == {len(header)}:
            raise BadFile(
                f"{where}: the first line names no vertex, so it is the header of a table; let a "
                "word in it say what tells the walks apart (trip, patient, day), or remove it if "
                "each line is a walk"
            )
        return {}
    if {len(row) for row in rows} != {len(header)} or not all(row[k] for row in rows for k in keys):
        raise BadFile(f"{where}: a table of walks with lines of other columns, or an empty cell")
    timed = [
        k for k in keys if words[k] in _DAYS and any(_day_and_clock(row[k])[1] for row in rows)
    ]
    days = [place for place in keys if words[place] in {"day", "date"} or place in timed]

    def said(row: Sequence[str], places: Sequence[int]) -> str:
        return " ".join(_day_and_clock(row[k])[0] if k in timed else row[k] for k in places)

    if 0 < len(days) < len(keys):
        keys = [place for place in keys if place not in days]
        seen: dict[str, str] = {}
        for row in rows:
            if seen.setdefault(said(row, keys), said(row, days)) != said(row, days):
                raise BadFile(
                    f"{where}: {shorten(said(row, keys))} is there on several days; "
                    "let one column tell the walks apart, and remove the others"
                )
        keys += days
    names = {
        place: sum(row[place] in known for row in rows)
        for place in range(len(header))
        if place not in keys and words[place] not in _ORDERS - {"stop", "hop", "visit"}
    }
    likely = [place for place, many in names.items() if 2 * many >= len(rows)]
    if len(likely) != 1:
        both = " and ".join(shorten(header[place]) for place in likely) or "none"
        raise BadFile(
            f"{where}: one column must hold the vertices of the walks, and {both} seems to; remove "
            "the other columns"
        )
    kept = [place for place, word in enumerate(words) if word in _ORDERS or place in likely]
    kept = [place for place in kept if place not in keys]
    orders = [place for place in kept if place not in likely] if timed else []
    firsts: dict[str, list[str]] = {}
    for row in rows:
        firsts.setdefault(said(row, keys), [row[place] for place in orders])
    begins = next(iter(firsts.values()))
    for name, first in firsts.items():
        if first != begins:  # a walk over midnight would be cut in two
            raise BadFile(
                f"{where}: {shorten(name)} begins with {shorten(', '.join(first))}, others with "
                f"{shorten(', '.join(begins))}, so a walk may go on over midnight; let a column "
                "such as trip tell the walks apart"
            )
    if kept == likely:  # no other column orders the visits
        kept += timed
        header = ["time" if place in timed else word for place, word in enumerate(header)]
    header[likely[0]] = _COLUMN_NAMES[0]
    head = _line_of(header, kept)
    walks: dict[str, list[str]] = {}
    for row in rows:
        walks.setdefault(said(row, keys), [head]).append(_line_of(row, kept))
    return {name: "\n".join(lines) for name, lines in walks.items()}


def _walks_in_rows(
    rows: Sequence[Sequence[str]], keys: Sequence[int], known: Known
) -> dict[str, str]:
    """Return the walks of a table with a whole walk in each row, in one cell or in several."""
    found = {}
    for row in rows:
        rest = " > ".join(cell for place, cell in enumerate(row) if cell and place not in keys)
        visits = _ARROW.split(rest)
        if len(visits) < 2 or not all(visit in known for visit in visits):
            return {}
        key = " ".join(row[k] for k in keys if k < len(row))
        found[key] = "\n".join(["vertex", *(_line_of([visit], [0]) for visit in visits)])
    return found if len(found) == len(rows) else {}


def _line_of(row: Sequence[str], kept: Sequence[int]) -> str:
    """Return some cells of a row as a line of CSV."""
    line = StringIO()
    writer(line, lineterminator="").writerow([row[place] for place in kept])
    return line.getvalue()


def _json_visits(text: str, where: str) -> Visits:
    found, path = parse_json(text, where), ""
    if isinstance(found, dict):
        key = next((key for key in ("walk", "path", "vertices") if key in found), None)
        if key is None:
            raise BadFile(f"{where}: the object has no key 'walk', expected a list under it")
        found, path = found[key], key
    if not isinstance(found, list):
        raise BadFile(f"{where}, {path}: holds {shorten(found)}, expected a list of vertices")

    def place(number: int) -> str:
        return f"{where}, {path}[{number}]"

    known: dict[str, str] = {}
    for number, item in enumerate(found):
        require_name(item, place(number))
        if not isinstance(item, str):
            text = str(item)
            found[number] = known.setdefault(text, text)  # one text for all visits of a vertex
    return Visits(found, place)


def _line_visits(
    text: str,
    where: str,
    known: Known | None,
    column: str | None,
    note: Callable[[str], None],
) -> Visits:
    above = 0 if known is None else _lines_above(text, known, column)

    def rows() -> Iterator[Row]:  # gone over more than once, and never held
        lines, expected = StringIO(text, newline="\n"), "a vertex on each line"
        return text_rows(lines, where, expected=expected, otherwise=",", above=above)

    if above:
        note(f"{where}: the table begins in line {above + 1}, under a title")
    if known is not None and column is None:
        whole = _whole_lines(text, known, above)
        if whole:
            numbered = list(whole)
            return Visits(list(whole.values()), lambda visit: f"{where}, line {numbered[visit]}")
    opening = list(islice(rows(), 2))
    number, cells = opening[0]
    if len(opening) == 1 and column is None:
        if known is None or not all(cell in known for cell in cells):
            line = cells[0] if len(cells) == 1 else text.split("\n")[number - 1].strip()
            steps = _ARROW.split(line)
            cells = [step.strip('"') for step in steps] if len(steps) > 1 else cells
        if not all(cells):
            raise _nameless(f"{where}, line {number}")
        return Visits(cells, lambda _: f"{where}, line {number}")
    chosen, header = _column(rows, where, known, column, text)
    is_table = len(cells) > 1
    if column is None and is_table:
        name = shorten(cells[chosen]) if header else f"{chosen + 1}"
        note(f"{where}: column {name} is read as the walk")
    elif column is None and header and cells[0].casefold() not in _HEADERS:
        note(f"{where}, line {number}: {shorten(cells[0])} is no vertex; it is read as a header")
    names, numbers = [], array("q")
    if header and is_table and column is None:
        _require_in_order(rows(), where, chosen, note)
    for number, cells in islice(rows(), int(header), None):
        if len(cells) <= chosen or (len(cells) > 1 and not is_table):
            raise BadFile(
                f"{where}, line {number}: found {len(cells)} columns, expected a vertex in column "
                f"{chosen + 1}; put names with commas in them into double quotes, or remove the "
                "line if it is no visit (a total, a comment)"
            )
        if not cells[chosen]:
            raise _nameless(f"{where}, line {number}")
        names.append(cells[chosen])
        numbers.append(number)
    return Visits(names, lambda visit: f"{where}, line {numbers[visit]}")


def _lines_above(text: str, known: Known, column: str | None) -> int:
    """Return how many lines are above the header: a title.

    The header is the line that has the word asked for, or the last one above the first that names a
    vertex. Lines above are a title if they are like no vertex, and if the header has a known word
    or more cells than they: others may be visits to vertices that the network lacks.
    """
    is_word = column is not None and not column.isdecimal() and column not in known
    above: list[tuple[int, list[str]]] = []
    head = text.split("\n", SAMPLE)[:SAMPLE]
    for number, (line, cells) in enumerate(zip(head, split_lines(head), strict=True)):
        filled = [cell for cell in cells if cell]
        if is_word and str(column).casefold() in map(str.casefold, cells):
            return number
        if line.strip() in known or any(cell in known for cell in filled):
            break
        if not is_word and not all(_is_header(cell, known) for cell in filled):
            return 0
        above += [(number, filled)] if filled and filled[0][0] != "#" else []
    else:
        return 0
    if len(above) < 2 or is_word:
        return 0
    start, header = above[-1]
    is_known = any(cell.casefold() in _HEADERS for cell in header)
    return start if is_known or all(len(row) < len(header) for _, row in above[:-1]) else 0


def _whole_lines(text: str, known: Known, above: int) -> dict[int, str]:
    """Return the names by line, if one with commas is a vertex as it is written; else nothing."""
    lines = (line.strip() for line in StringIO(text, newline="\n"))
    if not any("," in line and line in known for line in lines):
        return {}
    every = enumerate(text.split("\n"), start=1)
    written = {
        n: line.strip() for n, line in every if n > above and line.strip()[:1] not in {"", "#"}
    }
    first = next(iter(written))
    second = next(islice(written.values(), 1, 2), "")
    if second in known and _is_header(written[first], known):
        del written[first]
    return {n: line if line in known else line.strip('"') for n, line in written.items()}


def _column(
    rows: Callable[[], Iterator[Row]], where: str, known: Known | None, asked: str | None, text: str
) -> tuple[int, bool]:
    """Return which column holds the vertices, and whether the first line is a header."""
    number, cells = next(rows())
    words = [cell.casefold() for cell in cells[:MOST_COLUMNS]]
    if asked is not None:
        if asked.casefold() in words:
            return words.index(asked.casefold()), True
        if asked.isdecimal() and 0 < int(asked) <= len(cells):
            place = int(asked) - 1
            return place, known is not None and _is_header(cells[place], known)
        raise BadFile(
            f"{where}: no column is called {shorten(asked)}; take one of "
            + ", ".join(map(shorten, fullest(text.split("\n", SAMPLE)[:SAMPLE])[:12]))
        )
    if known is not None and len(cells) == 1:
        second = next(islice(rows(), 1, 2))[1]
        is_word = words[0] in _HEADERS
        return 0, (is_word or second[0] in known) and _is_header(cells[0], known)
    if known is not None:
        fits, nearly = _fitting(rows(), known)
        named = [place for place, word in enumerate(words) if word in _COLUMN_NAMES]
        rivals = {*nearly, *named} - {*fits}
        if len(fits) == 1 and not rivals and not _numbers_lines(rows(), fits[0]):
            return fits[0], _is_header(cells[fits[0]], known)
        if len(fits) == 1 and rivals:
            both = " and ".join(shorten(cells[place]) for place in sorted({*fits, *rivals}))
            raise BadFile(
                f"{where}: columns {both} could both be the walk, and one of them has a name that "
                "is no vertex; correct it, or say which column with --column"
            )
    for word in _COLUMN_NAMES if len(cells) > 1 else _COLUMN_NAMES[:2]:
        if word in words:
            return words.index(word), known is None or cells[words.index(word)] not in known
    if len(cells) == 1:
        return 0, False
    if known is not None and len(nearly) == 1 and not fits:
        # The few others are misspelt: said by their lines.
        return nearly[0], _is_header(cells[nearly[0]], known)
    if any("lat" in word for word in words) and any("lon" in word for word in words):
        raise _track(where)
    raise BadFile(
        f"{where}, line {number}: found {len(cells)} columns, and it is not clear which holds the "
        "vertices; say which with --column NAME or --column 2, or give one column; or were the "
        "arguments given in another order? NETWORK comes before WALK"
        + ("" if known is None else codes_hint(known))
    )


def _is_header(cell: str, known: Known) -> bool:
    """Return whether the first cell of a column is its header: no vertex, and like none."""
    names = known.vertices if isinstance(known, Network) else tuple(known)
    word = cell.casefold()
    if cell in known:
        return False
    if word in _HEADERS:  # but "Port" may be "Porto"; it is a header over "port1" and "port2"
        return len(names) > MOST_COMPARED or len(get_close_matches(cell, names, 2, 0.75)) != 1
    longer = (name.casefold() for name in names if len(name) >= LEAST_PART)
    is_part = len(word) >= LEAST_PART and any(word in name or name in word for name in longer)
    return not is_part and not did_you_mean(cell, names)


def _fitting(rows: Iterator[Row], known: Known) -> tuple[list[int], list[int]]:
    """Return the columns whose cells below the first line are all vertices, and mostly."""
    hits, lines = [0] * min(len(next(rows)[1]), MOST_COLUMNS), 0
    for _, cells in rows:
        lines += 1
        for place, cell in enumerate(cells[: len(hits)]):
            hits[place] += cell in known
    return (
        [place for place, count in enumerate(hits) if count == lines],
        [place for place, count in enumerate(hits) if 2 * count >= lines],
    )


def _require_in_order(
    rows: Iterator[Row], where: str, chosen: int, note: Callable[[str], None]
) -> None:
    """Raise if a column beside the walk says that its lines are several walks, or out of order."""
    _, words = next(rows)
    beside: dict[int, list[str]] = {  # other columns are not held
        place: []
        for place, word in enumerate(words)
        if place != chosen and word.casefold() in _ORDERS | _APART
    }
    for _, row in rows if beside else ():
        for place, column in beside.items():
            column += row[place : place + 1]
    fix = "sort the lines, give several walks to batch, or name the walk's column with --column"
    for place, column in beside.items():
        word = words[place]
        if len({*column}) < 2:
            continue
        if word.casefold() not in _ORDERS:
            raise BadFile(
                f"{where}: column {shorten(word)} tells {len({*column})} walks apart; {fix}"
            )
        at = _moments(column)
        if at is None:
            note(f"{where}: lines are taken in their order, whatever column {shorten(word)} says")
            continue
        falls = [k for k in range(1, len(at)) if at[k] < at[k - 1]]
        if len(falls) > int(all(map(_CLOCK.fullmatch, column))):  # a walk may pass midnight once
            k = falls[0]
            raise BadFile(
                f"{where}: column {shorten(word)} says {shorten(column[k])} after "
                f"{shorten(column[k - 1])}, so these are several walks, or lines in another order; "
                f"{fix}"
            )


def _moments(column: Sequence[str]) -> list[float] | None:
    """Return numbers that are in the order of what a column says; None if it is not understood."""
    for read in (float, _clock, lambda cell: datetime.fromisoformat(cell).timestamp()):
        with suppress(ValueError, OverflowError):
            return [read(cell) for cell in column]
    days, clocks = zip(*map(_day_and_clock, column), strict=True)
    with suppress(ValueError):
        return [_clock(cell) for cell in clocks] if len({*days}) == 1 else None
    return None


def _day_and_clock(cell: str) -> tuple[str, str]:
    """Return the day and the clock time in a cell; one that holds no clock time is all day.

    >>> _day_and_clock("02.11.2026 12:50:03"), _day_and_clock("2026-11-02")
    (('02.11.2026', '12:50:03'), ('2026-11-02', ''))
    """
    found = _ON_A_DAY.fullmatch(cell)
    return (found[1].rstrip(", "), found[2]) if found is not None else (cell, "")


def _clock(cell: str) -> float:
    found = _CLOCK.fullmatch(cell)
    if found is None:
        raise ValueError(cell)
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def _numbers_lines(rows: Iterator[Row], place: int) -> bool:
    """Return whether a column counts from 0 or 1 on, under no word that names vertices."""
    word, start = (cells[place] for _, cells in islice(rows, 2))
    if start not in {"0", "1", "2"} or word.casefold() in _COLUMN_NAMES:
        return False
    return all(cells[place] == str(n) for n, (_, cells) in enumerate(rows, int(start) + 1))


def _nameless(place: str) -> BadFile:
    return BadFile(f"{place}: an empty name, expected the name of a vertex; remove it")
