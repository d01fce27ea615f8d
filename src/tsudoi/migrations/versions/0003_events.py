"""Events, who is asked, what they answered, and what was sent to whom."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JsonText, JstMoment, JstText, UtcText

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("held_at", JstText(), nullable=False),
        sa.Column("deadline_at", JstText(), nullable=True),
        sa.Column("image_url", sa.Text(), nullable=True),
        sa.Column("image_size", sa.Integer(), nullable=True),
        sa.Column("image_preview_url", sa.Text(), nullable=True),
        sa.Column("image_preview_size", sa.Integer(), nullable=True),
        sa.Column("extra_text_enabled", sa.Integer(), server_default="0", nullable=False),
        sa.Column("extra_text_label", sa.Text(), server_default="備考", nullable=True),
        sa.Column("extra_text_attend_only", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_by_admin", BigId, nullable=False),
        sa.Column("created_at", JstText(), nullable=False),
        sa.Column("updated_at", JstText(), nullable=False),
        sa.Column("media_key", sa.Text(), nullable=True),
        sa.Column("calendar_key", sa.Text(), nullable=True),
        sa.Column("sequence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cancelled_at", JstText(), nullable=True),
        sa.Column("cancel_reason", sa.Text(), nullable=True),
        sa.CheckConstraint("extra_text_attend_only IN (0, 1)", name=op.f("ck_events_extra_text_attend_only")),
        sa.CheckConstraint("extra_text_enabled IN (0, 1)", name=op.f("ck_events_extra_text_enabled")),
        sa.ForeignKeyConstraint(
            ["created_by_admin"], ["admin_users.id"], name=op.f("fk_events_created_by_admin"), onupdate="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("media_key", name=op.f("uq_events_media_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_events_held_at", "events", ["held_at", "id"], unique=False)
    op.create_table(
        "event_broadcasts",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("event_id", BigId, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("messages", JsonText(), nullable=False),
        sa.Column("recipients", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", JstText(), nullable=False),
        sa.Column("request_key", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('invite', 'late', 'reminder', 'change', 'cancel')", name=op.f("ck_event_broadcasts_known_kind")
        ),
        sa.ForeignKeyConstraint(
            ["event_id"],
            ["events.id"],
            name=op.f("fk_event_broadcasts_event_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_broadcasts")),
        sa.UniqueConstraint("request_key", name=op.f("uq_event_broadcasts_request_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_event_broadcasts_event", "event_broadcasts", ["event_id", "id"], unique=False)
    op.create_table(
        "event_push_stats",
        sa.Column("event_id", BigId, autoincrement=False, nullable=False),
        sa.Column("success_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("fail_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_sent_at", JstText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"],
            ["events.id"],
            name=op.f("fk_event_push_stats_event_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_event_push_stats")),
    )
    op.create_table(
        "event_responses",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("event_id", BigId, nullable=False),
        sa.Column("member_id", BigId, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("extra_text", sa.Text(), nullable=True),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("responded_at", JstMoment(), nullable=False),
        sa.CheckConstraint("status IN ('attend','absent')", name=op.f("ck_event_responses_known_status")),
        sa.CheckConstraint("via IN ('liff','admin')", name=op.f("ck_event_responses_known_via")),
        sa.ForeignKeyConstraint(
            ["event_id"],
            ["events.id"],
            name=op.f("fk_event_responses_event_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_event_responses_member_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_responses")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_evtrsp_event_id", "event_responses", ["event_id", "id"], unique=False)
    op.create_index(
        "idx_evtrsp_event_member_time",
        "event_responses",
        ["event_id", "member_id", sa.literal_column("responded_at DESC"), sa.literal_column("id DESC")],
        unique=False,
    )
    op.create_table(
        "event_targets",
        sa.Column("event_id", BigId, autoincrement=False, nullable=False),
        sa.Column("member_id", BigId, autoincrement=False, nullable=False),
        sa.Column("added_at", JstText(), nullable=True),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_event_targets_event_id"), onupdate="CASCADE", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_event_targets_member_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("event_id", "member_id", name=op.f("pk_event_targets")),
    )
    op.create_index("idx_evt_targets_member", "event_targets", ["member_id"], unique=False)
    op.create_table(
        "event_chunks",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("broadcast_id", BigId, nullable=False),
        sa.Column("retry_key", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
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
            "status IN ('WAITING', 'PENDING', 'DONE', 'FAILED', 'UNKNOWN')", name=op.f("ck_event_chunks_known_status")
        ),
        sa.ForeignKeyConstraint(
            ["broadcast_id"],
            ["event_broadcasts.id"],
            name=op.f("fk_event_chunks_broadcast_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_chunks")),
        sa.UniqueConstraint("retry_key", name=op.f("uq_event_chunks_retry_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_event_chunks_broadcast", "event_chunks", ["broadcast_id"], unique=False)
    op.create_index(
        "idx_event_chunks_due",
        "event_chunks",
        ["due_at", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'PENDING'"),
        postgresql_where=sa.text("status = 'PENDING'"),
    )
    op.create_table(
        "event_deliveries",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("broadcast_id", BigId, nullable=False),
        sa.Column("chunk_id", BigId, nullable=False),
        sa.Column("event_id", BigId, nullable=False),
        sa.Column("member_id", BigId, nullable=False),
        sa.Column("line_user_id", sa.Text(), nullable=False),
        sa.Column("retry_key", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("reminder_day", sa.Text(), nullable=True),
        sa.Column("logged", sa.Boolean(), server_default=sa.true(), nullable=False),
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
            "status IN ('WAITING', 'PENDING', 'DONE', 'FAILED', 'UNKNOWN')",
            name=op.f("ck_event_deliveries_known_status"),
        ),
        sa.ForeignKeyConstraint(
            ["broadcast_id"],
            ["event_broadcasts.id"],
            name=op.f("fk_event_deliveries_broadcast_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["chunk_id"],
            ["event_chunks.id"],
            name=op.f("fk_event_deliveries_chunk_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["event_id"],
            ["events.id"],
            name=op.f("fk_event_deliveries_event_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_event_deliveries_member_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_deliveries")),
        sa.UniqueConstraint("broadcast_id", "member_id", name=op.f("uq_event_deliveries_broadcast_id_member_id")),
        sa.UniqueConstraint("retry_key", name=op.f("uq_event_deliveries_retry_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("idx_event_deliveries_chunk", "event_deliveries", ["chunk_id"], unique=False)
    op.create_index(
        "idx_event_deliveries_due_of",
        "event_deliveries",
        ["broadcast_id", "due_at"],
        sqlite_where=sa.text("status = 'PENDING'"),
        postgresql_where=sa.text("status = 'PENDING'"),
    )
    op.create_index(
        "idx_event_deliveries_due",
        "event_deliveries",
        ["due_at", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'PENDING'"),
        postgresql_where=sa.text("status = 'PENDING'"),
    )
    op.create_index("idx_event_deliveries_event", "event_deliveries", ["event_id", "broadcast_id"])
    op.create_index(
        "idx_event_deliveries_unlogged",
        "event_deliveries",
        ["id"],
        sqlite_where=sa.text("logged = 0"),
        postgresql_where=sa.text("NOT logged"),
    )
    op.create_index(
        "idx_event_chunks_unlogged",
        "event_chunks",
        ["id"],
        sqlite_where=sa.text("logged = 0"),
        postgresql_where=sa.text("NOT logged"),
    )
    op.create_index(
        "uq_event_deliveries_reminder_day",
        "event_deliveries",
        ["event_id", "member_id", "reminder_day"],
        unique=True,
        sqlite_where=sa.text("reminder_day IS NOT NULL"),
        postgresql_where=sa.text("reminder_day IS NOT NULL"),
    )
    _append_only()


def _append_only() -> None:
    """An answer is never changed, and goes only together with its event or its member."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            """CREATE FUNCTION refuse_change_of_event_responses() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF (EXISTS (SELECT 1 FROM events WHERE id = OLD.event_id)
                  AND EXISTS (SELECT 1 FROM members WHERE id = OLD.member_id))
                 OR (TG_OP = 'UPDATE' AND (NEW.id, NEW.status, NEW.extra_text, NEW.via, NEW.responded_at)
                     IS DISTINCT FROM (OLD.id, OLD.status, OLD.extra_text, OLD.via, OLD.responded_at)) THEN
                RAISE EXCEPTION 'event_responses is append-only';
              END IF;
              -- Only the number of its event or member changes, because that of the event or member itself did.
              IF TG_OP = 'UPDATE' THEN RETURN NEW; END IF;
              RETURN OLD;
            END $$"""
        )
        op.execute(
            """CREATE TRIGGER event_responses_append_only
            BEFORE DELETE OR UPDATE ON event_responses
            FOR EACH ROW EXECUTE FUNCTION refuse_change_of_event_responses()"""
        )
        return
    op.execute(
        """CREATE TRIGGER event_responses_no_update
        BEFORE UPDATE OF id, status, extra_text, via, responded_at ON event_responses
        BEGIN SELECT RAISE(ABORT, 'event_responses is append-only'); END"""
    )
    op.execute(
        """CREATE TRIGGER event_responses_no_move BEFORE UPDATE OF event_id, member_id ON event_responses
        WHEN EXISTS (SELECT 1 FROM events WHERE id = OLD.event_id)
         AND EXISTS (SELECT 1 FROM members WHERE id = OLD.member_id)
        BEGIN SELECT RAISE(ABORT, 'event_responses is append-only'); END"""
    )
    op.execute(
        """CREATE TRIGGER event_responses_no_delete BEFORE DELETE ON event_responses
        WHEN EXISTS (SELECT 1 FROM events WHERE id = OLD.event_id)
         AND EXISTS (SELECT 1 FROM members WHERE id = OLD.member_id)
        BEGIN SELECT RAISE(ABORT, 'event_responses is append-only'); END"""
    )
