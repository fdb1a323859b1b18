"""A studio that runs while these tests do, and a real browser where Chromium is installed."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from pathveil.studio.access import Access
from pathveil.studio.desk import Desk
from pathveil.studio.server import listen, make_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


@dataclass(frozen=True)
class Running:
    """A running studio."""

    access: Access
    desk: Desk
    client: httpx.Client

    def post(self, path: str, **body: Any) -> Any:
        """Return an answer's data; anything but 200 fails the test."""
        response = self.client.post(f"/api/{path}", json=body)
        assert response.status_code == 200, response.text
        return response.json()


@contextmanager
def running() -> Iterator[Running]:
    """Start a studio on some port of this machine; end it."""
    with listen(0) as listener:
        access = Access(listener.getsockname()[1])
        desk = Desk()
        server = make_server(access, desk=desk)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        base = f"http://127.0.0.1:{access.port}"
        with httpx.Client(base_url=base, timeout=600) as client:
            client.get(f"/?token={access.token}")
            yield Running(access, desk, client)
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def studio() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Give a browser; its event loop must not outlive the module, for others run their own."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: `make browser` installs it (Debian, Ubuntu)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()
