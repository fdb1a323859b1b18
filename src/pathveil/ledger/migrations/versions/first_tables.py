"""The first tables. Written out, so that later changes of the code do not change the past."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "events",
        sa.Column("counter", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("counter", name=op.f("pk_events")),
    )
    op.create_table(
        "ledgers",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("key_check", sa.Text(), nullable=False),
        sa.Column("budget", sa.Text(), nullable=True),
        sa.Column("counter", sa.BigInteger(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("latest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledgers")),
    )
    op.create_table(
        "lineages",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("links", sa.BigInteger(), nullable=False),
        sa.Column("budget", sa.Text(), nullable=True),
        sa.Column("counter", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lineages")),
    )
    op.create_table(
        "links",
        sa.Column(
            "lineage",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("link", sa.Text(), nullable=False),
        sa.Column("uses", sa.BigInteger(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["lineage"], ["lineages.id"], name=op.f("fk_links_lineage")),
        sa.PrimaryKeyConstraint("lineage", "link", name=op.f("pk_links")),
    )
    op.create_index(op.f("ix_links_lineage_profile"), "links", ["lineage", "profile"], unique=False)
    op.create_table(
        "networks",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("lineage", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("sealed_links", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["lineage"], ["lineages.id"], name=op.f("fk_networks_lineage")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_networks")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_networks_fingerprint")),
    )
    op.create_index(op.f("ix_networks_lineage"), "networks", ["lineage"], unique=False)
    op.create_table(
        "series",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("lineage", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("grouping", sa.Text(), nullable=True),
        sa.Column("sealed_terms", sa.LargeBinary(), nullable=False),
        sa.Column("length", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["lineage"], ["lineages.id"], name=op.f("fk_series_lineage")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_series")),
        sa.UniqueConstraint("lineage", "fingerprint", name=op.f("uq_series_lineage_fingerprint")),
    )
    op.create_table(
        "groupings",
        sa.Column(
            "lineage",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("once", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["lineage"], ["lineages.id"], name=op.f("fk_groupings_lineage")),
        sa.PrimaryKeyConstraint("lineage", "digest", name=op.f("pk_groupings")),
    )
    op.create_table(
        "held",
        sa.Column("network", sa.Text(), nullable=False),
        sa.Column("walk", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        sa.Column("sealed_data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("network", "walk", "terms", "basis", name=op.f("pk_held")),
    )
    op.create_table(
        "kinds",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("series", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("sealed_name", sa.LargeBinary(), nullable=False),
        sa.Column("expression", sa.Text(), nullable=False),
        sa.Column("decimal", sa.Text(), nullable=False),
        sa.Column("rests", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["series"], ["series.id"], name=op.f("fk_kinds_series")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kinds")),
        sa.UniqueConstraint("series", "fingerprint", name=op.f("uq_kinds_series_fingerprint")),
    )
    op.create_table(
        "releases",
        sa.Column("counter", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("series", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("network", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("walk", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("rest", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("spent_expression", sa.Text(), nullable=False),
        sa.Column("spent_decimal", sa.Text(), nullable=False),
        sa.Column("sealed_charges", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["counter"], ["events.counter"], name=op.f("fk_releases_counter")),
        sa.ForeignKeyConstraint(["network"], ["networks.id"], name=op.f("fk_releases_network")),
        sa.ForeignKeyConstraint(["rest"], ["kinds.id"], name=op.f("fk_releases_rest")),
        sa.ForeignKeyConstraint(["series"], ["series.id"], name=op.f("fk_releases_series")),
        sa.PrimaryKeyConstraint("counter", name=op.f("pk_releases")),
        sa.UniqueConstraint("series", "place", name=op.f("uq_releases_series_place")),
    )
    op.create_index(op.f("ix_releases_digest"), "releases", ["digest"], unique=False)
    op.create_index(
        op.f("ix_releases_network_walk_series"),
        "releases",
        ["network", "walk", "series"],
        unique=False,
    )
    op.create_table(
        "handouts",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("release", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("sealed_path", sa.LargeBinary(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["release"], ["releases.counter"], name=op.f("fk_handouts_release")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_handouts")),
    )
    op.create_index(op.f("ix_handouts_digest"), "handouts", ["digest"], unique=False)
    op.create_index(op.f("ix_handouts_done"), "handouts", ["done"], unique=False)
    op.create_index(op.f("ix_handouts_release"), "handouts", ["release"], unique=False)


def downgrade() -> None:
    """Remove them."""
    op.drop_index(op.f("ix_handouts_release"), table_name="handouts")
    op.drop_index(op.f("ix_handouts_done"), table_name="handouts")
    op.drop_index(op.f("ix_handouts_digest"), table_name="handouts")
    op.drop_table("handouts")
    op.drop_index(op.f("ix_releases_network_walk_series"), table_name="releases")
    op.drop_index(op.f("ix_releases_digest"), table_name="releases")
    op.drop_table("releases")
    op.drop_table("kinds")
    op.drop_table("held")
    op.drop_table("groupings")
    op.drop_table("series")
    op.drop_index(op.f("ix_networks_lineage"), table_name="networks")
    op.drop_table("networks")
    op.drop_index(op.f("ix_links_lineage_profile"), table_name="links")
    op.drop_table("links")
    op.drop_table("lineages")
    op.drop_table("ledgers")
    op.drop_table("events")
