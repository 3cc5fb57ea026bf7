"""Run by Alembic: the connection comes from `prorata.store.migrations`, in a transaction that it commits."""

from alembic import context

from prorata.store.schema.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    transactional_ddl=False,
)
context.run_migrations()
