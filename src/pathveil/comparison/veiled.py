"""Our own publications as a contestant beside the prior systems: same maps, same missing edges.

The counterpart of Figure 1's attack. The adversary lacks one walk edge and knows its candidates,
the joins of the two fragments. The release shows a bit for each: a candidate in different branches
may be the edge, a candidate in the same branch may not (under the two-sided policy: is less
likely). Every candidate left has the same posterior, for each would have spared the same coin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pathveil.baselines.controls import candidate_guess
from pathveil.baselines.release import Instance
from pathveil.baselines.scoring import Credit, credit
from pathveil.baselines.view import Pair
from pathveil.chance.losses import certify
from pathveil.chance.policy import Policy
from pathveil.chance.source import Seeded
from pathveil.comparison.games import GameOutcome, Trial
from pathveil.model.bits import PairBits
from pathveil.model.publication import Publication
from pathveil.publishing import publish
from pathveil.recovery.assembly import reconstruct

PolicyKind = Literal["balanced", "sealed", "paper", "two-sided"]
KINDS: tuple[PolicyKind, ...] = ("balanced", "sealed", "paper", "two-sided")
ATTACK = "posterior"


@dataclass(frozen=True)
class Veiled:
    """A policy of ours as a contestant.

    Parameters
    ----------
    kind
        "paper" spends the budget as its edge budget and "two-sided" as its epsilon; "balanced" and
        "sealed" have no budget and are the same at each.
    budget
        The abscissa, so that all systems stand in one figure.
    """

    kind: PolicyKind
    budget: float

    @property
    def name(self) -> str:
        """The row label."""
        return f"pathveil {self.kind}"

    @property
    def unit(self) -> str:
        """What the budget is about."""
        return "one edge" if self.kind in {"paper", "two-sided"} else "one edge (no budget)"

    @property
    def policy(self) -> Policy:
        """The policy at this budget; the paper's coins, in our layering and without fake copies."""
        if self.kind == "paper":
            return Policy.paper(vertex=None, edge=self.budget)
        if self.kind == "two-sided":
            return Policy.two_sided(epsilon=self.budget, spanning=True)
        return Policy.sealed() if self.kind == "sealed" else Policy.balanced()

    def play(self, trial: Trial, rng: np.random.Generator) -> GameOutcome:
        """Return what the publication gives away and whether a participant reads the walk."""
        release = self._publish(trial.instance, rng)
        blank = self._publish(trial.placebo, rng)
        read = reconstruct(release, trial.instance.network).walk
        exact = _walk_edge_loss(self.policy)
        return GameOutcome(
            {ATTACK: self._attacked(trial, release)},
            {ATTACK: self._attacked(trial, blank)},
            0.0 if read == trial.instance.walk else float("nan"),
            float(read == trial.instance.walk),
            exact,
            exact,
        )

    def _publish(self, instance: Instance, rng: np.random.Generator) -> Publication:
        source = Seeded(int(rng.integers(1 << 62)))
        return publish(instance.network, instance.walk, policy=self.policy, source=source)

    def _attacked(self, trial: Trial, release: Publication) -> Credit:
        guess = candidate_guess(trial.view)
        left = candidates_left(trial.view.candidates, release.packed.pairs)
        earned = credit(left, trial.truth, guess=guess)
        assert earned is not None
        return earned


def _walk_edge_loss(policy: Policy) -> float:
    """Return the certified loss of a walk edge, ends with one copy each where copies are drawn."""
    copies = (1, 1) if policy.kind.draws_copies else None
    row = certify(policy).bound(walk_edges=1, copies=copies)
    assert row is not None
    return float(row.presence)


def candidates_left(candidates: Iterable[Pair], bits: PairBits) -> tuple[Pair, ...]:
    """Return the candidates with the largest posterior: those published in different branches.

    >>> candidates_left([(0, 1), (1, 2)], PairBits.from_pairs(3, [(0, 1)]))
    ((1, 2),)
    """
    listed = tuple(candidates)
    apart = tuple(pair for pair in listed if not bits.same_branch(*pair))
    return apart or listed


def own_systems(budgets: Iterable[float], kinds: Iterable[PolicyKind] = KINDS) -> list[Veiled]:
    """Return our policies at each budget."""
    listed = list(budgets)
    return [Veiled(kind, budget) for kind in kinds for budget in listed]
