"""What the gate says in words: true of one walk, of many, and of what can be done."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from pathveil import Policy, Seeded, publish
from pathveil.planning import gate
from pathveil.planning.gate_report import remedies, report_sentences
from pathveil.planning.gatekeeper import refusal
from tests.planning.test_gate import COUNTING, SIXTY, SMALL


def test_fewer_walks_are_advised_only_where_there_are_fewer() -> None:
    """A batch of one walk was told to release about one."""
    walks = SIXTY[:1]
    policy = Policy.balanced()
    files = [publish(SMALL, walk, source=Seeded(1)) for walk in walks]
    report = gate.examine(SMALL, walks, files, policy, effort=COUNTING)
    assert "fewer walks" not in remedies(report, SMALL)
    assert report_sentences(report)[0].startswith("1 walk over 32 links")
    assert "not released: x (1 walk over 32 links)" in str(
        refusal(replace(report, reasons=("x",)), SMALL, None)
    )
    many = replace(report, walks=60, uses_per_link=Fraction(8))
    assert "release fewer walks (up to about " in remedies(many, SMALL)
    few = replace(report, walks=2, uses_per_link=Fraction(1, 100))
    assert "release fewer walks;" in remedies(few, SMALL), "how few, uses do not say"


def test_the_words_name_what_the_report_holds() -> None:
    """Uses, losses, who was asked, and how much he was given to look at."""
    files = [publish(SMALL, walk, source=Seeded(k)) for k, walk in enumerate(SIXTY[:2])]
    report = gate.examine(SMALL, SIXTY[:2], files, Policy.balanced(), effort=COUNTING)
    first, *others = report_sentences(report)
    assert first.startswith(f"2 walks over {report.links} links")
    assert f"{report.most_uses} times at most" in first
    assert str(report.dearest[1]) in first
    assert report.structural is None
    assert sum("An outsider" in line for line in others) == 1
    assert any(f"looked at {report.looked_at} of 2 releases:" in line for line in others)
