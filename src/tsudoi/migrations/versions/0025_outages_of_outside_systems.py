"""Successes in a row end an outage of an outside system, and the latest ticket of a cause is found by its cause."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("outside_states", sa.Column("successes_in_a_row", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("idx_tickets_cause", "tickets", ["dedupe_key", "id"])
