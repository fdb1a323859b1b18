"""Real parties: processes of the command line over loopback TCP and mutual TLS."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.cli.main import run
from pathveil.errors import DoesNotFit
from pathveil.exchange import protocol, rehearse
from pathveil.exchange.cards import Card, Roster, make_certificate
from pathveil.exchange.protocol import agree, own_statuses
from pathveil.exchange.rehearse import free_ports
from pathveil.model.publication import Publication
from tests.cli.json_schemas import parsed
from tests.exchange.stage import Ending, Stage
from tests.exchange.transcript import blocks_of_page, perform

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the stage forks its parts")

LONG = "600"
"""Seconds: no honest exchange shall fail because a machine is slow."""

LINKS = ["ab", "ac", "bc", "bd", "cd", "ce", "de", "ef", "fg", "eg", "dg"]
KITE = Network.parse(" ".join(LINKS))
ROWS = {v: tuple(link.strip(v) for link in LINKS if v in link) for v in KITE.vertices}


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    opened = Stage()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def keys() -> dict[str, tuple[str, str]]:
    """Keys are slow to make; all casts of this module share them."""
    return {name: make_certificate(name, days=2) for name in "klmnopq"}


class Cast:
    """Parties in their folders: each its key, all cards, the file, its own rows of the network."""

    def __init__(
        self,
        folder: Path,
        keys: dict[str, tuple[str, str]],
        publication: Publication,
        network: Network,
        *,
        parties: int = 3,
    ) -> None:
        self.folder = folder
        self.names = list(keys)[:parties]
        ports = free_ports(parties)
        self.cards = [
            Card(name, "127.0.0.1", ports[i], network.vertices[i::parties], keys[name][1])
            for i, name in enumerate(self.names)
        ]
        for me in self.cards:
            here = folder / me.name
            here.mkdir(parents=True)
            publication.save(here / "route.veil.json")
            (here / "me.key.pem").write_text(keys[me.name][0])
            for card in self.cards:
                (here / f"{card.name}.card.json").write_text(card.to_json())
            rows = {tuple(sorted((v, w))) for v in me.vertices for w in network.neighbours(v)}
            (here / "rows.csv").write_text("".join(f"{v},{w}\n" for v, w in sorted(rows)))

    def part(self, name: str, *options: str, **more: Any) -> dict[str, Any]:
        arguments = ["party", "run", "route.veil.json", "rows.csv", "--cards", "."]
        arguments += ["--key", "me.key.pem", "--json", f"--time-limit={LONG}", *options]
        return {"folder": str(self.folder / name), "arguments": arguments, **more}

    def parts(self, *options: str, **more: Any) -> list[dict[str, Any]]:
        return [self.part(name, *options, **more) for name in self.names]


def walk_of(endings: list[Ending]) -> list[str]:
    """The walk that all parties' places give, put together."""
    visits = {
        (item["place"], item["vertex"], item["copy"])
        for ending in endings
        for item in ending.result["places"]
        if item["place"]
    }
    return [vertex for _, vertex, _ in sorted(visits)]


def assert_all_read(endings: list[Ending], publication: Publication, network: Network) -> None:
    for ending in endings:
        assert (ending.code, ending.err) == (0, ""), ending.err
        parsed("party run", ending.out)
    walk = list(reconstruct(publication, network).walk)
    known = publication.direction is not None
    assert {ending.result["order"] for ending in endings} == {"known" if known else "either_way"}
    assert walk_of(endings) in ([walk] if known else [walk, walk[::-1]])


def assert_refused(ending: Ending, network: Network, *words: str, code: int = 2) -> None:
    """One line on standard error, nothing else anywhere, no vertex named."""
    assert ending.code == code, ending
    assert ending.out == ""
    assert ending.err.count("\n") == 1
    assert ending.err.startswith("pathveil: ")
    assert all(word in ending.err for word in words), ending.err
    assert not any(f"'{vertex}'" in ending.err for vertex in network)


# -- what is read ---------------------------------------------------------------------------------

SCENES = {
    "acyclic": (Walk("abdcegf"), Policy.balanced(), "exact", 3),
    "off the walk": (Walk("ced"), Policy.sealed(), "exact", 5),
    "cyclic": (Walk("abcabdeg"), Policy.balanced(copies=2), "exact", 3),
    "closed": (Walk("cdec"), Policy.balanced(copies=3), "exact", 3),
    "the paper's layering": (Walk("abdcegf"), Policy.paper(vertex=1, link=1), "backtracking", 3),
    "seven parties": (Walk("gedb"), Policy.frontier(walk_loss="0.5"), "exact", 7),
}


@pytest.mark.parametrize("scene", SCENES)
def test_the_parties_read_what_reconstruct_reads(
    scene: str, stage: Stage, keys: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    walk, policy, layering, parties = SCENES[scene]
    publication = publish(
        KITE,
        walk,
        policy=policy,
        layering=layering,  # type: ignore[arg-type]
        source=Seeded(5),
    )
    cast = Cast(tmp_path, keys, publication, KITE, parties=parties)
    endings = stage.play(cast.parts())
    assert_all_read(endings, publication, KITE)
    for card, ending in zip(cast.cards, endings, strict=True):
        assert {item["vertex"] for item in ending.result["places"]} == set(card.vertices)
        assert ending.result["walk"] is None
        if scene == "acyclic":
            assert ending.result["rounds"] == ROUNDS


def test_everybody_may_learn_the_walk(
    stage: Stage, keys: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    publication = publish(KITE, Walk("abdcegf"), source=Seeded(6))
    cast = Cast(tmp_path, keys, publication, KITE)
    for ending in stage.play(cast.parts("--learn", "walk")):
        assert ending.result["walk"] == list("abdcegf")


# -- how it fails ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory, keys: dict[str, tuple[str, str]]) -> Cast:
    publication = publish(KITE, Walk("abdcegf"), source=Seeded(8))
    return Cast(tmp_path_factory.mktemp("cast"), keys, publication, KITE)


ROUNDS = 15
"""Rounds of an exchange over seven positions: 6 steps, and 9 whatever the size."""


def test_a_party_killed_at_a_random_moment(stage: Stage, cast: Cast) -> None:
    """Five deaths; whoever is left ends by itself, with one line, or has all it was promised."""
    moments = random.Random(14)
    for _ in range(5):
        victim = moments.choice(cast.names)
        at = {"kind": "die", "round": moments.randint(0, ROUNDS), "halfway": moments.random() < 0.5}
        # Who dies before all have met is waited for until the time limit; later it is noticed.
        more = {"hurry": True} if at["round"] == 0 else {}
        parts = cast.parts(**more)
        parts[cast.names.index(victim)] = cast.part(victim, vice=at)
        endings = dict(zip(cast.names, stage.play(parts), strict=True))
        assert endings.pop(victim).code == -9
        for ending in endings.values():
            if at["round"] == ROUNDS and ending.code == 0:  # died after its very last word
                assert ending.result["places"]
            else:
                assert_refused(ending, KITE)


def test_a_party_that_falls_asleep(stage: Stage, cast: Cast) -> None:
    parts = cast.parts(hurry=True)
    del parts[1]["hurry"]
    parts[1]["vice"] = {"kind": "fall asleep", "round": 5}
    first, _, third = stage.play(parts)
    for ending in (first, third):
        assert_refused(ending, KITE, "within the time limit")


def test_a_party_that_is_interrupted(stage: Stage, cast: Cast) -> None:
    parts = cast.parts()
    parts[0]["vice"] = {"kind": "interrupt", "round": 5}
    for ending in stage.play(parts)[1:]:
        assert_refused(ending, KITE, "party 'k' was stopped before the end")


def test_a_lie_stops_all_alike(stage: Stage, cast: Cast) -> None:
    parts = cast.parts()
    parts[0]["vice"] = {"kind": "lie", "row": 1, "column": 1}
    endings = stage.play(parts)
    for ending in endings:
        assert_refused(ending, KITE, "do not form one walk", code=1)
    assert len({ending.err for ending in endings}) == 1


# -- what is refused before anybody is called -----------------------------------------------------


def roster_of(names: str, *, left_out: str = "") -> Roster:
    made = [make_certificate(name, days=2)[1] for name in names]
    vertices = [vertex for vertex in KITE.vertices if vertex not in left_out]
    return Roster.of(
        Card(name, "127.0.0.1", 4000 + i, tuple(vertices[i :: len(names)]), made[i])
        for i, name in enumerate(names)
    )


def test_what_can_be_read_together_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    publication, roster = publish(KITE, Walk("abd"), source=Seeded(1)), roster_of("klm")
    refused = {
        "noisy": publish(KITE, Walk("abd"), policy=Policy.two_sided(epsilon=3)),
        "publish it packed, without --groups": publish(
            KITE, Walk("abd"), form="sketch", capacity=30
        ),
        "over a grouping": SimpleNamespace(policy=publication.policy, sketch=None, grouped=True),
    }
    for said, other in refused.items():
        with pytest.raises(DoesNotFit, match=said):
            agree(other, roster)  # type: ignore[arg-type]
    with pytest.raises(DoesNotFit, match="'f' and 1 more of the published vertices are on no card"):
        agree(publication, roster_of("klm", left_out="fg"))
    assert agree(publication, roster, longest=2).agreement.steps == 2
    with pytest.raises(DoesNotFit, match="longest walk has 1 visits"):
        agree(publication, roster, longest=1)
    monkeypatch.setattr(protocol, "MOST_POSITIONS", 7)
    assert agree(publication, roster).agreement.size == 7
    monkeypatch.setattr(protocol, "MOST_POSITIONS", 6)
    with pytest.raises(DoesNotFit, match="has 7 positions, expected at most 6"):
        agree(publication, roster)


def test_a_party_puts_in_its_own_rows() -> None:
    """k holds a, d and g, whose links on the walk are ab, bd, dc, eg and gf."""
    publication = publish(KITE, Walk("abdcegf"), source=Seeded(1))
    exchange = agree(publication, roster_of("klm"))
    mine = own_statuses(publication, exchange, 0, {v: ROWS[v] for v in "adg"})
    assert [np.flatnonzero(row).tolist() for row in mine.rows] == [[1], [1, 2], [4, 5]]
    with pytest.raises(DoesNotFit, match="'d' is on the card of 'k', but its row is missing"):
        own_statuses(publication, exchange, 0, {"a": ROWS["a"]})


def test_the_digest_is_that_of_the_publication_not_of_its_file(tmp_path: Path) -> None:
    roster = roster_of("klm")
    for more in ({}, {"layering": "backtracking"}, {"direction": "hidden"}):
        made = [publish(KITE, Walk("abd"), source=Seeded(k), **more) for k in (1, 2)]  # type: ignore[arg-type]
        one, other = (agree(each, roster).digest for each in made)
        assert one != other
        for suffix in (".veil.json", ".veil"):
            made[0].save(tmp_path / f"x{suffix}", overwrite=True)
            assert agree(Publication.load(tmp_path / f"x{suffix}"), roster).digest == one


# -- the commands ---------------------------------------------------------------------------------


def test_the_page_shows_what_the_couriers_print(stage: Stage, tmp_path: Path) -> None:
    """If this fails and the new text is right: ``python -m tests.exchange.transcript``."""
    assert perform(stage, tmp_path) == blocks_of_page()


def test_a_rehearsal_for_a_program_and_one_of_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parties in threads here; the page's rehearsal above has a process for each."""

    def in_threads(parts: list[Any], work: Any, *, patience: float) -> list[Any]:
        with ThreadPoolExecutor(len(parts)) as pool:
            return list(pool.map(work, parts, timeout=patience))

    monkeypatch.setattr(rehearse, "_run_all", in_threads)
    network, file = tmp_path / "kite.csv", tmp_path / "route.veil.json"
    network.write_text("".join(f"{v},{w}\n" for v, w in KITE.links))
    publish(KITE, Walk("abdc"), source=Seeded(2)).save(file)
    words = ["party", "rehearse", str(file), str(network), "--time-limit", LONG]
    assert run([*words, "--json"]) == 0
    result = parsed("party rehearse", capsys.readouterr().out)
    assert result["as_reconstruct"] is True
    beside = [one["beside"] for one in result["parties"]]
    assert beside[0] == [{"place": 1, "vertices": ["b"]}, {"place": 3, "vertices": ["b", "c"]}]
    assert run([*words, "--parties", "2"]) == 2
    assert "no honest majority" in capsys.readouterr().err
