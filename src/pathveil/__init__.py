"""Edge-private path publishing.

The tree is the story: ``model`` (what is known), ``chance`` (where randomness enters and what it
costs), ``layering`` (bits to layered graph, deterministic), ``publishing`` (the best first read),
``recovery`` (who may read it back), ``adversary`` (who attacks it), ``baselines`` (the five prior
systems), ``formats`` (files and pictures), ``reproduction`` and ``comparison`` (many runs),
``apps`` (command line).

>>> import pathveil as pv
>>> network = pv.Network.parse("ab af bc bd be bf cd ce cf de df ef")
>>> publication = pv.publish(network, pv.Walk("abcdef"))
>>> found = pv.reconstruct(publication, network)
>>> "".join(found.walk), found.order
('abcdef', 'told')
"""

from importlib.metadata import version as _version

from pathveil.adversary.auditing import audit
from pathveil.adversary.inference import attack
from pathveil.chance.colouring import group
from pathveil.chance.policy import Policy
from pathveil.chance.source import Seeded
from pathveil.formats.networks import read_network
from pathveil.formats.pictures import draw
from pathveil.formats.walks import read_walk
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.threat import Knowledge
from pathveil.model.walk import Walk
from pathveil.publishing import publish, publish_together
from pathveil.recovery.assembly import reconstruct
from pathveil.verifying import verify_publication as verify

__version__ = _version("pathveil")

__all__ = [
    "Grouping",
    "Knowledge",
    "Network",
    "Policy",
    "Publication",
    "Seeded",
    "Walk",
    "attack",
    "audit",
    "draw",
    "group",
    "publish",
    "publish_together",
    "read_network",
    "read_walk",
    "reconstruct",
    "verify",
]
