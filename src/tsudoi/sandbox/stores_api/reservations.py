"""Reservations: the list with its filters, and one in detail."""

from starlette.responses import Response

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.outside import OutsideEndpoint, OutsideRequest
from tsudoi.sandbox.stores.searching import ReservationSearch, order_of
from tsudoi.sandbox.stores_api.endpoint import detail_of, merchants_of, moment_of, page_of
from tsudoi.sandbox.wire import OrjsonResponse


def list_reservations(request: OutsideRequest) -> Response:
    account, order = request.world.stores, order_of(request.query("sort"))
    if order is None:
        raise Refusal(400, "sort is invalid")
    search = ReservationSearch(
        merchants_of(request),
        status=request.query("status"),
        start_from=moment_of(request, "booking_start_from"),
        start_to=moment_of(request, "booking_start_to"),
        made_from=moment_of(request, "booking_made_from"),
        made_to=moment_of(request, "booking_made_to"),
    )
    key, backwards = order
    found = sorted(filter(search.finds, account.reservations.values()), key=key, reverse=backwards)
    pagination, page = page_of(request, found)
    return OrjsonResponse({**pagination, "reservations": [account.shown_reservation(record) for record in page]})


def get_reservation(request: OutsideRequest) -> Response:
    account = request.world.stores
    return OrjsonResponse({"reservation": account.shown_reservation(detail_of(request, account.reservations))})


ENDPOINTS = [
    OutsideEndpoint("GET", "/reservations", "stores_reservations", list_reservations),
    OutsideEndpoint("GET", "/reservations/{id}", "stores_reservation", get_reservation),
]
