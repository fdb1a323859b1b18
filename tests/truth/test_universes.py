"""Everything that infers uses the universe of a publication, or refuses."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pathveil import (
    Knowledge,
    Network,
    Policy,
    Publication,
    Seeded,
    Walk,
    attack,
    group,
    publish,
    reconstruct,
)
from pathveil.attacks.one_file.link_risk import identify_links
from pathveil.attacks.series.pile_attack import attack_as_insider, attack_as_outsider, read_releases
from pathveil.attacks.series.series_link_risk import joins_of_used_links
from pathveil.batching.batch_run import batch
from pathveil.cli.custodian_notes import tell_joins
from pathveil.cli.main import run
from pathveil.errors import BadGrouping, DoesNotFit, GateClosed
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.release_walks import release_walks
from pathveil.model.bits import Form
from pathveil.model.universe import Universe
from pathveil.planning.gate import examine
from pathveil.planning.gate_report import Effort, GateReport, Limits, report_sentences
from pathveil.planning.gatekeeper import ledger_gate
from pathveil.publishing.release import publish_series
from pathveil.publishing.terms import ReleaseTerms
from pathveil.reading.participant import read_link, read_vertex
from tests.cli.json_schemas import parsed
from tests.grouping.test_colouring import random_network

NAMES = [f"v{i:02d}" for i in range(12)]
RING = Network.from_links([(NAMES[i], NAMES[(i + 1) % 12]) for i in range(12)])
NEAR = [(NAMES[i], NAMES[(i + hop) % 12]) for i in range(12) for hop in (1, 2)]
WALKS = [Walk([NAMES[(start + k) % 12] for k in range(6)]) for start in range(8)]
POLICY = Policy.balanced()
LIMITS = Limits(uses_per_link=Fraction(10))
EFFORT = Effort(steps=200_000, restarts=1)


def named(*, by_digest: bool = True) -> Universe:
    return Universe.of(NEAR, by_digest=by_digest)


def released(universe: Universe | None, form: Form = "packed") -> list[Publication]:
    capacity = 16 if form == "sketch" else None
    return [
        publish(RING, walk, universe=universe, form=form, capacity=capacity, source=Seeded(number))
        for number, walk in enumerate(WALKS)
    ]


def looked_at(files: list[Publication], *universes: Universe) -> GateReport:
    return examine(RING, WALKS, files, POLICY, universes=universes, limits=LIMITS, effort=EFFORT)


@pytest.mark.regression(
    "the gate opened on a universe named by digest: 8 of 8 walks read with its pairs"
)
def test_the_gate_reads_with_a_universe_that_files_name_by_digest() -> None:
    """It dropped them: closed with the pairs in the files, as 8 of 8 walks are read, open else."""
    carried = looked_at(released(named(by_digest=False)))
    by_digest = looked_at(released(named()), named())
    assert carried.structural is not None
    assert carried.structural.walks_read == 8
    assert carried.reasons == by_digest.reasons
    assert (carried.counting, carried.structural) == (by_digest.counting, by_digest.structural)
    # One file that carries the pairs brings them for all others.
    mixed = [*released(named())[:-1], released(named(by_digest=False))[-1]]
    assert looked_at(mixed).structural == carried.structural


@pytest.mark.regression("a universe nobody brought was taken for all pairs")
def test_a_universe_that_nobody_brings_closes_the_gate() -> None:
    report = looked_at(released(named()))
    assert not report.open
    assert report.counting is report.structural is None
    assert [one.digest for one in report.unbrought] == [named().digest]
    assert "24 public pairs" in report.reasons[0]
    words = " ".join(report_sentences(report))
    assert "not run: files name the pairs that may be links by digest only" in words
    assert "--earlier-universe" in words


@pytest.mark.regression("a sketch met the gate without its universe")
def test_sketches_meet_the_gate_with_their_universe() -> None:
    """A sketch always names its universe by digest, so the gate never used it."""
    files = released(named(by_digest=False), "sketch")
    assert not looked_at(files).open
    narrow, wide = looked_at(files, named()), looked_at(released(None, "sketch"))
    assert narrow.counting is not None
    assert wide.counting is not None
    # By luck half of the links are named among 24 pairs, 12 of 66 else.
    assert narrow.counting.luck == pytest.approx(6)
    assert wide.counting.luck == pytest.approx(12 * 12 / 66)


def test_a_batch_by_digest_meets_the_gate_with_its_pairs(tmp_path: Path) -> None:
    reasons = []
    for by_digest in (False, True):
        with pytest.raises(GateClosed) as refused:
            batch(
                RING,
                WALKS,
                tmp_path / f"{by_digest}.jsonl",
                policy=POLICY,
                independent=True,
                universe=named(by_digest=by_digest),
                workers=1,
                seed=1,
                limits=LIMITS,
                effort=EFFORT,
            )
        assert isinstance(refused.value.report, GateReport)
        reasons.append(refused.value.report.reasons)
    assert reasons[0] == reasons[1]
    assert "reads 8 of 8 walks" in reasons[0][0]


@pytest.mark.regression("a ledger's gate passed earlier releases by digest")
def test_a_ledgers_gate_does_not_open_on_universes_it_lacks(ledger: Ledger, folder: Path) -> None:
    """Earlier releases by digest: the new one has no universe, and nobody has brought theirs."""
    terms = ReleaseTerms(POLICY, universe=named())
    files = [(walk, folder / f"{n}.veil.json") for n, walk in enumerate(WALKS[:3])]
    release_walks(ledger, RING, files, terms)
    told = {"independent": True, "limits": Limits(12, Fraction(10)), "effort": EFFORT}
    wanted = [(WALKS[3], folder / "more.veil.json")]
    lacking = ledger_gate(RING, POLICY, **told)  # type: ignore[arg-type]
    with pytest.raises(GateClosed, match="--earlier-universe FILE") as refused:
        release_walks(ledger, RING, wanted, ReleaseTerms(POLICY), gate=lacking)
    assert "accept-outsider" in str(refused.value)
    assert not wanted[0][1].exists()
    # With the pairs it is asked, and here limits let out what is read.
    brought = ledger_gate(RING, POLICY, universes=[NEAR], **told)  # type: ignore[arg-type]
    release_walks(ledger, RING, wanted, ReleaseTerms(POLICY), gate=brought)
    assert wanted[0][1].exists()


def test_publishing_through_a_ledger_brings_universes_to_the_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for file, pairs in (("ring.csv", RING.links), ("near.csv", NEAR)):
        Path(file).write_text("".join(f"{u},{v}\n" for u, v in pairs))
    for number, walk in enumerate(WALKS[:3]):
        Path(f"{number}.txt").write_text("\n".join(walk))
    assert run(["ledger", "init", "books.db"]) == 0
    through = ["--ledger", "books.db"]
    by_digest = ["--universe", "near.csv", "--universe-by-digest"]
    assert run(["publish", "ring.csv", "0.txt", "-o", "0.veil.json", *through, *by_digest]) == 0
    second = ["publish", "ring.csv", "1.txt", "-o", "1.veil.json", *through]
    capsys.readouterr()
    assert run(second) == 2
    assert "by digest only" in capsys.readouterr().err
    run([*second, "--earlier-universe", "near.csv"])
    assert "by digest only" not in capsys.readouterr().err  # asked, with whatever answer
    assert run(["publish", "ring.csv", "2.txt", "-o", "x", "--earlier-universe", "near.csv"]) == 2
    assert "--earlier-universe needs --ledger" in capsys.readouterr().err
    assert run(["publish", "ring.csv", "2.txt", "-o", "x", "--universe-by-digest"]) == 2
    assert "needs --universe" in capsys.readouterr().err


@pytest.mark.regression("the gate looked past a link that an older universe lacks")
def test_a_link_that_came_later_is_a_candidate_though_an_older_universe_lacks_it() -> None:
    """Files before it show the same there whatever is so; the gate's outsider looked past it."""
    grown = Network.from_links([*RING.links, (NAMES[0], NAMES[6])])
    wider = Universe.of([*NEAR, (NAMES[0], NAMES[6])])
    walks = [WALKS[0], Walk([NAMES[5], NAMES[6], NAMES[0], NAMES[1]])]
    files = [
        publish(RING, walks[0], universe=NEAR, source=Seeded(1)),
        publish(grown, walks[1], universe=wider, source=Seeded(2)),
    ]
    report = examine(grown, walks, files, POLICY, limits=LIMITS, effort=EFFORT)
    assert report.counting is not None
    assert report.counting.links_hidden == 13
    assert report.counting.luck == pytest.approx(13 * 13 / 25)


def test_verify_leaves_open_what_it_did_not_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    publish(RING, WALKS[0], universe=named(), source=Seeded(1)).save("a.veil.json")
    Path("near.csv").write_text("".join(f"{u},{v}\n" for u, v in NEAR))
    assert run(["verify", "a.veil.json"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "open claim: the bits are possible under the policy" in said
    assert "fails" not in said
    assert run(["verify", "a.veil.json", "--json"]) == 1
    told = parsed("verify", capsys.readouterr().out)
    assert told["holds"] is None
    assert run(["verify", "a.veil.json", "--universe", "near.csv", "--json"]) == 0
    assert parsed("verify", capsys.readouterr().out)["holds"] is True


@pytest.mark.regression("of several files only the first one's universe was used")
def test_releases_with_different_universes_are_attacked_with_all_of_them() -> None:
    """Of several files only the universe of the first was used: 66 or 25 candidates, not 24."""
    wider = Universe.of([*NEAR, (NAMES[0], NAMES[6])])
    for first in (None, wider):
        files = [
            publish(RING, walk, universe=NEAR if number else first, source=Seeded(number))
            for number, walk in enumerate(WALKS[:3])
        ]
        assert len(read_releases(files)[0].pairs) == 24
        found = attack_as_insider(files, RING.without((NAMES[1], NAMES[2])))
        assert all(
            tuple(sorted((NAMES[i], NAMES[j]))) in set(named().pairs or ()) for i, j in found.pairs
        )


@pytest.mark.regression("a universe brought to files without one was ignored")
def test_a_universe_brought_to_files_without_one_is_refused() -> None:
    """It was ignored."""
    files = released(None)[:2]
    with pytest.raises(DoesNotFit, match="every pair of these publications had a coin"):
        attack_as_outsider(files, 12, universe=NEAR)
    with pytest.raises(DoesNotFit, match="bring the same public file"):
        attack_as_outsider(released(named())[:2], 12, universe=NEAR[1:])


@pytest.mark.regression("known links outside the universe: an internal error, or steps of the walk")
def test_known_links_outside_the_universe_are_refused() -> None:
    """They ended in an internal error, or were read as steps of the walk: bits there are fixed."""
    files = released(named(by_digest=False))[:2]
    outside = (NAMES[0], NAMES[6])
    known = Network.from_links([*RING.without((NAMES[1], NAMES[2])).links, outside])
    for infer in (
        lambda: attack_as_outsider(files, 12, known=[outside]),
        lambda: attack_as_insider(files, known),
        lambda: attack(files[0], Knowledge(known)),
    ):
        with pytest.raises(DoesNotFit, match="outside the universe"):
            infer()


@pytest.mark.regression("a reader's link outside the universe lengthened the walk")
def test_a_reader_whose_link_lies_outside_the_universe_is_not_given_a_walk() -> None:
    """With one link too many a longer walk was read: what lies outside always looks walked."""
    file = released(named(by_digest=False))[0]
    assert reconstruct(file, RING).walk == WALKS[0]
    more = Network.from_links([*RING.links, (NAMES[5], NAMES[9])])
    with pytest.raises(DoesNotFit, match="outside the universe of 24 pairs"):
        reconstruct(file, more)
    assert read_vertex(file, NAMES[5], RING.neighbours(NAMES[5])).links
    with pytest.raises(DoesNotFit, match="outside the universe of 24 pairs"):
        read_vertex(file, NAMES[5], more.neighbours(NAMES[5]))
    with pytest.raises(DoesNotFit, match="outside the universe of 24 pairs"):
        read_link(file, NAMES[9], NAMES[5])


@pytest.mark.regression("no link was said to be at risk, for want of a universe")
def test_links_that_are_told_are_not_passed_over_for_want_of_a_universe() -> None:
    """Each was skipped as too much work: an empty list, as if no link were at risk."""
    file = released(named())[0]
    with pytest.raises(DoesNotFit, match="by digest only"):
        identify_links(file, RING, WALKS[0])
    assert len(identify_links(file, RING, WALKS[0], universe=iter(NEAR))) == 5


@pytest.mark.regression("no note on joins where there is a universe")
def test_joins_of_a_series_are_counted_inside_its_universe() -> None:
    """With a universe the note was left out, and the function could not be given the pairs."""
    series = list(
        publish_series(
            RING, WALKS[:2], universe=named(), source=Seeded(1), policy="remembering:on=1/2,off=1/2"
        )
    )
    with pytest.raises(DoesNotFit, match="by digest only"):
        joins_of_used_links(series, RING)
    (inside,) = joins_of_used_links(series, RING, most=1, universe=NEAR)
    everywhere = list(
        publish_series(RING, WALKS[:2], source=Seeded(1), policy="remembering:on=1/2,off=1/2")
    )
    (anywhere,) = joins_of_used_links(everywhere, RING, most=1)
    assert inside.without_coins <= anywhere.without_coins
    assert inside.without_coins >= inside.left >= 1


def test_the_note_on_joins_is_made_with_a_universe(capsys: pytest.CaptureFixture[str]) -> None:
    series = list(
        publish_series(
            RING, WALKS[:2], universe=named(), source=Seeded(1), policy="remembering:on=1/2,off=1/2"
        )
    )
    tell_joins(series, RING, named())
    assert "links the series used" in " ".join(capsys.readouterr().err.split())


@pytest.mark.regression("the gate left out earlier walks whose universe lacks a new link")
def test_the_gate_reads_earlier_walks_with_the_links_of_their_time(
    ledger: Ledger, folder: Path
) -> None:
    """A link that came later lies outside the old universe and looks walked in every old file."""
    grown = Network.from_links([*RING.links, (NAMES[0], NAMES[6])])
    wider = Universe.of([*NEAR, (NAMES[0], NAMES[6])])
    files = [(walk, folder / f"{n}.veil.json") for n, walk in enumerate(WALKS[:3])]
    release_walks(ledger, RING, files, ReleaseTerms(POLICY, universe=named()))
    with pytest.raises(GateClosed) as refused:
        release_walks(
            ledger,
            grown,
            [(WALKS[3], folder / "more.veil.json")],
            ReleaseTerms(POLICY, universe=wider),
            gate=ledger_gate(
                grown,
                POLICY,
                universes=[NEAR],
                independent=True,
                limits=Limits(0, Fraction(0)),
                effort=EFFORT,
            ),
        )
    report = refused.value.report
    assert isinstance(report, GateReport)
    assert (report.walks, report.unread, report.looked_at) == (4, 0, 4)


@pytest.mark.regression("a grouping over a network whose universe is out")
@pytest.mark.parametrize("first", ["universe", "grouping"])
def test_a_ledger_lays_no_universe_beside_a_grouping(
    ledger: Ledger, folder: Path, first: str
) -> None:
    """At once both are refused: public pairs say which pair of a block is the link."""
    network = random_network(20, 32, 1)
    walks = [Walk(link) for link in network.links[:3]]
    terms = {
        "universe": ReleaseTerms(POLICY, universe=Universe.of(network, by_digest=True)),
        "grouping": ReleaseTerms(POLICY, grouping=group(network, classes=12, source=Seeded(1))),
    }
    (second,) = terms.keys() - {first}
    release_walks(ledger, network, [(walks[0], folder / "0.veil.json")], terms[first])
    later = folder / "1.veil.json"
    with pytest.raises(BadGrouping, match="says which of them can be the link"):
        release_walks(ledger, network, [(walks[1], later)], terms[second])
    assert not later.exists()
    release_walks(ledger, network, [(walks[2], later)], terms[first])
    assert later.exists()


def test_a_batch_takes_a_universe_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had none, so a series with a universe by digest could not be gone on with."""
    monkeypatch.chdir(tmp_path)
    for file, pairs in (("ring.csv", RING.links), ("near.csv", NEAR)):
        Path(file).write_text("".join(f"{u},{v}\n" for u, v in pairs))
    Path("walks.txt").write_text("\n".join(",".join(walk) for walk in WALKS[:2]))
    Path("more.txt").write_text(",".join(WALKS[2]))
    common = ["--workers", "1", "--accept-outsider", "--universe", "near.csv"]
    assert (
        run(["batch", "ring.csv", "walks.txt", "-o", "one", *common, "--universe-by-digest"]) == 0
    )
    assert run(["batch", "ring.csv", "more.txt", "-o", "two", "--after", "one", *common]) == 0
    (written,) = Path("two").glob("*.veil.json")
    found = Publication.load(written).universe
    assert found is not None
    assert (found.count, found.pairs) == (24, None)
