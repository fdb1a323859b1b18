"""Random networks and walks for the laws: small, of every kind the paper and we allow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from pathveil.chance.losses import Missing, losses_of
from pathveil.chance.source import Seeded
from pathveil.model.bits import IndexArray, PairBits, Relation, pair_count
from pathveil.model.certificate import Certificate, CertificateRow, Loss
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.publishing.release import publish

NAMES = "abcdefghijklm"


@st.composite
def networks(draw: st.DrawFn, *, smallest: int = 2, largest: int = 9) -> Network:
    """Connected networks: a random tree and any further links."""
    size = draw(st.integers(smallest, largest))
    tree = {(draw(st.integers(0, v - 1)), v) for v in range(1, size)}
    others = [pair for pair in combinations(range(size), 2) if pair not in tree]
    extra = draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    links = draw(st.permutations([*sorted(tree), *extra]))
    return Network.from_links((NAMES[i], NAMES[j]) for i, j in links)


@st.composite
def walks(draw: st.DrawFn, network: Network, *, longest: int = 12) -> Walk:
    """Walks over a network: simple, revisiting, closed, spanning or not, as chance will have it."""
    here = draw(st.sampled_from(network.vertices))
    visited = [here]
    simple = draw(st.booleans())
    for _ in range(draw(st.integers(1, longest - 1))):
        onward = [v for v in network.neighbours(here) if not simple or v not in visited]
        if not onward:
            break
        here = draw(st.sampled_from(onward))
        visited.append(here)
    return Walk(visited)


@st.composite
def journeys(draw: st.DrawFn, *, largest: int = 9, longest: int = 12) -> tuple[Network, Walk]:
    """A network and a walk through it."""
    network = draw(networks(largest=largest))
    return network, draw(walks(network, longest=longest))


def policies_for(walk: Walk) -> st.SearchStrategy[Policy]:
    """Every policy, with enough copies for the walk."""
    need = max(walk.visits.values())
    return st.one_of(
        st.builds(Policy.balanced, copies=st.integers(need, need + 1)),
        st.builds(Policy.sealed, copies=st.integers(need, need + 1)),
        st.builds(
            Policy.frontier,
            walk_loss=st.sampled_from(["0.1", "1", "3"]),
            copies=st.integers(need, need + 1),
        ),
        st.builds(
            Policy.paper,
            vertex=st.sampled_from([None, "0.5", "5"]),
            link=st.sampled_from([None, "0.5", "1", "5"]),
        ),
    )


class Task(NamedTuple):
    """A release to be made: a walk of any kind, by any policy that allows it."""

    network: Network
    walk: Walk
    policy: Policy
    seed: int

    def publish(self, **more: Any) -> Publication:
        source = Seeded(self.seed)
        return publish(self.network, self.walk, policy=self.policy, source=source, **more)


@st.composite
def tasks(
    draw: st.DrawFn, *, largest: int = 9, longest: int = 12, few: bool = False, told: bool = False
) -> Task:
    """Tasks; of few copies, for the paper's search, and of copies that no coin decides."""
    network, walk = draw(journeys(largest=largest, longest=longest))
    policy = draw(policies_for(walk).filter(lambda one: not (told and one.kind.draws_copies)))
    assume(not few or few_positions(network, walk, policy))
    return Task(network, walk, policy, draw(st.integers(0, 1 << 32)))


@st.composite
def pair_bits(draw: st.DrawFn, *, largest: int = 9) -> PairBits:
    """Any graph as pair bits."""
    size = draw(st.integers(1, largest))
    count = pair_count(size)
    flat = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return PairBits.from_flat(size, np.array(flat, dtype=bool))


def few_positions(network: Network, walk: Walk, policy: Policy, *, limit: int = 12) -> bool:
    """Whether the paper's exponential search can be asked to layer this."""
    copies = policy.copies
    if copies is None:
        copies = (
            1
            if policy.kind.copy_budget is None and walk.is_simple
            else max(2, *walk.visits.values())
        )
    return copies * len(network) <= limit


def widened(network: Network) -> Network:
    """Return the network with so many more pairs that two fresh releases never agree by chance."""
    return Network.from_links([*network.links, *(("a", f"x{i}") for i in range(12))])


def bound(certificate: Certificate, **adversary: Any) -> CertificateRow:
    """Return the row that answers for an adversary; there must be one."""
    row = certificate.bound(**adversary)
    assert row is not None
    return row


def link_losses(
    network: Network, walk: Walk, policy: Policy, positions: Positions
) -> Iterator[tuple[tuple[str, str], int, Loss, Loss]]:
    """Yield each link, how often it is used, and what it loses by presence and by absence."""
    for u, v in network.links:
        uses = walk.uses[u, v]
        copies = (len(positions.copies_of(u)), len(positions.copies_of(v)))
        yield (u, v), uses, *_loss_of(policy, uses, copies)


@cache
def _loss_of(policy: Policy, uses: int, copies: tuple[int, int]) -> tuple[Loss, Loss]:
    lost = losses_of(policy, Missing(on_walk=uses > 0, uses=uses, copies=copies))
    return lost.presence.loss(), lost.absence.loss()


def absent_places(relation: Relation) -> IndexArray:
    """Return the flat places of the pairs that are no link."""
    links = np.concatenate([relation.on_walk, relation.off_walk])
    return np.setdiff1d(np.arange(pair_count(relation.size)), links)
