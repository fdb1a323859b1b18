"""Sentences of docs/known-limits.md, tried as one who sees every file that was ever released."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path

import numpy as np

from pathveil import Knowledge, Network, Policy, Seeded, Walk, attack, publish, reconstruct
from pathveil.batching.batch_run import batch
from pathveil.files.publications.veil_json import parse_publication, publication_text
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.release_walks import publication_of, release_walks
from pathveil.model.bits import PackedBits, PairBits
from pathveil.planning.gate_report import Effort
from pathveil.publishing.release import publish_together

ROOT = Path(__file__).parents[2]
NETWORK = Network.parse("ab bc cd de bd ce")


def said(sentence: str) -> bool:
    """Whether the page says so, wherever its lines are broken."""
    page = (ROOT / "docs" / "known-limits.md").read_text("utf-8")
    return sentence in " ".join(page.split())


def test_two_pieces_join_in_four_ways_unless_one_is_a_vertex() -> None:
    assert said("if both have a link they can be joined in at most four ways")
    network = Network.parse("ab bc cd de ef xa xb xc ya yb za zb zc fx fy")
    walk = Walk("abcdef")
    release = publish(network, walk, policy=Policy.sealed(), source=Seeded(1))
    middle = attack(release, Knowledge(network.without(("c", "d"))))
    assert len([row for row in middle.candidates if row.posterior > 0]) <= 4
    end = attack(release, Knowledge(network.without(("e", "f"))))
    assert len([row for row in end.candidates if row.posterior > 0]) > 4


def test_a_series_names_the_release_before_and_others_do_not() -> None:
    assert said("Any other knows nothing of earlier ones")
    policy = Policy.remembering(prior=("1/2", "1/2"))
    first = publish(NETWORK, Walk("abc"), policy=policy, source=Seeded(1))
    second = publish(NETWORK, Walk("edb"), policy=policy, after=[first], source=Seeded(2))
    assert first.series is not None
    assert second.series is not None
    assert second.series.before == first.series.release
    assert publish(NETWORK, Walk("edb"), source=Seeded(2)).series is None


def test_files_named_by_a_digest_carry_a_salt_and_no_other_file(tmp_path: Path) -> None:
    assert said("Files of a series, and files released through a ledger, carry a salt. No other")
    walk, series = Walk("abc"), Policy.remembering(prior=("1/2", "1/2"))
    both = publish_together(NETWORK, [Walk("abc"), Walk("ed")], policy=series)
    with Ledger.begin(tmp_path / "ledger.db") as ledger:
        (recorded,) = release_walks(ledger, NETWORK, [(walk, tmp_path / "1.veil.json")])
    named = [publish(NETWORK, walk, policy=series), *both, publication_of(recorded)]
    assert len({file.salt for file in named} - {None}) == len(named)
    together = publish_together(NETWORK, [Walk("abc"), Walk("ed")])
    sketch = publish(NETWORK, walk, form="sketch", capacity=9)
    for file in (publish(NETWORK, walk), *together, sketch):
        assert file.salt is None
    # Without a salt a checksum is as good as the file: one of 64 guesses has it.
    square = Network.parse("ab bc cd bd")
    file = publish(square, walk, policy=Policy.balanced())
    checksum = sha256(publication_text(file).encode()).hexdigest()
    guesses = (
        replace(file, bits=PackedBits(file.positions, PairBits.from_flat(4, np.array(flat))))
        for flat in product((False, True), repeat=6)
    )
    texts = (publication_text(guess).encode() for guess in guesses)
    assert sum(sha256(text).hexdigest() == checksum for text in texts) == 1


def test_a_batch_tells_the_number_and_order_of_its_walks(tmp_path: Path) -> None:
    assert said("Releases are numbered in the order of the file of walks, without gaps")
    walks = ["abc", "ad", "edb", "bd"]  # the second is none
    out = tmp_path / "out.jsonl"
    batch(NETWORK, walks, out, workers=1, accept_outsider=True, effort=Effort(restarts=0))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["number"] for row in rows] == [1, 2, 3]
    read = [
        "".join(reconstruct(parse_publication(json.dumps(row["publication"])), NETWORK).walk)
        for row in rows
    ]
    assert read == ["abc", "edb", "bd"]


def test_a_universe_gives_itself_away_packed_and_its_digest_as_a_sketch() -> None:
    assert said("a sketch shows chaff there, but names the list by its digest")
    universe = frozenset([*NETWORK.links, ("a", "c")])
    packed = publish(NETWORK, Walk("abc"), universe=universe, source=Seeded(1))
    outside = [("a", "d"), ("a", "e"), ("b", "e")]
    assert not any(packed.same_branch((u, 0), (v, 0)) for u, v in outside)
    shown = []
    for seed in range(30):
        sketch = publish(
            NETWORK,
            Walk("abc"),
            universe=universe,
            form="sketch",
            capacity=20,
            source=Seeded(seed),
        )
        shown += [sketch.same_branch((u, 0), (v, 0)) for u, v in outside]
        assert sketch.universe is not None
        assert sketch.universe.digest == packed.universe.digest  # type: ignore[union-attr]
    # 90 fair coins: fewer than 20 or more than 70 have a chance below 1e-6.
    assert 20 <= int(np.sum(shown)) <= 70


def test_a_certificate_is_for_who_sees_one_file_alone() -> None:
    """Ten fresh releases of one walk: each says ln 2, and the network is there to be counted."""
    assert said("its certificate is for who sees it alone")
    releases = [publish(NETWORK, Walk("abcde"), source=Seeded(seed)) for seed in range(10)]
    rows = {str(release.certificate.bound(walk_links=1)) for release in releases}
    assert len(rows) == 1
    steady = [
        (u, v)
        for place, u in enumerate(NETWORK.vertices)
        for v in NETWORK.vertices[place + 1 :]
        if len({release.same_branch((u, 0), (v, 0)) for release in releases}) == 1
    ]
    assert steady == list(NETWORK.links)
