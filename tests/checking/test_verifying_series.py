"""A series, checked again from its files alone."""

from __future__ import annotations

from dataclasses import replace

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.chance.certify import certify
from pathveil.checking.verification import verify_promise, verify_series
from pathveil.publishing.release import publish_series

NETWORK = Network.parse("ab bc cd de bd ae")
WALKS = [Walk("abc"), Walk("bde"), Walk("eab")]


def releases() -> list[Publication]:
    return list(
        publish_series(NETWORK, WALKS, source=Seeded(1), policy="remembering:on=1/2,off=1/2")
    )


def failing(publications: list[Publication]) -> list[str]:
    return [f"{f.claim}: {f.detail}" for f in verify_series(publications) if not f.holds]


def test_a_series_holds_in_any_order() -> None:
    one, two, three = releases()
    assert failing([three, one, two]) == []


def test_a_gap_fails() -> None:
    assert "not among the files" in failing(releases()[1:])[0]


def test_a_certificate_of_another_place_fails() -> None:
    one, two, three = releases()
    kinder = replace(two, certificate=one.certificate)
    assert failing([one, kinder, three])[0].startswith("release 2: the certificate")


def test_a_place_without_memory_fails() -> None:
    one = releases()[0]
    fresh = publish(NETWORK, WALKS[0], source=Seeded(1))
    forged = replace(fresh, series=one.series, salt=one.salt)
    assert "fresh coins" in verify_promise(forged)[0].detail
    assert verify_promise(fresh) == []


def test_the_certificate_is_a_function_of_public_terms() -> None:
    """Other walks, same place: the same certificate. It tells nothing of the secret."""
    other = list(
        publish_series(NETWORK, WALKS[::-1], source=Seeded(2), policy="remembering:on=1/2,off=1/2")
    )
    assert [p.certificate for p in other] == [p.certificate for p in releases()]
    assert other[2].certificate == certify(Policy.remembering(prior=("1/2", "1/2")), releases=3)
