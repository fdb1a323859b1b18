"""Pictures as text for other programs."""

from __future__ import annotations

from pathveil.drawing.pictures import publication_dot, publication_svg, publication_tikz
from tests.drawing.samples import (
    NASTY,
    figure3,
    scattered,
    with_copies_and_pieces,
)


def test_dot_of_the_running_example() -> None:
    assert publication_dot(figure3()) == (
        "graph publication {\n"
        "  graph [rankdir=TB, ordering=out];\n"
        '  node [shape=ellipse, fontname="sans-serif"];\n'
        '  n0 [label="a", tooltip="a"];\n'
        '  n1 [label="b", tooltip="b"];\n'
        '  n2 [label="c", tooltip="c"];\n'
        '  n3 [label="d", tooltip="d"];\n'
        '  n4 [label="e", tooltip="e"];\n'
        '  n5 [label="f", tooltip="f"];\n'
        "  { rank=same; n1; n2; }  // layer 0\n"
        "  { rank=same; n0; n3; n4; }  // layer 1\n"
        "  { rank=same; n5; }  // layer 2\n"
        "  n0 -- n5;\n  n1 -- n3;\n  n1 -- n4;\n  n2 -- n0;\n  n2 -- n4;\n  n3 -- n5;\n"
        "}\n"
    )


def test_tikz_of_the_running_example() -> None:
    lines = publication_tikz(figure3()).splitlines()
    assert lines[0] == r"\begin{tikzpicture}["
    assert lines[-1] == r"\end{tikzpicture}"
    assert r"  \node (n1) at (0.65,0.00) {b};" in lines
    assert r"  \node (n5) at (1.30,-3.00) {f};" in lines
    assert r"  \draw (n2) -- (n0);" in lines
    assert sum(line.startswith(r"  \draw") for line in lines) == 6


def test_marks_in_dot_and_tikz() -> None:
    publication = with_copies_and_pieces()
    tikz, dot = publication_tikz(publication), publication_dot(publication)
    assert r"{b$_{1}$}" in tikz
    assert r"\node [piece] (n4)" in tikz
    assert "{c$''$}" in tikz
    assert r"\draw [together] (n3) to" in tikz
    assert "n3 -- n4 [style=dotted" in dot


def test_names_are_escaped() -> None:
    publication = scattered(7, 1, 2, 0.5, names=NASTY)
    dot, tikz = publication_dot(publication), publication_tikz(publication)
    assert r'label="<b>&\""' in dot
    assert r'label="\\{}$%_^~#"' in dot
    assert r"\textbackslash{}\{\}\$\%\_\textasciicircum{}\textasciitilde{}\#" in tikz
    assert "\x00" not in dot + tikz
    assert "\u202e" not in dot + tikz
    svg = publication_svg(publication)
    assert "&lt;b&gt;&amp;" in svg
    assert "Llanfairpwllgwyngyll-7" in svg  # the full name, on demand
    assert "Llanfai…ll-7" in svg
