"""What stands in a ledger's tables in clear, compared with what is sealed or chained.

Tables, budgets and refusals read plain columns: how many links a network has, what a kind of charge
costs, which network a release is of, what a grouping cost, the budget in force. Whoever can write
to the database can change them without the key, so each is found again from what he cannot: entries
of the chain, and what is sealed.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Row, select

from pathveil.errors import LedgerBroken
from pathveil.ledger import tables as t
from pathveil.ledger.account_rows import kind_name
from pathveil.ledger.chain import told
from pathveil.ledger.keys import Keyring

Versions = list[tuple[Row[Any], int | None]]
"""Rows of networks in the order they were entered, each with the life it was said to continue."""


def check_budgets(connection: Connection) -> None:
    """Raise unless each budget in force is the last one that was entered."""
    entered: dict[int | None, str | None] = {}
    for _, _, body in told(connection, "begun", "budget"):
        entered[body.get("network")] = body.get("budget")
    general = connection.execute(select(t.ledgers.c.budget)).scalar_one()
    in_force: list[tuple[int | None, str | None]] = [(None, general)]
    own = select(t.lineages.c.id, t.lineages.c.budget)
    in_force += [(row.id, row.budget) for row in connection.execute(own)]
    for network, budget in in_force:
        if budget != entered.get(network):
            whose = "the ledger" if network is None else f"network {network}"
            raise LedgerBroken(
                f"the budget of {whose} is {budget or 'none'}, {entered.get(network) or 'none'} "
                "was entered"
            )


def check_plain(connection: Connection, ring: Keyring) -> str | None:
    """Raise unless numbers of links, networks, groupings and prices are those that were entered.

    Returns what could not be compared: prices of releases recorded before prices were sealed.
    """
    versions = _entered_versions(connection)
    _check_links(connection, ring, versions)
    _check_networks(connection, versions)
    _check_groupings(connection)
    return _check_prices(connection, ring)


def _entered_versions(connection: Connection) -> Versions:
    """Return the rows of all networks in the order they were entered, and what each continues."""
    rows = {row.fingerprint: row for row in connection.execute(select(t.networks))}
    found = []
    for _, _, body in told(connection, "network"):
        row = rows.pop(body["fingerprint"], None)
        if row is None:
            raise LedgerBroken("a network that was entered is gone")
        found.append((row, body["continues"]))
    if rows:
        raise LedgerBroken(f"{len(rows)} networks are there that were not entered")
    return found


def _check_links(connection: Connection, ring: Keyring, versions: Versions) -> None:
    """Count each network's links again: all that any of its versions had, which are sealed."""
    links: dict[int, npt.NDArray[np.uint64]] = {}
    for row, continues in versions:
        if continues != (row.lineage if row.lineage in links else None):
            raise LedgerBroken(f"a version of network {row.lineage} was entered for another one")
        data = ring.unseal(row.sealed_links, about=f"network {row.fingerprint}")
        before = links.get(row.lineage, np.empty(0, dtype=np.uint64))
        links[row.lineage] = np.union1d(before, np.frombuffer(data, dtype="<u8"))
    counts = {number: len(found) for number, found in links.items()}
    for life in connection.execute(select(t.lineages.c.id, t.lineages.c.links)):
        if life.links != counts.pop(life.id, 0):
            raise LedgerBroken(
                f"network {life.id} is said to have {life.links} links, "
                f"{len(links.get(life.id, ()))} were entered"
            )
    if counts:
        raise LedgerBroken(f"{len(counts)} networks that were entered are gone")


def _check_networks(connection: Connection, versions: Versions) -> None:
    """Find the network each release is of: under another number its walks would be new ones."""
    order = [row.id for row, _ in versions]
    # Numbers only grow, and the first release over a network is entered together with it. So
    # numbers that were exchanged are out of order, and others are missed by a release.
    if order != sorted(order):
        raise LedgerBroken("the networks do not have the numbers they were entered with")
    lives = {row.id: row.lineage for row, _ in versions}
    series = {row.id: row.lineage for row in connection.execute(select(t.series))}
    columns = t.releases.c.counter, t.releases.c.network, t.releases.c.series
    for row in connection.execute(select(*columns).order_by(t.releases.c.counter)):
        if row.network not in lives or lives[row.network] != series.get(row.series):
            raise LedgerBroken(f"the network of release {row.counter} is gone, or is another one")


def _check_groupings(connection: Connection) -> None:
    entered = {
        (body["network"], body["grouping"], body["once"])
        for _, _, body in told(connection, "grouping")
    }
    stored = {tuple(row) for row in connection.execute(select(t.groupings))}
    if stored != entered:
        raise LedgerBroken("the groupings, or what they cost, are not those that were entered")


def _check_prices(connection: Connection, ring: Keyring) -> str | None:
    """Compare the price of each kind with the one sealed in the first release that names it.

    Releases that were recorded before prices were sealed name none. What is sealed opens only with
    the key, so nobody else can have taken prices out: kinds of such releases alone are passed over.
    """
    kinds = list(connection.execute(select(t.kinds)))
    named = {(row.series, kind_name(ring, row)): row.id for row in kinds}
    entered: dict[int, tuple[str, str]] = {}
    unpriced: set[int | None] = set()
    for row in connection.execute(select(t.releases).order_by(t.releases.c.counter)):
        listed = json.loads(ring.unseal(row.sealed_charges, about=f"charges {row.counter}"))
        if named.get((row.series, listed["rest"])) != row.rest:
            raise LedgerBroken(f"the kinds of release {row.counter} are not those it was made with")
        if "losses" not in listed:
            used = {listed["rest"], *(kind for kind, _ in listed["charges"].values())}
            unpriced |= {named.get((row.series, kind)) for kind in used}
            continue
        for kind, (expression, decimal) in listed["losses"].items():
            if (row.series, kind) in named:
                entered.setdefault(named[row.series, kind], (expression, decimal))
    passed = {kind.id for kind in kinds} & unpriced - entered.keys()
    wrong = [
        kind.id
        for kind in kinds
        if kind.id not in passed
        and (kind.expression, kind.decimal) != entered.get(kind.id, ("", ""))
    ]
    if wrong:
        raise LedgerBroken(
            f"{len(wrong)} of {len(kinds)} prices are not those that were entered, the first of "
            f"them that of kind {wrong[0]}"
        )
    if not passed:
        return None
    return (
        f"{len(passed)} of {len(kinds)} prices were not compared: their releases were recorded "
        "before prices were sealed"
    )
