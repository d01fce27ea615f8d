from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Text, select, type_coerce

from tsudoi.core.db.interface import ReadTx
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.schemas import MemberItem, MemberList

# Databases limit the number of values in one statement.
_IDS_AT_A_TIME = 5_000


def roster_order() -> tuple[ColumnElement[Any], ...]:
    """By `display_order` with NULLs at the end, then by id. SQLite and PostgreSQL sort NULLs differently by default."""
    return (Member.display_order.asc().nulls_last(), Member.id.asc())


def member_list(tx: ReadTx, *, is_target: int | None, has_line: int | None) -> MemberList:
    statement = (
        select(
            Member.id,
            Member.name,
            Member.kana,
            Member.display_order,
            Member.line_user_id.is_not(None).label("line_user_id_present"),
            Member.is_target,
            Member.role,
            Member.line_display_name,
            LineFriend.following,
            Member.withdrawn_at.is_not(None).label("withdrawn"),
            type_coerce(LineFriend.last_contact_at, Text).label("last_contact_at"),
        )
        .outerjoin(LineFriend, LineFriend.user_id == Member.line_user_id)
        .order_by(*roster_order())
    )
    if is_target is not None:
        statement = statement.where(Member.is_target == is_target)
    if has_line is not None:
        statement = statement.where(Member.line_user_id.is_not(None) if has_line else Member.line_user_id.is_(None))
    return MemberList(items=[_item(dict(row)) for row in tx.execute(statement).mappings()])


def unknown_ids(tx: ReadTx, member_ids: Sequence[int]) -> list[int]:
    """The ids that belong to no member, in the given order."""
    known: set[int] = set()
    for start in range(0, len(member_ids), _IDS_AT_A_TIME):
        part = member_ids[start : start + _IDS_AT_A_TIME]
        known.update(tx.execute(select(Member.id).where(Member.id.in_(part))).scalars())
    return [member_id for member_id in member_ids if member_id not in known]


def _item(row: dict[str, Any]) -> MemberItem:
    """A linked member without a row in `line_friends` has never added the account, and LINE does not reach them."""
    return MemberItem.model_validate({**row, "reachable": row.pop("following") is True})
