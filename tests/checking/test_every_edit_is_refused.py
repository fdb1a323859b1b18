"""Whoever edits one sentence, number or row of a certificate is found out on load: in every form.

Each leaf of the certificate's data is changed by itself, each item of its lists is left out or said
twice; the file is otherwise as it was published. So are the sizes of the classes of a grouping.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish, publish_together
from pathveil.checking.certificate_check import earned_certificate, is_earned, require_believable
from pathveil.errors import BadFile
from pathveil.files.publications.any_publication import publication_from
from pathveil.files.publications.compact import publication_bytes
from pathveil.files.publications.container import Container, contained, pack
from pathveil.files.publications.veil_json import publication_text
from pathveil.model.grouping import ClassSizes, GroupedBits, Grouping
from pathveil.publishing.release import publish_series

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WALK, OTHERS = Walk("abcdef"), (Walk("fed"), Walk("bc"))
LINE = Network.parse("ab bc cd de ef fg gh hi ij")
GROUPING = Grouping.of(["af", "bi", "cg", "dj", "eh"])
UNIVERSE = [*NETWORK.links, ("a", "c")]
Make = Callable[[], Publication]


def made(**terms: Any) -> Publication:
    return publish(NETWORK, WALK, source=Seeded(1), **terms)


def grouped(**terms: Any) -> Publication:
    return publish(LINE, Walk("abc"), grouping=GROUPING, source=Seeded(1), **terms)


def last_of_series() -> Publication:
    walks = [Walk("abc"), Walk("bcd"), Walk("cd")]
    *_, last = publish_series(NETWORK, walks, policy="remembering:usage=0.4", source=Seeded(1))
    return last


def together() -> Publication:
    return publish_together(NETWORK, OTHERS, source=Seeded(1))[1]


FORMS: dict[str, Make] = {
    "balanced": made,
    "sealed": lambda: made(policy=Policy.sealed()),
    "frontier": lambda: made(policy=Policy.frontier(walk_loss=1)),
    "two-sided": lambda: made(policy=Policy.two_sided(epsilon=1)),
    "paper": lambda: made(policy=Policy.paper(vertex=1, link=1)),
    "copies": lambda: made(policy=Policy.balanced(copies=2)),
    "joint copies": lambda: made(policy=Policy.balanced(copies=2, link_uses=1)),
    "backtracking": lambda: made(layering="backtracking"),
    "hidden": lambda: made(direction="hidden"),
    "universe": lambda: made(universe=UNIVERSE),
    "together": together,
    "series": last_of_series,
    "grouped": grouped,
    "sketch": lambda: made(form="sketch", capacity=20),
}
INSTEAD = {"uses": 7, "copies": [7, 7], "labels": ["hub", "moon"], "on_walks": 7}
"""What stands where nothing was said."""
OTHER = {"kind": ("series", "lacks-links"), "by": ("bits", "layout")}
"""Words of which there is a list."""


def edits(data: Any, name: str = "") -> Iterator[Any]:
    """Yield the data with one thing changed: once for each thing there is."""
    if isinstance(data, dict):
        for key, value in data.items():
            for other in edits(value, key):
                yield {**data, key: other}
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield [*data[:place], *data[place + 1 :]]
            yield [*data[:place], value, *data[place:]]
            for other in edits(value):
                yield [*data[:place], other, *data[place + 1 :]]
    elif data is None:
        yield INSTEAD[name]
    elif name in OTHER:
        yield next(kind for kind in OTHER[name] if kind != data)
    elif isinstance(data, bool):
        yield not data
    elif isinstance(data, int):
        yield data + 1
    elif " " in data:
        yield data.replace(" ", " never ", 1)
        yield f"{data} No adversary learns anything at all."
    else:
        yield "0.0001" if data[:1].isdigit() or data == "inf" else f"{data}s"


def edited_facts(facts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the facts of a file with one thing of its certificate or its sizes changed."""
    for certificate in edits(facts["certificate"]):
        yield {**facts, "certificate": certificate}
    if facts["grouping"] is not None:
        for sizes in edits(facts["grouping"]["sizes"]):
            yield {**facts, "grouping": {**facts["grouping"], "sizes": sizes}}


def load(data: bytes) -> None:
    """Do what Publication.load does, without a file."""
    require_believable(publication_from(data))


def count_refused(data: bytes, files: Iterator[bytes]) -> int:
    """Return how many edited files there were; each is refused, and the true one is not."""
    load(data)
    count = 0
    for count, file in enumerate(files, start=1):  # noqa: B007
        with pytest.raises(BadFile):
            load(file)
    return count


@pytest.mark.regression("caveats deleted: `verify` left with 0")
@pytest.mark.parametrize("form", sorted(FORMS.keys() - {"sketch"}))
def test_in_a_veil_json(form: str) -> None:
    text = publication_text(FORMS[form]())
    found = edited_facts(json.loads(text))
    assert count_refused(text.encode(), (json.dumps(facts).encode() for facts in found)) > 100


def compact_files(data: bytes) -> Iterator[bytes]:
    """Yield a compact file with its header changed, the rest and all checksums as they should."""
    container = Container.open(BytesIO(data), "x.veil")
    contents = {
        name: container.read(name, limit=container.size(name)).tobytes()
        for name in sorted(container.names())
    }
    for changed in edited_facts(json.loads(contents["facts"])):
        contents["facts"] = json.dumps(changed).encode()
        yield contained([pack(name, content) for name, content in contents.items()])


@pytest.mark.parametrize("form", ["balanced", "series", "grouped", "sketch"])
def test_in_a_compact_file(form: str) -> None:
    data = publication_bytes(FORMS[form]())
    assert count_refused(data, compact_files(data)) > 100


@pytest.mark.regression("a sentence on classes was believed with any numbers in it")
def test_only_sizes_that_agree_with_all_else_are_believed_without_the_grouping() -> None:
    """Who edits sizes and sentence alike is found with the grouping at hand, and not before."""
    published = publication_from(publication_text(grouped()).encode())
    assert isinstance(published.bits, GroupedBits)
    for sizes, believed in (([2] * 5, True), ([9] * 5, True), ([9] * 4, False)):
        stated = replace(published, bits=replace(published.bits, sizes=ClassSizes.of(sizes)))
        forged = replace(stated, certificate=earned_certificate(stated))
        assert is_earned(forged) == believed
        assert is_earned(forged.over(GROUPING)) == (sizes == [2] * 5)
