"""Policies: how a custodian decides what chance does, and nothing about how it is done.

| policy | chaff rate p_on | walk edge | other edge |
|---|---|---|---|
| ``sealed()`` | 1 | loss 0, both ways | bare |
| ``balanced()`` | 1/2 | ln 2 | ln 2 |
| ``frontier(walk_loss=a)`` | e^-a | a | -ln(1 - e^-a) |
| ``paper(vertex=, edge=)`` | 1/(1 + e^(edge/2)) | ln(1 + e^(edge/2)) | ln(1 + e^(-edge/2)) |

Numbers are exact: whole numbers, fractions, decimals or their text; a float means its shortest
decimal form, so 0.1 is one tenth.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal

from pathveil.chance.exponential import ExactProbability
from pathveil.errors import BadBudget
from pathveil.model.publication import PolicyTerms

PolicyName = Literal["paper", "sealed", "balanced", "frontier"]
Number = int | float | Fraction | Decimal | str

SMALLEST_BUDGET = Fraction(1, 10**9)
LARGEST_BUDGET = Fraction(10**4)
LARGEST_COPIES = 64


def exact_number(value: Number, *, what: str) -> Fraction:
    """Return a budget as a fraction, or raise :class:`BadBudget`.

    >>> exact_number(0.1, what="edge budget"), exact_number("1/3", what="edge budget")
    (Fraction(1, 10), Fraction(1, 3))
    """
    expected = (
        f"expected a number from {float(SMALLEST_BUDGET):g} to {LARGEST_BUDGET}, "
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
    if not SMALLEST_BUDGET <= exact <= LARGEST_BUDGET:
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
    def sealed(cls, *, copies: int = 1) -> Policy:
        """Return the policy that hides walk edges perfectly and leaves the others bare."""
        return cls("sealed", copies=_copies(copies))

    @classmethod
    def balanced(cls, *, copies: int = 1) -> Policy:
        """Return the default policy: a fair coin, ln 2 for a walk edge and for any other."""
        return cls("balanced", copies=_copies(copies))

    @classmethod
    def frontier(cls, *, walk_loss: Number, copies: int = 1) -> Policy:
        """Return the policy on the frontier e^-a + e^-b = 1 with a given walk-edge loss a."""
        exact = exact_number(walk_loss, what="the walk loss")
        return cls("frontier", copies=_copies(copies), walk_loss=exact)

    @property
    def chaff(self) -> ExactProbability:
        """The probability that a pair that is no edge is published as if on the walk."""
        if self.name == "balanced":
            return ExactProbability.rational(Fraction(1, 2))
        if self.walk_loss is not None:
            return ExactProbability.exponential(self.walk_loss)
        if self.edge is not None:
            return ExactProbability.logistic(self.edge / 2)
        return ExactProbability.rational(1)

    @property
    def _parameters(self) -> tuple[tuple[str, str], ...]:
        if self.name == "paper":
            return (("vertex", _text(self.vertex)), ("edge", _text(self.edge)))
        copies = (("copies", str(self.copies)),)
        if self.name == "frontier":
            return (("walk_loss", _text(self.walk_loss)), *copies)
        return copies

    def terms(self) -> PolicyTerms:
        """Return the policy as a publication states it."""
        return PolicyTerms(self.name, self._parameters)

    @classmethod
    def from_terms(cls, terms: PolicyTerms) -> Policy:
        """Return the policy a publication states; inverse of :meth:`terms`."""
        given = dict(terms.parameters)
        try:
            if terms.name == "paper":
                off = {key: None if given[key] == "off" else given[key] for key in given}
                policy = cls.paper(vertex=off["vertex"], edge=off["edge"])
            elif terms.name == "sealed":
                policy = cls.sealed(copies=int(given["copies"]))
            elif terms.name == "balanced":
                policy = cls.balanced(copies=int(given["copies"]))
            elif terms.name == "frontier":
                policy = cls.frontier(walk_loss=given["walk_loss"], copies=int(given["copies"]))
            else:
                raise BadBudget(f"{terms.name!r} is no policy this version knows")
        except (KeyError, ValueError) as error:
            raise BadBudget(f"the policy {terms} cannot be read: {error}") from None
        return policy

    def __repr__(self) -> str:
        return f"Policy.{self.terms()}"


def _copies(value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_COPIES:
        raise BadBudget(
            f"copies is {value!r}; expected a whole number from 1 to {LARGEST_COPIES}, the same "
            "for every vertex and public"
        )
    return value


def _text(value: Fraction | None) -> str:
    return "off" if value is None else str(value)
