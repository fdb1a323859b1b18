"""Every answer equals what the command line prints with ``--json`` for the same input."""

from __future__ import annotations

import json
import threading
from base64 import b64decode, b64encode
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyrage
import pytest
from scipy.stats import binom

import pathveil as pv
from pathveil.attacks.link_risk import identify_links
from pathveil.attacks.series.pile_attack import attack_as_insider
from pathveil.cli.main import run
from pathveil.errors import TooLarge
from pathveil.files.envelopes import open_envelope
from pathveil.lab.maps import random_map
from pathveil.planning.cover import Life, cover
from pathveil.planning.gate import counted_release, fitting_walks
from pathveil.studio import answers
from pathveil.studio.server import EXAMPLES, _example, one_at_a_time


def ten_networks() -> list[tuple[str, pv.Network, list[str]]]:
    """Return the four examples and six random networks, each with a walk."""
    given = []
    for name in EXAMPLES:
        content = _example(name)
        network = pv.Network.from_links(content["links"], coordinates=content["coordinates"])
        given.append((name, network, content["walk"]))
    for seed in range(6):
        network, _ = random_map(7 + 2 * seed, 10 + 3 * seed, np.random.default_rng(seed))
        graph = network.to_networkx()
        path = max(nx.single_source_shortest_path(graph, network.vertices[0]).values(), key=len)
        given.append((f"random {seed}", network, list(map(str, path))))
    return given


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def in_hundred(decimal: str) -> int:
    return ceil(100 * Fraction(decimal))


def test_every_number_is_the_command_lines(
    studio: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for place, (name, network, walk) in enumerate(ten_networks()):
        policy = answers.DIAL[place % len(answers.DIAL)]
        links = [list(link) for link in network.links]
        made = studio.post("publish", links=links, walk=walk, policy=policy)
        file, table = tmp_path / f"{place}.veil", tmp_path / f"{place}.csv"
        file.write_bytes(b64decode(made["file"]))
        table.write_text(
            "source,target\n" + "".join(f'"{u}","{v}"\n' for u, v in links), encoding="utf-8"
        )
        known = (str(file), str(table))
        asked = {"file": made["file"], "links": links}

        assert studio.post("read", **asked) == printed(capsys, "reconstruct", *known), name
        own = [link for link in links if walk[1] in link]
        answer = studio.post("read-own", file=made["file"], links=own, vertex=walk[1])
        assert answer == printed(capsys, "reconstruct", *known, "--as", walk[1]), name
        for lacking in pairwise(walk):
            answer = studio.post("attack", **asked, lacking=lacking)
            told = printed(capsys, "attack", *known, "--lacking", *lacking)
            assert {key: answer[key] for key in told} == told, name
        stated = printed(capsys, "inspect", str(file), "--certificate")["certificate"]
        row = next(r for r in stated["identification"] if r["joins"] == 4 and r["by"] == "bits")
        guess = made["lacks_one_link"]
        assert [guess["before"], guess["after"], guess["certain"]] == [
            in_hundred(row[key]) for key in ("before", "after", "certain")
        ], name
        if place % 3:  # how many walks fit takes longest to work out: four of the ten show it
            continue
        assert made_dial(studio, links, walk, policy, stated, guess), name
        fits = fitting_walks(network, pv.Walk(walk), pv.Policy.parse(policy), roughly=True)
        room = studio.post("room", links=links, walk=walk, policy=policy)
        assert room["more"] == fits, name
        rows = studio.post("series", links=links, walk=walk, policy=policy, files=TEN)
        open_rows = [row["closed"] for row in rows].count(False)
        assert open_rows == min(fits, len(rows)), name
        if place in {0, 6}:  # a plan takes longer still
            check_plan(studio, links, walk, printed(capsys, "plan", str(table), *ten_like(walk)))


TEN = list(range(1, 11))


def ten_like(walk: list[str]) -> tuple[str, ...]:
    return "--walks", "10", "--length", str(len(walk) - 1)


def check_plan(studio: Any, links: list[list[str]], walk: list[str], plan: Any) -> None:
    """Check that the studio plans as the command line does, and covers what was planned."""
    assert studio.post("plan", links=links, walks=10, length=len(walk) - 1) == plan
    way = next(way for way in plan["ways"] if way["way"] == "coins")
    planned = (way["command"] + " --policy balanced").split("--policy ")[1].split()[0]
    rows = studio.post("series", links=links, walk=walk, policy=planned)
    assert round(rows[-1]["share"], 4) == way["cover"]


def made_dial(
    studio: Any, links: list[list[str]], walk: list[str], policy: str, stated: Any, guess: Any
) -> bool:
    """Check a setting of the dial; the settings are those that trade something."""
    dial = studio.post("dial", links=links, walk=walk)
    settings = dial["settings"]
    assert [one["policy"] for one in settings] == list(answers.DIAL[: len(settings)])
    fits = [one["fits"] for one in settings]
    assert len(settings) >= 6
    assert max(fits) == fits[-1] or settings[-1]["policy"] == "balanced"
    for setting in settings:
        assert setting["opens_other_links"] == (setting["policy"] == "sealed")
        if setting["policy"] == policy:
            assert setting["lacks_one_link"] == guess
            for row in stated["identification"]:
                if row["by"] == "bits" and str(row["joins"]) in setting["stated"]:
                    told = setting["stated"][str(row["joins"])]
                    assert told == {key: in_hundred(row[key]) for key in told}
    network = pv.Network.from_links([(u, v) for u, v in links])
    made = studio.post("publish", links=links, walk=walk)
    risks = identify_links(answers.file_of(made["file"]), network, pv.Walk(walk))
    joins = {risk.link: risk.joins for risk in risks}
    inner = [(min(step), max(step)) for step in list(pairwise(walk))[1:-1]]
    return bool(dial["joins"] == [joins[link] for link in inner])


def test_bits_and_layers_are_those_of_the_file(studio: Any) -> None:
    for _, network, walk in ten_networks()[::3]:
        made = studio.post("publish", links=[list(link) for link in network.links], walk=walk)
        publication = answers.file_of(made["file"])
        names = made["names"]
        pairs = [(u, v) for place, u in enumerate(names) for v in names[place + 1 :]]
        same = [publication.same_branch((u, 0), (v, 0)) for u, v in pairs]
        assert made["bits"] == "".join("01"[bit] for bit in same)
        layers = studio.post("layers", file=made["file"])
        assert len(layers["nodes"]) == len(publication.layered.nodes)
        assert layers["arcs"] == publication.layered.arcs.tolist()
        rows = {(node["vertex"], node["piece"]): node["y"] for node in layers["nodes"]}
        nodes = publication.layered.nodes
        for upper, lower in layers["arcs"]:
            above, below = ((nodes[k].vertex, nodes[k].piece) for k in (upper, lower))
            assert rows[above] < rows[below]


@pytest.mark.parametrize("policy", ["sealed", "frontier:walk_loss=1/2", "balanced"])
def test_the_score_over_many_flips_is_what_the_certificate_states(
    policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fixed coins; a score leaves its 99.9 % interval in one of a thousand honest runs.

    A guesser by luck, or one who is never certain where the certificate says he may be, leaves it.
    """
    monkeypatch.setattr(answers, "LONGEST_GAME", 1e9)
    links = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("b", "e")]
    game = answers.Game(
        links=links, walk=list("abcde"), policy=policy, lacking=("c", "d"), flips=1_000
    )
    played = answers.play(game)
    flips, stated = played["flips"], played["stated"]
    assert flips == 1_000
    for score, chance, wrong in (
        (played["right"], stated["after"], stated["before"]),
        (played["certain"], stated["certain"], 0),
    ):
        low, high = binom.interval(0.999, flips, float(chance))
        assert low - 1 <= score <= high + 1, (policy, score, chance)
        assert float(wrong) == float(chance) or flips * float(wrong) < low - 1


def test_a_game_says_nothing_where_the_certificate_says_nothing() -> None:
    """With copies the joins at an end are not equally likely beforehand."""
    game = answers.Game(
        links=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("b", "e"), ("a", "d")],
        walk=list("abcde"),
        lacking=("b", "a"),
        policy="balanced:copies=2",
        flips=2,
    )
    assert answers.play(game)["stated"] is None


def test_a_link_that_is_not_on_the_walk_is_answered_or_refused_in_words(studio: Any) -> None:
    links = [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"], ["b", "e"], ["a", "d"]]
    made = studio.post("publish", links=links, walk=list("abc"))
    asked = {"file": made["file"], "links": links, "lacking": ["d", "e"]}
    assert all(one["link"] != ["d", "e"] for one in studio.post("attack", **asked)["links"])
    game = answers.Game(links=[(u, v) for u, v in links], walk=list("abc"), lacking=("d", "e"))
    assert answers.play(game)["right"] == 0


def test_the_cover_runs_down_file_by_file(studio: Any) -> None:
    content = _example("geant")
    scene = {"links": content["links"], "walk": content["walk"]}
    for alike in (False, True):
        rows = studio.post("series", **scene, alike=alike, files=TEN)
        shares = [row["share"] for row in rows]
        assert shares == sorted(shares)
        assert not rows[0]["closed"]
    sealed = studio.post("series", **scene, policy="sealed", files=[1, 2])
    assert [row["share"] for row in sealed] == [0, None]
    network, walk = pv.Network.from_links(content["links"]), pv.Walk(content["walk"])
    release = counted_release(network, [walk], pv.Policy.balanced())
    assert rows[4]["share"] == cover(Life((release,) * 5)).share


def test_a_walk_is_drawn_once_and_the_gate_counts_every_draw(studio: Any) -> None:
    studio.desk.clear()
    content = _example("supply-chain")
    scene = {"links": content["links"], "walk": content["walk"]}
    before = studio.post("room", **scene)
    assert (before["drawn"], before["mine"], before["refused"]) == (0, None, None)
    first = studio.post("draw", **scene)
    assert studio.post("draw", **scene, policy="sealed")["file"] == first["file"]
    flipped = [list(reversed(link)) for link in reversed(content["links"])]
    assert studio.post("draw", links=flipped, walk=content["walk"])["file"] == first["file"]
    now = studio.post("room", **scene)
    assert now["mine"]["release"] == first
    assert now["used"] == first["cover"]
    assert now["used"]["share"] == before["after"]["share"]
    assert (now["drawn"], now["more"]) == (1, before["more"] - 1)
    rows = studio.post("series", **scene, files=TEN)
    assert [row["closed"] for row in rows].count(False) == now["more"]
    studio.post("draw", **{**scene, "walk": content["walk"][:-1]})
    shorter = {**scene, "walk": content["walk"][:-2]}
    closed = studio.post("room", **shorter)
    assert closed["after"]["closed"]
    refused = studio.client.post("/api/draw", json=shorter)
    assert refused.status_code == 400
    assert closed["refused"] in refused.json()["error"]
    assert "--" not in refused.json()["error"]
    studio.desk.clear()
    assert studio.post("draw", **scene)["file"] != first["file"]
    studio.desk.clear()


def test_a_newer_question_takes_the_place_of_one_that_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, waiting, started, asked = threading.Event(), threading.Semaphore(0), threading.Event(), []

    class ToldLock:
        """A lock that tells when somebody comes to it."""

        def __init__(self) -> None:
            self.lock = threading.Lock()

        def __enter__(self) -> None:
            waiting.release()
            self.lock.acquire()

        def __exit__(self, *_: object) -> None:
            self.lock.release()

    def slowly(given: int) -> int:
        started.set()
        asked.append(given)
        gate.wait()
        return given

    monkeypatch.setattr("pathveil.studio.server.Lock", ToldLock)
    ask = one_at_a_time(slowly)
    with ThreadPoolExecutor(3) as pool:
        done = []
        for question in (1, 2, 3):
            done.append(pool.submit(ask, question))
            waiting.acquire()
            started.wait()
        gate.set()
        first, second, third = (answer.result() for answer in done)
    assert (first, second.status_code, third) == (1, 204, 3)
    assert asked == [1, 3]


def test_an_envelope_is_for_its_readers(studio: Any) -> None:
    made = studio.post("publish", links=[["a", "b"], ["b", "c"]], walk=["a", "b", "c"])
    reader = pyrage.x25519.Identity.generate()
    sealed = studio.post("envelope", file=made["file"], to=[str(reader.to_public())])
    assert open_envelope(b64decode(sealed["file"]), [reader]) == b64decode(made["file"])
    for key in ("keys.txt", "/etc/passwd", "age1 x", ""):  # a key itself, never a file of keys
        body = {"file": made["file"], "to": [key]}
        assert studio.client.post("/api/envelope", json=body).status_code == 422


def test_what_is_not_quickly_listed_is_refused(studio: Any) -> None:
    links = [[f"v{k}", f"v{k + 1}"] for k in range(300)]
    walk = [f"v{k}" for k in range(100, 106)]
    made = studio.post("publish", links=links, walk=walk)
    asked = {"file": made["file"], "links": links}
    assert studio.post("risk", **asked, lacking=["v102", "v103"])["before"] == 0.25
    refused = studio.client.post("/api/risk", json={**asked, "lacking": ["v100", "v101"]})
    assert refused.status_code == 400
    assert "too many possibilities" in refused.json()["error"]


def test_an_outsider_is_judged_by_the_true_network(
    studio: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "OUTSIDER_STEPS", 1_000)
    content = _example("supply-chain")
    read = studio.post("outsider", links=content["links"], walks=[content["walk"]] * 5)
    assert read["files"] == 5
    for found in (read["counting"], read["structure"]):
        assert len(found["links"]) == len(content["links"])
        true = {tuple(sorted(link)) for link in content["links"]}
        assert found["links_right"] == len({tuple(link) for link in found["links"]} & true)


def test_the_risk_of_a_link_is_what_the_command_line_works_out(studio: Any) -> None:
    content = _example("abilene")
    made = studio.post("publish", links=content["links"], walk=content["walk"])
    asked = {"file": made["file"], "links": content["links"]}
    network, walk = pv.Network.from_links(content["links"]), pv.Walk(content["walk"])
    for risk in identify_links(answers.file_of(made["file"]), network, walk):
        row = studio.post("risk", **asked, lacking=risk.link)
        assert row == {
            "before": risk.before,
            "after": risk.after,
            "certain": risk.certain,
            "alarm": risk.alarm,
            "files": 1,
            "together": None,
            "certain_together": False,
        }
        listed = studio.post("attack", **asked, lacking=risk.link)["links"]
        mine = [one for one in listed if tuple(one["link"]) == risk.link]
        assert [(one["prior"], one["posterior"]) for one in mine] in (
            [],
            [(risk.before, risk.after)],
        )


def test_what_releases_tell_together_is_worked_out(studio: Any) -> None:
    """Two walks over one link, each file harmless: together they may settle it."""
    links = [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"], ["e", "f"], ["f", "g"], ["a", "h"]]
    links += [[f"x{k}", f"x{k + 1}"] for k in range(40)] + [["a", "x0"], ["h", "x7"]]
    files = [studio.post("draw", links=links, walk=list(walk)) for walk in ("abcdef", "bcdefg")]
    row = studio.post("risk", links=links, file=files[1]["file"], lacking=["c", "d"])
    pile = [answers.file_of(one["file"]) for one in files]
    network = pv.Network.from_links((u, v) for u, v in links)
    inferred = attack_as_insider(pile, network.without(("c", "d")))
    assert row["files"] == 2
    assert row["together"] == inferred.posterior_of(("d", "c"))
    assert row["certain_together"] == (len(inferred.pairs) == 1)
    assert row["together"] >= row["after"] - 1e-9


def test_a_walk_is_not_drawn_again_the_other_way_round(studio: Any) -> None:
    scene = {"links": [["p", "q"], ["q", "r"], ["r", "s"]]}
    studio.post("draw", **scene, walk=list("pqrs"))
    assert "other way round" in studio.post("room", **scene, walk=list("srqp"))["refused"]
    again = studio.client.post("/api/draw", json={**scene, "walk": list("srqp")})
    assert again.status_code == 400


def test_pictures_are_drawn_and_names_in_them_are_escaped(studio: Any) -> None:
    evil = "<script>alert(1)</script>"
    links = [["a", evil], [evil, "c"], ["a", "c"]]
    made = studio.post("publish", links=links, walk=["a", evil, "c"])
    for kind in ("network", "layers", "story"):
        body = {"links": links, "walk": ["a", evil, "c"], "kind": kind, "file": made["file"]}
        drawn = studio.client.post("/api/picture", json=body)
        assert drawn.headers["content-type"] == "image/svg+xml"
        assert drawn.text.startswith("<svg")
        assert "<script" not in drawn.text


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("network", {"name": "", "data": ""}),
        ("network", {"name": "x.csv", "data": "no base64!"}),
        ("dial", {"links": [["a", "b"], ["b", "c"]], "walk": ["a", "c"]}),
        ("publish", {"links": [["a", "b"]], "walk": ["a", "b"], "policy": "generous"}),
        ("publish", {"links": [["a", "b"]], "walk": ["a", "b"], "policy": "frontier:walk_loss=-1"}),
        ("layers", {"file": "e30="}),
        ("read", {"file": "no thing", "links": [["a", "b"]]}),
    ],
)
def test_what_is_wrong_is_said_in_words(studio: Any, path: str, body: Any) -> None:
    answer = studio.client.post(f"/api/{path}", json=body)
    assert answer.status_code == 400, answer.text
    assert len(answer.json()["error"]) > 10


def test_what_is_too_large_to_look_at_is_refused() -> None:
    star = [("hub", f"v{number}") for number in range(501)]
    with pytest.raises(TooLarge):
        answers.layout(answers.GivenLinks(links=star))
    tree = [("hub", f"v{number}") for number in range(300)]
    scene = answers.DrawnScene(links=tree, walk=["v0", "hub", "v1"])
    made = answers.answer_publish(scene)
    with pytest.raises(TooLarge):
        answers.layers(answers.GivenPublication(file=made["file"]))


def sent(name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "data": b64encode(text.encode()).decode(), **more}


def test_a_file_is_read_as_the_command_line_reads_it(studio: Any) -> None:
    twice = "source,target\nParis,Rome\nRome,Oslo\nOslo,Rome\n"  # one link twice, both ways
    read = studio.post("network", **sent("trips.csv", twice))
    assert read["links"] == [["Oslo", "Rome"], ["Paris", "Rome"]]
    graphml = "\n".join(nx.generate_graphml(nx.Graph([("a", "b"), ("b", "c")])))
    read = studio.post("network", **sent("x.graphml", graphml))
    assert read["links"] == [["a", "b"], ["b", "c"]]
    windows = b64encode("source;target\r\nKöln;Bonn\r\n".encode("utf-16")).decode()
    read = studio.post("network", name="x.csv", data=windows)
    assert read["links"] == [["Bonn", "Köln"]]


def test_what_a_file_leaves_open_is_asked_in_words_of_the_page(studio: Any) -> None:
    """Unknown headings, loops and several parts: what was found, what to choose, no terminal."""
    for text, open_question, choice, links in (
        ("departs,arrives\nx,y\ny,z\n", "cells", {"columns": ["departs", "arrives"]}, "xy yz"),
        ("x,y\nz,w\ny,w\n", None, {}, "wy wz xy"),
        ("x,y\nv,w\n", "cells", {"columns": ["1", "2"], "largest_part": True}, "vw"),
        ("source,target\nx,x\nx,y\n", "repair", {"drop_loops": True}, "xy"),
        ("source,target\nx,y\ny,z\nv,w\n", "repair", {"largest_part": True}, "xy yz"),
    ):
        if open_question is not None:
            refused = studio.client.post("/api/network", json=sent("net.csv", text))
            assert refused.status_code == 400
            assert refused.json()[open_question]
            assert not {"--", "pathveil", "="} & set(refused.json()["error"].split())
            assert "--" not in refused.json()["error"]
        read = studio.post("network", **sent("net.csv", text, **choice))
        assert read["links"] == [list(pair) for pair in links.split()], text
