"""Synthetic maps with a walk on them, as the paper's evaluation has them, and routes on real ones.

The paper's three steps: vertices uniform in the plane, a path through all of them, the remaining
edges uniform among the absent pairs. Names sort by number, the path order is a uniform permutation
of them: no name tells a place on the path.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadNetwork, NotAWalk
from pathveil.model.network import Network
from pathveil.model.walk import Walk

TRIES = 10_000
FloatArray = npt.NDArray[np.float64]


def vertex_names(count: int) -> tuple[str, ...]:
    """Return names that sort as their numbers do.

    >>> vertex_names(11)[:2], vertex_names(3)
    (('v00', 'v01'), ('v0', 'v1', 'v2'))
    """
    width = len(str(count - 1))
    return tuple(f"v{i:0{width}d}" for i in range(count))


def random_map(n_vertices: int, n_edges: int, rng: np.random.Generator) -> tuple[Network, Walk]:
    """Return a map of the paper's kind and the path through all its vertices.

    Examples
    --------
    >>> random_map(10, 15, np.random.default_rng(7))
    (<Network: 10 vertices, 15 links>, <Walk: 10 visits>)
    """
    if n_vertices < 2:
        raise BadNetwork(f"a map of {n_vertices} vertices has no path; give 2 or more")
    return map_around(rng.permutation(n_vertices).tolist(), n_vertices, n_edges, rng)


def cyclic_order(
    n_vertices: int, n_edges: int, rng: np.random.Generator, *, visits: int
) -> list[int]:
    """Return a walk, as vertex numbers, that visits every vertex and at least one of them again.

    The paper does not say how its cyclic paths are made. Here the walk is uniform among all
    sequences of ``visits`` vertices in which no vertex follows itself and every vertex occurs; the
    first step of the walk is drawn by counting how many such sequences go on from it, and so on,
    exactly, in whole numbers. Where the walk would need more edges than the map shall have, it is
    drawn again. The remaining edges are those of :func:`links_around`.

    Parameters
    ----------
    visits
        Length of the walk, more than ``n_vertices``. To compare with acyclic paths of the same
        number of visits, make those on maps of ``visits`` vertices.
    """
    if n_vertices < 2 or visits <= n_vertices:
        raise NotAWalk(
            f"a walk of {visits} visits to all of {n_vertices} vertices revisits none; "
            "give more visits than vertices, and 2 vertices or more"
        )
    for _ in range(TRIES):
        order = _spanning_sequence(n_vertices, visits, rng)
        if len({tuple(sorted(step)) for step in pairwise(order)}) <= n_edges:
            return order
    raise BadNetwork(
        f"no walk of {visits} visits on {n_vertices} vertices with at most {n_edges} edges was "
        f"found in {TRIES} draws; give more edges or fewer visits"
    )


@lru_cache(maxsize=4096)
def _ways(n: int, seen: int, left: int) -> int:
    """Count the ways to go on for ``left`` visits, ``seen`` vertices seen, so that all get seen."""
    if n - seen > left:
        return 0
    if left == 0:
        return 1
    return (n - seen) * _ways(n, seen + 1, left - 1) + (seen - 1) * _ways(n, seen, left - 1)


def _spanning_sequence(n: int, visits: int, rng: np.random.Generator) -> list[int]:
    """Return a uniform sequence of visits that sees all n vertices and never stays."""
    fresh = rng.permutation(n).tolist()
    order = [fresh.pop()]
    for left in range(visits - 1, 0, -1):
        seen = n - len(fresh)
        new = len(fresh) * _ways(n, seen + 1, left - 1)
        # a ratio of whole numbers, rounded once
        if rng.random() < new / _ways(n, seen, left):
            order.append(fresh.pop())
        else:
            old = sorted(set(order) - {order[-1]})
            order.append(old[int(rng.integers(len(old)))])
    return order


def map_around(
    order: Sequence[int], n_vertices: int, n_edges: int, rng: np.random.Generator
) -> tuple[Network, Walk]:
    """Return a map that holds the walk and uniform further edges, and the walk."""
    names = vertex_names(n_vertices)
    places, links = links_around(order, n_vertices, n_edges, rng)
    network = Network.from_links(
        [(names[u], names[v]) for u, v in links],
        vertices=names,
        coordinates={
            name: (float(x), float(y)) for name, (x, y) in zip(names, places, strict=True)
        },
    )
    return network, Walk(names[i] for i in order)


def links_around(
    order: Sequence[int], n_vertices: int, n_edges: int, rng: np.random.Generator
) -> tuple[FloatArray, list[tuple[int, int]]]:
    """Return places in the plane, and the links of the walk with uniform further ones, sorted."""
    places = rng.random((n_vertices, 2))
    on_walk = {(min(step), max(step)) for step in pairwise(order)}
    first, second = np.triu_indices(n_vertices, k=1)
    others = [p for p in zip(first.tolist(), second.tolist(), strict=True) if p not in on_walk]
    more = n_edges - len(on_walk)
    if not 0 <= more <= len(others):
        raise BadNetwork(
            f"a map of {n_vertices} vertices and a walk over {len(on_walk)} edges has from "
            f"{len(on_walk)} to {len(on_walk) + len(others)} edges, not {n_edges}"
        )
    added = [others[i] for i in rng.permutation(len(others))[:more].tolist()]
    return places, sorted([*on_walk, *added])


def random_route(network: Network, visits: int, rng: np.random.Generator) -> tuple[Network, Walk]:
    """Return a network, real coordinates and all, and a random path of given length on it.

    From a uniform vertex the path goes on to a uniform neighbour not yet visited; a path that gets
    stuck is begun anew. So paths are not uniform: those through narrow places are rarer.
    """
    for _ in range(TRIES):
        path = [network.vertices[int(rng.integers(len(network)))]]
        while len(path) < visits:
            onward = [v for v in network.neighbours(path[-1]) if v not in path]
            if not onward:
                break
            path.append(onward[int(rng.integers(len(onward)))])
        else:
            return network, Walk(path)
    raise NotAWalk(
        f"no path of {visits} visits was found in {TRIES} tries on this network of "
        f"{len(network)} vertices; give fewer visits"
    )


def local_route(network: Network, visits: int, rng: np.random.Generator) -> tuple[Network, Walk]:
    """Return a random path on a real network and the part of the network between its vertices.

    The paper's walks visit every vertex; on a real network that is had by taking the sub-network
    induced by the path, with its real links and coordinates.
    """
    whole, walk = random_route(network, visits, rng)
    inside = set(walk)
    edges = [(u, v) for u in inside for v in whole.neighbours(u) if u < v and v in inside]
    coordinates: dict[Hashable, tuple[float, float]] | None = None
    if whole.coordinates is not None:
        places = whole.coordinates
        coordinates = {name: places[name] for name in inside if name in places}
    return Network.from_links(sorted(edges), coordinates=coordinates), walk


EARTH_RADIUS = 6_371_008.8
"""Mean radius of the earth in metres."""


def are_degrees(network: Network) -> bool:
    """Return whether all coordinates could be longitude and latitude.

    >>> places = {"a": (-104.98, 39.74), "b": (-104.97, 39.76)}
    >>> are_degrees(Network.from_links([("a", "b")], coordinates=places))
    True
    """
    places = (network.coordinates or {}).values()
    return bool(places) and all(abs(x) <= 180 and abs(y) <= 90 for x, y in places)


def in_metres(network: Network) -> Network:
    """Return the network with longitude and latitude turned into metres in the plane.

    The projection is azimuthal and equidistant about the middle of the vertices: distances from
    there are true, others nearly so on a city (to a part in a million) or a country. Degrees taken
    as plane coordinates stretch the map sideways by 1 / cos(latitude), 1.3 times in Denver.

    Examples
    --------
    >>> places = {"a": (-105.0, 40.0), "b": (-104.0, 40.0)}
    >>> flat = in_metres(Network.from_links([("a", "b")], coordinates=places)).coordinates
    >>> round(flat["b"][0] - flat["a"][0])
    85180
    """
    if network.coordinates is None:
        raise BadNetwork("the network has no coordinates; give longitude and latitude")
    names = list(network.coordinates)
    degrees = np.array([network.coordinates[name] for name in names])
    longitude, latitude = np.radians(degrees).T
    east, north = _azimuthal(longitude, latitude)
    places = {str(v): (float(x), float(y)) for v, x, y in zip(names, east, north, strict=True)}
    return Network(network.vertices, network.pairs, places)


def _azimuthal(longitude: FloatArray, latitude: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return metres east and north of the middle, along great circles from there."""
    flat = np.cos(latitude)
    x, y, z = (
        float(np.mean(part))
        for part in (flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude))
    )
    middle_long, middle_lat = np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))
    turn = longitude - middle_long
    # components of each place along east, north and up at the middle: no cancellation when near
    east = flat * np.sin(turn)
    north = np.sin(latitude) * np.cos(middle_lat) - flat * np.cos(turn) * np.sin(middle_lat)
    up = np.sin(latitude) * np.sin(middle_lat) + flat * np.cos(turn) * np.cos(middle_lat)
    across = np.hypot(east, north)
    angle = np.arctan2(across, up)
    scale = EARTH_RADIUS * np.where(across > 0, angle / np.where(across > 0, across, 1.0), 1.0)
    return np.asarray(east * scale), np.asarray(north * scale)
