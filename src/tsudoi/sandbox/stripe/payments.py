"""Payments, their charges and their refunds."""

from dataclasses import dataclass, field
from typing import Any

from tsudoi.sandbox.stripe.sessions import CARD, KONBINI


@dataclass
class PaymentIntent:
    """One payment. A konbini payment waits in `requires_action` until the buyer has been to the shop."""

    id: str
    created: int
    amount: int
    livemode: bool
    client_secret: str
    metadata: dict[str, str]
    method: str = CARD
    status: str = "requires_payment_method"
    latest_charge: str | None = None
    failure: dict[str, Any] | None = None
    # Until when a konbini payment can be made, in seconds.
    payable_until: int | None = None
    voucher_url: str | None = None

    def as_json(self) -> dict[str, Any]:
        paid = self.status == "succeeded"
        return {
            "id": self.id,
            "object": "payment_intent",
            "amount": self.amount,
            "amount_received": self.amount if paid else 0,
            "canceled_at": None,
            "cancellation_reason": "automatic" if self.status == "canceled" else None,
            "capture_method": "automatic_async",
            "client_secret": self.client_secret,
            "created": self.created,
            "currency": "jpy",
            "customer": None,
            "description": None,
            "last_payment_error": self.failure,
            "latest_charge": self.latest_charge,
            "livemode": self.livemode,
            "metadata": self.metadata,
            "next_action": self._next_action(),
            "payment_method_types": [self.method],
            "receipt_email": None,
            "status": self.status,
        }

    def _next_action(self) -> dict[str, Any] | None:
        if self.status != "requires_action":
            return None
        numbers = {"confirmation_number": "09012345678", "payment_code": "123456"}
        details = {
            "expires_at": self.payable_until,
            "hosted_voucher_url": self.voucher_url,
            "stores": dict.fromkeys(("familymart", "lawson", "ministop", "seicomart"), numbers),
        }
        return {"type": "konbini_display_details", "konbini_display_details": details}


@dataclass
class Charge:
    """The money that was taken for a payment."""

    id: str
    created: int
    amount: int
    livemode: bool
    payment_intent: str
    method: str
    buyer: dict[str, Any]
    metadata: dict[str, str]
    receipt_url: str
    amount_refunded: int = 0

    def as_json(self) -> dict[str, Any]:
        card = {"brand": "visa", "country": "JP", "exp_month": 12, "exp_year": 2034, "last4": "4242"}
        konbini = {"store": {"chain": "familymart"}}
        return {
            "id": self.id,
            "object": "charge",
            "amount": self.amount,
            "amount_captured": self.amount,
            "amount_refunded": self.amount_refunded,
            "billing_details": self.buyer,
            "captured": True,
            "created": self.created,
            "currency": "jpy",
            "livemode": self.livemode,
            "metadata": self.metadata,
            "paid": True,
            "payment_intent": self.payment_intent,
            "payment_method_details": {"type": self.method, self.method: konbini if self.method == KONBINI else card},
            "receipt_url": self.receipt_url,
            "refunded": self.amount_refunded >= self.amount,
            "status": "succeeded",
        }


@dataclass
class Refund:
    """Money that goes back. A konbini refund waits until the buyer has told Stripe a bank account."""

    id: str
    created: int
    amount: int
    charge: str
    payment_intent: str
    status: str
    reason: str | None = None
    metadata: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "refund",
            "amount": self.amount,
            "balance_transaction": None,
            "charge": self.charge,
            "created": self.created,
            "currency": "jpy",
            "failure_reason": "declined" if self.status == "failed" else None,
            "metadata": self.metadata,
            "payment_intent": self.payment_intent,
            "reason": self.reason,
            "receipt_number": None,
            "status": self.status,
        }
