"""What one running studio remembers: the scene on the page, and what was drawn for good.

A walk is drawn once, so a page that is loaded again must find what it drew. It is kept in the
memory of this process and nowhere else, and is gone when the process ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from threading import Lock
from typing import Annotated

from pydantic import Field

import pathveil as pv
from pathveil.attacks.series.pile_attack import attack_as_insider
from pathveil.errors import GateClosed
from pathveil.planning.capacity import ExpectedSeries, last_open
from pathveil.planning.cover import CountedRelease, Cover, Life, cover
from pathveil.planning.gate import (
    counted_release,
    expected_walks,
    fitting_walks,
    law_of,
    require_open,
)
from pathveil.studio.answers import (
    AskedWithout,
    Body,
    Data,
    DrawnScene,
    Links,
    Name,
    Number,
    PolicyText,
    SeriesAsked,
    cover_data,
    file_of,
    found_walk,
    network_of,
    page_words,
    publication_data,
    published,
    risk,
)


class KeptVertex(Body):
    """A vertex and its place on the page."""

    name: Name
    x: Number
    y: Number


class KeptScene(Body):
    """What the page shows, to be shown again when it is loaded again."""

    example: Annotated[str, Field(max_length=60)] | None = None
    vertices: Annotated[list[KeptVertex], Field(max_length=500)]
    links: Links
    walk: Annotated[list[Name], Field(max_length=500)]
    policy: PolicyText


@dataclass(frozen=True)
class Drawn:
    """A release that was drawn for good."""

    walk: tuple[str, ...]
    policy: str
    release: Data = field(repr=False)


@dataclass
class Shelf:
    """A network, and what was drawn over it."""

    network: pv.Network
    life: Life = field(default_factory=lambda: Life(()))
    drawn: tuple[Drawn, ...] = ()
    series: dict[int, ExpectedSeries] = field(default_factory=dict)

    def find(self, walk: Sequence[str]) -> Drawn | None:
        """Return the release of a walk, if it was drawn."""
        return next((one for one in self.drawn if one.walk == tuple(walk)), None)

    def require_new(self, walk: Sequence[str]) -> None:
        """Raise if a walk was drawn the other way round: fresh coins on the same links tell more.

        Raises
        ------
        GateClosed
            If it was.
        """
        if self.find(tuple(reversed(walk))):
            why = "it is drawn already, the other way round, over the same links"
            raise GateClosed(why)

    def expected(self, walk: pv.Walk) -> ExpectedSeries:
        """Return walks as long as this one; their paths are counted once."""
        return self.series.setdefault(len(walk), expected_walks(self.network, walk))

    def more(self, walk: pv.Walk, policy: pv.Policy) -> int:
        """Return about how many unrelated walks of this length fit besides those drawn.

        What :func:`fitting_walks` counts without them, and no more than the gate lets out after
        them.
        """
        expected = self.expected(walk)
        more = fitting_walks(self.network, walk, policy, expected=expected, roughly=True) - len(
            self.drawn
        )
        if not self.drawn or more <= 0:
            return max(more, 0)
        others = [counted_release(self.network, [one], policy) for one in expected.walks(more)]
        return last_open(lambda k: not cover(self.life.and_then(*others[:k])).closed, 0, more)


class Desk:
    """The memory of one studio. Every tab of its page works at the same desk."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._shelves: dict[frozenset[frozenset[str]], Shelf] = {}
        self._scene: KeptScene | None = None

    def _shelf(self, links: Links) -> Shelf:
        key = frozenset(frozenset(link) for link in links)
        if key not in self._shelves:
            shelf = Shelf(network_of(links))
            empty = [other for other, one in self._shelves.items() if not one.drawn]
            for other in empty:
                del self._shelves[other]
            self._shelves[key] = shelf
        return self._shelves[key]

    def keep(self, given: KeptScene) -> None:
        """Remember what the page shows."""
        self._scene = given

    def kept(self) -> Data | None:
        """Return what the page showed last."""
        return None if self._scene is None else self._scene.model_dump()

    def clear(self) -> None:
        """Forget everything, as the end of the process does."""
        with self._lock:
            self._shelves.clear()
            self._scene = None

    def room(self, given: DrawnScene) -> Data:
        """Return how much cover the drawn walks use, and whether this walk may still go out."""
        shelf, walk, new = self._asked(given)
        life, mine, refused = shelf.life, shelf.find(given.walk), None
        if mine is None:
            try:
                shelf.require_new(given.walk)
                require_open(life, [new])
            except GateClosed as error:
                used = error.cover
                refused = used.sentence if isinstance(used, Cover) else page_words(str(error))
        now, after = cover(life), cover(life if mine else life.and_then(new))
        return {
            "drawn": len(shelf.drawn),
            "used": cover_data(now, closed=now.closed),
            "after": cover_data(after, closed=refused is not None),
            "refused": refused,
            "more": shelf.more(walk, pv.Policy.parse(given.policy)),
            "mine": mine and {"policy": mine.policy, "release": mine.release},
        }

    def risk(self, given: AskedWithout) -> Data:
        """Return how well someone who lacks a link names it: by this file, by all drawn so far.

        ``together`` counts the releases under the terms of this one; None if there are no others.
        """
        with self._lock:
            drawn = [one.release["file"] for one in self._shelf(given.links).drawn]
        found = {**risk(given), "files": 1, "together": None, "certain_together": False}
        if given.file not in drawn or len(drawn) < 2:
            return found
        link, network = (min(given.lacking), max(given.lacking)), network_of(given.links)
        mine, pile = file_of(given.file), [file_of(one) for one in drawn]
        pile = [one for one in pile if one.policy == mine.policy]
        if len(pile) > 1:
            inferred = attack_as_insider(pile, network.without(link))
            belief = inferred.posterior_of(link)
            certain = belief > 1 - 1e-12 and found["before"] < 1
            found |= {"files": len(pile), "together": belief, "certain_together": certain}
        return found

    def series(self, given: SeriesAsked) -> list[Data]:
        """Return how much of the cover is used after some more files with fresh coins.

        They are unrelated walks of this length, or this one route each time. Before the first draw,
        unrelated walks are counted as the plan counts them; what is drawn is asked of the gate.
        """
        shelf, walk, new = self._asked(given)
        life, policy = shelf.life, pv.Policy.parse(given.policy)
        if given.alike:
            used = [cover(life.and_then(*[new] * count)) for count in given.files]
            return [cover_data(each, closed=each.closed) for each in used]
        expected, law = shelf.expected(walk), law_of(policy)
        more, others = shelf.more(walk, policy), expected.walks(max(given.files))
        rows = []
        for count in given.files:
            if life.releases:
                new_ones = [counted_release(shelf.network, [one], policy) for one in others[:count]]
                share = cover(life.and_then(*new_ones))
            elif isfinite(getattr(law, "off", 0.0)):
                share = expected.typical(law, count)
            else:  # Sealed: the first file costs its walk nothing; a second shows its links.
                share = Cover(count, count, 0.0 if count == 1 else inf, 1.0, "set", 0.0)
            rows.append(cover_data(share, closed=count > more))
        return rows

    def _asked(self, given: DrawnScene) -> tuple[Shelf, pv.Walk, CountedRelease]:
        """Return what was drawn so far over this network, and the walk as the gate counts it."""
        with self._lock:
            shelf = replace(self._shelf(given.links))
        walk = found_walk(shelf.network, given.walk)
        return shelf, walk, counted_release(shelf.network, [walk], pv.Policy.parse(given.policy))

    def draw(self, given: DrawnScene) -> Data:
        """Return the walk, published for good; a walk that was drawn before is the same release.

        Raises
        ------
        GateClosed
            If outsiders could piece the drawn walks together.
        """
        with self._lock:
            shelf = self._shelf(given.links)
            old = shelf.find(given.walk)
            if old is not None:
                return old.release
            walk = found_walk(shelf.network, given.walk)
            shelf.require_new(given.walk)
            new = counted_release(shelf.network, [walk], pv.Policy.parse(given.policy))
            used = require_open(shelf.life, [new])
            made = publication_data(published(shelf.network, given))
            release = {**made, "drawn": True, "cover": cover_data(used, closed=used.closed)}
            shelf.life = shelf.life.and_then(new)
            shelf.drawn += (Drawn(tuple(given.walk), given.policy, release),)
            return release
