"""Going on with a series: what the next release owes to those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pathveil.chance.history import History
from pathveil.chance.source import Source
from pathveil.errors import BrokenSeries
from pathveil.model.forms import Form
from pathveil.model.grouping import Grouping
from pathveil.model.publication import Publication
from pathveil.model.series import SALT_BYTES, SeriesPlace, release_digest
from pathveil.model.universe import Universe
from pathveil.policies import Policy

ANEW = "or begin a new series, whose losses add to those of this one"


def continued_policy(history: History) -> Policy | None:
    """Return the policy of the series so far; None before the first release."""
    if not history.releases:
        return None
    # A sketch states how many bits its values have, which grow from release to release.
    return replace(Policy.from_terms(history.releases[0][0].policy), value_bits=None)


def continued_universe(history: History, universe: Universe | None) -> Universe | None:
    """Return the universe of the next release: that of the series, if there is one."""
    if not history.releases:
        return universe
    first = history.releases[0][0].universe
    if universe is None:
        return first
    if first is None or universe.digest != first.digest:
        raise BrokenSeries(
            "the series has its coins on other pairs than the universe given; a series keeps its "
            f"universe: leave it out, {ANEW}"
        )
    return replace(universe, by_digest=first.by_digest)


def require_continues(
    history: History,
    vertices: tuple[str, ...],
    policy: Policy,
    grouping: Grouping | None,
    *,
    form: Form = "packed",
    tells: bool = False,
) -> None:
    """Raise :class:`BrokenSeries` unless terms, vertices and grouping are those of the series.

    ``form`` is that of the release; a sketch lists no vertices, so they may come and go.
    ``tells`` is whether it tells the direction, which a series that kept silent does not begin to.
    """
    if not history.releases:
        return
    first = history.releases[0][0]
    if form != first.form.name:
        raise BrokenSeries(
            f"the series was begun {first.form.manner}, this release asks for form={form!r}; a "
            f"series keeps its form: give form={first.form.name!r}, {ANEW}"
        )
    if policy.terms().of_series != first.policy.of_series:
        raise BrokenSeries(
            f"the series was begun with {first.policy}, this release asks for {policy.terms()}; a "
            f"series keeps its terms: leave the policy out, {ANEW}"
        )
    if tells and first.direction is None:
        raise BrokenSeries(
            "the releases of the series do not tell the direction, this one asks for it; a series "
            f"that kept silent stays so: give direction='hidden', {ANEW}"
        )
    over = None if first.grouped is None else first.grouped.digest
    if over != (None if grouping is None else grouping.digest):
        raise BrokenSeries(
            "the series is over another grouping, or over none; a series keeps its grouping: bring "
            f"the same one, {ANEW}"
        )
    if grouping is None and first.lists_vertices and vertices != first.vertices:
        raise BrokenSeries(
            f"the series is over {len(first.vertices)} vertices, this network has "
            f"{len(vertices)}, not the same ones; links may come and go, vertices may not: keep "
            f"them, {ANEW}"
        )


def continued_capacity(history: History, capacity: int | None) -> int | None:
    """Return the capacity of the next sketch: that of the series, if there is one."""
    if not history.sketches:
        return capacity
    first = history.sketches[0].capacity
    if capacity not in (None, first):
        raise BrokenSeries(
            f"the series has a capacity of {first:,} links, this release asks for {capacity:,}; a "
            f"series keeps its capacity: leave it out, {ANEW}"
        )
    return first


def salted(release: Sequence[Publication], source: Source) -> tuple[Publication, ...]:
    """Return the publications of a release, each with fresh random bytes that are in it alone.

    *Privacy*: they are taken behind the coins and decide none; walk and coins do not decide them.
    """
    return tuple(
        replace(publication, salt=source.take(SALT_BYTES).hex()) for publication in release
    )


def placed(
    release: Sequence[Publication], history: History, source: Source
) -> tuple[Publication, ...]:
    """Return the publications of a release, salted, with their place in the series."""
    found = salted(release, source)
    place, before = len(history) + 1, history.last
    digest = release_digest(place, before, found)
    return tuple(
        replace(publication, series=SeriesPlace(place, before, digest, walk))
        for walk, publication in enumerate(found, start=1)
    )
