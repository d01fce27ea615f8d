"""A name that linked nobody is kept as a hint for the office; where the office is asked, it waits."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    # All rows so far wait for the office.
    op.add_column("waiting_registrations", sa.Column("waits", sa.Integer(), server_default="1", nullable=False))
