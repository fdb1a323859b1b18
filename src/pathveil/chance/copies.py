"""Copies: from a walk that may revisit vertices to a simple path over copies. Alg. 1.

Two ways. The paper draws the number of copies of each vertex by the exponential mechanism and
hands copy i-1 to the i-th visit. Our policies give every vertex the same public number of copies
and hand them to the visits at random: the paper's number tells how often a vertex is visited at
most, and its hand-out tells the order of the visits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pathveil.chance.exponential import ExponentialMechanism
from pathveil.chance.law import ReleaseLaw
from pathveil.chance.source import Source, below, shuffled
from pathveil.errors import Incompatible, NeedsMoreCopies, NotAWalk
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.walk import Walk

LARGEST_COPIES = 64
"""Copies of each vertex that a policy may have."""


@dataclass(frozen=True, repr=False)
class LiftedWalk:
    """The walk as a simple path over copies. Secret but for :attr:`positions`."""

    positions: Positions
    visits: tuple[int, ...]
    forward: bool | None = None

    @property
    def direction(self) -> bool:
        """The one bit that tells the order: whether the first end sorts before the last.

        Over a grouping ``forward`` says it: there names must not decide.
        """
        first, last = self.visits[0], self.visits[-1]
        return first == min(first, last) if self.forward is None else self.forward

    def __repr__(self) -> str:
        return f"<LiftedWalk: {len(self.visits)} visits>"


def vertex_quality(count: int, degree: int, *, most: int, largest_degree: int) -> int:
    """Return q_v, the paper's quality of giving a vertex of some degree a number of copies.

    *Paper*: Eq. 1, q_v(n, i) = max{n} - n + max{d} - d_i, sensitivity 1. The degree term is the
    same for every n and cancels in the mechanism.
    """
    return most - count + largest_degree - degree


def copy_mechanism(
    fewest: int, most: int, degree: int, *, largest_degree: int, budget: Fraction
) -> ExponentialMechanism:
    """Return the law of the number of copies: option i is ``fewest + i`` copies."""
    scores = [
        vertex_quality(count, degree, most=most, largest_degree=largest_degree)
        for count in range(fewest, most + 1)
    ]
    return ExponentialMechanism.from_scores(scores, epsilon=budget, sensitivity=1)


def draw_copies(
    network: Network,
    walk: Walk,
    policy: ReleaseLaw,
    source: Source,
    *,
    grouping: Grouping | None = None,
) -> LiftedWalk:
    """Return the walk over copies, drawn as the policy says; over classes if they are grouped.

    Raises
    ------
    NeedsMoreCopies
        If the walk visits a vertex, or uses a link, more often than the policy allows for.
    NotAWalk
        If the policy promises a spanning walk and this is none.
    """
    if policy.copies is None:
        return _paper_copies(network, walk, policy.copy_budget, source)
    if policy.spanning and not (walk.is_simple and len(walk) == len(network)):
        raise NotAWalk(
            f"the policy promises a spanning walk, but this one makes {len(walk)} visits to "
            f"{len(walk.visits)} of {len(network)} vertices; publish with spanning=False"
        )
    used = max(walk.uses.values())
    if policy.link_uses is not None and used > policy.link_uses:
        raise NeedsMoreCopies(
            f"the walk uses a link {used} times but the policy allows for {policy.link_uses}; "
            f"publish with link_uses={used} or more, or without link_uses",
            needed=used,
        )
    if grouping is not None:
        return _class_visits(grouping, walk, source)
    return _public_copies(network, walk, policy.copies, source)


def _paper_copies(
    network: Network, walk: Walk, budget: Fraction | None, source: Source
) -> LiftedWalk:
    """Alg. 1, its open points settled as listed below.

    *Paper*: the range is [visits, max(most visits, 2)] as the text says (the printed algorithm
    says ``maxDegree``). A vertex the walk skips has one copy at least: it is published like all
    others. Without a budget there are no fakes.

    *Privacy*: claimed epsilon_v (Lemma 1); refuted: the range depends on the data.
    """
    fewest = {name: max(walk.visits[name], 1) for name in network}
    most = max(*walk.visits.values(), 2)
    largest_degree = max(network.degree(name) for name in network)
    counts = []
    for name in network:
        if budget is None:
            counts.append(fewest[name])
            continue
        mechanism = copy_mechanism(
            fewest[name], most, network.degree(name), largest_degree=largest_degree, budget=budget
        )
        counts.append(fewest[name] + mechanism.sample(source))
    positions = Positions(network.vertices, tuple(counts))
    used: dict[str, int] = dict.fromkeys(network, 0)
    visits = []
    for name in walk:
        visits.append(positions.index(name, used[name]))
        used[name] += 1
    return LiftedWalk(positions, tuple(visits))


def _public_copies(network: Network, walk: Walk, copies: int, source: Source) -> LiftedWalk:
    """Every vertex has the same number of copies; visits take them in random order.

    *Privacy*: free. The number is public, and which copy serves which visit is independent of the
    walk. A full shuffle is drawn for every vertex, visited or not, so the stream is read the same
    way whatever the walk. The shuffle is laid along the walk or its reverse, whichever sorts
    first: turning the walk round changes the direction bit and no other.
    """
    require_copies(walk, copies)
    positions = Positions.uniform(network.vertices, copies)
    if copies == 1:
        return LiftedWalk(positions, tuple(network.places(walk.vertices).tolist()))
    waiting = {name: shuffled(source, copies) for name in network}
    names = min(walk.vertices, walk.vertices[::-1])
    visits = tuple(positions.index(name, waiting[name].pop()) for name in names)
    return LiftedWalk(positions, visits if names == walk.vertices else visits[::-1])


def require_copies(walk: Walk, copies: int) -> None:
    """Raise :class:`NeedsMoreCopies` if a walk visits a vertex more often than it has copies."""
    needed = max(walk.visits.values())
    if needed > copies:
        advice = f"give the policy copies={needed}, as in balanced:copies={needed}"
        if needed > LARGEST_COPIES:
            advice = f"at most {LARGEST_COPIES} visits of one vertex can be published: cut the walk"
        raise NeedsMoreCopies(
            f"the walk visits a vertex {needed} times but the policy has {copies} "
            f"{'copy' if copies == 1 else 'copies'} of each; {advice}",
            needed=needed,
        )


def _class_visits(grouping: Grouping, walk: Walk, source: Source) -> LiftedWalk:
    """The walk over classes, one copy of each: a vertex goes by its class.

    *Privacy*: nothing here may tell the members of a class apart. So the direction compares
    classes; a walk that is its own reverse gets a coin, which is drawn for every walk.
    """
    coin = below(source, 2) == 1
    if not walk.is_simple:
        closed = walk.is_closed
        raise Incompatible(
            ("a closed tour" if closed else "a walk that visits a vertex twice")
            + " does not go with a grouping: its classes have one copy each; "
            + (
                "publish the tour without its last link, or seal it (--to)"
                if closed
                else "publish its parts one by one, or seal it (--to)"
            )
        )
    forward = grouping.forward(walk.vertices)
    visits = tuple(grouping.classes_of(walk.vertices).tolist())
    return LiftedWalk(
        Positions.uniform(grouping.names, 1), visits, coin if forward is None else forward
    )
