"""Alembic's entry point: the connection comes from `prorata.store.migrations`, which commits."""

from alembic import context

from prorata.store.schema.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    transactional_ddl=False,
)
context.run_migrations()
