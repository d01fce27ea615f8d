from datetime import datetime

from sqlalchemy import CheckConstraint, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class PersonDecision(Base):
    """What an administrator decided about two records: the same person, or two people.

    Rows are only added, and the newest one about a pair counts. The pair is stored in the order of the texts, so that
    it has one place. The ids have no foreign key, because the records are in the tables of many contexts.
    """

    __tablename__ = "person_decisions"
    __table_args__ = (
        CheckConstraint("verdict IN ('same', 'different', 'open')", name="known_verdict"),
        CheckConstraint("first_kind IN ('member', 'staff', 'line', 'customer', 'address')", name="known_first_kind"),
        CheckConstraint("second_kind IN ('member', 'staff', 'line', 'customer', 'address')", name="known_second_kind"),
        CheckConstraint("first_kind <> second_kind OR first_id <> second_id", name="two_records"),
        Index("idx_person_decisions_first", "first_kind", "first_id", "second_kind", "second_id", "id"),
        Index("idx_person_decisions_second", "second_kind", "second_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    first_kind: Mapped[str] = mapped_column(Text)
    first_id: Mapped[str] = mapped_column(Text)
    second_kind: Mapped[str] = mapped_column(Text)
    second_id: Mapped[str] = mapped_column(Text)
    # `open`: the decision before it was taken back.
    verdict: Mapped[str] = mapped_column(Text)
    # How the office knows.
    reason: Mapped[str | None] = mapped_column(Text)
    decided_by: Mapped[str] = mapped_column(Text)
    decided_at: Mapped[datetime] = mapped_column(UtcText)
