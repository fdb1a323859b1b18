"""Edge-private path publishing.

The tree is the story, room by room:

- ``errors``: everything that can go wrong, as a tree;
- ``model``: what is known, as frozen values; a publication is its bits;
- ``chance``: where randomness enters and what privacy is lost by it;
- ``layering``: bits to layered graph, deterministic;
- ``understanding``, ``terms``, ``publishing`` (the best first read), ``sketching``: what people
  write first, everything public that decides a release, walks published, packed or as sketches;
- ``recovery``: who may read it back;
- ``adversary``, ``baselines``: who attacks it; the five prior systems;
- ``verifying``, ``earning``, ``release_audit``: whether files keep their promises, whether their
  policy earns them, what real releases show (``verifying_series``, ``verifying_ledger``,
  ``edge_release``, ``release_files``);
- ``gate``, ``gatekeeper``: what an outsider would read of all that is out, and who refuses it
  (``chaff_fit``, ``gate_report``);
- ``batching``: many walks as one series, with a journal (``batch_lines``, ``batch_draws``,
  ``batch_journal``, ``batch_layout``, ``batch_output``, ``batch_report``);
- ``ledger``, ``charging``, ``releasing``: what has been released before, the loss of each link by
  a release, and publishing through a ledger;
- ``formats``: files and pictures;
- ``reproduction``, ``comparison``: the paper's evaluation; the prior systems and ours;
- ``plain_files``, ``journal``, ``runners``, ``maps``, ``intervals``: tools without a theory;
- ``apps``: the command line.

>>> import pathveil as pv
>>> network = pv.Network.parse("ab af bc bd be bf cd ce cf de df ef")
>>> publication = pv.publish(network, pv.Walk("abcdef"))
>>> found = pv.reconstruct(publication, network)
>>> "".join(found.walk), found.order
('abcdef', 'told')
"""

import typing as _typing
from importlib import import_module as _import_module

if _typing.TYPE_CHECKING:
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

    __version__: str

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

_PLACES = {
    "Grouping": "pathveil.model.grouping",
    "Knowledge": "pathveil.model.threat",
    "Network": "pathveil.model.network",
    "Policy": "pathveil.chance.policy",
    "Publication": "pathveil.model.publication",
    "Seeded": "pathveil.chance.source",
    "Walk": "pathveil.model.walk",
    "attack": "pathveil.adversary.inference",
    "audit": "pathveil.adversary.auditing",
    "draw": "pathveil.formats.pictures",
    "group": "pathveil.chance.colouring",
    "publish": "pathveil.publishing",
    "publish_together": "pathveil.publishing",
    "read_network": "pathveil.formats.networks",
    "read_walk": "pathveil.formats.walks",
    "reconstruct": "pathveil.recovery.assembly",
    "verify": "pathveil.verifying",
}
"""The module that holds each public name; it is read when the name is first asked for."""

_CALLED_THERE = {"verify": "verify_publication"}
"""Names that are longer in their own module, where no others stand around them."""


if (
    not _typing.TYPE_CHECKING
):  # a type checker reads the imports above, and misses what is not there

    def __getattr__(name: str) -> object:
        """Return a public name, the version or a room, read when it is first asked for.

        So a command line, or a program that only reads walks back, does not wait for the attacks
        and the pictures.
        """
        if name in _PLACES:
            found = getattr(_import_module(_PLACES[name]), _CALLED_THERE.get(name, name))
        elif name == "__version__":
            found = _import_module("importlib.metadata").version("pathveil")
        else:
            found = _room(name)
        globals()[name] = found
        return found


def _room(name: str) -> object:
    """Return a module of this package, as ``pathveil.errors`` without an import of its own."""
    missing = f"module 'pathveil' has no attribute {name!r}"
    if name.startswith("_"):
        raise AttributeError(missing, name=name)
    try:
        return _import_module(f"pathveil.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"pathveil.{name}":
            raise
        raise AttributeError(missing, name=name) from None


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
