"""Reminders to those who have not booked, and mails in place of notices."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JsonText, UtcText

revision = "0011"
down_revision = "0010"

_PENDING = sa.text("status = 'PENDING'")
_HAS_DAY = sa.text("reminder_day IS NOT NULL")
_REFUSED = sa.text("status = 'FAILED' AND outcome_unknown = 0 AND maybe_sent = 0 AND mail_decided = 0")
_NO_LINK = sa.text("reason = 'NO_LINE_LINK' AND mail_decided = 0")


def upgrade() -> None:
    op.create_table(
        "coverage_reminders",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("reservation_type_id", BigId, nullable=False),
        sa.Column("period_key", sa.Text(), nullable=False),
        sa.Column("department_id", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("messages", JsonText(), nullable=False),
        sa.Column("recipients", sa.Integer(), nullable=False),
        sa.Column("unreachable", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["department_id"],
            ["departments.id"],
            name=op.f("fk_coverage_reminders_department_id"),
            onupdate="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["reservation_type_id"],
            ["reservation_types.id"],
            name=op.f("fk_coverage_reminders_reservation_type_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_coverage_reminders")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_coverage_reminders_type", "coverage_reminders", ["reservation_type_id", "id"], unique=False)
    op.create_table(
        "coverage_reminder_recipients",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("reminder_id", BigId, nullable=False),
        sa.Column("reservation_type_id", BigId, nullable=False),
        sa.Column("staff_uid", sa.Text(), nullable=False),
        sa.Column("line_user_id", sa.Text(), nullable=True),
        sa.Column("retry_key", sa.Text(), nullable=False),
        sa.Column("reminder_day", sa.Text(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("logged", sa.Boolean(), server_default=sa.false(), nullable=False),
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
            "status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN', 'SKIPPED')",
            name=op.f("ck_coverage_reminder_recipients_known_status"),
        ),
        sa.ForeignKeyConstraint(
            ["reminder_id"],
            ["coverage_reminders.id"],
            name=op.f("fk_coverage_reminder_recipients_reminder_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["reservation_type_id"],
            ["reservation_types.id"],
            name=op.f("fk_coverage_reminder_recipients_reservation_type_id"),
        ),
        sa.ForeignKeyConstraint(
            ["staff_uid"], ["staffs.staff_uid"], name=op.f("fk_coverage_reminder_recipients_staff_uid")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_coverage_reminder_recipients")),
        sa.UniqueConstraint(
            "reminder_id", "staff_uid", name=op.f("uq_coverage_reminder_recipients_reminder_id_staff_uid")
        ),
        sa.UniqueConstraint("retry_key", name=op.f("uq_coverage_reminder_recipients_retry_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_coverage_reminder_recipients_due",
        "coverage_reminder_recipients",
        ["due_at", "id"],
        unique=False,
        sqlite_where=_PENDING,
        postgresql_where=_PENDING,
    )
    op.create_index("idx_coverage_reminder_recipients_status", "coverage_reminder_recipients", ["status"], unique=False)
    op.create_index(
        "idx_coverage_reminder_recipients_staff", "coverage_reminder_recipients", ["staff_uid"], unique=False
    )
    op.create_index(
        "idx_coverage_reminder_recipients_unlogged",
        "coverage_reminder_recipients",
        ["id"],
        unique=False,
        sqlite_where=sa.text("logged = 0"),
        postgresql_where=sa.text("NOT logged"),
    )
    op.create_index(
        "uq_coverage_reminder_recipients_day",
        "coverage_reminder_recipients",
        ["staff_uid", "reservation_type_id", "reminder_day"],
        unique=True,
        sqlite_where=_HAS_DAY,
        postgresql_where=_HAS_DAY,
    )
    for table in ("notification_jobs", "notification_skips"):
        op.add_column(table, sa.Column("mail_decided", sa.Integer(), server_default="0", nullable=False))
    op.create_index(
        "idx_notification_jobs_mail",
        "notification_jobs",
        ["updated_at"],
        unique=False,
        sqlite_where=_REFUSED,
        postgresql_where=_REFUSED,
    )
    op.create_index(
        "idx_notification_skips_mail",
        "notification_skips",
        ["at"],
        unique=False,
        sqlite_where=_NO_LINK,
        postgresql_where=_NO_LINK,
    )
