"""The reading of a member's name, for searching."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("members", sa.Column("kana", sa.Text, nullable=True))
