"""Each database has an id, which its media store is stamped with."""

import uuid
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import UtcText

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("database_id", sa.Text(), nullable=False),
        sa.Column("made_at_utc", UtcText(), nullable=False),
        sa.Column("place", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("copy_of", sa.Text(), nullable=True),
        sa.Column("confirmed_at_utc", UtcText(), nullable=True),
        sa.CheckConstraint("id = 1", name=op.f("ck_installation_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.bulk_insert(installation, [{"id": 1, "database_id": str(uuid.uuid4()), "made_at_utc": datetime.now(UTC)}])
