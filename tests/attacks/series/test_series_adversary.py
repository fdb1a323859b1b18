"""Somebody who sees every file ever released, and may edit, reorder, drop and add some.

Each attempt to break a series is one test. What succeeds is said:
digests are no signatures, and a second series adds to the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.attacks.series.outsider import Effort
from pathveil.attacks.series.pile_attack import attack_as_insider, attack_as_outsider
from pathveil.chance.urn import History
from pathveil.checking.verification import verify_series
from pathveil.errors import BrokenSeries, PathveilError
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.publication import SALT_BYTES, SeriesPlace
from pathveil.model.series import release_digest
from tests.chance.choices import Counting

NETWORK = Network.parse("ab bc cd de bd ae ef fa")
WALKS = [Walk("abc"), Walk("bde"), Walk("efa"), Walk("cde")]


def series(count: int = 3, *, seed: int = 0) -> list[Publication]:
    found: list[Publication] = []
    for number, walk in enumerate(WALKS[:count]):
        source = Seeded(f"packed {seed} {number}")
        policy = Policy.remembering(prior=("1/2", "1/2"))
        found.append(publish(NETWORK, walk, policy=policy, after=found, source=source))
    return found


def placed_after(publication: Publication, before: list[Publication]) -> Publication:
    """Return a release with the digest that its place in the series would have."""
    place, last = len(before) + 1, History.of(before).last
    return replace(
        publication, series=SeriesPlace(place, last, release_digest(place, last, publication))
    )


# -- reordering -----------------------------------------------------------------------------------


def test_no_order_of_the_files_tells_more_than_another() -> None:
    files = series()
    known = NETWORK.without(("b", "c"))
    seen = set()
    for order in permutations(files):
        read = attack_as_outsider(order, 8, effort=Effort(2_000, 1, Seeded(1)))
        inside = attack_as_insider(order, known)
        seen.add((read.structure, read.counting, inside))
    assert len(seen) == 1


# -- editing --------------------------------------------------------------------------------------


def turned(publication: Publication) -> Publication:
    return replace(publication, direction=not publication.direction)


def test_an_edited_file_is_not_built_upon() -> None:
    one, two, three = series()
    for files in ([one, turned(two), three], [one, two, turned(three)]):
        with pytest.raises(BrokenSeries):
            publish(NETWORK, WALKS[3], after=files)
        assert not all(finding.holds for finding in verify_series(files))


def test_a_digest_is_no_signature_but_the_true_file_beside_it_is_a_fork() -> None:
    """Who forges the *last* release and its digest makes a series of his own: known, and said.

    Nothing in a public file can prevent it. With the true file at hand it shows at once, and a
    release in the middle cannot be forged without all that follow.
    """
    one, two, three = series()
    forged = placed_after(turned(three), [one, two])
    assert len(History.of([one, two, forged])) == 3
    with pytest.raises(BrokenSeries):
        History.of([one, two, three, forged])
    with pytest.raises(BrokenSeries):
        History.of([one, placed_after(turned(two), [one]), three])


# -- seeing only some -----------------------------------------------------------------------------


def guessed_files(file: Publication, salt: str | None) -> Iterator[Publication]:
    """Yield all that the first file could be, for who knows the network and a few likely walks."""
    vertices, size = NETWORK.vertices, len(NETWORK)
    pairs = list(combinations(range(size), 2))
    linked = {(vertices.index(u), vertices.index(v)) for u, v in NETWORK.links}
    absent = [place for place, pair in enumerate(pairs) if pair not in linked]
    for walk in WALKS:
        steps = {tuple(sorted(map(vertices.index, step))) for step in walk.links}
        flat = np.array([pair not in steps for pair in pairs])
        for coins in product([False, True], repeat=len(absent)):
            flat[absent] = coins
            bits = PackedBits(file.positions, PairBits.from_flat(size, flat))
            direction = walk.vertices[0] < walk.vertices[-1]
            plain = Publication(bits, file.policy, direction=direction, salt=salt)
            yield plain


def test_who_has_one_file_cannot_confirm_a_guess_at_the_one_before() -> None:
    """Six vertices, four likely walks, seven absent pairs: 512 guesses, and one of them is right.

    The digest in the second file was of what the first one says, and nothing else: it told which.
    Now it does to who has the first file's salt, that is the first file, and to nobody else.
    """
    one, two = series(2)
    assert two.series is not None

    def right(salt: str | None) -> list[Publication]:
        return [
            guess
            for guess in guessed_files(two, salt)
            if release_digest(1, None, guess) == two.series.before  # type: ignore[union-attr]
        ]

    for known in (None, "00" * SALT_BYTES, two.salt):
        assert right(known) == []
    (found,) = right(one.salt)
    assert found.bits == one.bits, "the guesses do hold the file: only the salt keeps it"


def test_other_coins_change_nothing_of_a_salt_and_another_salt_nothing_of_the_coins() -> None:
    """What a file says but for salt and digests is decided without salts."""
    policy = Policy.remembering(prior=("1/2", "1/2"))
    one = publish(NETWORK, WALKS[0], policy=policy, source=Seeded(1))
    again = placed_after(replace(one, salt="00" * SALT_BYTES), [])
    for after in ([one], [again]):
        two = publish(NETWORK, WALKS[1], after=after, source=Seeded(3))
        assert two.bits == publish(NETWORK, WALKS[1], after=[one], source=Seeded(3)).bits


# -- what is no bit of the file -------------------------------------------------------------------


def test_neither_size_nor_coins_read_depend_on_the_walk() -> None:
    whole = Network.from_links([("a", "b"), ("b", "c"), ("c", "d")])
    taken, sizes = set(), set()
    for first, second in product([Walk("abcd"), Walk("ab"), Walk("cd")], repeat=2):
        policy = Policy.remembering(prior=("1/2", "1/2"))
        one = publish(whole, first, policy=policy, source=Seeded("one"))
        source = Counting(2)
        two = publish(whole, second, after=[one], source=source)
        taken.add(tuple(source.read))
        sizes.add(len(two.bits.content()))
    assert len(taken) == 1
    assert len(sizes) == 1


def test_nothing_in_a_file_or_an_error_for_readers_names_the_walk() -> None:
    files = series()
    told = {str(finding) for finding in verify_series(files)}
    for publication in files:
        told |= {repr(publication), *map(str, publication.certificate.not_protected)}
    with pytest.raises(PathveilError) as refused:
        History.of(files[1:])
    told.add(str(refused.value))
    for walk in WALKS:
        assert not any(" - ".join(map(repr, link)) in text for link in walk.links for text in told)
    assert np.all([publication.unsafe for publication in files])


# -- files that are made to be dear ---------------------------------------------------------------


def test_a_place_far_away_is_refused_before_anything_is_computed(tmp_path: Any) -> None:
    """What a release costs is computed again when it is loaded: a file must not make that long."""
    (one,) = series(1)
    path = tmp_path / "far.veil.json"
    one.save(path)
    text = path.read_text()
    far = text.replace('"place": 1, "before": null', f'"place": {10**12}, "before": "{"0" * 64}"')
    assert far != text
    path.write_text(far)
    for trust in (False, True):
        with pytest.raises(PathveilError):
            Publication.load(path, trust=trust)
