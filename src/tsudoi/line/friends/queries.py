from sqlalchemy import Text, func, select, tuple_, type_coerce

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.friends.schemas import Friend, FriendList

# The stored text already has the format of the response, so it is not parsed into datetimes.
_FIRST = type_coerce(LineFriend.first_contact_at, Text)
_LAST = type_coerce(LineFriend.last_contact_at, Text)


def friend_list(tx: ReadTx, limit: int, cursor: str | None) -> FriendList:
    """Newest contact first."""
    statement = (
        select(
            LineFriend.user_id,
            LineFriend.display_name,
            LineFriend.picture_url,
            LineFriend.following,
            _FIRST.label("first_contact_at"),
            _LAST.label("last_contact_at"),
        )
        .order_by(_LAST.desc(), LineFriend.user_id.desc())
        .limit(limit + 1)
    )
    if cursor is not None:
        statement = statement.where(tuple_(_LAST, LineFriend.user_id) < tuple(decode_cursor(cursor, str, str)))
    rows = tx.execute(statement).mappings().all()
    items = [Friend(**row) for row in rows[:limit]]
    more = encode_cursor(items[-1].last_contact_at, items[-1].user_id) if len(rows) > limit else None
    return FriendList(items=items, next_cursor=more, total=tx.scalar(select(func.count()).select_from(LineFriend)))


def friend_counts(tx: ReadTx) -> dict[bool, int]:
    """The number of friends who follow (True) and who have blocked the account (False)."""
    counted = select(LineFriend.following.label("f"), func.count().label("n")).group_by(LineFriend.following)
    return {True: 0, False: 0} | {bool(row["f"]): row["n"] for row in tx.execute(counted).mappings()}
