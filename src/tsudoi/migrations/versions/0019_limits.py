"""Limits for what people can repeat: the notices of a person and a day are counted."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    linked = sa.text("line_user_id IS NOT NULL")
    op.create_index(
        "idx_notification_jobs_person",
        "notification_jobs",
        ["line_user_id", "first_attempt_at"],
        sqlite_where=linked,
        postgresql_where=linked,
    )
