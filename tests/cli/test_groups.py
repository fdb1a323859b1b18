from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pathveil import Grouping, Knowledge, Network, Policy, Seeded, Walk, attack, group, publish
from pathveil.attacks.series.outsider import bare_walks_among
from pathveil.cli.main import run
from pathveil.errors import DoesNotFit
from pathveil.files.networks.network_reader import read_network
from tests.cli.json_schemas import parsed
from tests.grouping.test_colouring import random_network
from tests.planning.test_gate import all_but_two_alone, walks_over

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
    assert run(["attack", file, ring, "--missing", "v15", "v16", "--groups", groups]) == 0
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
    publication = publish(network, walk, policy=Policy.sealed(), grouping=grouping)
    for step in walk.steps[2:7]:
        known = network.without(step)
        found = attack(publication, Knowledge(known))
        plain = attack(publish(network, walk, policy=Policy.sealed()), Knowledge(known))
        labels = {candidate.label for candidate in found.candidates}
        expected = {
            candidate.label
            for candidate in plain.candidates
            if grouping.has_room_for(known, *candidate.label.split(" - "))
        }
        assert labels == expected
    with pytest.raises(DoesNotFit, match="let one link miss"):
        attack(publication, Knowledge(network.without(("1", "2"), ("4", "5")), missing=2))


@pytest.mark.parametrize(
    ("ending", "form", "later"),
    [
        (".veil.json", [], []),
        (".veil", ["--form", "sketch", "--capacity", "120"], []),
        (
            ".veil",
            ["--form", "sketch", "--capacity", "120", "--policy", "remembering:on=1/2,off=1/2"],
            ["--form", "sketch"],
        ),
    ],
)
def test_several_files_over_a_grouping_are_attacked_between_its_classes(
    ending: str,
    form: list[str],
    later: list[str],
    files: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of sketches it asked the grouping for classes as if they were vertices, and ended there."""
    network, groups = str(files / "ring.csv"), str(files / "groups.json")
    assert run(["group", network, "-o", groups]) == 0
    known = read_network(network)
    between = Grouping.load(groups).between_classes(known)
    made = []
    for number in range(2):
        (files / "one.txt").write_text(",".join(known.links[number]) + "\n")
        made.append(str(files / f"{number}{ending}"))
        given = [network, str(files / "one.txt"), "--groups", groups, "-o", made[-1]]
        given += [*later, "--after", made[0]] if later and number else form
        assert run(["publish", *given]) == 0
    capsys.readouterr()
    outsider = ["--groups", groups, "--steps", "1000", "--json"]
    assert run(["attack", *made, network, *outsider]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["files"] == 2
    assert len(found["counting"]["links"]) == len(between.links)
    assert found["counting"]["walks_right"] is not None
    assert run(["attack", *made, "--links", "60", *outsider]) == 0
    assert json.loads(capsys.readouterr().out)["counting"]["walks_right"] is None
    u, v = known.links[0]
    assert run(["attack", *made, network, "--missing", u, v, "--groups", groups]) == 0
    assert f"all links but {u} - {v} and holds 2 files" in capsys.readouterr().out


def ring_walked_twice(folder: Path) -> tuple[str, list[str], str]:
    """A 60-ring in 26 classes, and two walks of twelve visits that pass a class twice."""
    ring = folder / "ring60.csv"
    ring.write_text("".join(f"v{i:02d},v{(i + 1) % 60:02d}\n" for i in range(60)))
    network = read_network(ring)
    grouping = group(network, classes=26, source=Seeded(1))
    assert len(grouping.bare_classes) < 2, "so nobody looks for paths"
    groups = folder / "g26.json"
    grouping.save(groups)
    made = []
    for number, first in enumerate((0, 3)):
        walk = Walk(f"v{i:02d}" for i in range(first, first + 12))
        assert len(set(grouping.classes_of(walk.vertices).tolist())) < 12
        made.append(str(folder / f"{number}.veil"))
        publish(network, walk, grouping=grouping, source=Seeded(number)).save(made[-1])
    return str(ring), made, str(groups)


def test_outsiders_over_a_grouping_count_and_look_for_no_paths(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A walk that passes a class twice ended with "does not belong to this network"."""
    ring, made, groups = ring_walked_twice(files)
    for pile in (made[:1], made):
        assert run(["attack", *pile, ring, "--groups", groups]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert "by counting" in said
        assert "by looking for paths" not in said
        assert "reads every walk between classes" in said
    # Who knows all links names every block of every walk: nothing less may be said of him.
    told = ["attack", *made, ring, "--groups", groups, "--know", ring, "--json"]
    assert run(told) == 0
    found = parsed("attack", capsys.readouterr().out)
    assert found["structure"] is None
    assert found["counting"]["paths"] == found["counting"]["walks_right"] == 2
    assert found["counting"]["links_right"] == 60
    assert run(["attack", *made, "--links", "60", "--groups", groups]) == 0
    assert "make one walk" in capsys.readouterr().out


def test_an_insider_with_several_files_over_a_grouping_is_asked_between_vertices(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """He was left with dozens of pairs of classes, the true one not among them."""
    ring, made, groups = ring_walked_twice(files)
    gone = ["--missing", "v05", "v06", "--groups", groups, "--json"]
    alone = []
    for file in made:
        assert run(["attack", file, ring, *gone]) == 0
        beliefs = parsed("attack", capsys.readouterr().out)["candidates"]
        alone.append({row["candidate"]: row["posterior"] for row in beliefs if row["posterior"]})
    both = {label: alone[0][label] * alone[1][label] for label in alone[0].keys() & alone[1].keys()}
    assert run(["attack", *made, ring, *gone]) == 0
    found = parsed("attack", capsys.readouterr().out)
    told = {" - ".join(row["link"]): row["posterior"] for row in found["candidates"]}
    assert told == pytest.approx({label: w / sum(both.values()) for label, w in both.items()})
    assert found["truth_posterior"] == told["v05 - v06"] > 0.2
    assert "groupings" in found["left_out"][0]


def test_what_several_files_over_a_grouping_refuse(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ring, made, groups = ring_walked_twice(files)
    over = [ring, "--groups", groups]
    for given, said in (
        ([ring, "--missing", "v05", "v06"], "--groups FILE"),
        (["--links", "60"], "--groups FILE"),
        ([*over, "--longest", "12"], "nobody looks for paths"),
        ([ring, "--missing", "v05", "v06", "v07", "v08", "--groups", groups], "one is tried"),
    ):
        assert run(["attack", *made, *given]) == 2
        assert said in " ".join(capsys.readouterr().err.split())


SMALL = random_network(20, 32, 1)


def pile_over(folder: Path, grouping: Grouping) -> tuple[str, list[str], list[Walk], list[str]]:
    """Thirty walks over a grouping, in files."""
    network, groups = folder / "small.csv", folder / "alone.json"
    network.write_text("".join(f"{u},{v}\n" for u, v in SMALL.links))
    grouping.save(groups)
    walks, made = walks_over(SMALL, 30, 8, 1), []
    for number, walk in enumerate(walks):
        made.append(str(folder / f"{number:02d}.veil.json"))
        publish(SMALL, walk, grouping=grouping, source=Seeded(number)).save(made[-1])
    return str(network), made, walks, ["--groups", str(groups), "--steps", "200000"]


def test_classes_of_one_vertex_are_attacked_as_vertices(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It said "0 walks are right, and 21 of 90 links" where 35 walks and 84 links are read."""
    network, made, walks, over = pile_over(files, Grouping.of([[name] for name in SMALL]))
    assert run(["attack", *made, network, *over, "--json"]) == 0
    found = parsed("attack", capsys.readouterr().out)
    true = [list(walk.vertices) for walk in walks]
    read = zip(found["structure"]["walks"], true, strict=True)
    right = sum(walk in (named, named[::-1]) for walk, named in read)
    assert right == found["structure"]["walks_right"]
    assert found["structure"]["walks_right"] > 10
    assert found["structure"]["bare"] is None
    told = [network, *over, "--longest", "7", "--know", network]
    assert run(["attack", *made, *told]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "by looking for paths: 30 of 30 files make one walk; 30 walks are right" in said
    assert "No class of the grouping has two members: it hides nothing" in said
    assert "stays hidden" not in said


def test_links_between_classes_of_one_vertex_are_said_to_be_bare(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grouping = all_but_two_alone(SMALL)
    network, made, walks, over = pile_over(files, grouping)
    assert run(["attack", *made, network, *over, "--json"]) == 0
    found = parsed("attack", capsys.readouterr().out)
    pair = set(grouping.members(int(grouping.sizes.argmax())))
    for reading in (found["counting"], found["structure"]):
        bare = reading["bare"]
        passed = [grouping.classes_of(walk).tolist() for walk in walks]
        assert bare["walks"] == len(bare_walks_among(passed, grouping))
        assert bare["walks"] > sum(not pair & set(walk) for walk in walks)
        assert bare["links"] == sum(not pair & set(link) for link in SMALL.links)
        assert bare["walks_right"] <= min(bare["walks"], reading["walks_right"])
    assert found["structure"]["bare"]["walks_right"] > 5
    assert run(["attack", *made, network, *over]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"{bare['walks_right']} of the {bare['walks']} walks that pass two links" in said
    assert "Links between classes of one member are not hidden. For the others, what stays" in said
    assert "which of the 2 pairs" in said
    assert run(["attack", *made, "--links", "32", *over]) == 0
    assert "are not hidden" in " ".join(capsys.readouterr().out.split())
