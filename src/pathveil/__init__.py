"""Edge-private path publishing.

The tree is the story, room by room; data flows down this list, imports point up it:

- ``errors``, ``wording``: everything that can go wrong, as a tree; how numbers and names are said;
- ``model``: what is known, as frozen values; a publication is its bits;
- ``chance``, ``policies``: where randomness enters, what privacy is lost by it, who decides;
- ``grouping``, ``sketching``: classes that hide links for ever; one bit for each link;
- ``layering``: bits to layered graph, deterministic;
- ``publishing``: a walk published, the paper's Alg. 3 (the best first read);
- ``reading``: who may read it back;
- ``files``, ``drawing``: values to files and back; pictures;
- ``attacks``, ``planning``: who attacks it; may this go out?
- ``checking``: whether files keep their promises, and whether a draw may be sent;
- ``batching``, ``ledger``: many walks; what has been released before;
- ``exchange``: participants read together;
- ``graphs``: comparability graphs, in NetworkX's conventions;
- ``cli``, ``studio``: the command line; the page in a browser;
- ``lab``: the paper's evaluation, the prior systems, attacks that only studies use.

>>> import pathveil as pv
>>> network = pv.Network.parse("ab af bc bd be bf cd ce cf de df ef")
>>> publication = pv.publish(network, pv.Walk("abcdef"))
>>> found = pv.reconstruct(publication, network)
>>> "".join(found.walk), found.order
('abcdef', 'known')
"""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # typing takes longer to import than all of this
if TYPE_CHECKING:
    from pathveil.attacks.one_file.inference import attack
    from pathveil.chance.source import Seeded
    from pathveil.checking.auditing import audit
    from pathveil.checking.judging import judge
    from pathveil.checking.verification import verify_publication as verify
    from pathveil.drawing.pictures import draw
    from pathveil.files.networks.network_reader import read_network
    from pathveil.files.walks import read_walk
    from pathveil.grouping.draw_grouping import group
    from pathveil.model.grouping import Grouping
    from pathveil.model.knowledge import Knowledge
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication
    from pathveil.model.walk import Walk
    from pathveil.planning.plan import Plan, plan
    from pathveil.policies import Policy
    from pathveil.publishing.release import publish, publish_series, publish_together
    from pathveil.reading.assemble import reconstruct
    from pathveil.reading.participant import read_link, read_vertex

    __version__: str

__all__ = [
    "Grouping",
    "Knowledge",
    "Network",
    "Plan",
    "Policy",
    "Publication",
    "Seeded",
    "Walk",
    "attack",
    "audit",
    "draw",
    "group",
    "judge",
    "plan",
    "publish",
    "publish_series",
    "publish_together",
    "read_link",
    "read_network",
    "read_vertex",
    "read_walk",
    "reconstruct",
    "verify",
]

_PLACES = {
    "Grouping": "pathveil.model.grouping",
    "Knowledge": "pathveil.model.knowledge",
    "Network": "pathveil.model.network",
    "Plan": "pathveil.planning.plan",
    "Policy": "pathveil.policies",
    "Publication": "pathveil.model.publication",
    "Seeded": "pathveil.chance.source",
    "Walk": "pathveil.model.walk",
    "attack": "pathveil.attacks.one_file.inference",
    "audit": "pathveil.checking.auditing",
    "draw": "pathveil.drawing.pictures",
    "group": "pathveil.grouping.draw_grouping",
    "judge": "pathveil.checking.judging",
    "plan": "pathveil.planning.plan",
    "publish": "pathveil.publishing.release",
    "publish_series": "pathveil.publishing.release",
    "publish_together": "pathveil.publishing.release",
    "read_link": "pathveil.reading.participant",
    "read_network": "pathveil.files.networks.network_reader",
    "read_vertex": "pathveil.reading.participant",
    "read_walk": "pathveil.files.walks",
    "reconstruct": "pathveil.reading.assemble",
    "verify": "pathveil.checking.verification",
}
"""The module that holds each public name; it is read when the name is first asked for."""

_CALLED_THERE = {"verify": "verify_publication"}
"""Names that are longer in their own module, where no others stand around them."""


if not TYPE_CHECKING:  # a type checker reads the imports above, and misses what is not there

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


del TYPE_CHECKING


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
