"""One event with everybody's answer, now and as of any past moment."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import insert, update

from tests.conftest import NOON
from tests.events.overview.events import URL, answer, answers, event, people, pushed
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import code, office
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.events.event.models import EventTarget
from tsudoi.events.overview.rules import moment_of
from tsudoi.events.overview.schemas import EventDetail
from tsudoi.roster.members.models import Member


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    return office(product)


def detail(http: httpx2.Client, event_id: int, as_of: str | None = None) -> dict[str, Any]:
    answered = http.get(f"{URL}/{event_id}", params={} if as_of is None else {"as_of": as_of})
    assert answered.status_code == 200, answered.text
    EventDetail.model_validate_json(answered.content, strict=True)
    found: dict[str, Any] = answered.json()
    assert set(found) == set(EventDetail.model_fields), "the bytes and the model say the same"
    return found


def statuses(found: dict[str, Any]) -> dict[int, str]:
    return {item["member_id"]: item["status"] for item in found["current_status"]}


class TestDetail:
    def test_has_the_documented_fields(self, product: Product, http: httpx2.Client) -> None:
        members = people(product.db, "山田太郎", "佐藤花子")
        made = event(
            product.db,
            members,
            body="出欠のご回答を",
            image_url="https://x.example/o.jpg",
            image_preview_url="https://x.example/p.jpg",
            extra_text_enabled=1,
        )
        answer(product.db, made, 102, "absent", "出張のため", via="admin")
        pushed(product.db, made, 1, 1)
        assert detail(http, made) == {
            "id": made,
            "title": "理事会9月",
            "held_at": "2025-09-10T12:00:00+09:00",
            "body": "出欠のご回答を",
            "image_url": "https://x.example/o.jpg",
            "image_preview_url": "https://x.example/p.jpg",
            "extra_text": {"enabled": True, "label": "備考", "attend_only": True},
            "targets_total": 2,
            "push_stats": {"success": 1, "fail": 1, "last_sent_at": "2025-08-16T12:00:00+09:00"},
            "current_status": [
                {
                    "member_id": 101,
                    "name": "山田太郎",
                    "status": "pending",
                    "extra_text": None,
                    "responded_at": None,
                    "via": None,
                    "withdrawn": False,
                },
                {
                    "member_id": 102,
                    "name": "佐藤花子",
                    "status": "absent",
                    "extra_text": "出張のため",
                    "responded_at": "2025-08-16T12:00:00+09:00",
                    "via": "admin",
                    "withdrawn": False,
                },
            ],
            "created_at": "2025-08-16T12:00:00+09:00",
            "created_by": "jimukyoku",
            "updated_at": "2025-08-16T12:00:00+09:00",
            "cancelled_at": None,
            "cancel_reason": None,
            "sequence": 0,
            "deadline_at": None,
            "place": None,
            "end_at": None,
            "counts": {"attend": 0, "absent": 1, "pending": 1},
            "push": None,
            "as_of": None,
        }

    def test_of_an_event_with_nothing_yet(self, product: Product, http: httpx2.Client) -> None:
        found = detail(http, event(product.db, cancelled_at=NOON, cancel_reason="台風", deadline_at=NOON))
        assert (found["current_status"], found["targets_total"]) == ([], 0)
        assert (found["push_stats"], found["push"]) == (None, None)
        assert (found["cancelled_at"], found["cancel_reason"]) == ("2025-08-16T12:00:00+09:00", "台風")

    def test_tells_what_became_of_the_invitations(self, product: Product, http: httpx2.Client) -> None:
        members = people(product.db, "山田太郎", "佐藤花子")
        made = event(product.db, members)
        to = [Recipient(member_id, f"U{member_id:032x}") for member_id in members]
        product.db.write_now(enqueue, made, "invite", [{"type": "text", "text": "x"}], to, "admin:a")
        assert detail(http, made)["push"] == {"success": 0, "fail": 0, "unknown": 0, "pending": 2}

    def test_lists_two_thousand_in_roster_order_and_keeps_hostile_names(
        self, product: Product, http: httpx2.Client
    ) -> None:
        names = ["=HYPERLINK()", "長" * 500, "😀𠮷", '"quoted", <b>', "改\n行", *(f"会員{n}" for n in range(1995))]
        members = people(product.db, *names)
        product.db.write_now(lambda tx: tx.execute(update(Member).where(Member.id == 101).values(display_order=None)))
        made = event(product.db, members, title='<script>"理事会" & 100%</script>')
        answers(product.db, made, [(member_id, "attend", "遅れます", None, "liff") for member_id in members[::2]])
        found = detail(http, made)
        assert [item["name"] for item in found["current_status"]] == [*names[1:], names[0]]
        assert found["counts"] == {"attend": 1000, "absent": 0, "pending": 1000}
        assert found["title"] == '<script>"理事会" & 100%</script>'

    def test_tells_who_has_left_and_will_not_answer(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db, people(product.db, "山田太郎", "佐藤花子"))
        product.db.write_now(lambda tx: tx.execute(update(Member).where(Member.id == 102).values(withdrawn_at=NOON)))
        found = detail(http, made)["current_status"]
        assert [(item["status"], item["withdrawn"]) for item in found] == [("pending", False), ("pending", True)]

    def test_takes_the_greater_id_of_two_answers_in_one_instant(self, product: Product, http: httpx2.Client) -> None:
        [member] = people(product.db, "山田太郎")
        made = event(product.db, [member])
        for status in ("attend", "absent"):
            answer(product.db, made, member, status)
        assert statuses(detail(http, made)) == {101: "absent"}
        assert statuses(detail(http, made, "2025-08-16T12:00:00+09:00")) == {101: "absent"}

    def test_is_not_there(self, http: httpx2.Client) -> None:
        assert code(http.get(f"{URL}/999")) == (404, "NOT_FOUND")

    @sqlite_only
    def test_asks_for_an_id_that_can_be_one(self, http: httpx2.Client) -> None:
        for wrong in (0, -1, 2**63, "x", "1.5"):
            assert code(http.get(f"{URL}/{wrong}")) == (400, "INVALID_INPUT"), wrong


class TestAsOf:
    def test_shows_each_moment_as_it_was(self, product: Product, http: httpx2.Client, clock: ManualClock) -> None:
        members = people(product.db, "山田太郎", "佐藤花子")
        made = event(product.db, members[:1])
        answer(product.db, made, 101, "attend", at=NOON + timedelta(hours=1))
        answer(product.db, made, 101, "absent", at=NOON + timedelta(hours=2, milliseconds=500))
        _add_later(product.db, made, 102, NOON + timedelta(hours=3))
        clock.advance(timedelta(days=1))
        for moment, then in {
            "2025-08-16T12:59:59+09:00": {101: "pending"},
            "2025-08-16T13:00:00+09:00": {101: "attend"},
            "2025-08-16T13:00:00.000000+09:00": {101: "attend"},
            "2025-08-16T04:00:00Z": {101: "attend"},
            "2025-08-16T13:00": {101: "attend"},
            "2025-08-16T00:00:00-04:00": {101: "attend"},
            "2025-08-16T14:00:00.499999+09:00": {101: "attend"},
            "2025-08-16T14:00:00.5+09:00": {101: "absent"},
            # The answer is shown as 14:00:00, so it had been given as of 14:00:00.
            "2025-08-16T14:00:00+09:00": {101: "absent"},
            "2025-08-16T14:59:59+09:00": {101: "absent"},
            "2025-08-16T15:00:00+09:00": {101: "absent", 102: "pending"},
            "2025-08-16T12:00:00+09:00": {101: "pending"},
            # There was no event yet, so nobody was asked.
            "2025-08-16T11:59:59+09:00": {},
            "1900-01-01T00:00:00+09:00": {},
        }.items():
            found = detail(http, made, moment)
            assert statuses(found) == then, moment
            assert found["targets_total"] == len(then)
        assert found["as_of"] == "1900-01-01T00:00:00+09:00"
        assert found["counts"] == {"attend": 0, "absent": 0, "pending": 0}

    def test_reads_a_plus_that_became_a_space(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db)
        answered = http.get(f"{URL}/{made}?as_of=2025-08-16T11:00:00+09:00")
        assert answered.json()["as_of"] == "2025-08-16T11:00:00+09:00"

    def test_may_be_the_running_second_and_not_the_next(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db)
        assert detail(http, made, "2025-08-16T12:00:00+09:00")["as_of"] == "2025-08-16T12:00:00+09:00"
        refused = http.get(f"{URL}/{made}", params={"as_of": "2025-08-16T12:00:01+09:00"})
        assert code(refused) == (400, "INVALID_INPUT")
        assert refused.json()["details"] == [{"field": "as_of", "reason": "IN_FUTURE"}]

    @sqlite_only
    def test_refuses_what_is_no_moment(self, http: httpx2.Client) -> None:
        for wrong in ("", "x", "2025-09-01", "12:00", "1756684800", "2025-02-30T12:00:00+09:00", "2025-08-16T25:00Z"):
            refused = http.get(f"{URL}/1", params={"as_of": wrong})
            assert code(refused) == (400, "INVALID_INPUT"), wrong
            assert refused.json()["details"] == [{"field": "as_of", "reason": "INVALID_FORMAT"}]
        for wrong in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2025-08-16T12:00:00+99:00"):
            assert code(http.get(f"{URL}/1", params={"as_of": wrong})) == (400, "INVALID_INPUT"), wrong

    def test_takes_both_separators_and_both_offsets(self) -> None:
        same = {
            moment_of(text)
            for text in ("2025-08-16 12:00", "2025-08-16T12:00:00 09:00", "2025-08-16 03:00Z", "2025-08-16T12:00+0900")
        }
        assert same == {NOON.replace(microsecond=999_999)}


def _add_later(db: Database, event_id: int, member_id: int, at: Any) -> None:
    row = {"event_id": event_id, "member_id": member_id, "added_at": at}
    db.write_now(lambda tx: tx.execute(insert(EventTarget).values(row)))
