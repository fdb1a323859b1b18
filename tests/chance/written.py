"""What certificates say, whole, as plain text beside this file: one file for a policy.

    python -m tests.chance.written

writes the files anew. Then read the difference as a reviewer does, sentence by sentence and number
by number: each is a claim, and somebody must have thought through who could make it false.

A policy without a file is not asked for one; its author adds it here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pathveil.chance.certify import certify
from pathveil.model.certificate import Certificate
from pathveil.model.grouping import ClassSizes
from pathveil.policies import Policy
from pathveil.sketching.sketch_release import seed_loss

FOLDER = Path(__file__).parent / "certificates"
Case = tuple[str, Policy, dict[str, Any]]


CASES: dict[str, list[Case]] = {
    "balanced": [
        ("one copy of each vertex", Policy.balanced(), {}),
        ("direction hidden", Policy.balanced(), {"direction_public": False}),
        ("two copies", Policy.balanced(copies=2), {}),
        ("two copies, no link used twice", Policy.balanced(copies=2, link_uses=1), {}),
        ("three copies, no link used more than twice", Policy.balanced(copies=3, link_uses=2), {}),
        ("two walks together", Policy.balanced().together(2), {}),
        ("the paper's layering", Policy.balanced(), {"layering": "backtracking"}),
        ("a universe of 7 pairs", Policy.balanced(), {"universe": 7}),
        ("classes of 2 and 3", Policy.balanced(), {"sizes": ClassSizes.of([2, 3, 3])}),
        ("a sketch", Policy.balanced().in_sketch(), {"seed": seed_loss(50, 1)}),
    ],
    "sealed": [
        ("one copy of each vertex", Policy.sealed(), {}),
        ("two copies, no link used twice", Policy.sealed(copies=2, link_uses=1), {}),
    ],
    "frontier": [
        ("walk loss 1/2", Policy.frontier(walk_loss="1/2"), {}),
        ("walk loss 3, two copies", Policy.frontier(walk_loss=3, copies=2), {}),
    ],
    "remembering": [
        ("the first release", Policy.remembering(prior=("1/2", "1/2")), {}),
        ("the third release", Policy.remembering(prior=("1/2", "1/2")), {"releases": 3}),
        ("the 60th, by a usage", Policy.remembering(usage="0.2"), {"releases": 60}),
        (
            "two copies, the second",
            Policy.remembering(prior=("1/2", "1/2"), copies=2),
            {"releases": 2},
        ),
    ],
    "two_sided": [
        ("epsilon 2", Policy.two_sided(epsilon=2), {}),
        ("epsilon 2, every vertex visited", Policy.two_sided(epsilon=2, spanning=True), {}),
    ],
    "paper": [
        ("both budgets 1", Policy.paper(vertex=1, link=1), {"layering": "backtracking"}),
        ("no budget", Policy.paper(vertex=None, link=None), {"layering": "backtracking"}),
        ("a link budget, our layering", Policy.paper(vertex=None, link=3), {}),
    ],
}
"""By policy: what it is about, the policy, and what else certify() is told."""


def text_of(name: str) -> str:
    """Return all that a policy says: the certificates of its cases."""
    lines = [f"The {name} policy"]
    for title, policy, more in CASES[name]:
        lines += ["", f"== {title}: {policy} ==", ""]
        lines += _certificate(policy, certify(policy, **more))
    return "\n".join(lines) + "\n"


def _certificate(policy: Policy, certificate: Certificate) -> Iterator[str]:
    """Yield a certificate in words, each claim on a line of its own."""
    yield "Who loses what: that it is there, that it is not"
    for row in certificate.rows:
        yield f"  {row.adversary}: {row.presence}; {row.absence}: {row.notion}" + (
            "" if row.bound else " (no bound)"
        )
        said = policy.kind.paper_claim(row)
        if said:
            yield f"    the paper: {said}"
    yield "How often the missing walk link is guessed right before and after, and is left alone"
    for told in certificate.identification:
        yield f"  {told}: {told.before}, {told.after}; {told.certain}"
    yield "What is not protected"
    yield from (f"  {line}" for line in certificate.not_protected)


def require_as_written(name: str) -> None:
    """Fail, with the lines that differ, unless a policy says what its file says."""
    said = text_of(name).splitlines()
    assert said == (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()


def main() -> None:
    """Write every file anew."""
    for name in CASES:
        (FOLDER / f"{name}.txt").write_text(text_of(name), "utf-8")


if __name__ == "__main__":
    main()
