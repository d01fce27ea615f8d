"""Place and end of events, and the calendar entry that an event goes on with."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import JstText

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("events", sa.Column("place", sa.Text(), nullable=True))
    op.add_column("events", sa.Column("end_at", JstText(), nullable=True))
    op.add_column("events", sa.Column("calendar_uid", sa.Text(), nullable=True))
