"""Our own publications as a contestant beside the prior systems: same maps, same missing edges.

The counterpart of Figure 1's attack. The adversary lacks one walk edge and knows its candidates,
the joins of the two fragments. The release shows a bit for each: a candidate in different branches
may be the edge, a candidate in the same branch may not (under the two-sided policy: is less
likely). Every candidate left has the same posterior, for each would have spared the same coin; so
this is the exact posterior, as the prior systems' likelihood attack is. Who also weighs candidates
by their lengths gains here what he gains without a release: chaff between places that are too far
apart to be linked deceives nobody. A public *universe* of plausible pairs does not change that; it
says it aloud, and spares the coins that hide nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from math import isfinite, log

import numpy as np

from pathveil.chance.certify import certify
from pathveil.chance.source import Seeded
from pathveil.lab.baselines.baseline_release import FloatArray, Instance, Scene
from pathveil.lab.baselines.controls import candidate_guess, length_logits
from pathveil.lab.baselines.scoring import Credit, credit
from pathveil.lab.baselines.view import Pair, View
from pathveil.lab.comparison.games import GameOutcome, Trial
from pathveil.model.publication import Publication
from pathveil.policies import Policy
from pathveil.publishing.release import publish
from pathveil.reading.assemble import reconstruct
from pathveil.reading.participant import read_vertex

SAME = 1e-9
"""Log-weights nearer than this count as equal."""


@dataclass(frozen=True)
class Entrant:
    """How a policy of ours enters the comparison.

    Parameters
    ----------
    policy
        The policy at a budget.
    unit
        What the budget, or where there is none the loss, is about.
    chosen
        What else was chosen.
    """

    policy: Callable[[float], Policy]
    unit: str
    chosen: str = ""


# Functions with names: contestants travel to other processes.
def _balanced(budget: float) -> Policy:
    del budget
    return Policy.balanced()


def _sealed(budget: float) -> Policy:
    del budget
    return Policy.sealed()


def _paper(budget: float) -> Policy:
    return Policy.paper(vertex=None, link=budget)


def _two_sided(budget: float) -> Policy:
    return Policy.two_sided(epsilon=budget, spanning=True)


BALANCED = Entrant(_balanced, "presence of one edge (no budget)")
SEALED = Entrant(_sealed, "one walk edge, both ways (no budget)")
PAPER = Entrant(_paper, "presence of one edge", "no fake copies, exact layering")
TWO_SIDED = Entrant(_two_sided, "one edge, both ways", "walk known to visit every vertex")
ENTRANTS = (BALANCED, SEALED, PAPER, TWO_SIDED)


@dataclass(frozen=True)
class Veiled:
    """A policy of ours as a contestant.

    Parameters
    ----------
    entrant
        The paper's policy spends the budget as its edge budget and the two-sided one as its
        epsilon; the balanced and the sealed one have no budget and are the same at each.
    budget
        The abscissa, so that all systems stand in one figure.
    universe
        Whether chaff is drawn only between vertices within the map's public reach.
    """

    entrant: Entrant
    budget: float
    universe: bool = False

    @property
    def name(self) -> str:
        """The row label."""
        return f"pathveil {self.policy.kind.name}{', universe' if self.universe else ''}"

    @property
    def unit(self) -> str:
        """What the budget, or where there is none the loss, is about."""
        return self.entrant.unit

    @property
    def parameters(self) -> str:
        """What else was chosen."""
        reach = "chaff within the public reach only" if self.universe else "chaff on all pairs"
        return "; ".join(filter(None, [self.entrant.chosen, reach]))

    @property
    def policy(self) -> Policy:
        """The policy at this budget; the paper's coins, in our layering and without fake copies."""
        return self.entrant.policy(self.budget)

    def play(self, trial: Trial, rng: np.random.Generator) -> GameOutcome:
        """Return what the publication gives away and whether participants read the walk."""
        release = self._publish(trial.instance, rng)
        read = self._read(release, trial)
        exact = _walk_edge_loss(self.policy)
        return GameOutcome(
            self._attacked(trial, release),
            self._on_placebo(trial, rng),
            0.0 if read else float("nan"),
            read,
            exact,
            exact,
        )

    def _publish(self, instance: Instance, rng: np.random.Generator) -> Publication:
        source = Seeded(int(rng.integers(1 << 62)))
        universe = near_pairs(instance.scene) if self.universe else None
        return publish(
            instance.network, instance.walk, policy=self.policy, universe=universe, source=source
        )

    def _read(self, release: Publication, trial: Trial) -> float:
        """Return 1 if who knows the network reads walk and order, and each vertex its own links."""
        network, walk = trial.instance.network, trial.instance.walk
        if reconstruct(release, network).walk != walk:
            return 0.0
        if self.policy.noisy:
            return 1.0
        uses = {tuple(sorted(step)) for step in walk.steps}
        for vertex in network.vertices:
            near = network.neighbours(vertex)
            links = {link.there[0] for link in read_vertex(release, vertex, near).links}
            if links != {other for other in near if tuple(sorted((vertex, other))) in uses}:
                return 0.0
        return 1.0

    def _on_placebo(self, trial: Trial, rng: np.random.Generator) -> dict[str, Credit]:
        """Return the credits on the placebo; none where its edge is not in the universe."""
        names = trial.placebo.network.links
        if self.universe and not set(names) <= set(near_pairs(trial.placebo.scene)):
            return {}
        return self._attacked(trial, self._publish(trial.placebo, rng))

    def _attacked(self, trial: Trial, release: Publication) -> dict[str, Credit]:
        view, guess = trial.view, candidate_guess(trial.view)
        evidence = self._evidence(view, release)
        out = {}
        for attack, prior in (
            ("likelihood", np.zeros(len(evidence))),
            ("plausible", length_logits(view)),
        ):
            earned = credit(likeliest(view.candidates, evidence + prior), trial.truth, guess=guess)
            assert earned is not None
            out[attack] = earned
        return out

    def _evidence(self, view: View, release: Publication) -> FloatArray:
        """Return how much likelier the release is with each candidate as the edge, as a log.

        A bit of an edge is right with certainty; under a noisy policy, but for the chance that it
        is drawn as if there were no edge, and drawn wrong.
        """
        bits = release.packed.pairs
        apart = np.array([not bits.same_branch(*pair) for pair in view.candidates])
        law = self.policy.law()
        error = float(law.doubt) * float(law.on.complement())
        wrong = log(error) - log(1 - error) if self.policy.noisy else -np.inf
        logs = np.where(apart, 0.0, wrong)
        if self.universe:
            far = view.scene.distances[tuple(np.array(view.candidates).T)] > view.scene.reach
            logs = np.where(far, -np.inf, logs)
        return np.asarray(logs, dtype=np.float64)


def near_pairs(scene: Scene) -> list[tuple[str, str]]:
    """Return the pairs of vertices within the public reach: a universe that names no link."""
    return [
        (scene.vertices[i], scene.vertices[j])
        for i, j in combinations(range(len(scene.vertices)), 2)
        if scene.distances[i, j] <= scene.reach
    ]


def _walk_edge_loss(policy: Policy) -> float:
    """Return the certified loss of a walk edge: the larger of both ways, if absence has a bound.

    Else of its presence. Where copies are drawn, its ends have one each.
    """
    copies = (1, 1) if policy.kind.draws_copies else None
    row = certify(policy).bound(walk_links=1, copies=copies)
    assert row is not None
    presence, absence = float(row.presence), float(row.absence)
    return max(presence, absence) if isfinite(absence) else presence


def likeliest(candidates: tuple[Pair, ...], logs: FloatArray) -> tuple[Pair, ...]:
    """Return the candidates of largest weight, ties together; all if none is possible.

    >>> likeliest(((0, 1), (1, 2), (2, 3)), np.array([0.0, -1.0, 0.0]))
    ((0, 1), (2, 3))
    """
    top = float(logs.max())
    return tuple(
        pair for pair, value in zip(candidates, logs.tolist(), strict=True) if value >= top - SAME
    )


def own_systems(
    budgets: Iterable[float], entrants: Iterable[Entrant] = ENTRANTS, *, universe: bool = False
) -> list[Veiled]:
    """Return our policies at each budget.

    Parameters
    ----------
    universe
        Whether to add the balanced policy with chaff between near pairs only.
    """
    listed = list(budgets)
    plain = [Veiled(entrant, budget) for entrant in entrants for budget in listed]
    near = [Veiled(BALANCED, budget, universe=True) for budget in listed] if universe else []
    return plain + near
