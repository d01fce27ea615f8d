"""Checkout Sessions: a page on which one person can pay once."""

from dataclasses import dataclass, field
from typing import Any

CARD, KONBINI = "card", "konbini"
METHODS = (CARD, KONBINI)
KONBINI_LEAST, KONBINI_MOST = 120, 300_000


@dataclass
class CheckoutSession:
    """A session. It begins open, and ends complete or expired."""

    id: str
    created: int
    expires_at: int
    livemode: bool
    page_url: str
    success_url: str
    cancel_url: str | None
    amount_total: int
    items: list[dict[str, Any]]
    methods: list[str]
    metadata: dict[str, str] = field(default_factory=dict)
    payment_metadata: dict[str, str] = field(default_factory=dict)
    client_reference_id: str | None = None
    customer_email: str | None = None
    locale: str | None = None
    submit_type: str | None = None
    konbini_days: int = 3
    currency: str = "jpy"
    status: str = "open"
    payment_status: str = "unpaid"
    payment_intent: str | None = None
    # The payment of attempts that failed. The session shows it when one of them succeeds.
    attempted_intent: str | None = None

    @property
    def is_open(self) -> bool:
        return self.status == "open"

    @property
    def offers_konbini(self) -> bool:
        return KONBINI in self.methods and KONBINI_LEAST <= self.amount_total <= KONBINI_MOST

    @property
    def return_url(self) -> str:
        """Where the page leads after the payment. Stripe fills in the id of the session."""
        return self.success_url.replace("{CHECKOUT_SESSION_ID}", self.id)

    def buyer(self) -> dict[str, Any]:
        return {
            "address": {
                "city": None,
                "country": "JP",
                "line1": None,
                "line2": None,
                "postal_code": None,
                "state": None,
            },
            "email": self.customer_email or "buyer@example.com",
            "name": "テスト 花子",
            "phone": None,
        }

    def line_items(self) -> dict[str, Any]:
        url = f"/v1/checkout/sessions/{self.id}/line_items"
        return {"object": "list", "data": self.items, "has_more": False, "url": url}

    def as_json(self) -> dict[str, Any]:
        methods = [method for method in self.methods if method != KONBINI or self.offers_konbini]
        days = {"konbini": {"expires_after_days": self.konbini_days}} if self.offers_konbini else {}
        done = self.status == "complete"
        return {
            "id": self.id,
            "object": "checkout.session",
            "after_expiration": None,
            "allow_promotion_codes": None,
            "amount_subtotal": self.amount_total,
            "amount_total": self.amount_total,
            "automatic_tax": {"enabled": False, "liability": None, "status": None},
            "billing_address_collection": None,
            "cancel_url": self.cancel_url,
            "client_reference_id": self.client_reference_id,
            "client_secret": None,
            "created": self.created,
            "currency": self.currency,
            "customer": None,
            "customer_details": {**self.buyer(), "tax_exempt": "none", "tax_ids": []} if done else None,
            "customer_email": self.customer_email,
            "expires_at": self.expires_at,
            "livemode": self.livemode,
            "locale": self.locale,
            "metadata": self.metadata,
            "mode": "payment",
            "payment_intent": self.payment_intent,
            "payment_link": None,
            "payment_method_collection": "if_required",
            "payment_method_options": days,
            "payment_method_types": methods,
            "payment_status": self.payment_status,
            "recovered_from": None,
            "setup_intent": None,
            "status": self.status,
            "submit_type": self.submit_type,
            "subscription": None,
            "success_url": self.success_url,
            "total_details": {"amount_discount": 0, "amount_shipping": 0, "amount_tax": 0},
            "ui_mode": "hosted_page",
            "url": self.page_url if self.is_open else None,
        }
