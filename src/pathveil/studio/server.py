"""pathveil studio: a page on your own machine, over the same verbs as the command line.

One process, loopback only. The page sends a network, a walk and a policy, and gets back what the
verbs return. Nothing is kept between requests but the token, and nothing is written. Every number
on the page comes from the values that ``--json`` prints.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from importlib.resources import files
from itertools import combinations
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field

import pathveil as pv
from pathveil.cli.results import inference_data, plan_data, reading_data, vertex_data
from pathveil.drawing.layer_layout import ordered_rows, spread
from pathveil.drawing.network_picture import network_svg, placed
from pathveil.drawing.layers import publication_svg
from pathveil.drawing.story import story_svg
from pathveil.errors import PathveilError
from pathveil.files.publications.any_publication import publication_content, publication_from
from pathveil.model.verdict import Verdict
from pathveil.planning.cover import Life, cover
from pathveil.planning.gate import release_of
from pathveil.reading.participant import read_vertex
from pathveil.studio.access import Access

MOST_VERTICES = 500
MOST_LINKS = 3_000
MOST_WALKS = 40
MOST_FLIPS = 100
LARGEST_FILE = 4_000_000
DIAL = (
    "sealed",
    "frontier:walk_loss=1/4",
    "frontier:walk_loss=1/2",
    "balanced",
    "frontier:walk_loss=1",
    "frontier:walk_loss=3/2",
    "frontier:walk_loss=2",
    "frontier:walk_loss=3",
)
"""Policies from the most chaff to the least: what the dial of the page turns through."""

Name = Annotated[str, Field(min_length=1, max_length=200)]
Pair = tuple[Name, Name]
Links = Annotated[list[Pair], Field(min_length=1, max_length=MOST_LINKS)]
Visits = Annotated[list[Name], Field(min_length=2, max_length=MOST_VERTICES)]
Policy = Annotated[str, Field(max_length=200)]
FileText = Annotated[str, Field(max_length=LARGEST_FILE)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class GivenLinks(_Body):
    """A network."""

    links: Links


class GivenFile(_Body):
    """A network as the text of a file; its name says of which kind it is."""

    name: Annotated[str, Field(max_length=200)]
    text: FileText


class Scene(_Body):
    """A network, a walk through it, and how to publish it."""

    links: Links
    walk: Visits
    policy: Policy = "balanced"
    direction: Literal["public", "hidden"] = "public"


class Asked(_Body):
    """A publication and what somebody knows of the network."""

    file: FileText
    links: Links


class AskedAs(Asked):
    """A publication, and a vertex with its own links."""

    vertex: Name


class AskedWithout(Asked):
    """A publication, and someone who lacks one link."""

    lacking: Pair


class Game(Scene):
    """Many flips of the coins, and someone who lacks one link and guesses."""

    lacking: Pair
    flips: Annotated[int, Field(ge=1, le=MOST_FLIPS)] = 50


class Walks(_Body):
    """Several walks, published one after the other."""

    links: Links
    walks: Annotated[list[Visits], Field(min_length=1, max_length=MOST_WALKS)]
    policy: Policy = "balanced"


class PlanAsked(_Body):
    """How many walks of which length shall fit."""

    links: Links
    walks: Annotated[int, Field(ge=1, le=100_000)]
    length: Annotated[int, Field(ge=1, le=MOST_VERTICES)]


class PictureAsked(Scene):
    """What to draw."""

    kind: Literal["network", "layers", "story"]
    file: FileText | None = None


def make_app(access: Access, *, opened: pv.Network | None = None) -> FastAPI:
    """Return the application behind the page.

    Parameters
    ----------
    opened
        The network the command line named; the page begins with it.
    """
    app = FastAPI(title="pathveil studio", docs_url=None, redoc_url=None)
    app.middleware("http")(access.guard)
    app.exception_handler(PathveilError)(_refused)
    app.exception_handler(ValueError)(_refused)
    home = files("pathveil.studio")

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(str(home / "assets" / "index.html"))

    app.mount("/assets", StaticFiles(directory=str(home / "assets")), name="assets")

    @app.get("/api/health")
    def health() -> dict[str, str]:
        return {"version": pv.__version__}

    @app.get("/api/examples")
    def examples() -> list[dict[str, str]]:
        return [
            {"name": path.name.removesuffix(".json"), "title": read["title"], "about": read["about"]}
            for path in sorted((home / "examples").iterdir(), key=lambda path: path.name)
            for read in [json.loads(path.read_text(encoding="utf-8"))]
        ]

    @app.get("/api/examples/{name}", responses=_ERRORS)
    def example(name: Literal["abilene", "courier", "geant", "supply-chain"]) -> dict[str, Any]:
        read = json.loads((home / "examples" / f"{name}.json").read_text(encoding="utf-8"))
        network = pv.Network.from_links(read["links"], coordinates=read["coordinates"])
        return {**_network_data(network), "walk": read["walk"], "title": read["title"],
                "about": read["about"], "source": read["source"]}

    @app.get("/api/opened", responses=_ERRORS)
    def named() -> dict[str, Any] | None:
        return None if opened is None else _network_data(opened)

    for path, answer in (
        ("network", network_of_file),
        ("layout", layout),
        ("dial", dial),
        ("publish", publish),
        ("read", read_whole),
        ("read-own", read_own),
        ("attack", attack),
        ("game", play),
        ("series", series),
        ("plan", plan),
    ):
        app.post(f"/api/{path}", responses=_ERRORS)(answer)
    app.post("/api/picture", responses=_ERRORS)(picture)
    return app


_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"description": why}
    for status, why in {
        400: "the network, walk, policy or file is wrong; `error` says what to do",
        403: "no token, or another page",
        404: "no such thing",
        408: "too slow",
        411: "no length",
        413: "too large",
        422: "not of this shape",
    }.items()
}


def _refused(_request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, status_code=400)


# -- answers: each calls one verb -------------------------------------------------------------------


def network_of_file(given: GivenFile) -> dict[str, Any]:
    """Return the network in the text of a file."""
    from pathveil.files.networks.network_reader import network_of_text

    return _network_data(network_of_text(given.text, name=given.name))


def layout(given: GivenLinks) -> dict[str, Any]:
    """Return a network that was clicked together, with places for its vertices."""
    return _network_data(_network(given.links))


def dial(given: Scene) -> list[dict[str, Any]]:
    """Return for each setting of the dial what both adversaries are left with."""
    network, walk = _network(given.links), pv.Walk(given.walk)
    walk.require_in(network)
    return [_setting(text, network, walk, given.direction) for text in DIAL]


def publish(given: Scene) -> dict[str, Any]:
    """Return the walk, published: file, coins, layers, and what it means."""
    network = _network(given.links)
    publication = _published(network, given)
    names = publication.vertices
    return {
        "file": publication_content(publication, "route.veil.json").decode("utf-8"),
        "coins": [
            [i, j, publication.same_branch((names[i], 0), (names[j], 0))]
            for i, j in combinations(range(len(names)), 2)
        ],
        "names": list(names),
        "layers": _layers(publication),
        "verdict": _verdict(publication),
    }


def read_whole(given: Asked) -> dict[str, Any]:
    """Return what someone reads who has the network."""
    publication = _file(given.file)
    return reading_data(
        pv.reconstruct(publication, _network(given.links)), noisy=publication.policy.noisy
    )


def read_own(given: AskedAs) -> dict[str, Any]:
    """Return what one vertex reads from its own links."""
    row = tuple(v if u == given.vertex else u for u, v in given.links if given.vertex in (u, v))
    return vertex_data(read_vertex(_file(given.file), given.vertex, row))


def attack(given: AskedWithout) -> dict[str, Any]:
    """Return what someone believes who lacks one link."""
    network = _network(given.links)
    return inference_data(pv.attack(_file(given.file), network, lacking=[given.lacking]))


def play(given: Game) -> dict[str, Any]:
    """Return how often the best guess is right, over flips of all coins, and what is stated."""
    network = _network(given.links)
    right = certain = joins = 0
    stated = None
    for _ in range(given.flips):
        publication = _published(network, given)
        found = pv.attack(publication, network, lacking=[given.lacking])
        rivals = [belief for belief in found.beliefs if belief.prior > 0]
        joins = len(rivals)
        best = max(belief.posterior for belief in rivals)
        guesses = [belief.link for belief in rivals if belief.posterior > best - 1e-9]
        right += guesses[_die(len(guesses))] == tuple(sorted(given.lacking))
        certain += len(guesses) == 1 and best > 1 - 1e-9
        stated = _stated(publication, joins)
    return {"flips": given.flips, "right": right, "certain": certain, "joins": joins,
            "stated": stated}


def series(given: Walks) -> list[dict[str, Any]]:
    """Return how much of the cover is used after each walk."""
    network, policy = _network(given.links), pv.Policy.parse(given.policy)
    life, rows = Life(), []
    for visits in given.walks:
        walk = pv.Walk(visits)
        walk.require_in(network)
        life = life.and_then(release_of(network, walk, policy))
        used = cover(life)
        rows.append({"share": used.share, "closed": used.closed, "sentence": used.sentence})
    return rows


def plan(given: PlanAsked) -> dict[str, Any]:
    """Return what fits."""
    return plan_data(pv.plan(_network(given.links), walks=given.walks, length=given.length))


def picture(given: PictureAsked) -> Response:
    """Return a picture to keep."""
    network, walk = _network(given.links), pv.Walk(given.walk)
    if given.kind == "network":
        made = network_svg(network, walk)
    else:
        publication = _published(network, given) if given.file is None else _file(given.file)
        made = publication_svg(publication) if given.kind == "layers" else story_svg(
            network, walk, publication
        )
    return Response(made, media_type="image/svg+xml")


# -- values as the page takes them ------------------------------------------------------------------


def _network(links: Sequence[Pair]) -> pv.Network:
    network = pv.Network.from_links(links)
    if len(network) > MOST_VERTICES:
        raise PathveilError(
            f"{len(network)} vertices; the studio shows {MOST_VERTICES} at most: use the command "
            "line for larger networks"
        )
    return network


def _network_data(network: pv.Network) -> dict[str, Any]:
    if len(network) > MOST_VERTICES or len(network.links) > MOST_LINKS:
        raise PathveilError(
            f"{len(network)} vertices and {len(network.links)} links; the studio shows at most "
            f"{MOST_VERTICES} and {MOST_LINKS}: use the command line for larger networks"
        )
    points = placed(network)
    return {
        "vertices": [
            {"name": name, "x": float(x), "y": float(y)}
            for name, (x, y) in zip(network.vertices, points, strict=True)
        ],
        "links": [list(link) for link in network.links],
    }


def _published(network: pv.Network, given: Scene) -> pv.Publication:
    policy = pv.Policy.parse(given.policy)
    return pv.publish(network, pv.Walk(given.walk), policy=policy, direction=given.direction)


def _file(text: str) -> pv.Publication:
    return publication_from(text.encode("utf-8"), "the publication")


def _layers(publication: pv.Publication) -> dict[str, Any]:
    layered = publication.layered
    rows = ordered_rows(layered)
    x = spread(rows, np.ones(rows.items), gap=1.0, stagger=[0] * len(rows.rows))
    depth = rows.row_of()
    return {
        "height": len(rows.rows),
        "nodes": [
            {"vertex": node.vertex, "piece": node.piece, "x": float(x[k]), "y": int(depth[k])}
            for k, node in enumerate(layered.nodes)
        ],
        "arcs": layered.arcs.tolist(),
    }


def _verdict(publication: pv.Publication) -> dict[str, Any]:
    words = Verdict.of(publication)
    guess = words.lacks_one_link
    return {
        "readers": words.readers,
        "partners": words.partners,
        "public": words.public,
        "lacks_one_link": None if guess is None else {
            "before": guess.before, "after": guess.after, "certain": guess.certain,
            "caveat": guess.caveat,
        },
    }


def _setting(text: str, network: pv.Network, walk: pv.Walk, direction: Any) -> dict[str, Any]:
    policy = pv.Policy.parse(text)
    publication = pv.publish(network, walk, policy=policy, direction=direction)
    used = cover(Life().and_then(release_of(network, walk, policy)))
    return {"policy": text, "share": used.share, **_verdict(publication)}


def _stated(publication: pv.Publication, joins: int) -> dict[str, str] | None:
    """Return what the certificate states for so many possible joins."""
    for row in publication.certificate.identification:
        if row.joins == joins and row.by == "bits":
            return {"before": row.before, "after": row.after, "certain": row.alone}
    return None


def _die(sides: int) -> int:
    from secrets import randbelow

    return randbelow(sides)


# -- running ----------------------------------------------------------------------------------------


def serve(network: pv.Network | None, *, port: int, open_browser: bool, say: Any) -> None:
    """Run the studio until it is interrupted; ``say`` is told the address once it answers."""
    import threading
    import webbrowser

    import uvicorn

    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    access = Access(listener.getsockname()[1])
    config = uvicorn.Config(
        make_app(access, opened=network),
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_keep_alive=5,
        limit_concurrency=64,
        h11_max_incomplete_event_size=65_536,
    )
    say(access.address)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, [access.address]).start()
    uvicorn.Server(config).run(sockets=[listener])
