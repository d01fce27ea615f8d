"""Column types that both databases store in the same way."""

from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import BigInteger, Dialect, Integer, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

from tsudoi.core.clock import jst_moment_text, jst_text, parse_text, parse_utc, utc_text

# SQLite only gives a rowid alias to `INTEGER PRIMARY KEY`; PostgreSQL should not run out of 32 bits.
BigId = BigInteger().with_variant(Integer(), "sqlite")


class _TimeText(TypeDecorator[datetime]):
    """A time that is stored as text; subclasses choose the format."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        # Other PostgreSQL collations skip punctuation when they compare, and text order would no longer be time order.
        return dialect.type_descriptor(Text(collation="C") if dialect.name == "postgresql" else Text())

    def process_result_value(self, value: str | None, _dialect: Dialect) -> datetime | None:
        return None if value is None else parse_text(value)


class JstText(_TimeText):
    """`2025-08-16T10:00:00+09:00`: for the tables whose document stores Japanese time."""

    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> str | None:
        return None if value is None else jst_text(value)


class JstMoment(_TimeText):
    """`2025-08-16T10:00:00.000000+09:00`: Japanese time to the microsecond, for rows whose exact order matters.

    A row that was written by hand without decimals still sorts correctly, because `+` comes before `.`.
    """

    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> str | None:
        return None if value is None else jst_moment_text(value)


class UtcText(_TimeText):
    """`2025-08-16T01:00:00.000000+00:00`: for the tables whose document stores UTC, and for our own."""

    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> str | None:
        return None if value is None else utc_text(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> datetime | None:
        return None if value is None else parse_utc(value)


class JsonText(TypeDecorator[Any]):
    """JSON as text. The order of the keys is kept, so that the hash of a value does not change."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> str | None:
        return None if value is None else orjson.dumps(value).decode()

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Any:
        return None if value is None else orjson.loads(value)
