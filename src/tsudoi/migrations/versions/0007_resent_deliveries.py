"""A delivery remembers the broadcast that repeated it. A column that nothing writes any more is dropped."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_IS_RESENT = sa.text("resent_by IS NOT NULL")


def upgrade() -> None:
    # SQLite cannot drop a unique column. Alembic copies the table there, and has to be told what it does not find out.
    known_kind = sa.CheckConstraint(
        "kind IN ('invite', 'late', 'reminder', 'change', 'cancel')", name=op.f("ck_event_broadcasts_known_kind")
    )
    with op.batch_alter_table(
        "event_broadcasts", table_args=(known_kind,), table_kwargs={"sqlite_autoincrement": True}
    ) as broadcasts:
        broadcasts.drop_constraint(op.f("uq_event_broadcasts_request_key"), type_="unique")
        broadcasts.drop_column("request_key")
    # In plain SQL, because Alembic would copy the whole table of deliveries for a constraint.
    integer = "BIGINT" if op.get_context().dialect.name == "postgresql" else "INTEGER"
    op.execute(
        f"ALTER TABLE event_deliveries ADD COLUMN resent_by {integer}"
        " CONSTRAINT fk_event_deliveries_resent_by REFERENCES event_broadcasts (id)"
        " CONSTRAINT ck_event_deliveries_resent_later"
        " CHECK (resent_by IS NULL OR (resent_by > broadcast_id AND status IN ('WAITING', 'FAILED')))"
    )
    op.create_index(
        "idx_event_deliveries_resent",
        "event_deliveries",
        ["resent_by"],
        sqlite_where=_IS_RESENT,
        postgresql_where=_IS_RESENT,
    )
