"""How often an audit catches a release that loses more than is certified.

The twin keeps the certificate but for one thing: where the link is not there, what it would show
comes up too rarely, so that the true loss is 5, 10, 20 or 50 % above the certified one. With 0 % it
is the honest release, and what is caught is a false alarm. Judged by the views, events and bounds
of ``pathveil lab audit`` at its usual confidence of 99.9 %. Releases are drawn here by their law,
many at a time (``tests/statistical/test_audit_power.py`` holds the law against ``publish``),
beside other bits that tell nothing.

    python -m studies.audit_power -o studies/results/audit_power.csv
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import product
from math import exp
from pathlib import Path

import numpy as np

from pathveil import Policy, Seeded
from pathveil.chance.intervals import proportion
from pathveil.checking.auditing import VIEWS, Pile, judge_piles, rows_needed
from pathveil.checking.release_audit import claim
from pathveil.lab.reproduction.sweep_store import write_csv_file
from pathveil.model.bits import BoolArray

EXCESSES = (0, 5, 10, 20, 50)
SAMPLES = (6_000, 20_000, 100_000)
CONFIDENCE = 0.999
COINS, FIXED = 15, 6
"""Bits of other pairs that are judged beside the link's own: coins, and links that never change."""


@dataclass(frozen=True)
class Setting:
    """A policy, and the kind of link that one side does not know."""

    policy: Policy
    on_walk: bool

    @property
    def loss(self) -> float:
        """The certified presence loss."""
        return claim(self.policy, on_walk=self.on_walk)[1]

    @property
    def shown(self) -> BoolArray:
        """What the link's copy pairs show where it is there: True in one branch."""
        copies = self.policy.copies or 1
        found = np.ones(copies * copies, dtype=np.bool_)
        found[0] = not self.on_walk
        return found


SETTINGS = {
    "balanced, walk link": Setting(Policy.balanced(), on_walk=True),
    "balanced, other link": Setting(Policy.balanced(), on_walk=False),
    "balanced, 2 copies": Setting(Policy.balanced(copies=2), on_walk=True),
    "balanced, 2 copies, joint": Setting(Policy.balanced(copies=2, link_uses=1), on_walk=True),
    "frontier 3 (rate 0.050)": Setting(Policy.frontier(walk_loss=3), on_walk=True),
    "frontier 5 (rate 0.0067)": Setting(Policy.frontier(walk_loss=5), on_walk=True),
    "frontier 5, other link": Setting(Policy.frontier(walk_loss=5), on_walk=False),
}


def absent_bits(setting: Setting, rows: int, random: np.random.Generator) -> BoolArray:
    """Return what the link's copy pairs show where it is not there, one row a release."""
    law, width = setting.policy.law(), len(setting.shown)
    if not setting.policy.joint:
        return random.random((rows, width)) >= float(law.on)
    found = np.ones((rows, width), dtype=np.bool_)
    some = np.flatnonzero(random.random(rows) < float(law.on))
    found[some, random.integers(0, law.states, len(some))] = False
    return found


def twin(setting: Setting, excess: float, rows: int, random: np.random.Generator) -> BoolArray:
    """Return the same with the true state too rare: the loss is larger by the factor 1 + excess."""
    found = absent_bits(setting, rows, random)
    alike = (found == setting.shown).all(axis=1)
    lost = alike & (random.random(rows) >= exp(-setting.loss * excess))
    # Whatever is shown instead, it is not the state of the link.
    found[lost] = setting.on_walk
    return found


def caught(setting: Setting, excess: float, samples: int, number: int) -> bool:
    """Return whether one audit refutes the certificate."""
    random = np.random.default_rng([number, samples, round(1000 * excess)])
    rows = rows_needed(samples)
    own = np.arange(len(setting.shown))
    sides = {
        True: np.broadcast_to(setting.shown, (rows, len(own))),
        False: twin(setting, excess, rows, random),
    }
    piles = {}
    for known, bits in sides.items():
        coins = random.integers(0, 2, (rows, COINS), dtype=np.uint8).astype(np.bool_)
        fixed = np.ones((rows, FIXED), dtype=np.bool_)
        told = np.ones(rows, dtype=np.int8)
        piles[known] = Pile(np.hstack([bits, coins, fixed]), told, own)
    _, presence, absence = claim(setting.policy, on_walk=setting.on_walk)
    found = judge_piles(
        piles,
        (presence, absence),
        samples=samples,
        confidence=CONFIDENCE,
        tests=VIEWS + 1,
        source=Seeded(number),
    )
    return any(one.verdict == "refuted" for one in found)


def main() -> None:
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--audits", type=int, default=200)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    rows = []
    for (name, setting), samples, percent in product(SETTINGS.items(), SAMPLES, EXCESSES):
        runs = range(given.audits)
        hits = sum(caught(setting, percent / 100, samples, run) for run in runs)
        share = proportion(hits, given.audits)
        print(f"{name}, {samples} samples, {percent} % over: {share}", flush=True)
        row = (name, f"{setting.loss:.4f}", samples, percent, hits, given.audits)
        rows.append((*row, f"{share.low:.3f}", f"{share.high:.3f}"))
    heads = ("release", "loss", "samples", "excess_percent", "caught", "audits", "low", "high")
    write_csv_file(given.output, heads, rows)


if __name__ == "__main__":
    main()
