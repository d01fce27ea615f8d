"""What each context stores about a person, for an export and for erasing it.

A context registers one `PersonTable` for each of its tables with personal data. It says how the rows of a person are
found, and what becomes of them: they are deleted, or they stay without what names the person, so that counts remain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, func, select, update

from tsudoi.core.clock import jst_text
from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import ReadTx, Tx

ERASED_NAME = "（消去済み）"
ErasedRows = Literal["blanked", "deleted", "kept"]


@dataclass(frozen=True, slots=True)
class PersonIds:
    """By what the contexts find the rows of one person."""

    member_ids: frozenset[int] = frozenset()
    staff_uids: frozenset[str] = frozenset()
    # Ids of `customer_links`.
    customer_ids: frozenset[int] = frozenset()
    line_user_ids: frozenset[str] = frozenset()
    # In lower case.
    addresses: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ErasureOrder:
    """Why a person is erased, and by whom: for the audit trail."""

    reason: str
    actor: str


@dataclass(frozen=True, slots=True)
class PersonTable:
    """The rows of one table about a person."""

    model: type[Base]
    title: str
    rows: Callable[[PersonIds], ColumnElement[bool]]
    # What erasing does with them.
    fate: ErasedRows
    # The new values of rows that are blanked, given the time.
    blank: Callable[[datetime], Mapping[str, Any]] = lambda _now: {}
    # A verb that does it instead, where erasing is more than new values.
    verb: Callable[[Tx, PersonIds, ErasureOrder], None] | None = None
    # Columns that are hashes or keys and say nothing about the person.
    hidden: frozenset[str] = frozenset()
    # Rows in this state keep the person from being erased, and the reason in words.
    obstacle: Callable[[], ColumnElement[bool]] | None = None
    obstacle_reason: str = ""

    @property
    def name(self) -> str:
        return str(self.model.__tablename__)

    def count(self, tx: ReadTx, ids: PersonIds) -> int:
        return int(tx.scalar(select(func.count()).select_from(self.model).where(self.rows(ids))))

    def obstructed(self, tx: ReadTx, ids: PersonIds) -> int:
        if self.obstacle is None:
            return 0
        in_the_way = select(func.count()).select_from(self.model).where(self.rows(ids), self.obstacle())
        return int(tx.scalar(in_the_way))

    def export(self, tx: ReadTx, ids: PersonIds) -> list[dict[str, Any]]:
        shown = [column for column in self.model.__table__.columns if column.name not in self.hidden]
        found = tx.execute(select(*shown).where(self.rows(ids)).order_by(*self.model.__table__.primary_key))
        return [{name: _plain(value) for name, value in row.items()} for row in found.mappings()]

    def erase(self, tx: Tx, ids: PersonIds, order: ErasureOrder) -> None:
        if self.verb is not None:
            self.verb(tx, ids, order)
        elif self.fate == "deleted":
            tx.execute(delete(self.model).where(self.rows(ids)))
        elif self.fate == "blanked":
            tx.execute(update(self.model).where(self.rows(ids)).values(**self.blank(tx.now)))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return jst_text(value)
    return value.hex() if isinstance(value, bytes) else value
