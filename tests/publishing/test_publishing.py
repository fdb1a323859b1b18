from __future__ import annotations

import json
from math import inf

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.chance.source import System
from pathveil.errors import NeedsMoreCopies, NotAWalk, UnknownVertex
from pathveil.files.publications.veil_json import parse_publication, publication_text
from pathveil.publishing.release import publish_series
from tests.chance.choices import Counting

NETWORK = Network.parse("ab bc cd bd")


def test_bad_walks_are_refused_before_any_coin_is_thrown() -> None:
    source = Counting(1)
    with pytest.raises(NotAWalk):
        publish(NETWORK, Walk("acd"), source=source)
    with pytest.raises(UnknownVertex):
        publish(NETWORK, Walk("abx"), source=source)
    with pytest.raises(NeedsMoreCopies, match=r"as in balanced:copies=2$") as caught:
        publish(NETWORK, Walk("abcb"), source=source)
    assert caught.value.needed == 2
    assert source.read == []


def test_what_is_read_from_the_source_does_not_depend_on_the_walk() -> None:
    """Fair coins: the same bytes in the same portions, whatever the network and the walk."""
    portions = []
    for network, walk in (
        (Network.parse("ab bc cd bd"), "abcd"),
        (Network.parse("ab bc cd bd ac ad"), "ab"),
        (Network.parse("ab bc cd"), "dcbcd"),
    ):
        source = Counting(1)
        publish(network, Walk(walk), policy=Policy.balanced(copies=2), source=source)
        portions.append(source.read[-1])
    assert len(set(portions)) == 1


def test_fresh_releases_differ_and_seeds_repeat() -> None:
    network = Network.from_links((f"{i:02}", f"{i + 1:02}") for i in range(39))
    walk = Walk(network.vertices)
    assert publish(network, walk).packed.pairs != publish(network, walk).packed.pairs
    source = System()
    first, second = (publish(network, walk, source=source) for _ in "12")
    assert first.bits != second.bits
    assert publish(network, walk, source=Seeded(1)) == publish(network, walk, source=Seeded(1))


@pytest.mark.regression("direction told or untold: in file, certificate and reading")
@pytest.mark.parametrize("kind", [Policy.balanced(), Policy.sealed()], ids=str)
def test_direction_is_a_choice(kind: Policy) -> None:
    """In the file, the certificate and the reading; told has a row that promises nothing."""
    network, walk = Network.parse("ab bc cd bd"), Walk("dcba")
    told = publish(network, walk, policy=kind, source=Seeded(1))
    untold = publish(network, walk, policy=kind, direction="hidden", source=Seeded(1))
    for release, order in ((told, "known"), (untold, "either_way")):
        back = parse_publication(publication_text(release))
        assert back == release
        found = reconstruct(back, network)
        assert found.order == order
        assert found.walk in (walk, walk.reversed())
    assert reconstruct(told, network).walk == walk
    assert json.loads(publication_text(untold))["direction"] is None
    unprotected = [row for row in told.certificate.rows if row.adversary.kind == "knows-direction"]
    assert unprotected
    assert all(float(row.presence) == inf for row in unprotected)
    assert not [row for row in untold.certificate.rows if row.adversary.kind == "knows-direction"]


def test_every_release_of_a_series_has_a_key_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []

    def key(size: int) -> bytes:
        made.append(bytes([len(made)] * size))
        return made[-1]

    monkeypatch.setattr("os.urandom", key)
    network, policy = Network.parse("ab bc cd de ef bd ac"), Policy.remembering(usage="0.2")
    walks = [Walk("abc"), Walk("def"), Walk("ac")]
    assert len(list(publish_series(network, walks, policy=policy))) == 3
    assert len(made) == 3


def test_files_named_by_a_digest_carry_a_salt_and_no_other_file() -> None:
    walk, policy = Walk("abc"), Policy.remembering(usage="0.2")
    network = Network.parse("ab bc cd de bd ce")
    first = publish(network, walk, policy=policy)
    second = publish(network, walk, after=[first])
    assert len({first.salt, second.salt} - {None}) == 2
    for file in (publish(network, walk), publish(network, walk, form="sketch", capacity=9)):
        assert file.salt is None
