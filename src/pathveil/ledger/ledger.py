"""Ledger: what has been released, what it has cost, and the one way to release more.

The order of things, which is what makes a kill at any instant harmless:

1. *Look*: was this walk released before under these terms? Then that release is handed out again.
2. *Draw* it, and
3. *record* it, in one transaction that nobody writes beside: its bytes (sealed), its place in its
   series, what it costs each link, where it is to go. Over the budget: nothing is recorded.
4. *Mark* beside the key and in the folder that the ledger has come so far.
5. *Hand out*: the file is written aside and renamed, so it is there whole or not at all.
6. *Note* that it is there.

Killed before 3 ends, nothing happened. Killed after, the release is recorded and paid for; the same
command then hands out the recorded bytes and charges nothing, even with ``fresh``.

What a ledger stands on: a database, a key, and the row and first entry that bind the two.

A ledger is begun once and opened ever after. Begun, it has a key nobody had before, the tables, the
row that says which key is its own, and the first entry of the chain; if any of that fails there is
no key either. Opened, its tables are of this version and its key is the one it was begun with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

from sqlalchemy import Connection, func, insert, select, update

from pathveil.errors import BadKey, LedgerError
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.chain import Chain, Mark
from pathveil.ledger.entries import (
    ChargedRelease,
    Compose,
    DrawnRelease,
    LedgerFinding,
    Recorded,
    Request,
    Standing,
    Wrap,
    bare,
)
from pathveil.ledger.keys import Keyring, create_key, load_key
from pathveil.ledger.ledger_check import check_ledger
from pathveil.ledger.network_lineage import find_life, last_change
from pathveil.ledger.public_life import public_life
from pathveil.ledger.record import Known, Recording, find_known
from pathveil.ledger.store import Store, create_tables, require_current
from pathveil.ledger.views import Past, charged_releases, release_rows, standing, stored_data
from pathveil.model.network import Network
from pathveil.planning.cover import cover
from pathveil.planning.gate import more_walks


@dataclass(frozen=True)
class Foundation:
    """A database, its key, the file the key is in, and the ledger's name for itself."""

    store: Store
    ring: Keyring
    key: Path
    uid: str


def lay_foundation(
    target: str | Path, *, key: str | Path | None, budget: Fraction | None, now: datetime
) -> Foundation:
    """Return what a new, empty ledger stands on, with a new key."""
    store = Store(target)
    place = _key_place(store, key)
    require_budget(budget)
    ring = create_key(place)
    try:
        store.create_file()
        create_tables(store)
        with store.writing() as connection:
            _require_empty(store, connection)
            _begin_chain(connection, ring, budget, now)
    except BaseException:
        store.close()
        place.unlink()
        raise
    return _founded(store, ring, place)


def find_foundation(target: str | Path, *, key: str | Path | None) -> Foundation:
    """Return what a ledger stands on that was begun before."""
    store = Store(target)
    place = _key_place(store, key)
    return _founded(store, load_key(place), place)


def require_budget(budget: Fraction | None) -> None:
    """Raise unless a budget is a number within bounds."""
    if budget is not None:
        t.exact_limit(budget, "the budget")


def _begin_chain(
    connection: Connection, ring: Keyring, budget: Fraction | None, now: datetime
) -> None:
    """Enter that the ledger is begun, under a name and with the check of its key."""
    uid = token_hex(8)
    row = {"id": 1, "uid": uid, "key_check": ring.text(f"check {uid}"), "counter": 0}
    row |= {"budget": None, "head": "", "latest": ""}
    connection.execute(insert(t.ledgers).values(row))
    chain = Chain(connection, ring, now)
    chain.budget = None if budget is None else str(budget)
    chain.enter("begun", {"uid": uid, "budget": chain.budget})
    chain.close()


def _founded(store: Store, ring: Keyring, key: Path) -> Foundation:
    """Return the parts together; the database is closed if they do not fit."""
    try:
        require_current(store)
        return Foundation(store, ring, key, _require_own(store, ring, key))
    except BaseException:
        store.close()
        raise


def _require_own(store: Store, ring: Keyring, key: Path) -> str:
    """Return the ledger's name for itself, or raise if the key is not its own."""
    with store.reading() as connection:
        found = connection.execute(select(t.ledgers)).one_or_none()
    if found is None:
        raise LedgerError(f"{store.name}: was never begun; run 'pathveil ledger init'")
    if found.key_check != ring.text(f"check {found.uid}"):
        raise BadKey(f"{key}: is the key of another ledger than {store.name}; give its own")
    return str(found.uid)


def _require_empty(store: Store, connection: Connection) -> None:
    if connection.execute(select(func.count()).select_from(t.ledgers)).scalar_one():
        raise LedgerError(f"{store.name}: holds a ledger already; use that one, with its key")


def _key_place(store: Store, key: str | Path | None) -> Path:
    if key is not None:
        return Path(key)
    if store.file is None:
        raise BadKey(f"{store.name}: give the file of its key with --key; it is not kept there")
    return store.file.with_name(f"{store.file.name}.key")


Clock = Callable[[], datetime]
Draw = Callable[[Sequence[Request], Past], Sequence[DrawnRelease]]
Gate = Callable[[Sequence[Request], Past], None]
Write = Callable[[Recorded], None]


def _now() -> datetime:
    return datetime.now(UTC)


class Ledger:
    """An opened ledger. Make one with :meth:`begin`, open it with :meth:`open`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Ledger.begin(f"{folder}/ledger.db") as ledger:
    ...     ledger.counter, ledger.standings()
    (1, ())
    """

    def __init__(self, foundation: Foundation, *, clock: Clock = _now) -> None:
        self._store, self._ring = foundation.store, foundation.ring
        self._key, self.uid = foundation.key, foundation.uid
        self._clock = clock

    @classmethod
    def begin(
        cls,
        target: str | Path,
        *,
        key: str | Path | None = None,
        budget: Fraction | None = None,
        clock: Clock = _now,
    ) -> Self:
        """Return a new, empty ledger with a new key.

        Parameters
        ----------
        target
            The path of an SQLite file that does not exist yet, or ``postgresql://...``.
        key
            The file the key is written to; beside an SQLite file by default.
        budget
            The largest loss any link of a network may run up; no limit if not given.
        """
        return cls(lay_foundation(target, key=key, budget=budget, now=clock()), clock=clock)

    @classmethod
    def open(
        cls, target: str | Path, *, key: str | Path | None = None, clock: Clock = _now
    ) -> Self:
        """Return a ledger that was begun before."""
        return cls(find_foundation(target, key=key), clock=clock)

    def close(self) -> None:
        """Let the database go."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ledger: {self._store.name}>"

    @property
    def name(self) -> str:
        """Where it is, without a password."""
        return self._store.name

    @property
    def key_file(self) -> Path:
        """Where its key is."""
        return self._key

    @property
    def counter(self) -> int:
        """How many entries there are."""
        with self._store.reading() as connection:
            return int(connection.execute(select(t.ledgers.c.counter)).scalar_one())

    # -- releasing ------------------------------------------------------------------------------

    def record(
        self,
        requests: Sequence[Request],
        draw: Draw,
        *,
        compose: Compose,
        price: Draw | None = None,
        gate: Gate | None = None,
        budget: Fraction | None = None,
        wrap: Wrap = bare,
        independent: bool = False,
        accept_clock: bool = False,
    ) -> tuple[Recorded, ...]:
        """Return walks as recorded releases: given back if known, else drawn and charged.

        All of them are recorded, or none. Nothing is handed out: see :meth:`hand_out`.

        Parameters
        ----------
        requests
            All over one network.
        draw
            Makes releases of the requests it is given, knowing the network's history. It is called
            again where another process released over this network meanwhile; what it drew first
            was seen by nobody.
        compose
            Gives the exact loss of a link from its counts.
        price
            Says what requests will cost, where that is known before a coin is thrown: what is over
            the budget is then never drawn.
        gate
            Is shown, before anything is priced or drawn, the requests that need a new release or
            would make one public, and raises if they must not go out.
        budget
            From now on the largest loss any link of this network may run up.
        wrap
            Puts a publication into what is written to the file: an envelope.
        independent
            Whether a release does not depend on earlier ones, so that history need not stand still.
        accept_clock
            Go on although the clock stands before the last entry; that is entered as well.

        Raises
        ------
        OverBudget
            With the numbers; nothing was recorded.
        """
        require_budget(budget)
        network = _one_network(requests)
        history = self.past(network)
        with self._store.reading() as connection:
            known = find_known(connection, self._ring, requests)
        self._ask(gate, requests, known, history)
        if price is not None:
            prices = _draw_missing(requests, known, price, history)
            self._require_affordable(requests, prices, compose=compose, budget=budget)
        drawn = _draw_missing(requests, known, draw, history)
        with self._store.writing() as connection:
            chain = Chain(connection, self._ring, self._clock())
            chain.require_sound(self._marks(requests), accept_clock=accept_clock)
            known = find_known(connection, self._ring, requests)
            life = find_life(connection, self._ring, network)
            moved = last_change(connection, life) != history.counter
            missing = {index for index, there in enumerate(known) if there is None}
            if gate is not None and (moved or not missing <= drawn.keys()):
                self._ask(gate, requests, known, self.past(network))
            if (moved and not independent) or not missing <= drawn.keys():
                # Whoever comes second draws again, now that nobody can come between.
                drawn = _draw_missing(requests, known, draw, self.past(network))
            recording = Recording(connection, self._ring, chain)
            if budget is not None:
                recording.set_budget(budget, network)
            recorded = recording.record(requests, known, drawn, compose=compose, wrap=wrap)
            chain.close()
        for mark in self._marks(requests):
            mark.advance(chain.counter, chain.head)
        return recorded

    def _ask(
        self, gate: Gate | None, requests: Sequence[Request], known: Sequence[Known], past: Past
    ) -> None:
        """Show the gate what would become public, or be drawn anew."""
        coming = [
            request
            for request, there in zip(requests, known, strict=True)
            if there is None
            or (isinstance(there, Recorded) and request.public and not past.is_public(there))
        ]
        if gate is not None and coming:
            gate(coming, past)

    def _require_affordable(
        self,
        requests: Sequence[Request],
        prices: Mapping[int, DrawnRelease],
        *,
        compose: Compose,
        budget: Fraction | None,
    ) -> None:
        """Raise if releases at these prices would be over the budget: record them, and undo it."""
        if not prices:
            return
        with self._store.trying() as connection:
            chain = Chain(connection, self._ring, self._clock())
            recording = Recording(connection, self._ring, chain)
            if budget is not None:
                recording.set_budget(budget, requests[0].network)
            known = find_known(connection, self._ring, requests)
            missing = {index for index, there in enumerate(known) if there is None}
            if missing <= prices.keys() and recording.has_budget(requests[0].network):
                recording.record(requests, known, prices, compose=compose, wrap=bare)

    def hand_out(self, recorded: Sequence[Recorded], write: Write) -> None:
        """Write recorded releases to their files, and note that they are there."""
        for release in recorded:
            assert release.output is not None, "a release without a file"
            write(release)
        numbers = [release.handout for release in recorded]
        with self._store.writing() as connection:
            done = update(t.handouts).where(t.handouts.c.id.in_(numbers))
            connection.execute(done.values(done=True))

    def _marks(self, requests: Sequence[Request] = ()) -> list[Mark]:
        folders = {request.output.absolute().parent for request in requests if request.output}
        places = [self._key.with_name(f"{self._key.name}.mark")]
        places += [folder / f".pathveil-{self.uid}.mark" for folder in sorted(folders)]
        return [Mark(place, self._ring, self.uid) for place in places]

    # -- looking --------------------------------------------------------------------------------

    def past(self, network: Network) -> Past:
        """Return what was released over a network so far."""
        return Past(self._store, self._ring, network)

    def standings(self) -> tuple[Standing, ...]:
        """Return how each network stands, in the order they came."""
        with self._store.reading() as connection:
            limit = connection.execute(select(t.ledgers.c.budget)).scalar_one()
            rows = release_rows(connection)
            lives = connection.execute(select(t.lineages).order_by(t.lineages.c.id)).all()
            found = [
                standing(connection, life, [row for row in rows if row.network == life.id], limit)
                for life in lives
            ]
            public = [public_life(connection, self._ring, life.id, self.read) for life in lives]
        return tuple(
            stand if not life.releases else replace(stand, cover=cover(life), more=more_walks(life))
            for stand, life in zip(found, public, strict=True)
        )

    def uses(self, network: Network) -> dict[tuple[str, str], int]:
        """Return how often each link of a network was used by all walks together. Secret."""
        with self._store.reading() as connection:
            life = find_life(connection, self._ring, network)
            query = select(t.links.c.link, t.links.c.uses).where(t.links.c.lineage == life)
            stored = {row.link: row.uses for row in connection.execute(query)}
        return {(u, v): stored.get(self._ring.link(u, v), 0) for u, v in network.links}

    def check(self, compose: Compose) -> list[LedgerFinding]:
        """Return what holds of the ledger itself, claim by claim: see ``checking``."""
        marks = self._marks()
        # A mark is read before the ledger: what it has seen was recorded by then.
        seen = [(mark.path, mark.read()) for mark in marks]
        with self._store.reading() as connection:
            chain = Chain(connection, self._ring, self._clock())
            return check_ledger(connection, self._ring, compose, chain, seen)

    def entries(self) -> Iterator[Mapping[str, Any]]:
        """Yield the chain, entry by entry, as plain data for a file or an auditor."""
        with self._store.reading() as connection:
            query = select(t.events).order_by(t.events.c.counter)
            for row in connection.execute(query):
                yield dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it

    def charged(self) -> list[ChargedRelease]:
        """Return what each release was charged for, oldest first."""
        with self._store.reading() as connection:
            return list(charged_releases(connection, self._ring))

    def read(self, counter: int) -> bytes:
        """Return the bytes of a release by its number."""
        with self._store.reading() as connection:
            return stored_data(connection, self._ring, counter)

    def find(self, digest: str) -> tuple[int, ...]:
        """Return the releases a file with this SHA-256 was handed out for."""
        with self._store.reading() as connection:
            query = select(t.handouts.c.release).where(t.handouts.c.digest == digest)
            plain = select(t.releases.c.counter).where(t.releases.c.digest == digest)
            found = {*connection.execute(query).scalars(), *connection.execute(plain).scalars()}
        return tuple(sorted(found))


def _draw_missing(
    requests: Sequence[Request], known: Sequence[Known], draw: Draw, history: Past
) -> dict[int, DrawnRelease]:
    """Return a drawn for each request that needs one, by its place in the list."""
    wanted = [index for index, there in enumerate(known) if there is None]
    if not wanted:
        return {}
    drawn = draw([requests[index] for index in wanted], history)
    return dict(zip(wanted, drawn, strict=True))


def _one_network(requests: Sequence[Request]) -> Network:
    if not requests:
        raise LedgerError("nothing to release; give at least one walk")
    network = requests[0].network
    if any(r.network is not network and r.network != network for r in requests):
        raise LedgerError("releases recorded together must be over one network")
    return network
