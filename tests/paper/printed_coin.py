"""The coin of Alg. 2 as the paper prints it: Eq. 4 in an exponential mechanism over two options.

The package draws by what this comes to, 1 / (1 + e^(budget/2)); the tests hold one against the
other.
"""

from __future__ import annotations

from fractions import Fraction

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.chance.exponential import ExponentialMechanism

ON_WALK, OFF_WALK = 1, 2
"""The paper's two values of r for an absent pair."""


def edge_quality(value: int, edges: int) -> Fraction:
    """Return q_e, the paper's quality of publishing an absent pair as r = ``value``.

    *Paper*: Eq. 4, q_e(x) = (|E| - 2) x / |E| - (|E| - 3) / |E|.
    """
    return Fraction(edges - 2, edges) * value - Fraction(edges - 3, edges)


def edge_sensitivity(edges: int) -> Fraction:
    """Return |q_e(1) - q_e(2)|, by which the mechanism divides."""
    return abs(edge_quality(ON_WALK, edges) - edge_quality(OFF_WALK, edges))


def coin_mechanism(edges: int, budget: Fraction) -> ExponentialMechanism:
    """Return the law of an absent pair: option 0 is on the walk, option 1 off the walk.

    The number of edges cancels, so the coin is 1 / (1 + e^(budget/2)) for every network and the
    chaff rate of the policy needs none. With two edges the printed quotient is 0/0, and with one
    the printed forms of the sensitivity differ; the coin is then its value for larger networks.
    """
    edges = max(edges, 3)
    scores = [edge_quality(ON_WALK, edges), edge_quality(OFF_WALK, edges)]
    return ExponentialMechanism.from_scores(
        scores, epsilon=budget, sensitivity=edge_sensitivity(edges)
    )


def drawn_without_coins(network: Network, walk: Walk) -> Publication:
    """Publish as the paper's figures without any budget do: its engine, no copy and no coin."""
    plain = Policy.paper(vertex=None, link=None)
    return publish(network, walk, policy=plain, layering="backtracking", source=Seeded(0))
