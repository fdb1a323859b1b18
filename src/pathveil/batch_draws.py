"""What a batch draws: walk after walk, each after all those before it, every draw recorded.

Chaff remembers what was shown (``Policy.remembering``), so the order is that of the lines, and a
draw is a line of the journal before anything else happens to it. What was recorded before is not
drawn again. When all is drawn, an outsider's view of it, together with all that was out before, can
be examined at the gate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pathveil.batch_journal import BatchJournal, DrawnLine
from pathveil.batch_lines import Failure, line_failure
from pathveil.chance.history import History
from pathveil.chance.source import Seeded
from pathveil.errors import PathveilError
from pathveil.gate import examine
from pathveil.gate_report import Effort, GateReport, Limits
from pathveil.gatekeeper import require_suits
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.engines import engine_named
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.publishing import publish_under
from pathveil.recovery.assembly import reconstruct
from pathveil.terms import ReleaseTerms


@dataclass(frozen=True)
class BatchTerms:
    """What all walks of a batch have in common."""

    network: Network
    release: ReleaseTerms
    seed: int | str | None

    def facts(self, history: History) -> str:
        """Return what the journal of this batch goes by; it names vertices."""
        terms = self.release
        facts = (
            self.network.vertices,
            self.network.pairs.tolist(),
            repr(terms.policy),
            terms.text,
            self.seed,
            history.last,
        )
        return repr(facts)

    def template(self) -> Publication | None:
        """Return a publication with everything but bits; None where copies or layers are drawn."""
        terms = self.release
        if terms.policy.copies is None or engine_named(terms.layering).carried:
            return None
        names = self.network.vertices if terms.grouping is None else terms.grouping.names
        positions = Positions.uniform(names, terms.policy.copies)
        bits = PackedBits(positions, PairBits.from_pairs(len(positions), []))
        return Publication(
            bits=terms.over(bits),
            policy=terms.policy.terms(),
            layering=terms.layering,
            universe=None if terms.universe is None else terms.universe.as_published,
            unsafe=self.seed is not None or terms.unsafe,
        )


class BatchDraws:
    """The draws of a batch, in the order of its lines.

    Parameters
    ----------
    parsed
        The walk on each line, or why there is none.
    history
        What was out before.

    Attributes
    ----------
    lines
        What became of the lines so far.
    """

    def __init__(
        self, terms: BatchTerms, parsed: Mapping[int, Walk | Failure], history: History
    ) -> None:
        self.lines: list[DrawnLine] = []
        self._terms, self._parsed, self._history = terms, parsed, history
        self._out = [publication for before in history.releases for publication in before]
        # The custodian has the network, so he reads the walks of earlier releases again.
        grouping = terms.release.grouping
        self._earlier = [
            reconstruct(publication, terms.network, grouping=grouping).walk
            for publication in self._out
        ]

    def require_suited(self, *, independent: bool) -> None:
        """Raise if these walks, after the earlier ones, must not be published with this policy."""
        good = [walk for walk in self._parsed.values() if isinstance(walk, Walk)]
        policy = self._terms.release.policy
        require_suits(policy, [*self._earlier, *good], independent=independent)

    def draw(self, record: BatchJournal, chunk: int) -> Iterator[DrawnLine]:
        """Yield what is drawn for each line: recalled from the journal, or drawn and recorded.

        Draws are recorded so many at a time, for the disk takes longer than the coins. Nobody has
        seen one before it is recorded: if we are stopped in between, other coins are as good.
        """
        terms, history = self._terms, self._history
        waiting: list[DrawnLine] = []
        for line, walk in self._parsed.items():
            if line in record.rows:
                one = _certified(record.recall(line), terms)
            else:
                one = _drawn(line, walk, terms, history)
            waiting.append(one)
            if one.publication is not None and terms.release.remembers:
                history = history.then((one.publication,))
            if len(waiting) == chunk:
                yield from self._kept(waiting, record)
                waiting = []
        yield from self._kept(waiting, record)

    def _kept(self, drawn: list[DrawnLine], record: BatchJournal) -> Iterator[DrawnLine]:
        record.append(one for one in drawn if one.line not in record.rows)
        for one in drawn:
            self.lines.append(one)
            yield one

    @property
    def released(self) -> list[int]:
        """The lines of which there is a release."""
        return [one.line for one in self.lines if one.publication is not None]

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The lines of which there is none, and why."""
        return tuple(Failure(one.line, one.error) for one in self.lines if one.publication is None)

    def examine(self, *, limits: Limits | None, effort: Effort | None) -> GateReport | None:
        """Return what outsiders would read of all that is out and drawn; None of nothing."""
        made = [one.publication for one in self.lines if one.publication is not None]
        walks = [walk for line in self.released if isinstance(walk := self._parsed[line], Walk)]
        if not self._out and not made:
            return None
        universe = self._terms.release.universe
        return examine(
            self._terms.network,
            [*self._earlier, *walks],
            [*self._out, *made],
            self._terms.release.policy,
            grouping=self._terms.release.grouping,
            universes=[] if universe is None else [universe],
            limits=limits,
            effort=effort,
        )


def _drawn(line: int, walk: Walk | Failure, terms: BatchTerms, history: History) -> DrawnLine:
    if isinstance(walk, Failure):
        return DrawnLine(line, None, walk.message)
    source = None if terms.seed is None else Seeded(f"batch {terms.seed} line {line}")
    try:
        (publication,) = publish_under(
            terms.release, terms.network, [walk], after=history, source=source
        )
    except PathveilError as error:
        return DrawnLine(line, None, line_failure(line, error).message)
    return DrawnLine(line, publication)


def _certified(drawn: DrawnLine, terms: BatchTerms) -> DrawnLine:
    """Return what was recalled, with the certificate it had: a function of its place."""
    found = drawn.publication
    if found is None or found.certificate.rows:
        return drawn
    place = 1 if found.series is None else found.series.place
    return replace(drawn, publication=replace(found, certificate=terms.release.certificate(place)))
