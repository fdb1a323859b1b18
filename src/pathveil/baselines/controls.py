"""What an attack must be compared with: guesses without a release, and releases without the secret.

An attack's success says nothing by itself. The candidates alone give G1; if an attack on a placebo,
the same mechanism run on an unrelated walk, does better than G1, the attack reads the answer from
somewhere it should not.
"""

from __future__ import annotations

import numpy as np

from pathveil.baselines.release import Instance
from pathveil.baselines.view import View
from pathveil.model.network import Network
from pathveil.model.walk import Walk


def pair_guess(view: View) -> float:
    """Return G0: the success of guessing among all absent pairs."""
    return 1 / len(view.absent)


def candidate_guess(view: View) -> float:
    """Return G1: the success of guessing among the candidates. The real random guess."""
    return 1 / len(view.candidates)


def placebo(instance: Instance, rng: np.random.Generator) -> Instance:
    """Return an instance in the same scene whose walk is unrelated to the secret one.

    The vertices of the walk are renamed by a uniform permutation of all vertices, which keeps its
    length and its revisits and nothing else; for a path through all vertices that is a uniform
    path. Its network is complete, for its steps need not be edges of the map; mechanisms use the
    scene, which is the same.
    """
    names = instance.network.vertices
    shuffled = rng.permutation(len(names))
    walk = Walk(names[shuffled[i]] for i in instance.indices.tolist())
    first, second = np.triu_indices(len(names), k=1)
    complete = Network(names, np.column_stack([first, second]), instance.network.coordinates)
    return Instance(complete, walk, instance.scene)
