"""Opens payment pages at Stripe, right after the transaction that decided so.

The request and its key were fixed in that transaction. If the process dies in between, a repeated request sends the
same bytes with the same key, so that Stripe opens one page only.
"""

from dataclasses import replace

import orjson
import structlog

from tsudoi.booking.payments.service.opening import PaymentPage, payment_page, record_page
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.core.idempotency import Reply
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.stripe import StripeClient, StripeConfig
from tsudoi.gateway.http import HttpGateway

_log = structlog.stdlib.get_logger(__name__)

# The first payment of a reservation is decided together with it.
FIRST = 1
_CREATED = 201
_NOTHING_TO_PAY = b'"payment":null'


def stripe_client(runtime: Runtime) -> StripeClient:
    return StripeClient(StripeConfig.of(runtime.settings), runtime.part(HttpGateway))


async def with_page(runtime: Runtime, reply: Reply) -> Reply:
    """The reply of a booking, with the address of the payment page if there is something to pay.

    A repeated request gets the same bytes once there is a page: they depend on the stored payment alone.
    """
    if reply.status != _CREATED or _NOTHING_TO_PAY in reply.body:
        return reply
    body = orjson.loads(reply.body)
    page = await page_of(runtime, body["id"], FIRST)
    if page is not None and page.checkout_url is not None:
        body["payment"] |= {"checkoutUrl": page.checkout_url, "status": "OPEN"}
    elif page is not None:
        body["payment"] |= {"status": page.status}
    return replace(reply, body=orjson.dumps(body))


async def page_of(runtime: Runtime, reservation_id: int, sequence: int) -> PaymentPage | None:
    """The payment, after Stripe was asked for its page if it has none. Stripe may be silent; then there is none yet."""
    stripe = runtime.part(StripeClient)
    threads, pool = runtime.part(HttpGateway).threads, stripe.policies.write.pool
    try:
        await threads.run(pool, open_page, runtime, reservation_id, sequence, if_busy=None)
        return await runtime.db.read(payment_page, reservation_id, sequence)
    except DatabaseUnavailable:
        # The booking is stored; the person can ask for the page again.
        _log.exception("payment_page_not_recorded", reservation_id=reservation_id)
        return None


def open_page(runtime: Runtime, reservation_id: int, sequence: int) -> None:
    page = runtime.db.read_now(payment_page, reservation_id, sequence)
    if page is None or page.status != "CREATING":
        return
    outcome = runtime.part(StripeClient).create_session(page.request_body, page.idempotency_key)
    runtime.db.write_now(record_page, page.payment_id, outcome)
