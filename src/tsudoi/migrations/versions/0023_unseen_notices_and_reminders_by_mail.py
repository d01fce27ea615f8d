"""Notices that LINE shows to nobody are marked, so that a mail follows, and coverage reminders may go by mail."""

from alembic import op

revision = "0023"
down_revision = "0022"

# Frozen: the models may change later.
_UNHEARD = (
    "mail_decided = 0 AND ((status = 'FAILED' AND outcome_unknown = 0 AND maybe_sent = 0)"
    " OR (unseen = 1 AND status IN ('SENT', 'FAILED')))"
)


def upgrade() -> None:
    # Neither database can add a check to a column afterwards in the same way.
    op.execute(
        "ALTER TABLE notification_jobs ADD COLUMN unseen INTEGER NOT NULL DEFAULT 0"
        " CONSTRAINT ck_notification_jobs_unseen CHECK (unseen IN (0, 1))"
    )
    op.execute(
        "ALTER TABLE coverage_reminder_recipients ADD COLUMN channel TEXT NOT NULL DEFAULT 'line'"
        " CONSTRAINT ck_coverage_reminder_recipients_known_channel CHECK (channel IN ('line', 'mail'))"
    )
    op.drop_index("idx_notification_jobs_mail", table_name="notification_jobs")
    op.execute(f"CREATE INDEX idx_notification_jobs_mail ON notification_jobs (updated_at) WHERE {_UNHEARD}")
