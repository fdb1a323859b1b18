"""The gate before a ledger: it looks at everything that is out, under whatever terms."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from pathveil import Grouping, Network, Policy, Publication, Seeded, Walk, group
from pathveil.cli.main import run
from pathveil.errors import BadBudget, GateClosed
from pathveil.ledger import release_walks as releasing
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.release_walks import release_walks
from pathveil.planning import gatekeeper
from pathveil.planning.gate_report import Effort, GateReport, report_sentences
from pathveil.planning.gatekeeper import ledger_gate, require_suits
from pathveil.publishing.release import publish_under
from pathveil.publishing.terms import ReleaseTerms
from tests.grouping.test_colouring import random_network
from tests.planning.test_gate import SIXTY, SMALL

COUNTING = Effort(restarts=0)
RARER = Policy.frontier(walk_loss=1)


@pytest.fixture(autouse=True)
def fixed_coins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replay the same coins in every run: what is read of so few releases is a matter of luck."""
    numbers = count()

    def replayed(*given: object, **named: object) -> tuple[Publication, ...]:
        source = Seeded(f"gatekeeper {next(numbers)}")
        return publish_under(*given, **named, source=source)  # type: ignore[arg-type]

    monkeypatch.setattr(releasing, "publish_under", replayed)


def let_out(
    ledger: Ledger, folder: Path, network: Network, walks: list[Walk], terms: ReleaseTerms
) -> None:
    """Release walks with no gate before them."""
    start = len(list(folder.glob("*.veil*")))
    suffix = "veil" if terms.form == "sketch" else "veil.json"
    named = [(walk, folder / f"{start + n}.{suffix}") for n, walk in enumerate(walks)]
    release_walks(ledger, network, named, terms)


def ask(ledger: Ledger, folder: Path, network: Network, walk: Walk, policy: Policy) -> GateReport:
    """Return what the gate finds when one more walk is to go out; it must refuse it."""
    gate = ledger_gate(network, policy, independent=True, from_second=True, effort=COUNTING)
    wanted = [(walk, folder / "one-more.veil.json")]
    with pytest.raises(GateClosed) as found:
        release_walks(ledger, network, wanted, ReleaseTerms(policy), gate=gate)
    assert isinstance(found.value.report, GateReport)
    return found.value.report


def test_the_gate_looks_at_releases_under_every_policy(ledger: Ledger, folder: Path) -> None:
    # Fresh coins at two rates, in two halves that the new release has nothing in common with.
    let_out(ledger, folder, SMALL, SIXTY[:25], ReleaseTerms(Policy.balanced()))
    let_out(ledger, folder, SMALL, SIXTY[25:50], ReleaseTerms(RARER))
    report = ask(ledger, folder, SMALL, SIXTY[50], Policy.remembering(prior=("1/2", "1/2")))
    assert (report.walks, report.looked_at, report.unread) == (51, 51, 0)
    assert report.counting is not None
    assert report.counting.links_found >= 28
    assert report.counting.walks_read >= 3
    assert not (folder / "one-more.veil.json").exists()


def test_the_dearest_link_pays_under_every_policy(ledger: Ledger, folder: Path) -> None:
    let_out(ledger, folder, SMALL, SIXTY[:10], ReleaseTerms(Policy.balanced()))
    let_out(ledger, folder, SMALL, SIXTY[10:20], ReleaseTerms(RARER))
    report = ask(ledger, folder, SMALL, SIXTY[20], Policy.balanced())
    spent = ledger.standings()[0].spent
    # Both composed exactly: the gate counts one release more, which costs ln 2 on walk and off.
    assert float(report.dearest[1]) == pytest.approx(float(spent) + 0.6932, abs=2e-3)


def test_the_gate_looks_into_sketches(ledger: Ledger, folder: Path) -> None:
    let_out(ledger, folder, SMALL, SIXTY[:40], ReleaseTerms(form="sketch", capacity=64))
    report = ask(ledger, folder, SMALL, SIXTY[40], Policy.balanced())
    assert report.looked_at == 41
    assert report.counting is not None
    assert report.counting.walks_read >= 5


def test_what_the_gate_cannot_lay_beside_is_said(ledger: Ledger, folder: Path) -> None:
    network = random_network(20, 32, 1)
    groups: Grouping = group(network, classes=12, source=Seeded(1))
    let_out(ledger, folder, network, SIXTY[:3], ReleaseTerms(grouping=groups))
    let_out(ledger, folder, network, SIXTY[3:30], ReleaseTerms(Policy.balanced()))
    report = ask(ledger, folder, network, SIXTY[30], Policy.balanced())
    assert (report.walks, report.unread) == (28, 3)
    assert "3 earlier releases, over a grouping" in " ".join(report_sentences(report))


def test_a_ledgers_gate_reads_releases_over_a_grouping_that_hides_nothing(
    ledger: Ledger, folder: Path
) -> None:
    """Any grouping sent a release past the gate; files without one lie beside these."""
    alone = Grouping.of([[name] for name in SMALL])
    policy = Policy.balanced()
    let_out(ledger, folder, SMALL, SIXTY[:20], ReleaseTerms(policy, grouping=alone))
    let_out(ledger, folder, SMALL, SIXTY[20:40], ReleaseTerms(policy))
    gate = ledger_gate(SMALL, policy, grouping=alone, independent=True, effort=COUNTING)
    named = [(SIXTY[40], folder / "over.veil.json")]
    with pytest.raises(GateClosed) as found:
        release_walks(ledger, SMALL, named, ReleaseTerms(policy, grouping=alone), gate=gate)
    report = found.value.report
    assert isinstance(report, GateReport)
    assert (report.walks, report.looked_at, report.unread) == (41, 41, 0)
    assert report.counting is not None
    assert report.counting.walks_read >= 5
    assert alone.leaves_bare


def test_sealed_before_anything_else_is_refused(ledger: Ledger, folder: Path) -> None:
    let_out(ledger, folder, SMALL, SIXTY[:1], ReleaseTerms(Policy.sealed()))
    gate = ledger_gate(SMALL, Policy.balanced(), independent=True, from_second=True)
    wanted = [(SIXTY[1], folder / "one-more.veil.json")]
    with pytest.raises(BadBudget, match="sealed policy shows every link that is off the walk"):
        release_walks(ledger, SMALL, wanted, ReleaseTerms(), gate=gate)


def test_a_first_release_passes_unasked(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gatekeeper, "examine", None)  # nobody calls it
    gate = ledger_gate(SMALL, Policy.balanced(), independent=True, from_second=True)
    wanted = [(SIXTY[0], folder / "first.veil.json")]
    assert len(release_walks(ledger, SMALL, wanted, ReleaseTerms(), gate=gate)) == 1


def test_fresh_coins_for_many_walks_must_be_asked_for() -> None:
    with pytest.raises(BadBudget, match="throws fresh coins for each of 2 walks"):
        require_suits(Policy.balanced(), SIXTY[:2], independent=False)
    require_suits(Policy.balanced(), [SIXTY[0], SIXTY[0]], independent=False)
    require_suits(Policy.remembering(prior=("1/2", "1/2")), SIXTY[:2], independent=False)


def test_a_sketch_goes_through_a_ledger_on_the_command_line(folder: Path) -> None:
    (folder / "net.csv").write_text("a,b\nb,c\nc,d\nb,d\n")
    (folder / "walk.txt").write_text("a,b,c\n")
    database, file = str(folder / "ledger.db"), str(folder / "one.veil")
    assert run(["ledger", "init", database]) == 0
    given = [str(folder / "net.csv"), str(folder / "walk.txt"), "--ledger", database]
    sketch = ["--form", "sketch", "--capacity", "16"]
    assert run(["publish", *given, *sketch, "-o", file]) == 0
    assert run(["ledger", "verify", database, file]) == 0
    assert run(["verify", file, str(folder / "net.csv")]) == 0
