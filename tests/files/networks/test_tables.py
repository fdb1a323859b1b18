"""Tables of links: which columns are meant, and that both readers read the same."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadFile, NotSimple, PathveilError
from pathveil.files.networks import tables
from pathveil.files.networks.network_reader import parse_network, read_network, read_row
from pathveil.files.text_tables import KNOWN_WORDS, end_columns, parse_columns
from pathveil.files.walks import parse_walk, read_walk

TRIANGLE = (("a", "b"), ("a", "c"), ("b", "c"))
BODY = "anna,bo\nbo,cy\ncy,anna\n"


# -- columns ------------------------------------------------------------------------------------


def test_known_words_are_a_header_over_two_columns() -> None:
    for header, ends in (
        ("source,target", (0, 1)),
        ("source_id,source_name,target_id,target_name", (0, 2)),
        ("id,supplier,customer", (1, 2)),
        ("Target Node,Weight,Source Node", (2, 0)),
        ("from-station,to-station,minutes", (0, 1)),
        ("x,target,Source,target,source", (2, 1)),
        ("Lieferant,Teil,Empfa\u0308nger", (0, 2)),
        ("Destinataire,Expéditeur", (1, 0)),
        ("Lieferant,Empfänger,von,bis", (0, 1)),
        ("no,from_ward,to_ward,from_bed,to_bed", (1, 2)),
        ("minutes,Nach Bahnhof,Von Bahnhof", (2, 1)),
        ("start-ward,from_ward,to-ward", (1, 2)),
    ):
        columns = end_columns(header.split(","), "x.csv")
        assert (columns.left, columns.right) == ends, header
        assert columns.header
    for first, second in KNOWN_WORDS:  # no pair hides another
        assert end_columns(["weight", second, first], "x.csv").header == (first, second)
    for vertices in (
        ["ida", "vera"],
        ["u_1", "v_1"],
        ["from Rome", "to Ulm"],
        ["fromage", "tomage"],
    ):
        assert not end_columns(vertices, "x.csv").header
    # A link of such vertices is one: a line below names one of them.
    firms = "supplier Ulm,customer Ulm\ncustomer Ulm,Rome\n"
    assert len(parse_network(firms).links) == 2
    # Words that a later line names are vertices.
    assert parse_network("von,an\nan,bei\n").links == (("an", "bei"), ("an", "von"))
    assert parse_network(f"Source ID;Target ID\n{BODY.replace(',', ';')}").vertices[0] == "anna"


def test_columns_are_named_by_word_or_number() -> None:
    asked = end_columns(["No", "Left", "Right"], "x.csv", ("right", "Left"))
    assert (asked.left, asked.right, asked.asked) == (2, 1, True)
    assert end_columns(["1", "2", "3"], "x.csv", ("2", "3")).header == ()
    # A header of known words is one whichever way its columns are named.
    assert end_columns(["source", "target"], "x.csv", ("2", "1")).header == ("target", "source")
    for chosen in (("x", "b"), ("a", "A"), ("B", "a"), ("1", "4"), ("0", "1")):
        with pytest.raises(BadFile):
            end_columns(["a", "b", "b"], "x.csv", chosen)
    for text in ("a", "a,b,c", "a,", ",b", "a,a", ""):
        with pytest.raises(BadFile):
            parse_columns(text)


def test_a_header_of_unknown_words_is_asked_about() -> None:
    """With largest_component it was a link of its own component, dropped or, in a tie, kept."""
    numbered = "1,anna,bo\n2,bo,cy\n3,cy,dan\n"
    for text in (f"firma,kunde\n{BODY}", numbered, f"nr,a,b\n{numbered}", f",a,b\n{numbered}"):
        for largest in (False, True):
            with pytest.raises(BadFile, match=r"line 1: .*network clean FILE -o NEW.csv --columns"):
                parse_network(text, largest_component=largest)
    asked = "it is not clear which columns hold the two ends of a link; name them: pathveil network"
    with pytest.raises(BadFile, match=f"line 1: 'firma', 'kunde': {asked}"):
        parse_network(f"firma,kunde\n{BODY}")
    assert len(parse_network(f"firma,kunde\n{BODY}", columns=("firma", "kunde"))) == 3
    assert len(parse_network(numbered, columns=("2", "3"))) == 4
    assert len(parse_network("0,1,0.5\n1,2,0.5\n2,3,0.5\n")) == 4  # a path, with weights
    alone = parse_network("x,y\na,b\nb,c\n", columns=("1", "2"), largest_component=True)
    assert alone.vertices == ("a", "b", "c")
    assert parse_network("anna,bo\n").links == (("anna", "bo"),)


def test_a_few_links_need_not_be_a_network(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("x,y\nanna,bo\nv,w\n")
    assert read_row(path, "anna") == ("bo",)
    path.write_text("nr,firma,kunde\n1,anna,bo\n2,cy,anna\n")
    with pytest.raises(BadFile):
        read_row(path, "1")


@pytest.mark.regression("R leaves out the header's first word: a fault, or links to line numbers")
def test_a_header_over_the_numbers_of_the_lines_has_an_empty_cell() -> None:
    for mark, first in ((",", 1), (";", 0), (" ", 1)):
        rows = "".join(f"{i},{row},2\n" for i, row in enumerate(BODY.split(), start=first))
        known = f"from,to,w\n{rows}".replace(",", mark)
        assert parse_network(known).vertices == ("anna", "bo", "cy")
        careful, fast = both(known.encode())
        assert fast == careful
        unknown = f"firma,kunde,w\n{rows}".replace(",", mark)
        with pytest.raises(BadFile, match="--columns 2,3"):
            parse_network(unknown)
        for chosen in (("firma", "kunde"), ("2", "3")):
            assert len(parse_network(unknown, columns=chosen)) == 3


@pytest.mark.regression("a table with rows longer than its first line was a fault of the program")
def test_rows_longer_than_the_first_line_are_asked_about() -> None:
    with pytest.raises(BadFile, match=r"line 1: 'firma', 'kunde': has 2 cells"):
        parse_network("firma,kunde\nr1,anna,bo\nr2,bo,cy\nr3,cy,anna\n")
    # The first column names vertices: it is no count of lines.
    assert len(parse_network("from,to\n1,2,road\n2,3,road\n3,4,rail\n")) == 4


# -- two readers --------------------------------------------------------------------------------


def both(content: bytes) -> tuple[Any, Any]:
    """What the careful reader and pyarrow's make of a file; None where pyarrow's gives up."""

    def shown(read: Any) -> Any:
        try:
            handle = io.BytesIO(content)
            opening = next(tables._rows(handle, "x.csv"))
            raw = read(handle, "x.csv", opening, end_columns(opening[1], "x.csv"))
        except PathveilError:
            return "refused"
        if raw is None:
            return None
        return [(*raw.link(i), raw.place(i)) for i in range(len(raw.left))]

    return shown(tables._careful), shown(tables._fast)


ROWS = (
    "source,target\na,b\nb,c\n",
    "a;b;x\nb;c;y\n",
    "\ufeffa,b\r\nb,c\r\nc,NA\r\n",
    "# c\n# d\n007 7\n7 null\n",
    '"a","b,c"\n"b,c","d"\n',
    "u,v\nv,w\n",
    " a , b\nb, c \n",
    "source,target\n" + "a,b\n" * 3,
)


def test_pyarrow_reads_what_it_should() -> None:
    for text in ROWS:
        careful, fast = both(text.encode())
        assert fast == careful, text
        assert isinstance(fast, list)


OTHERS = (
    "a,b\n\n# x\nb,c\n",
    "a,b\n#x,y\n",
    'a,b\nb,"c"d\n',
    'a,b,x\nb,c,"y\nc,d,e"\n',
    "a,b\nb,c,d\n",
    "a,b\nb\n",
    "a  b\nb c\n",
    '"a" b\nb c\n',
    "a,b\rb,c\n",
    "a,b\nb,\n",
    'a,"b""c"\n',
    "a,b\n # x,y\n",
)


def test_pyarrow_gives_up_what_it_would_read_otherwise() -> None:
    for text in OTHERS:
        careful, fast = both(text.encode())
        assert fast is None or fast == careful, text


@pytest.mark.regression("a space at which no line breaks made a second vertex")
def test_a_hard_space_is_a_space() -> None:
    text = "from,to\na,b c\nb\u00a0c,d\n"
    network = parse_network(text)
    assert network.vertices == ("a", "b c", "d") == parse_walk("a\nb\u00a0c\nd").vertices
    kept = parse_network('[["a", "b\u00a0c"]]')
    assert parse_walk("a\nb\u00a0c\n", network=kept).vertices == kept.vertices
    careful, fast = both(text.encode())
    assert fast is None
    assert len(careful) == 2


@pytest.mark.regression("a row of totals was refused, with the advice that had been taken")
def test_a_row_that_names_neither_end_is_passed_over() -> None:
    text = "x,y,tons\na,b,1\nb,c,2\n,,3\n,,4\n"
    for rows, columns in ((text.replace("x,y", "u,v"), None), (text, ("x", "y"))):
        raw = tables.raw_of_table(io.BytesIO(rows.encode()), "x.csv", columns=columns)
        assert len(raw.left) == 2
        assert raw.remarks == ["x.csv, line 4 and 1 more: passed over: no second end of a link"]


@pytest.mark.regression("a total or a firm without links stopped the whole file")
def test_a_row_with_one_end_is_passed_over_if_it_is_the_first() -> None:
    text = "from,part,to\na,x,b\nb,y,c\nTotal,3,\n"
    raw = tables.raw_of_table(io.BytesIO(text.encode()), "x.csv")
    assert (len(raw.left), raw.names) == (2, ["a", "b", "c"])
    passed = "x.csv, line 4: passed over: no second end of a link beside 'Total'"
    assert raw.remarks[1:] == [passed]
    # A cell that spans several lines leaves the first end empty: these are links.
    with pytest.raises(BadFile, match=r"line 3: found '', 'x', 'c', expected .*--columns 1,3"):
        parse_network("from,part,to\na,x,b\n,x,c\nb,x,a\n")


@pytest.mark.regression("a total under the second end stopped the whole file")
def test_a_row_of_totals_is_passed_over_under_either_end() -> None:
    text = "Nr;Lieferant;Empfänger;Wert\n1;a;b;3\n2;b;c;4\n;;{};7,00\n"
    for word in ("Summe", "TOTAL:", "Total général", "Zwischen-Summe"):
        raw = tables.raw_of_table(io.BytesIO(text.format(word).encode()), "x.csv")
        assert raw.names == ["a", "b", "c"]
        assert raw.remarks[1:] == [
            f"x.csv, line 4: passed over: no second end of a link beside {word!r}"
        ]
    for more in ("d", "Summe Ost", "Summe\n3;b;Summe;1"):  # a firm may have any name
        with pytest.raises(BadFile, match=r"line 4: found '', '', "):
            parse_network(text.format(more))


@pytest.mark.regression("what Excel calls CSV was refused, with a command for another program")
def test_windows_1252_is_read_and_said(tmp_path: Path) -> None:
    path, said = tmp_path / "x.csv", list[str]()
    path.write_bytes("von,nach,°C\nKöln,Ulm,5\nUlm,St. Ägid,-3\n".encode("cp1252"))
    assert read_network(path, note=said.append).vertices == ("Köln", "St. Ägid", "Ulm")
    assert said[0] == f"{path}: is no UTF-8 and is read as Windows-1252: 'von,nach,°C'"
    walk = tmp_path / "w.txt"
    walk.write_bytes("Köln > Ulm".encode("cp1252"))
    assert read_walk(walk, note=said.append).vertices == ("Köln", "Ulm")
    assert "Windows-1252" in said[-1]
    # Other encodings, and a mixture, are refused as before.
    for content in ("Köln,Ulm\n".encode("mac_roman"), "Köln,ü".encode() + "Köln".encode("cp1252")):
        path.write_bytes(b"from,to\n" + content)
        with pytest.raises(BadFile, match=r"line 2: byte 0x.. is not UTF-8"):
            read_network(path)


@pytest.mark.regression("the columns named in the advice were the wrong ones")
def test_the_advice_under_a_title_names_the_columns_that_share_names() -> None:
    text = "Dostawcy 2026;;\nod;towar;do\na;x;b\nb;x;c\n"
    with pytest.raises(BadFile, match="--columns 1,3"):
        parse_network(text)
    assert len(parse_network(text, columns=("1", "3"))) == 3


@pytest.mark.regression("two spellings of one firm were two vertices, and nobody was told")
def test_names_that_look_alike_are_told_of(tmp_path: Path) -> None:
    path, said = tmp_path / "x.csv", list[str]()
    path.write_text("Acme Ltd,b\nb,ACME  ltd\n")
    read_network(path, note=said.append)
    told = f"{path}: 'ACME  ltd' and 'Acme Ltd' are two vertices, not one"
    assert said == [told]
    path.write_text("Acme Ltd,b\nb,ACME  ltd\nb,c\nc,B\nc,acme ltd\n")
    read_network(path, note=said.append)
    assert said[1:] == [f"{told} (and 3 more pairs)"]


@pytest.mark.regression("of a file with lone returns the first link alone was read, or none")
@pytest.mark.parametrize("text", ["a b\rb c\r", "a,b\rb,c\r"])
def test_a_lone_return_ends_no_line(text: str) -> None:
    with pytest.raises(BadFile, match="line 1: a carriage return stands alone"):
        parse_network(text)


PIECES = st.sampled_from(
    [*"ab,;\t \n\n\"'#0é\u00a0\x00\x1f\r", "a,b\n", '"c",d\n', "\r\n", "007", "NA"]
)


@given(st.lists(PIECES, max_size=14).map("".join), st.sampled_from(["a,b\n", "a;b\n", "a b\n", ""]))
def test_both_readers_read_the_same(text: str, opening: str) -> None:
    careful, fast = both((opening + text).encode())
    assert fast is None or fast == careful


def test_a_large_file_is_read_by_pyarrow_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "SMALL", 0)
    monkeypatch.setattr(tables, "BLOCK", 1000)
    monkeypatch.setattr(tables, "_WAITING", 160)
    path = tmp_path / "ring.csv"
    path.write_text("from,to\n" + "".join(f"{i},{(i + 1) % 2000}\n" for i in range(2000)))
    notes: list[str] = []
    network = read_network(path, note=notes.append)
    assert (len(network), len(network.links)) == (2000, 2000)
    assert network.vertices == tuple(sorted(map(str, range(2000))))
    assert len(notes) == 1
    with path.open("a") as handle:
        handle.write("8,7\n")
    with pytest.raises(NotSimple, match=r"line 2002: .* \(line 9\)"):
        read_network(path)


# -- Parquet ------------------------------------------------------------------------------------


def table(folder: Path, columns: dict[str, Any], name: str = "x.parquet") -> Path:
    pq.write_table(pa.table(columns), folder / name)
    return folder / name


def test_a_parquet_table_is_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_BATCH", 2)
    monkeypatch.setattr(tables, "_WAITING", 2)
    for columns in (
        {"source": ["a", "b", "c"], "target": ["b", "c", "a"]},
        {"weight": [1.0, 2.0, 3.0], "u": ["a", "b", "c"], "v": ["b", "c", "a"]},
        {"first": ["a", "\u00a0b ", "c"], "second": ["b", "c", "a"]},
        {"u": pa.array(["a", "b", "c"]).dictionary_encode(), "v": ["b", "c", "a"]},
    ):
        assert read_network(table(tmp_path, columns)).links == TRIANGLE
        assert read_network(table(tmp_path, columns, "x.dat")).links == TRIANGLE
        assert read_row(tmp_path / "x.parquet", "a") == ("b", "c")
    numbers = read_network(table(tmp_path, {"u": [1, 2], "v": [2, 3]}))
    assert numbers.vertices == ("1", "2", "3")


def test_a_folder_of_parquet_files_is_one_table(tmp_path: Path) -> None:
    table(tmp_path, {"u": ["a", "b"], "v": ["b", "c"]}, "1.parquet")
    table(tmp_path, {"u": ["c"], "v": ["a"]}, "2.parquet")
    assert read_network(tmp_path).links == TRIANGLE
    table(tmp_path, {"u": ["b"], "v": ["a"]}, "3.parquet")
    with pytest.raises(NotSimple, match=r"row 1 of 3\.parquet"):
        read_network(tmp_path)


def test_a_parquet_table_that_holds_no_links_is_refused(tmp_path: Path) -> None:
    empty = pa.array([], pa.string())
    for columns in (
        {"u": ["a"]},
        {"u": ["a"], "v": [1.5]},
        {"u": ["a", None], "v": ["b", "c"]},
        {"u": ["a", " "], "v": ["b", "c"]},
        {"u": empty, "v": empty},
        {"nr": [1, 2], "firma": ["a", "b"], "kunde": ["b", "c"]},
    ):
        with pytest.raises(BadFile):
            read_network(table(tmp_path, columns))
    path = table(tmp_path, {"nr": [1, 2], "firma": ["a", "b"], "kunde": ["b", "c"]})
    assert read_network(path, columns=("firma", "kunde")).links == (("a", "b"), ("b", "c"))
    for length in (4, 20, 200):
        cut = tmp_path / "cut.parquet"
        cut.write_bytes(path.read_bytes()[:length])
        with pytest.raises(BadFile):
            read_network(cut)


@pytest.mark.regression("a damaged list of names in a Parquet file was a fault of the program")
def test_a_damaged_parquet_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"u": ["a", "b", "c"], "v": ["b", "c", "a"]}), path, compression="none")
    whole, refused = path.read_bytes(), 0
    for place in range(4, 200):  # the columns; then come the facts about them
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        try:
            read_network(path)
        except BadFile:
            refused += 1
    assert refused


@pytest.mark.regression
def test_a_long_name_in_many_rows_takes_its_room_once(tmp_path: Path) -> None:
    """A small file of one name of a megabyte in 3,000 rows took gigabytes."""
    pool = pa.proxy_memory_pool(pa.default_memory_pool())
    before = pa.default_memory_pool()
    bomb = table(tmp_path, {"u": ["x" * 10**6] * 300, "v": ["y" * 10**6] * 300})
    pa.set_memory_pool(pool)
    try:
        with pytest.raises(BadFile, match="has 1,000,000 characters, expected at most 20,000"):
            read_network(bomb)
    finally:
        pa.set_memory_pool(before)
    assert pool.max_memory() < 50 * 10**6
    with pytest.raises(BadFile, match="20,001 characters"):
        parse_network(f"a {'b' * 20_001}")
    u = pa.array(["a", "b", "c", "nobody"]).dictionary_encode()[:3]
    assert read_network(table(tmp_path, {"u": u, "v": ["b", "c", "a"]})).links == TRIANGLE
    u = pa.DictionaryArray.from_arrays(pa.array([2, 0, 3]), ["a", "", "b", "c", 'no\n"body'])
    assert read_network(table(tmp_path, {"u": u, "v": ["c", "b", "a"]})).links == TRIANGLE


Rows = list[tuple[object, ...]]


def workbook(path: Path, **sheets: Rows) -> Path:
    book = pytest.importorskip("openpyxl").Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_workbook_of_links_is_a_table(tmp_path: Path) -> None:
    rows: Rows = [("Nr", "from", "to"), (1, "Köln", 7), (2, 7, "Ulm, Ost")]
    read = read_network(workbook(tmp_path / "links.xlsx", A=rows))
    assert read.links == (("7", "Köln"), ("7", "Ulm, Ost"))


COVER: Rows = [("Supplier network",), (), ("Author", "Ann"), ("Date", 2026)]
TITLED: Rows = [("As of June",), (), ("from", "to"), ("a", "b"), ("b", "c")]
BARE: Rows = [("a", "b"), ("b", "c")]


@pytest.mark.regression("a cover sheet or a title above the table was refused")
@pytest.mark.parametrize(
    ("sheets", "said"),
    [
        ({"Cover": COVER, "Links": TITLED}, "sheet 'Links' is read"),
        ({"Cover": COVER, "Links": BARE}, "sheet 'Links' is read"),
        ({"Nodes": [("a", "FR"), ("b", "FR"), ("c", "FR")], "Links": TITLED}, "sheet 'Links' is"),
        ({"Links": TITLED, "Empty": []}, "begins in line 3, under a title"),
        ({"Links": [("Author", "Ann", ""), *TITLED]}, "begins in line 4, under a title"),
    ],
)
def test_the_sheet_and_the_row_that_fit_are_taken(
    tmp_path: Path, sheets: dict[str, Rows], said: str
) -> None:
    notes: list[str] = []
    network = read_network(workbook(tmp_path / "x.xlsx", **sheets), note=notes.append)
    assert network.links == (("a", "b"), ("b", "c"))
    assert said in notes[0]


def test_two_sheets_that_fit_are_asked_about(tmp_path: Path) -> None:
    other: Rows = [("od", "do"), ("a", "c"), ("c", "b")]
    path = workbook(tmp_path / "x.xlsx", A=TITLED, B=TITLED, C=other)
    advice = "'A' and sheet 'B' could each hold links; save the sheet that is meant in a workbook"
    for columns in (None, ("from", "to")):  # naming them was the advice, and failed again
        with pytest.raises(BadFile, match=advice):
            read_network(path, columns=columns)
    assert read_network(path, columns=("od", "do")).links == (("a", "c"), ("b", "c"))
    with pytest.raises(BadFile, match="sheet 'B', line 2"):
        read_network(workbook(path, A=COVER, B=[("from", "to"), ("", "a"), *COVER]))


@pytest.mark.regression("two numbers of 17 digits became one vertex")
def test_a_number_that_excel_rounded_is_no_name(tmp_path: Path) -> None:
    long = 12345678901234567
    rows: Rows = [("from", "to", "bill"), ("a", "b", long), ("b", "c", 1e16)]
    assert read_network(workbook(tmp_path / "x.xlsx", A=rows)).vertices == ("a", "b", "c")
    for number in (long, float(long), 10**15):
        with pytest.raises(BadFile, match="15 digits"):
            read_network(workbook(tmp_path / "x.xlsx", A=[*rows, ("c", number)]))
    network = read_network(workbook(tmp_path / "x.xlsx", A=[*rows, ("c", 7.0), ("c", str(long))]))
    assert {"7", str(long)} < {*network.vertices}


@pytest.mark.regression("a title above the header was refused")
@pytest.mark.parametrize(
    "text", ["Links 2026\n\nfrom;to\na;b\nb;c\n", "by,Ann\nfrom,to\na,b\nb,c\n"]
)
def test_a_title_is_above_a_header(text: str) -> None:
    assert parse_network(text, where="x.csv").links == (("a", "b"), ("b", "c"))


@pytest.mark.parametrize(
    "text",
    [
        "Genf\na,b\nb,c\n",  # half a link, and no header
        "a,x\nfrom,to\na,b\nb,c\n",  # a link, for a is named below
        "x,y\na,b\nb,c\n",
    ],
)
def test_what_may_be_a_link_is_no_title(text: str) -> None:
    for columns in (None, ("a", "b")):
        with pytest.raises(PathveilError):
            parse_network(text, where="x.csv", columns=columns)


def test_words_that_a_user_names_are_found_under_a_title() -> None:
    table = "Lieferant,Kunde\na,b\nb,c\n"
    for title, columns in (("Netz, 2026", ("Lieferant", "Kunde")), ("Netz 2026", ("1", "2"))):
        read = parse_network(f"{title}\n{table}", where="x.csv", columns=columns)
        assert read.links == (("a", "b"), ("b", "c"))
        with pytest.raises(BadFile, match="'Lieferant', 'Kunde'"):
            parse_network(f"Netz 2026\n\n{table}", where="x.csv", columns=("Lieferant", "Buyer"))


@pytest.mark.regression("a workbook of two cells, far apart, took all memory")
def test_a_sheet_that_is_said_to_be_huge_is_refused(tmp_path: Path) -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    book.active["A1"], book.active["XFD1048576"] = "a", "b"
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(BadFile, match="cells"):
        read_network(tmp_path / "far.xlsx")


def test_a_formula_counts_if_its_value_is_there(tmp_path: Path) -> None:
    """An empty text is a value; a formula that nobody has worked out is refused."""
    path, stored = tmp_path / "x.xlsx", tmp_path / "stored.xlsx"
    workbook(path, A=[("from", "to"), ("a", "b"), ("b", "c"), ('=IF(1,"","x")', "")])
    with pytest.raises(BadFile, match="cell A4 is a formula whose value is not in the file"):
        read_network(path)
    with ZipFile(path) as given, ZipFile(stored, "w") as made:
        for name in given.namelist():
            content = re.sub(
                rb'<c r="A4">(<f>.*?</f>)<v ?/>', rb'<c r="A4" t="str">\1<v></v>', given.read(name)
            )
            made.writestr(name, content)
    assert read_network(stored).vertices == ("a", "b", "c")


@pytest.mark.regression("a cover sheet with one row was taken for the network")
def test_a_sheet_of_one_row_is_no_network(tmp_path: Path) -> None:
    links: Rows = [("LIEF", "ABN", "amount"), ("a", "b", 3), ("b", "c", 4)]
    path = workbook(tmp_path / "x.xlsx", Cover=[("Export", "SAP 2026")], Data=links)
    with pytest.raises(BadFile, match=r"sheet 'Data'.*--columns LIEF,ABN"):
        read_network(path)
