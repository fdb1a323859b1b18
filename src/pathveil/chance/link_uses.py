"""What a series has cost the links of a network so far: for the custodian's screen alone.

Uses per link and the largest loss are functions of the network and the walks. They are in no file.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pathveil.chance.history import History
from pathveil.chance.losses import seed_loss
from pathveil.chance.series_loss import fresh_loss, pattern_loss, urn_of
from pathveil.errors import BrokenSeries
from pathveil.model.certificate import Loss
from pathveil.model.network import Network
from pathveil.policies import Policy
from pathveil.sketching.sketched_series import sketched_pattern_loss


@dataclass(frozen=True, repr=False)
class SeriesUse:
    """What a series has cost the links of the network so far. Secret.

    Attributes
    ----------
    uses_per_link
        How many walks a link lies on, on average: the number that decides what outsiders read.
    link, shown, releases
        The link that has lost most, and on how many of how many walks it lies.
    presence, fresh
        Its loss, and what fresh fair coins would have cost it.
    """

    uses_per_link: Fraction
    link: tuple[str, str]
    shown: int
    releases: int
    presence: Loss
    fresh: Loss

    def __repr__(self) -> str:
        return "<SeriesUse: for the custodian>"


def series_use(network: Network, history: History) -> SeriesUse:
    """Return what the links of a network have lost in a series, had they been links all along.

    *Privacy*: not to be published: it is a function of the network and the walks.
    """
    policy, releases = _policy(history), len(history)
    shown = history.shown(network.pairs, network.vertices)
    losses = {int(count): _loss(policy, history, int(count)) for count in np.unique(shown)}
    dearest = max(losses, key=lambda count: float(losses[count]))
    link = network.links[int(np.flatnonzero(shown == dearest)[0])]
    return SeriesUse(
        Fraction(int(shown.sum()), len(network.links)),
        link,
        dearest,
        releases,
        losses[dearest],
        fresh_loss(policy, releases),
    )


def _policy(history: History) -> Policy:
    if not history.releases:
        raise BrokenSeries("a series without a release has cost nothing; publish first")
    # But for the bits of a sketch's values, which no loss depends on, all releases have the same.
    return Policy.from_terms(history.releases[0][0].policy)


def _loss(policy: Policy, history: History, shown: int) -> Loss:
    """Return the loss of a link on so many walks of the series; of sketches the dearest order's."""
    if not history.sketches:
        return pattern_loss(urn_of(policy), shown, len(history), states=policy.states)
    seed = seed_loss(policy, history.sketches[0].capacity).presence
    return sketched_pattern_loss(policy, shown, len(history), seed)
