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
command then hands out the recorded bytes and charges nothing.

What a ledger stands on: a database, a key, and the row and first entry that bind the two.

A ledger is begun once and opened ever after. Begun, it has a key nobody had before, the tables, the
row that says which key is its own, and the first entry of the chain; if any of that fails there is
no key either. Opened, its tables are of this version and its key is the one it was begun with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

from sqlalchemy import Connection, func, insert, select, update

from pathveil.errors import BadKey, LedgerBroken, LedgerError, LedgerUnreachable
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.chain import Chain, Mark, require_chained, require_entered
from pathveil.ledger.entries import Delivery, DrawnRelease, Recorded, Request, Standing
from pathveil.ledger.keys import Keyring, create_key, load_key
from pathveil.ledger.past import Drawing, Past, find_lineage, newest_release
from pathveil.ledger.record import Known, Recording, find_known, losses_after
from pathveil.ledger.store import Store
from pathveil.model.network import Network
from pathveil.planning.cover import cover
from pathveil.planning.gate import more_walks

Write = Callable[[Recorded], None]


class Ledger:
    """An opened ledger. Make one with :meth:`begin`, open it with :meth:`open`.

    Attributes
    ----------
    uid
        Its name for itself.
    key_file
        Where its key is.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Ledger.begin(f"{folder}/ledger.db") as ledger:
    ...     ledger.counter, ledger.standings()
    (1, ())
    """

    def __init__(self, store: Store, ring: Keyring, key_file: Path) -> None:
        self.store, self.ring, self.key_file = store, ring, key_file
        try:
            self.uid = self._require_own()
        except BaseException:
            store.close()
            raise

    @classmethod
    def begin(
        cls, target: str | Path, *, key: str | Path | None = None, budget: Fraction | None = None
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
        store = Store(target)
        place = _key_place(store, key)
        require_budget(budget)
        ring = create_key(place)
        try:
            with store.creating() as connection:
                _begin_chain(store, connection, ring, budget)
        except BaseException:
            store.close()
            place.unlink()
            raise
        return cls(store, ring, place)

    @classmethod
    def open(cls, target: str | Path, *, key: str | Path | None = None) -> Self:
        """Return a ledger that was begun before."""
        store = Store(target)
        if store.file is not None and not store.file.exists():
            raise LedgerUnreachable(
                f"{store.name}: there is no such ledger; begin it with 'pathveil ledger init "
                f"{store.name}', or give the right path"
            )
        place = _key_place(store, key)
        return cls(store, load_key(place), place)

    def _require_own(self) -> str:
        """Return the ledger's name for itself, or raise if tables or key are not its own."""
        with self.store.reading() as connection:
            row = connection.execute(select(t.ledgers)).one_or_none()
        if row is None:
            raise LedgerBroken(
                f"{self.name}: the first row of a ledger is missing here; give the right database "
                "or, if it was deleted, restore it from a backup"
            )
        if row.version != t.SCHEMA_VERSION:
            raise LedgerError(
                f"{self.name}: its tables are of version {row.version}, this pathveil reads and "
                f"writes {t.SCHEMA_VERSION}; use the pathveil that wrote it, or begin a new ledger"
            )
        if row.key_check != self.ring.text(f"check {row.uid}"):
            raise BadKey(
                f"{self.key_file}: is the key of another ledger than {self.name}; give its own"
            )
        return str(row.uid)

    def close(self) -> None:
        """Let the database go."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ledger: {self.name}>"

    @property
    def name(self) -> str:
        """Where it is, without a password."""
        return self.store.name

    @property
    def counter(self) -> int:
        """How many entries there are."""
        with self.store.reading() as connection:
            return int(connection.execute(select(t.ledgers.c.counter)).scalar_one())

    # -- releasing ------------------------------------------------------------------------------

    def record(
        self, requests: Sequence[Request], drawing: Drawing, delivery: Delivery | None = None
    ) -> tuple[Recorded, ...]:
        """Return walks as recorded releases: given back if known, else drawn and charged.

        All of them are recorded, or none. Nothing is handed out: see :meth:`hand_out`.

        Parameters
        ----------
        requests
            All over one network.
        drawing
            Is asked, in this order: may they go out, what do they cost, and for the releases
            themselves. It draws again where another process released over this network meanwhile;
            what it drew first was seen by nobody.

        Raises
        ------
        OverBudget
            With the numbers; nothing was recorded.
        """
        delivery = delivery or Delivery()
        require_budget(delivery.budget)
        network = _one_network(requests)
        with self.store.reading() as connection:
            self._require_unchanged(connection)
            past = self._past(connection, find_lineage(connection, self.ring, network))
            known = find_known(connection, self.ring, requests)
            limit = delivery.budget or self.chain(connection).budget(past.lineage)
        _ask(drawing, requests, known, past)
        missing = _missing(known)
        prices = drawing.price([requests[index] for index in missing], past) if missing else None
        if prices is not None and limit is not None:
            # What is over the budget is never drawn.
            losses_after(past, requests, dict(zip(missing, prices, strict=True)), limit)
        drawn = _draw(requests, missing, drawing, past)
        with self.store.writing() as connection:
            chain = self.chain(connection)
            for mark in self.marks(requests):
                chain.require_reached(mark.path, mark.read())
            known = find_known(connection, self.ring, requests)
            lineage = find_lineage(connection, self.ring, network)
            moved = (lineage, newest_release(connection, lineage)) != (past.lineage, past.counter)
            now = self._past(connection, lineage) if moved else past
            missing = _missing(known)
            lacking = not drawn.keys() >= set(missing)
            if moved or lacking:
                _ask(drawing, requests, known, now)
            if lacking or (moved and not drawing.independent):
                # Whoever comes second draws again, now that nobody can come between.
                drawn = _draw(requests, missing, drawing, now)
            recording = Recording(connection, self.ring, chain, now)
            recorded = recording.record(requests, known, drawn, drawing.wrap, delivery)
            chain.close()
        with self.store.writing() as connection:  # so that no older mark comes after a newer one
            chain = self.chain(connection)
            for mark in self.marks(requests):
                mark.write(chain.counter, chain.head)
        return recorded

    def hand_out(self, recorded: Sequence[Recorded], write: Write) -> None:
        """Write recorded releases to their files, and note that they are there."""
        for release in recorded:
            write(release)
        with self.store.writing() as connection:
            for number in {release.handout for release in recorded}:
                row = update(t.handouts).where(t.handouts.c.counter == number)
                connection.execute(row.values(written=self.ring.written(number)))

    def marks(self, requests: Sequence[Request] = ()) -> list[Mark]:
        """Return where the ledger notes how far it has come: beside its key, and in folders."""
        folders = {request.output.absolute().parent for request in requests}
        places = [self.key_file.with_name(f"{self.key_file.name}.mark")]
        places += [folder / f".pathveil-{self.uid}.mark" for folder in sorted(folders)]
        return [Mark(place, self.ring, self.uid) for place in places]

    # -- looking --------------------------------------------------------------------------------

    def past(self, network: Network) -> Past:
        """Return what was released over a network so far."""
        with self.store.reading() as connection:
            self._require_unchanged(connection)
            return self._past(connection, find_lineage(connection, self.ring, network))

    def pasts(self) -> list[Past]:
        """Return what was released over each network, in the order they came."""
        with self.store.reading() as connection:
            lineages = connection.execute(select(t.networks.c.lineage).distinct()).scalars()
            return [self._past(connection, lineage) for lineage in sorted(lineages)]

    def standings(self) -> tuple[Standing, ...]:
        """Return how each network stands, in the order they came."""
        with self.store.reading() as connection:
            self._require_unchanged(connection)
        self.require_unlost()
        return tuple(map(self._standing, self.pasts()))

    def require_unlost(self) -> None:
        """Raise if the ledger is an older copy than the one its mark has seen."""
        # Read before the ledger: what a mark has seen was recorded by then.
        seen = [(mark.path, mark.read()) for mark in self.marks()]
        with self.store.reading() as connection:
            for path, entry in seen:
                self.chain(connection).require_reached(path, entry)

    def _standing(self, past: Past) -> Standing:
        assert past.lineage is not None
        account, life, every = past.account, past.life(), past.life(encrypted=True)
        uses = Counter(account.uses.values())
        uses[0] = account.links - len(+account.uses)
        with self.store.reading() as connection:
            budget = self.chain(connection).budget(past.lineage)
        public = cover(life) if life.releases else None
        encrypted = None
        if len(every.releases) > len(life.releases):  # its readers have what is public, too
            both = [cover(every), *([public] if public is not None else [])]
            encrypted = max(both, key=lambda used: used.share)
        return Standing(
            past.lineage,
            account.links,
            budget,
            {number: links for number, links in sorted(uses.items()) if links},
            past.rows,
            public,
            encrypted,
            more_walks(life) if life.releases else (0, 0),
        )

    def entries(self) -> Iterator[Mapping[str, Any]]:
        """Yield the chain, entry by entry, as plain data for a file or an auditor."""
        self.require_unlost()
        with self.store.reading() as connection:
            self._require_unchanged(connection)
            query = select(t.events).order_by(t.events.c.counter)
            yield from map(dict, connection.execute(query).mappings())

    def read(self, counter: int) -> bytes:
        """Return the bytes of a release by its number."""
        query = select(t.releases.c.sealed_data).where(t.releases.c.counter == counter)
        with self.store.reading() as connection:
            sealed = connection.execute(query).scalar_one()
        return self.ring.unseal(sealed, about=f"release {counter}")

    def find(self, digest: str) -> tuple[int, ...]:
        """Return the releases a file with this SHA-256 was handed out for."""
        with self.store.reading() as connection:
            query = select(t.handouts.c.release).where(t.handouts.c.digest == digest)
            plain = select(t.releases.c.counter).where(t.releases.c.digest == digest)
            found = {*connection.execute(query).scalars(), *connection.execute(plain).scalars()}
        return tuple(sorted(found))

    def chain(self, connection: Connection) -> Chain:
        """Return the end of the chain, as a transaction sees it."""
        return Chain(connection, self.ring)

    def _require_unchanged(self, connection: Connection) -> None:
        """Raise if the plain columns, which losses and cover are counted from, were changed."""
        try:
            require_chained(connection, self.ring)
            require_entered(connection, self.ring, sealed=False)
        except LedgerBroken as error:
            raise LedgerBroken(
                f"{self.name}: was changed by something else than pathveil: {error}; restore it "
                "from a backup and run 'pathveil ledger verify'"
            ) from None

    def _past(self, connection: Connection, lineage: int | None) -> Past:
        return Past(connection, self.ring, lineage, self.read)


def _begin_chain(
    store: Store, connection: Connection, ring: Keyring, budget: Fraction | None
) -> None:
    """Enter that the ledger is begun, under a name and with the check of its key."""
    for table in (t.ledgers, t.events):
        if connection.execute(select(func.count()).select_from(table)).scalar_one():
            raise LedgerError(
                f"{store.name}: holds a ledger already, or what is left of one; use that one, with "
                "its key, or restore it from a backup"
            )
    uid = token_hex(8)
    row = {"id": 1, "version": t.SCHEMA_VERSION, "uid": uid, "counter": 0}
    row |= {"key_check": ring.text(f"check {uid}"), "head": "", "latest": ""}
    connection.execute(insert(t.ledgers).values(row))
    chain = Chain(connection, ring)
    chain.enter("begun", {"uid": uid, "budget": None if budget is None else str(budget)})
    chain.close()


def require_budget(budget: Fraction | None) -> None:
    """Raise unless a budget is a number within bounds."""
    if budget is not None:
        t.exact_limit(budget, "the budget")


def _key_place(store: Store, key: str | Path | None) -> Path:
    if key is not None:
        return Path(key)
    if store.file is None:
        raise BadKey(f"{store.name}: give the file of its key with --key; it is not kept there")
    return store.file.with_name(f"{store.file.name}.key")


def _ask(drawing: Drawing, requests: Sequence[Request], known: Sequence[Known], past: Past) -> None:
    """Show the gate what would become public, or be drawn anew."""
    public = {row.counter for row in past.rows if row.is_public}
    coming = [
        request
        for request, there in zip(requests, known, strict=True)
        if there is None
        or (isinstance(there, Recorded) and request.public and there.counter not in public)
    ]
    if coming:
        drawing.ask_gate(coming, past)


def _missing(known: Sequence[Known]) -> list[int]:
    """Return which requests need a new release."""
    return [index for index, there in enumerate(known) if there is None]


def _draw(
    requests: Sequence[Request], missing: Sequence[int], drawing: Drawing, past: Past
) -> dict[int, DrawnRelease]:
    """Return a release for each request that needs one, by its place in the list."""
    if not missing:
        return {}
    return dict(zip(missing, drawing.draw([requests[k] for k in missing], past), strict=True))


def _one_network(requests: Sequence[Request]) -> Network:
    if not requests:
        raise LedgerError("nothing to release; give at least one walk")
    network = requests[0].network
    if any(r.network is not network and r.network != network for r in requests):
        raise LedgerError("releases recorded together must be over one network")
    return network
