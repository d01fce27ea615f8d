from datetime import datetime

from sqlalchemy import CheckConstraint, FetchedValue, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base

_GLOBAL = text("scope_id IS NULL")


class SysParam(Base):
    """A parameter that the office may change, for everybody or for one shop."""

    __tablename__ = "sys_params"
    __table_args__ = (
        CheckConstraint("scope IN ('global', 'shop', 'channel')", name="known_scope"),
        CheckConstraint("value_type IN ('int', 'string', 'bool', 'json')", name="known_type"),
        CheckConstraint("(scope = 'global') = (scope_id IS NULL)", name="scope_has_its_id"),
        # There are two indexes, because databases take two NULLs for different values.
        Index("uniq_sys_param_global", "key", unique=True, sqlite_where=_GLOBAL, postgresql_where=_GLOBAL),
        Index("uniq_sys_param_scoped", "scope", "scope_id", "key", unique=True),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    scope: Mapped[str] = mapped_column(Text)
    scope_id: Mapped[int | None] = mapped_column(BigId)
    key: Mapped[str] = mapped_column(Text)
    value: Mapped[str] = mapped_column(Text)
    value_type: Mapped[str] = mapped_column(Text)
    description: Mapped[str | None] = mapped_column(Text)
    created_at_utc: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())
    updated_at_utc: Mapped[datetime] = mapped_column(UtcText, server_default=FetchedValue())
