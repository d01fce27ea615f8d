"""Asks Stripe about what a lost webhook may have left open, and applies the answers as a webhook would have."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row

from tsudoi.booking.checkout.jobs.events import receive_facts
from tsudoi.booking.checkout.queries import unsettled
from tsudoi.booking.checkout.rules.events import TYPES, facts_of, facts_of_session
from tsudoi.booking.checkout.service import settling
from tsudoi.booking.payments.service.opening import error_text, note_error
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.stripe import StripeClient
from tsudoi.gateway.clients.stripe_outcomes import (
    StripeEvent,
    StripeEventPage,
    StripeFailure,
    StripeRefused,
    StripeSession,
)

_MOST_ROWS = 200
_MOST_PAGES = 30
_NOT_FOUND = 404
# The hourly run shares its thread with the other jobs by the clock.
_SECONDS_BY_THE_CLOCK = 20.0


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that Stripe knew and we did not, or that does not fit together."""

    reservation_id: int | None
    what: str
    outcome: str


@dataclass(slots=True)
class Reconciliation:
    """What a run found. `complete` is False when Stripe did not answer, or the time was over."""

    asked: int = 0
    differences: list[Difference] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    complete: bool = True


def reconcile_by_the_clock(runtime: Runtime) -> Reconciliation | None:
    if not runtime.settings.payments_on:
        return None
    return reconcile(runtime, time.monotonic() + _SECONDS_BY_THE_CLOCK)


def reconcile(runtime: Runtime, until: float = float("inf")) -> Reconciliation:
    """`until`: of `time.monotonic`. What is left then is asked in the next run."""
    run = _ReconcileRun(runtime, until)
    for row in runtime.db.read_now(unsettled.open_payments, _MOST_ROWS):
        run.ask_about_page(row)
    for event in run.missing_events():
        run.apply(event)
    for row in runtime.db.read_now(unsettled.open_refunds, _MOST_ROWS):
        run.ask_about_refund(row)
    for row in runtime.db.read_now(unsettled.paid_but_held):
        run.found.differences.append(Difference(row.reservation_id, f"payment {row.id} is paid, seat is held", "OPEN"))
    return run.found


class _ReconcileRun:
    """One reconciliation. After the first failure Stripe is not asked any more: it would cost seconds each time."""

    def __init__(self, runtime: Runtime, until: float) -> None:
        self._runtime = runtime
        self._stripe = runtime.part(StripeClient)
        self._until = until
        self.found = Reconciliation()

    def ask_about_page(self, row: Row[Any]) -> None:
        if row.session_id is None:
            if row.session_expires_at <= self._runtime.db.clock.now():
                self._runtime.db.write_now(settling.end_unopened, row.id)
            return
        if self._must_end():
            return
        session = self._stripe.session(row.session_id)
        self.found.asked += 1
        if not isinstance(session, StripeSession):
            self._fail(session, row.id)
            difference = Difference(row.reservation_id, f"page {row.session_id}", error_text(session))
            self.found.differences.append(difference)
            return
        facts = facts_of_session(session)
        outcome = None if facts is None else receive_facts(self._runtime, facts)
        if outcome is not None:
            what = f"page {session.id} is {session.status}, {session.payment_status}"
            self.found.differences.append(Difference(row.reservation_id, what, outcome))

    def missing_events(self) -> Iterator[StripeEvent]:
        """Those that were not stored, the oldest first, as they happened."""
        since, page_id, missing = unsettled.events_since(self._runtime.db.clock.now()), None, list[StripeEvent]()
        for _ in range(_MOST_PAGES):
            if self._must_end():
                return
            page = self._stripe.events(TYPES, since, page_id)
            self.found.asked += 1
            if not isinstance(page, StripeEventPage):
                self._fail(page)
                return
            ids = [event.id for event in page.events]
            known = self._runtime.db.read_now(unsettled.known_events, ids) if ids else set()
            missing += [event for event in page.events if event.id not in known]
            page_id = page.next_page
            if page_id is None:
                break
        yield from reversed(missing)

    def apply(self, event: StripeEvent) -> None:
        facts = facts_of(event)
        outcome = None if facts is None else receive_facts(self._runtime, facts)
        if facts is not None and outcome is not None and outcome not in _NO_NEWS:
            self.found.differences.append(Difference(facts.reservation_id, f"event {event.id} {event.type}", outcome))

    def ask_about_refund(self, row: Row[Any]) -> None:
        if self._must_end():
            return
        refunds = self._stripe.refunds_of(row.payment_intent_id)
        self.found.asked += 1
        if not isinstance(refunds, tuple):
            self._fail(refunds)
            return
        wanted = next((one for one in refunds if row.refund_id in (None, one.id)), None)
        if wanted is not None and (row.status == "UNKNOWN" or wanted.status != row.refund_status):
            self._runtime.db.write_now(settling.keep_refund, row.id, wanted)
            what = f"refund {wanted.id} is {wanted.status}"
            self.found.differences.append(Difference(row.reservation_id, what, "APPLIED"))

    def _must_end(self) -> bool:
        over = time.monotonic() >= self._until or self._runtime.stopping.is_set() or bool(self.found.errors)
        self.found.complete = self.found.complete and not over
        return over

    def _fail(self, failure: StripeFailure, payment_id: int | None = None) -> None:
        if payment_id is not None:
            self._runtime.db.write_now(note_error, payment_id, error_text(failure))
        if payment_id is None or not isinstance(failure, StripeRefused) or failure.status != _NOT_FOUND:
            self.found.errors.append(error_text(failure))
            self.found.complete = False


# Events that another one of the same payment has told us already, or that are about something else.
_NO_NEWS = frozenset(
    {"APPLIED ALREADY_PAID", "APPLIED ENDED_BEFORE", "APPLIED REFUND_NOTED", "IGNORED UNKNOWN_RESERVATION"}
)
