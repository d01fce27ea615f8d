"""Answers are never deleted, so nobody may add thousands of them."""

from collections.abc import Callable
from datetime import timedelta

import httpx2

from tests.factories.events import make_event, make_members
from tests.factories.product import Product
from tests.roster.members.people import code
from tsudoi.core.clock import ManualClock
from tsudoi.events.answers.models import EventResponse

Phone = Callable[[int], httpx2.Client]
MOST = 30


def send(http: httpx2.Client, event_id: int, key: str | None = None) -> httpx2.Response:
    headers = {} if key is None else {"idempotency-key": key}
    return http.post(f"/api/liff/events/{event_id}/respond", json={"status": "attend"}, headers=headers)


def test_thirty_a_minute_of_one_member(product: Product, phone: Phone, clock: ManualClock) -> None:
    event_id = make_event(product.db, make_members(product.db, 101, 102))
    http = phone(101)
    first = send(http, event_id, "key-0")
    heard = [send(http, event_id, f"key-{n}").status_code for n in range(1, MOST)]
    assert {first.status_code, *heard} == {201}
    refused = send(http, event_id, "one more")
    assert code(refused) == (429, "RATE_LIMITED")
    assert "しばらくしてから" in refused.json()["message"]
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    again = send(http, event_id, "key-0")
    assert (again.status_code, again.content) == (201, first.content), "a known key is no further answer"
    assert send(phone(102), event_id).status_code == 201, "everybody has a limit of their own"
    clock.advance(timedelta(minutes=1))
    assert send(http, event_id, "one more").status_code == 201
    assert len(product.rows(EventResponse)) == MOST + 2


def test_many_events_do_not_help(product: Product, phone: Phone) -> None:
    """A few answers to each event are free, and the others are counted together."""
    members = make_members(product.db, 101)
    events = [make_event(product.db, members) for _ in range(3)]
    http = phone(101)
    heard = [send(http, events[n % 3]).status_code for n in range(60)]
    assert heard == [201] * 40 + [429] * 20


def test_repeated_requests_do_not_count(product: Product, phone: Phone) -> None:
    event_id = make_event(product.db, make_members(product.db, 101))
    http = phone(101)
    assert {send(http, event_id, "the same").status_code for _ in range(MOST + 5)} == {201}
    assert {send(http, event_id, f"key-{n}").status_code for n in range(MOST - 1)} == {201}
    assert send(http, event_id).status_code == 429
