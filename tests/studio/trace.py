"""How fast the page is in Chromium: ``python -m tests.studio.trace``.

At 60 vertices coins flip and a pointer runs over the network while frames are counted. At 500 each
thing a user does is done five times, and Chromium's own event timing says how long it took until
the next paint; beside it, how long until the answer of the server was on the page.
"""

from __future__ import annotations

import threading
from statistics import median
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from playwright.sync_api import sync_playwright

from pathveil.lab.maps import random_map
from pathveil.studio.access import Access
from pathveil.studio.server import listen, make_server
from tests.studio.conftest import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAMES = """() => { window.frames_ = []; let last = null;
  const next = (now) => { if (last !== null) frames_.push(now - last); last = now;
    requestAnimationFrame(next); }; requestAnimationFrame(next); }"""
EVENTS = """() => { window.events_ = [];
  new PerformanceObserver((list) => list.getEntries().forEach((one) => events_.push(one.duration)))
    .observe({ type: "event", durationThreshold: 16, buffered: false }); }"""


def loaded(page: Page, size: int, links: int) -> list[str]:
    """Load a random network and walk its longest shortest path; return the walk."""
    network, _ = random_map(size, links, np.random.default_rng(1))
    paths = nx.single_source_shortest_path(network.to_networkx(), network.vertices[0])
    walk = max((list(map(str, path)) for path in paths.values()), key=len)
    table = "source,target\n" + "".join(f"{u},{v}\n" for u, v in network.links)
    page.locator("input[type=file]").set_input_files(
        {"name": "net.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    page.get_by_text("Click a first stop").wait_for()
    return walk


def click(page: Page, name: str) -> None:
    page.locator(f'#network .vertex[aria-label="{name}"]').click(force=True)


def timed(page: Page, what: str, path: str, act: Any) -> None:
    """Print how long the next paint and the answer took, the median of five."""
    paints, answers = [], []
    for turn in range(5):
        page.evaluate("events_.length = 0")
        with page.expect_response(f"**/api/{path}") as response:
            act(turn)
        timing = response.value.request.timing
        response.value.finished()
        page.wait_for_timeout(400)
        paints.append(max(page.evaluate("events_"), default=0.0))
        answers.append(timing["responseStart"] - timing["requestStart"])
    print(f"  {what:24} paint {median(paints):4.0f} ms, answer {median(answers):4.0f} ms")


def main() -> None:
    """Print the figures."""
    listener = listen(0)
    access = Access(listener.getsockname()[1])
    server = make_server(access)
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(access.address)
        page.locator(".bars li").first.wait_for()
        for stop in loaded(page, 60, 100):
            click(page, stop)
        page.locator("#layers svg .node").first.wait_for()
        page.wait_for_timeout(1500)
        page.evaluate(FRAMES)
        box = page.locator("#network svg").bounding_box()
        assert box is not None
        for flip in range(6):
            page.get_by_role("button", name="Flip practice coins").click()
            for hop in range(20):
                x, y = (hop * 37 % 100) / 100, (flip * 13 + hop * 7) % 100 / 100
                page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        frames = page.evaluate("frames_")
        print(f"60 vertices: median frame {median(frames):.1f} ms over {len(frames)} frames")
        walk = loaded(page, 500, 900)
        page.evaluate(EVENTS)
        print("500 vertices, median of five:")
        for stop in walk[:-1]:
            click(page, stop)
        page.locator(".bars li").first.wait_for()
        page.wait_for_timeout(1500)

        def step(turn: int) -> None:
            if turn % 2 == 0:
                click(page, walk[-1])
            else:
                page.get_by_role("button", name="One step back").click()

        def link(turn: int) -> None:
            select = page.locator(".attacker select")
            select.select_option(index=2 + turn % 3)

        def reader(turn: int) -> None:
            page.get_by_label("I am").select_option(walk[turn])

        def turn_dial(turn: int) -> None:
            page.locator(".number").press("ArrowRight" if turn % 2 else "ArrowLeft")

        timed(page, "a step of the walk", "dial", step)
        timed(page, "the dial", "publish", turn_dial)
        coins = page.get_by_role("button", name="Flip practice coins")
        timed(page, "flip the coins", "publish", lambda _: coins.click())
        timed(page, "lack a link", "attack", link)
        timed(page, "be a reader", "read-own", reader)
        browser.close()
    server.should_exit = True


if __name__ == "__main__":
    main()
