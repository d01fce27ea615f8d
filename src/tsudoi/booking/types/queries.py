from sqlalchemy import select

from tsudoi.booking.types.errors import NoSuchType
from tsudoi.booking.types.models import ReservationType
from tsudoi.booking.types.schemas import TypeItem, TypePage
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.roster.members.rules import search_key

# As SQL, because slots refer to this noun and not the other way round.
_SLOT_COUNTS = RawSql("SELECT reservation_type_id, count(*) FROM reservation_slots GROUP BY reservation_type_id")


def type_item(tx: ReadTx, type_id: int) -> TypeItem:
    row = tx.execute(select(ReservationType).where(ReservationType.id == type_id)).mappings().first()
    if row is None:
        raise NoSuchType
    return TypeItem.model_validate({**row, "slot_count": dict(_SLOT_COUNTS.all(tx, {})).get(type_id, 0)})


def type_page(tx: ReadTx, words: str, active: bool | None, limit: int, cursor: str | None) -> TypePage:
    """There are few types, so the search compares their folded names here instead of in SQL."""
    after = 0 if cursor is None else int(decode_cursor(cursor, int)[0])
    key, counts = search_key(words), dict(_SLOT_COUNTS.all(tx, {}))
    found = tx.execute(select(ReservationType).where(ReservationType.id > after).order_by(ReservationType.id))
    rows = [row for row in found.mappings() if active in (None, bool(row["active"])) and key in search_key(row["name"])]
    items = [TypeItem.model_validate({**row, "slot_count": counts.get(row["id"], 0)}) for row in rows[:limit]]
    return TypePage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)
