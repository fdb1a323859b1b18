"""compare(): five prior systems, the paper and ours under Figure 1's attack; table and picture.

A trial is a function of its number and of what the title of the journal names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from pathveil.batching.worker_pool import Crew
from pathveil.files.atomic_write import write_aside
from pathveil.lab.baselines.baseline_release import require_places
from pathveil.lab.comparison.comparison_tables import comparison_table, strongest, write_csv
from pathveil.lab.comparison.games import LESSONS, Contestant, MapMaker, Settings, run_trials
from pathveil.lab.comparison.ours import own_systems
from pathveil.lab.comparison.picture import draw_glance
from pathveil.lab.comparison.report import comparison_section, controls_said, opinions, reading
from pathveil.lab.comparison.systems import SYSTEMS, prior_systems
from pathveil.lab.maps import are_degrees, in_metres, local_route, random_map
from pathveil.lab.recorded_work import Job, run_recorded
from pathveil.model.network import Network

CHUNK = 20
"""Trials played and recorded together."""
FILES = ("comparison.csv", "comparison.svg", "comparison.md")
"""What :func:`write_comparison` writes, the page last."""


@dataclass(frozen=True)
class Board:
    """What a comparison is played on: maps of one kind.

    Parameters
    ----------
    name
        What to call it, with its numbers.
    length_unit
        In what distances are measured.
    reach
        Public bound on the length of a link, in that unit: the step bound of SDD, and known to
        every adversary. None: any two vertices of a trial may be linked.
    network
        The real network the maps are parts of, if any.
    lessons
        Other maps of the kind from which adversaries learn what the length of a link tells.
    """

    name: str
    make_map: MapMaker
    length_unit: str = "sides of the map"
    reach: float | None = None
    network: Network | None = None
    lessons: int = LESSONS

    @classmethod
    def random(cls, vertices: int = 10, links: int = 15, *, lessons: int = LESSONS) -> Board:
        """Return random maps of the paper's kind."""
        name = f"random maps, {vertices} vertices, {links} links"
        return cls(name, partial(random_map, vertices, links), lessons=lessons)

    @classmethod
    def real(
        cls,
        network: Network,
        name: str,
        *,
        visits: int = 10,
        reach: float | None = None,
        lessons: int = LESSONS,
    ) -> Board:
        """Return random paths on a real network, each with the sub-network between its vertices.

        Coordinates that could be degrees of longitude and latitude are projected to metres.
        """
        require_places(network)
        unit = "map units"
        if are_degrees(network):
            network, unit = in_metres(network), "m"
        make_map = partial(local_route, network, visits)
        return cls(f"{name}, paths of {visits}", make_map, unit, reach, network, lessons)

    def digest(self, contestants: Sequence[Contestant], trials: int) -> str:
        """Return a digest of all that decides the rows of a comparison, save for the code."""
        parts = [f"{trials} {CHUNK} {self.name}, reach {self.reach}, lessons {self.lessons}"]
        parts += [f"{c.name}|{c.unit}|{c.parameters}|{c.budget!r}" for c in contestants]
        if self.network is not None:
            places = sorted((self.network.coordinates or {}).items())
            parts += [repr(self.network.links), repr(places)]
        return sha256("\n".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Comparison:
    """A finished comparison: the records of all attacks, and what they say of the paper's claim."""

    records: tuple[dict[str, Any], ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the table allows one to say, each sentence by a rule."""
        if not self.records:
            return ()
        return (controls_said(self.records), *opinions(self.records), reading(self.records))

    @property
    def best(self) -> list[dict[str, Any]]:
        """For each map, system and budget the attack with the largest gain over the control."""
        return strongest(self.records)


def compare(
    board: Board,
    *,
    budgets: Sequence[float] = (0.5, 1, 5, 20),
    trials: int = 1000,
    systems: Sequence[str] = tuple(SYSTEMS),
    journal: Path | None = None,
    crew: Crew | None = None,
) -> Comparison:
    """Return the comparison of the prior systems, the paper and ours.

    Parameters
    ----------
    budgets
        Each counts once, however often and in whatever form it is given.
    systems
        Prior systems by name.
    journal
        Where finished trials are recorded; a comparison that was stopped goes on from it.

    *Cost*: about a third of a second of one core a trial for all systems at four budgets.
    """
    budgets = sorted({float(budget) for budget in budgets})
    contestants: list[Contestant] = [*prior_systems(budgets, systems), *own_systems(budgets)]
    settings = Settings(make_map=board.make_map, reach=board.reach).studied(board.lessons)
    chunks = [range(start, min(start + CHUNK, trials)) for start in range(0, trials, CHUNK)]
    job = Job(f"comparison,{board.digest(contestants, trials)}", chunks, journal)
    (parts,) = run_recorded(partial(run_trials, contestants, settings=settings), [job], crew)
    rows = [row for part in parts for row in part]
    return Comparison(tuple(comparison_table(rows, map_=board.name, length_unit=board.length_unit)))


def write_comparison(comparison: Comparison, folder: Path, *, replacing: bool = True) -> list[Path]:
    """Write table, picture and page into a folder and return their paths.

    Where they must not replace other files, those of stopped work stay as they are.
    """
    write = partial(write_aside, replacing=replacing, resuming=True)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in FILES]
    write(paths[0], write_csv(comparison.records))
    draw_glance(comparison.records, paths[1], replacing=replacing)
    write(paths[2], comparison_section(comparison.records))
    return paths
