"""What the page asks and what it gets: each answer calls one verb and returns plain data.

Nothing is kept here between two questions (:mod:`pathveil.studio.desk` keeps what was drawn), and
nothing is written: the page sends the network, the walk and the policy, or a publication. Every
number comes from the values that the command line prints with ``--json``. A publication travels as
its compact file, the bits, in base64: its layers are drawn where somebody looks.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from fractions import Fraction
from itertools import product
from math import ceil, inf, isfinite
from time import monotonic
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field

import pathveil as pv
from pathveil.attacks.link_risk import identify_link
from pathveil.attacks.series.outsider import Effort
from pathveil.attacks.series.pile_attack import attack_as_outsider
from pathveil.chance.source import System, below
from pathveil.cli.results import ReadingResult, VertexResult, inference_data, outsider_data, result
from pathveil.drawing.layer_layout import ordered_rows, spread
from pathveil.drawing.network_picture import network_svg, placed
from pathveil.drawing.publication_picture import publication_svg
from pathveil.drawing.story import story_svg
from pathveil.errors import BadFile, TooLarge
from pathveil.files.envelopes import seal_envelope
from pathveil.files.networks.network_reader import parse_network
from pathveil.files.publications.any_publication import publication_content, publication_from
from pathveil.model.certificate import Certificate
from pathveil.model.publication import Verdict
from pathveil.planning.cover import Cover
from pathveil.planning.gate import expected_walks, fitting_walks, law_of
from pathveil.reading.participant import read_vertex

MOST_VERTICES = 500
MOST_LINKS = 3_000
MOST_WALKS = 20
MOST_FLIPS = 1_000
LONGEST_GAME = 0.2
"""Seconds after which a game ends, however many flips were asked for: the page asks again."""
MOST_LISTED = 12
MOST_STEPS, MOST_STEPS_LARGE, LARGE = 4_000, 50, 200
"""Steps in which the ways to place a missing link must be listed; fewer in large networks."""
MOST_LAYERED = 250
"""Vertices whose layered graph is drawn; one of 500 has some 60,000 arcs."""
LARGEST_FILE = 6_000_000
"""Characters of a file in base64."""
OUTSIDER_STEPS = 10_000
"""Moves of an outsider's search; the page says that it is a quick one."""
DIAL = (
    "sealed",
    "frontier:walk_loss=1/8",
    "frontier:walk_loss=1/4",
    "frontier:walk_loss=3/8",
    "frontier:walk_loss=1/2",
    "balanced",
    "frontier:walk_loss=7/8",
    "frontier:walk_loss=1",
    "frontier:walk_loss=5/4",
    "frontier:walk_loss=3/2",
    "frontier:walk_loss=2",
)
"""Policies from the most chaff to the least: what the dial of the page turns through."""

LONGEST_NAME = 200
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Pair = tuple[Name, Name]
Links = Annotated[list[Pair], Field(min_length=1, max_length=MOST_LINKS)]
Visits = Annotated[list[Name], Field(min_length=2, max_length=MOST_VERTICES)]
PolicyText = Annotated[str, Field(max_length=200, examples=["balanced"])]
FileText = Annotated[str, Field(max_length=LARGEST_FILE)]
PublicKey = Annotated[
    str,
    Field(max_length=2_000, pattern=r"^(age1[0-9a-z]+|ssh-(ed25519|rsa) [\w+/=]+( [^\r\n]*)?)$"),
]
"""A key itself, never the name of a file of keys."""
Direction = Literal["public", "hidden"]
Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e9, le=1e9)]
Data = dict[str, Any]


class Body(BaseModel):
    """What the page sends; anything else in it is refused."""

    model_config = ConfigDict(extra="forbid")


class GivenFile(Body):
    """A network as the bytes of a file, and what its reader was asked to decide."""

    name: Annotated[str, Field(max_length=200)]
    data: FileText
    columns: Pair | None = None
    drop_loops: bool = False
    largest_part: bool = False


class GivenLinks(Body):
    """A network that was clicked together, with the places of its vertices."""

    links: Links
    places: Annotated[dict[Name, tuple[Number, Number]], Field(max_length=MOST_VERTICES)] = {}


class DrawnScene(Body):
    """A network, a walk through it, and how to publish it."""

    links: Links
    walk: Visits
    policy: PolicyText = "balanced"
    direction: Direction = "public"


class GivenPublication(Body):
    """A publication, as its compact file in base64."""

    file: FileText


class Asked(GivenPublication):
    """A publication and what somebody knows of the network."""

    links: Links


class AskedAs(Asked):
    """A publication, and a vertex with its own links."""

    vertex: Name


class AskedWithout(Asked):
    """A publication, and someone who lacks one link."""

    lacking: Pair


class ForReaders(GivenPublication):
    """A publication, and the public keys of those who may open it."""

    to: Annotated[list[PublicKey], Field(min_length=1, max_length=50)]


class Game(DrawnScene):
    """Many flips of the coins, and someone who lacks one link and guesses."""

    lacking: Pair
    flips: Annotated[int, Field(ge=1, le=MOST_FLIPS)] = 100


class Walks(Body):
    """Several walks, published one after the other."""

    links: Links
    walks: Annotated[list[Visits], Field(min_length=1, max_length=MOST_WALKS)]
    policy: PolicyText = "balanced"


class SeriesAsked(DrawnScene):
    """After how many more files: of walks as long as this one, or of this very route."""

    files: Annotated[
        list[Annotated[int, Field(ge=1, le=MOST_WALKS)]], Field(min_length=1, max_length=MOST_WALKS)
    ] = [1, 2, 5, 10]
    alike: bool = False


class PlanAsked(Body):
    """How many walks of which length shall fit."""

    links: Links
    walks: Annotated[int, Field(ge=1, le=100_000)]
    length: Annotated[int, Field(ge=1, le=MOST_VERTICES)]
    alike: bool = False


class PictureAsked(DrawnScene):
    """What to draw."""

    kind: Literal["network", "layers", "story"]
    file: FileText


# -- the network ----------------------------------------------------------------------------------


def network_of_file(given: GivenFile) -> Data:
    """Return the network in a file as the command line reads it; it is parsed in memory."""
    return network_data(
        parse_network(
            _decoded(given.data),
            where=given.name or "the file",
            columns=given.columns,
            simplify=True if given.drop_loops else "parallel",
            largest_component=given.largest_part,
        )
    )


def layout(given: GivenLinks) -> Data:
    """Return a network that was clicked together; places are computed where none are given."""
    places: dict[Hashable, tuple[float, float]] = {}
    places.update(given.places.items())
    return network_data(pv.Network.from_links(given.links, coordinates=places or None))


def network_data(network: pv.Network) -> Data:
    """Return a network as the page draws it: y grows upwards."""
    require_small_enough(network)
    longest = max(network.vertices, key=len)
    if len(longest) > LONGEST_NAME:
        raise TooLarge(
            f"{longest[:40]}... is a name of {len(longest):,} characters; the studio shows "
            f"{LONGEST_NAME} at most: shorten it"
        )
    return {
        "vertices": [
            {"name": name, "x": float(x), "y": float(y)}
            for name, (x, y) in zip(network.vertices, placed(network), strict=True)
        ],
        "links": [list(link) for link in network.links],
    }


# -- the dial and the release ---------------------------------------------------------------------


def dial(given: DrawnScene) -> Data:
    """Return for each setting what someone who lacks one link gains, and how many walks fit.

    ``joins`` says of each inner link of the walk how many links could be the missing one, and
    ``stated`` of each setting what its certificate says about that many. Settings with less chaff
    than the one under which most walks fit are left out: they are worse on both counts.
    """
    network = network_of(given.links)
    walk = found_walk(network, given.walk)
    expected = expected_walks(network, walk)
    rows: list[Data] = []
    for text in DIAL:
        policy = pv.Policy.parse(text)
        made = published(network, given.model_copy(update={"policy": text}))
        rows.append(
            {
                "policy": text,
                "fits": fitting_walks(network, walk, policy, expected=expected, roughly=True),
                "lacks_one_link": _guess(Verdict.of(made)),
                "stated": _in_hundred(_stated_rows(made.certificate)),
                "opens_other_links": getattr(law_of(policy), "off", 0.0) == inf,
            }
        )
    most = max(row["fits"] for row in rows)
    last = max(k for k, row in enumerate(rows) if row["fits"] == most)
    useful = rows[: max(last, DIAL.index("balanced")) + 1]
    return {"settings": useful, "joins": _joins(network, given.walk)}


def _joins(network: pv.Network, visits: Sequence[str]) -> list[int]:
    """Return for each inner link of a path how many links could join its two pieces instead."""
    counts = []
    for place in range(1, len(visits) - 2):
        left, right = {visits[0], visits[place]}, {visits[place + 1], visits[-1]}
        others = [pair for pair in product(left, right) if not network.has_edge(*pair)]
        counts.append(1 + len(others))
    return counts


def answer_publish(given: DrawnScene) -> Data:
    """Return the walk, published for practice: the file, its bits by pairs, and what it means."""
    return publication_data(published(network_of(given.links), given))


def publication_data(publication: pv.Publication) -> Data:
    """Return a publication as the page shows it."""
    flat = publication.packed.pairs.flat()
    verdict = Verdict.of(publication)
    return {
        "file": b64encode(publication_content(publication, "route.veil")).decode("ascii"),
        "names": list(publication.vertices),
        "bits": (flat.view(np.uint8) + ord("0")).tobytes().decode("ascii"),
        "public": verdict.public,
        "lacks_one_link": _guess(verdict),
    }


def layers(given: GivenPublication) -> Data:
    """Return the layered graph of a publication, with a place for each node."""
    publication = file_of(given.file)
    if len(publication.vertices) > MOST_LAYERED:
        raise TooLarge(
            f"the layered graph of {len(publication.vertices)} vertices has too many arcs to look "
            f"at: the studio draws it up to {MOST_LAYERED}"
        )
    layered = publication.layered
    rows = ordered_rows(layered)
    x = spread(rows, np.ones(rows.items), gap=1.0, stagger=[1] * len(rows.rows))
    depth = rows.row_of()
    return {
        "height": len(rows.rows),
        "nodes": [
            {"vertex": node.vertex, "piece": node.piece, "x": float(x[k]), "y": int(depth[k])}
            for k, node in enumerate(layered.nodes)
        ],
        "arcs": layered.arcs.tolist(),
    }


# -- readers and attackers ------------------------------------------------------------------------


def read_whole(given: Asked) -> Data:
    """Return what someone reads who has the network."""
    publication = file_of(given.file)
    reading = pv.reconstruct(publication, network_of(given.links))
    return result(ReadingResult, reading)


def read_own(given: AskedAs) -> Data:
    """Return what one vertex reads from its own links."""
    row = tuple(v if u == given.vertex else u for u, v in given.links if given.vertex in (u, v))
    return result(VertexResult, read_vertex(file_of(given.file), given.vertex, row))


def answer_attack(given: AskedWithout) -> Data:
    """Return what someone believes who lacks one link; ``links`` are the beliefs link by link."""
    inferred = _inferred(file_of(given.file), network_of(given.links), given.lacking)
    likely = inferred.on_walk
    listed = [
        {"link": list(one.links[0]), "prior": one.prior, "posterior": one.posterior}
        for one in likely[:MOST_LISTED]
    ]
    return {**inference_data(inferred), "links": listed, "count": len(likely)}


def risk(given: AskedWithout) -> Data:
    """Return how well someone who lacks just this link of the walk names it. For the custodian."""
    network, link = network_of(given.links), (min(given.lacking), max(given.lacking))
    with _quickly_listed():
        found = identify_link(file_of(given.file), network, link, limit=_most_steps(network))
    return {name: getattr(found, name) for name in ("before", "after", "certain", "alarm")}


def play(given: Game) -> Data:
    """Return how often the best guess is right, over fresh flips of all coins, and what is stated.

    Ties are broken by a fair die. What is stated is the certificate's row for this number of joins,
    if all joins are equally likely beforehand: the certificate speaks for no others.
    """
    network, lacking = network_of(given.links), (min(given.lacking), max(given.lacking))
    right = certain = done = 0
    stated: Data | None = None
    die = System()
    end = monotonic() + LONGEST_GAME
    while done < given.flips and (not done or monotonic() < end):
        publication = published(network, given)
        likely = _inferred(publication, network, lacking).on_walk
        best = max((one.posterior for one in likely), default=0.0)
        guesses = [one.links[0] for one in likely if one.posterior > best - 1e-9] or [None]
        right += guesses[below(die, len(guesses))] == lacking
        certain += best > 1 - 1e-9
        done += 1
        if done == 1 and len({round(one.prior, 9) for one in likely}) == 1:
            stated = _stated_rows(publication.certificate).get(str(len(likely)))
    return {"flips": done, "right": right, "certain": certain, "stated": stated}


# -- publish again --------------------------------------------------------------------------------


def cover_data(used: Cover, *, closed: bool) -> Data:
    """Return how much of the cover is used, and how much may be."""
    share = used.share if isfinite(used.share) else None
    return {"share": share, "full": used.limit, "closed": closed}


def outsider(given: Walks) -> Data:
    """Return what an outsider reads in the files of these walks, and what of it is right.

    The files are drawn for this question with fresh coins and thrown away.
    """
    network, policy = network_of(given.links), pv.Policy.parse(given.policy)
    walks = [pv.Walk(visits) for visits in given.walks]
    files = [pv.publish(network, walk, policy=policy) for walk in walks]
    place = {name: number for number, name in enumerate(files[0].vertices)}
    true = [[place[name] for name in walk] for walk in walks]
    found = attack_as_outsider(files, len(network.links), effort=Effort(OUTSIDER_STEPS))
    return outsider_data(found, network, true)


def answer_plan(given: PlanAsked) -> Data:
    """Return what fits."""
    network = network_of(given.links)
    made = pv.plan(network, walks=given.walks, length=given.length, alike=given.alike)
    return made.to_json()


def for_readers(given: ForReaders) -> Data:
    """Return a publication, encrypted to its readers."""
    sealed = seal_envelope(_decoded(given.file), given.to)
    return {"file": b64encode(sealed).decode("ascii")}


def picture(given: PictureAsked) -> Response:
    """Return a picture to keep, as SVG."""
    network, publication = network_of(given.links), file_of(given.file)
    walk = found_walk(network, given.walk)
    drawn = {
        "network": lambda: network_svg(network, walk),
        "layers": lambda: publication_svg(publication),
        "story": lambda: story_svg(network, walk, publication),
    }[given.kind]()
    return Response(drawn, media_type="image/svg+xml")


def page_words(text: str) -> str:
    """Return an error without the parts that say what to type in a terminal or in Python.

    >>> page_words("net.csv: has 2 parts, expected one; keep one: pathveil network clean --largest")
    'net.csv: has 2 parts, expected one'
    >>> page_words("walks do not fit; encrypt them to their readers (--to)")
    'walks do not fit; encrypt them to their readers'
    """
    text = re.sub(r" \((?:[^()]*--|\w+=)[^()]*\)", "", text)
    typed = re.compile(r"(?:^|[\s`(])(?:--[a-z]|pathveil [a-z])")
    said = [part for part in text.split("; ") if not typed.search(part)]
    return "; ".join(said) or text


# -- values ---------------------------------------------------------------------------------------


def network_of(links: Sequence[Pair]) -> pv.Network:
    """Return the network of some links, if it is small enough to look at."""
    network = pv.Network.from_links(links)
    require_small_enough(network)
    return network


def require_small_enough(network: pv.Network) -> None:
    """Raise :class:`TooLarge` for a network that is too large to look at."""
    if len(network) > MOST_VERTICES or len(network.links) > MOST_LINKS:
        size = f"{len(network):,} vertices and {len(network.links):,} links"
        raise TooLarge(
            f"the network has {size}; the studio shows {MOST_VERTICES} and {MOST_LINKS:,} at most: "
            "use the command line for larger ones"
        )


def published(network: pv.Network, given: DrawnScene) -> pv.Publication:
    """Return a scene, published with fresh coins."""
    return pv.publish(
        network,
        pv.Walk(given.walk),
        policy=pv.Policy.parse(given.policy),
        direction=given.direction,
    )


def found_walk(network: pv.Network, visits: Sequence[str]) -> pv.Walk:
    """Return a walk that goes along links of the network."""
    walk = pv.Walk(visits)
    walk.require_in(network)
    return walk


def file_of(text: str) -> pv.Publication:
    """Return the publication of a compact file in base64."""
    return publication_from(_decoded(text), "the publication")


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise BadFile(f"the file is not base64 ({error}); send its bytes so") from None


def _inferred(publication: pv.Publication, network: pv.Network, lacking: Pair) -> Any:
    """Return what someone believes who lacks a link, where that is quickly listed."""
    with _quickly_listed():
        steps = _most_steps(network)
        return pv.attack(publication, network, lacking=[lacking], limit=steps, samples=0)


def _most_steps(network: pv.Network) -> int:
    return MOST_STEPS if len(network) <= LARGE else MOST_STEPS_LARGE


@contextmanager
def _quickly_listed() -> Iterator[None]:
    try:
        yield
    except TooLarge:
        raise TooLarge("there are too many possibilities to list here") from None


def _guess(verdict: Verdict) -> Data | None:
    return None if verdict.lacks_one_link is None else asdict(verdict.lacks_one_link)


def _in_hundred(rows: Data) -> Data:
    """Return chances as numbers of cases in 100, rounded up as the command line does."""
    return {
        joins: {name: ceil(100 * Fraction(chance)) for name, chance in row.items()}
        for joins, row in rows.items()
    }


def _stated_rows(certificate: Certificate) -> Data:
    """Return by number of joins what a certificate states about someone who lacks one link."""
    return {
        str(row.joins): {"before": row.before, "after": row.after, "certain": row.certain}
        for row in certificate.identification
        if row.by == "bits"
    }
