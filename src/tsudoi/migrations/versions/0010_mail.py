"""Mails that wait to be sent, and what became of them."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, UtcText

revision = "0010"
down_revision = "0009"

_IS_PENDING = sa.text("status = 'PENDING'")


def upgrade() -> None:
    op.create_table(
        "mail_messages",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("subject_kind", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("to_address", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=True),
        sa.Column("calendar", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("send_before", UtcText(), nullable=True),
        sa.Column("called_off_at", UtcText(), nullable=True),
        sa.Column("sent_at", UtcText(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("status", sa.Text(), server_default="PENDING", nullable=False),
        sa.Column("due_at", UtcText(), nullable=False),
        sa.Column("attempt_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("first_attempt_at", UtcText(), nullable=True),
        sa.Column("lease_token", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcText(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("uncertain", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.CheckConstraint(
            "status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN', 'CALLED_OFF')",
            name=op.f("ck_mail_messages_known_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_messages")),
        sa.UniqueConstraint("message_id", name=op.f("uq_mail_messages_message_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_mail_messages_waiting",
        "mail_messages",
        ["due_at", "id"],
        unique=False,
        sqlite_where=_IS_PENDING,
        postgresql_where=_IS_PENDING,
    )
    op.create_index(
        "uq_mail_messages_once",
        "mail_messages",
        ["subject_kind", "subject_id", "purpose", "revision"],
        unique=True,
    )
    op.create_index("idx_mail_messages_status", "mail_messages", ["status"], unique=False)
