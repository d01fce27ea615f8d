from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, CheckConstraint, ForeignKey, Index, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base
from tsudoi.core.outbox.table import OutboxColumns

_PENDING = text("status = 'PENDING'")
_NOT_LOGGED = (text("logged = 0"), text("NOT logged"))


class CustomerLink(Base):
    """A person of a channel, such as a LINE user, who has proved to be this customer of this shop."""

    __tablename__ = "customer_links"
    __table_args__ = (
        Index("uniq_customer_link_1", "shop_id", "channel_type", "external_user_id", unique=True),
        Index("uniq_customer_link_2", "shop_id", "channel_type", "stores_customer_id", unique=True),
        Index("idx_customer_links_user", "channel_type", "external_user_id"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    shop_id: Mapped[int] = mapped_column(BigId, ForeignKey("shops.id"))
    channel_type: Mapped[str] = mapped_column(Text)
    external_user_id: Mapped[str] = mapped_column(Text)
    stores_customer_id: Mapped[str] = mapped_column(Text)
    created_at_utc: Mapped[datetime] = mapped_column(UtcText)
    updated_at_utc: Mapped[datetime] = mapped_column(UtcText)


class LinkNotice(OutboxColumns, Base):
    """A message to a LINE user whose link went to another LINE user. It is written with the transfer, and sent once."""

    __tablename__ = "link_notices"
    __table_args__ = (
        CheckConstraint("status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN')", name="known_status"),
        Index("idx_link_notices_due", "due_at", "id", sqlite_where=_PENDING, postgresql_where=_PENDING),
        Index("idx_link_notices_status", "status"),
        Index("idx_link_notices_unlogged", "id", sqlite_where=_NOT_LOGGED[0], postgresql_where=_NOT_LOGGED[1]),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    shop_id: Mapped[int] = mapped_column(BigId, ForeignKey("shops.id"))
    line_user_id: Mapped[str] = mapped_column(Text)
    messages: Mapped[list[dict[str, Any]]] = mapped_column(JsonText)
    retry_key: Mapped[str] = mapped_column(Text, unique=True)
    request_id: Mapped[str | None] = mapped_column(Text)
    message_id: Mapped[str | None] = mapped_column(Text)
    # Whether its line is in the push log.
    logged: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(UtcText)
