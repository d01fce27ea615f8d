"""Who may not answer, and what is no answer: nothing is written, and the page is told why."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from tests.conftest import NOON
from tests.factories.events import LIFF_LIFETIME, liff_client, make_event, make_members
from tests.factories.product import Product
from tests.factories.webhooks import user_id
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.roster.members.people import code
from tsudoi.core import sessions
from tsudoi.core.clock import ManualClock
from tsudoi.events.answers.models import EventResponse
from tsudoi.line.liff.service import SESSION_LIFETIME
from tsudoi.roster.members.models import Member

Phone = Callable[[int], httpx2.Client]
YES = {"status": "attend"}
JSON = {"content-type": "application/json"}


@pytest.fixture
def event_id(product: Product) -> int:
    """Members 101 and 102 are asked; 103 is not."""
    members = make_members(product.db, 101, 102, 103)
    return make_event(product.db, members[:2])


def url(event_id: object) -> str:
    return f"/api/liff/events/{event_id}/respond"


class TestWho:
    def test_is_not_asked_or_not_known_is_told_which(self, product: Product, phone: Phone, event_id: int) -> None:
        assert code(phone(103).post(url(event_id), json=YES)) == (403, "NOT_INVITED")
        assert code(phone(101).post(url(event_id + 1), json=YES)) == (404, "NOT_FOUND")
        for number in (event_id, event_id + 1):
            assert code(phone(999).post(url(number), json=YES)) == (403, "NOT_REGISTERED")
        assert product.rows(EventResponse) == []

    def test_has_left_is_not_known_any_more(self, product: Product, phone: Phone, event_id: int) -> None:
        http, keyed = phone(101), {"idempotency-key": "before"}
        assert http.post(url(event_id), json=YES, headers=keyed).status_code == 201
        leave = update(Member).where(Member.id == 101).values(withdrawn_at=NOON)
        product.db.write_now(lambda tx: tx.execute(leave))
        for headers in ({}, keyed, {"idempotency-key": "after"}):
            assert code(http.post(url(event_id), json=YES, headers=headers)) == (403, "NOT_REGISTERED"), headers
        assert len(product.rows(EventResponse)) == 1

    def test_only_the_session_says(self, product: Product, phone: Phone, event_id: int) -> None:
        """The header of the document proves nothing by itself, and must not contradict the session."""
        claim = {"x-line-user-id": user_id(101)}
        assert code(product.http.post(url(event_id), json=YES)) == (401, "UNAUTHENTICATED")
        assert code(product.http.post(url(event_id), json=YES, headers=claim)) == (401, "UNAUTHENTICATED")
        for other in (user_id(101), user_id(103), "", "x", user_id(102).lower()):
            answer = phone(102).post(url(event_id), json=YES, headers={"x-line-user-id": other})
            assert code(answer) == (403, "IDENTITY_MISMATCH"), other
        assert product.rows(EventResponse) == []
        assert phone(101).post(url(event_id), json=YES, headers=claim).status_code == 201

    def test_whose_session_is_over_logs_in_again(
        self, product: Product, phone: Phone, event_id: int, clock: ManualClock
    ) -> None:
        assert LIFF_LIFETIME == SESSION_LIFETIME
        http, revoked = phone(101), phone(102)
        product.db.write_now(sessions.revoke_session, revoked.cookies["tsudoi_liff"])
        assert code(revoked.post(url(event_id), json=YES)) == (401, "UNAUTHENTICATED")
        clock.advance(LIFF_LIFETIME - timedelta(microseconds=1))
        assert http.post(url(event_id), json=YES).status_code == 201
        clock.advance(timedelta(microseconds=1))
        assert code(http.post(url(event_id), json=YES)) == (401, "UNAUTHENTICATED")
        assert len(product.rows(EventResponse)) == 1

    @sqlite_only
    def test_comes_with_a_made_up_or_foreign_cookie_has_no_session(self, product: Product, event_id: int) -> None:
        product.log_in()
        admin = product.http.cookies["tsudoi_admin"]
        for cookie in ("x", "", admin, '"\\303\\251"', "a" * 4000, "' OR 1=1 --"):
            headers = {"cookie": f"tsudoi_liff={cookie}"}
            with product.client() as http:
                assert code(http.post(url(event_id), json=YES, headers=headers)) == (401, "UNAUTHENTICATED"), cookie
        assert product.rows(EventResponse) == []

    @sqlite_only
    def test_comes_from_another_site_is_turned_away(self, product: Product, phone: Phone, event_id: int) -> None:
        http = phone(101)
        for odd in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
            assert code(http.post(url(event_id), json=YES, headers=odd)) == (403, "FORBIDDEN")
        assert product.rows(EventResponse) == []
        assert http.post(url(event_id), json=YES, headers={"origin": product.url}).status_code == 201


@sqlite_only
class TestWhat:
    def test_is_no_json_is_not_read(self, product: Product, phone: Phone, event_id: int) -> None:
        http = phone(101)
        body = b'{"status":"attend"}'
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
            answer = http.post(url(event_id), content=body, headers={"content-type": kind})
            assert code(answer) == (415, "UNSUPPORTED_MEDIA_TYPE"), kind
        assert product.rows(EventResponse) == []
        kind = "Application/JSON; charset=utf-8"
        assert http.post(url(event_id), content=body, headers={"content-type": kind}).status_code == 201

    def test_is_wrong_is_named(self, product: Product, phone: Phone, event_id: int) -> None:
        http = phone(101)
        wrong: list[tuple[bytes, str, str]] = [
            (b"", "body", "REQUIRED"),
            (b"{", "body", "INVALID_JSON"),
            (b"status=attend", "body", "INVALID_JSON"),
            (b"[]", "body", "INVALID_FORMAT"),
            (b"{}", "status", "REQUIRED"),
            (b'{"status":null}', "status", "NOT_ALLOWED"),
            (b'{"status":"pending"}', "status", "NOT_ALLOWED"),
            (b'{"status":"ATTEND"}', "status", "NOT_ALLOWED"),
            (b'{"status":1}', "status", "NOT_ALLOWED"),
            (b'{"status":"attend","member_id":102}', "member_id", "UNKNOWN_FIELD"),
            (b'{"status":"attend","via":"admin"}', "via", "UNKNOWN_FIELD"),
            (b'{"status":"attend","responded_at":"2020-01-01T00:00:00+09:00"}', "responded_at", "UNKNOWN_FIELD"),
        ]
        for body, field, reason in wrong:
            answer = http.post(url(event_id), content=body, headers=JSON)
            assert code(answer) == (400, "INVALID_INPUT"), body
            assert answer.json()["details"] == [{"field": field, "reason": reason}], body
        both = http.post(url(event_id), json={"status": "x", "extra_text": 7, "more": 1}).json()["details"]
        assert [detail["field"] for detail in both] == ["status", "extra_text", "more"]
        assert product.rows(EventResponse) == []

    def test_is_too_large_is_refused_with_and_without_a_length(
        self, product: Product, phone: Phone, event_id: int
    ) -> None:
        http, huge = phone(101), b'{"status":"attend","extra_text":"' + b"x" * product.settings.body_limit_bytes + b'"}'

        def pieces() -> Any:
            yield from (huge[start : start + 65536] for start in range(0, len(huge), 65536))

        assert code(http.post(url(event_id), content=huge, headers=JSON)) == (413, "TOO_LARGE")
        assert code(http.post(url(event_id), content=pieces(), headers=JSON)) == (413, "TOO_LARGE")
        assert product.rows(EventResponse) == []

    def test_event_has_no_such_number_is_wrong_input(self, phone: Phone, event_id: int) -> None:
        http = phone(101)
        for number, reason in (
            ("0", "TOO_SMALL"),
            ("-1", "TOO_SMALL"),
            (str(10**30), "TOO_LARGE"),
            (str(2**63), "TOO_LARGE"),
            ("abc", "INVALID_FORMAT"),
            ("1;DROP TABLE events", "INVALID_FORMAT"),
        ):
            answer = http.post(url(number), json=YES)
            assert code(answer) == (400, "INVALID_INPUT"), number
            assert answer.json()["details"] == [{"field": "event_id", "reason": reason}], number
        assert code(http.post(url(2**53), json=YES)) == (404, "NOT_FOUND")
        assert code(http.get(url(event_id))) == (405, "METHOD_NOT_ALLOWED")


class TestWhen:
    @pytest.mark.usefixtures("event_id")
    def test_the_event_is_cancelled_it_is_over(self, product: Product, phone: Phone) -> None:
        cancelled = make_event(product.db, [101], cancelled_at=NOON, deadline_at=NOON - timedelta(days=1))
        assert code(phone(101).post(url(cancelled), json=YES)) == (409, "EVENT_CANCELLED")
        assert product.rows(EventResponse) == []

    def test_the_deadline_has_passed_it_is_too_late(
        self, product: Product, phone: Phone, event_id: int, clock: ManualClock
    ) -> None:
        event_id, http = make_event(product.db, [101], deadline_at=NOON + timedelta(hours=1)), phone(101)
        assert http.post(url(event_id), json=YES).status_code == 201
        clock.advance(timedelta(hours=1))
        assert http.post(url(event_id), json=YES).status_code == 201
        clock.advance(timedelta(seconds=1))
        assert code(http.post(url(event_id), json=YES)) == (409, "DEADLINE_PASSED")
        assert len(product.rows(EventResponse)) == 2

    @pytest.mark.found("24.B5")
    def test_the_day_of_the_event_is_over_it_is_never_too_late_without_a_deadline(
        self, product: Product, phone: Phone, clock: ManualClock
    ) -> None:
        event_id = make_event(product.db, make_members(product.db, 101), held_at=NOON + timedelta(hours=7))
        for passed, over in ((timedelta(hours=11), False), (timedelta(hours=12), True), (timedelta(days=40), True)):
            clock.advance(NOON + passed - clock.now())
            http = phone(101)
            shown = http.get(f"/api/liff/events/{event_id}").json()
            assert (shown["over"], shown["closed"]) == (over, False)
            assert http.post(url(event_id), json=YES).status_code == 201
        assert [row["via"] for row in product.rows(EventResponse)] == ["liff"] * 3

    @pytest.mark.found("24.B5")
    def test_the_day_of_the_event_is_over_the_office_may_want_no_more_answers(
        self, make_product: ProductMaker, clock: ManualClock
    ) -> None:
        """Until then an answer counts, also while the event is going on: NOON is twelve o'clock in Japan."""
        product = make_product(events_close_after_day=True)
        event_id = make_event(product.db, make_members(product.db, 101), held_at=NOON + timedelta(hours=7))
        midnight = timedelta(hours=12)
        for passed, over in ((timedelta(0), False), (timedelta(hours=8), False), (midnight, True)):
            clock.advance(NOON + passed - clock.now())
            with liff_client(product, 101) as http:
                shown = http.get(f"/api/liff/events/{event_id}").json()
                listed = http.get("/api/liff/events").json()["items"]
                answer = http.post(url(event_id), json=YES)
            assert (shown["over"], shown["closed"], [item["over"] for item in listed]) == (over, over, [over])
            expected = (409, "EVENT_OVER") if over else (201, None)
            assert (answer.status_code, answer.json().get("code")) == expected
        assert len(product.rows(EventResponse)) == 2

    @sqlite_only
    @pytest.mark.usefixtures("event_id")
    def test_two_reasons_stand_against_it_the_person_comes_first(self, product: Product) -> None:
        """Who is not asked hears nothing about the event, not even that it was cancelled."""
        cancelled = make_event(product.db, [101], cancelled_at=NOON)
        with liff_client(product, 103) as http:
            assert code(http.post(url(cancelled), json=YES)) == (403, "NOT_INVITED")
