"""ReleaseTerms: everything public that decides a release, and the table of what goes with what.

One walk, several at once, a series, a batch, an audit: whoever publishes builds this one value
first, and it refuses what does not go together. Nearly every fault ever found here was a fault of
two features meeting; a combination comes back when somebody needs it, with its law as a test.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pathveil.chance.certify import certify
from pathveil.chance.source import Source, System
from pathveil.chance.urn import History
from pathveil.errors import BadArgument, BrokenSeries, Incompatible
from pathveil.model.bits import FORMS, Form, PackedBits
from pathveil.model.certificate import Certificate
from pathveil.model.grouping import GroupedBits, Grouping
from pathveil.model.layered import LAYERINGS, Layering, follows_walk
from pathveil.model.network import Network
from pathveil.model.publication import DIRECTIONS, Bits, Direction
from pathveil.model.universe import Pairs, Universe
from pathveil.policies import Policy
from pathveil.sketching.sketch_release import seed_loss

Feature = Literal["copies", "universe", "series", "grouping", "engine", "together", "ledger"]

FEATURES: dict[str, str] = {
    "copies": "copies",
    "universe": "a universe",
    "series": "a series",
    "grouping": "a grouping",
    "engine": "the paper's engine",
    "together": "several walks in one release",
    "ledger": "a ledger",
}
"""What a release may have beside its policy and form, and how messages call it."""

GOES_WITH: dict[tuple[str, Form], frozenset[Feature]] = {
    ("balanced", "packed"): frozenset(
        {"copies", "universe", "grouping", "engine", "together", "ledger"}
    ),
    ("frontier", "packed"): frozenset({"copies", "universe", "grouping", "engine", "ledger"}),
    ("sealed", "packed"): frozenset({"copies", "universe", "engine", "ledger"}),
    ("remembering", "packed"): frozenset({"copies", "series", "ledger"}),
    ("two_sided", "packed"): frozenset({"ledger"}),
    ("paper", "packed"): frozenset({"engine", "ledger"}),
    ("balanced", "sketch"): frozenset({"ledger"}),
    ("frontier", "sketch"): frozenset({"ledger"}),
}
"""What each policy goes with, in each form it has. An envelope goes with everything."""

MEET: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        *(("copies", other) for other in ("series", "universe", "engine", "ledger")),
        *(("ledger", other) for other in ("series", "grouping", "engine")),
    )
)
"""Which two features one release may have."""

_REASONS: dict[frozenset[str], tuple[str, str]] = {
    frozenset({"universe", "grouping"}): (
        (
            "a public list of plausible pairs says which pair of two classes is the link, often "
            "just one"
        ),
        "publish over the grouping alone, or few walks over the universe alone",
    ),
    frozenset({"universe", "ledger"}): (
        "what a release costs its links depends on the pairs, which a ledger does not keep",
        "publish without a ledger, or without a universe",
    ),
    frozenset({"engine", "grouping"}): (
        "the paper's layout tells the members of a class apart",
        "use the exact layering",
    ),
    frozenset({"sealed", "sketch"}): (
        "sealed shows every link off the walk, so a list of those links says the same",
        "publish it packed, or choose balanced or frontier",
    ),
    frozenset({"sealed", "grouping"}): (
        "sealed shows between which classes every link is",
        "choose balanced or frontier",
    ),
    frozenset({"two_sided", "sketch"}): (
        (
            "a seed that is redrawn until rows are independent tells a little about absence with "
            "certainty, which a two-sided promise does not allow"
        ),
        "publish it packed",
    ),
    frozenset({"paper", "sketch"}): (
        "its numbers of copies must be published by name, and a sketch names no vertex",
        "publish it packed",
    ),
    frozenset({"paper", "grouping"}): (
        "its numbers of copies tell the members of a class apart",
        "choose balanced or frontier",
    ),
    frozenset({"remembering", "sketch"}): (
        "a value of a sketch belongs to one release",
        "publish the series packed",
    ),
}
"""Why two things do not go together and what to do instead, where more is known than below."""

_FRESH = (
    "its coins are fresh in every release, and fresh releases follow nothing",
    "leave the earlier ones out, or begin a series: policy remembering:usage=0.15",
)
_NOBODY = ("what the two together give away is not worked out", "leave one of them out")


def refusal(one: str, other: str) -> Incompatible:
    """Return the error of two things that do not go together, each a feature, policy or form."""
    fresh = other == "series" and one not in FEATURES and one != "sketch"
    why, instead = _REASONS.get(frozenset({one, other}), _FRESH if fresh else _NOBODY)
    names = {**FEATURES, "sketch": "a sketch"}
    first, second = names.get(one, one), names.get(other, other)
    return Incompatible(f"{first} does not go with {second}: {why}; {instead}")


def as_policy(given: Any) -> Policy:
    """Return a policy: itself, or the one that a text states.

    >>> as_policy("frontier:walk_loss=1/2")
    Policy.parse('frontier:walk_loss=1/2')
    """
    if isinstance(given, str):
        return Policy.parse(given)
    if not isinstance(given, Policy):
        raise BadArgument.of("the policy", given, "write pv.Policy.balanced(), say")
    return given


def as_source(given: Any) -> Source:
    """Return where random bytes come from: the system source if none is given.

    >>> as_source(None)
    System()
    """
    if given is None:
        return System()
    if not hasattr(given, "take"):
        raise BadArgument.of(
            "the source",
            given,
            "omit it for the system source, or write pv.Seeded(7) for a repeatable one, which is "
            "not private",
        )
    source: Source = given
    return source


@dataclass(frozen=True)
class ReleaseTerms:
    """Everything public that decides what a release looks like.

    Attributes are the parameters of :func:`pathveil.publish` of the same names.

    Examples
    --------
    >>> ReleaseTerms.of() == ReleaseTerms(Policy.balanced(), direction="public")
    True
    >>> ReleaseTerms.of(policy="sealed", form="sketch")
    Traceback (most recent call last):
        ...
    pathveil.errors.Incompatible: sealed does not go with a sketch: ...
    """

    policy: Policy = field(default_factory=Policy.balanced)
    layering: Layering = "exact"
    direction: Direction = "public"
    form: Form = "packed"
    capacity: int | None = None
    grouping: Grouping | None = None
    universe: Universe | None = None

    def __post_init__(self) -> None:
        for what, value, known in (
            ("layering", self.layering, LAYERINGS),
            ("direction", self.direction, DIRECTIONS),
            ("form", self.form, FORMS),
        ):
            if value not in known:
                raise BadArgument(
                    f"{what} is {value!r}; write {what}={' or '.join(map(repr, known))}, or leave "
                    "it out"
                )
        if self.grouping is not None and not isinstance(self.grouping, Grouping):
            raise BadArgument.of("the grouping", self.grouping, "write pv.Grouping.load(...)")
        if (self.policy.name, self.form) not in GOES_WITH:
            raise refusal(self.policy.name, self.form)
        for feature in self.features:
            self.require_goes_with(feature)
        if self.capacity is not None and self.form == "packed":
            raise Incompatible(
                f"a capacity of {self.capacity} does not go with packed: it lists its vertices and "
                "needs none; omit it, or publish a sketch: form='sketch' (--form sketch)"
            )

    @classmethod
    def of(
        cls,
        *,
        policy: Policy | str | None = None,
        layering: Layering = "exact",
        direction: Direction = "public",
        form: Form = "packed",
        capacity: int | None = None,
        grouping: Grouping | None = None,
        universe: Universe | Pairs | None = None,
        after: History | None = None,
    ) -> ReleaseTerms:
        """Return the terms of what a caller gave: without a policy, the series' or balanced."""
        before = () if after is None else after.releases
        if policy is not None:
            chosen = as_policy(policy)
        else:
            chosen = Policy.from_terms(before[0].policy) if before else Policy.balanced()
        public = None if universe is None else Universe.of(universe)
        terms = cls(chosen, layering, direction, form, capacity, grouping, public)
        if before:
            terms.require_goes_with("series")
        return terms

    # -- what goes with what --------------------------------------------------------------------

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the release has beside its policy and form."""
        has: dict[Feature, bool] = {
            "copies": (self.policy.copies or 1) > 1,
            "universe": self.universe is not None,
            "series": self.remembers,
            "grouping": self.grouping is not None,
            "engine": follows_walk(self.layering),
            "together": self.policy.walks > 1,
        }
        return tuple(feature for feature, here in has.items() if here)

    def require_goes_with(self, feature: Feature) -> None:
        """Raise :class:`Incompatible` unless the policy in its form goes with a feature.

        ``"ledger"`` and ``"series"`` are asked about by those who bring them.
        """
        if feature not in GOES_WITH[self.policy.name, self.form]:
            raise refusal("sketch" if self.form == "sketch" else self.policy.name, feature)
        for other in self.features:
            if other != feature and frozenset({feature, other}) not in MEET:
                raise refusal(other, feature)

    # -- what follows ---------------------------------------------------------------------------

    @property
    def remembers(self) -> bool:
        """Whether releases depend on those before them."""
        return self.policy.urn is not None

    @property
    def in_use(self) -> Policy:
        """The policy as it is drawn and charged: a sketch rounds its rates."""
        return self.policy if self.form == "packed" else self.policy.in_sketch()

    @property
    def tells(self) -> bool:
        """Whether a public bit says which end of a walk is the first.

        The paper's layering has none: it tells by its roots, or not at all.
        """
        return self.direction == "public" and not follows_walk(self.layering)

    @property
    def unsafe(self) -> bool:
        """Whether releases are stamped unsafe whatever coins are thrown."""
        return self.grouping is not None and self.grouping.unsafe

    @property
    def text(self) -> str:
        """The terms as one text; the same terms give the same text."""
        facts = {
            "policy": str(self.in_use),
            "form": self.form,
            "capacity": self.capacity,
            "layering": self.layering,
            "direction": self.direction,
            "grouping": None if self.grouping is None else self.grouping.digest,
            "universe": None if self.universe is None else self.universe.digest,
        }
        return json.dumps(facts, sort_keys=True)

    def together(self, walks: int) -> ReleaseTerms:
        """Return the terms under which several walks are published in one release."""
        return self if walks == 1 else replace(self, policy=self.policy.together(walks))

    def require_continues(self, history: History, vertices: tuple[str, ...]) -> None:
        """Raise :class:`BrokenSeries` unless terms and vertices are those of the series so far."""
        if not history.releases:
            return
        anew = (
            "or encrypt what follows to its readers, by another policy (a second series would tell)"
        )
        first = history.releases[0]
        if self.policy.terms() != first.policy:
            raise BrokenSeries(
                f"the series was begun with {first.policy}, this release asks for {self.policy}; a "
                f"series keeps its terms: leave the policy out, {anew}"
            )
        if self.tells and first.direction is None:
            raise BrokenSeries(
                "the releases of the series do not publish the direction, this one asks for it; a "
                f"series that kept silent stays so: give direction='hidden', {anew}"
            )
        if vertices != first.vertices:
            raise BrokenSeries(
                f"the series is over {len(first.vertices)} vertices, this network has "
                f"{len(vertices)}, not the same ones; links may come and go, vertices may not: "
                f"keep them, {anew}"
            )

    def certificate(self, releases: int = 1) -> Certificate:
        """Return the promise, of a series after this number of releases."""
        policy, seed = self.in_use, None
        if self.form == "sketch":
            assert self.capacity is not None, "checked before anything is drawn"
            assert policy.value_bits is not None
            seed = seed_loss(self.capacity, policy.value_bits)
        return certify(
            policy,
            layering=self.layering,
            direction_public=self.tells,
            universe=None if self.universe is None else self.universe.count,
            sizes=None if self.grouping is None else self.grouping.class_sizes,
            releases=releases if self.remembers else 1,
            seed=seed,
        )

    def ground(self, network: Network) -> Network:
        """Return what is published over: the network, or with a grouping that of its classes."""
        return network if self.grouping is None else self.grouping.between_classes(network)

    def over(self, bits: PackedBits) -> Bits:
        """Return bits as a publication carries them: with a grouping, those of its classes."""
        return bits if self.grouping is None else GroupedBits.of(bits, self.grouping)
