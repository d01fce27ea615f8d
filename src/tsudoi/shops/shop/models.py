from datetime import datetime

from sqlalchemy import CheckConstraint, FetchedValue, ForeignKey, Integer, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class Shop(Base):
    """A shop of the chain. Its `code` stands in the address of its help page."""

    __tablename__ = "shops"
    __table_args__ = (
        UniqueConstraint("code"),
        UniqueConstraint("merchant_public_id"),
        CheckConstraint("shop_status IN ('preparing', 'open', 'closed')", name="known_status"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    code: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    # The shop's name in the public address of STORES. It is not the id that the API of STORES wants.
    merchant_public_id: Mapped[str | None] = mapped_column(Text)
    shop_status: Mapped[str] = mapped_column(Text, server_default="open")
    shop_email: Mapped[str | None] = mapped_column(Text)
    phone: Mapped[str | None] = mapped_column(Text)
    stores_public_url: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())
    updated_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())


class ShopInternalInfo(Base):
    """A value about a shop that is no secret, such as its merchant id in the API of STORES."""

    __tablename__ = "shop_internal_info"
    __table_args__ = (UniqueConstraint("shop_id", "info_type"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    shop_id: Mapped[int] = mapped_column(BigId, ForeignKey("shops.id"))
    info_type: Mapped[str] = mapped_column(Text)
    value: Mapped[str] = mapped_column(Text)
    updated_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())


class OptionMaster(Base):
    """An option that a shop may have, with its default."""

    __tablename__ = "options_master"
    __table_args__ = (UniqueConstraint("option_code"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    option_code: Mapped[str] = mapped_column(Text)
    option_name: Mapped[str] = mapped_column(Text)
    description: Mapped[str | None] = mapped_column(Text)
    default_value: Mapped[int | None] = mapped_column(Integer)
    editable_by_store: Mapped[int] = mapped_column(Integer, server_default="0")
    created_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())
    updated_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())


class ShopOption(Base):
    """The value of an option in one shop."""

    __tablename__ = "shop_options"
    __table_args__ = (UniqueConstraint("shop_id", "option_id"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    shop_id: Mapped[int] = mapped_column(BigId, ForeignKey("shops.id"))
    option_id: Mapped[int] = mapped_column(BigId, ForeignKey("options_master.id"))
    value: Mapped[int] = mapped_column(Integer)
    updated_at: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())
