"""Reading the walk back: statuses -> ends -> order.

With the whole network all statuses are known at once. The on-walk pairs form a simple path over
copies; its two ends are the copies with one link. The order is given by the direction bit, or, in
the paper's layering, by which end is closer along the walk to a root: equal distance is a tie.

Nothing here knows a walk, a policy's secrets or a random source: only the file and the network.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from pathveil.errors import DoesNotFit, NotConnected
from pathveil.model.bits import IndexArray
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.positions import OTHER_NETWORK, Positions, linear_forest
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.reading.most_likely import most_likely_path
from pathveil.wording import html_table

Order = Literal["known", "either_way"]


@dataclass(frozen=True, repr=False)
class Reading:
    """The walk as a participant reads it.

    Attributes
    ----------
    walk
        The vertices in visiting order; on a tie one of the two directions.
    order
        "known" if the publication says which end is first, "either_way" if it leaves both possible.
        In the
        paper's layering "known" may tell the wrong end.
    copies
        The copy that serves each visit.
    gap
        Two-sided policies only: how many more links might agree with another walk than agree with
        this one. 0 means that no walk is more likely, which is proven.
    rivals
        Two-sided policies only: how many other walks are as likely; None if not counted.
    labels
        The visits as they were called when the network was made: 3 and not "3".
    """

    walk: Walk
    order: Order
    copies: tuple[int, ...]
    gap: int = 0
    rivals: int | None = 0
    labels: tuple[Hashable, ...] = field(default=(), compare=False)

    @property
    def certain(self) -> bool:
        """Whether no other walk fits the publication as well, but for its reverse on a tie.

        Two-sided noise may still mislead.
        """
        return self.gap == 0 and self.rivals == 0

    def __repr__(self) -> str:
        sure = "" if self.certain else ", uncertain" if self.gap else ", others as likely"
        return f"<Reading: {len(self.walk)} visits, order {self.order.replace('_', ' ')}{sure}>"

    def _repr_html_(self) -> str:
        # As of a walk: a notebook keeps what it shows.
        shown = repr(self).strip("<>").removeprefix("Reading: ")
        where = [("its walk", "list(reading.walk)"), ("as you named it", "reading.labels")]
        caveat = ("wrong if", "a link of the network differs from the sender's")
        return html_table((), [("reading", shown), *where, caveat])

    def __str__(self) -> str:
        return (
            f"{repr(self).strip('<>')}; its vertices: reading.walk, as you named them: .labels. "
            "Wrong if a link of the network differs from the sender's"
        )


def reconstruct(
    publication: Publication, network: Network, *, grouping: Grouping | None = None
) -> Reading:
    """Return the walk to someone who knows the network: exactly, or the most likely if two-sided.

    The names in ``reading.walk`` are texts; ``reading.labels`` are the vertices as the network's
    maker called them: 3 and not "3". A partner that has only its own links uses
    :func:`pathveil.read_vertex`.

    *Paper*: Section 4.1, "Path reconstruction".

    Parameters
    ----------
    grouping
        The public grouping it was published over, if it was and the publication comes from a file.

    Raises
    ------
    DoesNotFit
        If the published walk links of this network do not form one path. With the network the walk
        was published over the reading is exact; with a link too few or too many it may be refused
        or be a wrong walk, unnoticed, for nothing in a publication can tell without telling an
        adversary too. A link outside a universe that it carries is refused.

    Examples
    --------
    >>> from pathveil import publish
    >>> network = Network.parse("ab bc cd bd")
    >>> reconstruct(publish(network, Walk("abcd")), network).walk.vertices
    ('a', 'b', 'c', 'd')
    """
    publication = Publication.of(publication).over(grouping)
    try:
        network = Network.of(network)
    except NotConnected:
        raise DoesNotFit(f"the network falls into several components; {OTHER_NETWORK}") from None
    asked = positions_over(publication, network)
    if publication.universe is not None:
        publication.universe.require_among(network.links)
    pairs = asked.lifted(network.pairs)
    shown = ~publication.bits.same_branch(asked, pairs)
    if publication.policy.noisy:
        likely = most_likely_path(asked, pairs, shown, publication.policy)
        visits, gap, rivals = list(likely.visits), likely.gap, likely.rivals
        found = _reading(asked, visits, publication, gap=gap, rivals=rivals)
    else:
        found = assemble(asked, pairs[shown], publication)
    return replace(found, labels=tuple(map(network.label, found.walk)))


def assemble(asked: Positions, links: IndexArray, publication: Publication) -> Reading:
    """Return the walk whose links are these pairs of positions: the one way from links to a walk.

    Parameters
    ----------
    asked
        The copies the links are about.
    links
        ``(k, 2)`` positions that are consecutive visits, each once, in any order.
    publication
        What tells the order; no bit is read any more.

    Raises
    ------
    DoesNotFit
        If the links do not form one path.

    Examples
    --------
    >>> from pathveil import publish
    >>> publication = publish(Network.parse("ab bc cd bd"), Walk("dcb"))
    >>> asked = Positions.uniform(("a", "b", "c", "d"), 1)
    >>> assemble(asked, np.array([[1, 2], [2, 3]]), publication).walk.vertices
    ('d', 'c', 'b')
    """
    fragments = linear_forest(links, asked)
    if len(fragments) != 1:
        touched = sum(map(len, fragments))
        raise DoesNotFit(
            f"the {len(links)} walk links read with this network form {len(fragments)} paths over "
            f"{touched} visits, expected one path; {OTHER_NETWORK}"
        )
    return _reading(asked, list(fragments[0]), publication)


def _reading(
    asked: Positions,
    visits: list[int],
    publication: Publication,
    *,
    gap: int = 0,
    rivals: int | None = 0,
) -> Reading:
    first_is_first, order = _tell(publication, asked, visits)
    if not first_is_first:
        visits.reverse()
    places = np.asarray(visits, dtype=np.int64)
    vertices = asked.vertex_of[places]
    copies = tuple((places - asked.starts[vertices]).tolist())
    walk = Walk(map(asked.vertices.__getitem__, vertices.tolist()))
    return Reading(walk, order, copies, gap, rivals, walk.vertices)


def positions_over(publication: Publication, network: Network) -> Positions:
    """Return the copies of a network's vertices, which must be the published ones if any are."""
    publication.bits.require_over(network)
    return publication.bits.positions_of(network.vertices)


def _tell(publication: Publication, asked: Positions, visits: list[int]) -> tuple[bool, Order]:
    """Return whether the path runs the right way as it stands, and how sure that is.

    It stands from the end that sorts first; over a grouping its sequence of classes decides.
    """
    if publication.direction is not None:
        if publication.grouped is not None:
            names = [asked.label(position)[0] for position in visits]
            forward = publication.grouped.known.forward(names)
            return forward == publication.direction, "either_way" if forward is None else "known"
        return publication.direction, "known"
    if not publication.follows_walk:
        return True, "either_way"
    layered = publication.layered
    roots = np.zeros(len(layered.positions), dtype=bool)
    roots[layered.position_of[layered.is_root]] = True
    on_path = np.flatnonzero(roots[visits])
    if not len(on_path):
        return True, "either_way"
    from_start, from_end = int(on_path[0]), len(visits) - 1 - int(on_path[-1])
    return from_start <= from_end, "either_way" if from_start == from_end else "known"
