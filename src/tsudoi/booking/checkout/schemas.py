from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from tsudoi.booking.payments.schemas import PaymentStatus, RefundState
from tsudoi.booking.reservations.schemas import Cursor, Day, FileOptions, Reason, RowId, SearchText
from tsudoi.booking.wire import JstTime, WireIn, WireOut, example

_AT = "2025-10-01T09:00:00+09:00"
_REFUND: dict[str, Any] = {
    "status": "DONE",
    "amountJpy": 3000,
    "reason": "予約の取り消し",
    "requestedBy": "staff:7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
    "refundId": "re_1",
    "stripeStatus": "succeeded",
    "lastError": None,
    "createdAt": _AT,
    "updatedAt": _AT,
}
_PAYMENT: dict[str, Any] = {
    "id": 31,
    "reservationId": 501,
    "reservationState": "canceled",
    "reservationTypeName": "人間ドック オプション",
    "serviceDateLocal": "2025-11-10",
    "startMinuteOfDay": 540,
    "staffUid": "7f3c2a52-0d3e-4a5b-9a86-2f6f0d9b1e47",
    "staffId": "446752",
    "fullName": "山田太郎",
    "sequence": 1,
    "amountJpy": 3000,
    "status": "PAID",
    "expiresAt": "2025-10-01T09:31:00+09:00",
    "paidAt": "2025-10-01T09:05:00+09:00",
    "createdAt": _AT,
    "sessionId": "cs_test_a1",
    "paymentIntentId": "pi_1",
    "lastError": None,
    "refund": _REFUND,
    "refundable": False,
}
_MISMATCH: dict[str, Any] = {
    "eventId": "evt_1",
    "type": "checkout.session.completed",
    "reservationId": 501,
    "amount": 2000,
    "currency": "jpy",
    "livemode": False,
    "sessionId": "cs_test_a1",
    "paymentIntentId": "pi_1",
    "detail": "Stripe 2000 jpy, ours 3000 jpy",
    "receivedAt": _AT,
    "resolvedAt": None,
    "resolvedBy": None,
    "resolvedNote": None,
}


class StripeWebhookReceived(BaseModel):
    """The answer to Stripe: the event is stored."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"received": True}]})

    received: bool = Field(description="Always true.")


class PaymentFilters(BaseModel):
    """Which payments the office wants to see; what is absent does not limit them."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    status: PaymentStatus | None = Field(None, description="Only in this state.")
    refund: RefundState | None = Field(None, description="Only those that are paid back, and how far that is.")
    first_day: Day | None = Field(None, alias="from", description="Decided on this day (JST) or later.")
    last_day: Day | None = Field(None, alias="to", description="Decided on this day (JST) or earlier.")
    reservation_id: RowId | None = Field(None, description="Only of this reservation.")
    q: SearchText = Field("", description="A part of the name, its reading, or the number.")


class PaymentListing(PaymentFilters):
    """The filters, and which page."""

    limit: int = Field(50, ge=1, le=200, description="Items per page.")
    cursor: Cursor | None = Field(None, description="`nextCursor` of the page before.")


class PaymentExport(PaymentFilters, FileOptions):
    """The filters, and how the file is written."""


class RefundRequest(WireIn):
    """The reason for which the office pays a payment back."""

    model_config = example(reason="会場の都合で中止")

    reason: Reason = Field(description="Why the office pays back; kept in the audit trail.")


class MismatchNote(WireIn):
    """What the office did about a mismatch."""

    model_config = example(note="Stripe の管理画面で返金しました")

    note: Reason = Field(description="What was done; kept in the audit trail.")


class OfficeRefund(WireOut):
    """A refund as the office sees it."""

    status: RefundState = Field(description="`PENDING`: under way. `FAILED`: it can be asked for again.")
    amount_jpy: int = Field(description="In yen.")
    reason: str = Field(description="Why.")
    requested_by: str = Field(description="Who asked for it, as in the audit trail.")
    refund_id: str | None = Field(description="Stripe's id.")
    stripe_status: str | None = Field(description="Stripe's own word, such as `requires_action`.")
    last_error: str | None = Field(description="What Stripe said when it failed.")
    created_at: JstTime = Field(description="When it was decided.")
    updated_at: JstTime = Field(description="When it changed last.")


class OfficePayment(WireOut):
    """A payment as the office sees it."""

    model_config = example(**_PAYMENT)

    id: int = Field(description="The payment.")
    reservation_id: int = Field(description="The reservation.")
    reservation_state: Literal["held", "confirmed", "canceled"] = Field(description="Whether the seat is certain.")
    reservation_type_name: str = Field(description="What was reserved.")
    service_date_local: str = Field(description="The day in Japan.")
    start_minute_of_day: int = Field(description="When it begins, in minutes since midnight.")
    staff_uid: str = Field(description="The person.")
    staff_id: str = Field(description="The person's number.")
    full_name: str = Field(description="The person's name.")
    sequence: int = Field(description="Which page of the reservation this is, from 1.")
    amount_jpy: int = Field(description="In yen.")
    status: PaymentStatus = Field(description="As the person sees it.")
    expires_at: JstTime = Field(description="Until when the page is open.")
    paid_at: JstTime | None = Field(description="When it was paid.")
    created_at: JstTime = Field(description="When it was decided.")
    session_id: str | None = Field(description="Stripe's id of the page.")
    payment_intent_id: str | None = Field(description="Stripe's id of the payment.")
    last_error: str | None = Field(description="What went wrong last.")
    refund: OfficeRefund | None = Field(description="Null: nothing is paid back.")
    refundable: bool = Field(description="Whether the office can pay it back now.")


class StripeMismatch(WireOut):
    """Money that does not fit its reservation. A person has to look at it."""

    model_config = example(**_MISMATCH)

    event_id: str = Field(description="Stripe's id of the event.")
    type: str = Field(description="Its type.")
    reservation_id: int | None = Field(description="The reservation that it names.")
    amount: int | None = Field(description="What was paid.")
    currency: str | None = Field(description="In which currency.")
    livemode: bool | None = Field(description="Whether it is real money.")
    session_id: str | None = Field(description="Stripe's id of the page.")
    payment_intent_id: str | None = Field(description="Stripe's id of the payment.")
    detail: str | None = Field(description="What does not fit.")
    received_at: JstTime = Field(description="When it arrived.")
    resolved_at: JstTime | None = Field(description="When somebody took care of it; null: nobody has yet.")
    resolved_by: str | None = Field(description="Who did.")
    resolved_note: str | None = Field(description="What was done.")


class PaymentTotals(WireOut):
    """How many there are in all, whatever the filters."""

    waiting: int = Field(description="Seats that wait for their payment.")
    refunds_pending: int = Field(description="Refunds under way.")
    refunds_failed: int = Field(description="Refunds that need somebody.")
    mismatches: int = Field(description="Mismatches that nobody has taken care of.")


class OfficePaymentPage(WireOut):
    """Payments, the newest first, and the mismatches that nobody has taken care of."""

    model_config = example(
        items=[_PAYMENT],
        nextCursor=None,
        mismatches=[_MISMATCH],
        totals={"waiting": 1, "refundsPending": 0, "refundsFailed": 0, "mismatches": 1},
    )

    items: list[OfficePayment]
    next_cursor: str | None = Field(description="For the next page; null on the last one.")
    mismatches: list[StripeMismatch] = Field(description="The newest first, at most 100; on the first page only.")
    totals: PaymentTotals
