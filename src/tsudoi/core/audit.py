"""The audit trail: who did what, when and why, with the values before and after.

Each row contains the hash of the row before it, and `audit_head` keeps the last hash. An edited, removed or reordered
row breaks this chain, and `tsudoi audit verify` finds the place.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import structlog
from sqlalchemy import Row, func, insert, select

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.models import AuditHead, AuditLog

FIRST_HASH = "0" * 64
# Raw SQL, because every reservation writes a row. This statement locks the head of the chain on PostgreSQL.
_TAKE_IDS = RawSql("UPDATE audit_head SET last_id = last_id + :number WHERE id = 1 RETURNING last_id, last_hash")
_ADD = RawSql(
    """INSERT INTO audit_logs (id, at, actor, action, subject, reason, old, new, request_id, previous_hash, hash)
    VALUES (:id, :at, :actor, :action, :subject, :reason, :old, :new, :request_id, :previous_hash, :hash)"""
)
_SET_HASH = RawSql("UPDATE audit_head SET last_hash = :hash WHERE id = 1")
_HASHED = ("id", "at", "actor", "action", "subject", "reason", "old", "new", "request_id", "previous_hash")


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """The result of checking the hash chain: how many rows are intact, and where and why it is broken."""

    checked: int
    head: str
    broken_at: int | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class AuditEntryDraft:
    """One action about one subject, before it has a place in the chain."""

    action: str
    subject: str
    old: dict[str, Any] | None = None
    new: dict[str, Any] | None = None


def record(
    tx: Tx,
    actor: str,
    action: str,
    subject: str,
    *,
    reason: str | None = None,
    old: dict[str, Any] | None = None,
    new: dict[str, Any] | None = None,
) -> None:
    """Add a row. Call this last in a verb, because on PostgreSQL it locks the chain until the commit."""
    record_all(tx, actor, [AuditEntryDraft(action, subject, old, new)], reason=reason)


def record_all(tx: Tx, actor: str, entries: Sequence[AuditEntryDraft], *, reason: str | None = None) -> None:
    """Add many rows at once, for a verb that changes thousands of things."""
    if not entries:
        return
    taken = _TAKE_IDS.first(tx, {"number": len(entries)})
    assert taken is not None  # noqa: S101 (the first migration writes this row)
    last_id, last_hash = taken
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    rows: list[dict[str, Any]] = []
    for number, entry in enumerate(entries, last_id - len(entries) + 1):
        row: dict[str, Any] = {
            "id": number,
            "at": utc_text(tx.now),
            "actor": actor,
            "action": entry.action,
            "subject": entry.subject,
            "reason": reason,
            "old": _json(entry.old),
            "new": _json(entry.new),
            "request_id": request_id,
            "previous_hash": last_hash,
        }
        row["hash"] = last_hash = row_hash(row)
        rows.append(row)
    if len(rows) == 1:
        _ADD.changed(tx, rows[0])
    else:
        tx.execute(insert(AuditLog), rows)
    _SET_HASH.changed(tx, {"hash": last_hash})


def newest_entries(tx: ReadTx, actions: Collection[str], subjects: Collection[str]) -> dict[str, Row[Any]]:
    """The newest row of these actions for each subject, by subject: `at`, `actor`, `reason`, and `new` as JSON text."""
    newest = (
        select(func.max(AuditLog.id)).where(AuditLog.subject.in_(subjects), AuditLog.action.in_(actions))
    ).group_by(AuditLog.subject)
    columns = (AuditLog.subject, AuditLog.at, AuditLog.actor, AuditLog.reason, AuditLog.new)
    return {row.subject: row for row in tx.execute(select(*columns).where(AuditLog.id.in_(newest)))}


def row_hash(row: dict[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps([row[name] for name in _HASHED])).hexdigest()


def verify(tx: ReadTx) -> ChainCheck:
    previous, expected_id = FIRST_HASH, 1
    for row in tx.execute(select(AuditLog).order_by(AuditLog.id)).yield_per(1000).mappings():
        why = _flaw(dict(row), expected_id, previous)
        if why is not None:
            return ChainCheck(expected_id - 1, previous, broken_at=expected_id, why=why)
        previous, expected_id = row["hash"], expected_id + 1
    head = tx.execute(select(AuditHead.last_id, AuditHead.last_hash).where(AuditHead.id == 1)).one()
    if (head.last_id, head.last_hash) != (expected_id - 1, previous):
        return ChainCheck(expected_id - 1, previous, broken_at=expected_id, why="rows are missing at the end")
    return ChainCheck(expected_id - 1, previous)


def _flaw(row: dict[str, Any], expected_id: int, previous: str) -> str | None:
    if row["id"] != expected_id:
        return "a row is missing"
    if row["previous_hash"] != previous:
        return "the link to the row before is broken"
    if row["hash"] != row_hash(row):
        return "the row was changed"
    return None


def _json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
