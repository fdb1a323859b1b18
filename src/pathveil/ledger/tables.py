"""The tables of a ledger. What is in clear here: numbers, times, digests, exact losses.

Fingerprints are keyed (:mod:`~pathveil.ledger.keys`); columns called ``sealed_...`` open only with
the key. There is no column a vertex name could stand in.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMES)

# A number that grows by itself must be INTEGER in SQLite and is BIGINT elsewhere.
_Number = BigInteger().with_variant(Integer, "sqlite")


def _number(name: str = "id") -> Column[int]:
    return Column(name, _Number, primary_key=True, autoincrement=True)


ledgers = Table(  # one row; who locks it may write
    "ledgers",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("uid", Text, nullable=False),
    Column("key_check", Text, nullable=False),
    Column("budget", Text),
    Column("counter", BigInteger, nullable=False),
    Column("head", Text, nullable=False),
    Column("latest", Text, nullable=False),
)
events = Table(  # the chain: nothing happens that is not here
    "events",
    metadata,
    Column("counter", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("time", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", Text, nullable=False),
)
lineages = Table(  # a network through its life: versions that share links
    "lineages",
    metadata,
    _number(),
    Column("links", BigInteger, nullable=False),
    Column("budget", Text),
    Column("counter", BigInteger, nullable=False),
)
networks = Table(
    "networks",
    metadata,
    _number(),
    Column("lineage", ForeignKey("lineages.id"), nullable=False, index=True),
    Column("fingerprint", Text, nullable=False, unique=True),
    Column("sealed_links", LargeBinary, nullable=False),
)
series = Table(
    "series",
    metadata,
    _number(),
    Column("lineage", ForeignKey("lineages.id"), nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("policy", Text, nullable=False),
    Column("grouping", Text),
    Column("sealed_terms", LargeBinary, nullable=False),
    Column("length", BigInteger, nullable=False),
    UniqueConstraint("lineage", "fingerprint"),
)
groupings = Table(  # what a network was published over, and what that cost its links, once
    "groupings",
    metadata,
    Column("lineage", ForeignKey("lineages.id"), primary_key=True, autoincrement=False),
    Column("digest", Text, primary_key=True),
    Column("once", Text, nullable=False),
)
kinds = Table(  # what a release can cost a link, and on how many releases it cost the rest of them
    "kinds",
    metadata,
    _number(),
    Column("series", ForeignKey("series.id"), nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("sealed_name", LargeBinary, nullable=False),
    Column("expression", Text, nullable=False),
    Column("decimal", Text, nullable=False),
    Column("rests", BigInteger, nullable=False),
    UniqueConstraint("series", "fingerprint"),
)
links = Table(  # only links that were ever charged otherwise than the rest
    "links",
    metadata,
    Column("lineage", ForeignKey("lineages.id"), primary_key=True, autoincrement=False),
    Column("link", Text, primary_key=True),
    Column("uses", BigInteger, nullable=False),
    Column("profile", Text, nullable=False),
    Index(None, "lineage", "profile"),
)
releases = Table(
    "releases",
    metadata,
    Column("counter", ForeignKey("events.counter"), primary_key=True, autoincrement=False),
    Column("series", ForeignKey("series.id"), nullable=False),
    Column("place", BigInteger, nullable=False),
    Column("network", ForeignKey("networks.id"), nullable=False),
    Column("walk", Text, nullable=False),
    Column("digest", Text, nullable=False, index=True),
    Column("rest", ForeignKey("kinds.id"), nullable=False),
    Column("spent_expression", Text, nullable=False),
    Column("spent_decimal", Text, nullable=False),
    Column("sealed_charges", LargeBinary, nullable=False),
    Column("sealed_data", LargeBinary, nullable=False),
    UniqueConstraint("series", "place"),
    Index(None, "network", "walk", "series"),
)
held = Table(  # drawn, refused at the gate, never seen: these coins are not thrown again
    "held",
    metadata,
    Column("network", Text, primary_key=True),
    Column("walk", Text, primary_key=True),
    Column("terms", Text, primary_key=True),
    Column("basis", Text, primary_key=True),
    Column("sealed_data", LargeBinary, nullable=False),
)
handouts = Table(  # files a release went to; not done: recorded, and perhaps not there
    "handouts",
    metadata,
    _number(),
    Column("release", ForeignKey("releases.counter"), nullable=False, index=True),
    Column("digest", Text, nullable=False, index=True),
    Column("sealed_path", LargeBinary, nullable=False),
    Column("done", Boolean, nullable=False, index=True),
)
