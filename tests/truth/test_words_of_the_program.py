"""What the program says: help, certificates, notes. Each sentence here was once false somewhere."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import pathveil
from pathveil import (
    Grouping,
    Network,
    Policy,
    Publication,
    Seeded,
    Walk,
    group,
    publish,
    reconstruct,
)
from pathveil.chance.certify import ODDS, certify, sizes_sentence
from pathveil.chance.urn import Urn
from pathveil.checking.verification import verify_publication
from pathveil.cli.main import run
from pathveil.errors import FalseCertificate
from pathveil.model.grouping import ClassSizes
from pathveil.planning.gate import examine
from pathveil.planning.gate_report import Effort, report_sentences
from pathveil.planning.gatekeeper import require_suits
from pathveil.policies.base import LIKELY, READ
from pathveil.publishing.release import publish_series

SOURCE = Path(pathveil.__file__).parent
NETWORK = Network.parse("ab bc cd de ef bd ac")
WALK = Walk("abcdef")
RING = Network.from_links([(f"v{i:02d}", f"v{(i + 1) % 60:02d}") for i in range(60)])
ARC = Walk([f"v{i:02d}" for i in range(12)])


def said_by(publication: Publication) -> str:
    return " ".join(publication.certificate.not_protected)


# -- certificates ---------------------------------------------------------------------------------


def test_only_the_loss_of_a_walk_link_compares_with_what_nobody_publishes() -> None:
    """The world without a link off the walk is a world like any other: its loss bounds the odds."""
    assert ODDS.startswith("The loss of a walk ")
    smaller = NETWORK.without(("b", "d"))
    assert reconstruct(publish(smaller, WALK, source=Seeded(1)), smaller).walk == WALK


def test_who_knows_the_network_reads_a_two_sided_release_by_likelihood() -> None:
    """At a small budget another walk than the true one is read."""
    noisy = publish(NETWORK, WALK, policy=Policy.two_sided(epsilon=1), source=Seeded(1))
    assert LIKELY in said_by(noisy)
    assert READ not in said_by(noisy)
    read = [
        reconstruct(
            publish(NETWORK, WALK, policy=Policy.two_sided(epsilon=1), source=Seeded(seed)), NETWORK
        ).walk
        for seed in range(12)
    ]
    assert any(walk != WALK for walk in read)


def test_a_rate_of_one_leaves_walk_links_bare_where_every_copy_pair_has_a_coin() -> None:
    labels, rates = dict.fromkeys("abcdef", "h"), {("h", "h"): 1}
    for policy, bare in (
        (Policy.labelled(labels, rates), False),
        (Policy.labelled(labels, rates, copies=2), True),
        (Policy.labelled(labels, rates, copies=2, link_uses=1), False),
    ):
        promise = certify(policy).bound(walk_links=1)
        assert promise is not None
        assert promise.presence.is_infinite == bare
        assert ("are bare, walk links too" in " ".join(certify(policy).not_protected)) == bare


def test_without_a_vertex_budget_copies_count_visits() -> None:
    triangle, twice = Network.parse("ab bc ca cd"), Walk("abcabcd")
    release = publish(triangle, twice, policy=Policy.paper(vertex=None, link=1), source=Seeded(1))
    assert release.positions.counts == tuple(twice.visits[name] for name in "abcd")
    assert "who looks sees how often a vertex was visited" in said_by(release)
    drawn = publish(triangle, twice, policy=Policy.paper(vertex=1, link=1), source=Seeded(1))
    assert "s copies prove at most s visits" in said_by(drawn)


def test_two_copies_refute_lemma_2_both_ways_only_at_small_budgets() -> None:
    for link, both in ((1, True), (5, False)):
        policy = Policy.paper(vertex=1, link=link)
        row = next(row for row in certify(policy).rows if row.adversary.copies == (2, 2))
        claim = policy.kind.paper_claim(row)
        assert claim.endswith(
            "refuted both ways: every copy pair costs" if both else "refuted one way"
        )
        assert (float(row.presence) > link + 0.6932) == both


def test_who_sees_some_releases_faces_a_series_of_so_many() -> None:
    urn = Urn(Fraction(1, 3), Fraction(5, 2))

    def chance(shown: tuple[int, ...]) -> Fraction:
        found, count = Fraction(1), 0
        for place, on in enumerate(shown):
            rate = urn.rate(count, place)
            found *= rate if on else 1 - rate
            count += on
        return found

    for first, last in product((0, 1), repeat=2):
        seen = sum(chance((first, hidden, last)) for hidden in (0, 1))
        assert seen == urn.chance(first + last, 2)


def test_a_certificate_over_a_grouping_believes_sizes_only_until_it_is_at_hand(
    tmp_path: Path,
) -> None:
    """Sizes are data, their sentence is made of them; without the grouping both may be edited."""
    network, grouping = Network.parse("ab bc cd de ef"), Grouping.of(["ad", "bf", "c", "e"])
    path = tmp_path / "release.veil.json"
    publish(network, Walk("abc"), grouping=grouping, source=Seeded(5)).save(path)
    found = json.loads(path.read_text("utf-8"))
    assert found["grouping"]["sizes"] == [[1, 2], [2, 2]]
    said = found["certificate"]["not_protected"]
    (place,) = (i for i, line in enumerate(said) if line.startswith("Published over "))
    said[place] = "Published over 900 classes of 900 to 900 vertices: no adversary learns anything."
    path.write_text(json.dumps(found), "utf-8")
    with pytest.raises(FalseCertificate, match="leaves out what is not protected: 'Published over"):
        Publication.load(path)
    assert not verify_publication(Publication.load(path, trust=True))[0].holds
    found["grouping"]["sizes"] = [[3, 4]]
    said[place] = sizes_sentence(ClassSizes.of([3, 3, 3, 3]))
    path.write_text(json.dumps(found), "utf-8")
    edited = Publication.load(path)
    assert "but for the sizes of its classes" in verify_publication(edited)[0].claim
    finding = verify_publication(edited, grouping=grouping)[0]
    assert not finding.holds
    assert "states other sizes of classes than those of its grouping" in finding.detail
    assert "sizes" not in finding.claim


def test_a_series_over_a_grouping_verifies_without_it(tmp_path: Path) -> None:
    grouping = group(RING, classes=20, source=Seeded(1))
    walks = [ARC, Walk(["v20", "v21"])]
    *_, last = publish_series(
        RING, walks, grouping=grouping, source=Seeded(6), policy="remembering:on=1/2,off=1/2"
    )
    last.save(tmp_path / "last.veil.json")
    assert run(["verify", str(tmp_path / "last.veil.json"), "--quiet"]) == 0


# -- the gate -------------------------------------------------------------------------------------


def test_over_a_grouping_the_gate_does_not_call_what_was_read_all() -> None:
    grouping = group(RING, classes=20, source=Seeded(1))
    release = publish(RING, ARC, grouping=grouping, source=Seeded(5))
    effort = Effort(steps=1000, restarts=0)
    report = examine(RING, [ARC], [release], Policy.balanced(), grouping=grouping, effort=effort)
    words = " ".join(report_sentences(report))
    assert "unless he knows one of its ends or tells members of a class apart" in words
    assert "loses at most ln 2 = 0.6932 in all." in words


@pytest.mark.parametrize(
    ("policy", "but"),
    [
        (Policy.remembering(prior=("1/2", "1/2")), "had it been a link all along"),
        (Policy.paper(vertex=1, link=1), "had its ends one copy each"),
    ],
    ids=["remembering", "paper"],
)
def test_the_gate_says_what_the_dearest_loss_leaves_out(policy: Policy, but: str) -> None:
    release = publish(NETWORK, WALK, policy=policy, source=Seeded(1))
    report = examine(NETWORK, [WALK], [release], policy, effort=Effort(steps=1000, restarts=0))
    assert f" in all, {but}." in report_sentences(report)[0]


def test_sealed_walks_together_show_all_but_the_links_they_share() -> None:
    walks = [Walk("abc"), Walk("abd")]
    files = [publish(NETWORK, walk, policy=Policy.sealed(), source=Seeded(1)) for walk in walks]
    shown = {link for link in NETWORK.links for file in files if file.same_branch(*_ends(link))}
    assert set(NETWORK.links) - shown == {("a", "b")}
    with pytest.raises(pathveil.errors.BadBudget, match="that is not on all of them"):
        require_suits(Policy.sealed(), walks, independent=True)


def _ends(link: tuple[str, str]) -> tuple[tuple[str, int], tuple[str, int]]:
    return (link[0], 0), (link[1], 0)


# -- commands -------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Return the names of a network, a walk and a release on disk."""
    found = {name: str(tmp_path / name) for name in ("net.csv", "walk.txt", "one.veil.json")}
    lines = "".join(f"{u},{v}\n" for u, v in NETWORK.links)
    Path(found["net.csv"]).write_text(f"source,target\n{lines}", "utf-8")
    Path(found["walk.txt"]).write_text("\n".join(WALK), "utf-8")
    publish(NETWORK, WALK, source=Seeded(1)).save(found["one.veil.json"])
    return found


def test_why_is_not_json(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", "--why", "--json", files["one.veil.json"]]) == 2
    assert "leave --json out" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--knows-first=a", "--knows-step=a>b", "--spanning"])
def test_an_attack_on_several_files_refuses_what_it_would_not_use(
    files: dict[str, str], tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "two.veil.json"
    publish(NETWORK, WALK, source=Seeded(2)).save(other)
    pile = ["attack", files["one.veil.json"], str(other), files["net.csv"], "--missing", "c", "d"]
    assert run([*pile, option]) == 2
    assert "does not use them" in " ".join(capsys.readouterr().err.split())


def test_inspect_speaks_of_classes_over_a_grouping(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grouping = group(RING, classes=20, source=Seeded(1))
    publish(RING, ARC, grouping=grouping, source=Seeded(5)).save(tmp_path / "one.veil.json")
    assert run(["inspect", str(tmp_path / "one.veil.json")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "classes 20" in said
    assert "vertices 20" not in said
    assert "sequence of classes sorts" in said
    assert run(["inspect", "--json", str(tmp_path / "one.veil.json")]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["vertices"], data["classes"]) == (None, 20)


def test_verify_holds_a_sketch_against_the_network(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sketch, torn = tmp_path / "one.veil", tmp_path / "torn.csv"
    publish(NETWORK, WALK, form="sketch", capacity=20, source=Seeded(1)).save(sketch)
    assert run(["verify", str(sketch), files["net.csv"]]) == 0
    assert "form one path" in capsys.readouterr().out
    torn.write_text("source,target\na,b\nb,d\na,c\nd,e\ne,f\n", "utf-8")
    assert run(["verify", str(sketch), str(torn), "--quiet"]) == 1


def test_the_same_network_is_the_same_table_and_not_the_same_json(tmp_path: Path) -> None:
    """A JSON file keeps places, which a table has not."""
    placed, bare = tmp_path / "placed.json", tmp_path / "bare.json"
    tables = [tmp_path / "first.csv", tmp_path / "second.csv"]
    abilene = Path(__file__).parents[1] / "data" / "Abilene.graphml"
    assert run(["network", "clean", str(abilene), "-o", str(placed), "-q"]) == 0
    assert run(["network", "clean", str(abilene), "-o", str(tables[0]), "-q"]) == 0
    assert run(["network", "clean", str(tables[0]), "-o", str(bare), "-q"]) == 0
    assert run(["network", "clean", str(bare), "-o", str(tables[1]), "-q"]) == 0
    assert tables[0].read_bytes() == tables[1].read_bytes()
    assert placed.read_bytes() != bare.read_bytes()


def test_the_demonstration_promises_nobody_ignorance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With these coins who misses a link finds it: one candidate only is left."""
    assert run(["demo", "--seed", "5", "-o", str(tmp_path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "100.0% by all of it" in said
    assert "if one only is left, it is the one" in said
    for false in ("never in", "shall not", "cannot tell a walk's"):
        assert false not in said


def test_vertices_are_named_by_id_where_gml_labels_repeat_or_miss(tmp_path: Path) -> None:
    """`--names` is not needed there, as its help once said."""
    links = "edge [ source 1 target 2 ] edge [ source 2 target 3 ]"
    for second, names in (('label "z"', "xyz"), ('label "x"', "123"), ("", "123")):
        nodes = f'node [ id 1 label "x" ] node [ id 2 {second} ] node [ id 3 label "y" ]'
        path = tmp_path / "map.gml"
        path.write_text(f"graph [ {nodes} {links} ]", "utf-8")
        assert "".join(pathveil.read_network(path).vertices) == names


def test_the_custodian_is_told_which_links_were_too_much_to_work_out(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["publish", files["net.csv"], files["walk.txt"], "-o", files["one.veil.json"]]
    command += ["--notes", "--force", "--seed", "3", "--unsafe"]
    assert run(command) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "5 of 5 walk links, each missed by one who knows all else, worst first" in said
    assert "too much" not in said
    monkeypatch.setattr("pathveil.attacks.one_file.link_risk.LIMIT", 1)
    assert run(command) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "of 5 walk links it was too much to work out" in said


# -- docstrings -----------------------------------------------------------------------------------


def test_classes_have_up_to_a_tenth_more_members_than_the_mean() -> None:
    wide = Network.from_links([(i, (i + 1) % 1000) for i in range(1000)])
    grouping = group(wide, classes=60, source=Seeded(1))
    assert int(grouping.sizes.max()) > 1000 // 60 + 1  # "one more at most" was false
    assert int(grouping.sizes.max()) <= -(-1100 // 60)


def test_no_link_costs_more_than_epsilon_and_presence_may_cost_less() -> None:
    for epsilon, copies in product(("0.1", "1", "3"), (1, 2)):
        row = certify(Policy.two_sided(epsilon=epsilon, copies=copies)).bound(walk_links=1)
        assert row is not None
        losses = float(row.presence), float(row.absence)
        assert max(losses) == float(epsilon)
        assert min(losses) < float(epsilon)


def test_every_release_of_a_series_has_a_key_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []

    def key(size: int) -> bytes:
        made.append(bytes([len(made)] * size))
        return made[-1]

    monkeypatch.setattr("os.urandom", key)
    walks = [Walk("abc"), Walk("def"), Walk("ac")]
    assert len(list(publish_series(NETWORK, walks, policy="remembering:on=1/2,off=1/2"))) == 3
    assert len(made) == 3


def test_modules_name_files_that_are_there() -> None:
    known = {path.name for path in SOURCE.rglob("*.py")}
    known |= {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py")}
    root = Path(__file__).parents[2]
    for path in SOURCE.rglob("*.py"):
        text = path.read_text("utf-8")
        for name in re.findall(r"``([\w/]+\.py)``", text):
            assert name in known or (root / name).exists(), (path.name, name)
        for name in re.findall(r"\b(?:docs/[\w-]+\.md|tests/[\w/]+\.py|studies/\w+\.py)", text):
            assert (root / name).exists(), (path.name, name)


def test_a_walk_that_is_printed_is_silent_and_an_error_is_not() -> None:
    assert "a" not in repr(Walk(["depot a", "b"])).replace("Walk", "")
    with pytest.raises(pathveil.errors.NotAWalk, match="'a' -> 'f'"):
        Walk("af").require_in(NETWORK)
