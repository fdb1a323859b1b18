"""An outsider who holds every file of a grouped series, and has already read all of it.

Over a grouping he learns, in time, every walk as a sequence of classes: here he is simply told
them, which is the most that any number of files can give. He goes on as far as logic carries him.
Two steps of a walk through a class meet in *one* of its members, so he sorts the link ends at each
class into bundles, one for each member: the network up to permutation within classes. What is left
is to give the bundles names. By the symmetry of the grouping no rule can do better than chance, and
:func:`chance_of_naming` says what chance is: at each end one over the members not yet named.

Links he knows name their bundles, and walks join: the next link is then one of the members of one
class, no longer one of the pairs of a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from networkx.utils import UnionFind

from pathveil.chance.source import Source, shuffled
from pathveil.model.grouping import Grouping

Block = tuple[int, int]
"""Two classes, smaller number first."""
End = tuple[Block, int]
"""A link known by its block, and the class at which we look at it."""
Rule = Callable[[int, Sequence["Bundle"], Sequence[str]], Sequence[str]]
"""How he names the bundles of a class: (class, bundles, members left) -> members, in order."""


@dataclass(frozen=True)
class Bundle:
    """Link ends at a class that belong to one vertex; ``name`` if he knows which."""

    ends: tuple[End, ...]
    name: str | None = None


@dataclass(frozen=True)
class NamedLink:
    """A guess at the two ends of a block's link, and the chance that a blind guess is right."""

    block: Block
    ends: tuple[str, str]
    chance: Fraction


def block_of(first: int, second: int) -> Block:
    """Return the block of two classes."""
    return (first, second) if first < second else (second, first)


def bundle_ends(
    walks: Iterable[Sequence[int]], *, known: Mapping[End, str] | None = None
) -> dict[int, list[Bundle]]:
    """Return, for each class, the link ends that must belong to one member.

    Parameters
    ----------
    walks
        Class sequences.
    known
        Names of link ends he knows.

    Examples
    --------
    >>> bundles = bundle_ends([[0, 1, 2], [0, 1, 3], [4, 1]])
    >>> [len(bundle.ends) for bundle in bundles[1]]
    [3, 1]
    """
    seen = [(walk, [block_of(a, b) for a, b in pairwise(walk)]) for walk in walks]
    joined: UnionFind[End] = UnionFind(
        (block, at) for _, steps in seen for block in steps for at in block
    )
    for walk, steps in seen:
        for block, following, at in zip(steps, steps[1:], walk[1:], strict=False):
            joined.union((following, at), (block, at))
    names = dict(known or {})
    by_name: dict[tuple[int, str], End] = {}
    for end, name in names.items():
        # Two ends with one name at a class are one vertex, whether a walk joined them or not.
        first = by_name.setdefault((end[1], name), end)
        joined.union(end, first)
    found: dict[int, list[Bundle]] = {}
    for ends in map(sorted, joined.to_sets()):
        called = next((names[end] for end in ends if end in names), None)
        found.setdefault(ends[0][1], []).append(Bundle(tuple(ends), called))
    for bundles in found.values():
        bundles.sort(key=lambda bundle: (-len(bundle.ends), bundle.ends))
    return found


def in_random_order(source: Source) -> Rule:
    """Return the rule that names bundles blindly."""

    def rule(_at: int, bundles: Sequence[Bundle], members: Sequence[str]) -> Sequence[str]:
        order = shuffled(source, len(members))
        return [members[order[i % len(order)]] for i in range(len(bundles))]

    return rule


def by_name(_at: int, bundles: Sequence[Bundle], members: Sequence[str]) -> Sequence[str]:
    """Name the bundles in the order of names, those with most links first.

    The rule to try first: hubs are often named early, and a list may have been made in their order.
    """
    return [members[i % len(members)] for i in range(len(bundles))]


def name_links(
    grouping: Grouping,
    walks: Sequence[Sequence[int]],
    *,
    rule: Rule,
    known: Iterable[tuple[str, str]] = (),
) -> tuple[NamedLink, ...]:
    """Return a guess at the link of every block he has seen used, those he knows left out.

    Parameters
    ----------
    walks
        Every walk as its sequence of classes.
    rule
        How bundles get names.
    known
        Links he knows by name.

    *Cost*: linear in the steps of all walks.

    Examples
    --------
    >>> grouping = Grouping.of([["a", "b"], ["c", "d", "e"], ["f", "g"]])
    >>> [str(link.chance) for link in name_links(grouping, [[0, 1, 2]], rule=by_name)]
    ['1/6', '1/6']
    """
    told: dict[End, str] = {}
    for u, v in known:
        a, b = grouping.class_index(u), grouping.class_index(v)
        told |= {(block_of(a, b), a): u, (block_of(a, b), b): v}
    members = list(grouping)
    named: dict[End, tuple[str, Fraction]] = {}
    for at, bundles in bundle_ends(walks, known=told).items():
        used = {bundle.name for bundle in bundles}
        left = [name for name in members[at] if name not in used]
        loose = [bundle for bundle in bundles if bundle.name is None]
        guesses = iter(rule(at, loose, left)) if left else iter(())
        for bundle in bundles:
            if bundle.name is not None:
                answer = (bundle.name, Fraction(1))
            else:
                answer = (next(guesses, members[at][0]), Fraction(1, max(len(left), 1)))
            named |= dict.fromkeys(bundle.ends, answer)
    seen = {block for block, _ in named} - {block for block, _ in told}
    return tuple(
        NamedLink(
            block,
            (named[block, block[0]][0], named[block, block[1]][0]),
            named[block, block[0]][1] * named[block, block[1]][1],
        )
        for block in sorted(seen)
    )


def chance_of_naming(guesses: Iterable[NamedLink]) -> float:
    """Return how many links a blind guess names on average, given what the outsider knows."""
    return float(sum(guess.chance for guess in guesses))


def count_right(guesses: Iterable[NamedLink], links: Iterable[tuple[str, str]]) -> int:
    """Return how many guesses are links. For the judge, who has the network."""
    true = {frozenset(link) for link in links}
    return sum(frozenset(guess.ends) in true for guess in guesses)
