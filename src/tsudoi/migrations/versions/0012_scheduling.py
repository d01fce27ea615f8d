"""Threads that find a date (document 001), what people are told about them, and addresses that do not work."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JsonText, JstText, UtcText

revision = "0012"
down_revision = "0011"

# The document's own INSERTs leave these times out, and its columns are NOT NULL. The text has the width of `UtcText`.
_NOW = {
    "sqlite": "(strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000+00:00')",
    "postgresql": """to_char(now() AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')""",
}


def upgrade() -> None:
    now = sa.text(_NOW[op.get_bind().dialect.name])
    op.create_table(
        "mail_bounces",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("status_code", sa.Text(), nullable=False),
        sa.Column("soft_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("dead_at", UtcText(), nullable=True),
        sa.Column("noted_at", UtcText(), nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_mail_bounces")),
    )
    op.create_table(
        "scheduling_threads",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("organizer_user_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), server_default="draft", nullable=True),
        sa.Column("mode", sa.Text(), server_default="one_on_one", nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("updated_at", UtcText(), nullable=False),
        sa.Column("timezone", sa.Text(), server_default="Asia/Tokyo", nullable=False),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("deadline_at", UtcText(), nullable=True),
        sa.Column("decide_at_deadline", sa.Integer(), server_default="0", nullable=False),
        sa.Column("remind_before_deadline", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reminded_deadline_at", UtcText(), nullable=True),
        sa.Column("judged_deadline_at", UtcText(), nullable=True),
        sa.Column("judged_answer", BigId, server_default="0", nullable=False),
        sa.Column("maybe_allowed", sa.Integer(), server_default="1", nullable=False),
        sa.Column("answers_visible", sa.Integer(), server_default="0", nullable=False),
        sa.Column("mail_subject", sa.Text(), nullable=True),
        sa.Column("sent_at", UtcText(), nullable=True),
        sa.Column("cancelled_at", UtcText(), nullable=True),
        sa.Column("cancel_reason", sa.Text(), nullable=True),
        sa.Column("sequence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("event_id", BigId, nullable=True),
        sa.CheckConstraint(
            "status IN ('active', 'draft', 'cancelled', 'finalized')", name=op.f("ck_scheduling_threads_known_status")
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_scheduling_threads_event_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scheduling_threads")),
        sa.UniqueConstraint("event_id", name=op.f("uq_scheduling_threads_event_id")),
    )
    op.create_index("idx_scheduling_threads_created", "scheduling_threads", ["created_at", "id"], unique=False)
    op.create_index("idx_scheduling_threads_status", "scheduling_threads", ["status", "created_at"], unique=False)
    op.create_index("idx_scheduling_threads_deadline", "scheduling_threads", ["status", "deadline_at"], unique=False)
    op.create_table(
        "scheduling_slots",
        sa.Column("slot_id", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("start_at", JstText(), nullable=False),
        sa.Column("end_at", JstText(), nullable=False),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("created_at", UtcText(), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(
            ["thread_id"], ["scheduling_threads.id"], name=op.f("fk_scheduling_slots_thread_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("slot_id", name=op.f("pk_scheduling_slots")),
    )
    op.create_index("idx_scheduling_slots_thread_start", "scheduling_slots", ["thread_id", "start_at"], unique=False)
    op.create_table(
        "thread_answers",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("invitee_key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("slots", JsonText(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("answered_by", sa.Text(), nullable=True),
        sa.Column("answered_at", UtcText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["thread_id"], ["scheduling_threads.id"], name=op.f("fk_thread_answers_thread_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_thread_answers")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_thread_answers_thread", "thread_answers", ["thread_id", "id"], unique=False)
    op.create_table(
        "thread_attendance_rules",
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("rule_json", JsonText(), nullable=False),
        sa.Column("finalize_policy", sa.Text(), server_default="EARLIEST_VALID", nullable=False),
        sa.Column("created_at", UtcText(), server_default=now, nullable=False),
        sa.Column("updated_at", UtcText(), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(
            ["thread_id"],
            ["scheduling_threads.id"],
            name=op.f("fk_thread_attendance_rules_thread_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("thread_id", name=op.f("pk_thread_attendance_rules")),
    )
    op.create_table(
        "thread_invites",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("candidate_name", sa.Text(), nullable=False),
        sa.Column("candidate_reason", sa.Text(), nullable=True),
        sa.Column("invitee_key", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("expires_at", UtcText(), nullable=False),
        sa.Column("accepted_at", UtcText(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("member_id", BigId, nullable=True),
        sa.Column("mail_stopped_at", UtcText(), nullable=True),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_thread_invites_member_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["thread_id"], ["scheduling_threads.id"], name=op.f("fk_thread_invites_thread_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_thread_invites")),
        sa.UniqueConstraint("token", name=op.f("uq_thread_invites_token")),
    )
    op.create_index("idx_thread_invites_expiring", "thread_invites", ["status", "expires_at"], unique=False)
    op.create_index("idx_thread_invites_member", "thread_invites", ["member_id"], unique=False)
    op.create_index("idx_thread_invites_thread", "thread_invites", ["thread_id"], unique=False)
    op.create_index("idx_thread_invites_token", "thread_invites", ["token"], unique=False)
    op.create_index(
        "uq_thread_invites_person",
        "thread_invites",
        ["thread_id", "invitee_key"],
        unique=True,
        sqlite_where=sa.text("invitee_key IS NOT NULL"),
        postgresql_where=sa.text("invitee_key IS NOT NULL"),
    )
    op.create_table(
        "thread_messages",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("invite_id", sa.Text(), nullable=False),
        sa.Column("invitee_key", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("to", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("data", JsonText(), nullable=False),
        sa.Column("line_user_id", sa.Text(), nullable=True),
        sa.Column("messages", JsonText(), nullable=True),
        sa.Column("retry_key", sa.Text(), nullable=False),
        sa.Column("mail_id", BigId, nullable=True),
        sa.Column("not_by_line", sa.Text(), nullable=True),
        sa.Column("reminder_day", sa.Text(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("logged", sa.Boolean(), server_default=sa.false(), nullable=False),
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
        sa.CheckConstraint("channel IN ('line', 'mail', 'call')", name=op.f("ck_thread_messages_known_channel")),
        sa.CheckConstraint(
            "status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN', 'MAILED', 'CALL', 'CALLED_OFF')",
            name=op.f("ck_thread_messages_known_status"),
        ),
        sa.ForeignKeyConstraint(["mail_id"], ["mail_messages.id"], name=op.f("fk_thread_messages_mail_id")),
        sa.ForeignKeyConstraint(
            ["thread_id"], ["scheduling_threads.id"], name=op.f("fk_thread_messages_thread_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_thread_messages")),
        sa.UniqueConstraint("job_id", name=op.f("uq_thread_messages_job_id")),
        sa.UniqueConstraint("retry_key", name=op.f("uq_thread_messages_retry_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "idx_thread_messages_due",
        "thread_messages",
        ["due_at", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'PENDING'"),
        postgresql_where=sa.text("status = 'PENDING'"),
    )
    op.create_index("idx_thread_messages_status", "thread_messages", ["status"], unique=False)
    op.create_index("idx_thread_messages_thread", "thread_messages", ["thread_id", "id"], unique=False)
    op.create_index(
        "idx_thread_messages_unlogged",
        "thread_messages",
        ["id"],
        unique=False,
        sqlite_where=sa.text("logged = 0"),
        postgresql_where=sa.text("NOT logged"),
    )
    op.create_index(
        "uq_thread_messages_day",
        "thread_messages",
        ["thread_id", "invitee_key", "reminder_day"],
        unique=True,
        sqlite_where=sa.text("reminder_day IS NOT NULL"),
        postgresql_where=sa.text("reminder_day IS NOT NULL"),
    )
    op.create_table(
        "thread_finalize",
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("selected_slot_id", sa.Text(), nullable=False),
        sa.Column("finalized_by_user_id", sa.Text(), nullable=True),
        sa.Column("finalized_at", UtcText(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("auto_finalized", sa.Integer(), server_default="0", nullable=True),
        sa.Column("final_participants", JsonText(), nullable=True),
        sa.ForeignKeyConstraint(
            ["selected_slot_id"],
            ["scheduling_slots.slot_id"],
            name=op.f("fk_thread_finalize_selected_slot_id"),
            ondelete="RESTRICT",
        ),
        sa.ForeignKeyConstraint(
            ["thread_id"], ["scheduling_threads.id"], name=op.f("fk_thread_finalize_thread_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("thread_id", name=op.f("pk_thread_finalize")),
    )
    op.create_index("idx_thread_finalize_slot", "thread_finalize", ["selected_slot_id"], unique=False)
    op.create_table(
        "thread_selections",
        sa.Column("selection_id", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("invitee_key", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("selected_slot_id", sa.Text(), nullable=True),
        sa.Column("responded_at", UtcText(), nullable=True),
        sa.Column("created_at", UtcText(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("via", sa.Text(), server_default="link", nullable=False),
        sa.Column("answered_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["selected_slot_id"],
            ["scheduling_slots.slot_id"],
            name=op.f("fk_thread_selections_selected_slot_id"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["thread_id"], ["scheduling_threads.id"], name=op.f("fk_thread_selections_thread_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("selection_id", name=op.f("pk_thread_selections")),
        sa.UniqueConstraint("thread_id", "invitee_key", name=op.f("uq_thread_selections_thread_id_invitee_key")),
    )
    op.create_index("idx_thread_selections_slot", "thread_selections", ["selected_slot_id"], unique=False)
    op.create_table(
        "thread_selection_slots",
        sa.Column("selection_id", sa.Text(), nullable=False),
        sa.Column("slot_id", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), server_default="yes", nullable=False),
        sa.CheckConstraint("answer IN ('yes', 'maybe')", name=op.f("ck_thread_selection_slots_known_answer")),
        sa.ForeignKeyConstraint(
            ["selection_id"],
            ["thread_selections.selection_id"],
            name=op.f("fk_thread_selection_slots_selection_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["slot_id"],
            ["scheduling_slots.slot_id"],
            name=op.f("fk_thread_selection_slots_slot_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("selection_id", "slot_id", name=op.f("pk_thread_selection_slots")),
    )
    op.create_index("idx_thread_selection_slots_slot", "thread_selection_slots", ["slot_id"], unique=False)
    op.add_column("mail_messages", sa.Column("unsubscribe_url", sa.Text(), nullable=True))
