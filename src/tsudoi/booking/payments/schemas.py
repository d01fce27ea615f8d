from typing import Any, Literal

from pydantic import Field

from tsudoi.booking.wire import JstTime, WireOut, example

PAYMENT: dict[str, Any] = {
    "checkoutUrl": "https://checkout.stripe.com/c/pay/cs_test_a1",
    "expiresAt": "2025-10-01T09:31:00+09:00",
    "amountJpy": 3000,
    "status": "OPEN",
    "refund": None,
}
PaymentStatus = Literal["CREATING", "OPEN", "WAITING", "PAID", "EXPIRED", "FAILED"]
RefundState = Literal["PENDING", "DONE", "FAILED"]
_STATUS = (
    "`CREATING`: Stripe has not opened the page yet. `OPEN`: the page waits for the payment. `WAITING`: the person has"
    " a konbini slip. `PAID`. `EXPIRED`: the page was closed unpaid. `FAILED`: the page could not be opened, or the"
    " payment failed."
)


class RefundItem(WireOut):
    """A refund as the person who paid sees it."""

    status: RefundState = Field(description="`PENDING`: under way. `FAILED`: the office takes care of it.")
    amount_jpy: int = Field(description="In yen.")


class PaymentItem(WireOut):
    """The payment of a reservation, as the person who has to pay sees it."""

    model_config = example(**PAYMENT)

    checkout_url: str | None = Field(
        description="Stripe's payment page while one can pay there; null: ask for it with `POST …/payment`."
    )
    expires_at: JstTime = Field(description="Until when the page is open.")
    amount_jpy: int = Field(description="In yen.")
    status: PaymentStatus = Field(description=_STATUS)
    refund: RefundItem | None = Field(description="Null: nothing is paid back.")
