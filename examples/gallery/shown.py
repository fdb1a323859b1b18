"""What the gallery shows of every network: its plan, and what each policy leaves to an attacker."""

from __future__ import annotations

import sys
from textwrap import fill
from typing import NoReturn

import pathveil as pv

POLICIES = (pv.Policy.sealed(), pv.Policy.balanced(), pv.Policy.frontier(walk_loss=2))
DRAWS = 100
ABSENT = 77
"""The exit code that says: what this script needs is not here."""


def show(name: str, network: pv.Network, walk: pv.Walk, *, walks: int, draws: int = DRAWS) -> None:
    """Print the plan and the table, and draw the network with the walk to NAME.svg.

    The attacker knows every link but the middle one of the walk.
    """
    pv.draw(network, f"{name}.svg", walk=walk)
    steps = list(zip(walk.vertices, walk.vertices[1:], strict=False))
    lacking = steps[len(steps) // 2]
    print(f"{len(network.vertices)} vertices, {len(network.links)} links")
    long = len(steps) > 10
    print(fill(f"the walk: {f'{len(steps)} links' if long else ' > '.join(walk.vertices)}", 72))
    made = pv.plan(network, walks=walks, length=len(steps))
    says, _, _ = made.verdict.partition("\n")  # without the command to type
    print(fill(f"plan: {says}", 72))
    print(f"\nsomeone who lacks {lacking[0]} - {lacking[1]} names it, in {draws} releases:")
    print(f"{'':22}right  certain")
    for policy in POLICIES:
        right, certain = 0.0, 0
        for _ in range(draws):
            publication = pv.publish(network, walk, policy=policy)
            found = pv.attack(publication, network, lacking=[lacking])
            right += found.success
            certain += found.success == 1
        print(f"{policy!s:22}{right / draws:4.0%}   {certain / draws:4.0%}")


def leave(reason: str) -> NoReturn:
    """Say on standard error what is not here, and stop."""
    print(reason, file=sys.stderr)
    sys.exit(ABSENT)
