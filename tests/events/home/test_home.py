from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import insert, update

from tests.conftest import NOON
from tests.events.overview.events import answer, event, people
from tests.events.planning.desk import HELD_AT, URL, Desk, desk_at, jst
from tests.factories.product import ADMIN, PASSWORD_HASH, Box, Product
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tsudoi.access.admins import service as admins
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Tx
from tsudoi.events.broadcast.models import EventDelivery
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.events.event.models import Event
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.syncs.models import MemberSync

TEXT = {"type": "text", "text": "こんにちは"}


@pytest.fixture
def office(product: Product) -> Iterator[httpx2.Client]:
    product.db.write_now(admins.create_admin, ADMIN, PASSWORD_HASH)
    token = product.db.write_now(admins.create_token, ADMIN)
    with product.client(headers={"authorization": f"Bearer {token}"}) as client:
        yield client


class TestHome:
    def test_of_a_new_house(self, office: httpx2.Client) -> None:
        shown = office.get("/api/admin/home").raise_for_status().json()
        nothing = {
            "next_events": [],
            "troubles": [],
            "unlinked_friends": 0,
            "waiting_registrations": 0,
            "members": 0,
            "linked_members": 0,
            "alarms": [],
            "tickets_open": 0,
        }
        assert shown == nothing

    def test_shows_the_five_nearest_that_are_still_to_come(self, product: Product, office: httpx2.Client) -> None:
        members = people(product.db, "山田太郎", "佐藤花子")
        for days in (9, 3, 7, -1, 5, 11, 13):
            made = event(product.db, members, title=f"{days}日後", held_at=NOON + timedelta(days=days))
            if days == 7:
                product.db.write_now(_cancel, made)
            if days == 3:
                answer(product.db, made, members[0], "attend")
                answer(product.db, made, members[0], "absent")
        shown = office.get("/api/admin/home").json()["next_events"]
        assert [item["title"] for item in shown] == ["3日後", "5日後", "9日後", "11日後", "13日後"]
        assert (shown[0]["attend"], shown[0]["absent"], shown[0]["pending"]) == (0, 1, 1)

    def test_shows_what_did_not_go_out(self, product: Product, office: httpx2.Client) -> None:
        members = people(product.db, "山田太郎", "佐藤花子", "鈴木一郎")
        good, bad = event(product.db, members, title="良い"), event(product.db, members, title="悪い")
        recipients = [Recipient(one, user_id(one)) for one in members]
        for one in (good, bad):
            product.db.write_now(enqueue, one, "invite", [TEXT], recipients, "admin:x")
        product.db.write_now(_settle, good, "DONE", "DONE", "DONE")
        product.db.write_now(_settle, bad, "FAILED", "UNKNOWN", "WAITING")
        [trouble] = office.get("/api/admin/home").json()["troubles"]
        expected = {"event_id": bad, "title": "悪い", "fail": 1, "unknown": 1, "pending": 1, "cancelled": False}
        assert trouble | expected == trouble
        assert (trouble["kept_back"], trouble["not_told"]) == (0, [])

    @sqlite_only
    @pytest.mark.found("24.A7")
    def test_shows_a_cancellation_that_the_limit_kept_from_people(
        self, product: Product, box: Box, clock: ManualClock
    ) -> None:
        desk = desk_at(product, box, clock)
        event_id, other = desk.made(), desk.made(title="別の会")
        desk.quota(1)
        desk.post(f"/{event_id}/cancellation", notify=True, confirm_over_quota=True, reason="停電のため")
        desk.post(f"/{other}/cancellation")
        [trouble] = _troubles(desk)
        assert trouble == {
            "event_id": event_id,
            "title": "理事会9月",
            "held_at": HELD_AT,
            "cancelled": True,
            "fail": 2,
            "unknown": 0,
            "pending": 0,
            "kept_back": 2,
            "not_told": ["会員 102", "会員 103"],
        }
        desk.quota(100)
        notice = desk.http.get(f"{URL}/{event_id}/deliveries").json()["items"][0]
        assert desk.post(f"/{event_id}/resend", broadcast_id=notice["broadcast_id"]).json()["targets"] == 2
        desk.worker_finishes()
        assert _troubles(desk) == []
        assert len(desk.texts(103)) == 3

    @pytest.mark.found("24.A7")
    def test_stays_until_the_day_of_the_event_is_over(self, product: Product, box: Box, clock: ManualClock) -> None:
        desk = desk_at(product, box, clock)
        event_id = desk.made()
        desk.quota(0)
        desk.post(f"/{event_id}/cancellation", notify=True, confirm_over_quota=True)
        made_later = [desk.made(title=f"{number}回目", confirm_over_quota="true") for number in range(21)]
        troubles = _troubles(desk)
        assert [one["event_id"] for one in troubles] == [event_id, *sorted(made_later, reverse=True)[:19]]
        clock.advance(jst(2025, 9, 10, 23, 59) - clock.now())
        desk.log_in()
        assert _troubles(desk)[0]["not_told"] == ["会員 101", "会員 102", "会員 103"]
        clock.advance(jst(2025, 9, 11, 0, 0) - clock.now())
        assert event_id not in [one["event_id"] for one in _troubles(desk)]

    def test_counts_people(self, product: Product, office: httpx2.Client) -> None:
        people(product.db, "山田太郎", line_user_id=user_id(1))
        people(product.db, "佐藤花子", first=201)
        people(product.db, "退会者", first=301, withdrawn_at=NOON)
        product.db.write_now(_befriend, user_id(1), user_id(2), user_id(3))
        shown = office.get("/api/admin/home").json()
        assert (shown["members"], shown["linked_members"], shown["unlinked_friends"]) == (2, 1, 2)


class TestQuota:
    def test_as_line_tells_it(self, office: httpx2.Client, box: Box) -> None:
        assert office.get("/api/admin/line/quota").json()["left"] is None
        box.http.put("/_sandbox/quota", json={"type": "limited", "value": 200, "total_usage": 150}).raise_for_status()
        known = {"known": True, "limit": 200, "used": 150, "left": 50, "why_not": None}
        assert office.get("/api/admin/line/quota").json() == known

    def test_when_line_is_away(self, office: httpx2.Client, box: Box) -> None:
        box.breaks("error_500_before", "quota")
        shown = office.get("/api/admin/line/quota").json()
        assert (shown["known"], shown["left"]) == (False, None)
        assert shown["why_not"]


class TestAccountName:
    URL = "/api/admin/line/account"

    def test_as_line_tells_it_once_an_hour(self, office: httpx2.Client, box: Box, clock: ManualClock) -> None:
        for _ in range(3):
            assert office.get(self.URL).json() == {"display_name": "集い 公式"}
        assert len(box.calls("/v2/bot/info")) == 1
        clock.advance(timedelta(minutes=61))
        assert office.get(self.URL).json() == {"display_name": "集い 公式"}
        assert len(box.calls("/v2/bot/info")) == 2

    @sqlite_only
    def test_when_line_is_away(self, office: httpx2.Client, box: Box, clock: ManualClock) -> None:
        box.breaks("error_500_before", "info")
        for _ in range(3):
            assert office.get(self.URL).json() == {"display_name": None}
        assert len(box.calls("/v2/bot/info")) == 1
        box.mends()
        clock.advance(timedelta(seconds=61))
        known = office.get(self.URL).json()["display_name"]
        assert known
        box.breaks("error_500_before", "info")
        clock.advance(timedelta(days=1))
        assert office.get(self.URL).json() == {"display_name": known}


class TestLastSync:
    def test_never_and_then_the_newest(self, product: Product, office: httpx2.Client) -> None:
        assert office.get("/api/admin/members/last-sync").json() == {"last": None}
        for refused in (0, 1):
            product.db.write_now(_sync, refused)
        assert office.get("/api/admin/members/last-sync").json()["last"] == {
            "finished_at": "2025-08-16T12:00:00+09:00",
            "source": "sheet",
            "created": 1,
            "changed": 2,
            "withdrawn": 3,
            "unchanged": 4,
            "refused": 1,
            "refusals": [{"row": 14, "reason": "EMPTY_NAME"}],
        }


class TestAuditFilters:
    def test_each_narrows(self, product: Product, office: httpx2.Client) -> None:
        people(product.db, "山田太郎")
        office.post("/api/admin/audiences", json={"name": "理事会"}).raise_for_status()
        everything = office.get("/api/admin/audit-logs").json()["items"]
        by_action = office.get("/api/admin/audit-logs", params={"action": "AUDIENCE_CREATE"}).json()["items"]
        by_actor = office.get("/api/admin/audit-logs", params={"actor": f"admin:{ADMIN}"}).json()["items"]
        by_subject = office.get("/api/admin/audit-logs", params={"subject": "audience:1"}).json()["items"]
        assert [entry["action"] for entry in by_action] == ["AUDIENCE_CREATE"]
        assert by_subject == by_action
        assert len(everything) > len(by_actor) >= 1
        assert office.get("/api/admin/audit-logs", params={"action": "NOTHING"}).json()["items"] == []


def _troubles(desk: Desk) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = desk.http.get("/api/admin/home").raise_for_status().json()["troubles"]
    return found


def _cancel(tx: Tx, event_id: int) -> None:
    tx.execute(update(Event).where(Event.id == event_id).values(cancelled_at=tx.now))


def _settle(tx: Tx, event_id: int, *statuses: str) -> None:
    for member_id, status in zip((101, 102, 103), statuses, strict=True):
        mine = (EventDelivery.event_id == event_id, EventDelivery.member_id == member_id)
        tx.execute(update(EventDelivery).where(*mine).values(status=status))


def _befriend(tx: Tx, *user_ids: str) -> None:
    moment = {"first_contact_at": tx.now, "last_contact_at": tx.now, "updated_at": tx.now}
    rows = [{"user_id": one, "following": True, "state_ms": 0, **moment} for one in user_ids]
    tx.execute(insert(LineFriend), rows)


def _sync(tx: Tx, refused: int) -> None:
    refusals = [{"row": 14, "reason": "EMPTY_NAME"}] if refused else []
    numbers = {"created": 1, "changed": 2, "withdrawn": 3, "unchanged": 4, "refused": refused}
    tx.execute(insert(MemberSync).values(source="sheet", refusals=refusals, finished_at=tx.now, **numbers))
