"""A terminal picture says exactly the covers."""

from __future__ import annotations

from hypothesis import given, settings

from pathveil.drawing.terminal import publication_text_picture
from pathveil.model.layered import LayeredGraph
from tests.drawing.samples import figure3, published, scattered, small_graphs

FIGURE3_IN_LETTERS = """\
layer 0     b     c
          ┌─┴──┐ ┌┴───┐
layer 1   d     e     a
          └────┐ ┌────┘
layer 2         f"""


def test_the_running_example_in_a_terminal() -> None:
    assert publication_text_picture(figure3(), 80) == FIGURE3_IN_LETTERS


def test_what_does_not_fit_becomes_a_list() -> None:
    picture = publication_text_picture(figure3(), 12)
    assert picture.splitlines() == [
        "layer 0  b c",
        "  b ─ d e",
        "  c ─ a e",
        "layer 1  a d e",
        "  a ─ f",
        "  d ─ f",
        "layer 2  f",
    ]
    wide = publication_text_picture(scattered(60, 2, 4, 0.1), 100)
    assert all(len(line) <= 100 for line in wide.splitlines())


_UP, _DOWN, _LEFT, _RIGHT = "│┴┘└┼┤├", "│┬┐┌┼┤├", "─┴┘┬┐┼┤", "─┴└┬┌┼├"


def _covers_read(picture: str) -> set[tuple[str, str]]:
    """Follow the lines of a picture with one-letter names, knowing only what signs look like."""
    lines = picture.splitlines()
    name_rows = {y for y, line in enumerate(lines) if line.startswith("layer")}
    wide = max(map(len, lines)) + 2
    grid = [(" " * 8 + line[8:]).ljust(wide) for line in lines]
    found: set[tuple[str, str]] = set()

    def arrive(start: str, y: int, x: int) -> None:
        # Onto a name or a bend, right beside it, or onto an arm of it.
        low = high = next(i for i in (x, x - 1, x + 1) if grid[y][i] != " ")
        while grid[y][low - 1] != " ":
            low -= 1
        while grid[y][high + 1] != " ":
            high += 1
        if "│" in grid[y][low : high + 1]:
            follow(start, y + 1, grid[y].index("│", low), "down")
        else:
            (name,) = [sign for sign in grid[y][low : high + 1] if sign.isalpha()]
            found.add((start, name))

    def follow(start: str, y: int, x: int, heading: str) -> None:
        if y in name_rows:
            arrive(start, y, x)
            return
        sign = grid[y][x]
        if heading == "down":
            if sign in _LEFT:
                follow(start, y, x - 1, "left")
            if sign in _RIGHT:
                follow(start, y, x + 1, "right")
            if sign in "│┼┤├":
                follow(start, y + 1, x, "down")
            return
        onwards, step = (_LEFT, -1) if heading == "left" else (_RIGHT, 1)
        if sign != "│" and sign in _DOWN:
            follow(start, y + 1, x, "down")
        if sign in onwards or sign == "│":  # a column of another net interrupts the track
            follow(start, y, x + step, heading)

    for y in name_rows:
        for x, sign in enumerate(grid[y]):
            if sign.isalpha() and y + 1 < len(grid) and grid[y + 1][x] in _UP:
                follow(sign, y + 1, x, "down")
    return found


@settings(max_examples=60)
@given(small_graphs())
def test_a_terminal_picture_shows_exactly_the_covers(graph: LayeredGraph) -> None:
    publication = published(graph)
    picture = publication_text_picture(publication, 300)
    if " ─ " in picture:
        return  # too dense to draw: a list
    drawn = {(upper.vertex, lower.vertex) for upper, lower in publication.arcs}
    assert _covers_read(picture) == drawn, picture
