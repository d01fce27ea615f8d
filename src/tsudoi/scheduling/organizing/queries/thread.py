"""The rows of one thread as the office sees them. Rows that other programs wrote are shown as far as possible."""

from dataclasses import dataclass
from typing import Any, get_args

import orjson
from sqlalchemy import Row, Text, select, type_coerce
from sqlalchemy import cast as sql_cast

from tsudoi.access.admins.models import AdminUser
from tsudoi.core.db.interface import ReadTx
from tsudoi.scheduling.decision.rules.facts import RuleType
from tsudoi.scheduling.organizing.schemas.responses import (
    FullThread,
    RuleHead,
    ThreadHead,
    ThreadSlotItem,
)
from tsudoi.scheduling.thread.errors import NoSuchThread
from tsudoi.scheduling.thread.models import AttendanceRule, SchedulingSlot, SchedulingThread

RULE_TYPES = frozenset(get_args(RuleType))
_HEAD = ("id", "title", "description", "organizer_user_id")
_SWITCHES = ("decide_at_deadline", "remind_before_deadline", "maybe_allowed", "answers_visible")
_SHOWN = (
    *("timezone", "place", "deadline_at", "mail_subject", "sent_at", "cancelled_at", "cancel_reason"),
    *("sequence", "revision", "event_id"),
)


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A rule row whose JSON can be read."""

    version: int
    raw: dict[str, Any]
    text: str
    finalize_policy: str


def thread_row(tx: ReadTx, thread_id: str) -> Row[Any]:
    """All columns; the two times that other programs may write in another form are text."""
    columns = [
        column for column in SchedulingThread.__table__.columns if column.key not in ("created_at", "updated_at")
    ]
    created, updated = (type_coerce(SchedulingThread.created_at, Text), type_coerce(SchedulingThread.updated_at, Text))
    statement = select(*columns, created.label("created_at"), updated.label("updated_at"))
    row = tx.execute(statement.where(SchedulingThread.id == thread_id)).one_or_none()
    if row is None:
        raise NoSuchThread
    return row


def head(row: Row[Any]) -> ThreadHead:
    return ThreadHead(
        **{name: getattr(row, name) for name in _HEAD}, status=row.status or "draft", created_at=row.created_at
    )


def full_thread(tx: ReadTx, row: Row[Any]) -> FullThread:
    return FullThread(
        **head(row).model_dump(),
        **{name: getattr(row, name) for name in _SHOWN},
        **{name: bool(getattr(row, name)) for name in _SWITCHES},
        updated_at=row.updated_at,
        organizer_name=organizer_names(tx, [row.organizer_user_id]).get(row.organizer_user_id),
    )


def organizer_names(tx: ReadTx, user_ids: list[str]) -> dict[str, str]:
    """The log-in name behind `admin:<id>`; accounts that no longer exist are missing."""
    wanted = {user_id.removeprefix("admin:") for user_id in user_ids if user_id.startswith("admin:")}
    known = select(AdminUser.id, AdminUser.username).where(sql_cast(AdminUser.id, Text).in_(wanted))
    return {f"admin:{row.id}": row.username for row in tx.execute(known)} if wanted else {}


def rule_of(tx: ReadTx, thread_id: str) -> StoredRule | None:
    """None: there is none, or it is no rule that anybody could understand."""
    columns = (
        AttendanceRule.version,
        type_coerce(AttendanceRule.rule_json, Text).label("text"),
        AttendanceRule.finalize_policy,
    )
    row = tx.execute(select(*columns).where(AttendanceRule.thread_id == thread_id)).one_or_none()
    try:
        raw = None if row is None else orjson.loads(row.text)
    except orjson.JSONDecodeError:
        raw = None
    if row is None or not isinstance(raw, dict) or raw.get("type") not in RULE_TYPES:
        return None
    return StoredRule(row.version, raw, row.text, row.finalize_policy)


def rule_head(thread_id: str, rule: StoredRule) -> RuleHead:
    return RuleHead(
        thread_id=thread_id, type=rule.raw["type"], rule_json=rule.raw, finalize_policy=rule.finalize_policy
    )


def slot_items(tx: ReadTx, thread_id: str) -> list[ThreadSlotItem]:
    """In the order of time, also where rows have different offsets."""
    columns = (
        SchedulingSlot.slot_id,
        SchedulingSlot.thread_id,
        SchedulingSlot.start_at,
        SchedulingSlot.end_at,
        SchedulingSlot.timezone,
        SchedulingSlot.label,
    )
    found = tx.execute(select(*columns).where(SchedulingSlot.thread_id == thread_id)).mappings()
    items = [ThreadSlotItem(**row) for row in found]
    return sorted(items, key=lambda slot: (slot.start_at, slot.end_at, slot.slot_id))
