"""The events of the last 30 days, from which the product reads what a lost webhook did not tell."""

from typing import Any

from tsudoi.sandbox.stripe.events import LIFE_SECONDS, Event
from tsudoi.sandbox.stripe.refusals import invalid, no_such, unknown_url
from tsudoi.sandbox.stripe_api.endpoint import StripeEndpoint, StripeRequest
from tsudoi.sandbox.stripe_api.lists import PAGING, page

_MOST_TYPES = 20


def list_events(request: StripeRequest) -> dict[str, Any]:
    given = request.parameters()
    given.only("type", "types", "delivery_success", *PAGING)
    one, types = given.text("type"), given.texts("types")
    if one is not None and types:
        raise invalid("You may only specify one of these parameters: type, types.", "types")
    if len(types) > _MOST_TYPES:
        raise invalid(f"Array types exceeded maximum {_MOST_TYPES} allowed elements.", "types")
    delivered = given.one_of("delivery_success", ("true", "false"))
    found = [
        event
        for event in _remembered(request)
        if (one is None or _matches(event.type, one))
        and (not types or event.type in types)
        and (delivered is None or event.delivered == (delivered == "true"))
    ]
    return page("/v1/events", found, given)


def _matches(kind: str, wanted: str) -> bool:
    """`charge.*` stands for all types of charges."""
    return kind.startswith(wanted[:-1]) if wanted.endswith(".*") else kind == wanted


def get_event(request: StripeRequest) -> dict[str, Any]:
    for event in _remembered(request):
        if event.id == request.path("id"):
            return event.as_json()
    raise no_such("event", request.path("id"), "id")


def _remembered(request: StripeRequest) -> list[Event]:
    return [event for event in request.account.events.values() if request.now - event.created < LIFE_SECONDS]


def unknown(request: StripeRequest) -> dict[str, Any]:
    raise unknown_url(request.http.method, request.http.url.path)


ENDPOINTS = [
    StripeEndpoint("GET", "/v1/events", "stripe_events", list_events),
    StripeEndpoint("GET", "/v1/events/{id}", "stripe_events", get_event),
    # The last one, for everything that is not known here.
    *(StripeEndpoint(method, "/v1/{path:path}", "stripe_list", unknown) for method in ("GET", "POST", "DELETE")),
]
