"""`INSERT … ON CONFLICT`: the same SQL on both databases, but two classes in SQLAlchemy."""

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Tx


def upsert(tx: Tx, model: type[Base]) -> Any:
    return (postgresql.insert if tx.dialect == "postgresql" else sqlite.insert)(model)
