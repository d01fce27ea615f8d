"""The member's side inside LINE: the own threads, one of them, and the answer."""

from collections.abc import Callable
from datetime import timedelta

import httpx2
import pytest

from tests.conftest import NOON
from tests.factories.events import make_members
from tests.factories.product import Product
from tests.factories.threads import ALL, ANY, MadeThread, add_slot, change, first_slot, make_thread
from tests.product_fixtures import sqlite_only
from tests.scheduling.invitations.test_respond import ANNA, selected
from tsudoi.core.clock import ManualClock, utc_text
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadAnswer, ThreadInvite, ThreadSelection

Phone = Callable[[int], httpx2.Client]
TARO, HANAKO = 101, 102


@pytest.fixture
def thread(product: Product) -> MadeThread:
    make_members(product.db, TARO, HANAKO)
    return make_thread(product.db, TARO, HANAKO, rule=ALL, place="本部 3階", answers_visible=1)


class TestTheList:
    def test_is_ordered_by_what_is_to_do(self, product: Product, phone: Phone, clock: ManualClock) -> None:
        make_members(product.db, TARO, HANAKO)
        later = make_thread(product.db, TARO, rule=ALL, title="後で", expires=timedelta(days=3))
        soon = make_thread(product.db, TARO, rule=ALL, title="すぐ", expires=timedelta(days=1))
        answered = make_thread(product.db, TARO, HANAKO, rule=ALL, title="回答済み")
        decided = make_thread(product.db, TARO, title="決定")
        expired = make_thread(product.db, TARO, rule=ALL, title="期限切れ", expires=timedelta(seconds=1))
        cancelled = make_thread(product.db, TARO, title="中止", status="cancelled", cancelled_at=NOON)
        make_thread(product.db, TARO, title="下書き", status="draft")
        make_thread(product.db, HANAKO, title="他人")
        make_thread(product.db, "101@example.com", title="メール")
        taro = phone(TARO)
        for one in (answered, decided):
            url = f"/api/liff/threads/{one.id}/respond"
            taro.post(url, json=selected(one.slots[0])).raise_for_status()
        clock.advance(timedelta(seconds=2))
        found = taro.get("/api/liff/threads").json()["threads"]
        expected = [soon, later, decided, answered]
        assert [one["id"] for one in found][:4] == [one.id for one in expected]
        assert {one["id"] for one in found[4:]} == {expired.id, cancelled.id}
        by_title = {one["title"]: one for one in found}
        assert by_title["決定"] == {
            "id": decided.id,
            "title": "決定",
            "status": "finalized",
            "deadline_at": utc_text(NOON + timedelta(days=3)),
            "answered": True,
            "can_answer": False,
            "final_start_at": "2025-08-17T14:00:00+09:00",
            "taking_part": True,
        }
        assert (by_title["すぐ"]["answered"], by_title["すぐ"]["can_answer"]) == (False, True)
        assert by_title["期限切れ"]["can_answer"] is False

    @sqlite_only
    def test_is_limited(self, product: Product, phone: Phone) -> None:
        make_members(product.db, TARO)
        for number in range(60):
            make_thread(product.db, TARO, slots=0, title=f"{number}")
        assert len(phone(TARO).get("/api/liff/threads").json()["threads"]) == 50


class TestOneThread:
    def test_as_the_member_sees_it(self, product: Product, phone: Phone, thread: MadeThread) -> None:
        first, second, third = thread.slots
        past = add_slot(product.db, thread.id, NOON, label="Tomorrow")
        phone(HANAKO).post(f"/api/liff/threads/{thread.id}/respond", json=selected(second, maybe_slot_ids=[third]))
        found = phone(TARO).get(f"/api/liff/threads/{thread.id}").json()
        slots = found.pop("slots")
        assert found == {
            "id": thread.id,
            "title": "臨時理事会",
            "description": None,
            "place": "本部 3階",
            "organizer_name": "事務局",
            "status": "active",
            "deadline_at": utc_text(NOON + timedelta(hours=72)),
            "maybe_allowed": True,
            "multiple_slots_allowed": True,
            "selection": {
                "status": "pending",
                "selected_slot_id": None,
                "selected_slot_ids": [],
                "maybe_slot_ids": [],
                "comment": None,
                "responded_at": None,
            },
            "can_answer": True,
            "why_not": None,
            "final_slot_id": None,
            "taking_part": None,
            "cancel_reason": None,
            "calendar_url": None,
            "mail_stopped": False,
            "contact_address": None,
            "can_answer_late": False,
            "late_answer": None,
        }
        assert [slot["slot_id"] for slot in slots] == [past, first, second, third]
        assert (slots[0]["begun"], slots[0]["label"]) == (True, None)
        assert slots[2] == {
            "slot_id": second,
            "start_at": "2025-08-18T14:00:00+09:00",
            "end_at": "2025-08-18T15:00:00+09:00",
            "timezone": "Asia/Tokyo",
            "label": None,
            "begun": False,
            "answer": None,
            "yes": ["会員102"],
            "maybe": [],
            "no": [],
        }
        own = phone(HANAKO).get(f"/api/liff/threads/{thread.id}").json()
        assert own["selection"]["selected_slot_id"] == second
        assert [slot["answer"] for slot in own["slots"]] == ["no", "no", "yes", "maybe"]

    @sqlite_only
    def test_hides_who_answered_what_unless_the_thread_shows_it(self, product: Product, phone: Phone) -> None:
        make_members(product.db, TARO, HANAKO)
        thread = make_thread(product.db, TARO, HANAKO, rule=ALL)
        phone(HANAKO).post(f"/api/liff/threads/{thread.id}/respond", json=selected(thread.slots[0]))
        answer = phone(TARO).get(f"/api/liff/threads/{thread.id}")
        assert "会員102" not in answer.text
        assert {(slot["yes"], slot["maybe"], slot["no"]) for slot in answer.json()["slots"]} == {(None, None, None)}

    def test_is_404_for_everybody_else_and_while_it_is_a_draft(
        self, product: Product, phone: Phone, thread: MadeThread
    ) -> None:
        make_members(product.db, 103)
        draft = make_thread(product.db, 103, status="draft")
        by_mail = make_thread(product.db, ANNA)
        stranger = phone(103)
        for thread_id in (thread.id, draft.id, by_mail.id, "nothing", "あ", "x" * 100):
            for answer in (
                stranger.get(f"/api/liff/threads/{thread_id}"),
                stranger.post(f"/api/liff/threads/{thread_id}/respond", json={"status": "declined"}),
            ):
                assert (answer.status_code, answer.json()["code"]) == (404, "THREAD_NOT_FOUND"), thread_id
                assert set(answer.json()) == {"error", "code", "message", "details"}
        assert product.rows(ThreadAnswer) == []

    @sqlite_only
    def test_says_why_it_cannot_be_answered(self, product: Product, phone: Phone, thread: MadeThread) -> None:
        taro = phone(TARO)
        where = SchedulingThread.id == thread.id
        cases = [("cancelled", "CANCELLED"), ("finalized", "FINALIZED"), ("active", "EXPIRED")]
        for status, why in cases:
            change(product.db, SchedulingThread, where, status=status)
            if why == "EXPIRED":
                change(product.db, ThreadInvite, ThreadInvite.thread_id == thread.id, expires_at=NOON)
            found = taro.get(f"/api/liff/threads/{thread.id}").json()
            assert (found["can_answer"], found["why_not"]) == (False, why)


class TestTheAnswer:
    def test_is_stored_as_given_in_line_and_may_decide(self, product: Product, phone: Phone) -> None:
        make_members(product.db, TARO)
        thread = make_thread(product.db, TARO, rule=ANY)
        answer = phone(TARO).post(f"/api/liff/threads/{thread.id}/respond", json=selected(thread.slots[1]))
        assert answer.status_code == 200
        assert answer.json()["invitee_key"] == "lm:101"
        assert answer.json()["evaluation"]["final_slot_id"] == thread.slots[1]
        assert [(row["via"], row["answered_by"]) for row in product.rows(ThreadSelection)] == [("line", None)]
        found = phone(TARO).get(f"/api/liff/threads/{thread.id}").json()
        assert (found["final_slot_id"], found["taking_part"]) == (thread.slots[1], True)
        assert found["calendar_url"] == f"{product.url}{thread.invites[0].path}/calendar.ics"

    @sqlite_only
    def test_is_refused_like_by_the_link(self, product: Product, phone: Phone, thread: MadeThread) -> None:
        taro, url = phone(TARO), f"/api/liff/threads/{thread.id}/respond"
        assert taro.post(url, json={"status": "selected"}).json()["details"][0]["reason"] == "REQUIRED"
        past = add_slot(product.db, thread.id, first_slot(NOON) - timedelta(days=3))
        assert taro.post(url, json=selected(past)).json()["code"] == "SLOT_PAST"
        change(product.db, ThreadInvite, ThreadInvite.thread_id == thread.id, expires_at=NOON)
        assert taro.post(url, json=selected(thread.slots[0])).json()["code"] == "INVITE_EXPIRED"
        with product.client() as nobody:
            assert nobody.post(url, json={"status": "declined"}).status_code == 401
        form = taro.post(url, data={"status": "declined"})
        assert form.status_code == 415, "only the page behind the link takes forms"
        assert product.rows(ThreadAnswer) == []
