from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, select

from tsudoi.core.db.interface import Tx
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs.rules.plan import Existing, Plan, make_plan, next_basis
from tsudoi.roster.syncs.rules.sheet import Sheet

_AT_A_TIME = 2_000


def roster(tx: Tx) -> Iterator[Existing]:
    """Everybody, withdrawn members included, by id; a few thousand at a time, so that memory stays flat."""
    columns = (
        Member.id,
        Member.name,
        Member.name_key,
        Member.display_order,
        Member.role,
        Member.line_user_id,
        Member.is_target,
        Member.email,
        Member.withdrawn_at,
    )
    statement = select(*columns).order_by(Member.id).execution_options(yield_per=_AT_A_TIME)
    return (Existing._make(row) for row in tx.execute(statement))


def plan(tx: Tx, sheet: Sheet) -> Plan:
    return make_plan(sheet, roster(tx))


def basis(tx: Tx) -> int:
    found = 0
    for member in roster(tx):
        found = next_basis(found, member)
    return found


def is_empty(tx: Tx) -> bool:
    return bool(tx.scalar(select(func.count()).select_from(select(Member.id).limit(1).subquery())) == 0)


def links(tx: Tx) -> list[tuple[int, str, str | None]]:
    """Member id, LINE user id and LINE name of everybody who is linked and has not left."""
    statement = (
        select(Member.id, Member.line_user_id, Member.line_display_name)
        .where(Member.line_user_id.is_not(None), Member.withdrawn_at.is_(None))
        .order_by(Member.id)
    )
    rows: list[Any] = list(tx.execute(statement))
    return [(row.id, row.line_user_id, row.line_display_name) for row in rows]
