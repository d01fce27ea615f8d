"""Who did what, when, why, and what it was before.

Each row carries the hash of the one before it, and `audit_head` remembers the last: an edited, removed or reordered row
breaks the chain, and `tsudoi audit verify` finds the place.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

import orjson
import structlog
from sqlalchemy import insert, select, update

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.models import AuditHead, AuditLog

FIRST_HASH = "0" * 64
_HASHED = ("id", "at", "actor", "action", "subject", "reason", "old", "new", "request_id", "previous_hash")


@dataclass(frozen=True, slots=True)
class ChainCheck:
    checked: int
    head: str
    broken_at: int | None = None
    why: str | None = None


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
    """Call it last in a verb: on PostgreSQL it holds the chain's lock until the commit."""
    head = tx.execute(select(AuditHead.last_id, AuditHead.last_hash).where(AuditHead.id == 1).with_for_update()).one()
    row: dict[str, Any] = {
        "id": head.last_id + 1,
        "at": utc_text(tx.now),
        "actor": actor,
        "action": action,
        "subject": subject,
        "reason": reason,
        "old": _json(old),
        "new": _json(new),
        "request_id": structlog.contextvars.get_contextvars().get("request_id"),
        "previous_hash": head.last_hash,
    }
    row["hash"] = row_hash(row)
    tx.execute(insert(AuditLog).values(**row))
    tx.execute(update(AuditHead).where(AuditHead.id == 1).values(last_id=row["id"], last_hash=row["hash"]))


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
