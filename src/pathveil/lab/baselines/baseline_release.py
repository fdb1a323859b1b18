"""What every prior system is given and what it hands out.

The five systems guarantee different things to different units: a number called epsilon means little
without the unit beside it, so a :class:`Release` carries it. The split between :class:`Scene` and
:class:`Instance` is the trust boundary of this folder: an attack sees a scene and a release, only a
mechanism sees an instance.

All mechanisms here are re-implementations of prior work in floating point, driven by a numpy
generator of the caller's. Floating-point Laplace, exponential and K-norm noise is *not* exactly
differentially private: the low bits of a sum tell more than the real-number proof allows. That is
in order for a comparison and wrong for a release; this package's own mechanism does not use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from pathveil.errors import BadBudget, BadNetwork
from pathveil.model.network import Network
from pathveil.model.walk import Walk

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int64]
NAMED = 8  # vertices listed in a message
WIDTH = 0.3
"""Length scale of the public mobility model, as a share of the diameter. Our choice."""


def require_epsilon(epsilon: float) -> float:
    """Return a budget that can be used, or raise :class:`BadBudget`.

    >>> require_epsilon(1)
    1.0
    """
    value = float(epsilon)
    if not (0 < value < np.inf):
        raise BadBudget(f"epsilon is {epsilon!r}; give a finite number above 0")
    return value


@dataclass(frozen=True, eq=False, repr=False)
class Scene:
    """What everybody knows before anything is released.

    Parameters
    ----------
    vertices
        Names, in the order of the network.
    positions
        ``(n, 2)`` coordinates, one row for each vertex.
    reach
        Public bound M on the distance between two consecutive visits.
    known
        Edges that everybody may know, or None. Mobility models and histories are made from these
        and from coordinates alone: a public model made from the full network gives the missing
        edge away before the mechanism has started.
    """

    vertices: tuple[str, ...]
    positions: FloatArray
    reach: float
    known: Network | None = None

    @cached_property
    def distances(self) -> FloatArray:
        """``(n, n)`` Euclidean distances between vertices."""
        return np.asarray(cdist(self.positions, self.positions), dtype=np.float64)

    @property
    def diameter(self) -> float:
        """The largest distance between two vertices; 1 if they all coincide."""
        return float(self.distances.max()) or 1.0

    @cached_property
    def box(self) -> tuple[FloatArray, float]:
        """Lower left corner and side of the smallest upright square round the vertices."""
        low = self.positions.min(axis=0)
        side = float((self.positions.max(axis=0) - low).max()) or 1.0
        return low, side

    def nearest(self, points: FloatArray) -> IndexArray:
        """Return the index of the vertex nearest to each point; ties go to the first."""
        return np.asarray(cdist(points, self.positions).argmin(axis=1), dtype=np.int64)

    def __repr__(self) -> str:
        return f"<Scene: {len(self.vertices)} vertices, reach {self.reach:g}>"


@dataclass(frozen=True, eq=False, repr=False)
class Instance:
    """A secret walk in a scene: what a mechanism is given. The repr tells sizes only.

    Use :meth:`of`; the constructor takes parts that already fit.
    """

    network: Network
    walk: Walk
    scene: Scene

    @classmethod
    def of(
        cls,
        network: Network,
        walk: Walk,
        *,
        known: Network | None = None,
        reach: float | None = None,
    ) -> Instance:
        """Return the instance of a network with positions, synthetic or real, and a walk on it.

        Parameters
        ----------
        known
            The edges that are public, usually ``network.without(missing)``.
        reach
            Public bound on the length of a step. By default the diameter of the vertex set: a
            maximum over the edges, or over the walk, would tell of the longest one.

        Examples
        --------
        >>> places = {"a": (0.0, 0.0), "b": (3.0, 4.0)}
        >>> network = Network.from_links([("a", "b")], coordinates=places)
        >>> Instance.of(network, Walk("ab"))
        <Instance: 2 vertices, 2 visits>
        >>> Instance.of(network, Walk("ab")).scene.reach
        5.0
        """
        walk.require_in(network)
        scene = scene_of(network, known=known, reach=reach)
        return cls(network, walk, scene)

    @cached_property
    def indices(self) -> IndexArray:
        """Vertex indices in visiting order."""
        return np.array([self.network.index(v) for v in self.walk], dtype=np.int64)

    @property
    def points(self) -> FloatArray:
        """True coordinates in visiting order."""
        return np.asarray(self.scene.positions[self.indices], dtype=np.float64)

    def __repr__(self) -> str:
        return f"<Instance: {len(self.scene.vertices)} vertices, {len(self.walk)} visits>"


def require_places(network: Network) -> None:
    """Raise :class:`BadNetwork` unless every vertex has coordinates, and say which have none."""
    if network.coordinates is None:
        raise BadNetwork(
            "the network has no positions; the prior systems publish points in the plane, "
            "give coordinates (x and y, or longitude and latitude) for all vertices"
        )
    missing = [name for name in network.vertices if name not in network.coordinates]
    if missing:
        shown = ", ".join(repr(name) for name in missing[:NAMED])
        more = len(missing) - NAMED
        raise BadNetwork(
            f"{len(missing)} of {len(network)} vertices have no position: {shown}"
            + (f" and {more} more" if more > 0 else "")
            + "; give them coordinates, or remove these vertices"
        )


def scene_of(
    network: Network, *, known: Network | None = None, reach: float | None = None
) -> Scene:
    """Return the public part of a network with positions; see :meth:`Instance.of`."""
    require_places(network)
    assert network.coordinates is not None
    positions = np.array([network.coordinates[v] for v in network.vertices], dtype=np.float64)
    if not np.isfinite(positions).all():
        raise BadNetwork("a position is not finite; give plain numbers for all coordinates")
    scene = Scene(network.vertices, positions, 1.0, known)
    bound = scene.diameter if reach is None else float(reach)
    if not (0 < bound < np.inf):
        raise BadBudget(f"the reach is {reach!r}; give a finite length above 0")
    return Scene(network.vertices, positions, bound, known)


@dataclass(frozen=True, eq=False)
class Release:
    """What a prior system publishes.

    Parameters
    ----------
    points
        ``(k, 2)`` published coordinates.
    exact
        The loss that is proved to suffice for what its epsilon is about, where known; ``inf`` where
        none does.
    exact_indices
        Which points are published unperturbed.
    aligned
        Whether point j stands for visit j.
    starts
        Where each sequence begins, for systems that publish several.
    meta
        Further published numbers: budgets used, anchors.
    """

    points: FloatArray
    exact: float | None
    exact_indices: tuple[int, ...] = ()
    aligned: bool = True
    starts: tuple[int, ...] = (0,)
    meta: Mapping[str, FloatArray] = field(default_factory=dict)

    @cached_property
    def links(self) -> IndexArray:
        """Indices j such that points j and j + 1 follow each other in one sequence."""
        first = np.arange(max(len(self.points) - 1, 0), dtype=np.int64)
        return first[~np.isin(first + 1, self.starts)]


class Mechanism(Protocol):
    """A prior system with its parameters set: a frozen value."""

    def __hash__(self) -> int: ...

    def publish(self, instance: Instance, rng: np.random.Generator) -> Release:
        """Return one release of the secret walk."""
        ...


@runtime_checkable
class KnownLaw(Protocol):
    """A mechanism whose law can be written down, so that an adversary can apply Bayes' rule."""

    def log_likelihood(self, release: Release, scene: Scene, sequences: IndexArray) -> FloatArray:
        """Return the log-density of a release under each row of ``sequences``, vertex indices."""
        ...


@runtime_checkable
class VisitLaw(Protocol):
    """A mechanism whose law falls apart into one factor for each visit.

    Then the likelihood of a walk is read off a table, and the most likely walk of a network is
    found by going through subsets instead of walks (:mod:`pathveil.lab.baselines.reading`).
    """

    def visit_logs(self, release: Release, scene: Scene) -> FloatArray | None:
        """Return ``(k, m)``: the log-density of point j if visit j is at each vertex.

        A term that is the same for all vertices may be left out. None where, with these settings,
        the law does not fall apart.
        """
        ...


@lru_cache(maxsize=8)
def visit_logs(law: Mechanism, release: Release, scene: Scene) -> FloatArray | None:
    """Return the same, None if there are no such factors; attacks and readers share it."""
    return law.visit_logs(release, scene) if isinstance(law, VisitLaw) else None


def log_likelihood(
    law: Mechanism, release: Release, scene: Scene, sequences: IndexArray
) -> FloatArray | None:
    """Return the log-density of a release under each hypothetical walk; None if no law is known.

    Parameters
    ----------
    sequences
        ``(c, n)`` vertex indices: one hypothetical walk in each row. A term that is the same for
        all rows may be left out.
    """
    logs = visit_logs(law, release, scene)
    if logs is None:
        known: object = law
        if not isinstance(known, KnownLaw):
            return None
        return known.log_likelihood(release, scene, sequences)
    if sequences.shape[1] != len(logs):
        return np.full(len(sequences), -np.inf)
    return np.asarray(logs[np.arange(len(logs)), sequences].sum(axis=1), dtype=np.float64)


# -- public mobility models ------------------------------------------------------------------------
#
# PIM and PriSTE need a Markov matrix that everybody knows. If it were the random walk on the full
# network while the adversary holds the network without one link, the model itself would give that
# link away and no noise could help. So the default knows coordinates only, and the other one is
# made from the links that are public.


def distance_kernel(scene: Scene) -> FloatArray:
    """Return the Markov matrix that prefers near vertices and never stays; it uses no edge.

    A step has weight ``exp(-distance / sigma)``, sigma being :data:`WIDTH` of the diameter.

    Examples
    --------
    >>> scene = Scene(("a", "b", "c"), np.array([[0.0, 0], [1, 0], [2, 0]]), 2.0)
    >>> distance_kernel(scene).sum(axis=1).round(12).tolist()
    [1.0, 1.0, 1.0]
    """
    weights = np.exp(-scene.distances / (WIDTH * scene.diameter))
    np.fill_diagonal(weights, 0.0)
    return _rows_to_one(weights)


def network_kernel(known: Network) -> FloatArray:
    """Return the uniform random walk on the edges that are public.

    Give what the adversary holds (``network.without(missing)``), never the full network. A vertex
    without a public edge jumps anywhere.

    Examples
    --------
    >>> network_kernel(Network.parse("ab bc")).tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    """
    weights = np.zeros((len(known), len(known)))
    first, second = known.pairs.T
    weights[first, second] = weights[second, first] = 1.0
    lonely = weights.sum(axis=1) == 0
    weights[lonely] = 1.0
    weights[lonely, lonely] = 0.0
    return _rows_to_one(weights)


def simulated_walks(scene: Scene, count: int, rng: np.random.Generator) -> IndexArray:
    """Return ``(count, vertices)`` vertex indices of walks on the public edges, begun anywhere.

    For histories and corpora. Where no edge is public, near vertices are preferred.
    """
    matrix = distance_kernel(scene) if scene.known is None else network_kernel(scene.known)
    steps, visits = np.cumsum(matrix, axis=1), len(scene.vertices)
    last = len(matrix) - 1
    walks = np.empty((count, visits), dtype=np.int64)
    walks[:, 0] = rng.integers(len(matrix), size=count)
    draws = rng.random((count, visits))
    for j in range(1, visits):
        passed = steps[walks[:, j - 1]] <= draws[:, j, None]
        walks[:, j] = np.minimum(passed.sum(axis=1), last)
    return walks


def weighted_index(weights: FloatArray, rng: np.random.Generator) -> int:
    """Return an index drawn by weight, uniform if there is no weight at all.

    >>> weighted_index(np.array([0.0, 3.0, 0.0]), np.random.default_rng(0))
    1
    """
    bounds = np.cumsum(weights if weights.sum() > 0 else np.ones(len(weights)))
    at = int(np.searchsorted(bounds, rng.random() * bounds[-1], side="right"))
    return min(at, len(weights) - 1)


def _rows_to_one(weights: FloatArray) -> FloatArray:
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)
