"""What certificates and options say, whole, as plain text beside this file: one file for a policy.

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
from pathveil.policies.base import PolicyKind
from pathveil.sketching.sketch_release import policy_in_sketch

FOLDER = Path(__file__).parent / "certificates"
LABELS = {"a": "hub", "b": "leaf"}
RATES: dict[tuple[str, str], Any] = {
    ("hub", "hub"): "1/2",
    ("hub", "leaf"): "1/4",
    ("leaf", "leaf"): 1,
}
BARE: dict[tuple[str, str], Any] = {("hub", "hub"): 0, ("hub", "leaf"): 1, ("leaf", "leaf"): "0.9"}
Case = tuple[str, Policy, dict[str, Any]]


def sketched(policy: Policy, *, releases: int = 1) -> Policy:
    return policy_in_sketch(policy, releases=releases - 1)


CASES: dict[str, list[Case]] = {
    "balanced": [
        ("one copy of each vertex", Policy.balanced(), {}),
        ("direction untold", Policy.balanced(), {"told": False}),
        ("two copies", Policy.balanced(copies=2), {}),
        ("two copies, no link used twice", Policy.balanced(copies=2, link_uses=1), {}),
        ("three copies, no link used more than twice", Policy.balanced(copies=3, link_uses=2), {}),
        ("two walks together", Policy.balanced().together(2), {}),
        ("the paper's layering", Policy.balanced(), {"layering": "backtracking"}),
        ("a universe of 7 pairs", Policy.balanced(), {"universe": 7}),
        ("classes of 2 and 3", Policy.balanced(), {"sizes": ClassSizes.of([2, 3, 3])}),
        ("some classes of 1", Policy.balanced(), {"sizes": ClassSizes.of([1, 1, 2, 3])}),
        ("all classes of 1", Policy.balanced(), {"sizes": ClassSizes.of([1, 1, 1])}),
        ("a sketch", sketched(Policy.balanced()), {"capacity": 50}),
        (
            "two walks together in a sketch, over a universe",
            sketched(Policy.balanced().together(2)),
            {"capacity": 50, "universe": 7},
        ),
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
        ("the first release", Policy.remembering(), {}),
        ("the third release", Policy.remembering(), {"releases": 3}),
        ("the 60th, by a usage", Policy.remembering(usage="0.2"), {"releases": 60}),
        ("two copies, the second", Policy.remembering(copies=2), {"releases": 2}),
        (
            "the third of sketches",
            sketched(Policy.remembering(), releases=3),
            {"releases": 3, "capacity": 50},
        ),
    ],
    "two-sided": [
        ("epsilon 2", Policy.two_sided(epsilon=2), {}),
        ("epsilon 2, every vertex visited", Policy.two_sided(epsilon=2, spanning=True), {}),
        ("epsilon 1, two copies", Policy.two_sided(epsilon=1, copies=2), {}),
    ],
    "labelled": [
        ("one copy of each vertex", Policy.labelled(LABELS, RATES), {}),
        ("rates 0 and 1, two copies", Policy.labelled(LABELS, BARE, copies=2), {}),
    ],
    "paper": [
        ("both budgets 1", Policy.paper(vertex=1, link=1), {"layering": "backtracking"}),
        ("no budget", Policy.paper(vertex=None, link=None), {"layering": "backtracking"}),
        ("a link budget, our layering", Policy.paper(vertex=None, link=3), {}),
    ],
}
"""By policy: what it is about, the policy, and what else certify() is told."""


def text_of(name: str) -> str:
    """Return all that a policy says: its options, and the certificates of its cases."""
    kind = type(CASES[name][0][1].kind)
    lines = [f"The {kind.name} policy", "", *_options(kind)]
    for title, policy, more in CASES[name]:
        lines += ["", f"== {title}: {policy.terms()} ==", ""]
        lines += _certificate(policy, certify(policy, **more))
    return "\n".join(lines) + "\n"


def _options(kind: type[PolicyKind]) -> Iterator[str]:
    """Yield the options it has on the command line, as the help shows them."""
    yield "Options:" if kind.options else "No options."
    for option in kind.options:
        given = "" if option.needed else " (may be left out)"
        yield f"  {f'{option.flag} {option.metavar}'.strip()}: {option.help}{given}"


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
        yield f"  {told}: {told.before}, {told.after}; {told.alone}"
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
