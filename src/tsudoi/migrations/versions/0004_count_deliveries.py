"""Count the deliveries that are not done without walking through all of them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_NOT_DONE = sa.text("status IN ('PENDING', 'FAILED', 'UNKNOWN')")


def upgrade() -> None:
    op.create_index(
        "idx_event_deliveries_not_done",
        "event_deliveries",
        ["status"],
        sqlite_where=_NOT_DONE,
        postgresql_where=_NOT_DONE,
    )
