"""The gate: an outsider who has nothing but the files, run before they are handed out."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

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
from pathveil.attacks.series.outsider import bare_walks_among
from pathveil.attacks.series.release_pile import between_vertices
from pathveil.batching import batch_run as module
from pathveil.batching.batch_journal import DrawnLine
from pathveil.batching.batch_run import batch
from pathveil.cli.main import run
from pathveil.errors import BadBudget, BrokenSeries, GateClosed
from pathveil.files.publications.veil_json import parse_publication
from pathveil.model.bits import Form
from pathveil.planning import gate
from pathveil.planning.gate import composed_loss
from pathveil.planning.gate_report import Effort, GateReport, Limits, report_sentences
from tests.grouping.test_colouring import random_network

QUICK = Effort(steps=200_000, restarts=1)
COUNTING = Effort(restarts=0)


def walks_over(network: Network, count: int, visits: int, seed: int) -> list[Walk]:
    random = np.random.default_rng(seed)
    found: list[Walk] = []
    while len(found) < count:
        walk = [str(random.choice(network.vertices))]
        while len(walk) < visits:
            onward = [name for name in network.neighbours(walk[-1]) if name not in walk]
            if not onward:
                break
            walk.append(str(random.choice(onward)))
        if len(walk) > 2:
            found.append(Walk(walk))
    return found


SMALL = random_network(20, 32, 1)
SIXTY = walks_over(SMALL, 60, 8, 1)
SOME = SIXTY[:16]


def refused(out: Path, walks: list[Walk], **given: object) -> tuple[GateClosed, GateReport]:
    with pytest.raises(GateClosed) as found:
        batch(SMALL, walks, out, workers=1, **given)  # type: ignore[arg-type]
    report = found.value.report
    assert isinstance(report, GateReport)
    return found.value, report


def test_sixty_walks_are_refused_with_the_figures(tmp_path: Path) -> None:
    error, report = refused(tmp_path / "out", SIXTY, effort=QUICK, seed=1)
    assert report.uses_per_link > 5
    assert f"each link is used {float(report.uses_per_link):.1f} times" in str(error)
    assert report.structural is not None
    assert report.structural.walks_read > 30
    assert f"reads {report.structural.walks_read} of 60 walks" in str(error)
    assert "a grouping does not fit" in str(error)
    assert "--accept-outsider" in str(error)
    assert not (tmp_path / "out").exists()
    words = " ".join(report_sentences(report))
    assert "200,000 moves" in words
    assert "60 of 60 releases" in words


def test_sixty_walks_with_fresh_coins_are_read_by_counting(tmp_path: Path) -> None:
    given = {"policy": Policy.balanced(), "independent": True, "effort": COUNTING, "seed": 1}
    _, report = refused(tmp_path / "out", SIXTY, **given)
    assert report.counting is not None
    assert report.counting.walks_read > 20
    assert report.counting.links_found > 30
    assert report.dearest[1].decimal == "41.5920"


@pytest.mark.parametrize("seed", range(10))
def test_four_walks_are_released_and_none_is_read(tmp_path: Path, seed: int) -> None:
    network = random_network(20, 32, seed)
    walks = walks_over(network, 4, 8, seed)
    report = batch(network, walks, tmp_path / "out", workers=1, effort=QUICK, seed=seed)
    assert report.gate is not None
    assert report.gate.structural is not None
    assert report.gate.structural.walks_read == 0
    assert report.published == 4


def test_a_refusal_keeps_the_coins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying again until the gate opens would make what is published depend on the secret."""
    out = tmp_path / "out.jsonl"
    refused(out, SOME, effort=COUNTING)
    kept = Path(f"{out}.journal").read_bytes()

    def never(*_: object) -> DrawnLine:
        raise AssertionError("coins are thrown again")

    monkeypatch.setattr(module, "_drawn", never)
    refused(out, SOME, effort=COUNTING)
    assert Path(f"{out}.journal").read_bytes() == kept
    report = batch(SMALL, SOME, out, workers=1, effort=COUNTING, accept_outsider=True)
    assert (report.published, report.resumed) == (16, 16)
    assert len(out.read_text().splitlines()) == 16


def test_a_batch_is_one_series_with_one_certificate(tmp_path: Path) -> None:
    out = tmp_path / "out"
    network = random_network(30, 60, 1)
    walks = walks_over(network, 5, 5, 2)
    first = batch(network, walks[:3], out, workers=1, effort=COUNTING)
    files = sorted(out.glob("*.veil.json"))
    released = [parse_publication(file.read_text()) for file in files]
    assert [p.series.place for p in released if p.series is not None] == [1, 2, 3]
    assert [reconstruct(p, network).walk for p in released] == walks[:3]
    promise = json.loads((tmp_path / "out.certificate.json").read_text())
    assert {row["adversary"]["releases"] for row in promise["rows"]} >= {3}
    assert first.certificate == released[-1].certificate
    again = batch(
        network, walks[3:], tmp_path / "more", workers=1, after=released[::-1], effort=COUNTING
    )
    assert again.gate is not None
    assert again.gate.walks == 5  # the gate looks at all that is out
    with pytest.raises(BrokenSeries):
        batch(network, walks[3:], tmp_path / "gap", workers=1, after=released[1:])


def test_policies_that_do_not_suit_a_batch(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(BadBudget, match="each file shows what the others hide"):
        batch(SMALL, SIXTY, out, policy=Policy.sealed(), independent=True)
    with pytest.raises(BadBudget, match=r"loses up to ln 2 \+ 59 \(ln 2\) = 41.5920 in all"):
        batch(SMALL, SIXTY, out, policy=Policy.balanced())
    with pytest.raises(BadBudget, match="independent=True"):
        batch(SMALL, SIXTY, out, policy=Policy.paper(vertex=1, link=1))
    assert list(tmp_path.iterdir()) == []
    # The same walk again, or one walk: there is nothing the other file could show.
    batch(SMALL, SIXTY[:1], out, policy=Policy.sealed(), workers=1, accept_outsider=True)


def test_a_grouping_opens_the_gate_and_says_what_is_learnt(tmp_path: Path) -> None:
    network = random_network(200, 240, 1)
    grouping = group(network, classes=50, source=Seeded(1))
    walks = walks_over(network, 45, 12, 3)
    report = batch(
        network, walks, tmp_path / "out", grouping=grouping, workers=1, effort=COUNTING, seed=1
    )
    assert report.gate is not None
    assert report.gate.open
    assert report.gate.uses_per_link > 1
    words = " ".join(report_sentences(report.gate))
    assert "between classes" in words
    fewest, most = grouping.pairs_in_a_block
    assert f"{fewest} to {most} pairs of vertices" in words
    for file, walk in zip(sorted((tmp_path / "out").glob("*.json")), walks, strict=True):
        found = reconstruct(parse_publication(file.read_text()), network, grouping=grouping)
        assert (found.walk, found.order) == (walk, "known")


def files_over(
    grouping: Grouping, walks: list[Walk], policy: Policy, form: Form
) -> list[Publication]:
    capacity = 64 if form == "sketch" else None
    return [
        publish(
            SMALL,
            walk,
            policy=policy,
            grouping=grouping,
            form=form,
            capacity=capacity,
            source=Seeded(f"single {number}"),
        )
        for number, walk in enumerate(walks)
    ]


ALONE = Grouping.of([[name] for name in SMALL])


def all_but_two_alone(network: Network) -> Grouping:
    """The first two vertices that may share a class do, all others are alone."""
    for one, other in combinations(network, 2):
        apart = not {one, other} & {*network.neighbours(one), *network.neighbours(other)}
        if apart and not {*network.neighbours(one)} & {*network.neighbours(other)}:
            rest = [[name] for name in network if name not in (one, other)]
            return Grouping.of([[one, other], *rest])
    raise AssertionError("no two vertices may share a class")


@pytest.mark.parametrize("form", ["packed", "sketch"])
def test_a_grouping_of_single_vertices_is_as_if_there_were_none(form: Form) -> None:
    """It opened the gate without a word, and 34 of 40 walks could be read."""
    walks, policy = SIXTY[:30], Policy.balanced()
    over = files_over(ALONE, walks, policy, form)
    plain = [between_vertices(file) for file in over]
    assert {file.vertices for file in plain} == {SMALL.vertices}
    assert [reconstruct(file, SMALL).walk.links for file in plain] == [w.links for w in walks]
    expected = gate.examine(SMALL, walks, plain, policy, effort=QUICK)
    found = gate.examine(SMALL, walks, over, policy, grouping=ALONE, effort=QUICK)
    assert not found.open
    assert found.grouping is None
    assert found.structural is not None
    assert found.structural.walks_read > 10
    assert len(found.reasons) == 3
    assert replace(found, needless=False, but="") == replace(expected, but="")
    said = report_sentences(found)
    assert said[-1].startswith("No class of the grouping has two members: it hides nothing")
    assert "stays among" not in " ".join(said)


@pytest.mark.parametrize("form", ["packed", "sketch"])
def test_one_class_of_two_does_not_open_the_gate_to_walks_that_pass_it_by(form: Form) -> None:
    grouping = all_but_two_alone(SMALL)
    policy = Policy.balanced()
    files = files_over(grouping, SIXTY, policy, form)
    report = gate.examine(SMALL, SIXTY, files, policy, grouping=grouping, effort=QUICK)
    pair = set(grouping.members(int(np.argmax(grouping.sizes))))
    bare = len(bare_walks_among([grouping.classes_of(walk).tolist() for walk in SIXTY], grouping))
    assert bare > sum(not pair & set(walk) for walk in SIXTY)
    links = sum(not pair & set(link) for link in SMALL.links)
    assert report.bare == (links, bare)
    for read in (report.counting, report.structural):
        assert read is not None
        assert (read.bare_links, read.bare_walks) == (links, bare)
        assert 0 < read.bare_walks_read <= read.walks_read
        assert f"reads {read.bare_walks_read} of {bare} walks of which" in " ".join(report.reasons)
    assert report.structural is not None
    assert report.structural.bare_walks_read > 5
    said = " ".join(report_sentences(report))
    assert f"not hidden: these are {links} of 32 links, and {bare} of 60 walks pass" in said
    assert "each other link stays among the 2 pairs" in said
    assert "1 to " not in said
    patient = gate.examine(
        SMALL, SIXTY, files, policy, grouping=grouping, effort=QUICK, limits=Limits(walks_read=60)
    )
    assert patient.open


def test_a_walk_that_passes_a_class_of_two_is_bare_elsewhere() -> None:
    """19 of 43 walks were read, all but two links of each as they are, and the gate was open."""
    grouping, policy = all_but_two_alone(SMALL), Policy.balanced()
    pair = set(grouping.members(int(np.argmax(grouping.sizes))))
    walks = [walk for walk in SIXTY if pair & set(walk)]
    files = files_over(grouping, walks, policy, "packed")
    report = gate.examine(SMALL, walks, files, policy, grouping=grouping, effort=QUICK)
    assert not report.open
    assert report.structural is not None, "who looks for paths is asked as well"
    assert report.structural.bare_walks_read > 10
    said = " ".join(report_sentences(report))
    assert f"and {report.bare[1]} of {len(walks)} walks pass two of them in a row" in said
    assert "Besides these, over the grouping he learns walks between classes and no more" in said


def test_where_a_grouping_fits_the_refusal_says_so(tmp_path: Path) -> None:
    network = random_network(200, 240, 1)
    walks = walks_over(network, 40, 12, 3)
    with pytest.raises(GateClosed, match="a grouping, which fits this network"):
        batch(network, walks, tmp_path / "out", workers=1, effort=COUNTING)


def test_envelopes_leave_no_outsider(tmp_path: Path) -> None:
    report = batch(
        SMALL,
        SOME,
        tmp_path / "out",
        workers=1,
        effort=COUNTING,
        wrap=lambda data: b"sealed" + data,
    )
    assert report.gate is not None
    assert not report.gate.open
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == 16
    assert all(file.read_bytes().startswith(b"sealed{") for file in files)


def test_limits_are_the_custodians(tmp_path: Path) -> None:
    generous = Limits(walks_read=16, uses_per_link=Fraction(20))
    batch(SMALL, SOME, tmp_path / "out", workers=1, effort=COUNTING, limits=generous)


def test_noisy_copied_and_drawn_copies_pass_through_the_gate(tmp_path: Path) -> None:
    walks = SIXTY[:2]
    for number, policy in enumerate(
        (
            Policy.two_sided(epsilon=3),
            Policy.balanced(copies=2),
            Policy.paper(vertex=1, link=1),
            Policy.remembering(prior=("1/2", "1/2"), copies=2, link_uses=1),
        )
    ):
        report = batch(
            SMALL,
            walks,
            tmp_path / f"out{number}",
            policy=policy,
            independent=True,
            accept_outsider=True,
            workers=1,
            effort=COUNTING,
        )
        assert report.published == 2
        assert report.gate is not None
        assert (report.gate.counting is None) == policy.kind.draws_copies
        assert report_sentences(report.gate)


def test_composed_losses() -> None:
    assert str(composed_loss(Policy.balanced(), 0, 5)) == "5 (ln 2) = 3.4660"
    assert composed_loss(Policy.remembering(prior=("1/2", "1/2")), 0, 100).decimal.startswith(
        "2.876"
    )
    # It said 0.6231 for each, of a loss that is 2 the other way.
    assert composed_loss(Policy.two_sided(epsilon=2), 1, 3).decimal == "6.0000"


def test_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "Effort", lambda: COUNTING)
    network, walks, out = (tmp_path / name for name in ("net.csv", "walks.txt", "out"))
    network.write_text("".join(f"{u},{v}\n" for u, v in SMALL.links))
    walks.write_text("".join(",".join(walk) + "\n" for walk in SOME))
    arguments = ["batch", str(network), str(walks), "-o", str(out), "--workers", "1"]
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 1
    assert "not released: " in said.err
    assert "For your eyes only" not in said.out
    assert run([*arguments, "--notes"]) == 2
    assert "For your eyes only" in capsys.readouterr().err
    assert not out.exists()
    assert run([*arguments, "--json", "--accept-outsider"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {
        "output",
        "published",
        "resumed",
        "failures",
        "repeated",
        "ledger",
    }
    assert len(list(out.glob("*.veil.json"))) == 16
    assert run([*arguments[:3], "-o", str(tmp_path / "b"), "--policy", "balanced"]) == 2
    assert "--independent" in capsys.readouterr().err
    groups = tmp_path / "groups.json"
    Grouping.of([[name] for name in SMALL]).save(groups)
    fresh = [*arguments[:3], "-o", str(tmp_path / "c"), "--groups", str(groups), "--workers", "1"]
    assert run(fresh) == 2, "no class has two members: it hides nothing and opens no gate"
    assert "not released: " in capsys.readouterr().err
    assert run([*fresh, "--accept-outsider"]) == 0
    assert "one certificate for all" in capsys.readouterr().out
