"""The page in a real browser: each scene of the story, by mouse, by keyboard and by touch."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.studio.test_answers import ten_networks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Response

pytestmark = pytest.mark.slow

LAPTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
OPEN = "#network .vertex"
PATIENCE = 600_000
"""Milliseconds after which what does not come is missing: a busy machine is slow."""
Opener = Callable[..., "Page"]


@pytest.fixture
def opened(chromium: Browser, studio: Any, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Open the studio in a window of its own; at the end, nothing may have gone wrong in it."""
    contexts: list[Any] = []
    faults: list[str] = []

    def note(is_fault: bool, text: str) -> None:  # noqa: FBT001
        if is_fault:
            faults.append(text)

    def open_page(place: str = "", **options: Any) -> Page:
        studio.desk.clear()
        context = chromium.new_context(**{"viewport": LAPTOP, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        origin = f"http://127.0.0.1:{studio.access.port}/"
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: note(said.type == "error", said.text))
        page.on("request", lambda one: note(not one.url.startswith((origin, "blob:")), one.url))
        page.goto(f"{studio.access.address}{place}")
        page.locator("#layers svg .node").first.wait_for()
        page.locator(".bars li").first.wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    refused = request.node.get_closest_marker("refused")
    assert len(faults) == (refused.args[0] if refused else 0), faults


def vertex(page: Page, name: str) -> Locator:
    """Return the disc of a vertex in the picture of the network."""
    return page.locator(OPEN).filter(has=page.locator("title", has_text=name)).first


def walk_along(page: Page, walk: list[str]) -> None:
    if page.get_by_role("button", name="New walk").is_enabled():
        page.get_by_role("button", name="New walk").click()
    for name in walk:
        page.locator(f'{OPEN}[aria-label="{name}"]').dispatch_event("click")


def upload(page: Page, name: str, text: str | bytes) -> None:
    data = text.encode() if isinstance(text, str) else text
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": data}
    )


def test_one_command_opens_a_story_that_needs_no_click(opened: Opener) -> None:
    page = opened()
    assert "token" not in page.url
    assert page.url.endswith("#example=supply-chain&policy=balanced")
    said = page.locator("h1").inner_text()
    assert said == (
        "Someone who lacks one link inside this walk, if four links could be the missing one, "
        "guesses it right 47 times in 100; by luck, 25."
    )
    assert page.locator(".bars li").count() == 4
    heights = [
        page.locator(f"#{pane}").bounding_box()["height"]  # type: ignore[index]
        for pane in ("network", "coins", "layers")
    ]
    assert len(set(heights)) == 1
    page.locator(".again").scroll_into_view_if_needed()
    page.locator(".again tbody tr").first.wait_for()
    assert page.locator(".again tbody tr").count() == 4
    fits = page.locator(".second b").nth(1).inner_text()
    for place in (".again .lead", ".meters"):  # one yardstick, one wording
        assert f"about {fits} walks of 5 links fit" in page.locator(place).inner_text()
    assert f"file {int(fits) + 1} would be refused" in page.locator(".again .lead").inner_text()


def test_wrong_steps_of_a_walk_cannot_be_made(opened: Opener) -> None:
    page = opened()
    page.get_by_role("button", name="New walk").click()
    assert "Click a first stop" in page.locator("h1").inner_text()
    vertex(page, "Copper Mine").click()
    assert "next stop" in page.locator("h1").inner_text()
    far = vertex(page, "Port Depot")
    far.click()
    assert page.locator(".walk").inner_text() == "Copper Mine"
    assert "Port Depot is not linked to the last stop" in page.locator(".refusal").inner_text()
    vertex(page, "Smelter").click()
    page.locator("#layers svg .node").first.wait_for()
    assert page.locator(".walk").inner_text() == "Copper Mine → Smelter"
    vertex(page, "Smelter").click()
    assert page.locator(".walk").inner_text() == "Copper Mine"


def test_the_number_in_the_sentence_is_the_dial(opened: Opener) -> None:
    page = opened()
    number = page.locator(".number")
    box = number.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 400, y, steps=4)
    page.mouse.up()
    assert number.inner_text() == "25"
    assert "never certain" in page.locator(".second").inner_text()
    assert "every link off the walk is published openly" in page.locator("h1").inner_text()
    assert page.url.endswith("policy=sealed")
    number.focus()
    page.keyboard.press("ArrowRight")
    assert number.inner_text() == "29"
    slider = page.locator(".dial input")
    slider.focus()
    page.keyboard.press("End")
    assert (
        number.inner_text() == "72"
    )  # beyond it fewer walks fit, and a link is guessed more often
    assert "frontier" not in page.locator("header, .dial").first.inner_text()
    ends = page.locator(".ends").inner_text()
    assert "More chaff" in ends
    assert "Less chaff" in ends
    assert "Outsiders" in page.locator(".meters").inner_text()


def test_a_pair_lights_up_in_all_three_pictures(opened: Opener) -> None:
    page = opened()
    line = page.locator("#network .link.walked").first
    box = line.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    said = page.locator(".readout")
    assert "a link of the walk" in said.inner_text()
    assert "different branches" in said.inner_text()
    assert page.locator("#network .lit line").count() == 1
    assert page.locator("#coins .frame").count() == 1
    assert page.locator("#layers .lit circle").count() >= 2
    cells = page.locator("#coins canvas").bounding_box()
    assert cells is not None
    page.mouse.move(cells["x"] + 4, cells["y"] + cells["height"] - 6)
    assert "Assembly – Wire Works" in said.inner_text()
    assert page.locator("#network .lit circle").count() == 2


def test_coins_flip_and_an_outsider_sees_two_colours(opened: Opener) -> None:
    page = opened()
    with page.expect_response("**/api/publish") as first:
        page.get_by_role("button", name="Flip practice coins").click()
    bits = first.value.json()["bits"]
    with page.expect_response("**/api/publish") as second:
        page.get_by_role("button", name="Flip practice coins").click()
    assert bits != second.value.json()["bits"]
    page.get_by_label("as an outsider sees it").check()
    assert page.locator("#coins .legend li").count() == 2


def test_a_reader_reads_its_own_places(opened: Opener) -> None:
    page = opened()
    answer = page.locator(".reader .answer")
    page.locator(".reader .answer b").first.wait_for()
    assert answer.inner_text().endswith(
        "Copper Mine → Smelter → Wire Works → Motor Plant → Assembly → Port Depot."
    )
    page.get_by_label("I am").select_option("Smelter")
    page.get_by_text("is on the walk, between").wait_for()
    assert "Copper Mine" in answer.inner_text()
    page.get_by_label("I am").select_option("Lyon Stamping")
    page.get_by_text("The walk does not visit").wait_for()
    assert page.locator("#network .link").count() == 3  # its own links, and nothing of the walk
    assert page.locator("#network .walked").count() == 0
    for place in (".course", ".attacker", ".show"):
        assert "Wire Works" not in page.locator(place).first.inner_text()
    assert page.locator(".learned, .show pre").count() == 0
    page.locator(f'{OPEN}[aria-label="Smelter"]').click()
    page.get_by_text("is on the walk, between").wait_for()
    assert page.locator("#network .link.walked").count() == 2
    assert page.locator("#network .tip").count() == 0  # an own row does not say which end is first
    page.get_by_role("button", name="Know the whole network again").click()
    assert page.locator("#network .link").count() == 17


def test_an_attacker_guesses_a_walk_that_was_never_shown(opened: Opener) -> None:
    page = opened()
    panel = page.locator(".attacker")
    panel.get_by_role("button", name="Hide one from me").click()
    panel.get_by_text("that you have not seen").wait_for()
    panel.get_by_text("The two pieces fit together").wait_for()
    assert page.locator("#network .tip").count() == 0  # arrows would rule answers out
    assert page.locator("#network .link.walked").count() == 4
    assert page.locator("#network .link").count() == 16
    assert (
        2 <= panel.locator(".bar").count() <= 4
    )  # an inner link: no riddle, no walk that is whole
    panel.locator(".bar").first.click()
    assert panel.locator(".ask").inner_text().startswith(("Right", "Wrong"))
    assert "The best guesser expects" in panel.get_by_text("You were right").inner_text()
    assert page.locator("#network .link").count() == 17
    panel.get_by_role("button", name="Back to my walk").click()
    assert panel.locator("select option").count() == 5


def test_the_best_guesser_keeps_score_and_one_link_has_one_yardstick(opened: Opener) -> None:
    page = opened()
    panel = page.locator(".attacker")
    panel.locator("select").select_option(index=2)
    panel.locator(".bars li").first.wait_for()
    for count in (100, 200):
        panel.get_by_role("button", name="Flip all coins 100 times").click()
        panel.get_by_text(f"of {count} times").wait_for()
    assert "The certificate says 47 in 100" in panel.inner_text()
    rows = page.locator(".learned .link-row")
    assert rows.count() == 5
    assert rows.locator("em").count() == 2
    panel.locator("select").select_option(index=0)  # an end
    panel.locator(".bars li").first.wait_for()
    page.wait_for_function("!document.querySelector('.learned').innerText.includes('…')")
    told = rows.first.inner_text()
    bar = panel.locator(".bar.truth .chance")
    if bar.count():
        before, after = bar.inner_text().split(" → ")
        how = "is certain" if after == "100" else f"is right {after} in 100"
        assert f"{how}; by luck {before}" in " ".join(told.split())


def test_publishing_again_uses_up_the_cover(opened: Opener) -> None:
    page = opened()
    page.locator(".again").scroll_into_view_if_needed()
    page.get_by_text("would be refused").wait_for()
    page.get_by_role("button", name="Is there a better way for ten?").click()
    page.locator(".ways li").first.wait_for()
    assert page.locator(".ways li").count() == 3
    page.get_by_role("button", name="Let an outsider try").click()
    page.locator(".again tbody tr").last.get_by_text("of 17 links").wait_for()
    page.get_by_label("this very route every time").check()
    page.get_by_text("This route each time").wait_for()
    assert "is refused" in page.locator(".again tbody tr").last.inner_text()


def test_code_and_files_to_keep(opened: Opener, tmp_path: Path) -> None:
    import pathveil as pv

    page = opened()
    code = page.locator(".show pre").first.inner_text()
    assert 'pv.Walk(["Copper Mine"' in code
    compile(code, "shown", "exec")
    assert page.get_by_role("button", name="Save the picture").is_disabled()
    page.locator(".number").press("Home")  # no link is ever certain there
    page.get_by_role("button", name="Draw a release").click()
    page.get_by_text("You may send it").wait_for()
    for button, name in (
        ("Save the release", "route.veil"),
        ("Save the network", "network.csv"),
        ("Save the walk", "walk.txt"),
        ("Save the picture", "layers.svg"),
        ("Save the story", "story.svg"),
    ):
        with page.expect_download() as kept:
            page.get_by_role("button", name=button).click()
        assert kept.value.suggested_filename == name
        kept.value.save_as(tmp_path / name)
    network = pv.read_network(tmp_path / "network.csv")
    publication = pv.Publication.load(tmp_path / "route.veil")
    walk = pv.read_walk(tmp_path / "walk.txt", network=network)
    assert pv.reconstruct(publication, network).walk == walk


def test_what_is_saved_is_the_release_on_the_page_and_a_walk_is_drawn_once(opened: Opener) -> None:
    """Whoever could keep the flip they like best would make the coins depend on the walk."""
    page = opened()
    with page.expect_response("**/api/draw") as drawn:
        page.get_by_role("button", name="Draw a release").click()
    page.get_by_text("This is your release").wait_for()
    release = drawn.value.json()
    button = page.get_by_role("button", name=re.compile("Save the release|Save it for myself"))

    def saved() -> bytes:
        with page.expect_download() as kept:
            button.click()
        return Path(kept.value.path()).read_bytes()

    assert saved() == b64decode(release["file"])
    assert f"{_rounded(release['cover']['share'])}\u00a0%" in page.locator(".go").inner_text()
    assert page.get_by_role("button", name="Draw a release").count() == 0
    page.get_by_role("button", name="Flip practice coins").click()
    page.get_by_role("button", name="Show my release").wait_for()
    assert page.get_by_role("button", name="Save the picture").is_disabled()
    page.locator(".number").press("End")  # another policy: still no second draw
    page.get_by_role("button", name="Show my release").click()
    button.wait_for()
    assert saved() == b64decode(release["file"])
    assert page.locator(".number").inner_text() == "47"
    page.reload()  # the studio remembers: no second draw after a reload either
    page.get_by_text("This is your release").wait_for()
    assert saved() == b64decode(release["file"])


def test_a_reload_shows_the_same_network_and_walk(opened: Opener) -> None:
    page = opened()
    upload(page, "mine.csv", "source,target\na,b\nb,c\nc,d\nd,e\n")
    page.get_by_text("Click a first stop").wait_for()
    walk_along(page, list("abcd"))
    page.locator(".number").press("Home")
    with page.expect_response(
        lambda kept: "api/scene" in kept.url and "walk_loss=1/8" in (kept.request.post_data or "")
    ):
        page.locator(".number").press("ArrowRight")
    page.reload()
    page.locator(".bars li").first.wait_for()
    assert page.locator(".walk").inner_text() == "a → b → c → d"
    assert page.locator(".number").inner_text() == "29"
    assert "5 vertices, 4 links" in page.locator(".choice").inner_text()


def test_a_draw_that_makes_links_certain_says_so_and_what_to_do(opened: Opener) -> None:
    import pyrage

    from pathveil.files.envelopes import open_envelope

    for _ in range(5):  # with so little chaff, 19 draws of 20 make some link certain
        page = opened("#example=geant&policy=frontier%3Awalk_loss%3D2")
        with page.expect_response("**/api/draw") as drawn:
            page.get_by_role("button", name="Draw a release").click()
        page.locator(".verdict", has_text="send it").wait_for()
        if page.locator(".certain").count():
            break
    assert "is certain" in page.locator(".learned").inner_text()
    said = page.locator(".certain").inner_text()
    assert "counts as released" in said
    assert "--to KEY" in said
    assert page.get_by_role("button", name="Save the release").count() == 0
    reader = pyrage.x25519.Identity.generate()
    page.get_by_label("Public keys of the readers").fill(str(reader.to_public()))
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save it encrypted").click()
    assert kept.value.suggested_filename == "route.veil.age"
    sealed = Path(kept.value.path()).read_bytes()
    assert open_envelope(sealed, [reader]) == b64decode(drawn.value.json()["file"])


def test_one_count_before_and_after_a_draw_and_a_closed_gate_is_said_before(opened: Opener) -> None:
    page = opened()
    page.get_by_role("button", name="Draw a release").click()
    page.get_by_text("This is your release").wait_for()
    page.locator(".again").scroll_into_view_if_needed()
    page.locator(".again tbody tr").first.wait_for()
    places = (".second", ".meters", ".again .lead")
    for place in places:
        assert "about 3 more unrelated walks of 5 links fit" in page.locator(place).inner_text()
    assert "28\u00a0% of the cover is used" in page.locator(".dial").inner_text()
    assert "28\u00a0% of the cover is used" in page.locator(".go").inner_text()
    assert page.locator(".again tbody tr").first.inner_text().startswith("now")
    page.get_by_role("button", name="One step back").click()
    page.get_by_role("button", name="Draw a release").click()
    page.get_by_text("This is your release").wait_for()
    page.get_by_role("button", name="One step back").click()
    page.get_by_text("This walk cannot be drawn in public").wait_for()
    assert page.get_by_role("button", name="Draw a release").is_disabled()
    assert "with this one it would be 63\u00a0%" in page.locator(".go").inner_text()
    assert "This walk does not fit any more" in page.locator(".second").inner_text()
    for place in (*places, ".go"):
        assert "no more unrelated walk of 3 links fits" in page.locator(place).inner_text()


def test_a_link_to_share_carries_example_and_policy_only(opened: Opener) -> None:
    page = opened("#example=abilene&policy=frontier%3Awalk_loss%3D1%2F2")
    assert page.locator(".number").inner_text() == "41"
    assert "Seattle" in page.locator(".walk").inner_text()
    walk_along(page, ["Denver", "Seattle"])
    assert page.url.endswith("#example=abilene&policy=frontier%3Awalk_loss%3D1%2F2")
    upload(page, "mine.csv", "source,target\nSecret,Route\nRoute,Third\n")
    page.get_by_text("Click a first stop").wait_for()
    page.wait_for_url(lambda url: "#" not in url)
    page = opened("#example=abilene&policy=nonsense")
    assert page.locator(".number").inner_text() == "47"
    page = opened("#example=nowhere")
    assert "no example called nowhere" in page.get_by_role("alert").inner_text()


def test_a_network_clicked_together_is_published(opened: Opener) -> None:
    page = opened()
    page.get_by_role("button", name="Click one together").click()
    page.get_by_text("Click anywhere to put a vertex").wait_for()
    box = page.locator("#network svg").bounding_box()
    assert box is not None
    for x, y in ((0.2, 0.2), (0.7, 0.2), (0.7, 0.7), (0.2, 0.7)):
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    for pair in ("AB", "BC", "CD", "AC", "AC"):  # the last click unlinks A and C again
        for name in pair:
            page.locator(f'{OPEN}[aria-label="{name}"]').click()
    assert "4 vertices, 3 links" in page.locator(".drawing-tools").inner_text()
    tools = page.locator(".drawing-tools")
    page.locator(f'{OPEN}[aria-label="B"]').click()
    tools.get_by_role("button", name="Delete the vertex").click()
    assert "3 vertices, 1 link." in tools.inner_text()
    tools.get_by_role("button", name="Undo").click()
    page.locator(f'{OPEN}[aria-label="B"]').click()
    page.keyboard.press("Delete")
    page.keyboard.press("Control+z")
    assert "4 vertices, 3 links" in tools.inner_text()
    page.locator(f'{OPEN}[aria-label="D"]').click()
    page.get_by_label("Name").fill("Depot")
    page.get_by_label("Name").press("Enter")
    page.get_by_role("button", name="Use this network").click()
    page.get_by_text("Click a first stop").wait_for()
    walk_along(page, ["A", "B", "C", "Depot"])
    page.locator("#layers svg .node").first.wait_for()
    assert page.locator(".walk").inner_text() == "A → B → C → Depot"


def test_the_keyboard_draws_and_walks(opened: Opener) -> None:
    page = opened()
    page.get_by_role("button", name="Click one together").press("Enter")
    for _ in range(3):
        page.get_by_role("button", name="Add a vertex").press("Enter")
    for pair in ("AB", "BC"):
        for name in pair:
            page.locator(f'{OPEN}[aria-label="{name}"]').press("Enter")
    page.get_by_role("button", name="Use this network").press("Enter")
    page.get_by_text("Click a first stop").wait_for()
    for name in "ABC":
        page.locator(f'{OPEN}[aria-label="{name}"]').press(" ")
    assert page.locator(".walk").inner_text() == "A → B → C"
    page.locator(OPEN).first.focus()
    here = page.evaluate("document.activeElement.dataset.number")
    for arrow in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(arrow)
    assert page.evaluate("document.activeElement.dataset.number !== undefined")
    assert here == "0"


def test_names_are_text_and_long_ones_fit(opened: Opener) -> None:
    long = "An extraordinarily long name of a warehouse in Llanfairpwllgwyngyllgogerychwyrndrobwll"
    evil = '<img src=x onerror="document.title=1">'
    links = [(long, evil), (evil, "c"), ("c", long + " 2"), (long, "c")]
    text = "source,target\n" + "".join(
        ",".join('"' + name.replace('"', '""') + '"' for name in link) + "\n" for link in links
    )
    for size in (LAPTOP, PHONE):
        page = opened(viewport=size)
        upload(page, "names.csv", text)
        page.get_by_text("Click a first stop").wait_for()
        for name in (long, evil, "c"):
            number = page.locator(OPEN).evaluate_all(
                "(all, name) => all.findIndex((one) => one.ariaLabel.startsWith(name))", name
            )
            page.locator(OPEN).nth(number).dispatch_event("click")
        page.locator(".bars li").first.wait_for()
        assert page.title() == "pathveil studio"
        assert page.locator("img").count() == 0
        assert evil in page.locator(".walk").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.refused(2)
def test_faults_are_said_and_the_page_goes_on(opened: Opener) -> None:
    page = opened()
    for name, text in (("bad.graphml", "<graphml>"), ("empty.csv", "")):
        with page.expect_response("**/api/network") as refused:
            upload(page, name, text)
        said = refused.value.json()["error"]
        page.get_by_role("alert").wait_for()
        assert said in page.get_by_role("alert").inner_text()
        page.get_by_role("button", name="Dismiss").click()
        assert page.get_by_role("alert").count() == 0
    upload(page, "photo.png", "\x89PNG\r\n".encode("latin-1"))
    page.get_by_text("photo.png is no network file").wait_for()
    assert page.locator(".bars li").count() == 4


@pytest.mark.refused(2)
def test_the_page_asks_what_a_file_leaves_open(opened: Opener) -> None:
    page = opened()
    upload(page, "trips.csv", "line,departs,arrives\n1,x,y\n2,y,z\n3,z,y\n")
    asked = page.get_by_role("alert")
    asked.locator("select").nth(0).select_option("departs")
    asked.locator("select").nth(1).select_option("arrives")
    page.get_by_role("button", name="Read it so").click()
    page.get_by_text("3 vertices, 2 links").wait_for()
    upload(page, "parts.csv", "source,target\nx,y\ny,z\nv,w\n")
    page.get_by_role("button", name="Keep the largest part").click()
    page.get_by_text("3 vertices, 2 links").wait_for()
    assert page.get_by_role("alert").count() == 0


def test_numbers_on_the_page_are_those_of_the_answers_over_ten_networks(opened: Opener) -> None:
    page = opened()
    answers: list[Response] = []
    page.on("response", lambda one: answers.append(one))  # noqa: PLW0108 - not a builtin

    def answer(path: str, **asked: Any) -> Any:
        """Wait for the answer to the question with these parts, and until it is shown."""
        for _ in range(3_000):
            for one in reversed(answers):  # earlier ones may have been given up
                if one.url.endswith(f"/api/{path}") and one.status == 200:
                    body: Any = one.request.post_data_json
                    if all(body.get(part) == value for part, value in asked.items()):
                        page.wait_for_timeout(50)
                        return one.json()
            page.wait_for_timeout(10)
        pytest.fail(f"no answer to {path}")

    for name, network, walk in ten_networks():
        table = "source,target\n" + "".join(f'"{u}","{v}"\n' for u, v in network.links)
        answers.clear()
        upload(page, "net.csv", table)
        page.get_by_text("Click a first stop").wait_for()
        for stop in walk:
            page.locator(f'{OPEN}[aria-label="{stop}"]').dispatch_event("click")
        file = answer("publish", walk=walk)["file"]
        dial, attack = answer("dial", walk=walk), answer("attack", file=file)
        read = answer("read", file=file)
        room = answer("room", walk=walk, policy="balanced")
        setting = next(row for row in dial["settings"] if row["policy"] == "balanced")
        open_joins = [joins for joins in dial["joins"] if joins > 1]
        guess = setting["stated"][str(min(open_joins, default=4))]
        assert page.locator(".number").inner_text() == str(guess["after"]), name
        assert f"by luck, {guess['before']}." in page.locator("h1").inner_text()
        second = page.locator(".second").inner_text()
        assert f"In {guess['certain']} of 100 releases" in second
        assert room["more"] == setting["fits"]
        fits = "one walk of" if room["more"] == 1 else f"about {room['more']} walks of"
        assert fits in second, name
        rows = attack["links"][:6]
        shown = page.locator(".bar").evaluate_all("all => all.map(one => one.innerText)")
        assert [" ".join(text.split()) for text in shown] == [
            f"{' – '.join(row['link'])} {_rounded(row['prior'])} → {_rounded(row['posterior'])}"
            for row in rows
        ], name
        assert " → ".join(read["walk"]) in page.locator(".reader").inner_text()


def _rounded(chance: float) -> int:
    return int(100 * chance + 0.5)


@pytest.mark.parametrize(
    "options",
    [
        {"color_scheme": "light"},
        {"color_scheme": "dark"},
        {"viewport": PHONE, "is_mobile": True, "has_touch": True},
    ],
    ids=["light", "dark", "phone"],
)
def test_axe_finds_nothing(opened: Opener, options: dict[str, Any]) -> None:
    page = opened(**options)
    page.locator(".again").scroll_into_view_if_needed()
    page.locator(".again tbody tr").first.wait_for()
    scenes = [
        None,
        page.locator(".bar").first,
        page.get_by_role("button", name="Draw a release"),
        page.get_by_role("button", name="New walk"),
        page.get_by_role("button", name="Click one together"),
    ]
    # What is in a scene is the same in the dark and on a phone; its colours and sizes are not.
    for number, button in enumerate(scenes if "light" in options.values() else scenes[:3:2]):
        if button is not None:
            button.click()
        page.evaluate(f"if (!window.axe) {{ {AXE} }}")
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        violations = [
            (one["id"], [node["html"][:160] for node in one["nodes"][:3]])
            for one in found["violations"]
        ]
        assert not violations, (number, json.dumps(violations, indent=1))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_moves_for_whoever_wants_no_motion(opened: Opener) -> None:
    page = opened(reduced_motion="reduce")
    durations = page.evaluate(
        "[...document.querySelectorAll('*')].map(one => getComputedStyle(one).transitionDuration)"
    )
    assert set(durations) == {"0s"}
