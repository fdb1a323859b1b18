"""A policy is one thing: every kind states its law, terms, sentences and options itself."""

from __future__ import annotations

import inspect

import pytest

from pathveil.policies import KINDS, Policy, kind_named
from pathveil.policies.base import ABSENCE, BARE, LIKELY, READ, Option, PolicyKind
from pathveil.policies.simple import OFF_WALK_ABSENCE
from tests.chance.written import CASES, FOLDER, require_as_written

EXAMPLES: dict[str, Policy] = {
    "balanced": Policy.balanced(),
    "sealed": Policy.sealed(),
    "frontier": Policy.frontier(walk_loss=1),
    "two-sided": Policy.two_sided(epsilon=1),
    "labelled": Policy.labelled({"a": "x"}, {("x", "x"): "1/2"}),
    "paper": Policy.paper(vertex=1, link=1),
}


@pytest.mark.parametrize("policy", EXAMPLES.values(), ids=list(EXAMPLES))
def test_a_kind_speaks_for_itself(policy: Policy) -> None:
    kind = policy.kind
    assert kind_named(kind.name) is type(kind)
    assert policy.terms().noisy is policy.noisy is kind.noisy
    again = type(kind).from_parameters(dict(kind.parameters()))
    assert again == kind
    sentences = policy.sentences()
    assert sentences[0] == (LIKELY if kind.noisy else READ)
    absence = OFF_WALK_ABSENCE if kind.name == "sealed" else ABSENCE
    assert (absence in sentences) == (not kind.noisy)
    assert all(line.endswith(".") for line in sentences)
    names = [option.name for option in kind.options]
    assert len(names) == len(set(names))


def test_bare_links_are_told_where_they_are_bare() -> None:
    bare = {name for name, policy in EXAMPLES.items() if BARE in policy.sentences()}
    assert bare == {"sealed"}
    assert BARE in Policy.paper(vertex=None, link=None).sentences()


def test_public_numbers_are_told() -> None:
    lines = Policy.balanced(copies=3, link_uses=2).together(4).sentences()
    assert "No vertex is visited more than 3 times: that number is public." in lines
    assert "No link is used more than twice: the policy says so." in lines
    assert "The 4 walks published together share no link." in lines
    plain = Policy.balanced().sentences()
    assert "No vertex is visited more than once: that number is public." in plain
    assert not any("used" in line or "walks" in line for line in plain)
    assert not any("every vertex" in line for line in plain)
    spanning = Policy.two_sided(epsilon=1, spanning=True).sentences()
    assert "The walk visits every vertex exactly once: the policy says so." in spanning


def test_options_read_like_the_command_line() -> None:
    plain = Option("walk_loss", "A", "help")
    assert plain.flag == "--walk-loss"
    assert (plain.needed, plain.is_file, plain.is_flag) == (True, False, False)
    flags = [option.flag for kind in KINDS for option in kind.options]
    assert len(flags) == len(set(flags))


def test_kinds_without_labels_have_none() -> None:
    assert Policy.balanced().label_pairs == ()
    with pytest.raises(NotImplementedError):
        Policy.balanced().kind.label_of("a")
    assert inspect.isabstract(PolicyKind)


@pytest.mark.parametrize("name", CASES)
def test_all_that_a_policy_says_is_written_down_and_was_read(name: str) -> None:
    """Sentences, numbers and help; a policy that is new is not asked for."""
    require_as_written(name)


def test_every_sentence_there_is_stands_in_a_certificate_that_was_read() -> None:
    read = "\n".join(file.read_text("utf-8") for file in FOLDER.glob("*.txt"))
    for name in (READ, ABSENCE, LIKELY, BARE):
        assert name in read
