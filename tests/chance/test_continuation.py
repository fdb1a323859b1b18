from __future__ import annotations

import pytest

from pathveil import Grouping, Network, Policy, Publication, Seeded, Walk, publish
from pathveil.chance.history import History
from pathveil.chance.series_rules import (
    continued_capacity,
    continued_policy,
    continued_universe,
    placed,
    require_continues,
    salted,
)
from pathveil.errors import BrokenSeries
from pathveil.model.series import SALT_BYTES, SeriesPlace, release_digest
from pathveil.model.universe import Universe

NETWORK = Network.parse("ab bc cd de bd ae")
POLICY = Policy.remembering()
PAIRS = [*NETWORK.links, ("a", "c")]


def begun(**more: object) -> Publication:
    return publish(NETWORK, Walk("abc"), policy=POLICY, source=Seeded(1), **more)  # type: ignore[arg-type]


def test_a_series_goes_on_with_its_own_terms() -> None:
    assert continued_policy(History()) is None
    assert continued_policy(History.of([begun()])) == POLICY


def test_the_universe_is_that_of_the_first_release() -> None:
    wide = Universe.of(PAIRS)
    assert continued_universe(History(), wide) is wide
    bare, held = History.of([begun()]), History.of([begun(universe=PAIRS)])
    assert continued_universe(bare, None) is None
    assert continued_universe(held, None) == wide
    assert continued_universe(held, Universe.of(PAIRS)) == wide
    for history, other in ((bare, wide), (held, Universe.of(NETWORK.links))):
        with pytest.raises(BrokenSeries, match="on other pairs than the universe given"):
            continued_universe(history, other)


def test_a_universe_told_by_digest_stays_told_by_digest() -> None:
    named = Universe.of(PAIRS, by_digest=True)
    history = History.of([begun(universe=named)])
    going_on = continued_universe(history, Universe.of(PAIRS))
    assert isinstance(going_on, Universe)
    assert going_on.by_digest


def test_whatever_a_series_keeps_must_be_kept() -> None:
    names = NETWORK.vertices
    require_continues(History(), ("x", "y"), Policy.balanced(), None)
    history = History.of([begun()])
    require_continues(history, names, POLICY, None)
    with pytest.raises(BrokenSeries, match=r"begun with remembering.* asks for balanced"):
        require_continues(history, names, Policy.balanced(), None)
    with pytest.raises(
        BrokenSeries, match=r"over 5 vertices, this network has 4.* keep them, or begin a new"
    ):
        require_continues(history, names[:4], POLICY, None)
    grouping = Grouping.of([[name] for name in names])
    with pytest.raises(BrokenSeries, match="over another grouping, or over none"):
        require_continues(history, names, POLICY, grouping)
    grouped = History.of([begun(grouping=grouping)])
    require_continues(grouped, (*names, "z"), POLICY, grouping)
    for other in (None, Grouping.of([["z", "a"], *([name] for name in names[1:])])):
        with pytest.raises(BrokenSeries, match="over another grouping"):
            require_continues(grouped, names, POLICY, other)


def test_a_release_is_placed_behind_the_last() -> None:
    first = begun()
    history = History.of([first])
    fresh = publish(NETWORK, Walk("cd"), policy=Policy.balanced(), source=Seeded(2))
    one, two = placed([fresh, fresh], history, Seeded(3))
    assert first.series is not None
    with_salts = salted([fresh, fresh], Seeded(3))
    assert [one.salt, two.salt] == [publication.salt for publication in with_salts]
    digest = release_digest(2, first.series.release, with_salts)
    assert one.series == SeriesPlace(2, first.series.release, digest, 1)
    assert two.series == SeriesPlace(2, first.series.release, digest, 2)
    (alone,) = placed([fresh], History(), Seeded(3))
    assert alone.series == SeriesPlace(1, None, release_digest(1, None, with_salts[:1]))


def test_salts_are_the_next_bytes_of_the_source_one_for_each_file() -> None:
    """They are uniform and independent of everything, for they come from nothing else."""
    files = [begun(), begun(direction="hidden")]
    stream = Seeded(4).take(2 * SALT_BYTES).hex()
    assert SALT_BYTES * 8 >= 128
    assert "".join(file.salt or "" for file in salted(files, Seeded(4))) == stream
    assert salted(files, Seeded(4)) == salted(files, Seeded(4)), "a seed gives the same bytes again"
    assert salted(files[:1], Seeded(5)) != salted(files[:1], Seeded(4))


def test_a_series_keeps_its_form_and_sketches_their_capacity() -> None:
    packed, sketched = History.of([begun()]), History.of([begun(form="sketch", capacity=9)])
    names = NETWORK.vertices
    require_continues(sketched, names[:3], POLICY, None, form="sketch")  # it lists no vertices
    with pytest.raises(
        BrokenSeries, match=r"begun packed, .* asks for form='sketch'; .* form='packed'"
    ):
        require_continues(packed, names, POLICY, None, form="sketch")
    with pytest.raises(
        BrokenSeries, match=r"begun sketched, .* asks for form='packed'; .* form='sketch'"
    ):
        require_continues(sketched, names, POLICY, None)
    assert continued_policy(sketched) == POLICY, "the bits of its values are those of the next"
    assert continued_capacity(packed, 7) == 7
    assert continued_capacity(sketched, None) == continued_capacity(sketched, 9) == 9
    with pytest.raises(BrokenSeries, match="a capacity of 9 links, this release asks for 7"):
        continued_capacity(sketched, 7)


@pytest.mark.regression("a series that kept silent began to tell the direction")
def test_a_series_that_does_not_tell_the_direction_does_not_begin_to() -> None:
    names = NETWORK.vertices
    silent = History.of([begun(direction="hidden")])
    require_continues(silent, names, POLICY, None)
    with pytest.raises(BrokenSeries, match=r"do not tell the direction.* direction='hidden', or"):
        require_continues(silent, names, POLICY, None, tells=True)
    for tells in (True, False):  # who told it once may stop
        require_continues(History.of([begun()]), names, POLICY, None, tells=tells)
