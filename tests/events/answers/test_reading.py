"""What a member sees: the list, one event, who comes, and who answered what and when."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import insert, update

from tests.conftest import NOON
from tests.factories.events import make_event, make_members
from tests.factories.product import Product
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import code
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.calendar_keys.rules import member_key
from tsudoi.roster.members.models import Member

Phone = Callable[[int], httpx2.Client]
URL = "/api/liff/events"
DAY = timedelta(days=1)


def answered(db: Database, event_id: int, member_id: int, status: str, at: datetime = NOON, **more: Any) -> None:
    row = {"event_id": event_id, "member_id": member_id, "status": status, "via": "liff", "responded_at": at, **more}
    db.write_now(lambda tx: tx.execute(insert(EventResponse).values(row)))


def leaves(db: Database, member_id: int, at: datetime | None) -> None:
    statement = update(Member).where(Member.id == member_id).values(withdrawn_at=at)
    db.write_now(lambda tx: tx.execute(statement))


def items(http: httpx2.Client, path: str = "") -> list[dict[str, Any]]:
    answer = http.get(f"{URL}{path}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


class TestTheList:
    def test_has_what_waits_first_then_by_date_and_what_is_over_last(self, product: Product, phone: Phone) -> None:
        db = product.db
        make_members(db, 101, 102)

        def event(title: str, days: float, status: str | None = None, **more: Any) -> None:
            made = make_event(db, [101, 102], title=title, held_at=NOON + days * DAY, **more)
            if status:
                answered(db, made, 101, status)

        event("過去・回答済み", -5, "attend")
        event("未回答・遠い", 30)
        event("回答済み・近い", 1, "absent")
        event("過去・未回答", -9)
        event("未回答・近い", 3)
        event("中止・未回答", 2, cancelled_at=NOON)
        event("回答済み・遠い", 40, "attend")
        event("ちょうど今", 0)
        event("過去・最新", -0.5 - 1 / 86400)  # The last second of yesterday in Japan.
        make_event(db, [102], title="他の人だけ", held_at=NOON + DAY)
        found = items(phone(101))
        assert [item["title"] for item in found] == [
            "ちょうど今",
            "未回答・近い",
            "未回答・遠い",
            "回答済み・近い",
            "中止・未回答",
            "回答済み・遠い",
            "過去・最新",
            "過去・回答済み",
            "過去・未回答",
        ]
        assert [item["over"] for item in found] == [False] * 6 + [True] * 3
        assert found[3] == {
            "id": 3,
            "title": "回答済み・近い",
            "held_at": "2025-08-17T12:00:00+09:00",
            "my_status": "absent",
            "my_responded_at": "2025-08-16T12:00:00+09:00",
            "cancelled": False,
            "over": False,
        }
        assert (found[4]["cancelled"], found[0]["my_status"], found[0]["my_responded_at"]) == (True, "pending", None)

    def test_keeps_events_of_one_hour_in_the_order_of_their_making(self, product: Product, phone: Phone) -> None:
        make_members(product.db, 101)
        made = [make_event(product.db, [101]) for _ in range(4)]
        assert [item["id"] for item in items(phone(101))] == made

    @sqlite_only
    def test_has_everything_to_come_and_the_latest_fifty_of_what_is_over(self, product: Product, phone: Phone) -> None:
        make_members(product.db, 101)
        for number in range(60):
            make_event(product.db, [101], held_at=NOON - (number + 1) * DAY)
        coming = [make_event(product.db, [101], held_at=NOON + number * DAY) for number in range(60)]
        found = [item["id"] for item in items(phone(101))]
        assert found == coming + list(range(1, 51))

    def test_of_somebody_whom_nobody_asked_is_empty(self, product: Product, phone: Phone) -> None:
        make_members(product.db, 101)
        assert items(phone(101)) == []


class TestOneEvent:
    def test_is_shown_with_ones_own_newest_answer(self, product: Product, phone: Phone) -> None:
        memo = {"extra_text_enabled": 1, "extra_text_label": "備考", "extra_text_attend_only": 0}
        more = {"body": "出欠のご回答を…", "image_url": "https://x/o.jpg", "image_preview_url": "https://x/p.jpg"}
        event_id = make_event(product.db, make_members(product.db, 101, 102), calendar_key="k", **memo, **more)
        answered(product.db, event_id, 101, "attend", NOON, extra_text="古い")
        answered(product.db, event_id, 101, "absent", NOON, extra_text="新しい")
        answered(product.db, event_id, 102, "attend", NOON + DAY, extra_text="他人")
        assert phone(101).get(f"{URL}/{event_id}").json() == {
            "id": event_id,
            "title": "理事会9月",
            "held_at": "2025-08-26T12:00:00+09:00",
            **more,
            "extra_text": {"enabled": True, "label": "備考", "attend_only": False},
            "my_status": "absent",
            "my_last_extra_text": "新しい",
            "my_responded_at": "2025-08-16T12:00:00+09:00",
            "my_name": "会員101",
            "cancelled": False,
            "cancel_reason": None,
            "deadline_at": None,
            "over": False,
            "closed": False,
            "place": None,
            "end_at": None,
            "calendar_url": f"{product.url}/api/liff/events/{event_id}.ics?key={member_key('k', 101, 0)}",
        }

    @sqlite_only
    def test_may_be_bare_cancelled_and_over(self, product: Product, phone: Phone, clock: ManualClock) -> None:
        more = {"cancelled_at": NOON, "cancel_reason": "台風のため", "deadline_at": NOON}
        event_id = make_event(product.db, make_members(product.db, 101), extra_text_label=None, **more)
        clock.advance(11 * DAY)
        found = phone(101).get(f"{URL}/{event_id}").json()
        assert found["extra_text"] == {"enabled": False, "label": "", "attend_only": True}
        assert (found["body"], found["image_url"], found["my_responded_at"]) == (None, None, None)
        assert (found["cancelled"], found["cancel_reason"], found["over"]) == (True, "台風のため", True)
        assert found["deadline_at"] == "2025-08-16T12:00:00+09:00"


class TestWhoComes:
    def test_is_in_roster_order_and_who_has_no_place_comes_last(self, product: Product, phone: Phone) -> None:
        db = product.db
        event_id = make_event(db, make_members(db, 101, 102, 103, 104, 105))
        places = {101: None, 102: 2, 103: 1, 104: None, 105: 2}
        for member_id, place in places.items():
            db.write_now(
                lambda tx, place, member_id: tx.execute(
                    update(Member).where(Member.id == member_id).values(display_order=place)
                ),
                place,
                member_id,
            )
        answered(db, event_id, 105, "attend")
        answered(db, event_id, 105, "absent")
        answered(db, event_id, 101, "attend")
        other = make_event(db, [102])
        answered(db, other, 102, "attend")
        assert items(phone(104), f"/{event_id}/status") == [
            {"member_id": 103, "name": "会員103", "status": "pending"},
            {"member_id": 102, "name": "会員102", "status": "pending"},
            {"member_id": 105, "name": "会員105", "status": "absent"},
            {"member_id": 101, "name": "会員101", "status": "attend"},
            {"member_id": 104, "name": "会員104", "status": "pending"},
        ]


class TestTheHistory:
    def test_has_every_answer_the_newest_first(self, product: Product, phone: Phone) -> None:
        db = product.db
        event_id = make_event(db, make_members(db, 101, 102), extra_text_enabled=1)
        other = make_event(db, [101, 102])
        answered(db, event_id, 101, "attend", NOON, extra_text="a")
        answered(db, other, 101, "absent", NOON)
        answered(db, event_id, 102, "absent", NOON, via="admin")
        answered(db, event_id, 101, "absent", NOON + timedelta(seconds=1.9))
        assert items(phone(102), f"/{event_id}/history") == [
            _line("12:00:01", 101, "absent", None),
            _line("12:00:00", 102, "absent", None),
            _line("12:00:00", 101, "attend", "a"),
        ]
        assert items(phone(102), f"/{make_event(db, [102])}/history") == []


def _line(time: str, member_id: int, status: str, extra_text: str | None) -> dict[str, Any]:
    return {
        "responded_at": f"2025-08-16T{time}+09:00",
        "member_id": member_id,
        "name": f"会員{member_id}",
        "status": status,
        "extra_text": extra_text,
    }


class TestWhoMayLook:
    @pytest.mark.parametrize("path", ["", "/status", "/history"])
    def test_only_those_who_are_asked(self, product: Product, phone: Phone, path: str) -> None:
        event_id = make_event(product.db, make_members(product.db, 101, 102)[:1])
        url = f"{URL}/{event_id}{path}"
        assert phone(101).get(url).status_code == 200
        assert code(phone(102).get(url)) == (403, "NOT_INVITED")
        assert code(phone(999).get(url)) == (403, "NOT_REGISTERED")
        assert code(product.http.get(url, headers={"x-line-user-id": user_id(101)})) == (401, "UNAUTHENTICATED")
        assert code(phone(102).get(url, headers={"x-line-user-id": user_id(101)})) == (403, "IDENTITY_MISMATCH")
        assert code(phone(101).get(f"{URL}/{event_id + 1}{path}")) == (404, "NOT_FOUND")
        for odd in ("0", "-1", str(10**30), "x"):
            assert code(phone(101).get(f"{URL}/{odd}{path}")) == (400, "INVALID_INPUT"), odd

    def test_the_list_needs_a_member(self, product: Product, phone: Phone) -> None:
        assert code(product.http.get(URL)) == (401, "UNAUTHENTICATED")
        assert code(phone(999).get(URL)) == (403, "NOT_REGISTERED")

    def test_who_has_left_sees_no_more_than_a_stranger(self, product: Product, phone: Phone) -> None:
        event_id = make_event(product.db, make_members(product.db, 101))
        http, paths = phone(101), ("", *(f"/{event_id}{path}" for path in ("", "/status", "/history", ".ics")))
        leaves(product.db, 101, NOON)
        for path in paths:
            assert code(http.get(f"{URL}{path}")) == (403, "NOT_REGISTERED"), path
        leaves(product.db, 101, None)
        for path in paths:
            assert http.get(f"{URL}{path}").status_code == 200, path
