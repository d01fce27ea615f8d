from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, FetchedValue, ForeignKey, Index, Integer, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base


class EscalationRule(Base):
    """Who is told about a kind of trouble, on which channels, and how often at most."""

    __tablename__ = "escalation_rules"
    __table_args__ = (
        UniqueConstraint("rule_code"),
        CheckConstraint("severity IN ('info', 'warn', 'critical')", name="known_severity"),
        CheckConstraint("throttle_minutes >= 0", name="throttle_in_the_future"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    rule_code: Mapped[str] = mapped_column(Text)
    severity: Mapped[str] = mapped_column(Text)
    channel_chatwork: Mapped[int] = mapped_column(Integer, server_default="0")
    channel_email: Mapped[int] = mapped_column(Integer, server_default="0")
    channel_sms: Mapped[int] = mapped_column(Integer, server_default="0")
    chatwork_room_id: Mapped[str | None] = mapped_column(Text)
    email_to: Mapped[str | None] = mapped_column(Text)
    sms_to: Mapped[str | None] = mapped_column(Text)
    throttle_minutes: Mapped[int] = mapped_column(Integer, server_default="30")
    active: Mapped[int] = mapped_column(Integer, server_default="1")
    # Further choices of the rule, such as whether the channels are tried one after the other until one takes it.
    params_json: Mapped[Any | None] = mapped_column(JsonText)
    created_at_utc: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())
    updated_at_utc: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())


class EscalationAttempt(Base):
    """What one channel did with one alarm or all-clear of a ticket."""

    __tablename__ = "escalation_attempts"
    __table_args__ = (
        CheckConstraint("kind IN ('alarm', 'all_clear')", name="known_kind"),
        CheckConstraint("channel IN ('chatwork', 'email', 'sms')", name="known_channel"),
        CheckConstraint("outcome IN ('sent', 'failed', 'unknown', 'skipped')", name="known_outcome"),
        Index("idx_escalation_attempts_ticket", "ticket_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    ticket_id: Mapped[int] = mapped_column(BigId, ForeignKey("tickets.id"))
    kind: Mapped[str] = mapped_column(Text)
    channel: Mapped[str] = mapped_column(Text)
    outcome: Mapped[str] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)
    request_id: Mapped[str | None] = mapped_column(Text)
    attempted_at_utc: Mapped[datetime] = mapped_column(UtcText)
