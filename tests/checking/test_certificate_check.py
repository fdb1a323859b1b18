"""Certificates that are checked: what was edited in a file is found, on load and by verify."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.checking.certificate_check import earned_certificate, is_earned, require_possible_bits
from pathveil.checking.verification import verify_publication
from pathveil.cli.main import run
from pathveil.errors import DoesNotFit, FalseCertificate
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.universe import Universe

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WALK = Walk("abcdef")


def edited(tmp_path: Path, **policy: object) -> Path:
    """Return a balanced file that says something else of its policy."""
    found = json.loads(publication_text(publish(NETWORK, WALK, source=Seeded(1))))
    found["policy"] |= policy
    path = tmp_path / "route.veil.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


@pytest.mark.regression("a policy renamed: `verify` left with 0")
@pytest.mark.parametrize(
    "edit",
    [{"name": "sealed"}, {"name": "perfect"}, {"noisy": True}, {"parameters": {"copies": "2"}}],
    ids=str,
)
def test_another_policy_has_not_earned_the_certificate(
    edit: dict[str, object], tmp_path: Path
) -> None:
    path = edited(tmp_path, **edit)
    with pytest.raises(FalseCertificate):
        Publication.load(path)
    assert not is_earned(Publication.load(path, trust=True))
    assert run(["verify", str(path)]) == 1


@pytest.mark.regression("a renamed policy that carries its own certificate")
def test_a_renamed_policy_with_its_own_certificate_is_found_with_the_network(
    tmp_path: Path,
) -> None:
    """The file alone is consistent; sealed never shows *same branch* for a pair that is no link."""
    path = edited(tmp_path, name="sealed")
    sealed = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))
    found = json.loads(path.read_text("utf-8"))
    found["certificate"] = json.loads(publication_text(sealed))["certificate"]
    path.write_text(json.dumps(found), "utf-8")
    network = tmp_path / "network.csv"
    network.write_text("".join(f"{u},{v}\n" for u, v in NETWORK.links), encoding="utf-8")
    assert run(["verify", str(path)]) == 0
    assert run(["verify", str(path), str(network)]) == 1
    failed = verify_publication(Publication.load(path), NETWORK)
    assert [f.claim for f in failed if not f.holds] == [
        "the bits are possible under the policy, given the network"
    ]


@pytest.mark.regression("bits no policy with this universe publishes")
def test_bits_outside_the_universe_are_found() -> None:
    universe = [*NETWORK.links, ("a", "c")]
    publication = publish(NETWORK, WALK, universe=universe, source=Seeded(1))
    flat = publication.packed.pairs.flat().copy()
    flat[:] = True
    bits = PackedBits(publication.positions, PairBits.from_flat(6, flat))
    with pytest.raises(DoesNotFit):
        require_possible_bits(replace(publication, bits=bits))


def test_patterns_no_walk_makes_are_found() -> None:
    policy = Policy.balanced(copies=2, link_uses=1)
    publication = publish(NETWORK, WALK, policy=policy, source=Seeded(1))
    flat = np.zeros(len(publication.packed.pairs.flat()), dtype=bool)
    for flat[0] in (False, True):
        bits = PackedBits(publication.positions, PairBits.from_flat(12, flat))
        with pytest.raises(DoesNotFit):
            require_possible_bits(replace(publication, bits=bits))


@pytest.mark.regression("a certificate was called earned for terms that publish refuses")
def test_terms_that_no_release_has_earn_nothing() -> None:
    public = Universe.of(list(combinations("abcdef", 2)))
    file = publish(NETWORK, WALK, source=Seeded(1))
    for policy in (Policy.two_sided(epsilon=2), Policy.remembering(usage="1/2"), Policy.balanced()):
        stated = replace(file, policy=policy.terms(), universe=public)
        assert is_earned(replace(stated, certificate=earned_certificate(stated))) == (
            policy == Policy.balanced()
        )
