"""The questions to STORES for a page. API_COMM blocks and never raises, so it runs in threads of its own."""

import uuid
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Literal

from tsudoi.core.runtime import Runtime
from tsudoi.gateway.api_comm.facade import ApiComm
from tsudoi.gateway.http import HttpGateway, Pool
from tsudoi.shops.snapshots.rules.customers import (
    UNASKED,
    CustomerSnapshot,
    broken,
    failed,
    gone,
    resolved,
    with_customer,
)
from tsudoi.shops.snapshots.rules.outcomes import http_status

Channel = Literal["help", "line"]
# Somebody stands in front of a door. After this time the page says that it cannot tell at the moment.
_POOL = Pool("stores_pages", 8, timedelta(seconds=12))
_NO_ANSWER = failed("STORES_CUSTOMER_LOOKUP_FAILED", 503)


class _Questions:
    """The questions of one request of a visitor: they share a request id, so that the call log shows them together."""

    def __init__(self, runtime: Runtime, shop_id: int, channel: Channel) -> None:
        self._comm = runtime.part(ApiComm)
        # It is never taken from the visitor's request, because API_COMM remembers answers under it.
        self._request_id = str(uuid.uuid4())
        self._common = {
            "request_id": self._request_id,
            "channel": channel,
            "actor_type": "customer",
            "shop_id": shop_id,
        }

    def ask(self, operation: str, **payload: str) -> dict[str, Any]:
        return self._comm.call(operation, {**self._common, "payload": payload}).as_dict()

    def asked(self, question: Callable[["_Questions"], CustomerSnapshot]) -> CustomerSnapshot:
        """Runs in a thread. Afterwards API_COMM may forget the answers of this request."""
        try:
            return question(self)
        finally:
            self._comm.forget(self._request_id)

    def by_contact(self, contact: Mapping[str, str]) -> CustomerSnapshot:
        result = self.ask("stores.resolve_customer_by_contact", **contact)
        return self._with_reservations(resolved(result, http_status(result)))

    def by_link(self, line_user_id: str) -> CustomerSnapshot:
        result = self.ask("stores.resolve_customer_by_line_user", line_user_id=line_user_id)
        if result["status"] != "success":
            return failed(result["code"], http_status(result))
        if result["code"] == "STORES_CUSTOMER_LINK_BROKEN":
            return broken(result["data"]["link"]["stores_customer_id"])
        if result["data"]["customer"] is None:
            # The link was removed a moment ago.
            return UNASKED
        found = CustomerSnapshot("found", code=result["code"])
        return self._with_reservations(with_customer(found, result["data"]["customer"]))

    def _with_reservations(self, snapshot: CustomerSnapshot) -> CustomerSnapshot:
        """A customer is known, but his reservations are only in the detail."""
        if snapshot.state != "found" or snapshot.reservations_known or snapshot.stores_customer_id is None:
            return snapshot
        detail = self.ask("stores.get_customer", stores_customer_id=snapshot.stores_customer_id)
        customer = (detail["data"] or {}).get("customer")
        return snapshot if customer is None else with_customer(snapshot, customer)

    def again(self, stores_customer_id: str) -> CustomerSnapshot:
        detail = self.ask("stores.get_customer", stores_customer_id=stores_customer_id)
        status = http_status(detail)
        if detail["status"] != "success":
            return failed(detail["code"], status)
        customer = detail["data"]["customer"]
        if customer is None:
            return gone(detail["code"], status)
        return with_customer(CustomerSnapshot("found", code=detail["code"]), customer)


async def identify(runtime: Runtime, shop_id: int, channel: Channel, contact: Mapping[str, str]) -> CustomerSnapshot:
    """Who this is, by mail address, phone number and name, and the reservations: two questions at most."""
    return await _asked(runtime, shop_id, channel, lambda questions: questions.by_contact(contact))


async def identify_by_link(runtime: Runtime, shop_id: int, line_user_id: str) -> CustomerSnapshot:
    """Who this is, by the link of the LINE user, and the reservations: two questions at most."""
    return await _asked(runtime, shop_id, "line", lambda questions: questions.by_link(line_user_id))


async def read_again(runtime: Runtime, shop_id: int, channel: Channel, stores_customer_id: str) -> CustomerSnapshot:
    """The customer and the reservations as they are now: one question."""
    return await _asked(runtime, shop_id, channel, lambda questions: questions.again(stores_customer_id))


async def _asked(
    runtime: Runtime, shop_id: int, channel: Channel, question: Callable[[_Questions], CustomerSnapshot]
) -> CustomerSnapshot:
    questions = _Questions(runtime, shop_id, channel)
    return await runtime.part(HttpGateway).threads.run(_POOL, questions.asked, question, if_busy=_NO_ANSWER)
