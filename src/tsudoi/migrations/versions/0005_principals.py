"""Administrators can be disabled, sessions may be of any kind, and a key remembers the result of its transaction."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import JstText

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("admin_users", sa.Column("disabled_at", JstText(), nullable=True))
    op.add_column("idempotency_keys", sa.Column("result", sa.Text(), nullable=True))
    # SQLite cannot drop a constraint: Alembic copies the table there.
    with op.batch_alter_table("sessions") as sessions:
        sessions.drop_constraint(op.f("ck_sessions_known_kind"), type_="check")
