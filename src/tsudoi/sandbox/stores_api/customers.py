"""Customers: the list with its filters, and one in detail."""

from starlette.responses import Response

from tsudoi.sandbox.outside import OutsideEndpoint, OutsideRequest
from tsudoi.sandbox.stores.records import listed_customer
from tsudoi.sandbox.stores.searching import CustomerSearch
from tsudoi.sandbox.stores_api.endpoint import detail_of, merchants_of, page_of
from tsudoi.sandbox.wire import OrjsonResponse


def list_customers(request: OutsideRequest) -> Response:
    account = request.world.stores
    behaviour = account.behaviour
    search = CustomerSearch(
        merchants_of(request),
        email=request.query("email") if behaviour.email_filter == "substring" else None,
        phone_number=request.query("phone_number") if behaviour.phone_filter == "exact" else None,
        name=request.query("name"),
    )
    found = [account.customers[number] for number in sorted(account.customers)]
    found = [record for record in found if search.finds(record)]
    if (request.query("sort") or "").endswith("_desc"):
        found.reverse()
    pagination, page = page_of(request, found)
    return OrjsonResponse({**pagination, "customers": [listed_customer(record) for record in page]})


def get_customer(request: OutsideRequest) -> Response:
    account = request.world.stores
    return OrjsonResponse({"customer": account.shown_customer(detail_of(request, account.customers))})


ENDPOINTS = [
    OutsideEndpoint("GET", "/customers", "stores_customers", list_customers),
    OutsideEndpoint("GET", "/customers/{id}", "stores_customer", get_customer),
]
