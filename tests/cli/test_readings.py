"""Readings as data: they say what the objects say."""

from __future__ import annotations

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.cli.results import link_data, reading_data, vertex_data
from pathveil.reading.participant import read_link, read_vertex

NETWORK, WALK = Network.parse("ab bc cd bd"), Walk("abcd")
PUBLICATION = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))


def test_what_participants_read() -> None:
    reading = reconstruct(PUBLICATION, NETWORK)
    exact = {"walk": list("abcd"), "order": "known", "gap": None, "rivals": None, "path_only": None}
    assert reading_data(reading, noisy=False) == exact
    assert set(reading_data(reading, noisy=True)) == set(exact)
    vertex = vertex_data(read_vertex(PUBLICATION, "b", NETWORK.neighbours("b")))
    assert (vertex["visits"], len(vertex["links"])) == (1, 2)
    assert vertex["links"][0] == {
        "here": {"vertex": "b", "copy": 0},
        "there": {"vertex": "a", "copy": 0},
    }
    assert link_data(read_link(PUBLICATION, "b", "d")) == {
        "link": ["b", "d"],
        "on_walk": False,
        "links": [],
    }
