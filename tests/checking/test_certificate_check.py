"""Certificates that are checked: what was edited in a file is found, on load and by verify."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.checking.certificate_check import (
    earned_certificate,
    is_earned,
    require_possible_bits,
)
from pathveil.checking.verification import verify_publication
from pathveil.cli.main import run
from pathveil.errors import DoesNotFit, FalseCertificate
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.universe import Universe

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WALK = Walk("abcdef")
Edit = Callable[[dict[str, Any]], None]


def lower_all_losses(found: dict[str, Any]) -> None:
    for row in found["certificate"]["rows"]:
        for side in ("presence", "absence"):
            row[side] = {"expression": "0", "decimal": "0.0000"}


def rename_the_policy(found: dict[str, Any]) -> None:
    found["policy"]["name"] = "sealed"


def rename_with_the_certificate_of_sealed(found: dict[str, Any]) -> None:
    rename_the_policy(found)
    sealed = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))
    found["certificate"] = json.loads(text_of(sealed))["certificate"]


def deny_the_noise(found: dict[str, Any]) -> None:
    found["policy"]["noisy"] = True


def unknown_policy(found: dict[str, Any]) -> None:
    found["policy"]["name"] = "perfect"


def other_copies(found: dict[str, Any]) -> None:
    found["policy"]["parameters"]["copies"] = "2"


EDITS = [
    lower_all_losses,
    rename_the_policy,
    deny_the_noise,
    unknown_policy,
    other_copies,
]


def text_of(publication: Publication) -> str:
    from pathveil.files.publications.veil_json import publication_text

    return publication_text(publication)


def edited(tmp_path: Path, edit: Edit) -> Path:
    found = json.loads(text_of(publish(NETWORK, WALK, source=Seeded(1))))
    edit(found)
    path = tmp_path / "route.veil.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


@pytest.mark.regression(
    "losses edited to 0, caveats deleted, or a policy renamed: `verify` left with 0"
)
@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_file_passed_with_exit_0(
    edit: Edit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = edited(tmp_path, edit)
    with pytest.raises(FalseCertificate):
        Publication.load(path)
    assert not is_earned(Publication.load(path, trust=True))
    assert run(["verify", str(path)]) == 1
    assert run(["inspect", str(path)]) == 2
    assert "--trust" in capsys.readouterr().err
    assert run(["inspect", str(path), "--trust"]) == 0
    assert "not earned" in capsys.readouterr().out


@pytest.mark.regression("a renamed policy that carries its own certificate")
def test_a_renamed_policy_with_its_own_certificate_is_found_with_the_network(
    tmp_path: Path,
) -> None:
    """The file alone is consistent; sealed never shows *same branch* for a pair that is no link."""
    path = edited(tmp_path, rename_with_the_certificate_of_sealed)
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
