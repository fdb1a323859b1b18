"""compare(): five prior systems, the paper and ours under Figure 1's attack; table and picture.

Finished chunks of trials are recorded, so that a comparison that was stopped goes on. A trial is a
function of its number and of what the title of the journal names, so a chunk that was lost is
played again and comes out the same.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, Self

from pathveil.batching.worker_pool import run_all
from pathveil.files.atomic_write import write_aside
from pathveil.files.journal import Journal
from pathveil.lab.baselines.baseline_release import require_places
from pathveil.lab.comparison.comparison_tables import comparison_table, strongest, write_csv
from pathveil.lab.comparison.games import LESSONS, Contestant, Row, Settings, run_trials
from pathveil.lab.comparison.ours import own_systems
from pathveil.lab.comparison.picture import draw_appendix
from pathveil.lab.comparison.report import comparison_section, controls_said, judge, reading
from pathveil.lab.comparison.systems import SYSTEMS, prior_systems
from pathveil.lab.maps import are_degrees, in_metres, local_route, random_map
from pathveil.model.network import Network

Coordinates = Literal["auto", "degrees", "plane"]
CHUNK = 20
"""Trials played and recorded together."""


def fingerprint(
    contestants: Sequence[Contestant],
    *,
    seed: int,
    trials: int,
    board: str,
    network: Network | None = None,
) -> str:
    """Return a digest of all that decides the rows of a comparison, save for the code itself.

    Parameters
    ----------
    board
        What is played on, in words, with all its numbers.
    """
    parts = [str(seed), str(trials), str(CHUNK), board]
    parts += [f"{c.name}|{c.unit}|{c.parameters}|{c.budget!r}" for c in contestants]
    if network is not None:
        parts += [repr(network.links), repr(sorted((network.coordinates or {}).items()))]
    return sha256("\n".join(parts).encode()).hexdigest()[:32]


class TrialRecord:
    """The journal of a comparison, opened to go on with it. A chunk recorded twice counts once.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "comparison.journal"
    ...     with TrialRecord(path, "digest", 50) as record:
    ...         record.append(range(20), [{"trial": 0, "system": "x"}])
    ...     with TrialRecord(path, "digest", 50) as record:
    ...         print(record.missing, record.rows)
    [range(20, 40), range(40, 50)] [{'trial': 0, 'system': 'x'}]
    """

    def __init__(self, path: str | Path, digest: str, trials: int) -> None:
        self.rows: list[Row] = []
        self.done = 0
        self._chunks = [
            range(start, min(start + CHUNK, trials)) for start in range(0, trials, CHUNK)
        ]
        self._seen: set[int] = set()
        self._journal = Journal(
            path,
            f"pathveil comparison,{digest}",
            mismatch="is the record of another comparison (other systems, budgets, trials, map or "
            "seed); give another folder, or remove it to start again",
        )

    def __enter__(self) -> Self:
        for payload in self._journal.__enter__().found:
            start, _, packed = payload.partition(b",")
            rows = json.loads(zlib.decompress(b64decode(packed)))
            self._count(int(start), rows)
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    @property
    def missing(self) -> list[range]:
        """The chunks still to be played."""
        return [chunk for chunk in self._chunks if chunk.start not in self._seen]

    def append(self, chunk: range, rows: list[Row]) -> None:
        """Record a finished chunk; on return it outlives this process."""
        if self._count(chunk.start, rows):
            packed = b64encode(zlib.compress(json.dumps(rows).encode()))
            self._journal.append([f"{chunk.start},".encode() + packed])

    def _count(self, start: int, rows: list[Row]) -> bool:
        chunk = next((c for c in self._chunks if c.start == start), None)
        if chunk is None or start in self._seen:
            return False
        self._seen.add(start)
        self.done += len(chunk)
        self.rows.extend(rows)
        return True


@dataclass(frozen=True)
class Comparison:
    """A finished comparison: the records of all attacks, and what they say of the paper's claim."""

    records: tuple[dict[str, Any], ...]

    @property
    def trials(self) -> int:
        """How many games each cell has."""
        return max((int(r["trials"]) for r in self.records), default=0)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the table allows one to say, each sentence by a rule."""
        if not self.records:
            return ()
        return (controls_said(self.records), *judge(self.records), reading(self.records))

    @property
    def verdict(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)

    @property
    def best(self) -> list[dict[str, Any]]:
        """For each map, system and budget the attack with the largest gain over the control."""
        return strongest(self.records)


def compare(
    *,
    vertices: int = 10,
    edges: int = 15,
    budgets: Sequence[float] = (0.5, 1, 5, 20),
    trials: int = 1000,
    systems: Sequence[str] = tuple(SYSTEMS),
    network: Network | None = None,
    name: str | None = None,
    visits: int = 10,
    coordinates: Coordinates = "plane",
    reach: float | None = None,
    seed: int = 0,
    lessons: int = LESSONS,
    journal: Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Comparison, list[Row]]:
    """Return the comparison and its raw rows.

    Parameters
    ----------
    vertices, edges
        Size of the random maps, if no network is given.
    budgets
        Each counts once, however often and in whatever form it is given.
    network, name, visits
        A real network with coordinates, what to call it, and the length of the random paths on
        it; each trial is played on the sub-network between the vertices of its path.
    coordinates
        What those are: "plane", "degrees" of longitude and latitude, which are projected to metres,
        or "auto": degrees if they could be.
    reach
        Public bound on the length of a link, in metres or the map's units: the step bound of SDD
        and known to every adversary. None: any two vertices of a trial may be linked.
    lessons
        Other maps of the kind from which adversaries learn what the length of a link tells.
    journal
        Where finished trials are recorded; a comparison that was stopped goes on from it.

    *Cost*: about half a second of one core a trial for the usual systems at four budgets.
    """
    budgets = sorted({float(budget) for budget in budgets})
    make_map: Any = partial(random_map, vertices, edges)
    board, unit = f"random maps, {vertices} vertices, {edges} links", "sides of the map"
    if network is not None:
        network, unit = _flat(network, coordinates)
        make_map = partial(local_route, network, visits)
        board = f"{name or 'network'}, paths of {visits}"
    contestants: list[Contestant] = [
        *prior_systems(budgets, systems),
        *own_systems(budgets),
    ]
    settings = Settings(seed=seed, make_map=make_map, reach=reach).studied(lessons)
    digest = fingerprint(
        contestants,
        seed=seed,
        trials=trials,
        board=f"{board}, reach {reach}, lessons {lessons}",
        network=network,
    )
    with ExitStack() as stack:
        record = journal and stack.enter_context(TrialRecord(journal, digest, trials))
        rows = _played(
            partial(_play, contestants, settings),
            trials,
            record or None,
            progress=progress or (lambda _done, _total: None),
            run=partial(run_all, workers=workers, scheduler=scheduler),
        )
    rows = _in_order(rows, contestants)
    return Comparison(tuple(comparison_table(rows, map_=board, length_unit=unit))), rows


def _in_order(rows: Sequence[Row], contestants: Sequence[Contestant]) -> list[Row]:
    """Return rows by trial, then as the contestants were listed, whoever finished first."""
    order = {c.name: place for place, c in enumerate(contestants)}
    return sorted(
        rows, key=lambda row: (int(row["trial"]), order[str(row["system"])], float(row["budget"]))
    )


def _flat(network: Network, coordinates: Coordinates) -> tuple[Network, str]:
    """Return the network in the plane, and in what its lengths are measured."""
    require_places(network)
    if coordinates == "degrees" or (coordinates == "auto" and are_degrees(network)):
        return in_metres(network), "m"
    return network, "map units"


def _played(
    work: Callable[[range], tuple[range, list[Row]]],
    trials: int,
    record: TrialRecord | None,
    *,
    progress: Callable[[int, int], None],
    run: Callable[..., Any],
) -> list[Row]:
    """Return all rows: those of the record, and those of the chunks played now."""
    chunks = [range(start, min(start + CHUNK, trials)) for start in range(0, trials, CHUNK)]
    rows = [] if record is None else list(record.rows)
    done = 0 if record is None else record.done
    progress(done, trials)
    for chunk, made in run(work, chunks if record is None else record.missing):
        if record is not None:
            record.append(chunk, made)
        rows.extend(made)
        done += len(chunk)
        progress(done, trials)
    return rows


def _play(
    contestants: Sequence[Contestant], settings: Settings, chunk: range
) -> tuple[range, list[Row]]:
    return chunk, run_trials(contestants, chunk, settings)


def write_comparison(comparison: Comparison, folder: Path) -> list[Path]:
    """Write table, picture and report into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    table, picture, report = (folder / f"comparison.{kind}" for kind in ("csv", "svg", "md"))
    write_aside(table, write_csv(comparison.records))
    draw_appendix(comparison.records, picture)
    text = f"# Under the attack of Figure 1\n\n![{picture.stem}]({picture.name})\n\n"
    write_aside(report, text + comparison_section(comparison.records) + "\n")
    return [table, picture, report]
