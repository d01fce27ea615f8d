"""The drift report: what the contexts find about people that no longer fits together."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.core.person_sources import DriftCheck
from tsudoi.roster.people.errors import UnknownFinding
from tsudoi.roster.people.schemas import DriftFinding, DriftItem, DriftReport, RecordName


def drift_report(tx: ReadTx, checks: Iterable[DriftCheck], limit: int) -> DriftReport:
    """All findings with the beginning of their lists."""
    return DriftReport(findings=[_finding(tx, check, limit, 0) for check in checks])


def one_finding(tx: ReadTx, checks: Iterable[DriftCheck], code: str, limit: int, cursor: str | None) -> DriftReport:
    check = next((check for check in checks if check.code == code), None)
    if check is None:
        raise UnknownFinding
    start = 0 if cursor is None else int(decode_cursor(cursor, int)[0])
    return DriftReport(findings=[_finding(tx, check, limit, max(0, start))])


def _finding(tx: ReadTx, check: DriftCheck, limit: int, start: int) -> DriftFinding:
    """A page by its position: the report is read once and acted on, and needs no place that survives changes."""
    found = check.statement()
    rows = tx.execute(found.add_columns(func.count().over().label("total")).limit(limit).offset(start)).all()
    if rows or start == 0:
        total = rows[0].total if rows else 0
    else:
        total = tx.scalar(select(func.count()).select_from(found.order_by(None).subquery()))
    following = start + len(rows)
    return DriftFinding(
        code=check.code,
        title=check.title,
        advice=check.advice,
        total=total,
        items=[_item(row, check.path) for row in rows],
        next_cursor=encode_cursor(following) if rows and following < total else None,
    )


def _item(row: Any, path: str) -> DriftItem:
    other = (
        None if row.other_id is None else RecordName(kind=row.other_kind, id=row.other_id, name=row.other_name or "")
    )
    return DriftItem(
        record=RecordName(kind=row.kind, id=row.id, name=row.name or ""),
        other=other,
        note=row.note,
        path=path.format(id=row.id, place=row.place or ""),
    )
