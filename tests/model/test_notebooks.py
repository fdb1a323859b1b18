"""Values show themselves: a few lines as text, tables and pictures in a notebook."""

from __future__ import annotations

import ast
import json
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import pathveil as pv

NAMES = {"f": "<f>"}
LINKS = ["ab", "af", "bc", "bd", "be", "bf", "cd", "ce", "cf", "de", "df", "ef"]
NETWORK = pv.Network.from_links([(u, NAMES.get(v, v)) for u, v in map(tuple, LINKS)])
NOTEBOOK = Path(__file__).parents[2] / "examples/first_route.ipynb"
SHOWN = Path(__file__).with_name("shown.txt")
RELEASES: dict[str, dict[str, Any]] = {
    "as usual": {},
    "from a seed": {"source": pv.Seeded(7)},
    "hidden direction": {"direction": "hidden"},
    "the paper's": {"policy": pv.Policy.paper(vertex=1, link=1)},
    "the paper's layers": {"policy": pv.Policy.paper(vertex=1, link=1), "layering": "backtracking"},
    "sealed": {"policy": "sealed"},
    "two-sided": {"policy": pv.Policy.two_sided(epsilon=3)},
    "copies": {"policy": "balanced:copies=2"},
    "a universe": {"universe": [*NETWORK.links, ("a", "c")]},
    "a sketch": {"form": "sketch", "capacity": 20},
    "a series": {"policy": pv.Policy.remembering(usage="0.2")},
}


def values() -> list[Any]:
    walk = pv.Walk(["a", "b", "c", "d", "e", "<f>"])
    published = pv.publish(NETWORK, walk, source=pv.Seeded(7))
    return [
        NETWORK,
        walk,
        published,
        pv.reconstruct(published, NETWORK),
        published.certificate,
        pv.attack(published, NETWORK, lacking=[("c", "d")]),
        pv.verify(published, NETWORK),
        pv.plan(NETWORK, walks=2, length=3),
    ]


def test_every_value_shows_itself_in_few_lines_and_as_markup() -> None:
    for value in values():
        assert 1 <= len(str(value).splitlines()) <= 32, type(value)
        ET.fromstring(f"<div>{value._repr_html_()}</div>")  # noqa: S314 - names are escaped in it


def test_a_walk_and_a_reading_show_no_vertex() -> None:
    names = [f"vertex {number}" for number in range(3)]
    network, walk = pv.Network.from_links(pairwise(names)), pv.Walk(names)
    shown: list[Any] = [walk, pv.reconstruct(pv.publish(network, walk), network)]
    for value in shown:
        assert "vertex" not in str(value) + value._repr_html_()


def test_values_say_what_was_read_and_written_down(pytestconfig: pytest.Config) -> None:
    """``pytest tests/model --write-docs`` writes it anew; then read the difference."""
    walk = pv.Walk("abc")
    made = {name: pv.publish(NETWORK, walk, **terms) for name, terms in RELEASES.items()}
    made["by a ledger"] = replace(made["as usual"], salt="0" * 32)
    made["the next of a series"] = pv.publish(NETWORK, walk, after=[made["a series"]])
    eight, nine = (
        pv.Network.from_links(pairwise(range(size)), coordinates={0: (1.0, 2.0)}) for size in (8, 9)
    )
    values: dict[str, Any] = {"a network": NETWORK, "eight": eight, "nine": nine, **made}
    for name in ("as usual", "hidden direction"):
        values[f"reading: {name}"] = pv.reconstruct(made[name], NETWORK)
    who = {str(row.adversary) for one in made.values() for row in one.certificate.rows}
    values["a certificate"] = made["the next of a series"].certificate
    values["who loses something"] = "\n".join(sorted(who))
    said = "\n".join(f"== {name} ==\n{value}\n" for name, value in values.items())
    if pytestconfig.getoption("--write-docs"):
        SHOWN.write_text(said, "utf-8")
    assert said.splitlines() == SHOWN.read_text("utf-8").splitlines()


def test_every_loss_without_a_bound_is_shown() -> None:
    for name in ("balanced", "sealed", "paper:vertex=1,link=1", "balanced:copies=2"):
        certificate = pv.publish(NETWORK, pv.Walk("abc"), policy=name).certificate
        endless = [row for row in certificate.rows if row.presence.is_infinite]
        assert str(certificate).count("infinite by presence") == len(endless), name


def test_a_picture_is_text_that_a_notebook_shows() -> None:
    published = pv.publish(NETWORK, pv.Walk("abc"))
    pictures: list[Any] = [published.draw(), pv.draw(NETWORK)]
    for picture in pictures:
        assert picture._repr_svg_() == picture
        ET.fromstring(picture)  # noqa: S314


@pytest.mark.regression("the frame left out how often a missing link is named; no pandas, no word")
def test_a_certificate_is_a_data_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = pv.publish(NETWORK, pv.Walk("abc")).certificate
    frame = certificate.to_pandas()
    assert frame["presence"].tolist() == [float(row.presence) for row in certificate.rows]
    assert {str(frame[name].dtype) for name in ("walk_links", "releases")} == {"Int64"}
    assert pv.Policy.balanced().certificate().to_pandas().equals(frame)
    named = certificate.to_pandas(identification=True)
    assert named["after"].tolist() == [float(row.after) for row in certificate.identification]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pv.errors.MissingExtra):
        certificate.to_pandas()


def test_the_notebook_of_the_examples_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    shown = 0
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"], "outputs are made by whoever runs it"
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop()
        assert isinstance(last, ast.Expr), "each cell ends with what it shows"
        exec(compile(tree, NOTEBOOK.name, "exec"), names)  # noqa: S102
        value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)  # noqa: S307
        shown += any(hasattr(value, f"_repr_{kind}_") for kind in ("html", "svg"))
    assert shown >= 7
    assert pv.Publication.load("first_route.veil.json") == names["publication"]
