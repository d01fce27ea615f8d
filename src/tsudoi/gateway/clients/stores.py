"""The client of STORES 予約: the four addresses that read, and nothing that writes.

The token belongs to a shop and comes with each call, so that no call can be made with the token of another shop.
"""

import re
from collections.abc import Mapping
from functools import partial
from urllib.parse import urlencode

from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.outside_answers import Credential, OutsideAnswer, ask_outside
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest
from tsudoi.gateway.masking import allowed_body

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_STATUS = re.compile(r"[a-z_]{1,40}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,16}(Z|[+-][0-9]{2}:?[0-9]{2})")
_COUNT = re.compile(r"[0-9]{1,6}")
# All that the log keeps of a body: STORES knows names, addresses, birthdays, allergies and emergency contacts.
_LOGGED = {
    **dict.fromkeys(
        (
            "canonical_id",
            "merchant_canonical_id",
            "customer_canonical_id",
            "product_canonical_id",
            "booking_service_canonical_id",
        ),
        _ID,
    ),
    **dict.fromkeys(("status", "contract_status"), _STATUS),
    **dict.fromkeys(("booking_start", "checkout_at", "latest_changed_at", "checked_in_at"), _TIME),
    **dict.fromkeys(("page", "total", "num_attendees", "remaining_tickets"), _COUNT),
}
_mask = partial(allowed_body, allowed=_LOGGED)


class StoresClient:
    """Reads customers and reservations. No method raises: a failure is a value too."""

    def __init__(self, api_base: str, gateway: HttpGateway) -> None:
        self._api_base = api_base
        self._gateway = gateway

    @staticmethod
    def of(settings: Settings, gateway: HttpGateway) -> "StoresClient":
        return StoresClient(settings.stores_api_base, gateway)

    def customers(self, token: str, query: Mapping[str, str], policy: CallPolicy) -> OutsideAnswer:
        return self._get("customers", f"/customers?{urlencode(query)}", token, policy)

    def customer(self, token: str, customer_id: int, policy: CallPolicy) -> OutsideAnswer:
        return self._get("customer", f"/customers/{customer_id}", token, policy)

    def reservations(self, token: str, query: Mapping[str, str], policy: CallPolicy) -> OutsideAnswer:
        return self._get("reservations", f"/reservations?{urlencode(query)}", token, policy)

    def reservation(self, token: str, reservation_id: int, policy: CallPolicy) -> OutsideAnswer:
        return self._get("reservation", f"/reservations/{reservation_id}", token, policy)

    def _get(self, operation: str, path: str, token: str, policy: CallPolicy) -> OutsideAnswer:
        url = f"{self._api_base}{path}"
        request = HttpRequest("stores", operation, "GET", url, policy, body_mask=_mask)
        return ask_outside(self._gateway, request, Credential("Authorization", f"Bearer {token}", token))
