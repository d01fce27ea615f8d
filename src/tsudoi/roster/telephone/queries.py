from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sqlalchemy import ColumnElement, func, or_, select

from tsudoi.access.registration import TelephoneKind
from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.telephone.errors import NoSuchCall
from tsudoi.roster.telephone.models import TelephoneCall
from tsudoi.roster.telephone.schemas import TelephoneItem, TelephoneKindItem, TelephoneList

_MOST = 1_000
Kinds = Mapping[str, TelephoneKind]


def telephone_list(tx: ReadTx, kinds: Kinds, kind: str | None, *, open_only: bool) -> TelephoneList:
    """The longest waiting first. Without `open_only` also the calls that were made, but none that became needless."""
    wanted = select(TelephoneCall).where(_is_needed(tx) if open_only else TelephoneCall.closed_at.is_(None))
    if kind is not None:
        wanted = wanted.where(TelephoneCall.kind == kind)
    rows = tx.execute(wanted.order_by(TelephoneCall.since, TelephoneCall.id).limit(_MOST + 1)).all()
    return TelephoneList(
        items=[item_of(row, kinds) for row in rows[:_MOST]], kinds=_kinds(tx, kinds), truncated=len(rows) > _MOST
    )


def one_call(tx: ReadTx, kinds: Kinds, call_id: int) -> TelephoneItem:
    row = tx.execute(select(TelephoneCall).where(TelephoneCall.id == call_id)).one_or_none()
    if row is None:
        raise NoSuchCall
    return item_of(row, kinds)


def open_calls(tx: ReadTx) -> int:
    """How many people are to be called now."""
    return int(tx.scalar(select(func.count()).select_from(TelephoneCall).where(_is_needed(tx))))


def calls_about(tx: ReadTx, kind: str, subject_id: str) -> dict[str, Any]:
    """By person: the newest call about this subject that is open or was made."""
    mine = (TelephoneCall.kind == kind, TelephoneCall.subject_id == subject_id, TelephoneCall.closed_at.is_(None))
    return {row.person_key: row for row in tx.execute(select(TelephoneCall).where(*mine).order_by(TelephoneCall.id))}


def _is_needed(tx: ReadTx) -> ColumnElement[bool]:
    still = or_(TelephoneCall.until_at.is_(None), TelephoneCall.until_at > tx.now)
    return TelephoneCall.done_at.is_(None) & TelephoneCall.closed_at.is_(None) & still


def _kinds(tx: ReadTx, kinds: Kinds) -> list[TelephoneKindItem]:
    counted = select(TelephoneCall.kind, func.count().label("number")).where(_is_needed(tx))
    numbers = {row.kind: row.number for row in tx.execute(counted.group_by(TelephoneCall.kind))}
    return [TelephoneKindItem(kind=name, label=one.label, open=numbers.get(name, 0)) for name, one in kinds.items()]


def item_of(row: Any, kinds: Kinds) -> TelephoneItem:
    path = kinds[row.kind].path if row.kind in kinds else None
    values = {name: getattr(row, name) for name in TelephoneItem.model_fields if name != "url"}
    return TelephoneItem(**values, url=path and path.replace("{id}", quote(row.subject_id, safe="")))
