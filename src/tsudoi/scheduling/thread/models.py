"""The tables of document 001, with its names. Every further column has a default, so that its own SQL runs as it is."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, FetchedValue, ForeignKey, Index, Integer, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, JstText, UtcText
from tsudoi.core.db.base import Base

_HAS_KEY = text("invitee_key IS NOT NULL")


class SchedulingThread(Base):
    """A question about a date: slots to choose from, people to ask, and a rule that decides."""

    __tablename__ = "scheduling_threads"
    __table_args__ = (
        CheckConstraint("status IN ('active', 'draft', 'cancelled', 'finalized')", name="known_status"),
        Index("idx_scheduling_threads_created", "created_at", "id"),
        Index("idx_scheduling_threads_status", "status", "created_at"),
        Index("idx_scheduling_threads_deadline", "status", "deadline_at"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    organizer_user_id: Mapped[str] = mapped_column(Text)
    title: Mapped[str | None] = mapped_column(Text)
    description: Mapped[str | None] = mapped_column(Text)
    status: Mapped[str | None] = mapped_column(Text, server_default="draft")
    mode: Mapped[str | None] = mapped_column(Text, server_default="one_on_one")
    created_at: Mapped[datetime] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)
    # The zone that the organiser means, for the times that people read.
    timezone: Mapped[str] = mapped_column(Text, server_default="Asia/Tokyo")
    place: Mapped[str | None] = mapped_column(Text)
    # Until when people may answer. NULL: 72 hours from each invitation.
    deadline_at: Mapped[datetime | None] = mapped_column(UtcText)
    # 1: the rule decides at the deadline, and not with the first answer that fulfils it.
    decide_at_deadline: Mapped[int] = mapped_column(Integer, server_default="0")
    # 1: those who can still change the outcome are reminded once, 24 hours before the end of their own invitation.
    remind_before_deadline: Mapped[int] = mapped_column(Integer, server_default="0")
    # Not read any more: each invitation has an end of its own, and `thread_invites.reminded_end_at` since then.
    reminded_deadline_at: Mapped[datetime | None] = mapped_column(UtcText)
    # The deadline at which the rule was asked last, and the newest answer (`thread_answers.id`) that it knew then.
    judged_deadline_at: Mapped[datetime | None] = mapped_column(UtcText)
    judged_answer: Mapped[int] = mapped_column(BigId, server_default="0")
    # 1: an answer may be △, "if need be".
    maybe_allowed: Mapped[int] = mapped_column(Integer, server_default="1")
    # 1: invitees see who answered what.
    answers_visible: Mapped[int] = mapped_column(Integer, server_default="0")
    # NULL: the subject of document 001.
    mail_subject: Mapped[str | None] = mapped_column(Text)
    # When the invitations went out for the first time.
    sent_at: Mapped[datetime | None] = mapped_column(UtcText)
    cancelled_at: Mapped[datetime | None] = mapped_column(UtcText)
    cancel_reason: Mapped[str | None] = mapped_column(Text)
    # Counts the decisions that calendars show (iCalendar's SEQUENCE).
    sequence: Mapped[int] = mapped_column(Integer, server_default="0")
    # Counts every change, so that a screen that follows the thread knows when to load it again.
    revision: Mapped[int] = mapped_column(Integer, server_default="0")
    # The event that was made from the decision.
    event_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("events.id", ondelete="SET NULL"), unique=True)


class AttendanceRule(Base):
    """The rule of a thread. `version` counts its editions; `rule_json` has a schema version of its own."""

    __tablename__ = "thread_attendance_rules"

    thread_id: Mapped[str] = mapped_column(
        Text, ForeignKey("scheduling_threads.id", ondelete="CASCADE"), primary_key=True
    )
    version: Mapped[int] = mapped_column(Integer, server_default="1")
    rule_json: Mapped[Any] = mapped_column(JsonText, nullable=False)
    finalize_policy: Mapped[str] = mapped_column(Text, server_default="EARLIEST_VALID")
    # The migration gives these times a default: the document's own INSERT leaves them out.
    created_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())
    updated_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())


class SchedulingSlot(Base):
    """A date and time to choose. `start_at` and `end_at` are Japanese time; `timezone` is what the organiser meant."""

    __tablename__ = "scheduling_slots"
    __table_args__ = (Index("idx_scheduling_slots_thread_start", "thread_id", "start_at"),)

    slot_id: Mapped[str] = mapped_column(Text, primary_key=True)
    thread_id: Mapped[str] = mapped_column(Text, ForeignKey("scheduling_threads.id", ondelete="CASCADE"))
    start_at: Mapped[datetime] = mapped_column(JstText)
    end_at: Mapped[datetime] = mapped_column(JstText)
    timezone: Mapped[str] = mapped_column(Text)
    label: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())


class ThreadInvite(Base):
    """One person who is asked, with the token of the link that leads to the own answer."""

    __tablename__ = "thread_invites"
    __table_args__ = (
        Index("idx_thread_invites_token", "token"),
        Index("idx_thread_invites_thread", "thread_id"),
        # One row for each person, so that everybody has one answer.
        Index(
            "uq_thread_invites_person",
            "thread_id",
            "invitee_key",
            unique=True,
            sqlite_where=_HAS_KEY,
            postgresql_where=_HAS_KEY,
        ),
        Index("idx_thread_invites_member", "member_id"),
        Index("idx_thread_invites_key", "invitee_key"),
        Index("idx_thread_invites_expiring", "status", "expires_at"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    thread_id: Mapped[str] = mapped_column(Text, ForeignKey("scheduling_threads.id", ondelete="CASCADE"))
    token: Mapped[str] = mapped_column(Text, unique=True)
    email: Mapped[str] = mapped_column(Text)
    candidate_name: Mapped[str] = mapped_column(Text)
    candidate_reason: Mapped[str | None] = mapped_column(Text)
    # `e:<16 hex digits>`, `lm:<member>`, `u:<user>`.
    invitee_key: Mapped[str | None] = mapped_column(Text)
    # pending, accepted, declined, expired.
    status: Mapped[str] = mapped_column(Text, server_default="pending")
    expires_at: Mapped[datetime] = mapped_column(UtcText)
    accepted_at: Mapped[datetime | None] = mapped_column(UtcText)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    # The member behind an `lm:` key.
    member_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("members.id", ondelete="SET NULL"))
    # The person wants no more mails about this thread.
    mail_stopped_at: Mapped[datetime | None] = mapped_column(UtcText)
    # The end (`expires_at`) before which it was decided whether to remind the person, so that it happens once for each.
    reminded_end_at: Mapped[datetime | None] = mapped_column(UtcText)


class ThreadSelection(Base):
    """The answer of one person, as it is now. Every answer that was ever given is a row of `thread_answers`."""

    __tablename__ = "thread_selections"
    __table_args__ = (
        UniqueConstraint("thread_id", "invitee_key"),
        Index("idx_thread_selections_slot", "selected_slot_id"),
    )

    selection_id: Mapped[str] = mapped_column(Text, primary_key=True)
    thread_id: Mapped[str] = mapped_column(Text, ForeignKey("scheduling_threads.id", ondelete="CASCADE"))
    invitee_key: Mapped[str] = mapped_column(Text)
    # pending, selected, declined.
    status: Mapped[str] = mapped_column(Text, server_default="pending")
    selected_slot_id: Mapped[str | None] = mapped_column(
        Text, ForeignKey("scheduling_slots.slot_id", ondelete="SET NULL")
    )
    responded_at: Mapped[datetime | None] = mapped_column(UtcText)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    comment: Mapped[str | None] = mapped_column(Text)
    # How the answer came: `link`, `line`, or `office` for an answer by telephone.
    via: Mapped[str] = mapped_column(Text, server_default="link")
    # Who typed it in: the administrator, if it was the office.
    answered_by: Mapped[str | None] = mapped_column(Text)


class ThreadSelectionSlot(Base):
    """One slot of an answer: `yes` (○) or `maybe` (△). A slot that is not listed is ×."""

    __tablename__ = "thread_selection_slots"
    __table_args__ = (
        CheckConstraint("answer IN ('yes', 'maybe')", name="known_answer"),
        Index("idx_thread_selection_slots_slot", "slot_id"),
    )

    selection_id: Mapped[str] = mapped_column(
        Text, ForeignKey("thread_selections.selection_id", ondelete="CASCADE"), primary_key=True
    )
    slot_id: Mapped[str] = mapped_column(
        Text, ForeignKey("scheduling_slots.slot_id", ondelete="CASCADE"), primary_key=True
    )
    answer: Mapped[str] = mapped_column(Text, server_default="yes")


class ThreadAnswer(Base):
    """One answer as it was given. Rows are only added: they are the history of the thread."""

    __tablename__ = "thread_answers"
    __table_args__ = (
        Index("idx_thread_answers_thread", "thread_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    thread_id: Mapped[str] = mapped_column(Text, ForeignKey("scheduling_threads.id", ondelete="CASCADE"))
    invitee_key: Mapped[str] = mapped_column(Text)
    # The name at that time: the person may be removed later.
    name: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(Text)
    # `[{"slot_id", "start_at", "end_at", "answer"}]`: the slots may be removed later.
    slots: Mapped[list[dict[str, str]]] = mapped_column(JsonText)
    comment: Mapped[str | None] = mapped_column(Text)
    via: Mapped[str] = mapped_column(Text)
    answered_by: Mapped[str | None] = mapped_column(Text)
    answered_at: Mapped[datetime] = mapped_column(UtcText)


class ThreadLateAnswer(Base):
    """What somebody said after the date was decided. Rows are only added, and the newest one of a person counts.

    The decision stays as it is. Answers from before the decision (`thread_finalize.finalized_at`) belong to an earlier
    one that was taken back.
    """

    __tablename__ = "thread_late_answers"
    __table_args__ = (
        Index("idx_thread_late_answers_thread", "thread_id", "invitee_key", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    thread_id: Mapped[str] = mapped_column(Text, ForeignKey("scheduling_threads.id", ondelete="CASCADE"))
    invitee_key: Mapped[str] = mapped_column(Text)
    # The name at that time: the person may be removed later.
    name: Mapped[str] = mapped_column(Text)
    # 1: comes on the decided date.
    coming: Mapped[int] = mapped_column(Integer)
    comment: Mapped[str | None] = mapped_column(Text)
    # As in `thread_answers`: `link`, `line` or `office`.
    via: Mapped[str] = mapped_column(Text)
    answered_by: Mapped[str | None] = mapped_column(Text)
    answered_at: Mapped[datetime] = mapped_column(UtcText)


class ThreadFinalize(Base):
    """The decision of a thread. The primary key has the last word: there is one."""

    __tablename__ = "thread_finalize"
    __table_args__ = (Index("idx_thread_finalize_slot", "selected_slot_id"),)

    thread_id: Mapped[str] = mapped_column(
        Text, ForeignKey("scheduling_threads.id", ondelete="CASCADE"), primary_key=True
    )
    selected_slot_id: Mapped[str] = mapped_column(Text, ForeignKey("scheduling_slots.slot_id", ondelete="RESTRICT"))
    finalized_by_user_id: Mapped[str | None] = mapped_column(Text)
    finalized_at: Mapped[datetime] = mapped_column(UtcText)
    reason: Mapped[str | None] = mapped_column(Text)
    auto_finalized: Mapped[int | None] = mapped_column(Integer, server_default="0")
    # A JSON array of invitee keys.
    final_participants: Mapped[list[str] | None] = mapped_column(JsonText)
