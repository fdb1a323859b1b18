"""Reading the walk back: statuses -> ends -> order.

With the whole network all statuses are known at once. The on-walk pairs form a simple path over
copies; its two ends are the copies with one link. The order is told by the direction bit, or, in
the paper's layering, by which end is closer along the walk to a root: equal distance is a tie.

Nothing here knows a walk, a policy's secrets or a random source: only the file and the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pathveil.errors import DoesNotFit
from pathveil.model.bits import IndexArray, pair_places
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.recovery.likelihood import most_likely_path

Order = Literal["told", "tie"]


@dataclass(frozen=True)
class Reading:
    """The walk as a participant reads it.

    Attributes
    ----------
    walk
        The vertices in visiting order; on a tie one of the two directions.
    order
        "told" if the publication says which end is first, "tie" if it leaves both possible. In the
        paper's layering "told" may tell the wrong end.
    copies
        The copy that serves each visit.
    gap
        Two-sided policies only: how many more edges might agree with another walk than agree with
        this one. 0 means that no walk is more likely, which is proven.
    rivals
        Two-sided policies only: how many other walks are as likely; None if not counted.
    """

    walk: Walk
    order: Order
    copies: tuple[int, ...]
    gap: int = 0
    rivals: int | None = 0

    @property
    def certain(self) -> bool:
        """Whether no other walk fits the publication as well. Two-sided noise may still mislead."""
        return self.gap == 0 and self.rivals == 0


def reconstruct(publication: Publication, network: Network) -> Reading:
    """Return the walk, for who knows the network: exactly, or the most likely one if two-sided.

    *Paper*: Section 4.1, "Path reconstruction".

    Raises
    ------
    DoesNotFit
        If the published walk edges of this network do not form one path: never a wrong walk.

    Examples
    --------
    >>> from pathveil import publish
    >>> network = Network.parse("ab bc cd bd")
    >>> reconstruct(publish(network, Walk("abcd")), network).walk.vertices
    ('a', 'b', 'c', 'd')
    """
    _require_same_vertices(publication, network)
    gap: int = 0
    rivals: int | None = 0
    if publication.policy.name == "two-sided":
        likely = most_likely_path(publication, network)
        visits, gap, rivals = list(likely.visits), likely.gap, likely.rivals
    else:
        visits = _one_path(_on_walk(publication, network), publication)
    first_is_first, order = _tell(publication, visits)
    if not first_is_first:
        visits = visits[::-1]
    labels = [publication.positions.label(position) for position in visits]
    copies = tuple(copy for _, copy in labels)
    return Reading(Walk(vertex for vertex, _ in labels), order, copies, gap, rivals)


def _require_same_vertices(publication: Publication, network: Network) -> None:
    if publication.vertices == network.vertices:
        return
    published, known = set(publication.vertices), set(network.vertices)
    only = min(published ^ known)
    where = "publication" if only in published else "network"
    raise DoesNotFit(
        f"the publication has {len(published)} vertices and the network {len(known)}; {only!r} is "
        f"in the {where} only; use the network the walk was published over"
    )


def _on_walk(publication: Publication, network: Network) -> IndexArray:
    """Return the copy pairs of network edges that are in different branches."""
    pairs = publication.positions.lifted_edges(network)
    bits = publication.bits()
    return pairs[~bits.at(pair_places(pairs[:, 0], pairs[:, 1], bits.size))]


def _one_path(pairs: IndexArray, publication: Publication) -> list[int]:
    """Return the positions along the path formed by the pairs, from the end that sorts first."""
    links: dict[int, list[int]] = {}
    for i, j in pairs.tolist():
        links.setdefault(i, []).append(j)
        links.setdefault(j, []).append(i)
    ends = sorted(position for position, mates in links.items() if len(mates) == 1)
    crowded = next((p for p, mates in links.items() if len(mates) > 2), None)
    if crowded is not None:
        vertex, copy = publication.positions.label(crowded)
        raise DoesNotFit(
            f"copy {copy} of {vertex!r} has {len(links[crowded])} walk edges, expected at most 2; "
            "the publication does not belong to this network"
        )
    if len(ends) != 2:
        raise DoesNotFit(
            f"the {len(pairs)} walk edges read with this network have {len(ends)} ends, expected "
            "2: they do not form one path; the publication does not belong to this network"
        )
    visits, before = [ends[0]], -1
    while True:
        onward = [p for p in links[visits[-1]] if p != before]
        if not onward:
            break
        before = visits[-1]
        visits.append(onward[0])
    if len(visits) != len(links):
        raise DoesNotFit(
            f"the walk edges read with this network form a path of {len(visits)} copies and "
            f"{len(links) - len(visits)} copies besides it, expected one path; the publication "
            "does not belong to this network"
        )
    return visits


def _tell(publication: Publication, visits: list[int]) -> tuple[bool, Order]:
    """Return whether the end that sorts first is the first vertex, and how sure that is."""
    if publication.direction is not None:
        return publication.direction, "told"
    layered = publication.layered
    roots = np.zeros(len(layered.positions), dtype=bool)
    roots[layered.position_of[layered.is_root]] = True
    on_path = np.flatnonzero(roots[visits])
    if not len(on_path):
        return True, "tie"
    from_start, from_end = int(on_path[0]), len(visits) - 1 - int(on_path[-1])
    return from_start <= from_end, "tie" if from_start == from_end else "told"
