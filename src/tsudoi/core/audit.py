"""The audit trail: who did what, when and why, with the values before and after.

Each row contains the hash of the row before it, and `audit_head` keeps the last hash. An edited, removed or reordered
row breaks this chain, and `tsudoi audit verify` finds the place.

With `AUDIT_KEY` a hash is an HMAC, so that nobody who can write to the database alone can compute the chain anew. A
signed hash begins with the id of its key. Once a row is signed, all rows after it have to be. The rows before it keep
their plain hashes, and the first signed row covers them, because it contains the hash of the last one.
"""

import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import orjson
import structlog
from sqlalchemy import Row, func, insert, select

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.errors import Unavailable
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


class AuditKeyMissing(Unavailable):
    """The audit trail is signed, and this process has no key. A row without a signature would look like a forgery."""

    default_message = (
        "操作の記録に署名する鍵（AUDIT_KEY）が設定されていないため、変更できません。システムの担当者に連絡してください。"
        " / the audit trail is signed, and AUDIT_KEY is not set"
    )


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """The result of checking the hash chain: how many rows are intact, and where and why it is broken."""

    checked: int
    head: str
    broken_at: int | None = None
    why: str | None = None
    # The first row that is signed with a key; None: no row is.
    signed_from: int | None = None


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
    signing_key = next(iter(tx.audit_keys), None)
    if signing_key is None and is_signed(last_hash):
        raise AuditKeyMissing
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
        row["hash"] = last_hash = row_hash(row, signing_key)
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


def row_hash(row: Mapping[str, Any], key: bytes | None = None) -> str:
    """The hash of everything in the row but the hash itself, signed with the key if there is one."""
    content = orjson.dumps([row[name] for name in _HASHED])
    if key is None:
        return hashlib.sha256(content).hexdigest()
    return f"{key_id(key)}:{hmac.new(key, content, hashlib.sha256).hexdigest()}"


def key_id(key: bytes) -> str:
    """Names the key without telling anything about it, so that a changed key is not taken for a changed row."""
    return hmac.new(key, b"tsudoi audit key", hashlib.sha256).hexdigest()[:12]


def is_signed(hash_text: str) -> bool:
    return ":" in hash_text


def head(tx: ReadTx) -> tuple[int, str]:
    """The number of rows, and the hash of the last one."""
    found = tx.execute(select(AuditHead.last_id, AuditHead.last_hash).where(AuditHead.id == 1)).one()
    return found.last_id, found.last_hash


def begin_signing(tx: Tx) -> None:
    """Write the row that marks the change to a new key, so that from now on an unsigned chain is a forged one.

    Every server calls this when it starts. Raises `AuditKeyMissing` where the key was taken away.
    """
    key, last_hash = next(iter(tx.audit_keys), None), head(tx)[1]
    if key is None and is_signed(last_hash):
        raise AuditKeyMissing
    if key is not None and not last_hash.startswith(f"{key_id(key)}:"):
        record(tx, "start", "AUDIT_KEY", "audit", new={"key_id": key_id(key)})


def verify(tx: ReadTx, heads: Mapping[int, str] = MappingProxyType({})) -> ChainCheck:
    """Check every row with the keys of this installation, and that the chain has the `heads` that were noted elsewhere.

    `heads`: hashes by the number of their row.
    """
    keys = {key_id(key): key for key in tx.audit_keys}
    previous, expected_id, signed_from = FIRST_HASH, 1, None
    for row in tx.execute(select(AuditLog).order_by(AuditLog.id)).yield_per(1000).mappings():
        why = _flaw(dict(row), expected_id, previous, keys, signed=signed_from is not None)
        if why is None and heads.get(expected_id, row["hash"]) != row["hash"]:
            why = "another hash was noted for this row: the chain was computed anew"
        if why is not None:
            return ChainCheck(expected_id - 1, previous, expected_id, why, signed_from)
        if signed_from is None and is_signed(row["hash"]):
            signed_from = expected_id
        previous, expected_id = row["hash"], expected_id + 1
    why = _flaw_at_the_end(tx, expected_id - 1, previous, heads, signed=signed_from is not None)
    return ChainCheck(expected_id - 1, previous, None if why is None else expected_id, why, signed_from)


def _flaw(
    row: Mapping[str, Any], expected_id: int, previous: str, keys: Mapping[str, bytes], *, signed: bool
) -> str | None:
    if row["id"] != expected_id:
        return "a row is missing"
    if row["previous_hash"] != previous:
        return "the link to the row before is broken"
    name, colon, _ = row["hash"].partition(":")
    if colon and name not in keys:
        return "AUDIT_KEY does not have the key that signed this row"
    if signed and not colon:
        return "the row is not signed, but an earlier one is"
    if row["hash"] != row_hash(row, keys[name] if colon else None):
        return "the row was changed"
    return None


def _flaw_at_the_end(tx: ReadTx, last_id: int, last_hash: str, heads: Mapping[int, str], *, signed: bool) -> str | None:
    if head(tx) != (last_id, last_hash):
        return "rows are missing at the end"
    if max(heads, default=0) > last_id:
        return f"row {max(heads)} was noted and is missing: rows were removed, or an older backup was restored"
    if tx.audit_keys and last_id and not signed:
        return "no row is signed with AUDIT_KEY: no server has started since it was set, or the chain was computed anew"
    return None


def _json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
