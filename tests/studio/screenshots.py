"""Take the pictures of docs/studio again: ``python -m tests.studio.screenshots docs/studio``."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.studio.conftest import CHROMIUM, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

VIEWS = {
    "light": {"viewport": {"width": 1440, "height": 900}},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}


def dial(page: Page) -> None:
    page.locator(".choice select").select_option("geant")
    page.get_by_text("Forty countries").wait_for()
    for _ in range(2):
        page.locator(".number").press("ArrowRight")
    page.get_by_text("left to right").wait_for()


def sealed(page: Page) -> None:
    page.locator(".number").press("Home")
    page.get_by_text("published openly").wait_for()


def release(page: Page) -> None:
    page.locator(".number").press("End")
    page.get_by_role("button", name="Draw a release").click()
    page.locator(".verdict", has_text="send it").wait_for()
    page.wait_for_timeout(800)
    page.locator(".go").evaluate("one => scrollTo(0, one.offsetTop - 60)")


def pointing(page: Page) -> None:
    page.locator("#network g:has(> .walked)").nth(1).dispatch_event("pointerenter")
    page.locator(".readout b").first.wait_for()
    page.locator("#network").evaluate("one => scrollTo(0, one.offsetTop - 60)")


def reader(page: Page) -> None:
    page.get_by_label("I am").select_option("Motor Plant")
    page.get_by_text("is on the walk, between").wait_for()
    page.locator("#network").evaluate("one => scrollTo(0, one.offsetTop - 60)")


def attacker(page: Page) -> None:
    page.get_by_role("button", name="Hide one from me").click()
    page.get_by_text("The two pieces fit together").wait_for()
    page.locator(".bar").nth(1).click()
    page.get_by_text("The best guesser expects").wait_for()
    page.locator(".attacker").evaluate("one => scrollTo(0, one.offsetTop - 60)")


def again(page: Page) -> None:
    page.get_by_role("button", name="Draw a release").click()
    page.get_by_text("This is your release").wait_for()
    page.locator(".again").scroll_into_view_if_needed()
    page.get_by_role("button", name="Let an outsider try").click()
    page.locator(".again tbody tr").last.get_by_text("of 17 links").wait_for(timeout=90_000)
    page.locator(".again").evaluate("one => scrollTo(0, one.offsetTop - 10)")


def code(page: Page) -> None:
    page.locator(".again").scroll_into_view_if_needed()
    page.locator(".again tbody tr").first.wait_for()
    page.locator(".show").evaluate("one => scrollTo(0, one.offsetTop - 10)")


def drawing(page: Page) -> None:
    page.get_by_role("button", name="Click one together").click()
    box = page.locator("#network svg").bounding_box()
    assert box is not None
    for x, y in ((0.2, 0.25), (0.55, 0.15), (0.82, 0.4), (0.6, 0.7), (0.2, 0.65)):
        at = {"x": x * box["width"], "y": y * box["height"]}
        page.locator("#network svg").click(position=at)  # type: ignore[arg-type]
    for pair in ("AB", "BC", "CD", "DE", "AE", "BD"):
        for name in pair:
            page.locator(f'#network .vertex[aria-label="{name}"]').click()
    page.locator('#network .vertex[aria-label="C"]').click()
    page.evaluate("scrollTo(0, 0)")


def question(page: Page) -> None:
    long = "A warehouse whose name was never meant to be read on a small screen"
    text = f"{long},leads to\nQuay,Harbour\nHarbour,{long} of the second district\n"
    page.locator("input[type=file]").set_input_files(
        {"name": "routes.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    page.get_by_role("alert").wait_for()


SCENES: dict[str, Callable[[Page], object]] = {
    "1-story": lambda _: None,
    "2-click-together": drawing,
    "3-dial": dial,
    "4-sealed": sealed,
    "5-release": release,
    "6-one-pair": pointing,
    "7-reader": reader,
    "8-attacker": attacker,
    "9-again": again,
    "10-code": code,
    "11-question": question,
}


def main(folder: Path) -> None:
    """Write one small PNG for each scene and view."""
    folder.mkdir(parents=True, exist_ok=True)
    with running() as studio, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for view, options in VIEWS.items():
            for scene, act in SCENES.items():
                studio.desk.clear()
                page = browser.new_context(reduced_motion="reduce", **options).new_page()  # type: ignore[arg-type]
                page.set_default_timeout(90_000)
                page.goto(studio.access.address)
                page.locator(".bars li").first.wait_for(timeout=60_000)
                page.locator("#layers svg .node").first.wait_for()
                act(page)
                page.wait_for_timeout(400)
                picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                small = picture.quantize(128, dither=Image.Dither.NONE)
                small.save(folder / f"{scene}-{view}.png", optimize=True)
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
