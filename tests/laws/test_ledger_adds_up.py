"""What a ledger says was spent is the composed certificate of its files, whatever was released.

The other side of the law is computed from the files alone: each is read back with the network, and
the loss of every link in it is taken from the policy the file states.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil import Network, Policy, Publication, Walk, reconstruct
from pathveil.chance.losses import NOTHING, Missing, losses_of
from pathveil.ledger import release_walks as releasing
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.ledger_check import check_files, check_ledger
from pathveil.ledger.release_walks import release_walks
from pathveil.publishing.terms import ReleaseTerms
from tests.conftest import MEMORY
from tests.strategies import widened

# So many pairs that no two releases agree by chance: files are told apart by their bytes.
NETWORK = widened(Network.parse("ab bc cd de bd ce"))
WALKS = ("abc", "abcd", "bdec", "edba", "dec", "abd", "cbde")
POLICIES = (
    Policy.balanced(),
    Policy.frontier(walk_loss="1/3"),
    Policy.balanced(copies=2, link_uses=1),
)
ASKED = st.lists(
    st.tuples(st.sampled_from(WALKS), st.sampled_from(POLICIES)), min_size=1, max_size=6
)


@settings(deadline=None, max_examples=8)
@given(ASKED)
def test_spent_is_the_composed_certificate_of_the_files(asked: list[tuple[str, Policy]]) -> None:
    network = NETWORK
    with (
        pytest.MonkeyPatch.context() as patch,
        TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name,
        Ledger.begin(f"{name}/ledger.db", budget=Fraction(50)) as ledger,
    ):
        folder = Path(name) / "out"
        folder.mkdir()
        # The gate has its own laws; here the books of a network whose cover is long used up.
        for name in ("require_one_way", "require_open"):
            patch.setattr(releasing, name, lambda *_: None)
        for number, (walk, policy) in enumerate(asked):
            wanted = [(Walk(walk), folder / f"{number}.veil.json")]
            release_walks(ledger, network, wanted, ReleaseTerms(policy))
        files = sorted(folder.glob("*.veil.json"))
        stand = ledger.standings()[0]
        distinct = {file.read_bytes(): Publication.load(file) for file in files}
        assert len(distinct) == len(stand.rows)
        spent = dict.fromkeys(network.links, NOTHING)
        uses = dict.fromkeys(network.links, 0)
        for publication in distinct.values():
            walked = reconstruct(publication, network).walk.uses
            policy = Policy.from_terms(publication.policy)
            for link in network.links:
                missing = Missing(on_walk=walked[link] > 0, uses=max(walked[link], 1))
                spent[link] = spent[link] + losses_of(policy, missing)
                uses[link] += walked[link]
        dearest = max(float(loss.presence.loss()) for loss in spent.values())
        assert float(stand.spent) == dearest
        assert ledger.past(network).account.uses == +Counter(uses)
        assert all(finding.holds for finding in check_ledger(ledger))
        assert all(finding.holds for finding in check_files(ledger, files))
