"""Members can be erased, calendar keys belong to one member and can be renewed, and chat texts are not kept."""

import sqlalchemy as sa
from alembic import op

from tsudoi.core.columns import BigId, JstText

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("members", sa.Column("erased_at", JstText(), nullable=True))
    op.create_table(
        "calendar_renewals",
        sa.Column("member_id", BigId, autoincrement=False, nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("renewed_at", JstText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_calendar_renewals_member_id"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("member_id", name=op.f("pk_calendar_renewals")),
    )
    op.create_index("idx_line_events_received_at", "line_events", ["received_at"])
    op.create_index("idx_mail_messages_created_at", "mail_messages", ["created_at"])
    # What is done needs its content no more; the texts of chats were never needed.
    op.execute("UPDATE line_events SET payload = '{}' WHERE status = 'DONE'")
    _let_texts_of_erased_members_go()


def _let_texts_of_erased_members_go() -> None:
    """Answers still cannot be changed. Only the free text of a member who was erased can become empty."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            """CREATE OR REPLACE FUNCTION refuse_change_of_event_responses() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF TG_OP = 'UPDATE' AND NEW.extra_text IS NULL
                 AND (NEW.id, NEW.event_id, NEW.member_id, NEW.status, NEW.via, NEW.responded_at)
                     IS NOT DISTINCT FROM (OLD.id, OLD.event_id, OLD.member_id, OLD.status, OLD.via, OLD.responded_at)
                 AND EXISTS (SELECT 1 FROM members WHERE id = OLD.member_id AND erased_at IS NOT NULL) THEN
                RETURN NEW;
              END IF;
              IF (EXISTS (SELECT 1 FROM events WHERE id = OLD.event_id)
                  AND EXISTS (SELECT 1 FROM members WHERE id = OLD.member_id))
                 OR (TG_OP = 'UPDATE' AND (NEW.id, NEW.status, NEW.extra_text, NEW.via, NEW.responded_at)
                     IS DISTINCT FROM (OLD.id, OLD.status, OLD.extra_text, OLD.via, OLD.responded_at)) THEN
                RAISE EXCEPTION 'event_responses is append-only';
              END IF;
              RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
            END $$"""
        )
        return
    op.execute("DROP TRIGGER event_responses_no_update")
    op.execute(
        """CREATE TRIGGER event_responses_no_update
        BEFORE UPDATE OF id, status, extra_text, via, responded_at ON event_responses
        WHEN NEW.extra_text IS NOT NULL
          OR NEW.id IS NOT OLD.id OR NEW.status IS NOT OLD.status
          OR NEW.via IS NOT OLD.via OR NEW.responded_at IS NOT OLD.responded_at
          OR NOT EXISTS (SELECT 1 FROM members WHERE id = OLD.member_id AND erased_at IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, 'event_responses is append-only'); END"""
    )
