"""A release as a sketch: which policies can, how many bits a value needs, which equations hold.

With independent coins every copy pair of a link is a key whose value lies below the threshold where
the walk uses it and above where it does not. With joint coins, or walks published together, every
link is a key whose value says which state it is in. Either way the policy is first rounded to
chances that are whole numbers of 2^-r (:meth:`~pathveil.policies.Policy.in_values_of`), and
its law, certificate and terms are those of the rounded one. Chaff that remembers has a threshold
for each pair, by what the earlier sketches show of it (:mod:`pathveil.sketching.sketched_urn`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pathveil.chance.copies import LiftedWalk
from pathveil.chance.law import PairLaw
from pathveil.chance.source import Source
from pathveil.errors import BadBudget, TooLarge
from pathveil.model.bits import BoolArray, IndexArray, pattern_rows
from pathveil.model.network import Network
from pathveil.model.remembered import Remembered
from pathveil.model.sketch import JointStates, SketchedBits, SketchShape, ValueArray
from pathveil.policies import Policy
from pathveil.policies.policy import MOST_BITS
from pathveil.sketching.equations import Equations, draw_solution
from pathveil.sketching.sketched_urn import FINEST, LEAST, SketchedUrn

MOST_SKETCHES = 1_000
"""Releases a series of sketches may have; the dearest order of each is found exactly."""

StateArray = npt.NDArray[np.int32]


def policy_in_sketch(policy: Policy, *, releases: int = 0) -> Policy:
    """Return the policy with the dyadic chances a sketch can keep, or refuse it with the reason.

    ``releases`` is how many came before in a series: with them the bits of a value grow.

    Examples
    --------
    >>> policy_in_sketch(Policy.balanced())
    Policy.balanced(copies=1, value_bits=1)
    >>> policy_in_sketch(Policy.sealed())
    Traceback (most recent call last):
        ...
    pathveil.errors.BadBudget: a sketch cannot be sealed: ...
    """
    _require_sketchable(policy)
    policy = replace(policy, value_bits=None)
    if policy.kind.urn is not None:
        if releases >= MOST_SKETCHES:
            raise BadBudget(
                f"a series of sketches has {MOST_SKETCHES:,} releases at most: each is read with "
                "all before it; publish many walks over a grouping, or begin a new series, whose "
                "losses add to those of this one"
            )
        return policy.in_values_of(kept_urn(policy).bits(releases))
    return policy.in_values_of(_value_bits(policy.law()))


def kept_urn(policy: Policy) -> SketchedUrn:
    """Return the urn of a policy that remembers, as a sketch keeps it."""
    assert policy.kind.urn is not None, "asked of policies that remember"
    return SketchedUrn(policy.kind.urn, policy.states)


def _require_sketchable(policy: Policy) -> None:
    law = None if policy.label_pairs else policy.law()
    if policy.noisy:
        raise BadBudget(
            f"the {policy.kind.name} policy has no sketch: rows of a sketch must be independent, "
            "and a seed that is redrawn until they are tells a little about absence with "
            "certainty, which a two-sided promise does not allow; publish it packed"
        )
    if policy.label_pairs:
        raise BadBudget(
            f"the {policy.kind.name} policy has no sketch: its labels list every vertex by name, "
            "and a sketch names none; publish it packed"
        )
    if law is not None and law.on.as_fraction == 1:
        raise BadBudget(
            "a sketch cannot be sealed: the sealed form shows every link off the walk bare, so a "
            "list of those links says the same; publish it packed, or choose another policy"
        )
    if policy.copies is None and policy.kind.copy_budget is not None:
        raise BadBudget(
            f"the {policy.kind.name} policy with a vertex budget has no sketch: it draws a number "
            "of copies for each vertex, which must be published by name; switch that budget off, "
            "or publish it packed"
        )


def _value_bits(law: PairLaw) -> int:
    """Return the fewest bits that keep a dyadic law, or keep another within a per cent or so."""
    each, off = law.chance(on_walk=True), law.chance(on_walk=False)
    exact = [each.as_fraction, off.as_fraction]
    if None not in exact:
        bottom = max(chance.denominator for chance in exact if chance is not None)
        if bottom.bit_count() == 1 and bottom.bit_length() - 1 <= FINEST:
            return bottom.bit_length() - 1
    bits = FINEST
    while min(each.digits(bits), off.digits(bits)) < LEAST and bits < MOST_BITS:
        bits += 1
    return bits


def shape_of(policy: Policy, capacity: int) -> SketchShape:
    """Return the public shape of a sketch for so many links at most."""
    if policy.value_bits is None:
        raise ValueError(f"{policy!r} has no values of bits; use policy_in_sketch")
    return SketchShape.holding(keys_of(policy, capacity), planes=policy.value_bits)


def keys_of(policy: Policy, capacity: int) -> int:
    """Return how many keys so many links take."""
    return capacity * (1 if policy.joint else (policy.copies or 1) ** 2)


def most_capacity(policy: Policy) -> int:
    """Return the largest capacity whose sketch a file holds.

    >>> most_capacity(policy_in_sketch(Policy.balanced()))
    2147483648
    """
    if policy.value_bits is None:
        raise ValueError(f"{policy!r} has no values of bits; use policy_in_sketch")
    return SketchShape.most_keys(planes=policy.value_bits) // keys_of(policy, 1)


def require_capacity(network: Network, policy: Policy, capacity: int | None) -> int:
    """Return the capacity, checked against what the custodian holds.

    *Privacy*: it must be chosen without counting the links. A rule that computed it from their
    number would change its output with one link more at its steps, and so prove that link.
    """
    links = len(network.pairs)
    if capacity is None:
        raise BadBudget(
            f"a sketch needs a capacity: a public number of links that your network does not "
            f"exceed (it has {links:,}; do not publish that number, but one that would have been "
            "right for any network like it). It is not computed for you: a rule that looks at the "
            "number of links gives a link away where one more changes its result. Give "
            "capacity=..., --capacity N"
        )
    if isinstance(capacity, bool) or not isinstance(capacity, int) or capacity < 1:
        raise BadBudget(f"capacity is {capacity!r}; expected a whole number of links, 1 or more")
    # Before a byte is drawn: the work takes dozens of bytes for each link of the capacity.
    most = most_capacity(policy)
    if capacity > most:
        raise TooLarge(
            f"the capacity is {capacity:,} links; of this policy, with {policy.copies or 1} "
            f"copies and values of {policy.value_bits} bits, a file holds a sketch of {most:,} at "
            "most: give a smaller public number that your network does not exceed, or fewer copies"
        )
    if links > capacity:
        raise TooLarge(
            f"the network has {links:,} links, more than the capacity of {capacity:,}; give a "
            "larger public number (one that would have been right for any network like it)"
        )
    return capacity


def draw_sketches(
    network: Network,
    lifted: Sequence[LiftedWalk],
    policy: Policy,
    capacity: int,
    source: Source,
    *,
    earlier: Sequence[SketchedBits] = (),
    without: Sequence[tuple[str, str]] = (),
) -> tuple[SketchedBits, ...]:
    """Return the bits of each walk of a release, as one sketch read in as many ways.

    ``earlier`` are the sketches of the releases before, for a policy that remembers.
    ``without`` draws some links as if they were none: the other of the two worlds that a
    certificate compares.

    *Privacy*: see :mod:`pathveil.sketching.equations`. Walks published together share one sketch,
    so
    each of their files tells who knows the network all of them.

    *Cost*: O(links); three million in about 1.5 s.
    """
    law, copies = policy.law(), policy.copies or 1
    if policy.copies is None and max(lifted[0].positions.counts) > 1:
        raise BadBudget(
            f"the {policy.kind.name} policy gives a revisited vertex copies of its own, which a "
            "sketch cannot say without its name; use another policy with copies=..., or publish "
            "it packed"
        )
    shape = shape_of(policy, capacity)
    assert policy.value_bits is not None
    rule: int | Remembered = law.dyadic_size(policy.value_bits)
    if policy.kind.urn is not None:
        table = kept_urn(policy).each(len(earlier))
        rule = Remembered(table, law.states, tuple(earlier))
    equations = _equations(network, lifted, policy, rule, without=without)
    seed, words = draw_solution(equations, shape, keys_of(policy, capacity), source)
    if not policy.joint:
        return (SketchedBits(seed, shape, words, capacity, copies, threshold=rule),)
    shown = pattern_rows(copies, policy.link_uses)
    return tuple(
        SketchedBits(
            seed,
            shape,
            words,
            capacity,
            copies,
            threshold=1 if isinstance(rule, int) else rule,
            joint=JointStates(shown, policy.walks, walk, rule if isinstance(rule, int) else 1),
        )
        for walk in range(policy.walks)
    )


def _equations(
    network: Network,
    lifted: Sequence[LiftedWalk],
    policy: Policy,
    rule: int | Remembered,
    *,
    without: Sequence[tuple[str, str]],
) -> Equations:
    """Return what the sketch must say of each link but some."""
    copies = policy.copies or 1
    assert policy.value_bits is not None
    state = (
        _joint_states(network, lifted, policy, copies)
        if policy.joint
        else _uses(network, lifted[0], copies)
    )
    ends, numbers = _keys(network, copies=1 if policy.joint else copies)
    each = rule if isinstance(rule, int) else rule.of(network.vertices, ends)
    low, size = true_values(state, each, policy.law().states, policy.value_bits)
    for link in without:
        kept = _other_links(network, ends, link)
        numbers = None if numbers is None else numbers[kept]
        ends, low, size = ends[kept], low[kept], size[kept]
    return Equations(network.vertices, ends, numbers, low, size)


def true_values(
    state: StateArray, each: ValueArray | int, states: int, bits: int
) -> tuple[ValueArray, ValueArray]:
    """Return for each key the first value that reads as the truth about it, and how many do.

    Parameters
    ----------
    state
        The number of its on-walk state, -1 for *off*.
    each
        How many values an on-walk state has, for all keys or key by key.

    >>> low, size = true_values(np.array([0, -1, 2]), 5, 3, 4)
    >>> low.tolist(), size.tolist()
    ([0, 15, 10], [5, 1, 5])
    """
    wide = np.broadcast_to(np.asarray(each, dtype=np.uint64), state.shape)
    on = state >= 0
    low = np.where(on, state, np.int64(states)).astype(np.uint64) * wide
    size = np.where(on, wide, np.uint64(1 << bits) - np.uint64(states) * wide)
    return low.astype(np.uint32), size.astype(np.uint32)


def _other_links(network: Network, ends: IndexArray, link: tuple[str, str]) -> BoolArray:
    """Return which keys belong to another link."""
    gone = np.array(sorted(map(network.index, link)), dtype=np.int64)
    other: BoolArray = (ends != gone).any(axis=1)
    return other


def _keys(network: Network, *, copies: int) -> tuple[IndexArray, IndexArray | None]:
    """Return ends and copy numbers of every key, link after link."""
    if copies == 1:
        return network.pairs, None
    square = copies * copies
    ends = np.repeat(network.pairs, square, axis=0)
    grid = np.stack(np.divmod(np.arange(square), copies), axis=1)
    return ends, np.tile(grid, (len(network.pairs), 1))


def _steps(network: Network, path: LiftedWalk, each: int) -> tuple[IndexArray, IndexArray]:
    """Return for each step its link, and the copy of its lower end times copies plus the other.

    ``each`` is how many copies every vertex has.
    """
    positions = path.positions
    visits = np.asarray(path.visits, dtype=np.int64)
    pairs = np.stack([visits[:-1], visits[1:]], axis=1)
    pairs.sort(axis=1)  # positions sort by name, so the lower end comes first
    ends = positions.vertex_of[pairs]
    copies = pairs - positions.starts[ends]
    return network.link_places(ends), copies[:, 0] * each + copies[:, 1]


def _uses(network: Network, path: LiftedWalk, copies: int) -> StateArray:
    """Return for every key 0 if the walk uses it, else -1."""
    state = np.full(len(network.pairs) * copies * copies, -1, dtype=np.int32)
    links, columns = _steps(network, path, copies)
    state[links * copies * copies + columns] = 0
    return state


def _joint_states(
    network: Network, lifted: Sequence[LiftedWalk], policy: Policy, copies: int
) -> StateArray:
    """Return for every link the number of its state, -1 for *off*."""
    shown = pattern_rows(copies, policy.link_uses)
    number = {row.tobytes(): k for k, row in enumerate(shown)}
    state = np.full(len(network.pairs), -1, dtype=np.int32)
    for walk, path in enumerate(lifted):
        links, columns = _steps(network, path, copies)
        touched, which = np.unique(links, return_inverse=True)
        pattern = np.zeros((len(touched), copies * copies), dtype=np.bool_)
        pattern[which, columns] = True
        patterns = [number[row.tobytes()] for row in pattern]
        state[touched] = np.array(patterns, dtype=np.int32) + walk * len(shown)
    return state
