from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base

_IS_OPEN = text("done_at IS NULL AND closed_at IS NULL")


class TelephoneCall(Base):
    """Somebody whom no other channel reaches: the office has to call, and ticks it off.

    A row ends in one of two ways. The office calls (`done_at`, `done_by`, `result`), or the call is no longer needed
    (`closed_at`, `closed_why`), for example because the person has answered meanwhile.
    """

    __tablename__ = "telephone_calls"
    __table_args__ = (
        CheckConstraint("result IN ('told', 'unreachable')", name="known_result"),
        # One open call to each person about the same thing: newer news take the place of older ones.
        Index(
            "uq_telephone_calls_open",
            "kind",
            "subject_id",
            "person_key",
            unique=True,
            sqlite_where=_IS_OPEN,
            postgresql_where=_IS_OPEN,
        ),
        Index("idx_telephone_calls_since", "since", "id"),
        Index("idx_telephone_calls_subject", "kind", "subject_id", "person_key"),
        Index("idx_telephone_calls_member", "member_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    # Which context wants the call: a name that it registers as a `TelephoneKind`.
    kind: Mapped[str] = mapped_column(Text)
    # The thread, the event and so on. No foreign key, because each kind has a table of its own.
    subject_id: Mapped[str] = mapped_column(Text)
    # `lm:<member>`, `e:<16 hex digits>`, `u:staff:<uid>`, as threads write it.
    person_key: Mapped[str] = mapped_column(Text)
    member_id: Mapped[int | None] = mapped_column(
        BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="SET NULL")
    )
    # The news that the person has not heard, so that the same news makes one call.
    ref: Mapped[str] = mapped_column(Text, unique=True)
    title: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    phone: Mapped[str | None] = mapped_column(Text)
    # Why nothing else reaches the person, and what to say on the telephone. Both are Japanese.
    why: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime] = mapped_column(UtcText)
    # After this moment the call helps nobody. NULL: there is no such moment.
    until_at: Mapped[datetime | None] = mapped_column(UtcText)
    done_at: Mapped[datetime | None] = mapped_column(UtcText)
    # `admin:<id>`.
    done_by: Mapped[str | None] = mapped_column(Text)
    result: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str | None] = mapped_column(Text)
    closed_at: Mapped[datetime | None] = mapped_column(UtcText)
    # `answered`, `told_otherwise`, `replaced`, `removed`.
    closed_why: Mapped[str | None] = mapped_column(Text)
