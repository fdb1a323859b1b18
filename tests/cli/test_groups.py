from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pathveil import Grouping, Knowledge, Network, Seeded, Walk, attack, group, publish
from pathveil.cli.main import run
from pathveil.files.networks.network_reader import read_network

RING = [(i, (i + 1) % 90) for i in range(90)]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "ring.csv").write_text(
        "source,target\n" + "".join(f"v{u:02d},v{v:02d}\n" for u, v in RING)
    )
    (tmp_path / "walk.txt").write_text("".join(f"v{i:02d}\n" for i in range(20, 9, -1)))
    return tmp_path


def test_from_the_network_to_the_reader(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ring, walk, groups, file = (
        str(files / name) for name in ("ring.csv", "walk.txt", "groups.json", "a.veil.json")
    )
    assert run(["group", ring, "-o", groups]) == 0
    said = capsys.readouterr().err
    assert "for your eyes only" in said
    assert "Recommended: 30 classes of about 3 vertices" in said
    assert "on which step of that ladder" in said
    assert "estimated over" in " ".join(said.split())
    assert run(["publish", ring, walk, "-o", file, "--groups", groups]) == 0
    told = capsys.readouterr()
    said = " ".join(told.out.split())
    # A class may stay empty: how many do is chance.
    assert re.search(r"Published over (2\d|30) classes", said)
    assert "by the grouping alone" in " ".join(told.err.split())
    assert run(["reconstruct", file, ring, "--groups", groups]) == 0
    assert capsys.readouterr().out.split(" → ")[0] == "v20"
    assert run(["reconstruct", file, ring, "--groups", groups, "--as", "v15"]) == 0
    assert "between v14 and v16" in capsys.readouterr().out
    assert run(["verify", file, ring, walk, "--groups", groups]) == 0
    capsys.readouterr()
    assert run(["attack", file, ring, "--lacking", "v15", "v16", "--groups", groups]) == 0
    assert "v15 - v16" in capsys.readouterr().out
    assert run(["reconstruct", file, ring]) == 2
    assert "--groups FILE" in capsys.readouterr().err


def test_nothing_that_looks_at_the_network_is_in_json(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["group", str(files / "ring.csv"), "-o", str(files / "g.json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {
        "file",
        "digest",
        "vertices",
        "classes",
        "members",
        "pairs_a_link_hides_among",
        "voids",
    }


def test_a_second_grouping_has_to_say_that_it_voids_the_first(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ring, groups = str(files / "ring.csv"), str(files / "groups.json")
    assert run(["group", ring, "-o", groups, "--classes", "32", "--no-dial"]) == 0
    before = Path(groups).read_bytes()
    assert run(["group", ring, "-o", groups, "--classes", "32", "--no-dial"]) == 2
    assert Path(groups).read_bytes() == before
    again = str(files / "again.json")
    capsys.readouterr()
    assert (
        run(["group", ring, "-o", again, "--at-least", "1", "--no-dial", "--void-old", groups]) == 0
    )
    assert "is void from now on" in capsys.readouterr().out
    assert Grouping.load(again).terms.voids == Grouping.load(groups).digest


def test_a_small_network_is_told_so(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = files / "small.csv"
    small.write_text("a,b\nb,c\nc,d\nd,a\na,c\n")
    assert run(["group", str(small)]) == 0
    assert "too small" in capsys.readouterr().err
    assert run(["group", str(small), "-o", str(files / "g.json")]) == 2
    assert "too small" in capsys.readouterr().err
    assert not (files / "g.json").exists()
    assert run(["group", str(small), "--classes", "3", "--links", "9"]) == 2


def test_an_insider_meets_fewer_rivals_over_a_grouping() -> None:
    """Joins whose block is taken are no candidates: that is what the load costs."""
    network = Network.from_links(RING)
    grouping = group(network, classes=24, source=Seeded(3))
    walk = Walk(map(str, range(10)))
    publication = publish(network, walk, grouping=grouping)
    for step in walk.steps[2:7]:
        known = network.without(step)
        found = attack(publication, Knowledge(known))
        plain = attack(publish(network, walk), Knowledge(known))
        labels = {candidate.label for candidate in found.candidates}
        expected = {
            candidate.label
            for candidate in plain.candidates
            if grouping.has_room_for(known, *candidate.label.split(" - "))
        }
        assert labels == expected


def test_several_files_over_a_grouping_are_refused(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network, groups = str(files / "ring.csv"), str(files / "groups.json")
    assert run(["group", network, "-o", groups]) == 0
    known = read_network(network)
    made = []
    for number in range(2):
        (files / "one.txt").write_text(",".join(known.links[number]) + "\n")
        made.append(str(files / f"{number}.veil.json"))
        given = [network, str(files / "one.txt"), "--groups", groups, "-o", made[-1]]
        assert run(["publish", *given]) == 0
    for given in ([network], ["--links", "60"], [network, "--lacking", *known.links[0]]):
        capsys.readouterr()
        assert run(["attack", *made, *given, "--groups", groups]) == 2
        assert "is over a grouping" in " ".join(capsys.readouterr().err.split())
