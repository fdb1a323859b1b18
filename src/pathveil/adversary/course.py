"""Which way a supposed walk runs: what its ends, its steps, the direction bit and the layout say.

A world is a walk without a direction: either end may be the first, each as likely as the other
before the release. What is known of the walk's course rules directions out; so does the direction
bit; and a drawing in walk order is the drawing of some directions only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from pathveil.adversary.handout import Handout
from pathveil.chance.policy import Policy
from pathveil.model.grouping import Grouping
from pathveil.model.publication import Publication
from pathveil.model.threat import Knowledge

Visits = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Course:
    """Weighs the two directions of a supposed walk over copies.

    Parameters
    ----------
    handout
        How likely the copies are for a walk in a direction.
    knowledge
        What the adversary knows of the walk's course.
    told
        The direction bit; None where it is not told.
    classes
        Over a grouping the class of each position: there the direction bit compares the sequence of
        classes with its reverse, and is a coin where they are the same. Empty elsewhere.
    drawn
        Whether the published drawing is the one of a walk in this direction; None where the
        drawing tells nothing, or is not used.
    """

    handout: Handout
    knowledge: Knowledge
    told: bool | None
    drawn: Callable[[Visits], bool] | None
    classes: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        publication: Publication,
        knowledge: Knowledge,
        policy: Policy,
        *,
        layout: bool = True,
        grouping: Grouping | None = None,
    ) -> Course:
        """Return what a publication and an adversary's knowledge say of a walk's course."""
        handout = Handout.of(policy, publication.positions)
        engine = publication.engine
        drawing = publication.drawing if layout and engine.follows_walk else None
        if drawing is None:
            classes: tuple[int, ...] = ()
            if grouping is not None:
                positions = publication.positions
                names = (positions.vertices[int(place)] for place in positions.vertex_of)
                classes = tuple(grouping.classes_of(names).tolist())
            return cls(handout, knowledge, publication.direction, None, classes)
        bits, positions = publication.packed.pairs, publication.positions

        def drawn(visits: Visits) -> bool:
            return engine.draw(bits, positions, upright=True, visits=visits) == drawing

        return cls(handout, knowledge, publication.direction, drawn)

    def before(self, visits: Visits) -> float:
        """Return the weight of a walk, either way round, without direction bit and drawing."""
        ways = (way for way in (visits, visits[::-1]) if self.known(way))
        return sum(self.handout.weight(way) for way in ways)

    def after(self, visits: Visits) -> float:
        """Return the weight of a walk, either way round, with all that is published of it."""
        total = 0.0
        for way in (visits, visits[::-1]):
            weight = self.handout.weight(way) if self.known(way) else 0.0
            weight *= self._telling(way)
            if weight and self.drawn is not None and not self.drawn(way):
                weight = 0.0
            total += weight
        return total

    def _telling(self, way: Visits) -> float:
        """Return the chance that a walk in this direction gets the direction bit published."""
        if self.told is None:
            return 1.0
        if not self.classes:
            return float(self.told == (way[0] < way[-1]))
        along = [self.classes[position] for position in way]
        return 0.5 if along == along[::-1] else float(self.told == (along < along[::-1]))

    def known(self, visits: Visits) -> bool:
        """Return whether the walk in this direction has the known ends and steps."""
        if not self.knowledge.knows_course:
            return True
        names, owner = self.handout.positions.vertices, self.handout.positions.vertex_of
        walk = [names[int(owner[position])] for position in visits]
        first, last = self.knowledge.first, self.knowledge.last
        if first not in (None, walk[0]) or last not in (None, walk[-1]):
            return False
        return set(self.knowledge.steps) <= set(pairwise(walk))
