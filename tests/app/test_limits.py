"""G18: every write that a person without office rights may repeat has a limit. A new route without a row fails.

The limits of most routes are read from the route itself. Where a route counts in its verb, the row names the limit that
the verb counts; where it can be repeated without an effect, the row says why.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from tsudoi.access.admins.service import LOGINS_PER_CLIENT
from tsudoi.access.principals import AdminSession
from tsudoi.access.writes import TransactionRoute
from tsudoi.app import create_api
from tsudoi.booking.login.service import LOGINS_PER_PERSON, REFRESHES_PER_PERSON, TRIES_PER_CLIENT
from tsudoi.booking.profile.service import REGISTRATIONS_PER_CLIENT
from tsudoi.core.rate_limit import Limit
from tsudoi.events.answers.service import MORE_ANSWERS
from tsudoi.line.liff.service import EXCHANGES_PER_CLIENT, EXCHANGES_PER_USER
from tsudoi.roster.linking.endpoints import REGISTRATIONS
from tsudoi.shops.identity.service.proving import PER_CLIENT, PER_LINE_USER
from tsudoi.shops.snapshots.service import ONE_REFRESH

SIGNED = "only what the other system has signed is stored, and each event once"
ENDS_ONCE = "ends a session, which has a limit where it begins"

# What the route itself counts.
BY_ROUTE: dict[tuple[str, str], set[str]] = {
    ("POST", "/api/reservations"): {"booking", "booking-day"},
    ("PATCH", "/api/reservations/{reservation_id}"): {"changing", "changing-day"},
    ("DELETE", "/api/reservations/{reservation_id}"): {"changing", "changing-day"},
    ("POST", "/api/slots/{slot_id}/waiting"): {"waiting", "waiting-day"},
    ("DELETE", "/api/waiting/{place_id}"): {"waiting", "waiting-day"},
    ("POST", "/api/reservations/calendar-keys/renewal"): {"writes", "writes-day"},
    ("POST", "/api/reservations/{reservation_id}/payment"): {"paying"},
    ("POST", "/api/liff/calendar-keys/renewal"): {"writes", "writes-day"},
    ("POST", "/api/liff/threads/{thread_id}/respond"): {"thread-answer", "thread-answer-day"},
    ("POST", "/i/{token}/respond"): {"thread-answer", "thread-answer-day"},
    ("POST", "/api/liff/threads/{thread_id}/late"): {"thread-answer", "thread-answer-day"},
    ("POST", "/i/{token}/late"): {"thread-answer", "thread-answer-day"},
    ("POST", "/i/{token}/unsubscribe"): {"thread-mails"},
    ("POST", "/i/{token}/resubscribe"): {"thread-mails"},
    ("PATCH", "/api/staffs/me"): {"writes", "writes-day"},
    ("POST", "/api/staffs/pin/change"): {"staff-pin-change"},
    ("POST", "/api/staffs/me/line-link"): {"staff-line-link"},
    ("DELETE", "/api/staffs/me/line-link"): {"staff-line-link"},
    ("POST", "/api/liff/identity/confirm"): {"identity-confirm"},
}
# What its verb counts, or why nothing is counted.
BY_VERB: dict[tuple[str, str], tuple[Limit, ...] | str] = {
    ("POST", "/api/liff/events/{event_id}/respond"): (MORE_ANSWERS,),
    ("POST", "/api/liff/session"): (EXCHANGES_PER_CLIENT, *EXCHANGES_PER_USER),
    ("POST", "/api/liff/register"): (REGISTRATIONS,),
    ("POST", "/api/liff/register/handover"): (REGISTRATIONS,),
    ("POST", "/auth/login"): (TRIES_PER_CLIENT, *LOGINS_PER_PERSON),
    ("POST", "/auth/refresh"): REFRESHES_PER_PERSON,
    ("POST", "/auth/logout"): ENDS_ONCE,
    ("POST", "/api/staffs"): (REGISTRATIONS_PER_CLIENT,),
    ("POST", "/api/line/webhook"): SIGNED,
    ("POST", "/api/stripe/webhook"): SIGNED,
    ("POST", "/api/admin/login"): (LOGINS_PER_CLIENT,),
    ("POST", "/help/{store_code}/identify"): (PER_CLIENT,),
    ("POST", "/api/help/{store_code}/identify"): (PER_CLIENT,),
    ("POST", "/help/{store_code}/verify/{token}"): "a mailed link works once",
    ("POST", "/help/{store_code}/refresh"): (ONE_REFRESH,),
    ("POST", "/api/help/{store_code}/refresh"): (ONE_REFRESH,),
    ("POST", "/help/{store_code}/end"): ENDS_ONCE,
    ("POST", "/api/liff/identity"): (PER_CLIENT, PER_LINE_USER),
    ("POST", "/api/liff/shops/{store_code}/refresh"): (ONE_REFRESH,),
}


def routes() -> Iterator[APIRoute]:
    waiting: list[Any] = [create_api()]
    while waiting:
        here = waiting.pop()
        waiting.extend(getattr(here, "routes", ()) or ())
        waiting.extend(one for one in (getattr(here, "original_router", None), getattr(here, "app", None)) if one)
        if isinstance(here, APIRoute):
            yield here


def guards(dependant: Dependant) -> Iterator[Any]:
    yield dependant.call
    for one in dependant.dependencies:
        yield from guards(one)


def principal_of(route: APIRoute) -> type | None:
    declared = getattr(route, "_declared", None)
    kinds = [getattr(call, "kind", None) for call in guards(route.dependant)]
    return getattr(declared, "principal", None) or next((kind for kind in kinds if kind is not None), None)


def limits_of(route: APIRoute) -> set[str]:
    """Empty for a route that counts in its verb."""
    if isinstance(route, TransactionRoute) and getattr(route, "_declared", None) is not None:
        return {limit.name for limit in route.limits_per_principal}
    return {limit.name for call in guards(route.dependant) for limit in getattr(call, "limits", ())}


def writes() -> dict[tuple[str, str], APIRoute]:
    """The writes that the office's own principals are not needed for."""
    found: dict[tuple[str, str], APIRoute] = {}
    for route in routes():
        kind = principal_of(route)
        if kind is not None and issubclass(kind, AdminSession):
            continue
        for method in (route.methods or set()) - {"GET", "HEAD", "OPTIONS"}:
            found[method, route.path] = route
    return found


@pytest.mark.found("24.E7")
def test_every_write_of_a_person_has_a_row() -> None:
    assert set(writes()) == {*BY_ROUTE, *BY_VERB}


@pytest.mark.found("24.E7")
def test_the_rows_are_what_the_routes_count() -> None:
    found = writes()
    assert {row: limits_of(found[row]) for row in BY_ROUTE} == BY_ROUTE
    assert {row: limits_of(found[row]) for row in BY_VERB} == {row: set() for row in BY_VERB}
