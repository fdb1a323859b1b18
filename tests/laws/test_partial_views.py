"""Law: who sees only some files of a series loses what he would in a series of so many.

*Whole files* are under this law, as ``publish`` hands them out, with every coin of up to three
releases taken once. What a file says besides bits is kept in the view: direction, terms, place and
certificate. Of the digest of a release he does not have, an adversary can only try guesses: here he
tries everything that release could say, with every salt he has seen, and which guesses the digest
confirms is part of his view. The ratio of the chances of a view in both worlds must *equal* the
price of a series of the length he sees. Without salts, or with one salt for all, the same
enumeration finds more; so it does where a walk is chosen by looking at an earlier release, which
the certificate leaves out.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Walk
from pathveil.chance import coins as throws
from pathveil.chance import urn
from pathveil.chance.source import Seeded
from pathveil.chance.urn import History, Urn
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.publication import SALT_BYTES
from pathveil.model.series import release_digest
from pathveil.publishing.release import publish_under
from pathveil.publishing.terms import ReleaseTerms
from tests.chance.choices import Script, every_run
from tests.laws.test_series_exact import SALTS, scripted_below

NETWORK, MISSING = Network.parse("ab bc"), ("a", "b")
ON, OFF = Walk("ab"), Walk("bc")
PLACES = {pair: place for place, pair in enumerate(("ab", "ac", "bc"))}

Files = tuple[Publication, ...]
Law = list[tuple[Files, Fraction]]
Views = dict[object, Fraction]
Choose = Callable[[Files], Walk]
"""The next walk, by what was released before it."""


class Salting(Script):
    """A scripted source whose salts are no branches: each is another one."""

    def take(self, count: int) -> bytes:
        return SALTS.take(count)


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urn, "below_many", scripted_below)
    monkeypatch.setattr(throws, "below_many", scripted_below)


def released(
    terms: ReleaseTerms,
    walk: Walk,
    history: History,
    unlinked: Sequence[tuple[str, str]],
    source: Script,
) -> Publication:
    return publish_under(terms, NETWORK, walk, after=history, source=source, unlinked=unlinked)


def law_of_files(choose: Choose, releases: int, policy: Policy, *, linked: bool) -> Law:
    """Return the chance of every series of files; in the other world the missing link is none."""
    unlinked = () if linked else (MISSING,)
    terms = ReleaseTerms(policy)
    found: Law = [((), Fraction(1))]
    for _ in range(releases):
        grown: Law = []
        for files, chance in found:
            walk, history = choose(files), History.of(files)
            publish = partial(released, terms, walk, history, unlinked)
            shown: dict[PairBits, Publication] = {}
            weights: dict[PairBits, Fraction] = defaultdict(Fraction)
            for file, weight in every_run(publish, Salting):
                bits = file.packed.pairs
                shown.setdefault(bits, file)  # they differ by the salt at most
                weights[bits] += Fraction(weight)
            grown += [((*files, shown[bits]), chance * weights[bits]) for bits in shown]
        found = grown
    return found


def shows(file: Publication, pair: str) -> bool:
    return not file.packed.pairs.at(np.array([PLACES[pair]]))[0]


def confirmed(file: Publication, seen: Sequence[Publication]) -> Iterator[tuple[bytes, ...]]:
    """Yield what releases that he does not have say, as far as the digest in a file confirms it."""
    assert file.series is not None
    places = {one.series.place: one.series.release for one in seen if one.series is not None}
    last = max((place for place in places if place < file.series.place), default=0)
    hidden = range(last + 1, file.series.place)
    if not hidden:
        return
    options = product((False, True), (False, True), (not shows(file, "bc"), shows(file, "bc")))
    all_bits = [PairBits.from_flat(3, np.array(flat)) for flat in options]
    salts = ["00" * SALT_BYTES, *(one.salt for one in seen)]
    for salt, chain in product(salts, product(all_bits, repeat=len(hidden))):
        digest = places.get(last)
        for place, bits in zip(hidden, chain, strict=True):
            guess = replace_bits(file, bits, salt)
            digest = release_digest(place, digest, guess)
        if digest == file.series.before:
            yield tuple(bits.packed.tobytes() for bits in chain)


def replace_bits(file: Publication, bits: PairBits, salt: str | None) -> Publication:
    return Publication(
        PackedBits(file.positions, bits), file.policy, direction=file.direction, salt=salt
    )


def said_by(file: Publication) -> str:
    """Return the whole file but for what is random by itself: its salt, and digests."""
    told = json.loads(publication_text(file))
    assert set(told["series"]) == {"place", "before", "release"}
    del told["salt"], told["series"]["before"], told["series"]["release"]
    return json.dumps(told)


def view_of(files: Files, seen: Sequence[int]) -> object:
    shown = [files[place] for place in seen]
    return tuple((said_by(file), frozenset(confirmed(file, shown))) for file in shown)


def worst(choose: Choose, releases: int, seen: Sequence[int], policy: Policy) -> Fraction:
    """Return the largest ratio of the chances of a view with the link and without it."""
    worlds = [law_of_files(choose, releases, policy, linked=linked) for linked in (True, False)]
    return worst_view(worlds, seen)


def worst_view(worlds: Sequence[Law], seen: Sequence[int]) -> Fraction:
    """Return the same of worlds that were worked out before."""
    views: list[Views] = []
    for law in worlds:
        found: Views = defaultdict(Fraction)
        for files, chance in law:
            found[view_of(files, seen)] += chance
        assert sum(found.values()) == 1
        views.append(found)
    with_link, without = views
    return max(chance / without[view] for view, chance in with_link.items())


def fixed(pattern: Sequence[bool]) -> Choose:
    return lambda files: ON if pattern[len(files)] else OFF


EVEN = (Fraction(1), Fraction(1))
PRIORS = [(Fraction(1, 2), Fraction(1, 2)), EVEN]


@pytest.mark.parametrize("prior", PRIORS, ids=str)
def test_who_has_only_the_second_file_loses_what_one_release_costs(
    prior: tuple[Fraction, Fraction],
) -> None:
    policy = Policy.remembering(prior=prior)
    for pattern in ((True, False), (False, True)):
        ratio = worst(fixed(pattern), 2, [1], policy)
        assert ratio == 1 / Urn(*prior).chance(int(pattern[1]), 1)


def test_whatever_is_hidden_of_three_releases_leaves_no_trace() -> None:
    pattern, policy = (True, False, True), Policy.remembering(prior=EVEN)
    worlds = [law_of_files(fixed(pattern), 3, policy, linked=linked) for linked in (True, False)]
    for seen in ([2], [0, 2], [1, 2], [0, 1, 2]):
        price = 1 / Urn(*EVEN).chance(sum(pattern[place] for place in seen), len(seen))
        assert worst_view(worlds, seen) == price


# -- several walks in a release, and copies -------------------------------------------------------

# -- broken twins, and what the certificate leaves out --------------------------------------------


def test_an_unsalted_digest_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one salt for all files: he has it from the file he sees."""
    for salt in (bytes(SALT_BYTES), Seeded(1).take(SALT_BYTES)):
        monkeypatch.setattr(SALTS, "take", lambda _count, salt=salt: salt)
        ratio = worst(fixed((True, False)), 2, [1], Policy.remembering(prior=("1/2", "1/2")))
        # He has both releases, by the digest of the first.
        assert ratio == 1 / Urn().chance(1, 2)
        assert ratio > 1 / Urn().chance(0, 1)


def test_a_walk_chosen_by_looking_tells_of_the_release_it_looked_at() -> None:
    """Why the certificate says: provided that walks do not depend on what was released before."""

    def looking(files: Files) -> Walk:
        return ON if not files or not shows(files[0], "ab") else OFF

    assert (
        worst(looking, 2, [1], Policy.remembering(prior=("1/2", "1/2")))
        == 8
        > 1 / Urn().chance(0, 1)
    )
