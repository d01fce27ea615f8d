"""`INSERT … ON CONFLICT`. Both databases have the same SQL, but SQLAlchemy has two classes."""

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Tx


def upsert(tx: Tx, model: type[Base]) -> Any:
    return (postgresql.insert if tx.dialect == "postgresql" else sqlite.insert)(model)
