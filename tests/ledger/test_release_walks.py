from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyrage
import pytest
from sqlalchemy import select

import pathveil as pv
from pathveil import Network, Policy, Publication, Seeded, Walk, reconstruct
from pathveil.batching.batch_run import BatchReport
from pathveil.batching.batch_through_ledger import release_batch
from pathveil.chance.losses import pattern_loss, urn_of
from pathveil.chance.urn import History as PublishedHistory
from pathveil.chance.urn import Urn
from pathveil.errors import (
    BadFile,
    BrokenSeries,
    GateClosed,
    LedgerError,
    NeedsMoreCopies,
    OverBudget,
)
from pathveil.files.envelopes import open_envelope
from pathveil.files.networks.network_reader import read_network
from pathveil.files.publications.veil_json import publication_text
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.entries import Delivery, DrawnRelease, Recorded
from pathveil.ledger.ledger import Ledger, Write
from pathveil.ledger.ledger_check import check_files
from pathveil.ledger.release_walks import TermsDrawing, _write, publication_of, release_walks
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.grouping import Grouping
from pathveil.model.publication import SALT_BYTES
from pathveil.model.series import release_digest
from pathveil.planning.path_counts import PathCounts
from pathveil.publishing.terms import ReleaseTerms
from tests.files.test_part_files import left_by_the_dead
from tests.ledger.releasing import NETWORK, is_sound
from tests.strategies import bound, widened

WIDE = widened(NETWORK)
"""The same with so many pairs that three releases and three more agree once in 10**40."""


@pytest.mark.regression("of two that released one walk to one name, one was told it was another's")
def test_whoever_comes_second_with_the_same_walk_is_given_the_release(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks, price = [(Walk("abcdef"), folder / "1.veil.json")], TermsDrawing.price
    first: list[Recorded] = []

    def price_late(self: TermsDrawing, *given: Any) -> list[DrawnRelease] | None:
        monkeypatch.setattr(TermsDrawing, "price", price)
        first.extend(release_walks(ledger, NETWORK, walks))
        return price(self, *given)

    monkeypatch.setattr(TermsDrawing, "price", price_late)
    (second,) = release_walks(ledger, NETWORK, walks)
    assert (second.counter, second.replayed) == (first[0].counter, True)


@pytest.mark.parametrize(
    "policy", [Policy.balanced(), Policy.remembering(prior=("1/2", "1/2"))], ids=repr
)
def test_no_digest_of_a_ledger_confirms_a_guess_at_a_file(
    ledger: Ledger, folder: Path, policy: Policy
) -> None:
    """Who has the entries, the network and the walk lists all files there could be: 64 of them."""
    network, walk, path = Network.parse("ab bc cd bd"), Walk("abc"), folder / "1.veil.json"
    (made,) = release_walks(ledger, network, [(walk, path)], ReleaseTerms(policy))
    entries = json.dumps([dict(entry) for entry in ledger.entries()])
    assert made.digest in entries
    file = Publication.load(path)

    def confirmed(salt: str | None) -> list[Publication]:
        found = []
        for flat in product((False, True), repeat=6):
            bits = PackedBits(file.positions, PairBits.from_flat(4, np.array(flat)))
            # Of a series the place, too, is computed for each guess.
            guess = replace(file, bits=bits, series=None, salt=salt)
            if file.series is not None and salt is not None:
                place = replace(file.series, release=release_digest(1, None, guess))
                guess = replace(guess, series=place)
            if sha256(publication_text(guess).encode()).hexdigest() in entries:
                found.append(guess)
        return found

    assert confirmed(None) == confirmed("00" * SALT_BYTES) == []
    assert confirmed(file.salt) == [file]


@pytest.mark.parametrize(
    "policy", [Policy.balanced(), Policy.remembering(prior=("1/2", "1/2"))], ids=repr
)
def test_a_release_given_back_has_its_salt_in_any_form(
    ledger: Ledger, folder: Path, policy: Policy
) -> None:
    found = set()
    for name in ("1.veil.json", "2.veil", "3.veil.json"):
        release_walks(ledger, NETWORK, [(Walk("abc"), folder / name)], ReleaseTerms(policy))
        file = Publication.load(folder / name)
        found.add((file.salt, file.series))
    ((salt, _),) = found
    assert salt is not None
    wanted = [(Walk("cba"), folder / "4.veil")]
    (other,) = release_walks(ledger, NETWORK, wanted, ReleaseTerms(policy))
    assert publication_of(other).salt != salt


def test_terms_decide_what_is_the_same(ledger: Ledger, folder: Path) -> None:
    terms = [
        ReleaseTerms(),
        ReleaseTerms(direction="hidden"),
        ReleaseTerms(layering="backtracking"),
        ReleaseTerms(Policy.frontier(walk_loss=1)),
        ReleaseTerms(Policy.balanced(copies=2)),
    ]
    made = [
        release_walks(ledger, NETWORK, [(Walk("abc"), folder / f"{n}.veil.json")], t)[0]
        for n, t in enumerate(terms)
    ]
    assert len({release.series for release in made}) == len(terms)
    assert all(not release.replayed for release in made)
    again = release_walks(ledger, NETWORK, [(Walk("abc"), folder / "x.veil.json")], terms[3])[0]
    assert again.counter == made[3].counter
    assert is_sound(ledger)


GEANT = read_network(Path(__file__).parent.parent / "data" / "Geant2012.graphml")
READER = str(pyrage.x25519.Identity.generate().to_public())


def geant_walks(count: int, length: int = 6) -> list[Walk]:
    sample = PathCounts(len(GEANT), GEANT.pairs).sample(length)
    chosen = np.random.default_rng(4).integers(0, len(sample), count)
    return [Walk([GEANT.vertices[k] for k in row]) for row in sample[chosen].tolist()]


SERIES = ReleaseTerms(Policy.remembering(usage="0.15"))


@pytest.mark.gate
class TestGate:
    """Cover is asked before a coin is drawn, of everything public over the network's life."""

    def release(self, ledger: Ledger, walks: Sequence[Walk], folder: Path, **given: Any) -> None:
        number, end = len(list(folder.iterdir())), ".age" if "recipients" in given else ""
        wanted = [
            (walk, folder / f"{number + place}.veil.json{end}") for place, walk in enumerate(walks)
        ]
        terms, network = given.pop("terms", SERIES), given.pop("network", GEANT)
        release_walks(ledger, network, wanted, terms, Delivery(**given))

    def let_out(self, ledger: Ledger, folder: Path, asked: Iterable[dict[str, Any]]) -> int:
        """Release one after another until the gate closes; return how many went out."""
        for count, one in enumerate(asked):
            try:
                self.release(ledger, [one.pop("walk")], folder, **one)
            except GateClosed:
                return count
        raise AssertionError("the gate never closed")

    def test_a_month_of_paths_closes_it_and_nothing_is_drawn(
        self, ledger: Ledger, folder: Path
    ) -> None:
        walks = geant_walks(30)
        released = self.let_out(ledger, folder, ({"walk": walk} for walk in walks))
        assert 6 <= released <= 14
        entries = ledger.counter
        with pytest.raises(GateClosed):
            self.release(ledger, walks[released : released + 1], folder)
        assert ledger.counter == entries
        # What was released is given back: it is public already.
        (again,) = release_walks(ledger, GEANT, [(walks[0], folder / "again.veil.json")], SERIES)
        assert again.replayed

    def test_a_network_that_changes_is_counted_with_the_links_of_its_time(
        self, ledger: Ledger, folder: Path
    ) -> None:
        spare = [link for link in GEANT.links if GEANT.without(link).components() == 1]
        terms = ReleaseTerms(Policy.frontier(walk_loss="1.9"))
        released = self.let_out(
            ledger,
            folder,
            (
                {
                    "walk": walk,
                    "network": GEANT.without(
                        next(link for link in spare[day % 7 :] if link not in walk.links)
                    ),
                    "terms": terms,
                }
                for day, walk in enumerate(geant_walks(30))
            ),
        )
        assert released <= 14
        life = ledger.past(GEANT).life()
        assert len(life.releases) == released
        assert {len(release.network.links) for release in life.releases} == {len(GEANT.links) - 1}

    def test_a_grouping_after_plain_files_is_refused(self, ledger: Ledger, folder: Path) -> None:
        one, two = geant_walks(2)
        self.release(ledger, [one], folder)
        for terms in (
            ReleaseTerms(Policy.balanced()),
            ReleaseTerms(Policy.remembering(usage="0.1")),
            ReleaseTerms(grouping=Grouping.of([GEANT.vertices[k::20] for k in range(20)])),
        ):
            with pytest.raises(GateClosed, match="one way"):
                self.release(ledger, [two], folder, terms=terms)

    def test_envelopes_are_not_counted_until_they_become_public(
        self, ledger: Ledger, folder: Path
    ) -> None:
        terms = ReleaseTerms(Policy.sealed())
        walks = geant_walks(2)
        self.release(ledger, walks, folder, terms=terms, recipients=[READER])
        assert ledger.past(GEANT).life().releases == ()
        release_walks(ledger, GEANT, [(walks[0], folder / "one.veil.json")], terms)
        assert len(ledger.past(GEANT).life().releases) == 1
        with pytest.raises(GateClosed):
            release_walks(ledger, GEANT, [(walks[1], folder / "two.veil.json")], terms)
        assert not (folder / "two.veil.json").exists()

    def test_standings_say_how_much_cover_is_used_and_how_many_walks_fit(
        self, ledger: Ledger, folder: Path
    ) -> None:
        shares, fitting = [], []
        for walk in geant_walks(4):
            self.release(ledger, [walk], folder)
            (stand,) = ledger.standings()
            assert stand.cover is not None
            shares.append(stand.cover.share)
            fitting.append(stand.more[0])
            assert stand.more[1] == 6
        assert shares == sorted(shares)
        assert fitting == sorted(fitting, reverse=True)
        assert 2 <= fitting[-1] <= 10

    def test_a_series_is_all_public_or_all_sealed(self, ledger: Ledger, folder: Path) -> None:
        one, two = geant_walks(2)
        self.release(ledger, [one], folder)
        with pytest.raises(GateClosed, match="all public or all"):
            self.release(ledger, [two], folder, recipients=[READER])


@pytest.mark.regression("killed before the note, an envelope that was never written was noted")
def test_an_envelope_that_is_there_is_the_one_that_is_noted(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "1.veil.json.age"
    key = pyrage.x25519.Identity.generate()
    to = Delivery([str(key.to_public())])

    def killed(release: Recorded, delivery: Delivery) -> None:
        _write(release, delivery)
        raise KeyboardInterrupt

    def handouts() -> list[tuple[str, bool]]:
        with ledger.store.reading() as connection:
            rows = connection.execute(select(t.handouts)).all()
        return [(row.digest, row.written == ledger.ring.written(row.counter)) for row in rows]

    with monkeypatch.context() as patched:
        patched.setattr("pathveil.ledger.release_walks._write", killed)
        with pytest.raises(KeyboardInterrupt):
            release_walks(ledger, NETWORK, [(Walk("abc"), path)], delivery=to)
    sealed, digest = path.read_bytes(), sha256(path.read_bytes()).hexdigest()
    assert handouts() == [(digest, False)]
    for _ in range(2):
        release_walks(ledger, NETWORK, [(Walk("abc"), path)], delivery=to)
        assert path.read_bytes() == sealed
        assert handouts() == [(digest, True)]
    anew = replace(to, replacing=True)
    release_walks(ledger, NETWORK, [(Walk("abc"), path)], delivery=anew)
    assert path.read_bytes() != sealed
    assert handouts()[1:] == [(sha256(path.read_bytes()).hexdigest(), True)]


@pytest.mark.regression("of two that sealed one walk to one name, the file of neither was noted")
def test_an_envelope_that_came_meanwhile_is_the_one_that_is_noted(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks = [(Walk("abc"), folder / "1.veil.json.age")]
    to = Delivery([str(pyrage.x25519.Identity.generate().to_public())])
    hand_out = Ledger.hand_out

    def overtaken(self: Ledger, recorded: Sequence[Recorded], write: Write) -> None:
        monkeypatch.undo()
        release_walks(ledger, NETWORK, walks, delivery=to)
        hand_out(self, recorded, write)

    monkeypatch.setattr(Ledger, "hand_out", overtaken)
    (made,) = release_walks(ledger, NETWORK, walks, delivery=to)
    assert made.parcel == walks[0][1].read_bytes()
    with ledger.store.reading() as connection:
        row = connection.execute(select(t.handouts).where(t.handouts.c.written != "")).one()
    assert row.digest == sha256(made.parcel).hexdigest()


def test_envelopes_hold_the_recorded_release(ledger: Ledger, folder: Path) -> None:
    reader = pyrage.x25519.Identity.generate()
    readers = [str(reader.to_public())]
    sealed, plain = folder / "1.veil.json.age", folder / "1.veil.json"
    (first,) = release_walks(ledger, NETWORK, [(Walk("abc"), sealed)], delivery=Delivery(readers))
    (again,) = release_walks(ledger, NETWORK, [(Walk("abc"), plain)])
    assert again.replayed
    assert open_envelope(sealed.read_bytes(), [reader]) == plain.read_bytes() == first.data
    assert all(finding.holds for finding in check_files(ledger, [sealed, plain]))
    # An envelope of the same release that was made elsewhere is known by what is in it.
    other = folder / "2.veil.json.age"
    other.write_bytes(pyrage.encrypt(first.data, [reader.to_public()]))
    assert not check_files(ledger, [other])[0].holds
    assert check_files(ledger, [other], identities=[reader])[0].holds
    entries = ledger.counter
    with pytest.raises(BadFile, match="no public key"):
        release_walks(ledger, NETWORK, [(Walk("ef"), other)], delivery=Delivery(["age1nonsense"]))
    assert ledger.counter == entries  # a bad key is noticed before anything is recorded


def test_a_batch_replaces_no_file_of_another_release(folder: Path) -> None:
    walks, terms = folder / "walks.txt", ReleaseTerms(Policy.balanced())
    walks.write_text("a,b,c\nc,d,e\n")
    with Ledger.begin(folder / "l.db") as ledger:
        release_batch(ledger, WIDE, walks, folder / "one", terms)
        first = [file.read_bytes() for file in sorted((folder / "one").glob("*.veil.json"))]
        spent = [row.spent for row in ledger.past(WIDE).rows]
        walks.write_text("b,d\n")
        anew = Delivery(replacing=True)
        for delivery in (Delivery(), anew):  # the second file would pass for one of this batch
            with pytest.raises(BadFile, match=r"000002\.veil\.json: exists"):
                release_batch(ledger, WIDE, walks, folder / "one", terms, delivery=delivery)
        with pytest.raises(BadFile, match=r"000001\.veil\.json: exists"):
            release_walks(ledger, WIDE, [(Walk("bd"), folder / "one/000001.veil.json")], terms)
        assert [row.spent for row in ledger.past(WIDE).rows] == spent, "nothing was charged"
        now = [file.read_bytes() for file in sorted((folder / "one").glob("*.veil.json"))]
        assert now == first
        (folder / "one" / "000002.veil.json").unlink()
        release_batch(ledger, WIDE, walks, folder / "one", terms, delivery=anew)
        assert (folder / "one" / "000001.veil.json").read_bytes() != first[0]


def test_a_batch_is_recorded_together(folder: Path) -> None:
    walks = folder / "walks.txt"
    walks.write_text("a,b,c\nb,d\na,c\na,b,c\ne,f\n")
    with Ledger.begin(folder / "l.db", budget=Fraction(2)) as ledger:
        with pytest.raises(OverBudget, match=r"the 3\. of these 3 .* 2 of the 3 would fit"):
            release_batch(ledger, NETWORK, walks, folder / "out")
        assert not list((folder / "out").glob("*.veil.json"))
        report, made = release_batch(
            ledger, NETWORK, walks, folder / "out", delivery=Delivery(budget=Fraction(3))
        )
        assert (report.published, report.resumed) == (4, 1)  # line 4 is line 1 again
        assert [failure.line for failure in report.failures] == [3]
        assert report.repeated == ((4, 1),)
        assert made[0].data == made[2].data
        report, _ = release_batch(ledger, NETWORK, walks, folder / "out")
        assert report.resumed == 4
        files = sorted((folder / "out").glob("*.veil.json"))
        assert [file.name[:6] for file in files] == ["000001", "000002", "000003", "000004"]
        assert all(finding.holds for finding in check_files(ledger, files))
        with pytest.raises(BadFile, match="a file of its own"):
            release_batch(ledger, NETWORK, walks, folder / "out.jsonl")
        walks.write_text("a,c\n")
        report, made = release_batch(ledger, NETWORK, walks, folder / "none")
        assert (report.published, made) == (0, ())


def test_a_grouping_is_charged_once_and_stays_for_life(folder: Path) -> None:
    ring = Network.from_links([(f"v{i}", f"v{(i + 1) % 40}") for i in range(40)])
    first, second = (pv.group(ring, classes=16, source=Seeded(seed)) for seed in (1, 2))
    walks = [Walk([f"v{i}", f"v{i + 1}", f"v{i + 2}"]) for i in range(3)]
    with Ledger.begin(folder / "l.db") as ledger:
        terms = ReleaseTerms(grouping=first)
        made = [
            release_walks(ledger, ring, [(walk, folder / f"{n}.veil.json")], terms)[0]
            for n, walk in enumerate(walks)
        ]
        once = [
            float(release.spent) - float(fresh)
            for release, fresh in zip(made, (0.6932, 1.3863, 2.0795), strict=True)
        ]
        assert 0 < once[0] < 5
        assert max(once) - min(once) < 1e-3  # paid with the first release, and not again
        assert "grouping, estimated" in str(made[0].spent)
        assert made[0].series == made[2].series
        assert ledger.standings()[0].rows[0].grouping == first.digest
        found = Publication.load(folder / "2.veil.json").over(first)
        assert reconstruct(found, ring).walk == walks[2]
        assert publication_of(made[1], first).certificate == found.certificate
        again, other = [(walks[0], folder / "x.veil.json")], ReleaseTerms(grouping=second)
        with pytest.raises(LedgerError, match="a second grouping gives most of its vertices away"):
            release_walks(ledger, ring, again, other)
        assert is_sound(ledger)


def test_chaff_that_remembers_is_charged_as_one_series(folder: Path) -> None:
    """The ledger's sum is the urn's exact price of the dearest pattern, files and all."""
    policy = Policy.remembering(prior=("1/2", "1/2"))
    terms = ReleaseTerms(policy)
    walks = ["abc", "bcd", "abde", "cdb"]
    with Ledger.begin(folder / "l.db") as ledger:
        for number, walk in enumerate(walks):
            file = folder / f"{number}.veil.json"
            (made,) = release_walks(ledger, NETWORK, [(Walk(walk), file)], terms)
            assert publication_of(made).series.place == made.place == number + 1  # type: ignore[union-attr]
        again = release_walks(ledger, NETWORK, [(Walk("abc"), folder / "x.veil.json")], terms)[0]
        assert again.replayed
        files = [Publication.load(folder / f"{n}.veil.json") for n in range(4)]
        shown = PublishedHistory.of(files).shown(NETWORK.pairs)
        lost = [pattern_loss(urn_of(policy), int(count), 4) for count in shown]
        assert made.spent == max(lost, key=float)
        uses = ledger.standings()[0].uses
        assert sum(times * links for times, links in uses.items()) == int(shown.sum())
        report, more = release_batch_of(ledger, folder, terms, ["a,f", "e,f", "d,e,f"])
        assert [release.place for release in more] == [5, 6, 7]
        assert report.published == 3
        assert is_sound(ledger)
        fresh = release_walks(ledger, NETWORK, [(Walk("ab"), folder / "y.veil.json")])[0]
        both = [float(more[-1].spent), float(fresh.spent)]
        assert both[1] == pytest.approx(both[0] + 0.6932, abs=2e-4)  # other coins: losses add


def release_batch_of(
    ledger: Ledger, folder: Path, terms: ReleaseTerms, lines: list[str]
) -> tuple[BatchReport, tuple[Recorded, ...]]:
    (folder / "walks.txt").write_text("\n".join(lines))
    return release_batch(ledger, NETWORK, folder / "walks.txt", folder / "out", terms)


def test_links_may_come_to_a_series_and_not_come_back(folder: Path) -> None:
    terms, few = ReleaseTerms(Policy.remembering(prior=("1/2", "1/2"))), Network.parse("ab bc cd")
    more = Network.parse("ab bc cd bd")
    with Ledger.begin(folder / "l.db") as ledger:
        for number, walk in enumerate(("abc", "bcd", "abcd")):
            release_walks(ledger, few, [(Walk(walk), folder / f"{number}.veil.json")], terms)
        made = release_walks(ledger, more, [(Walk("abd"), folder / "3.veil.json")], terms)[0]
        assert made.spent == pattern_loss(Urn(), 2, 4)  # cd, on two of four walks, is dearer
        release_walks(ledger, few, [(Walk("ab"), folder / "4.veil.json")], terms)
        with pytest.raises(BrokenSeries, match="is there again"):
            release_walks(ledger, more, [(Walk("bd"), folder / "5.veil.json")], terms)
        assert release_walks(ledger, more, [(Walk("bd"), folder / "6.veil.json")])
        assert is_sound(ledger)


# -- sketches -------------------------------------------------------------------------------------


def test_a_sketch_is_charged_what_its_certificate_says(ledger: Ledger, folder: Path) -> None:
    terms = ReleaseTerms(Policy.frontier(walk_loss=1), form="sketch", capacity=64)
    made = []
    for number, walk in enumerate(("abc", "bde")):
        file = folder / f"{number}.veil"
        (one,) = release_walks(ledger, NETWORK, [(Walk(walk), file)], terms)
        assert reconstruct(Publication.load(file), NETWORK).walk == Walk(walk)
        made.append(one)
    row = bound(publication_of(made[0]).certificate, walk_links=1)
    other = bound(publication_of(made[0]).certificate, other_links=1)
    # Rounded rates and the seed's term included: 1.0019, not 1; a link lies on one walk of two.
    assert made[0].spent.decimal == row.presence.decimal == "1.0019"
    assert float(made[1].spent) == pytest.approx(
        float(row.presence) + float(other.presence), abs=2e-4
    )
    assert is_sound(ledger)
    assert all(f.holds for f in check_files(ledger, [folder / "0.veil", folder / "1.veil"]))


def test_a_batch_clears_what_a_killed_one_left_half_written(ledger: Ledger, folder: Path) -> None:
    """Hidden part files of a killed batch stayed in the folder that is handed out."""
    walks, out = folder / "walks.txt", folder / "out"
    walks.write_text("a,b,c\nb,c,d\n")
    out.mkdir()
    dead = [left_by_the_dead(out / "000002.veil.json"), left_by_the_dead(folder / "out.errors.csv")]
    report, _ = release_batch(ledger, NETWORK, walks, out)
    assert report.published == 2
    assert not any(part.exists() for part in dead)
    names = sorted(path.name for path in out.iterdir() if not path.name.endswith(".mark"))
    assert names == ["000001.veil.json", "000002.veil.json"]


@pytest.mark.regression("one walk with a second visit stopped a whole batch, and no line was named")
def test_a_walk_that_needs_copies_is_named_before_anything_is_drawn(tmp_path: Path) -> None:
    """All files must go one way: the others, once out, could not be followed by it."""
    (tmp_path / "walks.txt").write_text("a,b,c\na,b,a\n")
    with Ledger.begin(tmp_path / "ledger.db") as ledger:
        given = (ledger, WIDE, tmp_path / "walks.txt", tmp_path / "out", ReleaseTerms())
        with pytest.raises(NeedsMoreCopies, match=r"number 2 of 2 walks: .*balanced:copies=2"):
            release_batch(*given)
        assert not ledger.past(WIDE).releases
    assert not (tmp_path / "out").exists()
