"""Each command once: exit codes, files, and what its JSON holds.

What the verbs behind them compute is tested where they are.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil import group as draw_grouping
from pathveil.chance.intervals import Interval
from pathveil.checking.certificate_check import earned_certificate
from pathveil.cli.demo import LINKS, MISSING, VISITS
from pathveil.cli.group import _show_made
from pathveil.cli.main import run
from pathveil.files.envelopes import open_envelope, read_identities, seal_envelope
from pathveil.grouping.grouping_loss import GroupingLoss
from tests.cli.conftest import Typed, promise_no_loss
from tests.cli.json_schemas import parsed

NETWORK = Network.parse(LINKS)
PUBLISH = ["publish", "network.csv", "walk.txt", "-o"]
READ = ["reconstruct", "route.veil.json", "network.csv"]
ATTACK = ["attack", "route.veil.json", "network.csv"]


# -- one walk -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--policy", "sealed"],
        ["--policy", "frontier:walk_loss=0.5,copies=2"],
        ["--policy", "balanced:copies=2,link_uses=1"],
        ["--policy", "paper:vertex=1,link=0.5"],
        ["--layering", "backtracking"],
        ["--direction", "hidden"],
        ["--form", "sketch", "--capacity", "20"],
        ["--universe", "network.csv"],
    ],
    ids=" ".join,
)
def test_what_is_published_is_read_back(typed: Typed, more: list[str]) -> None:
    assert typed.data(*PUBLISH, "x.veil", *more)["unsafe"] is False
    walk = typed.data("reconstruct", "x.veil", "network.csv")["walk"]
    assert walk in (list("abcdef"), list("fedcba"))
    assert typed.shown("verify", "x.veil", "network.csv", "walk.txt").startswith("holds")


def test_reading_all_or_ones_own(example: Path, typed: Typed) -> None:
    assert typed.data(*READ)["order"] == "known"
    assert typed.shown(*READ).startswith("a → b → c → d → e → f")
    Path("row.csv").write_text("c,b\nc,d\nc,e\nc,f\n")
    own = ["reconstruct", "route.veil.json", "row.csv"]
    assert "between b and d" in typed.shown(*own, "--as", "c")
    assert typed.data(*own, "--as-link", "c", "d")["on_walk"] is True
    assert "does not use c - e" in typed.shown(*own, "--as-link", "c", "e")
    short = publish(NETWORK, Walk("abc"), direction="hidden", source=Seeded(1))
    short.save("short.veil.json")
    words = ["reconstruct", "short.veil.json", "network.csv"]
    assert "the walk does not visit e" in typed.shown(*words, "--as", "e")
    assert "either end may be the first" in typed.shown(*words)


def test_inspect_says_who_reads_and_writes_other_forms(example: Path, typed: Typed) -> None:
    facts = typed.data("inspect", "route.veil.json")
    assert (facts["form"], facts["vertices"], facts["certificate_earned"]) == ("packed", 6, True)
    brief = typed.shown("inspect", "route.veil.json")
    assert brief.startswith("readers whoever has the whole network")
    assert "Certificate:" not in brief
    assert "Certificate:" in typed.shown("inspect", "route.veil.json", "--certificate")
    assert run(["keys", "-o", "my.key", "-q"]) == 0
    public = typed.read().out.strip()
    for name, more in (("x.veil", []), ("y.veil.json", []), ("z.veil.age", ["--to", public])):
        made = typed.data("inspect", "route.veil.json", "-o", name, *more)
        assert made["bytes"] == Path(name).stat().st_size
    (identity,) = read_identities(Path("my.key"))
    inside = open_envelope(Path("z.veil.age").read_bytes(), [identity])
    assert inside == Path("x.veil").read_bytes(), "the name before .age decides the form"
    assert run(["inspect", "x.veil", "-o", "again.veil.json", "-q"]) == 0
    for name in ("y.veil.json", "again.veil.json"):
        assert Path(name).read_bytes() == Path("route.veil.json").read_bytes()


@pytest.mark.regression("losses edited to 0: `verify` left with 0")
def test_a_false_certificate_is_refused_unless_trusted(example: Path, typed: Typed) -> None:
    promise_no_loss(example / "route.veil.json")
    assert run(["inspect", "route.veil.json"]) == 2
    assert "--trust" in typed.read().err
    assert "not earned" in typed.shown("inspect", "route.veil.json", "--trust")
    assert run([*ATTACK, "--lacking", "c", "d"]) == 2
    attacked = typed.data(*ATTACK, "--lacking", "c", "d", "--trust", code=1)
    assert attacked["within_certificate"] is False
    assert run(["keys", "-o", "my.key", "-q"]) == 0
    public = typed.read().out.strip()
    false = Path("route.veil.json").read_bytes()
    Path("s.age").write_bytes(seal_envelope(false, [public]))
    assert run(["inspect", "s.age", "--identity", "my.key"]) == 2
    claims = typed.data("verify", "route.veil.json", code=1)["findings"]
    assert [claim["holds"] for claim in claims].count(False) >= 1


def test_verify_ends_in_one_verdict(example: Path, typed: Typed) -> None:
    said = typed.shown("verify", "route.veil.json", "network.csv", "walk.txt")
    assert "all 7 claims hold. Not shown: whether somebody changed policy" in said
    assert "bits or salt and made the rest fit; the custodian's --ledger DB tells" in said
    Path("other.txt").write_text("a\nb\nc\n")
    said = typed.shown("verify", "route.veil.json", "network.csv", "other.txt", code=1)
    assert "fails the walk reads back exactly" in said
    assert "1 of 7 claims does not hold" in said


@pytest.mark.regression("a changed direction or salt was not among what verify cannot know")
@pytest.mark.regression("inspect --ledger spoke of sending a file that the ledger does not know")
def test_only_a_ledger_confirms_restated_files(example: Path, typed: Typed) -> None:
    """Balanced restated as frontier is consistent; the command names what it cannot confirm."""
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    assert run([*PUBLISH, "true.veil.json", "--ledger", "l.db", "-q"]) == 0
    true = Publication.load("true.veil.json")
    other = replace(true, policy=Policy.frontier(walk_loss=1).terms())
    replace(other, certificate=earned_certificate(other)).save(example / "other.veil.json")
    hidden = replace(true, direction=None)
    replace(hidden, certificate=earned_certificate(hidden)).save(example / "hidden.veil.json")
    replace(true, salt=None).save(example / "bare.veil.json")
    for name in ("true", "other", "hidden", "bare"):
        file, is_true = f"{name}.veil.json", name == "true"
        unconfirmed = typed.data("verify", file)["unconfirmed"]
        assert {"policy", "direction", "salt"} <= {*unconfirmed}
        asked = ["verify", file, "--ledger", "l.db"]
        assert typed.data(*asked, code=0 if is_true else 1)["unconfirmed"] == []
        for more in ([], ["network.csv", "walk.txt"]):
            code = run(["inspect", file, *more, "--ledger", "l.db"])
            assert code == (0 if is_true else 2), file
            assert is_true or "l.db does not confirm this file" in typed.read().err


@pytest.mark.regression("inspect spoke of sending a file whose bits its policy never shows")
def test_a_file_restated_as_sealed_is_not_judged(example: Path, typed: Typed) -> None:
    false = replace(Publication.load("route.veil.json"), policy=Policy.sealed().terms())
    replace(false, certificate=earned_certificate(false)).save(example / "false.veil.json")
    assert run(["inspect", "false.veil.json", "network.csv", "walk.txt"]) == 2
    assert "shows what chance never shows" in typed.read().err


@pytest.mark.regression("verify --after called every file outside a series a broken one")
def test_only_files_of_a_series_follow_one_another(example: Path, typed: Typed) -> None:
    after = ["--after", "route.veil.json"]
    assert run(["verify", "route.veil.json", *after]) == 2
    assert "--after: route.veil.json belongs to no series" in typed.read().err
    assert "--after" not in typed.shown("verify", "route.veil.json")
    assert run([*PUBLISH, "0.veil.json", "--policy", "remembering:usage=0.3", "-q"]) == 0
    assert "or all earlier files with --after" in typed.shown("verify", "0.veil.json")
    assert run(["verify", "0.veil.json", *after, "-q"]) == 2


def test_pictures(example: Path, typed: Typed) -> None:
    assert run(["draw", "route.veil.json", "-o", "x.svg", "-q"]) == 0
    secret = ["draw", "network.csv", "--walk", "walk.txt", "-q"]
    for name, more in (("w.svg", []), ("s.svg", ["--story"])):
        assert run([*secret, *more, "-o", name]) == 0
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600, "it shows the secret"
    assert stat.S_IMODE(Path("x.svg").stat().st_mode) != 0o600


# -- attacks --------------------------------------------------------------------------------------


def test_attacks_end_in_a_verdict_with_its_yardstick(example: Path, typed: Typed) -> None:
    attacked = typed.data(*ATTACK, "--lacking", "c", "d")
    assert attacked["by_coins"] is None  # exact layers tell no more than the coins
    assert {one["candidate"] for one in attacked["candidates"]} == {"a - d", "c - d"}
    said = typed.shown(*ATTACK, "--lacking", "c", "d")
    assert "c - d (true)" in said
    right, without = (100 * attacked[name] for name in ("success", "control"))
    assert f"guessed right {right:.0f} times in 100 ({without:.0f} without the file" in said
    assert run([*PUBLISH, "second.veil.json", "-q"]) == 0
    several = ["attack", "route.veil.json", "second.veil.json", "network.csv"]
    said = typed.shown(*several)
    assert "of 12 links named; guessing alone would name" in said
    said = typed.shown(*several, "--lacking", "c", "d")
    assert said.startswith("the missing link is guessed right")


# -- encrypted files ------------------------------------------------------------------------------


@pytest.mark.regression("of several keys the last one alone was tried")
def test_every_reader_of_files_opens_encrypted_ones(example: Path, typed: Typed) -> None:
    for name in ("me", "you"):
        assert run(["keys", "-o", f"{name}.key", "-q"]) == 0
    assert stat.S_IMODE(Path("me.key").stat().st_mode) == 0o600
    mine = typed.read().out.split()[0]
    assert run([*PUBLISH, "s.veil.age", "--to", mine, "-q"]) == 0
    assert b"pathveil" not in Path("s.veil.age").read_bytes()
    for words in (
        ["reconstruct", "s.veil.age", "network.csv"],
        ["reconstruct", "s.veil.age", "network.csv", "--as", "b"],
        ["inspect", "s.veil.age"],
        ["verify", "s.veil.age", "network.csv", "walk.txt"],
        ["attack", "s.veil.age", "network.csv", "--lacking", "c", "d"],
        ["draw", "s.veil.age", "-o", "s.svg"],
    ):
        assert run([*words, "-q", "--identity", "me.key"]) == 0, words
        assert run([*words, "-q", "--identity", "you.key"]) == 2, words
    both = ["--identity", "me.key", "--identity", "you.key"]
    assert run(["inspect", "s.veil.age", *both, "-q"]) == 0
    Path("walk.txt").write_text("a\nb\nc\n")
    assert run([*PUBLISH, "t.veil", "--after", "s.veil.age", "-q"]) == 2
    assert run([*PUBLISH, "t.veil", "--after", "s.veil.age", "--identity", "me.key", "-q"]) == 0
    Path("walks.txt").write_text("a,b,c\nb,c,d\n")
    batch = ["batch", "network.csv", "walks.txt", "--to", mine, "--policy", "balanced", "-q"]
    assert run([*batch, "-o", "many", "--workers", "1"]) == 0
    assert sorted(path.name for path in Path("many").iterdir()) == [
        "000001.veil.json.age",
        "000002.veil.json.age",
    ]


# -- several walks --------------------------------------------------------------------------------


def test_a_series_goes_on_and_is_verified(example: Path, typed: Typed) -> None:
    walks = ["a,b,c", "b,d,e", "f,a,b"]
    Path("out").mkdir()
    for number, walk in enumerate(walks):
        Path("walk.txt").write_text(walk)
        more = ["--after", "out"] if number else ["--policy", "remembering:usage=0.3"]
        assert run([*PUBLISH, f"out/{number}.veil.json", *more, "-q"]) == 0
    for number, walk in enumerate(walks):
        read = typed.data("reconstruct", f"out/{number}.veil.json", "network.csv")
        assert read["walk"] == walk.split(",")
    last = ["verify", "out/2.veil.json"]
    assert run([*last, "--after", "out/1.veil.json", "--after", "out/0.veil.json"]) == 0
    assert run([*last, "--after", "out/1.veil.json"]) == 1
    Path("walk.txt").write_text("c,d")
    for more in (
        ["--after", "out/1.veil.json"],
        ["--after", "out", "--policy", "balanced"],
        ["--after", "out", "--policy", "remembering:on=1/2,off=1/2"],
    ):
        assert run([*PUBLISH, "x.veil.json", *more, "-q"]) == 2
    salts = [str(Publication.load(f"out/{n}.veil.json").salt)[:8] for n in range(3)]
    typed.read()
    for words in (["inspect", "out/1.veil.json"], ["inspect", "out/1.veil.json", "--json"]):
        run(words)
    assert not any(salt in "".join(typed.read()) for salt in salts), "a salt is not passed on"


@pytest.mark.regression("the error of a batch had no prefix, and --quiet and --json hid it")
def test_a_batch_reports_lines_and_ends_in_a_verdict(example: Path, typed: Typed) -> None:
    Path("walks.txt").write_text('a,b,c\na,d\n["d","e","f"]\na,b,c\n')
    batch = ["batch", "network.csv", "walks.txt", "--workers", "1", "--policy", "balanced"]
    assert run([*batch, "-o", "out.jsonl"]) == 2
    said, error = (" ".join(text.split()) for text in typed.read())
    assert error.startswith("pathveil: walks.txt: 1 walk not published; correct those lines")
    assert "walks.txt, line 2: step 1 of the walk goes 'a' -> 'd'" in said
    assert "number 4 (of 1): is an earlier walk once more; it was released again" in said
    assert "published 3 of 4 walks to out.jsonl; certificate of all" in said
    assert "readers whoever has the whole network" in said
    assert Path("out.jsonl.lines.csv").read_text() == "number,line\n1,1\n2,3\n3,4\n"
    assert Path("out.jsonl.certificate.json").exists()
    assert not Path("out.jsonl.journal").exists()
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [row["number"] for row in rows] == [1, 2, 3]
    Path("walks.txt").write_text("a,b,c\nd,e,f\n")
    assert run([*batch, "-o", "shown"]) == 0
    said, error = (" ".join(text.split()) for text in typed.read())
    look = "inspect shown/000001.veil.json network.csv --after shown"
    assert f"Before you send them, each: pathveil {look}" in error
    assert run(look.split()) == 0
    assert "this file" in typed.read().err
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    assert run([*batch, "-o", "out", "--ledger", "l.db", "--after", "shown"]) == 2
    made = typed.data(*batch, "-o", "out", "--direction", "hidden")
    assert (made["published"], made["failures"], made["ledger"]) == (2, [], None)
    assert Publication.load("out/000001.veil.json").direction is None
    assert run([*batch, "-o", "out"]) == 2


def test_a_grouping_from_the_network_to_the_reader(example: Path, typed: Typed) -> None:
    Path("ring.csv").write_text("".join(f"v{i:02d},v{(i + 1) % 99:02d}\n" for i in range(99)))
    Path("walk.txt").write_text("".join(f"v{i:02d}\n" for i in range(20, 9, -1)))
    assert run(["group", "ring.csv", "-o", "groups.json"]) == 0
    assert "Recommended: 23 classes" in typed.read().err
    over = ["--groups", "groups.json"]
    assert run(["publish", "ring.csv", "walk.txt", "-o", "g.veil.json", *over]) == 0
    typed.read()
    assert typed.data("reconstruct", "g.veil.json", "ring.csv", *over)["walk"][0] == "v20"
    assert run(["verify", "g.veil.json", "ring.csv", "walk.txt", *over, "-q"]) == 0
    assert run(["attack", "g.veil.json", "ring.csv", "--lacking", "v15", "v16", *over, "-q"]) == 0
    assert run(["reconstruct", "g.veil.json", "ring.csv"]) == 2
    assert "--groups FILE" in typed.read().err
    assert run(["group", "ring.csv", "-o", "groups.json", "-q"]) == 2, "one for life"
    Path("small.csv").write_text("a,b\nb,c\nc,d\nd,a\na,c\n")
    assert run(["group", "small.csv", "-o", "small.json"]) == 2
    assert "too small" in typed.read().err


@pytest.mark.regression("group printed a loss of inf")
def test_a_loss_without_a_bound_is_no_number(typed: Typed) -> None:
    ring = Network.from_links([(i, (i + 1) % 60) for i in range(60)])
    never = GroupingLoss(1.0, Interval(0.0, 0.0, 0.1), load=0.3)
    _show_made(Path("g.json"), draw_grouping(ring, classes=20, source=Seeded(1)), never)
    assert "inf" not in typed.read().err


def test_a_ledger_from_beginning_to_limit(example: Path, typed: Typed) -> None:
    Path("other.txt").write_text("b\nc\n")
    through = ["--ledger", "l.db"]
    assert run(["ledger", "init", "l.db", "--budget", "3/2", "-q"]) == 0
    assert stat.S_IMODE(Path("l.db").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path("l.db.key").stat().st_mode) == 0o600
    first = typed.data(*PUBLISH, "1.veil.json", *through)
    assert first["ledger"]["spent"]["expression"] == "ln 2"
    said = typed.shown(*PUBLISH, "2.veil.json", *through)
    assert "the same file again" in said
    assert Path("1.veil.json").read_bytes() == Path("2.veil.json").read_bytes()
    other = ["publish", "network.csv", "other.txt", "-o", "3.veil.json", *through]
    assert run(other) == 0
    Path("walk.txt").write_text("a\nb\nc\nd\n")
    assert run([*PUBLISH, "4.veil.json", *through]) == 2
    refused = typed.read().err
    assert "3 ln 2 = 2.0795" in refused
    assert not Path("4.veil.json").exists()
    (stand,) = typed.data("ledger", "show", "l.db")["networks"]
    assert [release["place"] for release in stand["releases"]] == [1, 2]
    said = typed.shown("ledger", "show", "l.db")
    assert said.startswith("network 1, 12 links: 2 releases; ")
    assert "the worst link has used 92% of the budget of 1.5" in said
    assert run(["ledger", "export", "l.db", "-o", "x.jsonl", "-q"]) == 0
    lines = [json.loads(line) for line in Path("x.jsonl").read_text().splitlines()]
    assert [line["counter"] for line in lines] == list(range(1, len(lines) + 1))
    assert typed.shown("ledger", "verify", "l.db", "1.veil.json").endswith("claims hold")
    text = Path("3.veil.json").read_text()
    Path("3.veil.json").write_text(f"{text} ")  # as what was encrypted comes from age -d
    assert run(["ledger", "verify", "l.db", "3.veil.json"]) == 0
    Path("3.veil.json").write_text(text.replace('"unsafe": false', '"unsafe": true'))
    claims = typed.data("ledger", "verify", "l.db", "3.veil.json", code=1)["findings"]
    assert [one["claim"] for one in claims if not one["holds"]] == ["3.veil.json is recorded"]


def test_a_ledger_replaces_nothing(example: Path) -> None:
    """An export over the ledger's own file, or its key, would have ended it."""
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    Path("keep.jsonl").write_text("precious")
    before = {path.name: path.read_bytes() for path in example.iterdir()}
    for words in (
        ["ledger", "export", "l.db", "-o", "keep.jsonl"],
        ["ledger", "export", "l.db", "-o", "l.db", "--force"],
        ["ledger", "export", "l.db", "-o", "l.db.key", "--force"],
        [*PUBLISH, "l.db", "--ledger", "l.db", "--force"],
        [*PUBLISH, "l.db.key", "--ledger", "l.db", "--force"],
        [*PUBLISH, "x.veil", "--ledger", "l.db", "--unsafe-seed", "1"],
        [*PUBLISH, "x.veil", "--ledger", "l.db", "--after", "route.veil.json"],
    ):
        assert run(words) == 2, words
    assert {path.name: path.read_bytes() for path in example.iterdir()} == before


# -- the demonstration, studies, the program itself -----------------------------------------------


def test_the_demonstration_fits_a_screen_and_is_true(
    example: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for more in ([], ["--paper"]):
        assert run(["demo", "--seed", "1", *more]) == 0
        told = typed.read().out
        assert len(told.splitlines()) <= 60
        assert max(map(len, told.splitlines())) <= 80
    assert run(["demo", "--seed", "5", "--paper"]) == 0
    said = " ".join(typed.read().out.split())
    assert "order told, and wrong." in said
    assert "by the coins alone: 62 times in 100; the rest comes from the layers" in said
    paper = ["--policy", "paper:vertex=1,link=1", "--layering", "backtracking", "--unsafe-seed"]
    assert run([*PUBLISH, "p.veil.json", *paper, "5", "-q"]) == 0
    attacked = typed.data("attack", "p.veil.json", "network.csv", "--lacking", "c", "d")
    assert (round(attacked["by_coins"], 2), attacked["success"]) == (0.62, 1)
    assert sum(one["by_coins"] for one in attacked["candidates"]) == pytest.approx(1)
    assert run(["demo", "--seed", "1"]) == 0
    said = " ".join(typed.read().out.split())
    assert "policy balanced" in said
    assert "c is between b and d" in said
    assert f"With the whole network: {' → '.join(VISITS)}, order known" in said
    assert MISSING in Walk(VISITS).links


def test_reproduce_and_compare_write_what_they_say(example: Path, typed: Typed) -> None:
    command = ["lab", "reproduce", "--figure", "10", "--runs", "3", "-o", "res", "--workers", "1"]
    assert run([*command, "--json"]) == 0
    assert "Cyclic walks get more copies" in Path("res/report.md").read_text("utf-8")
    assert parsed("lab reproduce", typed.read().out)["findings"]
    command = ["lab", "compare", "--trials", "5", "--budget", "1", "--system", "SDD", "-o", "cmp"]
    assert run([*command, "--workers", "1", "--json"]) == 0
    assert parsed("lab compare", typed.read().out)["files"]


def test_a_broken_pipe_is_no_failed_claim(example: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-m", "pathveil", "policies", "--json"]
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.regression("a closed stream was a fault of the program, a full one a failed claim")
@pytest.mark.regression("a result for a closed stream was lost, an unread note was an error")
def test_streams_that_are_closed_or_full_change_no_exit_code(example: Path) -> None:
    good, refused = "verify route.veil.json", "verify missing.veil.json"
    for words, streams, code in (
        (good, "<&- >&- 2>&-", 0),
        ("publish network.csv walk.txt -o x.veil", ">&-", 0),
        ("publish network.csv walk.txt -o y.veil", ">/dev/full", 2),
        ("publish network.csv walk.txt -o z.veil", "2>/dev/full", 0),
        ("publish network.csv walk.txt -o -", ">&-", 2),
        ("keys -o -", ">&-", 2),
        ("network digest network.csv --json", ">&-", 2),
        ("reconstruct route.veil.json network.csv", ">&-", 2),
        ("reconstruct route.veil.json network.csv", ">/dev/full", 2),
        (refused, "2>/dev/full", 2),
        (refused, "2>&1 >&- | true; exit ${PIPESTATUS[0]}", 2),
    ):
        command = f"{sys.executable} -m pathveil {words} {streams}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
        assert done.returncode == code, (words, streams, done.stderr)
        assert b"Error" not in done.stderr
        assert (b"y.veil is written" in done.stderr) == ("y.veil" in words)
