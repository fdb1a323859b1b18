"""Policies: how a custodian decides what chance does, and nothing about how it is done.

| policy | chaff rate p_on | walk edge | other edge |
|---|---|---|---|
| ``sealed()`` | 1 | loss 0, both ways | bare |
| ``balanced()`` | 1/2 | ln 2 | ln 2 |
| ``frontier(walk_loss=a)`` | e^-a | a | -ln(1 - e^-a) |
| ``labelled(labels, rates)`` | by label pair | ln(1/rate) | ln(1/(1 - rate)) |
| ``two_sided(epsilon=)`` | 1/2, edges in doubt too | epsilon, both ways | epsilon, both ways |
| ``paper(vertex=, edge=)`` | 1/(1 + e^(edge/2)) | ln(1 + e^(edge/2)) | ln(1 + e^(-edge/2)) |

The table is for one copy of each vertex. A walk that revisits a vertex needs ``copies=``. Then
either every copy pair has a coin of its own and losses add up (``edge_uses=None``: any walk can be
published), or the coins of a vertex pair are thrown together and cost ln K, K the number of states
an edge can be in (``edge_uses=1``: the walk uses no edge twice; K = copies^2 + 1). Walks published
together share their coins in the same way. See :mod:`pathveil.chance.law`.

Numbers are exact: whole numbers, fractions, decimals or their text; a float means its shortest
decimal form, so 0.1 is one tenth.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Literal

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import ALWAYS, PairLaw, pattern_count, pattern_table
from pathveil.errors import BadBudget, UnknownVertex
from pathveil.model.publication import PolicyTerms

PolicyName = Literal["paper", "sealed", "balanced", "frontier", "labelled", "two-sided"]
Number = int | float | Fraction | Decimal | str

SMALLEST_BUDGET = Fraction(1, 10**9)
LARGEST_BUDGET = Fraction(10**4)
LARGEST_COPIES = 64


def exact_number(
    value: Number,
    *,
    what: str,
    smallest: Fraction = SMALLEST_BUDGET,
    largest: Fraction = LARGEST_BUDGET,
) -> Fraction:
    """Return a budget as a fraction, or raise :class:`BadBudget`.

    >>> exact_number(0.1, what="edge budget"), exact_number("1/3", what="edge budget")
    (Fraction(1, 10), Fraction(1, 3))
    """
    expected = (
        f"expected a number from {float(smallest):g} to {largest}, "
        "such as 1, 0.5, '1/3' or Fraction(1, 3)"
    )
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal | str):
        raise BadBudget(f"{what} is {value!r}, which is no number; {expected}")
    if isinstance(value, str) and len(value) > 40:
        raise BadBudget(f"{what} is a text of {len(value)} characters; {expected}")
    try:
        text = value.strip() if isinstance(value, str) else value
        exact = Fraction(repr(text)) if isinstance(text, float) else _fraction(text)
    except (ValueError, ZeroDivisionError, OverflowError, InvalidOperation):
        raise BadBudget(f"{what} is {value!r}, which is no finite number; {expected}") from None
    if not smallest <= exact <= largest:
        raise BadBudget(f"{what} is {value}, which is out of range; {expected}")
    return exact


def _fraction(value: int | Fraction | Decimal | str) -> Fraction:
    # Guard the exponent first: Fraction("1e999999999") would fill the memory.
    if isinstance(value, str) and "/" not in value:
        value = Decimal(value)
    if isinstance(value, Decimal) and value.is_finite() and value and abs(value.adjusted()) > 50:
        raise OverflowError
    return Fraction(value)


@dataclass(frozen=True)
class Policy:
    """How copies and coins are drawn. Use one of the named constructors.

    Everything in a policy is public and must be chosen without looking at the walk; only *how
    many* copies and uses are enough may be asked of it, and the answer is then public.

    Examples
    --------
    >>> Policy.balanced()
    Policy.balanced(copies=1)
    >>> Policy.paper(vertex=1, edge="0.5").edge
    Fraction(1, 2)
    """

    name: PolicyName
    copies: int | None = 1
    vertex: Fraction | None = None
    edge: Fraction | None = None
    walk_loss: Fraction | None = None
    epsilon: Fraction | None = None
    spanning: bool = False
    edge_uses: int | None = None
    walks: int = 1
    labels: tuple[tuple[str, str], ...] = ()
    rates: tuple[tuple[str, str, Fraction], ...] = ()

    # -- making ---------------------------------------------------------------------------------

    @classmethod
    def paper(cls, *, vertex: Number | None, edge: Number | None) -> Policy:
        """Return the paper's policy: Alg. 1 with the vertex budget, Alg. 2 with the edge budget.

        None switches a step off, as the paper's experiments do: without ``vertex`` no fake copies
        are made, without ``edge`` every absent pair counts as on the walk.
        """
        return cls(
            "paper",
            copies=None,
            vertex=None if vertex is None else exact_number(vertex, what="the vertex budget"),
            edge=None if edge is None else exact_number(edge, what="the edge budget"),
        )

    @classmethod
    def sealed(cls, *, copies: int = 1, edge_uses: int | None = None) -> Policy:
        """Return the policy that hides walk edges perfectly and leaves the others bare.

        With copies an absent pair shows one of the patterns a walk edge might show, so a walk edge
        costs the logarithm of their number: ln 4 at two copies and ``edge_uses=1``.
        """
        return cls("sealed", copies=_copies(copies), edge_uses=_uses(edge_uses, copies))

    @classmethod
    def balanced(cls, *, copies: int = 1, edge_uses: int | None = None) -> Policy:
        """Return the default policy: a fair coin, ln 2 for a walk edge and for any other.

        With copies: copies^2 ln 2 for any walk; ln(copies^2 + 1) with ``edge_uses=1``, for walks
        that use no edge twice.
        """
        return cls("balanced", copies=_copies(copies), edge_uses=_uses(edge_uses, copies))

    @classmethod
    def frontier(
        cls, *, walk_loss: Number, copies: int = 1, edge_uses: int | None = None
    ) -> Policy:
        """Return the policy on the frontier e^-a + e^-b = 1 with a given walk-edge loss a.

        With several copies and independent coins ``walk_loss`` is the loss of one copy pair, see
        the certificate for the edge's; with ``edge_uses`` it is the loss of the edge itself, and
        the frontier is S e^-a + e^-b = 1 with S patterns.
        """
        exact = exact_number(walk_loss, what="the walk loss")
        policy = cls(
            "frontier",
            copies=_copies(copies),
            walk_loss=exact,
            edge_uses=_uses(edge_uses, copies),
        )
        policy.law()
        return policy

    @classmethod
    def labelled(
        cls,
        labels: Mapping[str, str],
        rates: Mapping[tuple[str, str], Number],
        *,
        copies: int = 1,
        edge_uses: int | None = None,
    ) -> Policy:
        """Return the policy whose chaff rate depends on the public labels of the two ends.

        Parameters
        ----------
        labels
            The label of each vertex. Public: they must be known without the network's edges.
        rates
            For each pair of labels, in either order, the chance that a pair that is no edge looks
            as if on the walk: from 0 to 1.

        Examples
        --------
        >>> kinds = {"a": "hub", "b": "leaf"}
        >>> policy = Policy.labelled(
        ...     kinds, {("hub", "hub"): "1/2", ("hub", "leaf"): "0.9", ("leaf", "leaf"): 1}
        ... )
        >>> policy.law("leaf", "hub").on.as_fraction
        Fraction(9, 10)
        """
        table: dict[tuple[str, str], Fraction] = {}
        for (first, second), rate in rates.items():
            what = f"the rate of {first!r} and {second!r}"
            exact = exact_number(rate, what=what, smallest=Fraction(0), largest=Fraction(1))
            key = (first, second) if first <= second else (second, first)
            if table.setdefault(key, exact) != exact:
                raise BadBudget(f"{what} is given twice, as {table[key]} and {exact}; keep one")
        known = sorted(set(labels.values()))
        for pair in combinations_with_replacement(known, 2):
            if pair not in table:
                raise BadBudget(
                    f"no rate for the labels {pair[0]!r} and {pair[1]!r}; the {len(known)} labels "
                    f"need {len(known) * (len(known) + 1) // 2} rates, {len(table)} are given"
                )
        return cls(
            "labelled",
            copies=_copies(copies),
            edge_uses=_uses(edge_uses, copies),
            labels=tuple(sorted(labels.items())),
            rates=tuple((*pair, table[pair]) for pair in combinations_with_replacement(known, 2)),
        )

    @classmethod
    def two_sided(cls, *, epsilon: Number, copies: int = 1, spanning: bool = False) -> Policy:
        """Return the policy that protects presence *and* absence of any edge by epsilon.

        The price is certainty: an edge's bit is wrong with probability e^-epsilon / 2, and who
        knows the network reads the most likely walk (THEORY T3).

        Parameters
        ----------
        epsilon
            The loss of any one edge, both ways. 3 reads a walk of a dozen vertices back nine times
            in ten.
        copies
            Public number of copies of each vertex; with more than one the walk may revisit
            vertices but use no edge twice.
        spanning
            Public promise that the walk visits every vertex exactly once; it makes reading back
            more certain.
        """
        if spanning and copies != 1:
            raise BadBudget(
                f"spanning with copies={copies}; a spanning walk visits every vertex exactly once "
                "and needs copies=1"
            )
        return cls(
            "two-sided",
            copies=_copies(copies),
            epsilon=exact_number(epsilon, what="epsilon"),
            spanning=spanning,
            edge_uses=1 if copies > 1 else None,
        )

    def together(self, walks: int) -> Policy:
        """Return the same policy for several edge-disjoint walks in one release (THEORY T4)."""
        if self.name in {"paper", "two-sided"} and walks != 1:
            raise BadBudget(
                f"the {self.name} policy publishes one walk at a time; use balanced, sealed, "
                "frontier or labelled to publish walks together"
            )
        if isinstance(walks, bool) or not isinstance(walks, int) or not 1 <= walks <= 1 << 16:
            raise BadBudget(f"walks is {walks!r}; expected a whole number from 1 to {1 << 16}")
        policy = replace(self, walks=walks)
        if not policy.labels:
            policy.law()
        return policy

    # -- the law --------------------------------------------------------------------------------

    @property
    def joint(self) -> bool:
        """Whether the coins of a vertex pair are thrown together: one draw for all its copies."""
        if self.walks > 1:
            return True
        several = self.copies is not None and self.copies > 1
        return several and (self.edge_uses is not None or self.name == "sealed")

    @property
    def states(self) -> int:
        """How many states of a drawn pair look as if on a walk."""
        if not self.joint:
            return 1
        assert self.copies is not None, "the paper's copies are drawn and never joint"
        return self.walks * pattern_count(self.copies, self.edge_uses)

    def law(self, first: str | None = None, second: str | None = None) -> PairLaw:
        """Return the law of a vertex pair, by the labels of its ends where there are labels.

        With independent coins (:attr:`joint` is False) it is the law of each copy pair.
        """
        states = self.states
        if self.epsilon is not None:
            return PairLaw.two_sided(self.epsilon, states)
        if self.name == "balanced":
            return PairLaw.uniform(states)
        if self.walk_loss is not None:
            on = ExactProbability.exponential(self.walk_loss, weight=states)
            if not on.at_most(ALWAYS):
                raise BadBudget(
                    f"the walk loss is {self.walk_loss}, but an edge can look on-walk in {states} "
                    f"ways here: that costs at least ln {states}; give a larger loss, fewer "
                    "copies, edge_uses or walks"
                )
            return PairLaw(on, states)
        if self.rates:
            return PairLaw(ExactProbability.rational(self._rate(first, second)), states)
        if self.edge is not None:
            return PairLaw(ExactProbability.logistic(self.edge / 2), states)
        return PairLaw(ALWAYS, states)

    @property
    def chaff(self) -> ExactProbability:
        """The probability that a copy pair that is no edge is published as if on the walk."""
        law = self.law()
        if not self.joint:
            return law.on
        assert self.copies is not None
        pairs = self.copies**2
        if self.edge_uses is None:
            mean = Fraction(1 << (pairs - 1), (1 << pairs) - 1)
        else:
            mean = Fraction(int(pattern_table(self.copies, self.edge_uses)[:, 0].sum()))
            mean /= pattern_count(self.copies, self.edge_uses)
        return law.on.times(ExactProbability.rational(mean / self.walks))

    def label_of(self, vertex: str) -> str:
        """Return the public label of a vertex."""
        try:
            return self._label[vertex]
        except KeyError:
            raise UnknownVertex(
                f"vertex {vertex!r} is none of the {len(self.labels)} that the policy labels; "
                "label every vertex of the network"
            ) from None

    @cached_property
    def _label(self) -> dict[str, str]:
        return dict(self.labels)

    def _rate(self, first: str | None, second: str | None) -> Fraction:
        pair = (first, second)
        for one, other, rate in self.rates:
            if pair in {(one, other), (other, one)}:
                return rate
        known = ", ".join(sorted({one for one, _, _ in self.rates}))
        raise BadBudget(
            f"a labelled policy has a rate for each pair of labels, not for {pair}; ask for two "
            f"of: {known}"
        )

    # -- as text --------------------------------------------------------------------------------

    @property
    def _parameters(self) -> tuple[tuple[str, str], ...]:
        if self.name == "paper":
            return (("vertex", _text(self.vertex)), ("edge", _text(self.edge)))
        found = []
        if self.walk_loss is not None:
            found.append(("walk_loss", _text(self.walk_loss)))
        if self.epsilon is not None:
            found.append(("epsilon", _text(self.epsilon)))
        if self.rates:
            found.append(("labels", _json(dict(self.labels))))
            found.append(("rates", _json([[a, b, str(rate)] for a, b, rate in self.rates])))
        found.append(("copies", str(self.copies)))
        if self.edge_uses is not None and self.epsilon is None:
            found.append(("edge_uses", str(self.edge_uses)))
        if self.spanning:
            found.append(("spanning", "yes"))
        if self.walks > 1:
            found.append(("walks", str(self.walks)))
        return tuple(found)

    def terms(self) -> PolicyTerms:
        """Return the policy as a publication states it."""
        return PolicyTerms(self.name, self._parameters)

    @classmethod
    def from_terms(cls, terms: PolicyTerms) -> Policy:
        """Return the policy a publication states; inverse of :meth:`terms`."""
        try:
            return _read_terms(terms.name, dict(terms.parameters))
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise BadBudget(f"the policy {terms.name!r} cannot be read: {error}") from None

    def __repr__(self) -> str:
        return f"Policy.{str(self.terms()).replace('-', '_', 1)}"


def _read_terms(name: str, given: dict[str, str]) -> Policy:
    if name == "paper":
        off = {key: None if given[key] == "off" else given[key] for key in given}
        return Policy.paper(vertex=off["vertex"], edge=off["edge"])
    copies = int(given["copies"])
    uses = int(given["edge_uses"]) if "edge_uses" in given else None
    if name == "two-sided":
        return Policy.two_sided(
            epsilon=given["epsilon"], copies=copies, spanning=given.get("spanning") == "yes"
        )
    if name == "sealed":
        policy = Policy.sealed(copies=copies, edge_uses=uses)
    elif name == "balanced":
        policy = Policy.balanced(copies=copies, edge_uses=uses)
    elif name == "frontier":
        policy = Policy.frontier(walk_loss=given["walk_loss"], copies=copies, edge_uses=uses)
    elif name == "labelled":
        rates = {(a, b): rate for a, b, rate in json.loads(given["rates"])}
        policy = Policy.labelled(json.loads(given["labels"]), rates, copies=copies, edge_uses=uses)
    else:
        raise BadBudget(f"{name!r} is no policy this version knows")
    return policy.together(int(given["walks"])) if "walks" in given else policy


def _copies(value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_COPIES:
        raise BadBudget(
            f"copies is {value!r}; expected a whole number from 1 to {LARGEST_COPIES}, the same "
            "for every vertex and public"
        )
    return value


def _uses(value: int | None, copies: int) -> int | None:
    if value is None or copies == 1:
        # With one copy of each vertex there is one copy pair, and nothing to choose.
        return None
    most = 2 * copies - 1  # a simple path over copies zigzags between two vertices so often
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadBudget(
            f"edge_uses is {value!r}; expected a whole number from 1 to {most}: with {copies} "
            "copies a walk cannot use an edge more often"
        )
    pattern_table(copies, value)
    return value


def _text(value: Fraction | None) -> str:
    return "off" if value is None else str(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
