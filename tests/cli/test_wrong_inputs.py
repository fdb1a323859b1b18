"""Wrong inputs of a person: exit code 2, one line, the fix in the words of the command line.

Nothing is written, and nothing is printed on standard output.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pathveil import Network, Seeded, Walk, publish
from pathveil.cli.main import run
from pathveil.files.envelopes import new_key_pair, seal_envelope
from tests.cli.conftest import LINKS, promise_no_loss

NETWORK = Network.parse(LINKS)
PUBLISH = "publish net.csv walk.txt -o x.veil.json"

# What somebody types, and what the answer must say.
WRONG = [
    # Words of the command line.
    ("frobnicate", r"No such command 'frobnicate'; see pathveil --help"),
    ("publsh", r"No such command 'publsh'.*Did you mean 'publish'\?"),
    ("publish", r"Missing argument 'NETWORK'; see pathveil publish --help"),
    ("publish net.csv walk.txt", r"Missing option '-o' / '--output'; see"),
    ("publish net.csv walk.txt -o", r"Option '-o' requires an argument"),
    (f"{PUBLISH} --polcy sealed", r"No such option: --polcy.*--policy"),
    ("inspect route.veil.json net.csv walk.txt x", r"unexpected extra argument.* \(x\)"),
    ("batch net.csv walks.txt -o out --workers 0", r"--workers: expected a number greater"),
    # Files that are not there, or are something else.
    ("publish none.csv walk.txt -o x.veil.json", r"none\.csv: .*(no such file|cannot be read)"),
    ("publish walk.txt net.csv -o x.veil.json", r"give the network before the walk"),
    ("publish route.veil.json walk.txt -o x.veil.json", r"is a publication.*another order"),
    ("reconstruct net.csv route.veil.json", r"FILE comes before NETWORK"),
    ("inspect net.csv", r"net\.csv"),
    ("publish net.csv track.gpx -o x.veil.json", r"track\.gpx.*match"),
    ("publish loop.csv walk.txt -o x.veil.json", r"loop\.csv, line 2.*network clean"),
    (
        "publish apart.csv walk.txt -o x.veil.json",
        r"network clean FILE -o NEW.csv --largest-component",
    ),
    ("publish three.csv walk.txt -o x.veil.json", r"network clean FILE -o NEW.csv --columns"),
    ("publish empty.csv walk.txt -o x.veil.json", r"empty\.csv.*empty"),
    ("publish book.xlsx walk.txt -o x.veil.json", r"save it again, or as CSV UTF-8"),
    ("publish paper.csv walk.txt -o x.veil.json", r"is a PDF, no table"),
    (
        "publish windows.csv walk.txt -o x.veil.json",
        r"line 2: .*should read 'Köln,Žilina'.*iconv -f",
    ),
    ("publish four.csv walk.txt -o x.veil.json", r"--columns ab,an; or by number: --columns 2,3"),
    (f"{PUBLISH} --after other.veil", r"other\.veil does not read back as one walk"),
    # Walks.
    ("publish net.csv jump.txt -o x.veil.json", r"'a' -> 'd'.*add the link"),
    ("publish net.csv typo.txt -o x.veil.json", r"'cc', not a vertex.*add the vertex"),
    ("publish net.csv single.txt -o x.veil.json", r"expected two or more"),
    ("publish net.csv twice.txt -o x.veil.json", r"balanced:copies=2"),
    ("publish net.csv table.csv -o x.veil.json --column stop", r"no column is called .?stop"),
    ("publish net.csv gpx.txt -o x.veil.json", r"holds coordinates"),
    ("publish net.csv a>b>c -o x.veil.json", r"read from a file; write it into one"),
    # Outputs.
    ("publish net.csv walk.txt -o x.age", r"add --to KEY"),
    ("publish net.csv walk.txt -o route.veil.json", r"route\.veil\.json exists.*--force"),
    ("publish net.csv walk.txt -o nowhere/x.veil.json", r"the folder nowhere does not exist"),
    ("draw route.veil.json -o x.bmp", r"drawn as \*\.svg"),
    # Policies and terms.
    (f"{PUBLISH} --policy sealde", r"did you mean 'sealed'\?"),
    (f"{PUBLISH} --policy frontier", r"frontier:walk_loss="),
    (f"{PUBLISH} --policy frontier:walk_loss=much", r"walk loss.*expected a number"),
    (f"{PUBLISH} --policy balanced:copies=0", r"copies is 0; expected a whole number"),
    (f"{PUBLISH} --form sketch", r"--capacity"),
    (f"{PUBLISH} --policy sealed --form sketch --capacity 20", r"sketch"),
    ("batch net.csv walks.txt -o out", r"policy remembering:usage="),
    # Ledgers.
    (f"{PUBLISH} --budget 3", r"--budget needs --ledger DB"),
    (f"{PUBLISH} --ledger none.db", r"none\.db.*ledger init"),
    ("ledger init x.db --budget much", r"--budget.*expected a number"),
    ("ledger init x.db --budget 1e999999999", r"--budget"),
    # Keys.
    ("publish net.csv walk.txt -o x.age --to bob", r"bob"),
    (f"{PUBLISH} --to age1bob", r"let it end with \.veil\.age"),
    ("inspect sealed.age --identity age1bob", r"is a public key; .*the file"),
    ("reconstruct sealed.age net.csv", r"is encrypted.*--identity KEY"),
    ("inspect sealed.age", r"is encrypted.*--identity KEY"),
    ("verify sealed.age", r"is encrypted.*--identity KEY"),
    ("attack sealed.age net.csv --lacking c d", r"is encrypted.*--identity KEY"),
    ("draw sealed.age -o x.svg", r"is encrypted.*--identity KEY"),
    ("inspect route.veil.json --to age1x", r"give -o OTHER\.age"),
    # Readers.
    ("reconstruct route.veil.json net.csv --as C", r"did you mean 'c'\?"),
    ("reconstruct route.veil.json small.csv", r"differs from the one published over.*--as VERTEX"),
    ("reconstruct route.veil.json net.csv --as-link a d", r"'a' - 'd' is no link of net\.csv"),
    ("reconstruct route.veil.json net.csv --as c --as-link c d", r"give one"),
    ("inspect false.veil.json", r"false\.veil\.json"),
    # Attackers.
    ("attack route.veil.json net.csv --lacking c", r"a link has two: --lacking U V"),
    ("attack route.veil.json net.csv --lacking a d", r"'a' - 'd'"),
    ("attack route.veil.json", r"NETWORK is missing"),
    ("attack route.veil.json net.csv walk.txt", r"there is one network"),
    ("lab audit net.csv walk.txt --lacking c d e", r"expected two: --lacking U V"),
    # Groups, plans, parties, studies.
    ("plan --walks 3 --length 4", r"its numbers: --vertices N --links M"),
    ("group net.csv -o x.json --classes 3 --links 9", r"give one"),
    ("draw net.csv --story -o x.svg", r"--walk"),
    ("party init ann --at nowhere --holds a", r"expected HOST:PORT"),
    ("lab reproduce --figure 3", r"there is no figure '3'"),
    ("lab reproduce --runs 0", r"--runs"),
    ("lab reproduce -o -", r"give -o a folder's name"),
    ("lab reproduce -o net.csv", r"is a file, expected a folder"),
    ("lab reproduce -o done", r"report\.md exists"),
    ("lab reproduce -o tabled", r"quality\.csv exists"),
    ("lab compare --system nobody", r"nobody: expected one of"),
    ("lab compare --budget much", r"--budget"),
    ("lab compare -o compared", r"comparison\.csv exists"),
]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wrong")
    texts = {
        "net.csv": "".join(f"{u},{v}\n" for u, v in NETWORK.links),
        "walk.txt": "a\nb\nc\nd\n",
        "walks.txt": "a,b,c\nd,e,f\n",
        "track.gpx": "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>",
        "gpx.txt": "<?xml version='1.0'?>\n<gpx><trkpt lat='1' lon='2'/></gpx>",
        "book.xlsx": "PK\x03\x04",
        "paper.csv": "%PDF-1.7\n",
        "loop.csv": "a,b\nb,b\nb,c\n",
        "apart.csv": "a,b\nb,e\nc,d\n",
        "three.csv": "nr,firma,kunde\n1,a,b\n2,b,c\n",
        "empty.csv": "",
        "four.csv": "nr,ab,an,km\n1,a,b,3\n2,b,c,4\n3,c,a,5\n",
        "small.csv": "a,b\nb,c\n",
        "jump.txt": "a\nd\n",
        "typo.txt": "a\nb\ncc\n",
        "single.txt": "a\n",
        "twice.txt": "a\nb\na\n",
        "table.csv": "day,place\n1,a\n2,b\n",
        "done/report.md": "mine",
        "tabled/tables/quality.csv": "mine",
        "compared/comparison.csv": "mine",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "windows.csv").write_bytes("a,b\nKöln,Žilina\n".encode("cp1252"))
    publish(Network.parse("xy yz"), Walk("xyz"), source=Seeded(1)).save(folder / "other.veil")
    released = publish(NETWORK, Walk("abcd"), source=Seeded(1))
    for name in ("route.veil.json", "false.veil.json"):
        released.save(folder / name)
    promise_no_loss(folder / "false.veil.json")
    _, public = new_key_pair()
    data = (folder / "route.veil.json").read_bytes()
    (folder / "sealed.age").write_bytes(seal_envelope(data, [public]))
    return folder


@pytest.mark.parametrize(("words", "fix"), WRONG, ids=[words for words, _ in WRONG])
def test_a_wrong_input_is_answered_with_its_fix(
    inputs: Path,
    words: str,
    fix: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(inputs)
    before = {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()}
    assert run(words.split()) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = [line for line in shown.err.splitlines() if not line.startswith("note: ")]
    assert len(lines) == 1, shown.err
    assert re.search(rf"^pathveil: .*({fix})", lines[0]), lines[0]
    python = r"columns=\(|\w=True|Policy\.\w+\(|Fraction\("
    assert not re.search(rf"Invalid value|Value error|Traceback|{python}", lines[0])
    assert {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()} == before


@pytest.mark.regression("a shared ledger asked for another extra; an empty envelope was to be JSON")
def test_what_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.age").touch()
    assert run(["inspect", str(tmp_path / "x.age")]) == 2
    assert "is empty; check" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pathveil.ledger.ledger", None)
    assert run(["ledger", "init", "postgresql://host/db"]) == 2
    assert "pathveil[postgres]" in capsys.readouterr().err
