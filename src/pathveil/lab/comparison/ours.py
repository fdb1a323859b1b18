"""The paper's mechanism and our policies as contestants: same maps, same missing links.

The counterpart of Figure 1's attack. The adversary lacks one link of the walk and knows its
candidates, the joins of the two fragments. The release shows a bit for each pair of copies: a
candidate whose copies are not in different branches, as the walk would have them, is out. What is
left is weighed by the coins it would have spared, which gives the exact posterior, as the prior
systems' likelihood attack does.

The paper's drawing tells more than its bits: insertion order and Rule 5 follow the walk. So on its
rows the adversary also draws each candidate's walk again and keeps those that give the published
layers. Two rows are the paper's own mechanism, with its copies and without them; the row "exact
layering" has its coins only, drawn by our engine, and is what the paper would be with the drawing
repaired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite, log

import numpy as np

from pathveil.chance.source import Seeded
from pathveil.lab.baselines.baseline_release import FloatArray, Instance
from pathveil.lab.baselines.controls import length_logits
from pathveil.lab.baselines.scoring import credit
from pathveil.lab.baselines.view import Pair, View
from pathveil.lab.comparison.games import GameOutcome, Trial
from pathveil.lab.reproduction.measures import order_confirmed
from pathveil.layering.backtracking import insert_vertices, order_of_insertion, turn_roots_first
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.policies import Policy
from pathveil.publishing.release import publish
from pathveil.reading.assemble import reconstruct
from pathveil.reading.participant import read_vertex

SAME = 1e-9
"""Log-weights nearer than this count as equal."""
STEP_LIMIT = 100_000
"""Placements the paper's search may try before it splits where it is, as in its evaluation."""

PRESENCE = "presence of one link"
ROWS: dict[str, tuple[str, str]] = {
    "the paper, its copies and layering": (PRESENCE, "vertex budget 1; Alg. 1 to 6"),
    "the paper without copies, its layering": (PRESENCE, "no vertex budget; Alg. 2 to 6"),
    "the paper's coins, exact layering": (PRESENCE, "no copies; Alg. 2, our engine"),
    "pathveil balanced": (f"{PRESENCE} (no budget)", ""),
    "pathveil sealed": ("one walk link, there or not (no budget)", "every other link is public"),
    "pathveil two-sided": ("one link, there or not", "walk known to visit every vertex"),
}
"""By row name: what the budget, or where there is none the loss, is about; what was chosen."""


Order = Callable[[Sequence[int], int], list[int]]


def draw_as_the_paper(
    release: Publication, visits: Sequence[int], order: Order = order_of_insertion
) -> LayeredGraph:
    """Return the paper's layered graph of the bits for a walk; a search that is long is cut.

    The repairs of the paper map are in it. ``order``, in which vertices are inserted, is the one
    the attack rests on; the printed order is another (``studies/objections.py``).
    """
    inserted = insert_vertices(
        release.packed.pairs,
        release.positions,
        order(visits, len(release.positions)),
        step_limit=STEP_LIMIT,
        at_limit="split",
    )
    assert inserted.layered is not None, "splitting always succeeds (Theorem 3)"
    return turn_roots_first(inserted.layered, visits)


@dataclass(frozen=True)
class Veiled:
    """A row of :data:`ROWS` at a budget.

    The paper's rows spend the budget as its edge budget and the two-sided policy as its epsilon;
    balanced and sealed have no budget and are the same at each.
    """

    name: str
    budget: float
    order: Order = order_of_insertion

    @property
    def unit(self) -> str:
        """What the budget, or where there is none the loss, is about."""
        return ROWS[self.name][0]

    @property
    def parameters(self) -> str:
        """What else was chosen."""
        return ROWS[self.name][1]

    @property
    def policy(self) -> Policy:
        """The policy at this budget."""
        if self.name.startswith("the paper"):
            return Policy.paper(vertex=1 if "its copies" in self.name else None, link=self.budget)
        if self.name == "pathveil two-sided":
            return Policy.two_sided(epsilon=self.budget, spanning=True)
        return Policy.sealed() if self.name == "pathveil sealed" else Policy.balanced()

    @property
    def drawn_by_the_walk(self) -> bool:
        """Whether the layers are the paper's, which depend on the walk."""
        return self.name.endswith("its layering") or self.name.endswith("its copies and layering")

    def play(self, trial: Trial, rng: np.random.Generator) -> GameOutcome:
        """Return what the publication gives away and whether participants read the walk."""
        release, drawing = self._publish(trial.instance, rng)
        read = self._read(release, drawing, trial)
        return GameOutcome(
            self._attacked(trial, release, drawing),
            self._attacked(trial, *self._publish(trial.placebo, rng)),
            0.0 if read == 1 else float("nan"),
            read,
            _walk_link_loss(self.policy),
        )

    def _publish(
        self, instance: Instance, rng: np.random.Generator
    ) -> tuple[Publication, LayeredGraph | None]:
        """Return the bits, and the paper's drawing of them where that is published."""
        source = Seeded(int(rng.integers(1 << 62)))
        release = publish(instance.network, instance.walk, policy=self.policy, source=source)
        if not self.drawn_by_the_walk:
            return release, None
        visits = release.positions.starts[instance.indices].tolist()
        return release, draw_as_the_paper(release, visits, self.order)

    def _read(self, release: Publication, drawing: LayeredGraph | None, trial: Trial) -> float:
        """Return 1 if someone who knows the network reads walk and order, and vertices their links.

        Of the paper's drawing an order that is tied counts one half, as the paper counts it.
        """
        network, walk = trial.instance.network, trial.instance.walk
        if drawing is not None:
            drawn = Publication.of_drawing(drawing, self.policy.terms())
            return float(order_confirmed(drawn, network, walk))
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

    def _attacked(
        self, trial: Trial, release: Publication, drawing: LayeredGraph | None
    ) -> dict[str, float]:
        view = trial.view
        evidence = {"likelihood": self._evidence(view, release)}
        evidence["plausible"] = evidence["likelihood"] + length_logits(view)
        if drawing is not None:
            evidence["layout"] = evidence["likelihood"] + self._redrawn(view, release, drawing)
        return {
            attack: credit(likeliest(view.candidates, logs), trial.truth)
            for attack, logs in evidence.items()
        }

    def _evidence(self, view: View, release: Publication) -> FloatArray:
        """Return how much likelier the bits are with each candidate as the link, as a log.

        The walk visits each vertex once, so it uses the first copies; every other pair of copies of
        a link shares a branch. An absent pair has coins. Under a noisy policy a link is drawn,
        with some chance, as an absent pair.
        """
        bits, positions = release.packed.pairs, release.positions
        law, p_on = self.policy.law(), float(self.policy.chaff)
        error = float(law.doubt) * float(law.on.complement())
        unlikely = log(error) - log(1 - error) if error else -np.inf  # too small for a float
        logs = []
        for u, v in view.candidates:
            first, *rest = product(_copies(positions, u), _copies(positions, v))
            fits = not bits.same_branch(*first)
            if self.policy.noisy:
                logs.append(0.0 if fits else unlikely)
                continue
            fits = fits and all(bits.same_branch(*pair) for pair in rest)
            spared = log(p_on) + (len(rest) * log(1 - p_on) if rest else 0.0)
            logs.append(-spared if fits else -np.inf)
        return np.array(logs, dtype=np.float64)

    def _redrawn(self, view: View, release: Publication, drawing: LayeredGraph) -> FloatArray:
        """Return the log of the share of each candidate's walks that give the published layers."""
        shares = []
        for pair in view.candidates:
            walks = release.positions.starts[view.completions[pair]].tolist()
            drawn = (draw_as_the_paper(release, walk, self.order) for walk in walks)
            shares.append(sum(one == drawing for one in drawn) / len(walks))
        with np.errstate(divide="ignore"):
            return np.log(np.array(shares, dtype=np.float64))


def _copies(positions: Positions, vertex: int) -> range:
    start = int(positions.starts[vertex])
    return range(start, start + positions.counts[vertex])


def _walk_link_loss(policy: Policy) -> float:
    """Return the certified loss of a walk link: the larger of both ways, if absence has a bound.

    Else of its presence. A path uses a link once; where copies are drawn, its ends have up to two.
    """
    ends = 1 if policy.copy_budget is None else 2
    copies = (ends, ends) if policy.kind.draws_copies else None
    row = policy.certificate().bound(walk_links=1, uses=1, copies=copies)
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


def own_systems(budgets: Iterable[float]) -> list[Veiled]:
    """Return the paper's rows and our policies at each budget."""
    listed = list(budgets)
    return [Veiled(name, budget) for name in ROWS for budget in listed]
