"""The chain of a series: each file commits to all before it, and an edited one falls out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pathveil import Network, Publication, Seeded, Walk, publish
from pathveil.errors import BadPublication, BrokenSeries
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.certificate import PolicyTerms
from pathveil.model.positions import Positions
from pathveil.model.publication import MOST_RELEASES, SeriesPlace, require_salt
from pathveil.model.series import keeps_its_digest, order_series, release_digest, require_unchanged
from pathveil.publishing.release import publish_series

NETWORK = Network.parse("ab bc cd de bd ae")
WALKS = [Walk("abc"), Walk("bde"), Walk("eab")]
ONE, TWO, THREE = publish_series(
    NETWORK, WALKS, source=Seeded(1), policy="remembering:on=1/2,off=1/2"
)


def place_of(publication: Publication) -> SeriesPlace:
    assert publication.series is not None
    return publication.series


@pytest.mark.parametrize(
    ("place", "before", "said"),
    [
        (0, None, "place 0, no release before"),
        (1, "b", "place 1, a release before"),
        (2, None, "place 2, no release before"),
    ],
)
def test_a_place_counts_from_one_and_names_the_release_before(
    place: int, before: str | None, said: str
) -> None:
    with pytest.raises(BrokenSeries, match=said):
        SeriesPlace(place, before, "r")
    assert SeriesPlace(2, "b", "r").before == "b"


def test_a_series_has_so_many_releases_at_most() -> None:
    assert SeriesPlace(MOST_RELEASES, "b", "r").place == MOST_RELEASES
    with pytest.raises(BrokenSeries, match="releases at most"):
        SeriesPlace(MOST_RELEASES + 1, "b", "r")


def test_a_series_is_put_in_order_whatever_the_listing() -> None:
    for listed in ([ONE, TWO, THREE], [THREE, ONE, TWO], [TWO, THREE, TWO, ONE]):
        assert order_series(listed) == (ONE, TWO, THREE)
    assert order_series([]) == ()
    assert [place_of(p).place for p in (ONE, TWO, THREE)] == [1, 2, 3]
    assert place_of(ONE).before is None
    assert place_of(TWO).before == place_of(ONE).release
    assert place_of(THREE).before == place_of(TWO).release


OTHER_BITS = PackedBits(
    Positions.uniform(NETWORK.vertices, 1), PairBits.from_pairs(len(NETWORK), [(0, 1)])
)


@pytest.mark.parametrize(
    "altered",
    [
        replace(TWO, bits=OTHER_BITS),
        replace(TWO, direction=not TWO.direction),
        replace(TWO, layering="backtracking", direction=None, drawing=TWO.layered),
        replace(TWO, policy=PolicyTerms(TWO.policy.name, (*TWO.policy.parameters, ("x", "y")))),
        replace(TWO, policy=PolicyTerms(TWO.policy.name + "s", TWO.policy.parameters)),
        replace(TWO, series=replace(place_of(TWO), place=3)),
        replace(TWO, series=replace(place_of(TWO), before=place_of(THREE).release)),
        replace(TWO, salt=THREE.salt),
    ],
    ids=["bits", "direction", "layering", "terms", "policy", "place", "before", "salt"],
)
def test_whatever_is_edited_is_noticed(altered: Publication) -> None:
    place = place_of(altered)
    assert release_digest(place.place, place.before, altered) != place.release
    with pytest.raises(BrokenSeries, match="was changed after it was published"):
        order_series([ONE, altered, THREE])
    assert (keeps_its_digest(altered), keeps_its_digest(TWO)) == (False, True)
    require_unchanged(TWO)
    with pytest.raises(BadPublication, match="it was changed after it was published"):
        require_unchanged(altered, "two.veil")


def test_digests_are_golden() -> None:
    """Later releases name earlier ones by them, for years."""
    assert place_of(ONE).release.startswith("d5d257973a45e6f63d005703fbae7efe")
    assert place_of(TWO).release.startswith("8f0f900e646d40758c8b55377f51d7a5")


def test_texts_in_a_digest_cannot_run_into_each_other() -> None:
    """Two lists of terms whose letters are the same when put together name two releases."""
    terms = [(("a", "bc"),), (("ab", "c"),), (("a", "b"), ("c", "")), (("abc", ""),)]
    digests = {
        release_digest(1, None, replace(ONE, policy=PolicyTerms("remembering", pairs)))
        for pairs in terms
    }
    assert len(digests) == len(terms)


@pytest.mark.parametrize(
    ("salt", "said"),
    [
        (None, "the salt is missing"),
        ("", "of 0 characters"),
        ("0" * 31, "of 31 characters"),
        ("0" * 33, "of 33 characters"),
        ("A" * 32, "of 32 characters, expected 32 hexadecimal digits"),
        ("0" * 32 + "\n", "of 33 characters"),
    ],
)
def test_a_salt_that_is_cut_or_missing_is_refused(salt: str | None, said: str) -> None:
    with pytest.raises(BrokenSeries, match=said):
        replace(TWO, salt=salt)
    with pytest.raises(BrokenSeries, match=said):
        require_salt(salt, series=True)
    require_salt(TWO.salt, series=True)
    require_salt(None, series=False)


def test_salts_of_a_series_are_all_different() -> None:
    """Who has one of two files with one salt can try out the other. A seed protects nothing."""
    kept = [replace(file, unsafe=False) for file in (ONE, TWO, THREE)]
    assert len({file.salt for file in kept}) == 3
    assert len(order_series(kept)) == 3
    repeated = resigned(replace(kept[1], salt=kept[0].salt))
    with pytest.raises(BrokenSeries, match="release 1 and release 2 have the same salt"):
        order_series([kept[0], repeated])
    order_series([ONE, resigned(replace(TWO, salt=ONE.salt))])


def test_a_fork_names_both_heads() -> None:
    other = publish(NETWORK, Walk("cde"), after=[ONE], source=Seeded(9))
    with pytest.raises(BrokenSeries, match="two releases at place 2") as caught:
        order_series([ONE, TWO, other])
    assert place_of(TWO).release[:12] in str(caught.value)
    assert place_of(other).release[:12] in str(caught.value)


def test_a_gap_is_told_by_the_first_release_behind_it() -> None:
    with pytest.raises(BrokenSeries, match=r"release 2 \(\w+\) is number 1 of the files"):
        order_series([THREE, TWO])
    with pytest.raises(BrokenSeries, match=f"release 3 .*number 1: {place_of(TWO).release[:12]}"):
        order_series([ONE, THREE])


def test_a_release_that_lies_about_its_place_is_out_of_its_series() -> None:
    """It was signed with the wrong place: its own digest holds, the series does not."""
    place = place_of(TWO)
    digest = release_digest(5, place.before, TWO)
    lied = replace(TWO, series=SeriesPlace(5, place.before, digest))
    with pytest.raises(BrokenSeries, match=r"release 5 \(\w+\) is number 2 of the files"):
        order_series([ONE, lied])


def resigned(publication: Publication) -> Publication:
    """As a forger would hand it in: altered, and with a digest that fits."""
    place = place_of(publication)
    digest = release_digest(place.place, place.before, publication)
    return replace(publication, series=replace(place, release=digest))


@pytest.mark.parametrize("what", ["terms", "form or vertices"])
def test_a_series_keeps_its_terms_and_vertices(what: str) -> None:
    wider = Positions.uniform((*NETWORK.vertices, "z"), 1)
    other = {
        "terms": replace(TWO, policy=PolicyTerms(TWO.policy.name, (("on", "2"), ("off", "2")))),
        "form or vertices": replace(
            TWO, bits=PackedBits(wider, PairBits.from_pairs(len(wider), []))
        ),
    }[what]
    with pytest.raises(BrokenSeries, match=f"release 2 has other {what} than the first"):
        order_series([ONE, resigned(other)])


def test_what_has_no_place_is_in_no_series() -> None:
    with pytest.raises(BrokenSeries, match=r"policy balanced.* belongs to no series"):
        order_series([publish(NETWORK, WALKS[0], source=Seeded(1))])
