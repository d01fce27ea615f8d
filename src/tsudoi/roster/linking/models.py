from datetime import datetime

from sqlalchemy import ForeignKey, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class WaitingRegistration(Base):
    """The name that a LINE user typed last and that linked nobody. Where the office is asked, it waits for the office.

    LINE's name and picture are kept here too, because the user need not be a friend of the account.
    """

    __tablename__ = "waiting_registrations"

    user_id: Mapped[str] = mapped_column(Text, primary_key=True)
    full_name: Mapped[str] = mapped_column(Text)
    display_name: Mapped[str | None] = mapped_column(Text)
    picture_url: Mapped[str | None] = mapped_column(Text)
    requested_at: Mapped[datetime] = mapped_column(JstText)
    # 0: the name was not found, and nobody has asked the office about it. It is a hint in the list of friends.
    waits: Mapped[int] = mapped_column(Integer, server_default="1")


class UndoneLink(Base):
    """A link that the office removed. This LINE user and member are not linked by name again, only by hand."""

    __tablename__ = "undone_links"

    member_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    user_id: Mapped[str] = mapped_column(Text, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(JstText)
