"""Several releases from the command line: publish --after, verify --after, attack with many."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk
from pathveil import publish as released
from pathveil.cli.main import run
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.sketch import SketchedBits
from tests.cli.json_schemas import parsed

LINKS = "a,b\nb,c\nc,d\nd,e\ne,f\nb,d\na,f\n"
WALKS = ["a,b,c", "b,d,e", "f,a,b", "c,d,e"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "network.csv").write_text(LINKS)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    return tmp_path


def publish(number: int, *options: str) -> int:
    Path("walk.txt").write_text(WALKS[number])
    file = f"out/{number}.veil.json"
    return run(["publish", "network.csv", "walk.txt", "-o", file, *options])


def begin(count: int = 3) -> None:
    assert publish(0, "--policy", "remembering:usage=0.3") == 0
    for number in range(1, count):
        assert publish(number, "--after", "out", "--notes") == 0


def test_a_series_is_published_read_and_verified(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin()
    shown = " ".join(capsys.readouterr().err.split())
    assert "uses per link after 3 releases" in shown
    for number in (2, 0, 1):
        args = ["reconstruct", f"out/{number}.veil.json", "network.csv", "--json"]
        assert run(args) == 0
        assert json.loads(capsys.readouterr().out)["walk"] == WALKS[number].split(",")
    last = "out/2.veil.json"
    assert run(["verify", last, "--after", "out/1.veil.json", "--after", "out/0.veil.json"]) == 0
    assert "one series" in capsys.readouterr().out
    assert run(["verify", last, "--after", "out/1.veil.json"]) == 1
    assert run(["verify", last]) == 0
    text = (folder / last).read_text()
    assert "uses per link" not in text, "what depends on the network is for the screen only"
    assert json.loads(text)["series"]["place"] == 3


def test_no_command_prints_a_salt(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a command prints of a file is passed on without the file, its digests with it."""
    begin(2)
    salts = [Publication.load(f"out/{number}.veil.json").salt for number in (0, 1)]
    assert len(set(salts)) == 2
    for args in (
        ["inspect", "out/1.veil.json"],
        ["inspect", "out/1.veil.json", "--json"],
        ["verify", "out/1.veil.json", "--after", "out/0.veil.json", "--json"],
        ["publish", "network.csv", "walk.txt", "-o", "x.veil.json", "--after", "out", "--json"],
        ["attack", "out/0.veil.json", "out/1.veil.json", "network.csv", "--json"],
    ):
        run(args)
    salts.append(Publication.load("x.veil.json").salt)
    said = "".join(capsys.readouterr())
    assert Publication.load("out/1.veil.json").series.release[:12] in said  # type: ignore[union-attr]
    assert not any(str(salt)[:8] in said for salt in salts)


def test_a_file_whose_salt_was_cut_is_refused_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(2)
    path = Path("out/0.veil.json")
    told = json.loads(path.read_text())
    for salt, said in ((None, "the salt is missing"), (told["salt"][:8], "the salt is of 8 char")):
        path.write_text(json.dumps({**told, "salt": salt}))
        for args in (["inspect", str(path)], ["verify", "out/1.veil.json", "--after", "out"]):
            capsys.readouterr()
            assert run(args) == 2
            shown = capsys.readouterr().err
            assert said in shown
            assert len(shown.strip().splitlines()) == 1
    path.write_text(json.dumps({**told, "salt": told["salt"][::-1]}))
    assert run(["verify", "out/1.veil.json", "--after", "out"]) == 2
    assert "is not what its digest" in capsys.readouterr().err


def test_gaps_and_other_terms_are_refused_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(2)
    capsys.readouterr()
    assert publish(2, "--after", "out/1.veil.json") == 2
    assert "give every release" in capsys.readouterr().err
    assert publish(2, "--policy", "remembering:on=1/2,off=1/2", "--after", "out") == 2
    said = capsys.readouterr().err
    assert "keeps its terms" in said
    assert "Traceback" not in said
    (folder / "empty").mkdir()
    assert publish(2, "--after", "empty") == 2
    assert not (folder / "out/2.veil.json").exists()


def test_outsiders_and_insiders_hold_every_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(4)
    capsys.readouterr()
    files = [f"out/{number}.veil.json" for number in (3, 1, 0, 2)]
    assert run(["attack", *files, "--links", "7", "--steps", "20000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["files"] == 4
    assert len(found["structure"]["walks"]) == 4
    (folder / "known.csv").write_text("a,b\nd,e\n")
    judged = ["attack", files[0], "network.csv", "--with", "out", "--know", "known.csv"]
    assert run([*judged, "--steps", "20000"]) == 0
    assert "links" in capsys.readouterr().out
    assert run(["attack", *files, "network.csv", "--lacking", "b", "c", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["truth_posterior"] > 0
    assert run(["attack", *files, "network.csv", "--lacking", "b", "c"]) == 0
    assert "is left with" in " ".join(capsys.readouterr().out.split())
    assert run(["attack", *files]) == 2
    assert run(["attack", *files, "network.csv", "--lacking", "b", "c", "c", "d"]) == 2


def sketch(number: int, *options: str) -> int:
    Path("walk.txt").write_text(WALKS[number])
    file = f"out/{number}.veil"
    return run(["publish", "network.csv", "walk.txt", "-o", file, "--form", "sketch", *options])


def test_a_policy_that_is_named_is_meant(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Named with a series it must be the series' own: ``balanced`` is not taken as not given."""
    begin(1)
    assert publish(1, "--policy", "balanced", "--after", "out") == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "keeps its terms" in said
    assert "balanced" in said
    assert not (folder / "out/1.veil.json").exists()


def with_a_bit_turned(publication: Publication) -> Publication:
    """The same file with one bit turned, and the digest left as it was."""
    bits = publication.bits
    if isinstance(bits, SketchedBits):
        words = bits.words.copy()
        words[0, 0] ^= 1
        return replace(publication, bits=replace(bits, words=words))
    assert isinstance(bits, PackedBits)
    flat = bits.pairs.flat().copy()
    flat[-1] = not flat[-1]  # e - f, which is a link: whoever reads it alone reads another walk
    return replace(
        publication, bits=PackedBits(bits.positions, PairBits.from_flat(bits.pairs.size, flat))
    )


@pytest.mark.parametrize("name", ["one.veil.json", "one.veil"])
def test_a_file_is_of_one_of_the_walks_there_are(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No digest covers which walk it is: the second of one passed."""
    network = Network.parse(LINKS.replace(",", ""))
    made = released(
        network, Walk("abcde"), policy=Policy.remembering(prior=("1/2", "1/2")), source=Seeded(1)
    )
    assert made.series is not None
    made.save(folder / name)
    assert run(["verify", name]) == 0
    replace(made, series=replace(made.series, walk=2)).save(folder / name)
    capsys.readouterr()
    for command in (["verify", name], ["inspect", name, "--trust"], ["convert", name, "x.veil"]):
        assert run(command) == 2
        said = capsys.readouterr().err
        assert f"{name}: series: walk: is 2, expected a number up to 1" in said
        assert said.count("\n") == 1


@pytest.mark.parametrize("stated", ["x", "1" * 5000, "-1", ""])
def test_a_number_of_walks_is_a_number(
    stated: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = Network.parse(LINKS.replace(",", ""))
    made = released(
        network, Walk("abcde"), policy=Policy.remembering(prior=("1/2", "1/2")), source=Seeded(1)
    )
    made.save(folder / "first.veil.json")
    parameters = (*made.policy.parameters, ("walks", stated))
    replace(made, policy=replace(made.policy, parameters=parameters)).save(folder / "x.veil.json")
    assert run(["verify", "x.veil.json", "--after", "first.veil.json"]) == 2
    said = capsys.readouterr().err
    assert "series: how many walks were published together is no number" in said
    assert len(said) < 400


@pytest.mark.parametrize("name", ["one.veil.json", "one.veil", "sketch.veil"])
def test_bits_edited_in_one_file_of_a_series_are_noticed_alone(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    form = {"form": "sketch", "capacity": 12} if name == "sketch.veil" else {}
    network = Network.parse(LINKS.replace(",", ""))
    made = released(
        network,
        Walk("abcde"),
        policy=Policy.remembering(prior=("1/2", "1/2")),
        source=Seeded(1),
        **form,  # type: ignore[arg-type]
    )
    made.save(folder / name)
    assert run(["verify", name]) == 0
    assert run(["inspect", name, "--json"]) == 0
    *_, told = capsys.readouterr().out.split("\n{")
    assert parsed("inspect", "{" + told)["digest_kept"] is True
    with_a_bit_turned(made).save(folder / name)
    assert run(["verify", name]) == 1
    assert "was changed after it was published" in " ".join(capsys.readouterr().out.split())
    for command in (
        ["reconstruct", name, "network.csv"],
        ["inspect", name],
        ["convert", name, "x.veil"],
    ):
        assert run(command) == 2
        said = capsys.readouterr().err
        assert "was changed after it was published" in said
        assert "; 'pathveil inspect --trust' (trust=True) shows it" in said
    assert run(["inspect", name, "--trust"]) == 0
    assert "changed: " in capsys.readouterr().out
    assert run(["inspect", name, "--trust", "--json"]) == 0
    assert parsed("inspect", capsys.readouterr().out)["digest_kept"] is False
