"""Policy: a kind of policy with its public numbers, its law, and the text that states it.

Every kind of policy there is, is named here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from pathveil.chance.certify import certify
from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import MOST_BITS, PairLaw
from pathveil.chance.urn import Urn
from pathveil.errors import BadArgument, BadBudget, Incompatible
from pathveil.model.bits import pattern_count, pattern_table
from pathveil.model.certificate import Adversary, Certificate, PolicyTerms
from pathveil.policies.kinds import (
    Balanced,
    Frontier,
    Number,
    PolicyKind,
    Sealed,
    TwoSided,
    copy_count,
    use_count,
)
from pathveil.policies.paper import Paper
from pathveil.policies.remembering import LIKE_LINKS, Remembering
from pathveil.wording import did_you_mean

KINDS: tuple[type[PolicyKind], ...] = (Balanced, Sealed, Frontier, Remembering, TwoSided, Paper)
"""Every kind of policy there is; the default first."""

MOST_WALKS = 1 << 16
"""Walks that may be published together."""

_SHARED = ("copies", "link_uses", "walks", "value_bits")
"""Parameters that every kind may state."""


def kind_named(name: str) -> type[PolicyKind]:
    """Return the kind of policy with this name, or raise :class:`BadBudget`."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in KINDS)
    asked = did_you_mean(name, [kind.name for kind in KINDS])
    raise BadBudget(f"{name!r} is no policy this version knows; it knows {known}{asked}")


@dataclass(frozen=True, repr=False)
class Policy:
    """How copies and coins are drawn. Use one of the named constructors.

    Everything in a policy is public and must be chosen without looking at the walk; only *how
    many* copies and uses are enough may be asked of it, and the answer is then public.

    Parameters
    ----------
    kind
        How an unlinked pair is drawn.
    copies
        Public number of copies of each vertex; None where it is drawn.
    link_uses
        How often the walk uses a link at most, where coins of copies are thrown together.
    walks
        How many walks are published together.
    value_bits
        In a sketch pairs have values of this number of bits, and every chance is a whole number of
        2^-value_bits: the nearest to the one the kind asks for. None: chances are exact.

    Examples
    --------
    >>> print(Policy.balanced(), Policy.paper(vertex=1, link="0.5"), Policy.sealed(copies=2))
    balanced paper:vertex=1,link=1/2 sealed:copies=2
    >>> Policy.parse("frontier:walk_loss=1/2") == Policy.frontier(walk_loss="0.5")
    True
    """

    kind: PolicyKind
    copies: int | None = 1
    link_uses: int | None = None
    walks: int = 1
    value_bits: int | None = None

    def __post_init__(self) -> None:
        if not hasattr(self.kind, "draws_copies"):
            write = "write pv.Policy.sealed(), say, or pv.Policy.parse('sealed')"
            raise BadArgument.of("the kind of policy", self.kind, write)

    # -- the law --------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What its kind is called."""
        return self.kind.name

    @property
    def noisy(self) -> bool:
        """Whether bits of links may be wrong, so that the walk is read by likelihood."""
        return self.kind.noisy

    @property
    def urn(self) -> Urn | None:
        """The urn that makes rates follow earlier releases; None where every release is fresh."""
        return self.kind.urn

    @property
    def copy_budget(self) -> Fraction | None:
        """The budget by which copies are drawn, if they are; None: no fakes."""
        return self.kind.copy_budget

    @property
    def spanning(self) -> bool:
        """Whether it is promised that the walk visits every vertex exactly once."""
        return self.kind.spanning

    @property
    def joint(self) -> bool:
        """Whether the coins of a vertex pair are thrown together: one draw for all its copies."""
        if self.walks > 1:
            return True
        several = self.copies is not None and self.copies > 1
        return several and (self.link_uses is not None or self.kind.always_joint)

    @property
    def states(self) -> int:
        """How many states of a drawn pair look as if on a walk."""
        if not self.joint:
            return 1
        assert self.copies is not None, "drawn copies are never joint"
        return self.walks * pattern_count(self.copies, self.link_uses)

    def law(self) -> PairLaw:
        """Return the law of a vertex pair.

        With independent coins (:attr:`joint` is False) it is the law of each copy pair.
        """
        return _law(self)

    @property
    def chaff(self) -> ExactProbability:
        """The probability that an unlinked copy pair is published as if on the walk."""
        law = self.law()
        if not self.joint:
            return law.on
        assert self.copies is not None
        pairs = self.copies**2
        if self.link_uses is None:
            mean = Fraction(1 << (pairs - 1), (1 << pairs) - 1)
        else:
            mean = Fraction(int(pattern_table(self.copies, self.link_uses)[:, 0].sum()))
            mean /= pattern_count(self.copies, self.link_uses)
        return law.on.times(ExactProbability.rational(mean / self.walks))

    # -- as text --------------------------------------------------------------------------------

    def sentences(self) -> list[str]:
        """Return in plain words what the policy does not protect."""
        return self.kind.sentences(self)

    def certificate(self) -> Certificate:
        """Return what one file promises by default, to compare policies before publishing.

        >>> Policy.parse("sealed").certificate().to_pandas()["presence"].tolist()[:2]
        [0.0, inf]
        """
        return certify(self)

    def examples(self) -> tuple[Adversary, ...]:
        """Return adversaries with drawn copies that the certificate lists too."""
        return self.kind.examples()

    def terms(self) -> PolicyTerms:
        """Return the policy as a publication states it."""
        walks = self.walks if self.walks > 1 else None
        values = (self.copies, self.link_uses, walks, self.value_bits)
        shared = zip(_SHARED, values, strict=True)
        stated = [(name, str(value)) for name, value in shared if value is not None]
        return PolicyTerms(self.name, (*self.kind.parameters(), *stated), self.noisy)

    @classmethod
    def from_terms(cls, terms: PolicyTerms) -> Policy:
        """Return the policy a publication states; inverse of :meth:`terms`."""
        return cls._stated(terms.name, dict(terms.parameters))

    @classmethod
    def parse(cls, text: str) -> Policy:
        """Return the policy of a text such as ``frontier:walk_loss=1/2``; inverse of ``str``.

        Raises
        ------
        BadBudget
            If the text names no policy, or lacks a number, or has one that is out of range.

        Examples
        --------
        >>> Policy.parse("remembering:usage=0.2")
        Policy.parse('remembering:usage=1/5')
        """
        name, _, rest = text.strip().partition(":")
        given: dict[str, str] = {}
        for item in rest.split(",") if rest else ():
            key, equals, value = (part.strip() for part in item.partition("="))
            if not equals or not key or not value or key in given:
                usual = [f"{one.name}:{one.example}".removesuffix(":") for one in KINDS]
                raise BadBudget(
                    f"{text!r}: {item!r} is no name=value of its own; write a policy as "
                    + ", ".join(usual)
                )
            given[key] = value
        return cls._stated(name.strip().replace("-", "_"), given)

    @classmethod
    def _stated(cls, name: str, given: Mapping[str, str]) -> Policy:
        """Return the policy of a name and parameters as text."""
        kind = kind_named(name)
        shared = _SHARED[2:] if kind.draws_copies else _SHARED
        known = [*sorted(kind.names), *shared[:2]]
        odd = next((key for key in given if key not in kind.names and key not in _SHARED), None)
        if odd is not None:
            raise BadBudget(
                f"the {name} policy has no parameter {odd!r}; it has {', '.join(known)}"
                f"{did_you_mean(odd, known)}"
            )
        try:
            own = kind.from_parameters({key: given[key] for key in given if key not in _SHARED})
            copies, uses, walks, bits = (_whole_number(given, key) for key in _SHARED)
            policy = cls.of(own, copies=1 if copies is None else copies, link_uses=uses)
            policy = policy if walks is None else policy.together(walks)
            return policy if bits is None else policy.in_values_of(bits)
        except KeyError as error:
            raise BadBudget(
                f"the {name} policy needs {error}; write for instance {name}:{kind.example}"
            ) from None
        except (Incompatible, BadBudget):
            raise
        except (ValueError, TypeError, RecursionError) as error:
            raise BadBudget(f"the policy {name!r} cannot be read: {error}") from None

    def __str__(self) -> str:
        return str(self.terms())

    def __repr__(self) -> str:
        text, urn = str(self), self.urn
        if urn is not None and urn.on == LIKE_LINKS:
            usage = urn.on / (urn.on + urn.off)
            text = text.replace(f"on={urn.on},off={urn.off}", f"usage={usage}")
        return f"Policy.parse({text!r})"

    # -- made from others -----------------------------------------------------------------------

    @classmethod
    def of(cls, kind: PolicyKind, *, copies: int = 1, link_uses: int | None = None) -> Policy:
        """Return the policy of a kind with public copies and uses, checked to have a law."""
        if kind.draws_copies or kind.noisy:
            if copies != 1 or link_uses is not None:
                why = (
                    "it draws the number of copies of each vertex itself"
                    if kind.draws_copies
                    else "what several noisy bits of one link say together is not worked out"
                )
                raise Incompatible(
                    f"{kind.name} does not go with copies: {why}; leave copies and link_uses out, "
                    "or take another policy"
                )
            return cls(kind, copies=None if kind.draws_copies else 1)
        policy = cls(kind, copy_count(copies), use_count(link_uses, copies))
        policy.law()
        return policy

    def together(self, walks: int) -> Policy:
        """Return the same policy for several link-disjoint walks in one release."""
        if isinstance(walks, bool) or not isinstance(walks, int) or not 1 <= walks <= MOST_WALKS:
            raise BadBudget(f"walks is {walks!r}; expected a whole number from 1 to {MOST_WALKS}")
        plain = isinstance(self.kind, Balanced) and self.copies == 1 and self.value_bits is None
        if walks > 1 and not plain:
            raise Incompatible(
                f"{self} does not go with several walks in one release: only balanced with one "
                "copy does; publish the walks one by one, or together with Policy.balanced()"
            )
        return replace(self, walks=walks)

    def in_values_of(self, bits: int) -> Policy:
        """Return the same policy with chances rounded to whole numbers of 2^-bits, for a sketch.

        >>> law = Policy.frontier(walk_loss=1).in_values_of(8).law()
        >>> law.on.as_fraction, round(float(law.on) - 2.718281828 ** -1, 4)
        (Fraction(47, 128), -0.0007)
        """
        if isinstance(bits, bool) or not isinstance(bits, int) or not 1 <= bits <= MOST_BITS:
            raise BadBudget(
                f"value_bits is {bits!r}; expected a whole number from 1 to {MOST_BITS}"
            )
        if self.kind.urn is not None:
            raise BadBudget(
                f"{self} has no value_bits: it draws for files that follow each other, not for a "
                "sketch; leave value_bits out"
            )
        policy = replace(self, value_bits=bits)
        policy.law()
        return policy

    def in_sketch(self) -> Policy:
        """Return the same policy with the dyadic chances that a sketch can keep.

        >>> Policy.balanced().in_sketch()
        Policy.parse('balanced:value_bits=1')
        """
        exact = replace(self, value_bits=None)
        return exact.in_values_of(exact.law().value_bits())

    # -- the kinds ------------------------------------------------------------------------------

    @classmethod
    def paper(cls, *, vertex: Number | None, link: Number | None) -> Policy:
        """Return the paper's policy: Alg. 1 with the vertex budget, Alg. 2 with the link budget.

        None switches a step off, as the paper's experiments do: without ``vertex`` no fake copies
        are made, without ``link`` every absent pair counts as on the walk.

        Examples
        --------
        >>> policy = Policy.paper(vertex=1, link=None)
        >>> print(policy)
        paper:vertex=1,link=off
        >>> policy.chaff.as_fraction
        Fraction(1, 1)
        """
        return cls.of(Paper.of(vertex=vertex, link=link))

    @classmethod
    def sealed(cls, *, copies: int = 1, link_uses: int | None = None) -> Policy:
        """Return the policy under which walk links look unlinked; other links are unprotected.

        With one copy of each vertex a walk link has loss 0, both ways. With copies an absent pair
        shows one of the patterns a walk link might show, so a walk link costs the logarithm of
        their number: ln 4 at two copies and ``link_uses=1``.

        Examples
        --------
        >>> Policy.sealed(copies=2, link_uses=1).law().chance(on_walk=True).as_fraction
        Fraction(1, 4)
        """
        return cls.of(Sealed(), copies=copies, link_uses=link_uses)

    @classmethod
    def balanced(cls, *, copies: int = 1, link_uses: int | None = None) -> Policy:
        """Return the default policy: a fair coin, ln 2 for a walk link and for any other.

        With copies: copies^2 ln 2 for any walk; ln(copies^2 + 1) with ``link_uses=1``, for walks
        that use no link twice.

        Examples
        --------
        >>> Policy.balanced().chaff.as_fraction
        Fraction(1, 2)
        >>> Policy.balanced(copies=2, link_uses=1).law().chance(on_walk=True).as_fraction
        Fraction(1, 5)
        """
        return cls.of(Balanced(), copies=copies, link_uses=link_uses)

    @classmethod
    def frontier(
        cls, *, walk_loss: Number, copies: int = 1, link_uses: int | None = None
    ) -> Policy:
        """Return the policy on the frontier e^-a + e^-b = 1 with a given walk-link loss a.

        With several copies and independent coins ``walk_loss`` is the loss of one copy pair, see
        the certificate for the link's; with ``link_uses`` it is the loss of the link itself, and
        the frontier is S e^-a + e^-b = 1 with S patterns.

        Examples
        --------
        >>> policy = Policy.frontier(walk_loss="0.5")
        >>> print(policy)
        frontier:walk_loss=1/2
        >>> round(float(policy.chaff), 4)  # e^-0.5
        0.6065
        """
        return cls.of(Frontier.of(walk_loss), copies=copies, link_uses=link_uses)

    @classmethod
    def remembering(
        cls,
        *,
        prior: tuple[Number, Number] | None = None,
        usage: Number | None = None,
        copies: int = 1,
        link_uses: int | None = None,
    ) -> Policy:
        """Return the policy for several releases over one network: chaff that remembers.

        An unlinked pair is shown on the walk with chance (k + a)/(t + a + b) after it was
        shown in k of t earlier releases of the series, ``publish(..., after=[...])``. A link on k
        of T walks then costs ln B(a, b) - ln B(k + a, T - k + b): with the prior 1/2, 1/2 about
        (1/2) ln(pi T) for a link never used, where fresh fair coins cost T ln 2. With copies each
        use also costs the logarithm of the number of patterns.

        Parameters
        ----------
        usage
            The public, expected share of walks that a link lies on; ``pathveil plan`` finds it.
            Chaff is then shown about as often as links are, which leaves less to somebody who
            counts.
        prior
            Instead: the urn's balls (a, b) at the beginning. With 1/2 and 1/2 the first release is
            drawn with fair coins.

        Examples
        --------
        >>> print(Policy.remembering(usage="0.2"), Policy.remembering(prior=("1/2", "1/2")))
        remembering:on=4,off=16 remembering:on=1/2,off=1/2
        """
        kind = Remembering.of(prior=prior, usage=usage)
        return cls.of(kind, copies=copies, link_uses=link_uses)

    @classmethod
    def two_sided(cls, *, epsilon: Number, spanning: bool = False) -> Policy:
        """Return the policy that protects presence *and* absence of any link by epsilon.

        The price is certainty: with one copy of each vertex a link's bit is wrong with probability
        e^-epsilon / 2, and a reader who knows the network gets the most likely walk.

        Parameters
        ----------
        epsilon
            The most that any one link loses, either way. At 3, walks through all vertices of maps
            of 12 vertices and 18 links were read back in 92 % of cases if ``spanning``, else in
            82 %.
        spanning
            Public promise that the walk visits every vertex exactly once; it makes reading back
            more certain.

        Examples
        --------
        >>> policy = Policy.two_sided(epsilon=3)
        >>> round(float(policy.law().doubt), 4)  # e^-3: half of these bits come out wrong
        0.0498
        """
        return cls.of(TwoSided.of(epsilon, spanning=spanning))


@lru_cache(maxsize=1024)
def _law(policy: Policy) -> PairLaw:
    """Return the law of a vertex pair; asked for with every release."""
    law = policy.kind.law(policy.states)
    return law if policy.value_bits is None else law.rounded(policy.value_bits)


def _whole_number(given: Mapping[str, str], key: str) -> int | None:
    """Return a count that is given as text; None if it is not given."""
    text = given.get(key)
    if text is not None and not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise BadBudget(f"{key} is {text[:20]!r}; expected a whole number, such as 2")
    return None if text is None else int(text)
