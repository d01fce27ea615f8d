"""Answers after the decision: noted as late, the decision stays, and the person is told the date once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from tests.factories.events import make_members
from tests.factories.product import Product
from tests.factories.threads import ALL, ANY, make_thread
from tests.product_fixtures import sqlite_only
from tests.scheduling.delivery.rows import COMMON, Asked, asked_at
from tests.scheduling.invitations.test_respond import ANNA, BEN, selected
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.queries.people import late_answers
from tsudoi.scheduling.invitations.errors import NotAnInvitee, NotDecidedYet
from tsudoi.scheduling.invitations.schemas import LateAnswer
from tsudoi.scheduling.invitations.service.late import answer_late
from tsudoi.scheduling.thread.errors import ThreadCancelled
from tsudoi.scheduling.thread.models import ThreadAnswer, ThreadFinalize, ThreadLateAnswer, ThreadSelection

_HOUR = timedelta(hours=1)
_LATE = (ThreadLateAnswer.coming, ThreadLateAnswer.comment)


def late(thread: Asked, key: str, *, coming: bool, comment: str | None = None) -> Any:
    body = LateAnswer(coming=coming, comment=comment)
    return thread.db.write_now(
        lambda tx: answer_late(tx, COMMON, thread.thread_id, key, body, via="link", answered_by=None)
    )


def decided(db: Database) -> Asked:
    thread = asked_at(db, COMMON)
    thread.invite("e:1", "一郎", "one@example.jp")
    thread.invite("e:2", "二郎", "two@example.jp")
    thread.answers("e:1", "selected", thread.slots[1])
    thread.decide(thread.slots[1], "e:1")
    return thread


def decision(db: Database) -> list[dict[str, Any]]:
    return db.read_now(lambda tx: [dict(row) for row in tx.execute(select(ThreadFinalize.__table__)).mappings()])


class TestALateAnswer:
    @pytest.mark.found("24.B2")
    @pytest.mark.row("5.F.5")
    def test_is_noted_and_the_person_hears_the_date_once(self, db: Database, clock: ManualClock) -> None:
        thread = decided(db)
        before = decision(db)
        stored = late(thread, "e:2", coming=True, comment="遅れます")
        assert (stored.coming, stored.slot.slot_id) == (True, thread.slots[1])
        late(thread, "e:2", coming=True, comment="遅れます")
        clock.advance(_HOUR)
        late(thread, "e:2", coming=False)
        rows = db.read_now(lambda tx: [tuple(row) for row in tx.execute(select(*_LATE).order_by(ThreadLateAnswer.id))])
        assert rows == [(1, "遅れます"), (0, None)], "the same answer again is nothing new"
        assert db.read_now(late_answers, thread.thread_id)["e:2"].coming == 0
        assert decision(db) == before
        (message,) = thread.messages()
        assert (message["type"], message["invitee_key"], message["channel"]) == ("late", "e:2", "mail")
        (mail,) = thread.mails()
        assert "ご参加を承りました" in mail["text"]
        assert "METHOD:REQUEST" in mail["calendar"]

    @pytest.mark.found("24.B2")
    @pytest.mark.row("5.F.4")
    def test_needs_a_decision_and_an_invitation(self, db: Database) -> None:
        thread = asked_at(db, COMMON)
        thread.invite("e:1", "一郎", "one@example.jp")
        with pytest.raises(NotDecidedYet):
            late(thread, "e:1", coming=True)
        thread.decide(thread.slots[0])
        with pytest.raises(NotAnInvitee):
            late(thread, "e:9", coming=True)
        thread.thread(status="cancelled")
        with pytest.raises(ThreadCancelled):
            late(thread, "e:1", coming=True)
        assert db.read_now(late_answers, thread.thread_id) == {}

    def test_of_a_decision_that_was_taken_back_counts_no_more(self, db: Database, clock: ManualClock) -> None:
        thread = decided(db)
        late(thread, "e:2", coming=True)
        thread.undo("active")
        clock.advance(_HOUR)
        thread.decide(thread.slots[0])
        assert db.read_now(late_answers, thread.thread_id) == {}


@sqlite_only
class TestThePage:
    @pytest.mark.found("24.B2")
    @pytest.mark.row("5.F.3")
    def test_takes_json_and_the_form_without_a_script(self, product: Product) -> None:
        made = make_thread(product.db, ANNA, BEN, rule=ANY)
        anna, ben = made.invites
        early = product.http.post(f"{ben.path}/late", json={"coming": True})
        assert (early.status_code, early.json()["code"]) == (409, "NOT_DECIDED")
        product.http.post(anna.respond, json=selected(made.slots[0])).raise_for_status()
        refused = product.http.post(ben.respond, json=selected(made.slots[0]))
        assert (refused.status_code, refused.json()["code"]) == (409, "THREAD_FINALIZED")
        assert f'action="{ben.path}/late"' in product.http.get(ben.path).text
        answer = product.http.post(f"{ben.path}/late", json={"coming": True})
        assert answer.status_code == 200, answer.text
        assert (answer.json()["ok"], answer.json()["coming"]) == (True, True)
        assert answer.json()["slot"]["slot_id"] == made.slots[0]
        sent = product.http.post(f"{ben.path}/late", data={"coming": "no", "comment": "急用"}, follow_redirects=False)
        assert (sent.status_code, sent.headers["location"]) == (303, f"{ben.path}?saved=1")
        shown = product.http.get(sent.headers["location"]).text
        assert "「参加しない」と回答しました" in shown
        assert "急用" in shown
        assert product.http.post(f"{ben.path}/late", json={"coming": 1}).status_code == 400
        wrong = product.http.post(f"{ben.path}/late", data={"comment": "x"})
        assert wrong.status_code == 400
        assert "「参加する」か「参加しない」を押してください" in wrong.text
        before = product.rows(ThreadLateAnswer)
        assert product.http.get(f"{ben.path}/late", follow_redirects=False).status_code == 303
        assert (len(before), product.rows(ThreadLateAnswer)) == (2, before)
        assert len(product.rows(ThreadAnswer)) == 1


@sqlite_only
class TestInsideLine:
    @pytest.mark.found("24.B2")
    def test_a_member_answers_late(self, product: Product, phone: Callable[[int], httpx2.Client]) -> None:
        make_members(product.db, 101, 102, 103)
        made = make_thread(product.db, 101, 102, rule=ANY)
        url = f"/api/liff/threads/{made.id}"
        phone(101).post(f"{url}/respond", json=selected(made.slots[0])).raise_for_status()
        seen = phone(102).get(url).json()
        assert (seen["can_answer"], seen["can_answer_late"], seen["late_answer"]) == (False, True, None)
        assert phone(102).post(f"{url}/late", json={"coming": True}).json()["coming"] is True
        seen = phone(102).get(url).json()
        assert seen["late_answer"]["coming"] is True
        assert seen["calendar_url"] is not None
        assert phone(103).post(f"{url}/late", json={"coming": True}).status_code == 404


@sqlite_only
class TestTheOffice:
    @pytest.mark.found("24.B2")
    @pytest.mark.row("5.F.4")
    def test_records_a_late_answer(self, product: Product) -> None:
        made = make_thread(product.db, ANNA, BEN, rule=ALL)
        with product.client() as http:
            http.headers["x-csrf-token"] = product.log_in(http).json()["csrf_token"]
            url, body = f"/api/threads/{made.id}/late-answers", {"invitee_key": made.invites[1].key, "coming": True}
            assert http.post(url, json=body).json()["code"] == "NOT_DECIDED"
            order = {"selected_slot_id": made.slots[0], "reason": "会長の都合"}
            http.post(f"/api/threads/{made.id}/finalize", json=order).raise_for_status()
            before = product.rows(ThreadFinalize), product.rows(ThreadSelection)
            assert http.post(url, json={**body, "invitee_key": "e:0"}).json()["code"] == "NOT_INVITED"
            assert http.post(url, json=body).status_code == 201
            assert (product.rows(ThreadFinalize), product.rows(ThreadSelection)) == before
            person = http.get(f"/api/threads/{made.id}").json()["people"][1]
            assert (person["late"]["coming"], person["late"]["via"]) == (True, "office")
        assert [row["action"] for row in product.rows(AuditLog)].count("THREAD_LATE_ANSWER") == 1


@sqlite_only
class TestPeopleWhoAreAddedAfterTheDecision:
    @pytest.mark.found("24.B2")
    @pytest.mark.row("5.F.6")
    def test_are_told_the_date_and_may_answer(self, product: Product) -> None:
        made = make_thread(product.db, ANNA, rule=ANY)
        product.http.post(made.invites[0].respond, json=selected(made.slots[0])).raise_for_status()
        with product.client() as http:
            http.headers["x-csrf-token"] = product.log_in(http).json()["csrf_token"]
            url, people = f"/api/threads/{made.id}/invitees", [{"name": "千恵", "email": "chie@example.jp"}]
            assert http.post(url, json={"invitees": people}).json()["code"] == "THREAD_FINALIZED"
            again = [*people, {"name": "Anna", "email": ANNA}]
            answer = http.post(url, json={"invitees": again, "after_decision": True})
            assert answer.status_code == 201, answer.text
            assert [one["code"] for one in answer.json()["warnings"]] == ["INVITED"]
            (added,) = answer.json()["candidates"]
        told = [row for row in product.rows(ThreadMessage) if row["invitee_key"] == added["invitee_key"]]
        assert [row["type"] for row in told] == ["added"]
        assert product.http.post(f"/i/{added['invite_token']}/late", json={"coming": True}).status_code == 200
