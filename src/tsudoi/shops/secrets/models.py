from datetime import datetime

from sqlalchemy import FetchedValue, ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class ShopSecret(Base):
    """A secret of a shop, encrypted for this shop and this name. No API ever returns its value."""

    __tablename__ = "shop_secrets"
    __table_args__ = (UniqueConstraint("shop_id", "k"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    shop_id: Mapped[int] = mapped_column(BigId, ForeignKey("shops.id"))
    k: Mapped[str] = mapped_column(Text)
    v_enc: Mapped[str] = mapped_column(Text)
    # What the office sees of it, to tell two secrets apart.
    last_four: Mapped[str | None] = mapped_column(Text)
    updated_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())
    last_used_at: Mapped[datetime | None] = mapped_column(UtcText)
