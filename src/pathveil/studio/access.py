"""Who may talk to the studio: this machine's browser, with a token, from the studio's own page.

The server binds to loopback, but any page in the same browser can send requests there, and a name
that a stranger owns can be made to point there. So, as Jupyter does:

- the address that opens the studio carries a random token, which is exchanged for a cookie and
  then gone from the address;
- a request must name this machine in its Host header, or it came through a stranger's name;
- a request from another origin is refused, cookie or not;
- the page may load nothing from elsewhere and be shown in no frame.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

LARGEST_BODY = 8 * 1024 * 1024
"""Bytes of one request; a network of this size is too large to look at."""

SLOWEST_BODY = 10.0
"""Seconds in which a request must have arrived."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_CLOSED = """<!doctype html><html lang="en"><meta charset="utf-8"><title>pathveil studio</title>
<h1>This studio is not open in this browser yet</h1>
<p>Open the address that <code>pathveil studio</code> printed. It carries a token, which lets this
browser in once.</p></html>"""

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Access:
    """The rules of one running studio.

    Parameters
    ----------
    port
        Where it listens; a Host header must name it.
    token
        What opens it. It is in the memory of this process and in the address it prints.
    """

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def cookie(self) -> str:
        """The name of the cookie; cookies know no ports, and two studios may run at once."""
        return f"pathveil_studio_{self.port}"

    @property
    def address(self) -> str:
        """The address to open, token included."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    async def guard(self, request: Request, handle: Handler) -> Response:
        """Return the answer to a request, or why it is refused."""
        response = self._refusal(request) or self._entry(request)
        if response is None:
            try:
                async with asyncio.timeout(SLOWEST_BODY):
                    await request.body()
            except TimeoutError:
                response = _refused(408, "the request took too long to arrive")
        response = response or await handle(request)
        for name, value in HEADERS.items():
            response.headers[name] = value
        return response

    def _refusal(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if host not in {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}:
            return _refused(403, "this address does not name this machine; open the one printed")
        origin = request.headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return _refused(403, "requests from other pages are refused")
        site = request.headers.get("sec-fetch-site", "same-origin")
        if site not in {"same-origin", "none"} and not self._opens(request):
            return _refused(403, "requests from other pages are refused")
        length = request.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return _refused(
                413,
                f"more than {LARGEST_BODY:,} bytes; the studio is for networks small enough to "
                "look at: use the command line",
            )
        if request.method == "POST" and "content-length" not in request.headers:
            return _refused(411, "the length of the request is missing")
        if self._opens(request) or self._knows(request.cookies.get(self.cookie)):
            return None
        if request.url.path == "/":
            return HTMLResponse(_CLOSED, status_code=403)
        return _refused(403, "open the address that `pathveil studio` printed, with its token")

    def _opens(self, request: Request) -> bool:
        is_page = request.method == "GET" and request.url.path == "/"
        return is_page and self._knows(request.query_params.get("token"))

    def _entry(self, request: Request) -> Response | None:
        """Return the exchange of the token for a cookie, if this request brings it."""
        if not self._opens(request):
            return None
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
        return response

    def _knows(self, given: str | None) -> bool:
        return given is not None and hmac.compare_digest(given.encode(), self.token.encode())


def _refused(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status_code=status)
