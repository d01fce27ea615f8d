"""Removes old rows a few at a time, so that no request waits long for the housekeeping."""

from typing import Any

from sqlalchemy import ColumnElement, delete, select, tuple_, update

from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Tx

AT_ONCE = 500


def delete_some(tx: Tx, model: type[Base], *conditions: ColumnElement[bool], most: int = AT_ONCE) -> int:
    """Delete at most so many of the rows that meet all conditions, and return how many there were."""
    return tx.execute(delete(model).where(_some(model, conditions, most))).rowcount


def update_some(
    tx: Tx, model: type[Base], values: dict[str, Any], *conditions: ColumnElement[bool], most: int = AT_ONCE
) -> int:
    """The conditions must no longer be met by a row that has the new values, or the work would never end."""
    return tx.execute(update(model).where(_some(model, conditions, most)).values(**values)).rowcount


def _some(model: type[Base], conditions: tuple[ColumnElement[bool], ...], most: int) -> ColumnElement[bool]:
    key = list(model.__table__.primary_key)
    chosen = select(*key).where(*conditions).limit(most)
    return key[0].in_(chosen) if len(key) == 1 else tuple_(*key).in_(chosen)
