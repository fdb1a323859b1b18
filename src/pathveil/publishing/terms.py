"""ReleaseTerms: everything public that decides what a release looks like, in one bundle.

One walk, several at once, a batch, a ledger: whoever publishes fixes the same things first. They
are named and checked here, and handed on as one.

What people write first, understood, or refused with what to write instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pathveil.chance.certify import certify
from pathveil.chance.history import History
from pathveil.chance.series_rules import (
    continued_capacity,
    continued_policy,
    continued_universe,
    require_continues,
)
from pathveil.chance.source import Source, System
from pathveil.errors import BadGrouping
from pathveil.model.bits import Bits
from pathveil.model.certificate import Certificate
from pathveil.model.engines import Layering, engine_named
from pathveil.model.forms import Form, FormOfBits, form_named
from pathveil.model.grouped_bits import GroupedBits
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import DIRECTIONS, Direction
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.sketching.sketch_release import policy_in_sketch


def as_network(given: Any) -> Network:
    """Return a network: itself, or a networkx graph's; anything else is refused with what to write.

    >>> as_network(Network.parse("ab"))
    <Network: 2 vertices, 1 links>
    """
    return Network.of(given)


def as_walk(given: Any) -> Walk:
    """Return a walk: itself, or that of a list of vertices.

    >>> as_walk(["a", "b"])
    <Walk: 2 visits>
    """
    return Walk.of(given)


def as_policy(given: Any) -> Policy | None:
    """Return a policy: itself, or the one of a name that needs no number.

    >>> as_policy("sealed")
    Policy.sealed(copies=1)
    """
    if given is None or isinstance(given, Policy):
        return given
    if not isinstance(given, str):
        raise TypeError(f"the policy is a {type(given).__name__}; write pv.Policy.balanced(), say")
    return Policy.named(given)


def as_source(given: Any) -> Source:
    """Return where random bytes come from: the system source if none is given.

    >>> as_source(None)
    System()
    """
    if given is None:
        return System()
    if not hasattr(given, "take"):
        raise TypeError(
            f"the source is a {type(given).__name__}; leave it out for the system source, or write "
            "pv.Seeded(7) for a repeatable one, which is not private"
        )
    source: Source = given
    return source


_TOLD_APART = (
    "A grouping hides a link among all pairs of vertices between its two classes; a public list of "
    "plausible pairs says which of them can be the link, often just one. Publish over the grouping "
    "without a universe, or over the universe without a grouping, for few walks"
)


@dataclass(frozen=True)
class ReleaseTerms:
    """Everything public that decides what a release looks like.

    Attributes are the parameters of :func:`pathveil.publish` of the same names.

    Examples
    --------
    >>> ReleaseTerms(Policy.balanced()) == ReleaseTerms(Policy.balanced(), direction="public")
    True
    """

    policy: Policy = field(default_factory=Policy.balanced)
    layering: Layering = "exact"
    direction: Direction = "public"
    universe: Universe | None = None
    grouping: Grouping | None = None
    form: Form = "packed"
    capacity: int | None = None

    def __post_init__(self) -> None:
        engine_named(self.layering)
        if self.direction not in DIRECTIONS:
            raise ValueError(
                f"direction is {self.direction!r}, expected one of {', '.join(DIRECTIONS)}"
            )
        form_named(self.form)
        if self.grouping is not None and engine_named(self.layering).follows_walk:
            raise BadGrouping(
                "a grouping goes with the exact layering: the paper's layout tells the members of "
                "a class apart"
            )
        if self.grouping is not None and self.universe is not None:
            raise BadGrouping(_TOLD_APART)

    @classmethod
    def understood(
        cls,
        history: History,
        *,
        policy: Policy | None = None,
        layering: Layering = "exact",
        direction: Direction = "public",
        universe: Universe | Pairs | None = None,
        grouping: Grouping | None = None,
        form: Form = "packed",
        capacity: int | None = None,
        unsaid: Policy | None = None,
    ) -> ReleaseTerms:
        """Return the terms of what a caller gave: what he left out is that of the series.

        ``unsaid`` is the policy where neither he nor the series names one; balanced if not given.
        """
        policy = as_policy(policy) or continued_policy(history) or unsaid or Policy.balanced()
        if universe is not None and not isinstance(universe, Universe):
            universe = Universe.of(universe)
        return cls(policy, layering, direction, universe, grouping, form, capacity)

    @property
    def remembers(self) -> bool:
        """Whether releases depend on those before them."""
        return self.policy.kind.urn is not None

    @property
    def in_use(self) -> Policy:
        """The policy as it is drawn and charged: a sketch rounds its rates."""
        return policy_in_sketch(self.policy) if self.form_of_bits.rounds_rates else self.policy

    @property
    def form_of_bits(self) -> FormOfBits:
        """What is known of the form."""
        return form_named(self.form)

    @property
    def tells(self) -> bool:
        """Whether a public bit says which end of a walk is the first.

        The paper's layering has none: it tells by its roots, or not at all.
        """
        return self.direction == "public" and engine_named(self.layering).tells

    @property
    def unsafe(self) -> bool:
        """Whether releases are stamped unsafe whatever coins are thrown."""
        return self.grouping is not None and self.grouping.unsafe

    @property
    def text(self) -> str:
        """The terms as one text; the same terms give the same text."""
        universe = self.universe
        return json.dumps(
            {
                "policy": str(self.in_use.terms()),
                "form": self.form,
                "capacity": self.capacity,
                "layering": self.layering,
                "direction": self.direction,
                "grouping": None if self.grouping is None else self.grouping.digest,
                "universe": None if universe is None else [universe.digest, universe.by_digest],
            },
            sort_keys=True,
        )

    def require_apart(self, earlier: Iterable[str]) -> None:
        """Raise if a universe and a grouping came to lie over one network, release after release.

        ``earlier`` are the terms of its releases, each as one text.
        """
        told = [json.loads(text) for text in set(earlier)]
        if self.universe is not None and any(one["grouping"] for one in told):
            raise BadGrouping(f"this network was published over a grouping. {_TOLD_APART}")
        hides = self.grouping is not None and self.grouping.hides
        if hides and any(one["universe"] for one in told):
            raise BadGrouping(f"this network was published with a universe. {_TOLD_APART}")

    def together(self, walks: int) -> ReleaseTerms:
        """Return the terms under which so many walks are published in one release."""
        return self if walks == 1 else replace(self, policy=self.policy.together(walks))

    def continuing(self, history: History, vertices: tuple[str, ...]) -> ReleaseTerms:
        """Return the terms of the next release; raises unless they are those of the series."""
        require_continues(
            history, vertices, self.policy, self.grouping, form=self.form, tells=self.tells
        )
        universe = continued_universe(history, self.universe)
        return replace(self, universe=universe, capacity=continued_capacity(history, self.capacity))

    def certificate(self, releases: int = 1, *, capacity: int | None = None) -> Certificate:
        """Return the promise after so many releases; with a capacity, that of a sketch."""
        return certify(
            self.policy,
            layering=self.layering,
            told=self.tells,
            universe=None if self.universe is None else self.universe.count,
            sizes=None if self.grouping is None else self.grouping.class_sizes,
            releases=releases if self.remembers else 1,
            capacity=capacity,
            form=self.form,
        )

    def ground(self, network: Network) -> Network:
        """Return what is published over: the network, or with a grouping that of its classes."""
        if self.grouping is None:
            return network
        if self.policy.kind.labels:
            raise BadGrouping(
                f"the {self.policy.kind.name} policy goes by labels of vertices, which tell the "
                "members of a class apart; publish over a grouping with another policy"
            )
        return self.grouping.between_classes(network)

    def over(self, bits: Bits) -> Bits:
        """Return bits as a publication carries them: with a grouping, those of its classes."""
        over = self.grouping
        return bits if over is None else GroupedBits.of(bits, over)
