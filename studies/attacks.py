"""Every attack the package knows, on releases made to be broken and on those made not to be.

Each row is an attack on one kind of release: how often it names the secret, how often its control
does without what the attack uses, and how often the attack succeeds on a placebo. The layout attack
is a row of ``comparison.py``.

Usage: python studies/attacks.py [--trials 300] [--seed 1] [-o studies/results/attacks.csv]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pathveil import Knowledge, Policy, Seeded, publish
from pathveil.attacks.success_rates import AttackOutcome
from pathveil.lab.attacks.known_answers import (
    Case,
    copy_counting,
    fragment_ends,
    outsiders,
    repetition,
)
from pathveil.lab.maps import cyclic_walk, random_map
from pathveil.lab.reproduction.sweep_store import write_csv_file
from pathveil.model.positions import Positions

VERTICES, LINKS = 8, 13
POLICIES = {
    "balanced": Policy.balanced(),
    "sealed": Policy.sealed(),
    "paper, link budget 1": Policy.paper(vertex=None, link=1),
    "paper, link budget 5": Policy.paper(vertex=None, link=5),
}


def one_missing(policy: Policy, trials: int, seed: int) -> Iterator[Case]:
    """Yield releases of random maps with one inner link of the walk missing."""
    rng = np.random.default_rng(seed)
    for number in range(trials):
        network, walk = random_map(VERTICES, LINKS, rng)
        truth = walk.steps[1 + int(rng.integers(len(walk.steps) - 2))]
        source = Seeded(f"one missing {seed} {number}")
        release = publish(network, walk, policy=policy, source=source)
        yield Case(release, Knowledge(network.without(truth)), truth)


def again(policy: Policy, releases: int, trials: int, seed: int) -> AttackOutcome:
    """Return how often fresh releases of one walk give the whole network away."""
    rng = np.random.default_rng(seed)
    batches = []
    for number in range(trials):
        network, walk = random_map(VERTICES, LINKS, rng)
        made = [
            publish(network, walk, policy=policy, source=Seeded(f"again {seed} {number} {t}"))
            for t in range(releases)
        ]
        batches.append((network, [publication.packed.pairs for publication in made]))
    return repetition(batches, source=Seeded(seed))


def counted(policy: Policy | None, trials: int, seed: int) -> AttackOutcome:
    """Return how often the most visits of a vertex are read off the copies; None: three for all."""
    rng = np.random.default_rng(seed)
    cases: list[tuple[Positions, int]] = []
    for number in range(trials):
        network, walk = cyclic_walk(6, 9, rng, visits=9)
        most = max(walk.visits.values())
        chosen = policy or Policy.balanced(copies=6)
        release = publish(network, walk, policy=chosen, source=Seeded(f"copies {seed} {number}"))
        cases.append((release.positions, most))
    return copy_counting(cases, source=Seeded(seed))


def hidden(policy: Policy, trials: int, seed: int) -> AttackOutcome:
    """Return how often somebody who knows no link at all draws the walk from the release."""
    rng = np.random.default_rng(seed)
    maps = [random_map(VERTICES, LINKS, rng) for _ in range(trials)]
    releases = [
        publish(network, walk, policy=policy, source=Seeded(f"hidden {seed} {number}"))
        for number, (network, walk) in enumerate(maps)
    ]
    return outsiders([release.packed.pairs for release in releases], source=Seeded(seed))


def rows(trials: int, seed: int) -> Iterator[tuple[str, str, AttackOutcome]]:
    """Yield attack, release and outcome, one after another."""
    for name, policy in POLICIES.items():
        found = fragment_ends(one_missing(policy, trials, seed), source=Seeded(seed))
        yield "fragment ends", name, found
    for releases in (2, 5, 10):
        yield (
            "repetition",
            f"balanced, {releases} times",
            again(Policy.balanced(), releases, trials, seed),
        )
    yield "copy counting", "paper's copies", counted(Policy.paper(vertex=1, link=1), trials, seed)
    yield "copy counting", "six copies for all", counted(None, trials, seed)
    for name, policy in POLICIES.items():
        yield "outsider", name, hidden(policy, trials, seed)


def main() -> None:
    """Run everything, print a line for each row, write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    table = []
    for attack, release, outcome in rows(given.trials, given.seed):
        beaten = "beaten" if outcome.beats_control else "not beaten"
        said = f"{outcome.found}  control {outcome.control}, {beaten}"
        print(f"{attack:16} {release:36} {said}", flush=True)
        if not outcome.sound:
            raise SystemExit(f"{attack} reads an answer key: its placebo beats its control")
        line = [attack, release, outcome.found.trials]
        for rate in (outcome.found, outcome.control, outcome.placebo):
            line += [f"{x:.4f}" for x in (rate.value, rate.low, rate.high)]
        table.append(line)
    if given.output:
        heads = [f"{a}{b}" for a in ("found", "control", "placebo") for b in ("", "_low", "_high")]
        write_csv_file(given.output, ["attack", "release", "trials", *heads], table)


if __name__ == "__main__":
    main()
