"""Each invitation is reminded of its own end, and people may answer after the decision."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, UtcText

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "thread_late_answers",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("invitee_key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("coming", sa.Integer(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("answered_by", sa.Text(), nullable=True),
        sa.Column("answered_at", UtcText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["thread_id"],
            ["scheduling_threads.id"],
            name=op.f("fk_thread_late_answers_thread_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_thread_late_answers")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_thread_late_answers_thread", "thread_late_answers", ["thread_id", "invitee_key", "id"])
    op.add_column("thread_invites", sa.Column("reminded_end_at", UtcText(), nullable=True))
    # Who was reminded of this end before the update is not reminded of it once more.
    op.execute(
        """UPDATE thread_invites SET reminded_end_at = expires_at
        WHERE expires_at =
            (SELECT t.reminded_deadline_at FROM scheduling_threads t WHERE t.id = thread_invites.thread_id)"""
    )
