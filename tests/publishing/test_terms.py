from __future__ import annotations

from typing import Any

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.chance.certify import certify
from pathveil.chance.history import History
from pathveil.errors import BadGrouping, BrokenSeries
from pathveil.model.universe import Universe
from pathveil.publishing.terms import ReleaseTerms

NETWORK, WALK = Network.parse("ab bc cd bd"), Walk("abcd")
EMPTY = History()


@pytest.mark.parametrize("what", ["layering", "direction", "form"])
def test_a_word_nobody_knows_is_refused_when_the_terms_are_made(what: str) -> None:
    given: dict[str, Any] = {what: "sideways"}
    with pytest.raises(ValueError, match=f"{what} is 'sideways', expected one of"):
        ReleaseTerms(**given)


def test_what_is_left_out_is_that_of_the_series_or_the_unsaid() -> None:
    first = publish(NETWORK, WALK, policy=Policy.remembering(usage="1/5"), source=Seeded(1))
    history = History.of([first])
    assert ReleaseTerms.understood(EMPTY).policy == Policy.balanced()
    assert ReleaseTerms.understood(EMPTY, unsaid=Policy.sealed()).policy == Policy.sealed()
    begun = ReleaseTerms.understood(history, unsaid=Policy.sealed())
    assert begun.policy == Policy.remembering(usage="1/5")
    assert begun.continuing(history, NETWORK.vertices) == begun
    with pytest.raises(BrokenSeries, match="keeps its terms"):
        ReleaseTerms(Policy.remembering()).continuing(history, NETWORK.vertices)


def test_pairs_are_understood_as_a_universe() -> None:
    pairs = [("a", "b"), ("b", "c")]
    assert ReleaseTerms.understood(EMPTY, universe=pairs).universe == Universe.of(pairs)


def test_the_certificate_is_that_of_the_terms() -> None:
    untold = ReleaseTerms(Policy.sealed(), direction="hidden")
    assert untold.certificate() == certify(Policy.sealed(), told=False)
    assert untold.certificate(7) == untold.certificate(), "fresh coins are promised one by one"
    series = ReleaseTerms(Policy.remembering())
    assert series.certificate(3) == certify(Policy.remembering(), releases=3)
    paper = ReleaseTerms(layering="backtracking")
    assert not paper.tells, "the paper's layering has no direction bit"


def test_the_same_terms_have_the_same_text_and_no_others() -> None:
    listed = [
        ReleaseTerms(),
        ReleaseTerms(Policy.sealed()),
        ReleaseTerms(direction="hidden"),
        ReleaseTerms(layering="backtracking"),
        ReleaseTerms(universe=Universe.of([("a", "b")])),
    ]
    assert len({terms.text for terms in listed}) == len(listed)
    assert ReleaseTerms().text == ReleaseTerms(Policy.balanced()).text


def test_labels_tell_members_of_a_class_apart() -> None:
    from pathveil import group

    ring = Network.from_links([(i, (i + 1) % 60) for i in range(60)])
    labels = dict.fromkeys(ring.vertices, "x")
    grouping = group(ring, classes=15, source=Seeded(1))
    policy = Policy.labelled(labels, {("x", "x"): "1/2"})
    with pytest.raises(BadGrouping, match="goes by labels"):
        ReleaseTerms(policy, grouping=grouping).ground(ring)
    assert ReleaseTerms(grouping=grouping).unsafe, "a seeded grouping"
    with pytest.raises(BadGrouping, match="without a universe"):
        ReleaseTerms(grouping=grouping, universe=Universe.of([("0", "1")]))
