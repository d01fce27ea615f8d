"""Writes what became of the tasks for Stripe."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from tsudoi.booking.payments.service.tasks import TASKS
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.outbox.claims import complete, settle
from tsudoi.core.outbox.table import DONE, PENDING, Outcome, RetryPolicy
from tsudoi.gateway.clients.stripe_outcomes import StripeRefund

_NEW_KEY = RawSql("UPDATE payment_tasks SET idempotency_key = idempotency_key || '+' WHERE id = :id")
_KEEP_INTENT = RawSql("UPDATE payments SET payment_intent_id = :intent_id WHERE id = :id AND payment_intent_id IS NULL")
_NEVER_OPENED = RawSql(
    """UPDATE payments SET status = 'EXPIRED', updated_at = :now
    WHERE id = :id AND status = 'CREATING' AND session_expires_at <= :now"""
)
_FOUND_OUT = RawSql(
    """UPDATE payment_tasks SET status = 'DONE', refund_id = :refund_id, refund_status = :refund_status,
        last_error = NULL, updated_at = :now
    WHERE id = :id AND status IN ('DONE', 'UNKNOWN')"""
)


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What one attempt brought, and what is kept with the task."""

    outcome: Outcome
    error: str | None = None
    refund: StripeRefund | None = None
    # Stripe answers a failure again and again for this key, so the next attempt needs another one.
    needs_new_key: bool = False


def settle_task(tx: Tx, row: Row[Any], result: TaskResult, policy: RetryPolicy) -> str | None:
    """Returns the new state, or None when the lease was lost."""
    if result.outcome is Outcome.OK:
        refund = result.refund
        known = {} if refund is None else {"refund_id": refund.id, "refund_status": refund.status}
        if row.kind == "EXPIRE":
            end_unopened(tx, row.payment_id)
        return DONE if complete(tx, TASKS, row.id, row.lease_token, DONE, None, **known) else None
    state = settle(tx, TASKS, row, result.outcome, policy, result.error)
    if state == PENDING and result.needs_new_key:
        _NEW_KEY.changed(tx, {"id": row.id})
    return state


def end_unopened(tx: Tx, payment_id: int) -> None:
    """Nobody got the address of a page that Stripe never confirmed, so that nobody can pay there."""
    _NEVER_OPENED.changed(tx, {"id": payment_id, "now": utc_text(tx.now)})


def keep_intent(tx: Tx, payment_id: int, intent_id: str) -> None:
    _KEEP_INTENT.changed(tx, {"id": payment_id, "intent_id": intent_id})


def keep_refund(tx: Tx, task_id: int, refund: StripeRefund) -> None:
    """What Stripe says about a refund whose end we did not hear of."""
    given = {"id": task_id, "refund_id": refund.id, "refund_status": refund.status, "now": utc_text(tx.now)}
    _FOUND_OUT.changed(tx, given)
