"""What the number of copies tells of the visits."""

from __future__ import annotations

from pathveil import Network, Policy, Seeded, Walk
from pathveil.chance.copies import draw_copies
from pathveil.model.positions import Positions


def revisiting(policy: Policy) -> list[tuple[Positions, int]]:
    """Walks round a star: the hub is visited two to four times."""
    network = Network.from_links([("h", name) for name in "abcde"])
    drawn = []
    for number in range(60):
        walk = Walk("h".join("abcde"[: 3 + number % 3]))
        lifted = draw_copies(network, walk, policy, Seeded(f"star {number}"))
        drawn.append((lifted.positions, walk.visits["h"]))
    return drawn


def test_the_papers_copies_tell_the_most_visits() -> None:
    """Copies are drawn up to the most visits: a maximum above two is that number."""
    drawn = revisiting(Policy.paper(vertex=1, link=1))
    assert all(max(positions.counts) == most for positions, most in drawn)


def test_a_public_number_of_copies_tells_nothing() -> None:
    drawn = revisiting(Policy.balanced(copies=4))
    assert {positions.counts for positions, _ in drawn} == {(4,) * 6}
    assert len({most for _, most in drawn}) == 3
