"""pathveil studio: a page on your own machine, over the same verbs as the command line.

One process, loopback only (:mod:`pathveil.studio.access` says who may talk to it). Data are under
``/api/`` (:mod:`pathveil.studio.answers`); the page and its scripts are files of this package.
What is kept between requests is in memory (:mod:`pathveil.studio.desk`); nothing is written.
"""

from __future__ import annotations

import errno
import inspect
import json
import socket
import threading
import webbrowser
from collections.abc import Callable
from functools import wraps
from importlib.resources import files
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from uvicorn.protocols.http.h11_impl import H11Protocol

import pathveil as pv
from pathveil.errors import NotConnected, NotSimple, PathveilError, UnclearColumns
from pathveil.studio import answers
from pathveil.studio.access import Access
from pathveil.studio.desk import Desk

SLOWEST_HEADER = 10.0
"""Seconds in which a new connection must have sent its first request's header."""
MOST_CONNECTIONS = 64

HOME = Path(str(files("pathveil.studio")))
EXAMPLES = ("supply-chain", "courier", "abilene", "geant")


class Refused(BaseModel):
    """Why there is no answer, and what to do.

    Attributes
    ----------
    cells
        The first line of a table whose columns the page must ask for.
    repair
        What the page may offer: to drop loops, or to keep the largest part.
    """

    error: str
    cells: list[str] | None = None
    repair: Literal["drop_loops", "largest_part"] | None = None


_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refused, "description": why}
    for status, why in {
        400: "the network, walk, policy or file is wrong; `error` says what to do",
        403: "no token, or a request of another page",
        408: "the request took too long to arrive",
        411: "the length of the request is missing",
        413: "the request is too large",
        422: "the request is not of this shape; `error` says where",
    }.items()
}
_ERRORS[204] = {"description": "a newer question of this kind came: ask again if it still matters"}


def make_app(
    access: Access, *, opened: pv.Network | None = None, desk: Desk | None = None
) -> FastAPI:
    """Return the application behind the page.

    Parameters
    ----------
    opened
        The network that the command line named; the page begins with it.
    desk
        What it remembers; an empty one if none is given.
    """
    desk = desk or Desk()
    app = FastAPI(title="pathveil studio", docs_url=None, redoc_url=None)
    app.middleware("http")(access.guard)
    app.exception_handler(PathveilError)(_refused)
    app.exception_handler(RequestValidationError)(_misshapen)
    app.exception_handler(HTTPException)(_not_served)
    app.exception_handler(Exception)(_broken)

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(HOME / "assets" / "index.html")

    app.mount("/assets", StaticFiles(directory=HOME / "assets"), name="assets")

    @app.get("/api/health", responses=_ERRORS)
    def health() -> dict[str, str]:
        return {"version": pv.__version__}

    @app.get("/api/examples", responses=_ERRORS)
    def examples() -> list[dict[str, str]]:
        return [
            {"name": name, "title": content["title"], "about": content["about"]}
            for name in EXAMPLES
            for content in [_example(name)]
        ]

    @app.get("/api/examples/{name}", responses=_ERRORS)
    def example(name: Literal["supply-chain", "courier", "abilene", "geant"]) -> dict[str, Any]:
        content = _example(name)
        network = pv.Network.from_links(content["links"], coordinates=content["coordinates"])
        more = {key: content[key] for key in ("walk", "title", "about", "source")}
        return {**answers.network_data(network), **more}

    @app.get("/api/opened", responses=_ERRORS)
    def named() -> dict[str, Any] | None:
        return None if opened is None else answers.network_data(opened)

    @app.get("/api/scene", responses=_ERRORS)
    def kept() -> dict[str, Any] | None:
        return desk.kept()

    for path, answer in (
        ("network", answers.network_of_file),
        ("layout", answers.layout),
        ("scene", desk.keep),
        ("draw", desk.draw),
        ("envelope", answers.for_readers),
        ("picture", answers.picture),
        ("dial", one_at_a_time(answers.dial)),
        ("room", one_at_a_time(desk.room)),
        ("publish", answers.answer_publish),
        ("layers", one_at_a_time(answers.layers)),
        ("read", answers.read_whole),
        ("read-own", answers.read_own),
        ("attack", one_at_a_time(answers.answer_attack)),
        ("risk", one_at_a_time(desk.risk)),
        ("game", one_at_a_time(answers.play)),
        ("series", one_at_a_time(desk.series)),
        ("outsider", one_at_a_time(answers.outsider)),
        ("plan", one_at_a_time(answers.answer_plan)),
    ):
        app.post(f"/api/{path}", responses=_ERRORS, response_model=None)(answer)
    return app


def one_at_a_time(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return an answer that works on one question at a time, and next on the newest that waits.

    A question that waited while a newer one came is answered 204: nobody looks at it any more, or
    the page asks it again.
    """
    busy, numbers, newest = Lock(), count(1), 0

    @wraps(answer)
    def ask(given: Any) -> Any:
        nonlocal newest
        newest = number = next(numbers)
        with busy:
            return answer(given) if number == newest else Response(status_code=204)

    ask.__signature__ = inspect.signature(answer, eval_str=True)  # type: ignore[attr-defined]
    return ask


def _example(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(
        (HOME / "examples" / f"{name}.json").read_text(encoding="utf-8")
    )
    return content


def _refused(_request: Request, error: Exception) -> JSONResponse:
    body: dict[str, Any] = {"error": answers.page_words(str(error))}
    if isinstance(error, UnclearColumns):
        body["cells"] = list(error.cells[:12])
    elif isinstance(error, (NotSimple, NotConnected)):
        body["repair"] = "drop_loops" if isinstance(error, NotSimple) else "largest_part"
    return JSONResponse(body, status_code=400)


_WRONG = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "too_short": "has too few entries",
    "too_long": "has too many entries",
    "string_too_short": "is empty",
    "string_too_long": "is too long",
    "json_invalid": "is not JSON",
    "literal_error": "is not one of the known names",
    "string_pattern_mismatch": "is not a public key, age1... or ssh-ed25519 ...",
}


def _misshapen(_request: Request, error: Exception) -> JSONResponse:
    """Say where the first fault is; what was sent is not sent back."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    if where.startswith("to."):
        where = f"line {first['loc'][2] + 1}"
    wrong = _WRONG.get(first["type"], "is not what is expected here")
    return JSONResponse({"error": f"{where} {wrong}"}, status_code=422)


def _not_served(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


def _broken(_request: Request, error: Exception) -> JSONResponse:
    why = f"this is a fault of pathveil itself ({type(error).__name__}); please report it"
    return JSONResponse({"error": why}, status_code=500)


class _Impatient(H11Protocol):
    """HTTP as Uvicorn speaks it, but a connection that sends no header in time is closed."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(SLOWEST_HEADER, self._close_if_silent)

    def _close_if_silent(self) -> None:
        transport: Any = self.transport
        has_asked: Any = self.cycle
        if has_asked is None and not transport.is_closing():
            transport.close()


def listen(port: int) -> socket.socket:
    """Return a socket on loopback that already takes connections; port 0 is any free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error})"
        raise PathveilError(
            f"port {port} {why}; choose another with --port, or leave --port out"
        ) from None
    listener.listen()
    return listener


def make_server(
    access: Access, *, opened: pv.Network | None = None, desk: Desk | None = None
) -> uvicorn.Server:
    """Return the server of the studio; it runs on sockets that are already bound."""
    return uvicorn.Server(
        uvicorn.Config(
            make_app(access, opened=opened, desk=desk),
            http=_Impatient,
            ws="none",
            lifespan="off",
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=1,
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=65_536,
        )
    )


def serve(
    network: pv.Network | None, *, port: int, open_browser: bool, show: Callable[[str], None]
) -> None:
    """Run the studio until it is interrupted; ``show`` gets the address to open."""
    if network is not None:
        answers.require_small_enough(network)
    with listen(port) as listener:
        access = Access(listener.getsockname()[1])
        server = make_server(access, opened=network)
        show(access.address)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=[access.address], daemon=True).start()
        server.run(sockets=[listener])
