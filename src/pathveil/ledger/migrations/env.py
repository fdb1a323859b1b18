"""How Alembic runs here: on the connection it is given, in that connection's transaction."""

from __future__ import annotations

from alembic import context

from pathveil.ledger.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()
