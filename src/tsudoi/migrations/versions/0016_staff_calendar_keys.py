"""A staff person can renew the keys of the own calendar files."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("staffs", sa.Column("calendar_renewals", sa.Integer(), server_default="0", nullable=False))
