"""Real parties: processes of the command line over loopback TCP and mutual TLS."""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pathveil import Grouping, Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.cli import rehearse as rehearsal
from pathveil.cli.main import run
from pathveil.errors import BadFile, DoesNotFit
from pathveil.exchange import session as secure
from pathveil.exchange.cards import Card, Roster, make_certificate
from pathveil.exchange.protocol import Agreement, ByName, ByRoot, Direction, Statuses, Untold
from pathveil.exchange.session import agree, largest_message, on_no_card, own_statuses, take_part
from pathveil.model.publication import Publication
from tests.cli.json_schemas import parsed
from tests.exchange.memory import dealt
from tests.exchange.memory import exchange as run_in_memory
from tests.exchange.stage import Ending, Stage

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
    return {name: make_certificate(name, days=2) for name in "klmnopqrst"}


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
        as_links: bool = False,
        file: str = "route.veil.json",
    ) -> None:
        self.folder = folder
        self.file = file
        self.names = list(keys)[:parties]
        listeners = [socket.create_server(("127.0.0.1", 0)) for _ in self.names]
        self.ports = [int(listener.getsockname()[1]) for listener in listeners]
        for listener in listeners:
            listener.close()
        self.holds = {
            name: () if as_links else network.vertices[i::parties]
            for i, name in enumerate(self.names)
        }
        links = {name: network.links[i::parties] for i, name in enumerate(self.names)}
        bound = -(-len(network.links) // parties) if as_links else 0
        self.cards = [
            Card(name, "127.0.0.1", port, tuple(self.holds[name]), bound, keys[name][1])
            for name, port in zip(self.names, self.ports, strict=True)
        ]
        for name in self.names:
            here = folder / name
            here.mkdir(parents=True)
            publication.save(here / file)
            (here / "me.key.pem").write_text(keys[name][0])
            for card in self.cards:
                (here / f"{card.name}.card.json").write_text(card.to_json())
            rows = {tuple(sorted((v, w))) for v in self.holds[name] for w in network.neighbours(v)}
            (here / "rows.csv").write_text("".join(f"{v},{w}\n" for v, w in sorted(rows)))
            (here / "links.csv").write_text("".join(f"{v},{w}\n" for v, w in links[name]))
        self.as_links = as_links

    def part(self, name: str, *options: str, limit: str = LONG, **more: Any) -> dict[str, Any]:
        arguments = ["party", "run", self.file, "rows.csv", "--me", name, "--cards", "."]
        arguments += ["--key", "me.key.pem", "--json", f"--time-limit={limit}", *options]
        arguments += ["--held-links", "links.csv"] if self.as_links else []
        return {"folder": str(self.folder / name), "arguments": arguments, **more}

    def parts(self, *options: str, limit: str = LONG) -> list[dict[str, Any]]:
        return [self.part(name, *options, limit=limit) for name in self.names]


def walk_of(endings: list[Ending]) -> list[str]:
    """The walk that all parties' places give, put together."""
    visits = set()
    for ending in endings:
        found = ending.result
        ends = [end for step in found["steps"] for end in (step["from"], step["to"])]
        visits |= {
            (item["place"], item["vertex"], item["copy"])
            for item in [*found["places"], *ends]
            if item["place"]
        }
    return [vertex for _, vertex, _ in sorted(visits)]


def assert_all_read(endings: list[Ending], publication: Publication, network: Network) -> None:
    for ending in endings:
        assert (ending.code, ending.err) == (0, ""), ending.err
        parsed("party run", ending.out)
    expected = reconstruct(publication, network)
    walk = list(expected.walk)
    assert {ending.result["order"] for ending in endings} == {expected.order}
    assert walk_of(endings) in ([walk] if expected.order == "known" else [walk, walk[::-1]])


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
    "ten parties": (Walk("gedb"), Policy.frontier(walk_loss="0.5"), "exact", 10),
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
    for name, ending in zip(cast.names, endings, strict=True):
        assert {item["vertex"] for item in ending.result["places"]} == set(cast.holds[name])
        assert ending.result["walk"] is None
        assert ending.result["length"] is None
        if scene == "acyclic":
            assert ending.result["rounds"] == ROUNDS


def test_over_a_grouping_the_sequence_of_classes_tells_the_direction(
    stage: Stage, keys: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    """The ends are of one class, so their names would not do: the first difference decides."""
    grouping = Grouping.of(["af", "bt", "cu", "dv", "ew", "gx"])
    for walk in (Walk("abdcegf"), Walk("fgecdba")):
        publication = publish(KITE, walk, grouping=grouping, policy=Policy.balanced(copies=2))
        cast = Cast(tmp_path / walk.vertices[0], keys, publication, KITE)
        grouping.save(tmp_path / "groups.json")
        endings = stage.play(cast.parts("--groups", str(tmp_path / "groups.json")))
        assert_all_read(endings, publication, KITE)
        assert walk_of(endings) == list(walk)


def test_a_series_and_an_untold_direction(
    stage: Stage, keys: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    terms: dict[str, Any] = {
        "policy": Policy.remembering(prior=("1/2", "1/2")),
        "universe": [*KITE.links, ("a", "g"), ("a", "f"), ("b", "e")],
        "direction": "hidden",
    }
    first = publish(KITE, Walk("abd"), source=Seeded(1), **terms)
    second = publish(KITE, Walk("gfec"), after=[first], source=Seeded(2), **terms)
    cast = Cast(tmp_path, keys, second, KITE, parties=4)
    endings = stage.play(cast.parts())
    assert_all_read(endings, second, KITE)
    assert {ending.result["order"] for ending in endings} == {"either_way"}


def test_a_sketch_knows_only_the_vertices_on_the_cards(
    stage: Stage, keys: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    publication = publish(KITE, Walk("abdcegf"), form="sketch", capacity=30, source=Seeded(3))
    cast = Cast(tmp_path, keys, publication, KITE, file="route.veil")
    endings = stage.play(cast.parts())
    assert_all_read(endings, publication, KITE)


@pytest.mark.parametrize(("walk", "ends"), [("abdcegf", {1}), ("abc", {0})])
def test_a_neighbour_on_no_card_ends_an_exchange_for_all_alike(
    walk: str,
    ends: set[int],
    stage: Stage,
    keys: dict[str, tuple[str, str]],
    tmp_path: Path,
) -> None:
    """That party did not come if the walk used its link, which told the others that it does."""
    publication = publish(KITE, Walk(walk), form="sketch", capacity=30, source=Seeded(3))
    cast = Cast(tmp_path, keys, publication, KITE, file="route.veil")
    for here in (tmp_path / name for name in cast.names):
        for card in cast.cards:
            left = replace(card, vertices=tuple(v for v in card.vertices if v != "f"))
            (here / f"{card.name}.card.json").write_text(left.to_json())
    endings = stage.play(cast.parts())
    assert {ending.code for ending in endings} == ends
    for ending in endings:
        if ending.code:
            assert_refused(ending, KITE, "do not form one walk", "a vertex has no party", code=1)
    assert len({ending.err for ending in endings}) == 1
    parts = cast.parts()
    for part in parts:
        part["arguments"].remove("--json")
    told = [" ".join(ending.out.split()) for ending in stage.play(parts)]
    beside = [any("f" in KITE.neighbours(v) for v in cast.holds[name]) for name in cast.names]
    assert ["on no card f: a walk over my link" in text for text in told] == beside, "either way"


def test_links_to_a_vertex_on_no_card_are_put_in_as_what_no_walk_is() -> None:
    publication = publish(KITE, Walk("abdcegf"), form="sketch", capacity=30, source=Seeded(3))
    card = Card("k", "127.0.0.1", 1, tuple("abcdeg"), 0, "")
    holder = Card("l", "127.0.0.1", 2, (), 3, "")
    exchange = agree(publication, Roster((card, holder)))
    links = [("f", "g"), ("e", "f"), ("a", "c")]  # the first is on the walk
    found = own_statuses(publication, exchange, 1, rows={}, links=links).links
    assert found == ((0, 0, True), (0, 2, False))
    assert on_no_card(publication, exchange, {}, links) == {"f"}


def test_the_same_publication_in_another_file(stage: Stage, cast: Cast) -> None:
    """What is compared is the publication, not its file."""
    here = cast.folder / "l"
    Publication.load(here / "route.veil.json").save(here / "compact.veil")
    parts = cast.parts()
    parts[1]["arguments"][2] = "compact.veil"
    assert [ending.code for ending in stage.play(parts)] == [0, 0, 0]


def test_everybody_may_learn_the_walk(
    stage: Stage, keys: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    publication = publish(KITE, Walk("abdcegf"), source=Seeded(6))
    cast = Cast(tmp_path, keys, publication, KITE)
    endings = stage.play(cast.parts("--learn", "walk", "--length"))
    for ending in endings:
        assert ending.result["walk"] == list("abdcegf")
        assert ending.result["length"] == 7
        assert [opening["name"] for opening in ending.result["opened"]] == [
            *("challenge", "consistency", "walk", "length")
        ]


def test_links_as_parties(stage: Stage, keys: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    publication = publish(KITE, Walk("abcab"), policy=Policy.balanced(copies=2), source=Seeded(7))
    cast = Cast(tmp_path, keys, publication, KITE, as_links=True)
    endings = stage.play(cast.parts())
    assert_all_read(endings, publication, KITE)
    assert all(ending.result["places"] == [] for ending in endings)


# -- how it fails ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory, keys: dict[str, tuple[str, str]]) -> Cast:
    publication = publish(KITE, Walk("abdcegf"), source=Seeded(8))
    return Cast(tmp_path_factory.mktemp("cast"), keys, publication, KITE)


ROUNDS = 15
"""Rounds of an exchange over seven positions: 6 steps, and 9 whatever the size."""


def test_a_party_killed_at_a_random_moment(stage: Stage, cast: Cast) -> None:
    """Twenty deaths; whoever is left ends by itself, with one line, or has all it was promised."""
    moments = random.Random(14)
    for _ in range(20):
        victim = moments.choice(cast.names)
        at = {"kind": "die", "round": moments.randint(0, ROUNDS), "halfway": moments.random() < 0.5}
        # Who dies before all have met is waited for until the time limit; later it is noticed.
        limit = "5" if at["round"] == 0 else LONG
        parts = [
            cast.part(name, vice=at) if name == victim else cast.part(name, limit=limit)
            for name in cast.names
        ]
        endings = dict(zip(cast.names, stage.play(parts), strict=True))
        assert endings.pop(victim).code in ({-9, None} if at["round"] == 0 else {-9})
        for ending in endings.values():
            if at["round"] == ROUNDS and ending.code == 0:  # died after its very last word
                assert ending.result["places"]
            else:
                assert_refused(ending, KITE)


def test_a_party_that_never_comes(stage: Stage, cast: Cast) -> None:
    for ending in stage.play(cast.parts(limit="1.5")[:2]):
        assert_refused(ending, KITE, "did not connect within the time limit")


def test_a_party_that_falls_asleep(stage: Stage, cast: Cast) -> None:
    parts = cast.parts(limit="4")
    parts[1]["vice"] = {"kind": "fall asleep", "round": 5}
    first, _, third = stage.play(parts)
    for ending in (first, third):
        assert_refused(ending, KITE, "within the time limit")


def test_a_party_that_is_interrupted(stage: Stage, cast: Cast) -> None:
    parts = cast.parts()
    parts[0]["vice"] = {"kind": "interrupt", "round": 5}
    for ending in stage.play(parts)[1:]:
        assert_refused(ending, KITE, "party 'k' was stopped before the end")


def test_a_party_that_comes_late_is_waited_for(stage: Stage, cast: Cast) -> None:
    parts = cast.parts()
    parts[0]["vice"] = {"kind": "late", "seconds": 0.7}
    assert [ending.code for ending in stage.play(parts)] == [0, 0, 0]


def test_a_lie_stops_all_alike(stage: Stage, cast: Cast) -> None:
    errors = set()
    for row, column in ((0, 6), (1, 1), (2, 0)):
        parts = cast.parts()
        parts[0]["vice"] = {"kind": "lie", "row": row, "column": column}
        for ending in stage.play(parts):
            assert_refused(ending, KITE, "do not form one walk", code=1)
            errors.add(ending.err)
    assert len(errors) == 1


@pytest.mark.parametrize(
    "vice",
    [
        {"kind": "rubbish", "round": 1},
        {"kind": "rubbish", "round": 6, "bytes": 2**20},
        {"kind": "flood", "round": 4},
    ],
    ids=str,
)
def test_rubbish_and_floods_from_a_party(stage: Stage, cast: Cast, vice: dict[str, Any]) -> None:
    parts = cast.parts()
    parts[2]["vice"] = vice
    for ending in stage.play(parts)[:2]:
        assert_refused(ending, KITE, "party 'm' sent something that is no message")


def test_bent_shares_are_noticed_when_opened(stage: Stage, cast: Cast) -> None:
    parts = cast.parts()
    parts[2]["vice"] = {"kind": "bend", "round": ROUNDS - 2}
    endings = stage.play(parts)[:2]
    assert all(ending.code == 2 for ending in endings)
    assert any("contradict each other" in ending.err for ending in endings)


def test_another_file(stage: Stage, cast: Cast, tmp_path: Path) -> None:
    other = publish(KITE, Walk("abdcegf"), source=Seeded(9))
    other.save(tmp_path / "other.veil.json")
    parts = cast.parts()
    parts[1]["arguments"][2] = str(tmp_path / "other.veil.json")
    first, second, third = stage.play(parts)
    for ending in (first, third):
        assert_refused(ending, KITE, "'l' holds another publication")
    assert_refused(second, KITE, "holds another publication")


def test_other_terms_and_other_cards(stage: Stage, cast: Cast, tmp_path: Path) -> None:
    parts = cast.parts()
    parts[0]["arguments"].append("--length")
    for ending in stage.play(parts):
        assert_refused(ending, KITE, "was started with other terms")
    for card in cast.cards:
        moved = Card(card.name, card.host, card.port, card.vertices, 1, card.certificate)
        (tmp_path / f"{card.name}.card.json").write_text(moved.to_json())
    parts = cast.parts()
    parts[2]["arguments"][7] = str(tmp_path)
    for ending in stage.play(parts):
        assert_refused(ending, KITE, "has other cards")


def test_an_impostor_cannot_take_a_partys_place(stage: Stage, cast: Cast, tmp_path: Path) -> None:
    """Right name, right address, right file; the certificate is another."""
    key, certificate = make_certificate("m", days=2)
    card = cast.cards[2]
    false = Card(card.name, card.host, card.port, card.vertices, card.links, certificate)
    for each in (*cast.cards[:2], false):
        (tmp_path / f"{each.name}.card.json").write_text(each.to_json())
    (tmp_path / "me.key.pem").write_text(key)
    parts = cast.parts(limit="2")
    parts[2]["arguments"][7] = str(tmp_path)
    parts[2]["arguments"][9] = str(tmp_path / "me.key.pem")
    endings = stage.play(parts)
    for ending in endings[:2]:
        assert_refused(ending, KITE, "did not connect")
    assert_refused(endings[2], KITE, "did not connect")


def test_strangers_on_the_port_do_not_stop_an_exchange(stage: Stage, cast: Cast) -> None:
    """A crowd that keeps calling, says nothing or rubbish, and hangs up."""
    over = threading.Event()

    def disturb(port: int) -> None:
        noise = [b"", b"GET / HTTP/1.1\r\n\r\n", os.urandom(4096), b"\x16\x03\x01\x02\x00" * 50]
        while not over.is_set():
            for text in noise:
                with contextlib.suppress(OSError), socket.socket() as stranger:
                    stranger.settimeout(0.2)
                    stranger.connect(("127.0.0.1", port))
                    stranger.sendall(text)
            over.wait(0.01)

    crowd = [threading.Thread(target=disturb, args=(port,)) for port in cast.ports]
    for stranger in crowd:
        stranger.start()
    try:
        endings = stage.play(cast.parts())
    finally:
        over.set()
        for stranger in crowd:
            stranger.join()
    assert [ending.code for ending in endings] == [0, 0, 0]


# -- what is refused before anybody is called -----------------------------------------------------


def test_noisy_publications_are_refused() -> None:
    publication = publish(KITE, Walk("abd"), policy=Policy.two_sided(epsilon=3))
    with pytest.raises(DoesNotFit, match="noisy publication"):
        agree(publication, roster_of("klm"))


def roster_of(names: str, *, host: str = "127.0.0.1") -> Roster:
    made = [make_certificate(name, days=2)[1] for name in names]
    cards = [
        Card(name, host, 4000 + i, KITE.vertices[i :: len(names)], 0, made[i])
        for i, name in enumerate(names)
    ]
    return Roster.of(cards)


def test_two_parties_are_refused() -> None:
    with pytest.raises(BadFile, match="no honest majority"):
        roster_of("kl")


def test_what_can_be_agreed_on_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    publication, roster = publish(KITE, Walk("abd"), source=Seeded(1)), roster_of("klm")
    assert agree(publication, roster, longest=2).agreement.steps == 2
    with pytest.raises(DoesNotFit, match="longest walk has 1 visits"):
        agree(publication, roster, longest=1)
    monkeypatch.setattr(secure, "MOST_POSITIONS", 7)
    assert agree(publication, roster).agreement.size == 7
    monkeypatch.setattr(secure, "MOST_POSITIONS", 6)
    with pytest.raises(DoesNotFit, match="has 7 positions, expected at most 6"):
        agree(publication, roster)


def holding(roster: Roster, *links: int) -> Roster:
    """The same parties, who may put in so many links each."""
    cards = zip(roster.cards, links, strict=True)
    return Roster.of(replace(card, links=many) for card, many in cards)


def test_a_link_has_a_place_for_each_pair_of_copies() -> None:
    publication = publish(KITE, Walk("abcab"), policy=Policy.balanced(copies=2), source=Seeded(7))
    agreement = agree(publication, holding(roster_of("klm"), 3, 0, 1)).agreement
    assert agreement.link_places == (12, 0, 4)


def test_a_party_puts_in_its_own_rows_and_links() -> None:
    """k holds a, d and g, whose links on the walk are ab, bd, dc, eg and gf."""
    publication = publish(KITE, Walk("abdcegf"), source=Seeded(1))
    exchange = agree(publication, holding(roster_of("klm"), 2, 0, 0))
    rows = {v: ROWS[v] for v in "adg"}
    mine = own_statuses(publication, exchange, 0, rows=rows, links=[("e", "g"), ("a", "c")])
    assert [np.flatnonzero(row).tolist() for row in mine.rows] == [[1], [1, 2], [4, 5]]
    assert mine.links == ((4, 6, True), (0, 2, False))
    with pytest.raises(DoesNotFit, match="3 links, but the card of 'k' says at most 2"):
        own_statuses(publication, exchange, 0, rows=rows, links=[("e", "g")] * 3)
    with pytest.raises(DoesNotFit, match="'d' is on the card of 'k', but its row is missing"):
        own_statuses(publication, exchange, 0, rows={"a": ROWS["a"]})


def test_plaintext_is_for_this_machine_only() -> None:
    publication = publish(KITE, Walk("abd"), source=Seeded(1))
    exchange = agree(publication, roster_of("klm", host="192.0.2.1"))
    with pytest.raises(BadFile, match="must be on this machine"):
        take_part(exchange, 0, None, credentials=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("size", "links", "parties", "direction"),
    [
        (7, 0, 3, ByName(True)),
        (3, 4, 3, ByName(True)),
        (9, 1, 3, ByName(True)),
        (8, 0, 8, ByRoot((True, False) * 4)),
        (4, 0, 21, Untold()),
    ],
    ids=["inputs", "links", "matrix", "readings", "coins"],
)
def test_the_longest_message_of_all_is_what_is_allowed(
    size: int, links: int, parties: int, direction: Direction
) -> None:
    agreement, inputs = dealt(size, [0, 1, 2], direction, parties=parties)
    if links:
        spare = tuple((0, 1, k == 0) for k in range(links))
        links_of = [spare, ((1, 2, True),), ((0, 1, False),)]
        agreement = Agreement(size, ((),) * 3, (links, 1, 1), direction)
        inputs = [Statuses(np.zeros((0, size), bool), mine) for mine in links_of]
    run = run_in_memory(agreement, inputs)
    assert not run.faults
    sent = [n for t in run.transcripts for told, _ in t.shapes for _, n in told]
    assert max(sent) == largest_message(agreement)


def test_what_peers_send_is_never_unpickled() -> None:
    """MPyC's runtime would; only its sharing is used, and nothing here imports the runtime."""
    import subprocess
    import sys

    code = (
        "import sys, pathveil.exchange.session, pathveil.exchange.field as f;"
        "f.split(f.numbers([1]), 3);"
        "print([m for m in ('mpyc.runtime', 'mpyc.asyncoro') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# -- the commands ---------------------------------------------------------------------------------


def test_init_makes_a_key_and_a_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = ["party", "init", "ann", "--at", "127.0.0.1:4001", "-o", str(tmp_path)]
    assert run([*made, "--holds", "a", "--holds", "b", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    card = Card.from_json(Path(told["card"]).read_text(), where="card")
    assert (card.name, card.port, card.vertices, card.links) == ("ann", 4001, ("a", "b"), 0)
    assert card.fingerprint == told["fingerprint"]
    assert Path(told["key"]).stat().st_mode & 0o777 == 0o600
    assert "PRIVATE KEY" not in Path(told["card"]).read_text()
    assert run([*made, "--holds", "a"]) == 2
    assert "exists" in capsys.readouterr().err
    assert run(["party", "init", "bob", "--at", "nowhere", "--holds", "a"]) == 2
    assert run(["party", "init", "bob", "--at", "h:1", "-o", str(tmp_path)]) == 2


def test_run_refuses_the_wrong_key_and_unknown_names(
    cast: Cast, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cast.folder / "k")
    arguments = cast.part("k")["arguments"]
    other = str(cast.folder / "l" / "me.key.pem")
    assert run([*arguments, "--key", other]) == 2
    assert "not the key that belongs to the card of 'k'" in capsys.readouterr().err
    assert run([*arguments, "--me", "z"]) == 2
    assert "there is no card of 'z'" in capsys.readouterr().err
    assert run([*arguments, "--plaintext-on-loopback"]) == 2


def test_a_rehearsal_of_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That of vertices is on the page of the participants."""
    network, file = tmp_path / "kite.csv", tmp_path / "route.veil.json"
    network.write_text("".join(f"{v},{w}\n" for v, w in KITE.links))
    publish(KITE, Walk("abdc"), source=Seeded(2)).save(file)
    assert run(["rehearse", str(file), str(network), "--time-limit", LONG, "--as-links"]) == 0
    shown = capsys.readouterr().out
    assert "the same walk" in shown
    assert "2 together could read everything" in " ".join(shown.split())


def test_a_rehearsal_of_a_sketchs_links_is_refused_before_anybody_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    network, file = tmp_path / "kite.csv", tmp_path / "route.veil"
    network.write_text("".join(f"{v},{w}\n" for v, w in KITE.links))
    publish(KITE, Walk("abdc"), form="sketch", capacity=30, source=Seeded(2)).save(file)
    monkeypatch.setattr(rehearsal, "_prepare", pytest.fail)
    assert run(["rehearse", str(file), str(network), "--as-links"]) == 2
    said = capsys.readouterr().err
    assert "a sketch lists no vertices" in said
    assert "leave --as-links out" in said
    grouping = Grouping.of([[v] for v in KITE])
    over = publish(KITE, Walk("ab"), grouping=grouping, form="sketch", capacity=30)
    rehearsal._require_vertices(over)  # a grouping lists them


def test_that_the_papers_direction_can_be_wrong_is_said(
    stage: Stage, keys: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    publication = publish(KITE, Walk("abdcegf"), layering="backtracking", source=Seeded(5))
    assert reconstruct(publication, KITE).order == "known"
    cast = Cast(tmp_path, keys, publication, KITE)
    parts = cast.parts()
    for part in parts:
        part["arguments"].remove("--json")
    for ending in stage.play(parts):
        said = " ".join(ending.out.split())
        assert "order told by the paper's rule: the end nearer to a root; it can be wrong" in said


def test_a_rehearsal_for_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network, file = tmp_path / "kite.csv", tmp_path / "route.veil.json"
    network.write_text("".join(f"{v},{w}\n" for v, w in KITE.links))
    publish(KITE, Walk("abdc"), source=Seeded(2)).save(file)
    assert run(["rehearse", str(file), str(network), "--time-limit", LONG, "--json"]) == 0
    found = parsed("rehearse", capsys.readouterr().out)
    assert found["as_reconstruct"] is True
    assert len(found["parties"]) == 3


def test_a_rehearsal_that_failed_promises_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network, file = tmp_path / "kite.csv", tmp_path / "route.veil.json"
    network.write_text("".join(f"{v},{w}\n" for v, w in KITE.links))
    noisy = Policy.two_sided(epsilon=3)
    publish(KITE, Walk("abdc"), policy=noisy, source=Seeded(2)).save(file)
    assert run(["rehearse", str(file), str(network), "--time-limit", LONG]) == 2
    said = capsys.readouterr()
    shown = " ".join(said.out.split())
    assert shown.count("failed") == 3
    assert "check passed" not in shown
    assert "together" not in shown
    assert "the rehearsal failed: party 'party-1': in a noisy publication" in said.err


def test_a_rehearsal_of_two_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network, file = tmp_path / "kite.csv", tmp_path / "route.veil.json"
    network.write_text("".join(f"{v},{w}\n" for v, w in KITE.links))
    publish(KITE, Walk("abdc"), source=Seeded(2)).save(file)
    assert run(["rehearse", str(file), str(network), "--parties", "2"]) == 2
    assert "no honest majority" in capsys.readouterr().err


def test_who_watches_is_told_of_every_round_from_none_on() -> None:
    publication = publish(KITE, Walk("abde"), source=Seeded(1))
    agreement = agree(publication, roster_of("klm")).agreement
    told: list[tuple[str, int, int]] = []

    class Silent:
        on_round: Any = None

    wire = Silent()
    secure._report(wire, agreement, lambda *said: told.append(said))  # type: ignore[arg-type]
    wire.on_round(1)
    assert told == [("connected", 0, agreement.steps), ("computing", 1, agreement.steps)]
