"""pathveil network: cleaned once, the same for everybody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil.cli.main import run
from pathveil.files.networks.network_reader import read_network

MESSY = "nr,firma,kunde\n1,b,a\n2,a,b\n3,b,b\n4,b,c\n5,x,y\n"
REPAIR = ["--columns", "firma,kunde", "--largest-component"]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_options_given_once_are_remembered(capsys: pytest.CaptureFixture[str]) -> None:
    Path("messy.csv").write_text(MESSY)
    Path("other.json").write_text('[["c", "b"], ["b", "a"]]')
    assert run(["network", "clean", "messy.csv", "-o", "clean.csv", *REPAIR, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Path("clean.csv").read_text() == "source,target\na,b\nb,c\n"
    assert (found["vertices"], found["links"]) == (3, 2)
    assert found["digest"] == read_network("clean.csv").digest
    # Who has the same network in another form holds the same digest.
    assert run(["network", "digest", "other.json", "-q"]) == 0
    assert capsys.readouterr().out.strip() == found["digest"]
    assert run(["network", "clean", "other.json", "-o", "again.csv", "-q"]) == 0
    assert Path("again.csv").read_bytes() == Path("clean.csv").read_bytes()
    assert capsys.readouterr().out == ""


def test_notes_are_one_line_and_quiet_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    Path("both.csv").write_text("from,to\na,b\nb,a\nb,b\nb,c\n")
    Path("walk.txt").write_text("a\nb\nc\n")
    said = "both.csv: links are read as undirected; 1 self-loop dropped; 1 parallel link merged\n"
    for more, note in (([], f"note: {said}"), (["-q"], "")):
        assert run(["network", "clean", "both.csv", "-o", "x.csv", "--force", *more]) == 0
        assert capsys.readouterr().err == note
    assert Path("x.csv").read_text() == "source,target\na,b\nb,c\n"


def test_columns_that_share_names_are_suggested_and_their_header_is_no_link(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("roads.csv").write_text("Ort,km,Nachbar,Typ\nBonn,12,Ulm,a\nUlm,9,Kiel,b\nKiel,7,Bonn,a\n")
    assert run(["network", "digest", "roads.csv"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "--columns Ort,Nachbar" in said
    assert said.endswith("--columns 1,3")
    for columns in ("1,3", "Ort,Nachbar"):
        words = ["network", "clean", "roads.csv", "-o", "x.csv", "--force", "--columns", columns]
        assert run(words) == 0
        assert Path("x.csv").read_text() == "source,target\nBonn,Kiel\nBonn,Ulm\nKiel,Ulm\n"
        assert ("line 1 is read as a header" in capsys.readouterr().err) == (columns == "1,3")
    Path("roads.csv").write_text("Bonn,12,Ulm\nUlm,9,Kiel\nKiel,7,Bonn\n")
    assert run(["network", "clean", "roads.csv", "-o", "y.csv", "--columns", "1,3"]) == 0
    assert Path("y.csv").read_text() == Path("x.csv").read_text()


@pytest.mark.parametrize("form", ["coded.csv", "coded.json"])
def test_codes_hide_names_and_the_table_gives_them_back(form: str) -> None:
    nodes = [{"id": name, "x": i, "y": i} for i, name in enumerate(["Aix", "Bar", "Ci"])]
    links = [["Aix", "Bar"], ["Bar", "Ci"]]
    Path("net.json").write_text(json.dumps({"nodes": nodes, "links": links}))
    words = ["network", "clean", "net.json", "-o", form, "--codes", "codes.csv", "-q"]
    assert run(words) == 0
    rows = [line.split(",") for line in Path("codes.csv").read_text().splitlines()]
    assert rows[0] == ["name", "code"]
    name = {code: name for name, code in rows[1:]}
    coded = read_network(form)
    assert coded.coordinates is None
    assert {tuple(sorted(map(name.__getitem__, link))) for link in coded.links} == {
        ("Aix", "Bar"),
        ("Bar", "Ci"),
    }
    assert not {"Aix", "Bar", "Ci"} & set(coded.vertices)
    assert Path("codes.csv").stat().st_mode & 0o777 == 0o600
    assert run(words) == 2


def test_with_the_table_people_give_and_get_names(capsys: pytest.CaptureFixture[str]) -> None:
    Path("net.csv").write_text("Aix,Bar\nBar,Ci\nCi,Do\nBar,Do\n")
    Path("walk.txt").write_text("Aix\nBar\nCi\n")
    table = ["--codes", "codes.csv"]
    assert run(["network", "clean", "net.csv", "-o", "coded.csv", *table, "-q"]) == 0
    for number, network in enumerate(("coded.csv", "net.csv")):
        file = f"{number}.veil.json"
        assert run(["publish", network, "walk.txt", "-o", file, *table, "-q"]) == 0
        assert not any(name in Path(file).read_text() for name in ("Aix", "Bar", "Ci"))
        capsys.readouterr()
        assert run(["reconstruct", file, network, *table, "-q"]) == 0
        assert capsys.readouterr().out == "Aix → Bar → Ci\n"
        own = ["reconstruct", file, network, *table]
        assert run([*own, "--as", "Bar"]) == 0
        assert "between Aix and Ci" in capsys.readouterr().out
        assert run([*own, "--as-link", "Bar", "Ci", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["links"][0]["there"]["vertex"] == "Ci"
        assert run(["verify", file, network, "walk.txt", *table]) == 0
    assert run(["publish", "coded.csv", "walk.txt", "-o", "2.veil.json"]) == 2
    assert "--codes" in capsys.readouterr().err
    Path("wrong.txt").write_text("Aix\nCi\n")
    assert run(["publish", "coded.csv", "wrong.txt", "-o", "2.veil.json", *table]) == 2
    assert "the walk goes 'Aix' -> 'Ci'" in " ".join(capsys.readouterr().err.split())
    assert run(["network", "part", "coded.csv", "Aixe", "-o", "2.csv", *table]) == 2
    assert "did you mean 'Aix'?" in " ".join(capsys.readouterr().err.split())


@pytest.mark.regression(
    "a partner's row that its codes lack stopped it, with advice for the sender"
)
def test_a_partner_reads_without_the_rows_that_its_codes_lack(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("net.csv").write_text("Aix,Bar\nBar,Ci\nCi,Do\nBar,Do\n")
    Path("walk.txt").write_text("Aix\nBar\nCi\n")
    table = ["--codes", "codes.csv"]
    assert run(["network", "clean", "net.csv", "-o", "coded.csv", *table, "-q"]) == 0
    assert run(["publish", "coded.csv", "walk.txt", "-o", "w.veil", *table, "-q"]) == 0
    capsys.readouterr()
    rows, own = "Bar,Aix\nBar,Ci\nBar,Do\n", ["reconstruct", "w.veil", "mine.csv", *table]
    for more, said in (
        ("Bar,Eu\n", "passed over: 'Eu' is not in codes.csv"),
        ("Bar,Eu\nFa,Bar\n", "passed over: 'Eu' and 1 more are not in codes.csv"),
    ):
        Path("mine.csv").write_text(rows + more)
        for place in (["--as", "Bar"], ["--as-link", "Bar", "Ci"]):
            assert run([*own, *place]) == 0
            assert said in " ".join(capsys.readouterr().err.split())
        for refused in (own, ["network", "part", "mine.csv", "Bar", "-o", "x.csv", *table]):
            assert run(refused) == 2
            assert "'Eu' is not a name in codes.csv" in " ".join(capsys.readouterr().err.split())
    Path("mine.csv").write_text("Bar,Eu\n")
    assert run([*own, "--as", "Bar"]) == 2


@pytest.mark.regression("plan advised codes, and batch could not take walks in names with them")
@pytest.mark.parametrize("more", [[], ["--ledger", "l.db"]])
def test_a_batch_takes_names_and_its_files_have_codes(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("net.csv").write_text("Aix,Bar\nBar,Ci\nCi,Do\nBar,Do\n")
    table = ["--codes", "codes.csv"]
    assert run(["network", "clean", "net.csv", "-o", "coded.csv", *table, "-q"]) == 0
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    Path("lines.txt").write_text("Aix,Bar,Ci\nAix,Ci\nAix,Nowhere,Ci\nBar\n")
    Path("table.csv").write_text("trip,stop\n1,Aix\n1,Bar\n1,Ci\n2,Aix\n2,Ci\n")
    Path("folder").mkdir()
    Path("folder/1.csv").write_text("no,stop\n1,Aix\n2,Bar\n3,Ci\n")
    Path("folder/2.csv").write_text("no,stop\n1,Aix\n2,Ci\n")
    for walks in ("lines.txt", "table.csv", "folder"):
        for network in ("coded.csv", "net.csv"):
            out = f"{walks[:3]}{network[:3]}"
            batch = ["batch", network, walks, "-o", out, "--policy", "balanced", *table, *more]
            assert run([*batch, "--for-readers"]) == 2  # some of the walks are wrong
            shown = capsys.readouterr()
            assert "the codes of all 4 vertices" in shown.out + shown.err
            command = shown.err.rpartition("Before you send them, each: pathveil ")[2]
            assert run(command.partition("\n")[0].split()) == 0
            assert "goes 'Aix' -> 'Ci'" in Path(f"{out}.errors.csv").read_text()
            assert "codes.csv" in Path(f"{out}.readers.txt").read_text()
            capsys.readouterr()
            assert run(["reconstruct", f"{out}/000001.veil.json", network, *table, "-q"]) == 0
            assert capsys.readouterr().out == "Aix → Bar → Ci\n"
        assert run(["batch", "coded.csv", walks, "-o", "none", "--policy", "balanced"]) == 2
        assert "give their table, --codes CODES.csv" in capsys.readouterr().err


@pytest.mark.regression("for a wrong label in a table, the column of line numbers was published")
def test_a_wrong_label_in_a_table_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    nodes = [{"id": i, "label": name} for i, name in enumerate(("Aix", "Bonn", "Kiel", "Ulm"))]
    Path("net.json").write_text(json.dumps({"nodes": nodes, "links": [[0, 1], [1, 2], [2, 3]]}))
    for rows in ("1,Ulm\n2,Kiehl\n3,Bonn\n", "i,Ulm\nii,Kiehl\niii,Bonn\n"):
        Path("walk.csv").write_text(f"day,stop\n{rows}")
        assert run(["publish", "net.json", "walk.csv", "-o", "x.veil"]) == 2
        assert "line 3" in capsys.readouterr().err
