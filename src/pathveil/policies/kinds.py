"""What a kind of policy is, and those with fresh coins: balanced, sealed, frontier, two-sided.

A kind is one class with its law, terms and sentences. To add a policy, write a subclass of
:class:`PolicyKind`, list it in ``policy.py`` with a constructor, and say in ``publishing/terms.py``
what it goes with: files, certificates and the command line take it from there.

Numbers are exact: whole numbers, fractions, decimals or their text; a float means its shortest
decimal form, so 0.1 is one tenth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import ClassVar, Self

from pathveil.chance.copies import LARGEST_COPIES
from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import ALWAYS, PairLaw, ReleaseLaw
from pathveil.chance.urn import Urn
from pathveil.errors import BadBudget
from pathveil.model.bits import pattern_table
from pathveil.model.certificate import Adversary, CertificateRow, Loss
from pathveil.wording import counted, times

READ = "Someone who knows the whole network reads the walk: that is the purpose."
ABSENCE = "A release can prove that two vertices are NOT linked: absence is not protected."
LIKELY = "Someone who knows the whole network reads the most likely walk: that is the purpose."
UNPROTECTED = (
    "Links that are not on the walk are unprotected: someone who has every file of the release "
    "sees them, or over a grouping their two classes."
)


class PolicyKind(ABC):
    """One way to throw coins. Subclasses are frozen dataclasses of their own parameters."""

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    """What it is good for, in one sentence."""
    example: ClassVar[str] = ""
    """Parameters as a user writes them behind ``name:``, where there are any."""
    names: ClassVar[frozenset[str]] = frozenset()
    """Parameters that may be written."""
    noisy: ClassVar[bool] = False
    """Whether bits of links may be wrong, so that the walk is read by likelihood."""
    draws_copies: ClassVar[bool] = False
    """Whether the number of copies is drawn; otherwise it is public and the same for all."""
    always_joint: ClassVar[bool] = False
    """Whether the coins of several copies are thrown together even if no ``link_uses`` is given."""
    spanning: bool = False
    """Whether it is promised that the walk visits every vertex exactly once."""

    # -- the law --------------------------------------------------------------------------------

    @abstractmethod
    def law(self, states: int) -> PairLaw:
        """Return the law of a pair that can look on-walk in this number of ways."""

    @property
    def urn(self) -> Urn | None:
        """The urn that makes rates follow earlier releases; None where every release is fresh."""
        return None

    @property
    def copy_budget(self) -> Fraction | None:
        """The budget by which copies are drawn, for kinds that draw them; None: no fakes."""
        return None

    # -- terms ----------------------------------------------------------------------------------

    def parameters(self) -> Iterable[tuple[str, str]]:
        """Return its own parameters as exact text, in a fixed order."""
        return ()

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind from parameters as text; it reads what :meth:`parameters` returns."""
        del given
        return cls()

    # -- words ----------------------------------------------------------------------------------

    def sentences(self, shared: ReleaseLaw) -> list[str]:
        """Return in plain words what is not protected, as far as this kind decides it.

        ``shared`` is the policy it is part of.
        """
        return [READ, ABSENCE, *self.copy_sentences(shared)]

    def copy_sentences(self, shared: ReleaseLaw) -> list[str]:
        """Return what the public numbers of copies, uses and walks tell."""
        assert shared.copies is not None
        lines = [f"No vertex is visited more than {times(shared.copies)}: that number is public."]
        if self.spanning:
            lines.append("The walk visits every vertex exactly once: the policy says so.")
        if shared.link_uses is not None:
            used = times(shared.link_uses)
            lines.append(f"No link is used more than {used}: the policy says so.")
        if shared.walks > 1:
            lines.append(f"The {shared.walks} walks published together share no link.")
        return lines

    def examples(self) -> tuple[Adversary, ...]:
        """Return adversaries with drawn copies that the certificate lists too."""
        return ()

    def paper_claim(self, row: CertificateRow) -> str:
        """Return what the paper claims of a row, and whether it holds; empty if nothing."""
        del row
        return ""

    def claimed(self) -> tuple[str, Loss] | None:
        """Return the paper's theorem about this kind and its number; None if there is none."""
        return None


Number = int | float | Fraction | Decimal | str

SMALLEST_BUDGET = Fraction(1, 10**9)
LARGEST_BUDGET = Fraction(10**4)


def exact_number(value: Number, *, what: str, largest: Fraction = LARGEST_BUDGET) -> Fraction:
    """Return a budget as a fraction, or raise :class:`BadBudget`.

    >>> exact_number(0.1, what="link budget"), exact_number("1/3", what="link budget")
    (Fraction(1, 10), Fraction(1, 3))
    """
    expected = f"expected a number from {float(SMALLEST_BUDGET):g} to {largest}: 1, 0.5 or 1/3, say"
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal | str):
        raise BadBudget(f"{what} is {value!r}, which is no number; {expected}")
    if isinstance(value, str) and len(value) > 40:
        raise BadBudget(f"{what} is a text of {len(value)} characters; {expected}")
    try:
        text = value.strip() if isinstance(value, str) else value
        exact = Fraction(repr(text)) if isinstance(text, float) else _fraction(text)
    except (ValueError, ZeroDivisionError, OverflowError, InvalidOperation):
        raise BadBudget(f"{what} is {value!r}, which is no finite number; {expected}") from None
    if not SMALLEST_BUDGET <= exact <= largest:
        raise BadBudget(f"{what} is {value}, which is out of range; {expected}")
    return exact


def _fraction(value: int | Fraction | Decimal | str) -> Fraction:
    if isinstance(value, str) and not value.isascii():  # digits of other scripts
        raise ValueError
    # Guard the exponent first: Fraction("1e999999999") would fill the memory.
    if isinstance(value, str) and "/" not in value:
        value = Decimal(value)
    if isinstance(value, Decimal) and value.is_finite() and value and abs(value.adjusted()) > 50:
        raise OverflowError
    return Fraction(value)


def copy_count(value: int) -> int:
    """Return a public number of copies, checked."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_COPIES:
        raise BadBudget(
            f"copies is {value!r}; expected a whole number from 1 to {LARGEST_COPIES}, the same "
            "for every vertex and public"
        )
    return value


def use_count(value: int | None, copies: int) -> int | None:
    """Return how often a link may be used, checked; None with one copy, where it is once."""
    if value is None:
        return None
    most = 2 * copies - 1  # a simple path over copies zigzags between two vertices so often
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadBudget(
            f"link_uses is {value!r}; expected a whole number from 1 to {most}: with "
            f"{counted(copies, 'copy', 'copies')} a walk cannot use a link more often"
        )
    if copies == 1:
        # With one copy of each vertex there is one copy pair, and nothing to choose.
        return None
    pattern_table(copies, value)
    return value


@dataclass(frozen=True)
class Balanced(PolicyKind):
    """Fair coins: with one copy of each vertex, every link costs ln 2, on the walk or off it."""

    name = "balanced"
    summary = "The default: fair coins hide links on the walk and off it equally well."

    def law(self, states: int) -> PairLaw:
        """Return the uniform law."""
        return PairLaw.uniform(states)


OFF_WALK_ABSENCE = (
    "That two vertices are NOT linked off the walk is not protected: an output rules such a link "
    "out. Whether a pair is a walk link or no link is not told by its bit."
)


@dataclass(frozen=True)
class Sealed(PolicyKind):
    """Every unlinked pair looks as if on the walk.

    With one copy of each vertex a walk link has loss 0, both ways. With copies an absent pair
    shows one of the patterns a walk link might show, so a walk link costs the logarithm of their
    number: ln 4 at two copies and ``link_uses=1``.
    """

    name = "sealed"
    summary = "Hides the walk's links best; every other link of the network becomes public."
    always_joint = True

    def law(self, states: int) -> PairLaw:
        """Return the law that never says *off*."""
        return PairLaw(ALWAYS, states)

    def sentences(self, shared: ReleaseLaw) -> list[str]:
        """Return what is not protected: the other links, and with several patterns absence."""
        absence = OFF_WALK_ABSENCE if (shared.copies, shared.walks) == (1, 1) else ABSENCE
        return [READ, absence, UNPROTECTED, *self.copy_sentences(shared)]


@dataclass(frozen=True)
class Frontier(PolicyKind):
    """With one copy of each vertex a walk link costs ``walk_loss``, others the least it allows."""

    walk_loss: Fraction

    name = "frontier"
    summary = "Choose how much a link of the walk may lose; links off the walk pay the rest."
    example = "walk_loss=1/2"
    names = frozenset({"walk_loss"})

    @classmethod
    def of(cls, walk_loss: Number) -> Self:
        """Return the kind with this walk-link loss."""
        return cls(exact_number(walk_loss, what="the walk loss"))

    def law(self, states: int) -> PairLaw:
        """Return the law in which each on-walk state has chance e^-walk_loss."""
        on = ExactProbability.exponential(self.walk_loss, weight=states)
        if not on.at_most(ALWAYS):
            raise BadBudget(
                f"the walk loss is {self.walk_loss}, but a link can look on-walk in {states} "
                f"ways here: that costs at least ln {states}; give a larger loss, fewer "
                "copies or link_uses"
            )
        return PairLaw(on, states)

    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return the loss."""
        return (("walk_loss", str(self.walk_loss)),)

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind of a stated loss."""
        return cls.of(given["walk_loss"])


@dataclass(frozen=True)
class TwoSided(PolicyKind):
    """No link costs more than epsilon, either way: that it is there, or that it is not.

    With one copy of each vertex a link's bit is wrong with probability e^-epsilon / 2.
    """

    epsilon: Fraction
    spanning: bool

    name = "two_sided"
    summary = "Hides absent links too, but readers get the likeliest walk, not the certain one."
    example = "epsilon=3"
    names = frozenset({"epsilon", "spanning"})
    noisy = True

    @classmethod
    def of(cls, epsilon: Number, *, spanning: bool = False) -> Self:
        """Return the kind with this budget."""
        return cls(exact_number(epsilon, what="epsilon"), spanning)

    def law(self, states: int) -> PairLaw:
        """Return the law with the least doubt that keeps to epsilon both ways.

        *Privacy*: with one copy absence costs ln(1/doubt) = epsilon, and presence ln(2 - doubt),
        which is less.
        """
        return replace(PairLaw.uniform(states), doubt=ExactProbability.exponential(self.epsilon))

    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return epsilon, and the promise if it is made."""
        return (("epsilon", str(self.epsilon)), *((("spanning", "yes"),) if self.spanning else ()))

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind of a stated budget."""
        spanning = given.get("spanning", "no")
        if spanning not in ("yes", "no"):
            raise BadBudget(f"spanning is {spanning!r}; expected yes or no")
        return cls.of(given["epsilon"], spanning=spanning == "yes")

    def sentences(self, shared: ReleaseLaw) -> list[str]:
        """Return what is not protected: the reading itself is uncertain."""
        doubt = self.law(1).doubt
        uncertain = (
            "Reading back is not certain: every link's bit is drawn afresh with probability "
            f"{float(doubt):.4g}, and the most likely walk may be a wrong one."
        )
        return [LIKELY, uncertain, *self.copy_sentences(shared)]
