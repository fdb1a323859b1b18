"""Chaff rates by public labels: hubs among hubs look otherwise than leaves among leaves."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Self

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.errors import BadBudget, UnknownVertex
from pathveil.policies.base import (
    ABSENCE,
    READ,
    Labels,
    Number,
    Option,
    PolicyKind,
    Shared,
    exact_number,
)


@dataclass(frozen=True)
class Labelled(PolicyKind):
    """The chance that a pair that is no link looks on-walk, by the labels of its two ends."""

    vertices: tuple[tuple[str, str], ...]
    rates: tuple[tuple[str, str, Fraction], ...]

    name = "labelled"
    options = (
        Option(
            "labels",
            "FILE",
            "labelled: public label of each vertex, vertex,label a line.",
            is_file=True,
        ),
        Option("rates", "A-B=P,...", "labelled: chance of each pair of labels to look on-walk."),
    )

    @classmethod
    def of(cls, labels: Mapping[str, str], rates: Mapping[Labels, Number]) -> Self:
        """Return the kind, its rates checked to be one for each pair of labels."""
        table: dict[Labels, Fraction] = {}
        for (first, second), rate in rates.items():
            what = f"the rate of {first!r} and {second!r}"
            exact = exact_number(rate, what=what, smallest=Fraction(0), largest=Fraction(1))
            key = min(first, second), max(first, second)
            if table.setdefault(key, exact) != exact:
                raise BadBudget(f"{what} is given twice, as {table[key]} and {exact}; keep one")
        known = sorted(set(labels.values()))
        if not known:
            raise BadBudget("no vertex is labelled; label every vertex of the network")
        for pair in combinations_with_replacement(known, 2):
            if pair not in table:
                raise BadBudget(
                    f"no rate for the labels {pair[0]!r} and {pair[1]!r}; the {len(known)} labels "
                    f"need {len(known) * (len(known) + 1) // 2} rates, {len(table)} are given"
                )
        return cls(
            tuple(sorted(labels.items())),
            tuple((*pair, table[pair]) for pair in combinations_with_replacement(known, 2)),
        )

    # -- the law --------------------------------------------------------------------------------

    def law(self, states: int, labels: Labels | None = None) -> PairLaw:
        """Return the law of two labels."""
        for first, second, rate in self.rates:
            if labels in {(first, second), (second, first)}:
                return PairLaw(ExactProbability.rational(rate), states)
        raise BadBudget(
            f"a labelled policy has a rate for each pair of labels, not for {labels}; ask for two "
            f"of: {', '.join(self.labels)}"
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, sorted."""
        return tuple(sorted({label for _, label in self.vertices}))

    def label_of(self, vertex: str) -> str:
        """Return the public label of a vertex."""
        try:
            return self._label[vertex]
        except KeyError:
            raise UnknownVertex(
                f"vertex {vertex!r} is none of the {len(self.vertices)} that the policy labels; "
                "label every vertex of the network"
            ) from None

    @cached_property
    def _label(self) -> dict[str, str]:
        return dict(self.vertices)

    # -- terms ----------------------------------------------------------------------------------

    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Return labels and rates as JSON texts."""
        rates = [[first, second, str(rate)] for first, second, rate in self.rates]
        return (("labels", _json(dict(self.vertices))), ("rates", _json(rates)))

    @classmethod
    def from_parameters(cls, given: Mapping[str, str]) -> Self:
        """Return the kind of stated labels and rates."""
        rates = {(first, second): rate for first, second, rate in json.loads(given["rates"])}
        return cls.of(json.loads(given["labels"]), rates)

    @classmethod
    def from_options(cls, given: Mapping[str, str]) -> Self:
        """Return the kind from a text of ``vertex,label`` lines and rates ``A-B=P,A-A=P``."""
        labels = {}
        for number, row in enumerate(csv.reader(given["labels"].splitlines()), start=1):
            if not row:
                continue
            if len(row) != 2:
                raise BadBudget(
                    f"--labels, line {number}: has {len(row)} fields, expected vertex,label"
                )
            labels[row[0].strip()] = row[1].strip()
        rates = {}
        for part in given["rates"].split(","):
            pair, equals, rate = part.partition("=")
            first, dash, second = pair.strip().partition("-")
            if not equals or not dash:
                raise BadBudget(
                    f"--rates: {part.strip()!r} is no rate; expected A-B=P for each pair of "
                    "labels, such as hub-hub=1/2,hub-leaf=0.9,leaf-leaf=1"
                )
            rates[first.strip(), second.strip()] = rate.strip()
        return cls.of(labels, rates)

    # -- words ----------------------------------------------------------------------------------

    def sentences(self, shared: Shared) -> list[str]:
        """Return what is not protected: rates of 0 and 1 leave links bare."""
        lines = [READ, ABSENCE]
        for first, second, rate in self.rates:
            if rate == 1:
                lines.append(_bare_at_one(first, second, shared))
            if rate == 0:
                lines.append(f"Walk links between {first} and {second} are bare: their rate is 0.")
        return [*lines, *self.copy_sentences(shared)]


def _bare_at_one(first: str, second: str, shared: Shared) -> str:
    """Return which links a rate of 1 leaves bare.

    Where every copy pair has a coin of its own, a pair that is no link then shows all of them on
    the walk, which no walk link does.
    """
    if shared.copies != 1 and shared.link_uses is None and shared.walks == 1:
        return f"Links between {first} and {second} are bare, walk links too: their rate is 1."
    return f"Other links between {first} and {second} are bare: their rate is 1."


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
