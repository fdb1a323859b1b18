"""The terms of a policy: how a publication states by which law it was drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class PolicyTerms:
    """A policy as the file states it.

    Parameters
    ----------
    name, parameters
        Its name and its exact parameters as text.
    noisy
        Whether bits of edges may be wrong too, so that the walk is read by likelihood.
    """

    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    noisy: bool = False

    @property
    def of_series(self) -> PolicyTerms:
        """What stays the same throughout a series; the bits of a sketch's values grow with it."""
        kept = tuple(pair for pair in self.parameters if pair[0] != "value_bits")
        return replace(self, parameters=kept)

    def __str__(self) -> str:
        inner = ", ".join(f"{key}={value}" for key, value in self.parameters)
        return f"{self.name}({inner})"
