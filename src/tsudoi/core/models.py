"""The tables that all contexts share."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, Integer, LargeBinary, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base


class Session(Base):
    """A session. Only the hash of its id is stored, so that a copy of the database opens no session."""

    __tablename__ = "sessions"
    __table_args__ = (
        Index("idx_sessions_subject", "kind", "subject"),
        Index("idx_sessions_expires_at", "expires_at"),
    )

    id_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    data: Mapped[dict[str, str | None]] = mapped_column(JsonText)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    expires_at: Mapped[datetime] = mapped_column(UtcText)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcText)
    # To the minute, and only where somebody is shown it: writing it at each request would cost more than the request.
    last_used_at: Mapped[datetime | None] = mapped_column(UtcText)


class Lockout(Base):
    """How many log-ins in a row failed for a name. Unknown names have a row too, so that they look the same."""

    __tablename__ = "lockouts"

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    failures: Mapped[int] = mapped_column(Integer)
    locked_until: Mapped[datetime | None] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)


class RateLimit(Base):
    """How many requests a caller has made within the current window."""

    __tablename__ = "rate_limits"

    bucket: Mapped[str] = mapped_column(Text, primary_key=True)
    hits: Mapped[int] = mapped_column(Integer)
    window_ends_at: Mapped[datetime] = mapped_column(UtcText)


class IdempotencyKey(Base):
    """A request that must have one effect however often it is repeated, and the reply to it."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        CheckConstraint("(status IS NULL) = (body IS NULL)", name="finished_whole"),
        Index("idx_idempotency_keys_expires_at", "expires_at"),
    )

    principal: Mapped[str] = mapped_column(Text, primary_key=True)
    route: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    request_hash: Mapped[str] = mapped_column(Text)
    status: Mapped[int | None] = mapped_column(Integer)
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    # What the request's transaction decided, as JSON: a copy of the request goes on from here after a crash.
    result: Mapped[str | None] = mapped_column(Text)
    lease_until: Mapped[datetime] = mapped_column(UtcText)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    expires_at: Mapped[datetime] = mapped_column(UtcText)


class AuditLog(Base):
    """A row of the audit trail. Triggers refuse UPDATE and DELETE, and each row has the hash of the row before it."""

    __tablename__ = "audit_logs"
    __table_args__ = (
        Index("idx_audit_logs_subject", "subject", "id"),
        Index("idx_audit_logs_actor", "actor", "id"),
        Index("idx_audit_logs_action", "action", "id"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    at: Mapped[str] = mapped_column(Text)
    actor: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)
    old: Mapped[str | None] = mapped_column(Text)
    new: Mapped[str | None] = mapped_column(Text)
    request_id: Mapped[str | None] = mapped_column(Text)
    previous_hash: Mapped[str] = mapped_column(Text)
    hash: Mapped[str] = mapped_column(Text, unique=True)


class AuditHead(Base):
    """The end of the audit chain. Writers lock its only row, so that two of them cannot add the same link."""

    __tablename__ = "audit_head"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    last_id: Mapped[int] = mapped_column(BigId)
    last_hash: Mapped[str] = mapped_column(Text)


class Heartbeat(Base):
    """When each background loop was last alive, in any process."""

    __tablename__ = "heartbeats"

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcText)


class Installation(Base):
    """Which database this is. Its only row is made by the migration; a restored copy gets an id of its own."""

    __tablename__ = "installation"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    database_id: Mapped[str] = mapped_column(Text)
    made_at_utc: Mapped[datetime] = mapped_column(UtcText)
    # Where the database was made: the machine and the file, or the server.
    place: Mapped[str] = mapped_column(Text, server_default=text("''"))
    # The database that this one was restored from. Until somebody confirms the copy, nothing is sent from it.
    copy_of: Mapped[str | None] = mapped_column(Text)
    confirmed_at_utc: Mapped[datetime | None] = mapped_column(UtcText)
