"""Publish from several processes at once, kill them at random instants, and see what is left.

Run as a program (``python -m tests.ledger.killing --kills 200 --folder F [--url U]``); the tests
run a short one. Nothing in the verdict depends on how fast the machine is: workers are killed at a
random moment after they said that they begin a release, as often as asked for, and then everything
that lies in the folder is compared with the ledger.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import sys
import time
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from pathveil import Network, Publication, Walk, reconstruct
from pathveil.errors import OverBudget
from pathveil.ledger import release_walks
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.ledger_check import check_ledger
from tests.ledger.releasing import release

BUDGET = Fraction(6)
LINKS = "ab bc cd de ef bd ce af"
WALKS = ("abcdef", "abdef", "bce", "fa", "bdcef", "edba", "cbaf", "decb", "fab", "dbaf")


def network_of(life: int) -> Network:
    """Return the same network with other names: each has a budget of its own to run through."""
    return Network.from_links((f"{e[0]}{life}", f"{e[1]}{life}") for e in LINKS.split())


def work(folder: Path, url: str, key: Path, begin: int, seed: str) -> None:
    """Release random walks for ever; say so on a pipe before each."""
    chance = random.Random(seed)
    # No gate opens for such tiny networks; it has its own tests.
    for name in ("require_one_way", "require_open"):
        setattr(release_walks, name, lambda *_: None)
    # Networks whose budget is spent are behind us; go on where the others are.
    life = max((int(file.name.partition("-")[0]) for file in folder.glob("*.veil.json")), default=0)
    with Ledger.open(url, key=key) as ledger:
        while True:
            walk = chance.choice(WALKS)
            name = f"{life}-{walk}-{os.getpid()}-{chance.randrange(10**9)}.veil.json"
            os.write(begin, b".")
            try:
                network = network_of(life)
                visits = [f"{v}{life}" for v in walk]
                release(ledger, network, visits, folder / name)
            except OverBudget:
                life += 1


class Workers:
    """Processes that release, each with a pipe that says when it begins one."""

    def __init__(
        self, folder: Path, url: str, key: Path, count: int, chance: random.Random
    ) -> None:
        self.folder, self.url, self.key, self.chance = folder, url, key, chance
        self.pipes = dict(self.start() for _ in range(count))

    def start(self) -> tuple[int, int]:
        """Return process and pipe of a new worker."""
        reading, writing = os.pipe()
        seed = str(self.chance.random())
        child = os.fork()
        if child == 0:  # pragma: no cover - killed from outside
            try:
                os.close(reading)
                work(self.folder, self.url, self.key, writing, seed)
            except BaseException as error:  # noqa: BLE001 - it must not return into the parent
                sys.stderr.write(f"worker: {type(error).__name__}: {error}\n")
            finally:
                os._exit(1)
        os.close(writing)
        return child, reading

    def kill_one(self) -> None:
        """Kill a worker at some random moment of a release, and start another."""
        victim = self.chance.choice(sorted(self.pipes))
        pipe = self.pipes.pop(victim)
        _drain(pipe)
        os.read(pipe, 1)  # waits for the next beginning
        began = time.monotonic()
        os.read(pipe, 1)
        # As long as a release just took, so that kills fall into recording and writing as well.
        time.sleep(self.chance.random() * (time.monotonic() - began))
        os.kill(victim, signal.SIGKILL)
        _, status = os.waitpid(victim, 0)
        os.close(pipe)
        if not os.WIFSIGNALED(status):
            raise AssertionError("a worker ended by itself; see its message")
        self.pipes |= dict([self.start()])

    def stop(self) -> None:
        """Kill all."""
        for child, pipe in self.pipes.items():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(pipe)


def _drain(pipe: int) -> None:
    while select.select([pipe], [], [], 0)[0]:
        if not os.read(pipe, 4096):
            return


def judge(folder: Path, url: str, key: Path) -> dict[str, object]:
    """Return what is wrong, and how much was looked at."""
    wrong: list[str] = []
    files = sorted(folder.glob("*.veil.json"))
    with Ledger.open(url, key=key) as ledger:
        wrong += [f"{f.claim}: {f.detail}" for f in check_ledger(ledger) if not f.holds]
        for file in files:
            if not ledger.find(sha256(file.read_bytes()).hexdigest()):
                wrong.append(f"{file.name}: unrecorded")
            life, walk = file.name.split("-")[:2]
            found = reconstruct(Publication.load(file), network_of(int(life)))
            if found.walk != Walk([f"{v}{life}" for v in walk]):
                wrong.append(f"{file.name}: corrupt")
        releases = 0
        pending = 0
        for past in ledger.pasts():
            releases += len(past.rows)
            pending += sum(not row.handed_out for row in past.rows)
            if Fraction(past.rows[-1].spent.decimal) > BUDGET:
                wrong.append(f"network {past.lineage}: overspent {past.rows[-1].spent}")
            places = Counter((row.series, row.place) for row in past.rows)
            if max(places.values()) > 1:
                wrong.append(f"network {past.lineage}: forked")
    return {"wrong": wrong, "files": len(files), "releases": releases, "pending": pending}


def main(arguments: list[str]) -> int:
    """Kill, judge, print; exit code 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--url")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    url = options.url or str(options.folder / "ledger.db")
    key = options.folder / "ledger.key"
    out = options.folder / "out"
    out.mkdir(parents=True)
    Ledger.begin(url, key=key, budget=BUDGET).close()
    workers = Workers(out, url, key, options.workers, random.Random(options.seed))
    try:
        for _ in range(options.kills):
            workers.kill_one()
    finally:
        workers.stop()
    verdict = judge(out, url, key) | {"kills": options.kills}
    print(json.dumps(verdict))  # noqa: T201
    return 1 if verdict["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
