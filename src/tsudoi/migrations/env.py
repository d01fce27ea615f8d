"""Alembic's entry. The connection comes from `core.db.schema.migrate`, which also owns the transaction."""

from alembic import context

from tsudoi.core.db.schema import all_models

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=all_models(),
    transactional_ddl=True,
    transaction_per_migration=False,
    compare_type=True,
    compare_server_default=True,
)
context.run_migrations()
