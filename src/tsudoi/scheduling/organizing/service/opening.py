"""A thread that is about to be changed: locked, and in a state that allows it."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, case, update

from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.scheduling.decision.queries import lock_thread
from tsudoi.scheduling.organizing.errors import DeadlineIsOver
from tsudoi.scheduling.organizing.queries.status import deciding_facts, evaluation_now
from tsudoi.scheduling.organizing.queries.thread import head, thread_row
from tsudoi.scheduling.organizing.schemas.responses import ThreadChanged
from tsudoi.scheduling.organizing.service.checking import expiry
from tsudoi.scheduling.thread.errors import ThreadCancelled, ThreadFinalized
from tsudoi.scheduling.thread.models import ThreadInvite


def locked(tx: Tx, thread_id: str) -> Row[Any]:
    """The thread, which nobody else can change or answer until the commit."""
    lock_thread(tx, thread_id)
    return thread_row(tx, thread_id)


def locked_open(tx: Tx, thread_id: str) -> Row[Any]:
    """The same, while slots, people and the rule may still be changed."""
    row = locked(tx, thread_id)
    require_open(row)
    return row


def require_open(row: Row[Any]) -> None:
    if row.status == "cancelled":
        raise ThreadCancelled
    if row.status == "finalized":
        raise ThreadFinalized("日程はすでに決まっています。変える場合は、先に決定を取り消してください。")


def require_time_to_answer(row: Row[Any], now: datetime) -> None:
    if row.deadline_at is not None and row.deadline_at <= now:
        raise DeadlineIsOver


def renew(tx: Tx, thread_id: str, expires_at: datetime, keys: list[str] | None = None) -> None:
    """Give these people, or everybody whose time is over, time to answer until then."""
    statement = update(ThreadInvite).where(ThreadInvite.thread_id == thread_id)
    if keys is None:
        statement = statement.where(ThreadInvite.expires_at <= tx.now)
    else:
        statement = statement.where(ThreadInvite.invitee_key.in_(keys))
    status = case((ThreadInvite.status == "expired", "pending"), else_=ThreadInvite.status)
    tx.execute(statement.values(expires_at=expires_at, status=status))


def new_expiry(row: Row[Any], now: datetime) -> datetime:
    return expiry(now, row.deadline_at)


def changed(tx: ReadTx, thread_id: str, told: int = 0) -> ThreadChanged:
    """The thread as it is now."""
    evaluation = evaluation_now(deciding_facts(tx, thread_id).facts, tx.now)
    return ThreadChanged(thread=head(thread_row(tx, thread_id)), evaluation=evaluation, told=told)
