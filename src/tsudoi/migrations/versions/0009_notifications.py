"""Notices about reservations, and payments."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JsonText, UtcText

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "notification_pauses",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("going_on", sa.Integer(), nullable=True),
        sa.Column("paused_at", UtcText(), nullable=False),
        sa.Column("paused_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("resumed_at", UtcText(), nullable=True),
        sa.Column("resumed_by", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(going_on IS NULL) = (resumed_at IS NOT NULL) AND going_on = 1",
            name=op.f("ck_notification_pauses_going_on"),
        ),
        sa.CheckConstraint("(resumed_at IS NULL) = (resumed_by IS NULL)", name=op.f("ck_notification_pauses_resumed")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification_pauses")),
        sa.UniqueConstraint("going_on", name=op.f("uq_notification_pauses_going_on")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "notification_templates",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.CheckConstraint(
            "key IN ('CONFIRMATION', 'MOVED', 'REMINDER', 'CANCEL_COMPLETED', 'REFUNDED')",
            name=op.f("ck_notification_templates_known_key"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification_templates")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_notification_templates_key", "notification_templates", ["key", "id"], unique=False)
    op.create_table(
        "stripe_events",
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("livemode", sa.Integer(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("payment_intent_id", sa.Text(), nullable=True),
        sa.Column("reservation_id", BigId, nullable=True),
        sa.Column("amount", sa.Integer(), nullable=True),
        sa.Column("currency", sa.Text(), nullable=True),
        sa.Column("payment_status", sa.Text(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=True),
        sa.Column("received_at", UtcText(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("resolved_at", UtcText(), nullable=True),
        sa.Column("resolved_by", sa.Text(), nullable=True),
        sa.Column("resolved_note", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "outcome IN ('APPLIED', 'IGNORED', 'MISMATCH')", name=op.f("ck_stripe_events_known_outcome")
        ),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_stripe_events")),
    )
    op.create_index(
        "idx_stripe_events_open",
        "stripe_events",
        ["received_at"],
        unique=False,
        sqlite_where=sa.text("outcome = 'MISMATCH' AND resolved_at IS NULL"),
        postgresql_where=sa.text("outcome = 'MISMATCH' AND resolved_at IS NULL"),
    )
    op.create_index("idx_stripe_events_reservation", "stripe_events", ["reservation_id"], unique=False)
    op.create_table(
        "notification_jobs",
        sa.Column("job_id", BigId, autoincrement=True, nullable=False),
        sa.Column("reservation_id", BigId, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("scheduled_at", UtcText(), nullable=False),
        sa.Column("status", sa.Text(), server_default="PENDING", nullable=False),
        sa.Column("attempt_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("retry_key", sa.Text(), nullable=True),
        sa.Column("line_user_id", sa.Text(), nullable=True),
        sa.Column("messages", JsonText(), nullable=True),
        sa.Column("claim_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease_token", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcText(), nullable=True),
        sa.Column("first_attempt_at", UtcText(), nullable=True),
        sa.Column("outcome_unknown", sa.Integer(), server_default="0", nullable=False),
        sa.Column("maybe_sent", sa.Integer(), server_default="0", nullable=False),
        sa.Column("dash_reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "created_at LIKE '%T%+00:00' AND length(created_at) IN (25, 32)",
            name=op.f("ck_notification_jobs_created_at"),
        ),
        sa.CheckConstraint(
            "kind IN ('CONFIRMATION', 'REMINDER', 'CANCEL_COMPLETED')", name=op.f("ck_notification_jobs_known_kind")
        ),
        sa.CheckConstraint(
            "scheduled_at LIKE '%T%+00:00' AND length(scheduled_at) IN (25, 32)",
            name=op.f("ck_notification_jobs_scheduled_at"),
        ),
        sa.CheckConstraint(
            "status IN ('PENDING', 'SENT', 'FAILED', 'DASH')", name=op.f("ck_notification_jobs_known_status")
        ),
        sa.CheckConstraint(
            "updated_at LIKE '%T%+00:00' AND length(updated_at) IN (25, 32)",
            name=op.f("ck_notification_jobs_updated_at"),
        ),
        sa.CheckConstraint("attempt_count >= 0", name=op.f("ck_notification_jobs_attempt_count")),
        sa.CheckConstraint("maybe_sent IN (0, 1)", name=op.f("ck_notification_jobs_maybe_sent")),
        sa.CheckConstraint("outcome_unknown IN (0, 1)", name=op.f("ck_notification_jobs_outcome_unknown")),
        sa.ForeignKeyConstraint(
            ["reservation_id"], ["reservations.id"], name=op.f("fk_notification_jobs_reservation_id")
        ),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_notification_jobs")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_notification_jobs_due",
        "notification_jobs",
        ["scheduled_at", "job_id"],
        unique=False,
        sqlite_where=sa.text("status = 'PENDING'"),
        postgresql_where=sa.text("status = 'PENDING'"),
    )
    op.create_index("idx_notification_jobs_status", "notification_jobs", ["status", "updated_at"], unique=False)
    op.create_index(
        "uq_notification_jobs_notice", "notification_jobs", ["reservation_id", "kind", "revision"], unique=True
    )
    op.create_table(
        "notification_skips",
        sa.Column("reservation_id", BigId, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", UtcText(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('CONFIRMATION', 'REMINDER', 'CANCEL_COMPLETED')", name=op.f("ck_notification_skips_known_kind")
        ),
        sa.ForeignKeyConstraint(
            ["reservation_id"], ["reservations.id"], name=op.f("fk_notification_skips_reservation_id")
        ),
        sa.PrimaryKeyConstraint("reservation_id", "kind", "revision", name=op.f("pk_notification_skips")),
    )
    op.create_table(
        "payments",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("reservation_id", BigId, nullable=False),
        sa.Column("sequence", sa.Integer(), server_default="1", nullable=False),
        sa.Column("amount_jpy", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), server_default="CREATING", nullable=False),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("payment_intent_id", sa.Text(), nullable=True),
        sa.Column("checkout_url", sa.Text(), nullable=True),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("request_body", sa.Text(), nullable=False),
        sa.Column("session_expires_at", UtcText(), nullable=False),
        sa.Column("paid_at", UtcText(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.CheckConstraint("(status = 'PAID') = (paid_at IS NOT NULL)", name=op.f("ck_payments_paid_at")),
        sa.CheckConstraint(
            "status IN ('CREATING', 'OPEN', 'PAID', 'EXPIRED', 'FAILED')", name=op.f("ck_payments_known_status")
        ),
        sa.CheckConstraint("amount_jpy >= 1", name=op.f("ck_payments_amount_jpy")),
        sa.CheckConstraint("sequence >= 1", name=op.f("ck_payments_sequence")),
        sa.ForeignKeyConstraint(["reservation_id"], ["reservations.id"], name=op.f("fk_payments_reservation_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payments")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_payments_idempotency_key")),
        sa.UniqueConstraint("reservation_id", "sequence", name=op.f("uq_payments_reservation_id_sequence")),
        sa.UniqueConstraint("session_id", name=op.f("uq_payments_session_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_payments_intent", "payments", ["payment_intent_id"], unique=False)
    op.create_index(
        "idx_payments_open",
        "payments",
        ["session_expires_at"],
        unique=False,
        sqlite_where=sa.text("status IN ('CREATING', 'OPEN')"),
        postgresql_where=sa.text("status IN ('CREATING', 'OPEN')"),
    )
    op.create_table(
        "notification_attempts",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("job_id", BigId, nullable=False),
        sa.Column("at", UtcText(), nullable=False),
        sa.Column("caller", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("caller IN ('command', 'initial')", name=op.f("ck_notification_attempts_known_caller")),
        sa.ForeignKeyConstraint(
            ["job_id"], ["notification_jobs.job_id"], name=op.f("fk_notification_attempts_job_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification_attempts")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_notification_attempts_job", "notification_attempts", ["job_id"], unique=False)
    op.create_table(
        "payment_tasks",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("payment_id", BigId, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount_jpy", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("requested_by", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("refund_id", sa.Text(), nullable=True),
        sa.Column("refund_status", sa.Text(), nullable=True),
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
        sa.CheckConstraint("(kind = 'REFUND') = (amount_jpy IS NOT NULL)", name=op.f("ck_payment_tasks_amount_jpy")),
        sa.CheckConstraint("kind IN ('REFUND', 'EXPIRE')", name=op.f("ck_payment_tasks_known_kind")),
        sa.CheckConstraint(
            "status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN')", name=op.f("ck_payment_tasks_known_status")
        ),
        sa.ForeignKeyConstraint(["payment_id"], ["payments.id"], name=op.f("fk_payment_tasks_payment_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_tasks")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_payment_tasks_idempotency_key")),
        sa.UniqueConstraint("payment_id", "kind", name=op.f("uq_payment_tasks_payment_id_kind")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_payment_tasks_due",
        "payment_tasks",
        ["due_at", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'PENDING'"),
        postgresql_where=sa.text("status = 'PENDING'"),
    )
