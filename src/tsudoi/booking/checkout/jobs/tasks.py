"""The worker's loop over what Stripe has to do: pay back, and close pages. Each task has one key for all attempts."""

from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy import Row

from tsudoi.booking.checkout.jobs.events import receive_facts
from tsudoi.booking.checkout.queries.payments import StoredPayment, stored_payment
from tsudoi.booking.checkout.rules.events import facts_of_session
from tsudoi.booking.checkout.service import settling
from tsudoi.booking.checkout.service.settling import TaskResult
from tsudoi.booking.payments.service.opening import error_text
from tsudoi.booking.payments.service.tasks import TASKS
from tsudoi.core.clock import parse_utc
from tsudoi.core.outbox.claims import take
from tsudoi.core.outbox.table import Outcome, RetryPolicy
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.stripe import StripeClient
from tsudoi.gateway.clients.stripe_forms import refund_form
from tsudoi.gateway.clients.stripe_outcomes import StripeFailure, StripeRefund, StripeRefused, StripeSession

_log = structlog.stdlib.get_logger(__name__)

LEASE = timedelta(minutes=2)
BATCH_SIZE = 4
# Stripe remembers a key for a day. With these delays the attempts of 23 hours are fewer than the limit.
POLICY = RetryPolicy(first_delay=timedelta(seconds=2), most_attempts=200, give_up_after=timedelta(hours=23))
_ALREADY_REFUNDED = "charge_already_refunded"
_WRONG_KEY = (401, 403)


def do_due_tasks(runtime: Runtime) -> int:
    """Claim the tasks that are due, call Stripe for each, and settle it. Without Stripe's keys they wait."""
    if not runtime.settings.payments_on:
        return 0
    rows = runtime.db.write_now(take, TASKS, POLICY, LEASE, BATCH_SIZE)
    for row in rows:
        if runtime.stopping.is_set():
            break
        result = _attempt(runtime, row)
        if not runtime.db.write_now(settling.settle_task, row, result, POLICY):
            _log.warning("payment_task_lease_lost", task_id=row.id)
    return len(rows)


def _attempt(runtime: Runtime, row: Row[Any]) -> TaskResult:
    if runtime.db.clock.now() >= row.lease_until:
        return TaskResult(Outcome.NOT_NOW, "the lease ran out")
    payment = runtime.db.read_now(stored_payment, row.payment_id)
    assert payment is not None  # noqa: S101 (a foreign key)
    try:
        return _pay_back(runtime, row, payment) if row.kind == "REFUND" else _close_page(runtime, row, payment)
    except Exception as unexpected:  # noqa: BLE001 (one bad task must not stop the others)
        _log.exception("payment_task_failed", task_id=row.id)
        return TaskResult(Outcome.UNKNOWN, type(unexpected).__name__)


def _pay_back(runtime: Runtime, row: Row[Any], payment: StoredPayment) -> TaskResult:
    stripe = runtime.part(StripeClient)
    intent_id = payment.payment_intent_id
    if intent_id is None and payment.session_id is not None:
        session = stripe.session(payment.session_id)
        if not isinstance(session, StripeSession):
            return _failed(session)
        intent_id = session.payment_intent
        if intent_id is not None:
            runtime.db.write_now(settling.keep_intent, payment.id, intent_id)
    if intent_id is None:
        return TaskResult(Outcome.REFUSED, "Stripe's id of the payment is not known")
    named = {"reservation_id": str(payment.reservation_id), "payment_key": payment.idempotency_key}
    body = refund_form(intent_id, amount_jpy=row.amount_jpy, metadata=named)
    answer = stripe.refund(body, row.idempotency_key)
    if isinstance(answer, StripeRefund):
        return TaskResult(Outcome.OK, refund=answer)
    is_done = isinstance(answer, StripeRefused) and answer.code == _ALREADY_REFUNDED
    needs_new_key = not isinstance(answer, StripeRefused) and answer.replayed
    if is_done or needs_new_key:
        refunds = stripe.refunds_of(intent_id)
        known = next((one for one in refunds if one.status != "failed"), None) if isinstance(refunds, tuple) else None
        if is_done or known is not None:
            return TaskResult(Outcome.OK, refund=known)
    failed = _failed(answer)
    return TaskResult(failed.outcome, failed.error, needs_new_key=needs_new_key)


def _close_page(runtime: Runtime, row: Row[Any], payment: StoredPayment) -> TaskResult:
    if payment.status not in ("CREATING", "OPEN", "EXPIRED"):
        return TaskResult(Outcome.OK)
    if payment.session_id is None:
        # The request that opens the page may be under way at this moment, or its answer was lost.
        over = parse_utc(payment.session_expires_at) <= runtime.db.clock.now()
        return TaskResult(Outcome.OK) if over else TaskResult(Outcome.NOT_NOW, "Stripe has not opened the page yet")
    stripe = runtime.part(StripeClient)
    answer = stripe.expire_session(payment.session_id, row.idempotency_key)
    if isinstance(answer, StripeRefused) and answer.status not in _WRONG_KEY:
        # It is not open any more. Somebody may have paid in the last moment.
        answer = stripe.session(payment.session_id)
    if not isinstance(answer, StripeSession):
        return _failed(answer)
    facts = facts_of_session(answer)
    if facts is not None:
        receive_facts(runtime, facts)
    return TaskResult(Outcome.OK)


def _failed(failure: StripeFailure) -> TaskResult:
    if isinstance(failure, StripeRefused):
        # A wrong key is the fault of the settings, and the same call succeeds when they are right again.
        outcome = Outcome.NOT_NOW if failure.status in _WRONG_KEY else Outcome.REFUSED
        return TaskResult(outcome, error_text(failure))
    return TaskResult(Outcome.UNKNOWN if failure.maybe_done else Outcome.NOT_NOW, error_text(failure))
