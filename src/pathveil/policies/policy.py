"""Making a policy: by the name of its kind, from the terms a publication states, for a sketch.

A kind of policy with its public numbers: the laws it draws by, and the terms it states.

What any policy does once it is made; how one is made is in :mod:`pathveil.policies.policy`.

Every kind of policy there is. A new one is named here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.errors import BadBudget
from pathveil.model.bits import pattern_count, pattern_table
from pathveil.model.certificate import PolicyTerms
from pathveil.model.names import did_you_mean
from pathveil.policies.base import Labels, Number, PolicyKind, Shared, copy_count, use_count
from pathveil.policies.labelled import Labelled
from pathveil.policies.paper import Paper
from pathveil.policies.remembering import Remembering
from pathveil.policies.simple import Balanced, Frontier, Sealed
from pathveil.policies.two_sided import TwoSided


@dataclass(frozen=True)
class StatedPolicy:
    """How copies and coins are drawn, and how a publication says so.

    Fields are the parameters of :class:`pathveil.Policy`, which has the constructors.
    """

    kind: PolicyKind
    copies: int | None = 1
    link_uses: int | None = None
    walks: int = 1
    value_bits: int | None = None

    # -- the law --------------------------------------------------------------------------------

    @property
    def noisy(self) -> bool:
        """Whether bits of links may be wrong, so that the walk is read by likelihood."""
        return self.kind.noisy

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

    def law(self, first: str | None = None, second: str | None = None) -> PairLaw:
        """Return the law of a vertex pair, by the labels of its ends where there are labels.

        With independent coins (:attr:`joint` is False) it is the law of each copy pair.
        """
        labels = None if first is None or second is None else (first, second)
        law = self.kind.law(self.states, labels)
        return law if self.value_bits is None else law.rounded(self.value_bits)

    @cached_property
    def label_pairs(self) -> tuple[Labels, ...]:
        """Pairs of public labels, each with a law of its own; empty if all pairs are alike."""
        return tuple(combinations_with_replacement(self.kind.labels, 2))

    def laws(self) -> tuple[tuple[Labels | None, PairLaw], ...]:
        """Return every law in use, with the labels it is for; None where all pairs are alike."""
        pairs: tuple[Labels | None, ...] = self.label_pairs or (None,)
        return tuple((pair, self.law(*(pair or ()))) for pair in pairs)

    @property
    def chaff(self) -> ExactProbability:
        """The probability that a copy pair that is no link is published as if on the walk."""
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

    @property
    def shared(self) -> Shared:
        """The public numbers that do not belong to the kind."""
        return Shared(self.copies, self.link_uses, self.walks)

    def sentences(self) -> list[str]:
        """Return in plain words what the policy does not protect."""
        return self.kind.sentences(self.shared)

    def terms(self) -> PolicyTerms:
        """Return the policy as a publication states it."""
        found = list(self.kind.parameters())
        if self.copies is not None:
            found.append(("copies", str(self.copies)))
        if self.link_uses is not None and self.kind.takes_link_uses:
            found.append(("link_uses", str(self.link_uses)))
        if self.walks > 1:
            found.append(("walks", str(self.walks)))
        if self.value_bits is not None:
            found.append(("value_bits", str(self.value_bits)))
        return PolicyTerms(self.kind.name, tuple(found), self.kind.noisy)


KINDS: tuple[type[PolicyKind], ...] = (
    Balanced,
    Sealed,
    Frontier,
    Remembering,
    TwoSided,
    Labelled,
    Paper,
)
"""Every kind of policy there is; the default first."""


def kind_named(name: str) -> type[PolicyKind]:
    """Return the kind of policy with this name, or raise :class:`BadBudget`."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in KINDS)
    asked = did_you_mean(name, [kind.name for kind in KINDS])
    raise BadBudget(f"{name!r} is no policy this version knows; it knows {known}{asked}")


MOST_BITS = 32
"""Bits a value of a sketch may have."""

MOST_WALKS = 1 << 16
"""Walks that may be published together."""


@dataclass(frozen=True, repr=False)
class Policy(StatedPolicy):
    """How copies and coins are drawn. Use one of the named constructors.

    Everything in a policy is public and must be chosen without looking at the walk; only *how
    many* copies and uses are enough may be asked of it, and the answer is then public.

    Parameters
    ----------
    kind
        How a pair that is no link is drawn.
    copies
        Public number of copies of each vertex; None where it is drawn.
    link_uses
        How often the walk uses a link at most, where coins of copies are thrown together.
    walks
        How many walks are published together.
    value_bits
        In a sketch pairs have values of so many bits, and every chance is a whole number of
        2^-value_bits: the nearest to the one the kind asks for. None: chances are exact.

    Examples
    --------
    >>> Policy.balanced()
    Policy.balanced(copies=1)
    >>> Policy.paper(vertex=1, link="0.5")
    Policy.paper(vertex=1, link=1/2)
    """

    @classmethod
    def of(
        cls, kind: PolicyKind, *, copies: int = 1, link_uses: int | None = None, walks: int = 1
    ) -> Policy:
        """Return the policy of a kind with public copies and uses, checked to have a law."""
        if link_uses is not None and not kind.takes_link_uses:
            raise BadBudget(f"link_uses does not go with the {kind.name} policy; leave it out")
        if kind.draws_copies:
            if copies != 1:
                raise BadBudget(
                    f"copies is {copies!r}, but the {kind.name} policy draws the number of copies; "
                    "leave it out"
                )
            return cls(kind, copies=None)
        if kind.spanning and copies != 1:
            raise BadBudget(
                f"spanning with copies={copies}; a spanning walk visits every vertex exactly once "
                "and needs copies=1"
            )
        if kind.noisy and copies != 1:
            link_uses = 1  # what two noisy bits of one link say together is not worked out
        return cls(kind, copy_count(copies), use_count(link_uses, copies)).together(walks)

    @classmethod
    def paper(cls, *, vertex: Number | None, link: Number | None) -> Policy:
        """Return the paper's policy: Alg. 1 with the vertex budget, Alg. 2 with the link budget.

        None switches a step off, as the paper's experiments do: without ``vertex`` no fake copies
        are made, without ``link`` every absent pair counts as on the walk.

        Examples
        --------
        >>> policy = Policy.paper(vertex=1, link=None)
        >>> policy
        Policy.paper(vertex=1, link=off)
        >>> policy.chaff.as_fraction
        Fraction(1, 1)
        """
        return cls.of(Paper.of(vertex=vertex, link=link))

    @classmethod
    def sealed(cls, *, copies: int = 1, link_uses: int | None = None) -> Policy:
        """Return the policy under which walk links look like pairs that are none; others are bare.

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
        >>> policy
        Policy.frontier(walk_loss=1/2, copies=1)
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
        weight: Number | None = None,
        copies: int = 1,
        link_uses: int | None = None,
    ) -> Policy:
        """Return the policy for several releases over one network: chaff that remembers.

        A pair that is no link is shown on the walk with chance (k + a)/(t + a + b) after it was
        shown in k of t earlier releases of the series, ``publish(..., after=[...])``. A link on k
        of T walks then costs ln B(a, b) - ln B(k + a, T - k + b): with the prior 1/2, 1/2 about
        (1/2) ln(pi T) for a link never used, where fresh fair coins cost T ln 2. With copies, or
        several walks together, each use costs the logarithm of the number of patterns besides.

        Parameters
        ----------
        prior
            The urn's balls (a, b) at the beginning; 1/2 and 1/2 if nothing is given: then the first
            release is drawn with fair coins.
        usage
            Instead: the public, expected share of walks that a link lies on. Chaff is then shown
            about as often as links are, which leaves less to one who counts.
        weight
            With ``usage``: a + b, how firmly chaff keeps to it; 4/usage if not given.

        Examples
        --------
        >>> Policy.remembering()
        Policy.remembering(on=1/2, off=1/2, copies=1)
        >>> Policy.remembering(usage="0.2")
        Policy.remembering(on=4, off=16, copies=1)
        """
        kind = Remembering.of(prior=prior, usage=usage, weight=weight)
        return cls.of(kind, copies=copies, link_uses=link_uses)

    @classmethod
    def labelled(
        cls,
        labels: Mapping[str, str],
        rates: Mapping[Labels, Number],
        *,
        copies: int = 1,
        link_uses: int | None = None,
    ) -> Policy:
        """Return the policy whose chaff rate depends on the public labels of the two ends.

        Parameters
        ----------
        labels
            The label of each vertex. Public: they must be known without the network's links.
        rates
            For each pair of labels, in either order, the chance that a pair that is no link looks
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
        return cls.of(Labelled.of(labels, rates), copies=copies, link_uses=link_uses)

    @classmethod
    def two_sided(cls, *, epsilon: Number, copies: int = 1, spanning: bool = False) -> Policy:
        """Return the policy that protects presence *and* absence of any link by epsilon.

        The price is certainty: with one copy of each vertex a link's bit is wrong with probability
        e^-epsilon / 2, and who knows the network reads the most likely walk.

        Parameters
        ----------
        epsilon
            The most that any one link loses, either way. At 3 walks through all vertices of maps of
            12 vertices and 18 links were read back in 92 % of cases if ``spanning``, else in 82 %.
        copies
            Public number of copies of each vertex; with more than one the walk may revisit
            vertices but use no link twice.
        spanning
            Public promise that the walk visits every vertex exactly once; it makes reading back
            more certain.

        Examples
        --------
        >>> policy = Policy.two_sided(epsilon=3)
        >>> round(float(policy.law().doubt), 4)  # e^-3: half of these bits come out wrong
        0.0498
        """
        return cls.of(TwoSided.of(epsilon, spanning=spanning), copies=copies)

    @classmethod
    def named(cls, name: str) -> Policy:
        """Return the policy of a kind that needs no parameter, by its name.

        >>> Policy.named("balanced")
        Policy.balanced(copies=1)
        """
        kind = kind_named(name.replace("_", "-"))
        needed = [option.name for option in kind.options if option.needed]
        if needed:
            maker = kind.name.replace("-", "_")
            terms = ", ".join(f"{option}=..." for option in needed)
            raise BadBudget(f"the {name} policy needs numbers; write pv.Policy.{maker}({terms})")
        return cls.of(kind.from_parameters({}))

    def together(self, walks: int) -> Policy:
        """Return the same policy for several link-disjoint walks in one release."""
        if not self.kind.several_walks and walks != 1:
            able = ", ".join(kind.name for kind in KINDS if kind.several_walks)
            raise BadBudget(
                f"the {self.kind.name} policy publishes one walk at a time; to publish walks "
                f"together use one of: {able}"
            )
        if isinstance(walks, bool) or not isinstance(walks, int) or not 1 <= walks <= MOST_WALKS:
            raise BadBudget(f"walks is {walks!r}; expected a whole number from 1 to {MOST_WALKS}")
        policy = replace(self, walks=walks)
        policy.laws()
        return policy

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
        policy = replace(self, value_bits=bits)
        policy.laws()
        return policy

    @classmethod
    def from_terms(cls, terms: PolicyTerms) -> Policy:
        """Return the policy a publication states; inverse of :meth:`terms`."""
        given = dict(terms.parameters)
        try:
            kind = kind_named(terms.name).from_parameters(given)
            uses = int(given["link_uses"]) if "link_uses" in given else None
            copies = 1 if kind.draws_copies else int(given["copies"])
            walks = int(given.get("walks", "1"))
            policy = cls.of(kind, copies=copies, link_uses=uses, walks=walks)
            bits = given.get("value_bits")
            return policy if bits is None else policy.in_values_of(int(bits))
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise BadBudget(f"the policy {terms.name!r} cannot be read: {error}") from None

    def __repr__(self) -> str:
        return f"Policy.{str(self.terms()).replace('-', '_', 1)}"
