from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.booking.office import audited, code, fault, office
from tests.factories.product import Product
from tests.factories.shops import add, make_call, make_shop, make_ticket
from tests.product_fixtures import sqlite_only
from tsudoi.alarms.escalation.models import EscalationAttempt
from tsudoi.alarms.tickets.models import Ticket

ALL = "/api/admin/tickets"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


def test_tickets_are_listed_filtered_and_counted(product: Product, http: httpx2.Client) -> None:
    db, now = product.db, product.db.clock.now()
    shop = make_shop(db)
    first = make_ticket(db, shop_id=shop, dedupe_key="a", occurrences=4)
    second = make_ticket(db, dedupe_key="b", status="acknowledged")
    third = make_ticket(db, shop_id=shop, dedupe_key="a2", status="closed", closed_at_utc=now)
    said = http.get(ALL).json()
    assert [ticket["id"] for ticket in said["tickets"]] == [third, second, first]
    assert said["counts"] == {"open": 1, "acknowledged": 1, "closed": 1}
    assert said["next_before"] is None
    assert {name: said["tickets"][2][name] for name in ("shop_name", "occurrences", "opened_at", "details")} == {
        "shop_name": "名古屋栄店",
        "occurrences": 4,
        "opened_at": "2025-08-16T12:00:00+09:00",
        "details": {"component": "StoresGateway.get_customer"},
    }
    of_shop = http.get(ALL, params={"shop_id": shop, "status": "open"}).json()
    assert [ticket["id"] for ticket in of_shop["tickets"]] == [first]
    assert of_shop["counts"] == {"open": 1, "acknowledged": 0, "closed": 1}
    page = http.get(ALL, params={"limit": 2}).json()
    assert page["next_before"] == second
    rest = http.get(ALL, params={"before": page["next_before"]}).json()["tickets"]
    assert [ticket["id"] for ticket in rest] == [first]


def test_a_ticket_shows_what_the_channels_did_and_which_calls_failed(product: Product, http: httpx2.Client) -> None:
    db = product.db
    ticket = make_ticket(db, request_id="0b7c2f6e-7a55-4c0b-9f0e-1f6a3c1d2e3f")
    other = make_call(db, request_id="another")
    calls = [
        make_call(db, request_id="0b7c2f6e-7a55-4c0b-9f0e-1f6a3c1d2e3f", attempt=n, status_code=500) for n in (1, 2)
    ]
    attempt = {"ticket_id": ticket, "kind": "alarm", "channel": "chatwork", "outcome": "sent"}
    add(db, EscalationAttempt, **attempt, attempted_at_utc=db.clock.now())
    shown = http.get(f"{ALL}/{ticket}").json()
    assert [call["id"] for call in shown["calls"]] == calls
    assert other not in calls
    assert shown["attempts"] == [
        {
            "kind": "alarm",
            "channel": "chatwork",
            "outcome": "sent",
            "reason": None,
            "attempted_at": "2025-08-16T12:00:00+09:00",
        }
    ]


def test_a_ticket_is_taken_on_and_closed_once(product: Product, http: httpx2.Client) -> None:
    ticket = make_ticket(product.db)
    taken = http.post(f"{ALL}/{ticket}/acknowledge", json={"note": "見ています"}).json()
    assert (taken["status"], taken["acknowledged_by"]) == ("acknowledged", "admin:jimukyoku")
    assert http.post(f"{ALL}/{ticket}/acknowledge", json={}).json() == taken
    done = http.post(f"{ALL}/{ticket}/close", json={"note": "復旧を確認"}).json()
    assert (done["status"], done["closed_by"], done["closed_at"]) == (
        "closed",
        "admin:jimukyoku",
        "2025-08-16T12:00:00+09:00",
    )
    for action in ("close", "acknowledge"):
        assert code(http.post(f"{ALL}/{ticket}/{action}", json={})) == (409, "TICKET_CLOSED")
    assert [row["reason"] for row in audited(product.db, "TICKET_CLOSE")] == ["復旧を確認"]
    assert len(audited(product.db, "TICKET_ACKNOWLEDGE")) == 1


@sqlite_only
def test_bad_input_changes_nothing(product: Product, http: httpx2.Client) -> None:
    ticket = make_ticket(product.db)
    before = product.rows(Ticket)
    wrong: tuple[Any, ...] = ({"note": ""}, {"note": "x" * 201}, {"note": 5}, {"note": "a\0"}, {"status": "open"}, [])
    for body in wrong:
        assert http.post(f"{ALL}/{ticket}/close", json=body).status_code == 400, body
    assert fault(http.get(ALL, params={"status": "gone"})) == (400, "status", "NOT_ALLOWED")
    assert http.get(f"{ALL}/999").status_code == 404
    assert http.post(f"{ALL}/999/close", json={}).status_code == 404
    assert product.rows(Ticket) == before
