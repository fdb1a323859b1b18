"""The publication: everything that is handed out, and nothing else.

Two parts of it come from the secret: the layered graph (through the bits; in the paper's layering
also through the insertion order and the flip) and the direction bit. The rest is public beforehand:
names, number of copies, policy, certificate. No seed, key, walk, network edge or time is in here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph, Node
from pathveil.model.positions import Positions

Layering = Literal["exact", "backtracking"]
LAYERINGS: tuple[Layering, ...] = ("exact", "backtracking")


@dataclass(frozen=True)
class PolicyTerms:
    """A policy as the file states it: its name and its exact parameters as text."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        inner = ", ".join(f"{key}={value}" for key, value in self.parameters)
        return f"{self.name}({inner})"


@dataclass(frozen=True)
class Loss:
    """An exact privacy loss: a closed form, and a decimal rounded against us.

    >>> str(Loss("ln 2", "0.6932"))
    'ln 2 = 0.6932'
    """

    expression: str
    decimal: str

    @property
    def is_infinite(self) -> bool:
        """Whether some output proves one side."""
        return self.decimal == "inf"

    def __float__(self) -> float:
        return float(self.decimal)

    def __str__(self) -> str:
        return "infinite" if self.is_infinite else f"{self.expression} = {self.decimal}"


@dataclass(frozen=True)
class CertificateRow:
    """What one adversary can gain: loss with the edge against without, and the other way round."""

    adversary: str
    presence: Loss
    absence: Loss
    notion: str
    claim: str = ""


@dataclass(frozen=True)
class Certificate:
    """The a-priori promise of a policy, public, the same for every walk."""

    rows: tuple[CertificateRow, ...] = ()
    not_protected: tuple[str, ...] = ()

    def row(self, adversary: str) -> CertificateRow:
        """Return the row of an adversary by its name."""
        for row in self.rows:
            if row.adversary == adversary:
                return row
        known = ", ".join(row.adversary for row in self.rows)
        raise KeyError(f"no adversary {adversary!r} on this certificate; it lists: {known}")


@dataclass(frozen=True)
class Publication:
    """A walk, published.

    Parameters
    ----------
    layered
        Layers and cover edges.
    layering
        Which engine drew it.
    direction
        Whether the first end of the walk sorts before its last end; None for the paper's layering,
        which tells the order by the layers or not at all.
    policy, certificate
        How the coins were thrown and what that promises.
    unsafe
        Whether the coins came from a seed. Such a publication protects nothing.
    """

    layered: LayeredGraph
    layering: Layering
    direction: bool | None
    policy: PolicyTerms
    certificate: Certificate = field(default_factory=Certificate)
    unsafe: bool = False

    def __post_init__(self) -> None:
        if (self.layering == "exact") != (self.direction is not None):
            raise ValueError(
                f"layering {self.layering!r} with direction {self.direction!r}: the exact layering "
                "always has a direction bit, the paper's never"
            )

    @property
    def positions(self) -> Positions:
        """The public copies."""
        return self.layered.positions

    @property
    def vertices(self) -> tuple[str, ...]:
        """The public names."""
        return self.positions.vertices

    @property
    def layers(self) -> tuple[tuple[Node, ...], ...]:
        """Nodes by layer, top first."""
        return self.layered.layers

    @property
    def covers(self) -> tuple[tuple[Node, Node], ...]:
        """Cover edges as (upper node, lower node)."""
        nodes = self.layered.nodes
        return tuple((nodes[a], nodes[b]) for a, b in self.layered.covers.tolist())

    def same_branch(self, first: tuple[str, int], second: tuple[str, int]) -> bool:
        """Return whether two copies, given as (vertex, copy), share a branch."""
        here = self.positions
        return self.layered.same_branch(here.index(*first), here.index(*second))

    def bits(self) -> PairBits:
        """Return the published bit of every pair of copies."""
        return self.layered.bits()

    # The contract promises these two as methods; the work is done in pathveil.formats, which knows
    # this module. Hence the late import: the one arrow of the tree that points down.
    def save(self, path: str | Path) -> None:
        """Write the publication as ``*.veil.json``: canonical bytes, aside and then renamed."""
        from pathveil.formats.veil import write_publication

        write_publication(self, path)

    @staticmethod
    def load(path: str | Path) -> Publication:
        """Read a publication, trusting nothing in the file."""
        from pathveil.formats.veil import read_publication

        return read_publication(path)
