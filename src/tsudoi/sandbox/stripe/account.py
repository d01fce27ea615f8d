"""Everything that a Stripe account holds, and what buyers and the product do with it.

Nothing here awaits anything, so a check and the change after it are never separated.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tsudoi.sandbox.calls import WebhookLog
from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.stripe import ids, refusals
from tsudoi.sandbox.stripe.events import NO_REQUEST, Cause, Event, WebhookQueue
from tsudoi.sandbox.stripe.idempotency import IdempotencyKeys
from tsudoi.sandbox.stripe.payments import Charge, PaymentIntent, Refund
from tsudoi.sandbox.stripe.sessions import CARD, KONBINI, CheckoutSession

_DECLINED = {
    "code": "card_declined",
    "decline_code": "generic_decline",
    "message": "Your card was declined.",
    "type": "card_error",
}
_VOUCHER_EXPIRED = {
    "code": "payment_intent_payment_attempt_expired",
    "message": "The latest payment attempt of the PaymentIntent has expired.",
    "type": "invalid_request_error",
}


@dataclass(frozen=True)
class RefundRequest:
    """What the product asks for. Without an amount everything that is left is refunded."""

    charge: Charge
    amount: int | None = None
    reason: str | None = None
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass
class StripeAccount:
    """The objects of the account by id, in the order in which they were made."""

    sessions: dict[str, CheckoutSession] = field(default_factory=dict)
    payment_intents: dict[str, PaymentIntent] = field(default_factory=dict)
    charges: dict[str, Charge] = field(default_factory=dict)
    refunds: dict[str, Refund] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    keys: IdempotencyKeys = field(default_factory=IdempotencyKeys)
    queue: WebhookQueue = field(default_factory=WebhookQueue)
    webhook_log: WebhookLog = field(default_factory=WebhookLog)
    _looked_at: int = 0

    def pay_by_card(self, session: CheckoutSession, now: int) -> list[Event]:
        intent = self._attempt(session, CARD, now)
        session.status, session.payment_intent = "complete", intent.id
        charge = self._take_money(session, intent, now)
        return self._emit(
            now,
            ("payment_intent.succeeded", intent.as_json()),
            ("charge.succeeded", charge.as_json()),
            ("checkout.session.completed", session.as_json()),
        )

    def decline_card(self, session: CheckoutSession, now: int) -> list[Event]:
        """The session stays open, and the buyer can try again."""
        intent = self._attempt(session, CARD, now)
        intent.status, intent.failure = "requires_payment_method", _DECLINED
        return self._emit(now, ("payment_intent.payment_failed", intent.as_json()))

    def choose_konbini(self, session: CheckoutSession, now: int) -> list[Event]:
        """The buyer gets a number to pay with. The session is complete, and nothing is paid."""
        intent = self._attempt(session, KONBINI, now)
        last_day = datetime.fromtimestamp(now, JST) + timedelta(days=session.konbini_days)
        intent.payable_until = int(last_day.replace(hour=23, minute=59, second=59, microsecond=0).timestamp())
        intent.status, intent.voucher_url = "requires_action", session.page_url.partition("#")[0]
        session.status, session.payment_intent = "complete", intent.id
        return self._emit(
            now,
            ("payment_intent.requires_action", intent.as_json()),
            ("checkout.session.completed", session.as_json()),
        )

    def pay_at_konbini(self, session: CheckoutSession, now: int) -> list[Event]:
        intent = self.payment_intents[str(session.payment_intent)]
        charge = self._take_money(session, intent, now)
        return self._emit(
            now,
            ("payment_intent.succeeded", intent.as_json()),
            ("charge.succeeded", charge.as_json()),
            ("checkout.session.async_payment_succeeded", session.as_json()),
        )

    def miss_konbini(self, session: CheckoutSession, now: int) -> list[Event]:
        """The buyer never went to the shop."""
        intent = self.payment_intents[str(session.payment_intent)]
        intent.status, intent.failure = "requires_payment_method", _VOUCHER_EXPIRED
        return self._emit(
            now,
            ("payment_intent.payment_failed", intent.as_json()),
            ("checkout.session.async_payment_failed", session.as_json()),
        )

    def waits_for_konbini(self, session: CheckoutSession) -> bool:
        intent = self.payment_intents.get(session.payment_intent or "")
        return intent is not None and intent.status == "requires_action"

    def expire(self, session: CheckoutSession, now: int, cause: Cause = NO_REQUEST) -> list[Event]:
        if not session.is_open:
            raise refusals.not_open(session.status)
        session.status = "expired"
        happened = [("checkout.session.expired", session.as_json())]
        intent = self.payment_intents.get(session.attempted_intent or "")
        if intent is not None:
            intent.status = "canceled"
            happened.append(("payment_intent.canceled", intent.as_json()))
        return self._emit(now, *happened, cause=cause)

    def let_time_pass(self, now: int) -> bool:
        """Whether anything ended: sessions at their end, and konbini payments after their last day.

        Every call comes here, so it looks once a second: with thousands of sessions it would cost more than the call.
        """
        if now == self._looked_at:
            return False
        self._looked_at = now
        ended = [session for session in self.sessions.values() if session.is_open and session.expires_at <= now]
        for session in ended:
            self.expire(session, now)
        missed = [
            session
            for session in self.sessions.values()
            if self.waits_for_konbini(session)
            and (self.payment_intents[str(session.payment_intent)].payable_until or 0) < now
        ]
        for session in missed:
            self.miss_konbini(session, now)
        return bool(ended or missed)

    def refund(self, wanted: RefundRequest, now: int, cause: Cause = NO_REQUEST) -> Refund:
        charge = wanted.charge
        left = charge.amount - charge.amount_refunded
        if left == 0:
            raise refusals.already_refunded(charge.id)
        amount = left if wanted.amount is None else wanted.amount
        if amount > left:
            raise refusals.refund_too_large(amount, left)
        charge.amount_refunded += amount
        refund = Refund(
            ids.new_payment_id("re"),
            now,
            amount,
            charge.id,
            charge.payment_intent,
            # For a konbini payment Stripe first asks the buyer for a bank account.
            "requires_action" if charge.method == KONBINI else "succeeded",
            wanted.reason,
            wanted.metadata,
        )
        self.refunds[refund.id] = refund
        happened = (("refund.created", refund.as_json()), ("charge.refunded", charge.as_json()))
        self._emit(now, *happened, cause=cause)
        return refund

    def settle_refund(self, refund: Refund, status: str, now: int) -> list[Event]:
        """A refund that waited succeeds, or any refund fails, and the money stays with the shop."""
        if status == "failed" and refund.status != "failed":
            self.charges[refund.charge].amount_refunded -= refund.amount
        refund.status = status
        happened = [("refund.updated", refund.as_json())]
        if status == "failed":
            happened.append(("refund.failed", refund.as_json()))
        return self._emit(now, *happened)

    def announce(self, kind: str, content: dict[str, Any], now: int) -> list[Event]:
        """Any event, for tests: of an unknown type, or about an object that does not exist."""
        return self._emit(now, (kind, content))

    def _attempt(self, session: CheckoutSession, method: str, now: int) -> PaymentIntent:
        """All attempts of one session belong to one payment."""
        intent = self.payment_intents.get(session.attempted_intent or "")
        if intent is None:
            intent_id = ids.new_payment_id("pi")
            intent = PaymentIntent(
                intent_id,
                now,
                session.amount_total,
                session.livemode,
                ids.new_secret(intent_id),
                dict(session.payment_metadata),
            )
            self.payment_intents[intent.id] = intent
            session.attempted_intent = intent.id
        intent.method, intent.failure = method, None
        return intent

    def _take_money(self, session: CheckoutSession, intent: PaymentIntent, now: int) -> Charge:
        session.payment_status, intent.status = "paid", "succeeded"
        charge = Charge(
            ids.new_payment_id("ch"),
            now,
            intent.amount,
            intent.livemode,
            intent.id,
            intent.method,
            session.buyer(),
            dict(intent.metadata),
            f"{session.page_url.partition('/c/pay/')[0]}/receipts/{intent.id}",
        )
        self.charges[charge.id] = charge
        intent.latest_charge = charge.id
        return charge

    def _emit(self, now: int, *happened: tuple[str, dict[str, Any]], cause: Cause = NO_REQUEST) -> list[Event]:
        events = [
            Event(ids.new_event_id(), kind, now, content.get("livemode") is True, content, cause)
            for kind, content in happened
        ]
        self.events.update({event.id: event for event in events})
        self.queue.batches.append([event.id for event in events])
        return events
