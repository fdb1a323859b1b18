"""Walks from files."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from pathveil.errors import BadFile, NameClash, NotAWalk, PathveilError, UnknownVertex
from pathveil.files.codes import Codes, read_codes, save_codes, with_codes
from pathveil.files.networks.network_reader import read_row
from pathveil.files.walks import parse_walk, read_walk, walks_of_table
from pathveil.model.network import Network
from tests.files.networks.test_tables import Rows, workbook

NETWORK = Network.parse("ab bc cd bd")


@pytest.mark.parametrize(
    "text",
    [
        "a\nb\nc\nb\n",
        "# secret\n\na\r\n b \nc\nb",
        "vertex\na\nb\nc\nb\n",
        "step,vertex\n1,a\n2,b\n3,c\n4,b\n",
        "Node;time\na;1\nb;2\nc;3\nb;4\n",
        "a,b,c,b",
        "a, b, c, b\n",
        "a\tb\tc\tb",
        '["a", "b", "c", "b"]',
        '{"walk": ["a", "b", "c", "b"], "note": 1}',
        '"a"\n"b"\nc\nb',
        "\ufeffstop\na\nb\nc\nb\n",
        "stop;minutes\na;1\nb;2\nc;3\nb;4\n",
        "when,where\n1,a\n2,b\n3,c\n4,b\n",
        "a > b > c > b",
        "a -> b->c → b\n",
    ],
)
def test_every_form_gives_the_same_walk(text: str, tmp_path: Path) -> None:
    path = tmp_path / "walk.txt"
    path.write_text(text, encoding="utf-8")
    assert read_walk(path, network=NETWORK).vertices == ("a", "b", "c", "b")


def test_names_may_hold_anything() -> None:
    assert parse_walk('"Paris, TX"\nNew York\n').vertices == ("Paris, TX", "New York")
    assert parse_walk("[1, 2.5, 1]").vertices == ("1", "2.5", "1")
    # "node" is a header, unless the network has such a vertex.
    assert parse_walk("node\na\nb").vertices == ("a", "b")
    odd = Network.from_links([("node", "a"), ("a", "b")])
    assert parse_walk("node\na\nb", network=odd).vertices == ("node", "a", "b")


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", BadFile, "w.txt: is empty"),
        ("# x\n", BadFile, "is empty"),
        (",,\n,\n", BadFile, "is empty"),
        ("a\n", NotAWalk, "line 1: the walk has one vertex"),
        ("vertex\n", NotAWalk, "line 1: the walk has one vertex"),
        ("p,q\na,b\nb,c\n", BadFile, "line 1: found 2 columns"),
        ("lat,lon\n1.5,2.5\n1.6,2.6\n", BadFile, "match the track"),
        ("[]", NotAWalk, "no vertex"),
        ('["a"]', NotAWalk, "[0]: the walk has one vertex"),
        ("a\nb,c\n", BadFile, "line 2: found 2 columns"),
        ("a,b\nb,c\n", BadFile, "line 1: found 2 columns"),
        ("i,vertex\n1,a\n2\n", BadFile, "line 3: found 1 columns"),
        ("a,,b", BadFile, "line 1: an empty name"),
        ('"a\nb\n', BadFile, "line 1: a quote is opened"),
        ('["a", null]', BadFile, "[1]: holds None"),
        ('["a", true]', BadFile, "[1]: holds True"),
        ('["a", ["b"]]', BadFile, "[1]: holds ['b']"),
        ('{"route": []}', BadFile, "no key 'walk'"),
        ('{"walk": 7}', BadFile, "walk: holds 7"),
        ('["a", ', BadFile, "cut off"),
        ("a\nc\n", NotAWalk, "line 2: step 1 of the walk goes 'a' -> 'c'"),
        ("a\nb\n\nz\n", UnknownVertex, "line 4: visit 3 of the walk is 'z', not a vertex"),
        ("a\nb\nb\n", NotAWalk, "line 3: the walk names 'b' twice in a row"),
    ],
)
def test_bad_walks_are_refused_with_the_line(
    tmp_path: Path, text: str, error: type[PathveilError], said: str
) -> None:
    path = tmp_path / "w.txt"
    path.write_text(text)
    with pytest.raises(error) as caught:
        read_walk(path, network=NETWORK)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


def test_a_walk_is_checked_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathveil.model.walk._PART", 2)
    for text, line in (("a\nb\nc\na\n", 4), ("stop\na\nb\nc\nd\nz\n", 6)):
        with pytest.raises((NotAWalk, UnknownVertex), match=f"line {line}"):
            parse_walk(text, network=NETWORK)


def test_names_are_read_as_codes(tmp_path: Path) -> None:
    coded, table = with_codes(Network.from_links([("Aix", "Bar"), ("Bar", "Ci"), ("Ci", "Aix")]))
    path = tmp_path / "codes.csv"
    save_codes(table, path)
    codes = read_codes(path)
    walk = parse_walk("stop\nAix\nBar\n", network=coded, codes=codes)
    assert codes.decode(walk.vertices) == ["Aix", "Bar"]
    rows = tmp_path / "rows.csv"
    rows.write_text("Ci,Bar\nCi,Aix\n")
    assert set(codes.decode(read_row(rows, "Ci", codes=codes))) == {"Aix", "Bar"}
    with pytest.raises(UnknownVertex):
        parse_walk("Aix\nBor\n", network=coded, codes=codes)
    grown, longer = with_codes(Network.from_links([("Aix", "Dax"), ("Dax", "Bar")]), keep=codes)
    assert longer[:3] == table, "what is coded stays, also what is gone from the network"
    assert len(set(dict(longer).values())) == 4
    assert set(grown.vertices) < set(dict(longer).values())
    _, other = with_codes(Network.parse("ab bc"))
    assert not {code for _, code in other} & {code for _, code in table}, "tables share no code"
    path.write_text("name;code\nAix;v1\nBar;v2\n")
    assert read_codes(path).encode(["Bar"]) == ["v2"]
    for text in ("", "a,b\nAix,v1\n", "name,code\nAix\n", "name,code\nAix,\n"):
        path.write_text(text)
        with pytest.raises(BadFile):
            read_codes(path)
    for text in ("name,code\nAix,v1\nAix,v2\n", "name,code\nAix,v1\nBar,v1\n"):
        path.write_text(text)
        with pytest.raises(NameClash):
            read_codes(path)


def test_a_column_may_be_asked_for() -> None:
    text = "from,to\na,b\nb,c\nc,d\n"
    assert parse_walk(text, network=NETWORK, column="to").vertices == ("b", "c", "d")
    assert parse_walk(text, network=NETWORK, column="1").vertices == ("a", "b", "c")
    for title in ("", "Tour of June\n\n"):
        with pytest.raises(BadFile, match="take one of 'from', 'to'"):
            parse_walk(title + text, network=NETWORK, column="stop")


def test_names_with_arrows_are_names() -> None:
    network = Network.from_links([("a>b", "c"), ("c", "d")])
    assert parse_walk("a>b\nc\nd\n", network=network).vertices == ("a>b", "c", "d")


def test_names_with_commas_are_names_of_the_network() -> None:
    names = ("Tanaka Co., Ltd.", "B", "Umi, Inc.")
    network = Network.from_links(list(pairwise(names)))
    for text in ("\n".join(names), "Firma\n" + "\n".join(names), " > ".join(names)):
        assert parse_walk(text, network=network).vertices == names
    with pytest.raises(UnknownVertex, match="line 2"):
        parse_walk("Umi, Inc.\nBe\n", network=network)


def test_a_sheet_is_read_and_a_track_is_refused(tmp_path: Path) -> None:
    days: Rows = [("day", "stop"), (1, "a"), (2, "b"), (3, "c")]
    path = workbook(tmp_path / "walk.xlsx", A=days)
    assert read_walk(path, network=NETWORK).vertices == ("a", "b", "c")
    stops: Rows = [("stop",), ("a, and sons",), ("b",), ("c",)]
    path = workbook(tmp_path / "commas.xlsx", A=stops)
    assert read_walk(path).vertices[1:] == ("a, and sons", "b", "c")
    workbook(tmp_path / "two.xlsx", A=stops, B=stops)
    for column in (None, "stop"):  # naming it was the advice, and failed again
        with pytest.raises(BadFile, match="each hold the walk; save the sheet that is meant in a"):
            read_walk(tmp_path / "two.xlsx", column=column)
    (tmp_path / "bad.xlsx").write_bytes(b"PK no workbook")
    (tmp_path / "trip.gpx").write_text("<gpx/>")
    for name in ("two.xlsx", "bad.xlsx", "trip.gpx"):
        with pytest.raises(BadFile):
            read_walk(tmp_path / name)


@pytest.mark.regression("a cover sheet, or a title above the header, was refused")
def test_the_sheet_and_the_lines_that_hold_the_walk_are_taken(tmp_path: Path) -> None:
    tour: Rows = [("Tour 7", ""), (), ("day", "halt"), (1, "a"), (2, "b"), (3, "c")]
    path = workbook(tmp_path / "x.xlsx", Cover=[("Tours of June",)], Tour=tour)
    notes: list[str] = []
    read = read_walk(path, network=NETWORK, note=notes.append)
    assert read.vertices == ("a", "b", "c")
    assert "sheet 'Tour' is read" in notes[0]
    assert "begins in line 3" in notes[1]
    for text in ("Tour 7\n\nstop\na\nb\nc\n", "Tour 7\nday;halt\n1;a\n2;b\n3;c\n"):
        assert parse_walk(text, network=NETWORK).vertices == ("a", "b", "c")
    asked = parse_walk("Tour a\n1,place\n1,a\n2,b\n", network=NETWORK, column="place")
    assert asked.vertices == ("a", "b")


def test_visits_that_the_network_lacks_are_no_title() -> None:
    network = Network.from_links([("Lyon", "Metz"), ("Metz", "Ulm")])
    for text in (
        "Home\nOffice\nLyon\nMetz\n",
        "Tour\nLyonn\nLyon\nMetz\n",
        "Lyonn\nstop\nLyon\nMetz",
    ):
        with pytest.raises(UnknownVertex, match="line 1"):
            parse_walk(text, network=network)
    with pytest.raises(BadFile, match="no column"):
        parse_walk("day,place\n1,Lyon\n2,Metz\n3,Ulm\n", network=network, column="Metz")


@pytest.mark.regression("half of the names unknown hid the column")
def test_one_misspelt_name_does_not_hide_the_column() -> None:
    for rows in ("1,a\n2,b\n3,cc\n4,d\n", "1,a\n2,b\n3,cc\nTotal,3\n"):
        with pytest.raises(UnknownVertex, match=r"walk, line 4: .*'cc'") as caught:
            parse_walk(f"day,stop\n{rows}", network=Network.parse("ab bc cd"))
        assert caught.value.among_known


@pytest.mark.regression("a label that two vertices share was refused where one alone is linked")
def test_a_shared_label_is_read_by_its_links_or_refused() -> None:
    links = [("a", "b"), ("b", "X (1)"), ("X (1)", "c"), ("X (2)", "a"), ("X (1)", "X (2)")]
    network, said = Network.from_links([*links, ("X (2)", "d"), ("X (1)", "d")]), list[str]()
    for names, read in (("abX", "X (1)"), ("aXd", "X (2)"), ("bXc", "X (1)")):
        walk = parse_walk("\n".join(names), network=network, note=said.append)
        assert "".join(walk).replace(read, "X") == names
    assert len(said) == 3
    for names in ("dX", "XX", "bXa", "bXX", "dXX"):
        with pytest.raises(UnknownVertex):
            parse_walk("\n".join(names), network=network)


LETTERS = Network.parse("ab bc cd de bd")


@pytest.mark.regression("a header under a title was a vertex, for a firm's name is like it")
def test_known_words_are_headers_unless_they_are_one_vertex_misspelt() -> None:
    names = ("First Firm, Ltd.", "Porto", "host1", "host2")
    network = Network.from_links(list(pairwise(names)))
    for title, word in (("Order 7\n\n", "Firm"), ("", "Host"), ("Order 7\n\n", "Company")):
        read = parse_walk(f"{title}No;{word}\n1;{names[0]}\n2;Porto\n", network=network)
        assert read.vertices == names[:2]
    with pytest.raises(UnknownVertex, match=r"line 1: .*'Porto'"):
        parse_walk("Port\nhost1\nhost2\n", network=network)


@pytest.mark.parametrize(
    "first", ["A", "Sao Paulo Cabos", "S\u00e3o Paulo", "Sa\u0303o Paulo Cabos"]
)
def test_a_misspelt_first_vertex_is_no_header(first: str) -> None:
    """It was taken for one, and the walk without its first vertex was published."""
    network = Network.from_links([("a", "b"), ("b", "c"), ("S\u00e3o Paulo Cabos", "a")])
    table = "{},7\na,8\nb,9\n"
    for rows, column in (("{}\na\nb\n", None), (table, None), (table, "1")):
        with pytest.raises((UnknownVertex, NotAWalk), match=r"line 1|'a' twice in a row"):
            parse_walk(rows.format(first), network=network, column=column)


def test_a_misspelt_first_vertex_is_no_header_where_names_have_commas() -> None:
    network = Network.from_links([("Acme, Inc", "Bell, Ltd"), ("Bell, Ltd", "Cole, Co")])
    with pytest.raises(UnknownVertex, match="line 1"):
        parse_walk("Acme, Inc.\nBell, Ltd\nCole, Co\n", network=network)


def test_what_is_taken_for_a_header_or_for_the_walk_is_said() -> None:
    said: list[str] = []
    assert parse_walk("Wien\na\nb\n", network=LETTERS, note=said.append).vertices == ("a", "b")
    assert parse_walk("day,where\n7,a\n8,b\n", network=LETTERS, note=said.append)
    assert [("Wien" in one, "where" in one) for one in said] == [(True, False), (False, True)]
    said.clear()
    assert parse_walk("stop\na\nb\n", network=LETTERS, note=said.append)
    assert not said


def test_a_column_of_numbers_is_not_the_walk_because_of_a_misspelt_vertex() -> None:
    """With one wrong name in its column, the column of line numbers was published."""
    network = Network.parse("12 23 34 45 51 35 52")
    for head in ("node", "where"):
        with pytest.raises(BadFile, match=rf"seq.*{head}"):
            parse_walk(f"seq,{head}\n1,3\n2,5\n3,9\n", network=network)
    for header in ("seq,where\n", ""):
        with pytest.raises(BadFile, match="not clear"):
            parse_walk(f"{header}1,x\n2,y\n3,z\n", network=network)


@pytest.mark.regression("a table sorted the other way was published backwards, without a word")
def test_a_column_that_counts_must_count_up() -> None:
    network = Network.parse("ab bc cd da")
    for head, order in (("step", "321"), ("hop", "212"), ("Seq", ("2", "10", "9"))):
        rows = "".join(f"{n},{name}\n" for n, name in zip(order, "abc", strict=True))
        with pytest.raises(BadFile, match="so these are several walks, or lines in another order"):
            parse_walk(f"{head},router\n{rows}", network=network)
    dates = "date,router\n2026-11-03,a\n2026-11-02,b\n"
    with pytest.raises(BadFile, match="column 'date' says '2026-11-02' after '2026-11-03'"):
        parse_walk(dates, network=network)
    for rows in ("1,a\n2,b\n10,c\n", "1,a\n1,b\n2,c\n", "-2,a\n-1.5,b\n0,c\n"):
        assert parse_walk(f"step,router\n{rows}", network=network).vertices == ("a", "b", "c")
    for rows in ("9:30,a\n10:15,b\n", "23:50,a\n00:10,b\n"):
        assert parse_walk(f"time,stop\n{rows}", network=network).vertices == ("a", "b")
    with pytest.raises(BadFile, match="says '08:00' after '10:30'"):
        parse_walk("time,stop\n10:30,a\n08:00,b\n11:00,c\n09:00,d\n", network=network)
    zones = "time,stop\n2026-05-01T23:00+02:00,a\n2026-05-01T22:30+00:00,b\n"
    assert parse_walk(zones, network=network).vertices == ("a", "b")
    # What is not understood is said, and a named column is the user's own decision.
    said: list[str] = []
    parse_walk("date,stop\n3.11.2026,a\n2.11.2026,b\n", network=network, note=said.append)
    assert "lines are taken in their order" in said[-1]
    falling = "step,router\n3,a\n2,b\n"
    assert parse_walk(falling, network=network, column="router").vertices == ("a", "b")
    # A column of another meaning may fall.
    assert parse_walk("tons,router\n3,a\n2,b\n", network=network).vertices == ("a", "b")
    with pytest.raises(BadFile, match="column 'patient' tells 2 walks apart"):
        parse_walk("patient,stop\nP1,a\nP1,b\nP2,c\n", network=network)


def test_a_table_of_several_walks_is_cut_by_what_tells_them_apart() -> None:
    network = Network.parse("ab bc cd 12 23 2a")
    rows = "P1;1;a\nP1;2;b\nP2;1;c\nP2;2;d\n"
    walks = walks_of_table(f"patient;step;clinic\n{rows}", "x", network)
    assert walks == {"P1": "step,vertex\n1,a\n2,b", "P2": "step,vertex\n1,c\n2,d"}
    for other in ("a,b\nb,c\n", "a > b\n", '["a", "b"]\n', "", "day\nmon\n"):
        assert walks_of_table(other, "x", network) == {}, other
    numbered = walks_of_table("trip,stop\n1,2\n1,3\n2,1\n2,2\n", "x", network)
    assert [*numbered.values()] == ["vertex\n2\n3", "vertex\n1\n2"]
    by_trip = walks_of_table("seq,trip,stop\n1,T1,a\n1,T2,c\n2,T1,b\n", "x", network)
    assert by_trip["T1"] == "seq,vertex\n1,a\n2,b"
    for unclear in (
        "trip,node,next\nt0,a,b\nt0,b,c\n",  # legs: the last stop would be lost
        "seq,vertex\n1,a\n2,b\n",  # nothing tells the walks apart
        "day,bus,stop\nmon,7,a\ntue,7,b\n",
        "trip,stop\nt0,a\n,b\n",
    ):
        with pytest.raises(BadFile):
            walks_of_table(unclear, "x", network)


@pytest.mark.regression("walks of a log in capitals had to be written anew")
def test_a_name_in_other_capitals_is_read_as_the_one_vertex_that_is_meant() -> None:
    links = ["Stuttgart Ulm", "Ulm Straße", "Straße Node", "Node Ulm", "Ulm Rome", "Rome ROME"]
    network = Network.from_links((u, v) for u, v in map(str.split, links))
    said: list[str] = []
    for text, note in (
        ("Ulm\nSTUTTGART\nUlm\n", "walk, line 2: 'STUTTGART' is read as 'Stuttgart'"),
        ('["Ulm", "STUTTGART", "Ulm"]', "walk, [1]: 'STUTTGART' is read as 'Stuttgart'"),
        ("day,stop\n1,ulm\n2,Stuttgart\n3,Ulm\n", "walk, line 2: 'ulm' is read as 'Ulm'"),
        ("ulm > STUTTGART > ULM", "line 1: 'ulm' is read as 'Ulm', and 2 more names likewise"),
    ):
        read = parse_walk(text, network=network, note=said.append)
        assert read.vertices == ("Ulm", "Stuttgart", "Ulm")
        assert said[-1].endswith(note)
    assert parse_walk("Ulm,STRASSE", network=network).vertices == ("Ulm", "Straße")
    codes = Codes("codes.csv", {"Ulm": "kqxw1", "Metz": "kqxw2"})
    coded = Network.from_links([("kqxw1", "kqxw2")])
    assert parse_walk("ULM,Metz", network=coded, codes=codes).vertices == ("kqxw1", "kqxw2")
    # Misspelt; a header that is like a vertex; a name that two vertices could be.
    for wrong in ("Stutgart,Ulm", "node\nUlm\nRome\n", "Ulm,rome"):
        with pytest.raises(UnknownVertex, match="did you mean"):
            parse_walk(wrong, network=network)


@pytest.mark.regression("a log with a clock time in its column date made each row a walk")
def test_a_clock_time_beside_the_day_orders_the_visits_of_a_day() -> None:
    network = Network.parse("ab bc cd")
    for first, second in (
        ("02.11.2026 12:50:03", "02.11.2026 13:01"),
        ("2026-11-02T12:50:03.5", "2026-11-02T13:01:00.5"),
        ("2026-11-02T12:50:03Z", "2026-11-02T13:01:00Z"),
        ("2026-11-02 12:50:03", "2026-11-02 13:01:00"),  # a workbook's
    ):
        day = first[:10]
        for word in ("date", "Datum", "Tag"):
            log = f"router;{word}\na;{first}\nb;{second}\nb;3.11.2026 00:10\nc;3.11.2026 00:12\n"
            walks = walks_of_table(log, "x", network)
            assert [*walks] == [day, "3.11.2026"]
            assert parse_walk(walks[day], network=network).vertices == ("a", "b")
            falling = f"router;{word}\na;{second}\nb;{first}\n"
            with pytest.raises(BadFile, match=r"says '.*12:50:03.*' after '.*13:01"):
                parse_walk(walks_of_table(falling, "x", network)[day], network=network)
            # Steps go before a clock that falls.
            stepped = f"hop,{word},router\n1,{second},a\n2,{first},b\n"
            assert walks_of_table(stepped, "x", network) == {day: "hop,vertex\n1,a\n2,b"}
    trips = "trip,date,stop\nT1,2.11. 8:00,a\nT1,2.11. 8:10,b\nT2,2.11. 8:05,b\nT2,2.11. 8:06,c\n"
    assert [*walks_of_table(trips, "x", network)] == ["T1 2.11.", "T2 2.11."]
    with pytest.raises(BadFile, match="'T2' is there on several days"):
        walks_of_table(trips + "T2,3.11. 0:05,d\n", "x", network)


@pytest.mark.regression("lists of names that hold commas were taken for a table without a header")
def test_lists_are_no_tables_and_a_walk_may_be_called_like_its_column() -> None:
    network = Network.from_links([("A, x", "B, y"), ("B, y", "C, z"), ("C, z", "a"), ("a", "b")])
    arrows = "A, x > B, y\nB, y > C, z\n"
    for lists in (arrows, '["A, x", "B, y"]\n["B, y", "C, z"]\n'):
        assert walks_of_table(lists, "x", network) == {}
    assert walks_of_table("trip,stop\ntrip,a\ntrip,b\n", "x", network) == {"trip": "vertex\na\nb"}


@pytest.mark.regression("a table with a whole walk in each row had to be taken apart by hand")
def test_rows_that_hold_whole_walks_are_read() -> None:
    network = Network.from_links([("Köln", "St. Ägid"), ("St. Ägid", "Ulm")])
    there = {"1": "vertex\nKöln\nSt. Ägid\nUlm", "2": "vertex\nUlm\nSt. Ägid"}
    for table in (
        "Tag;hop1;hop2;hop3\n1;Köln;St. Ägid;Ulm\n2;Ulm;St. Ägid;\n",
        "day,path\n1,Köln > St. Ägid > Ulm\n2,Ulm -> St. Ägid\n",
    ):
        assert walks_of_table(table, "x.csv", network) == there
    with pytest.raises(BadFile):
        walks_of_table("day,path\n1,Köln > Bonn\n2,Ulm > Bonn\n", "x.csv", network)


@pytest.mark.regression("a log over midnight was published as two walks")
def test_a_walk_over_midnight_is_not_cut_by_its_days() -> None:
    rows = ["1,02.11.2026 23:59:10,a", "2,02.11.2026 23:59:30,b", "3,03.11.2026 00:00:02,c"]
    with pytest.raises(BadFile, match="begins with '3', others with '1', so a walk"):
        walks_of_table("\n".join(["hop,date,router", *rows]), "x.csv", LETTERS)
    again = ["1,03.11.2026 08:00:02,c", "2,03.11.2026 08:01:02,d"]
    found = walks_of_table("\n".join(["hop,date,router", *rows[:2], *again]), "x.csv", LETTERS)
    assert list(found) == ["02.11.2026", "03.11.2026"]
