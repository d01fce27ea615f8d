"""`POST /api/threads/{id}/answers`: the office writes down what somebody said on the telephone."""

from collections.abc import Iterator
from datetime import timedelta

import httpx2
import orjson
import pytest

from tests.conftest import NOON
from tests.factories.product import Product
from tests.factories.threads import ALL, ANY, MadeThread, change, make_thread
from tests.product_fixtures import sqlite_only
from tests.scheduling.invitations.test_respond import ANNA, BEN, selected
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog
from tsudoi.scheduling.thread.models import (
    SchedulingThread,
    ThreadAnswer,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
)


@pytest.fixture
def thread(product: Product) -> MadeThread:
    return make_thread(product.db, ANNA, BEN, rule=ALL)


@pytest.fixture
def office(product: Product, thread: MadeThread) -> Iterator[httpx2.Client]:
    with product.client() as http:
        token = product.log_in(http).json()["csrf_token"]
        http.headers["x-csrf-token"] = token
        yield http


def audited(product: Product) -> list[dict[str, object]]:
    return [row for row in product.rows(AuditLog) if row["action"] == "THREAD_ANSWER"]


class TestWhatAnAnswerWouldDecide:
    @sqlite_only
    @pytest.mark.found("24.B1")
    def test_is_said_before_it_is_recorded(
        self, product: Product, thread: MadeThread, office: httpx2.Client, clock: ManualClock
    ) -> None:
        anna, ben = thread.invites
        url, slot = f"/api/threads/{thread.id}/answers", thread.slots[1]
        nothing = {"decides": None, "told": 0, "to_call": 0}
        assert office.post(f"{url}/preview", json=selected(slot, invitee_key=anna.key)).json() == nothing
        office.post(url, json=selected(slot, invitee_key=anna.key)).raise_for_status()
        before = product.rows(ThreadSelection), product.rows(ThreadFinalize)
        outcome = office.post(f"{url}/preview", json=selected(slot, invitee_key=ben.key)).json()
        assert (outcome["decides"]["slot_id"], outcome["told"] + outcome["to_call"]) == (slot, 2)
        assert (product.rows(ThreadSelection), product.rows(ThreadFinalize)) == before
        assert office.post(f"{url}/preview", json=selected("x", invitee_key=ben.key)).json()["code"] == "UNKNOWN_SLOT"
        later = {"decide_at_deadline": 1, "deadline_at": clock.now() + timedelta(hours=1)}
        change(product.db, SchedulingThread, SchedulingThread.id == thread.id, **later)
        assert office.post(f"{url}/preview", json=selected(slot, invitee_key=ben.key)).json() == nothing
        clock.advance(timedelta(hours=2))
        late = office.post(f"{url}/preview", json=selected(slot, invitee_key=ben.key)).json()
        assert late["decides"]["slot_id"] == slot, "the clock asks the rule once more after a late answer"


class TestAnAnswerOnBehalf:
    def test_is_marked_and_audited(self, product: Product, thread: MadeThread, office: httpx2.Client) -> None:
        anna, slot = thread.invites[0], thread.slots[0]
        answer = office.post(
            f"/api/threads/{thread.id}/answers", json=selected(slot, invitee_key=anna.key, comment="電話")
        )
        assert answer.status_code == 200
        assert answer.json()["invitee_key"] == anna.key
        organizer = product.rows(SchedulingThread)[0]["organizer_user_id"]
        row = next(row for row in product.rows(ThreadSelection) if row["invitee_key"] == anna.key)
        assert (row["via"], row["answered_by"], row["selected_slot_id"]) == ("office", organizer, slot)
        (history,) = product.rows(ThreadAnswer)
        assert (history["via"], history["answered_by"]) == ("office", organizer)
        (entry,) = audited(product)
        assert (entry["actor"], entry["subject"]) == ("admin:jimukyoku", f"thread:{thread.id}")
        assert orjson.loads(str(entry["new"])) == {
            "invitee_key": anna.key,
            "status": "selected",
            "selected_slot_ids": [slot],
            "maybe_slot_ids": [],
            "comment": "電話",
        }
        invite = next(row for row in product.rows(ThreadInvite) if row["id"] == anna.id)
        assert invite["status"] == "accepted"

    def test_may_be_late_and_may_decide(self, product: Product, thread: MadeThread, office: httpx2.Client) -> None:
        change(product.db, ThreadInvite, ThreadInvite.thread_id == thread.id, expires_at=NOON, status="expired")
        for invite in thread.invites:
            answer = office.post(
                f"/api/threads/{thread.id}/answers", json=selected(thread.slots[2], invitee_key=invite.key)
            )
            assert answer.status_code == 200, answer.text
        assert answer.json()["evaluation"]["final_slot_id"] == thread.slots[2]
        assert len(product.rows(ThreadFinalize)) == 1

    def test_is_refused_once_it_is_decided_cancelled_or_not_sent(self, product: Product, office: httpx2.Client) -> None:
        decided = make_thread(product.db, ANNA, BEN, rule=ANY)
        product.http.post(decided.invites[0].respond, json=selected(decided.slots[0])).raise_for_status()
        cases = [
            (decided, 409, "THREAD_FINALIZED"),
            (make_thread(product.db, ANNA, BEN, status="cancelled"), 409, "THREAD_CANCELLED"),
            (make_thread(product.db, ANNA, BEN, status="draft"), 409, "NOT_SENT_YET"),
        ]
        before = product.rows(ThreadAnswer)
        for one, status, code in cases:
            body = selected(one.slots[1], invitee_key=one.invites[1].key)
            answer = office.post(f"/api/threads/{one.id}/answers", json=body)
            assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert product.rows(ThreadAnswer) == before
        assert audited(product) == []

    @sqlite_only
    def test_refuses_strangers_and_bad_input(self, product: Product, thread: MadeThread, office: httpx2.Client) -> None:
        url, slot = f"/api/threads/{thread.id}/answers", thread.slots[0]
        cases = [
            (url, selected(slot, invitee_key="e:0000000000000000"), 400, "NOT_INVITED"),
            (url, selected(slot), 400, "INVALID_INPUT"),
            (url, selected("nothing", invitee_key=thread.invites[0].key), 400, "UNKNOWN_SLOT"),
            (
                "/api/threads/nothing/answers",
                selected(slot, invitee_key=thread.invites[0].key),
                404,
                "THREAD_NOT_FOUND",
            ),
        ]
        for path, body, status, code in cases:
            answer = office.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (status, code), body
            assert set(answer.json()) == {"error", "code", "message", "details"}
        with product.client() as nobody:
            assert nobody.post(url, json={}).status_code == 401, "before the body is looked at"
            header = {"x-user-id": "admin:1"}
            assert nobody.post(url, json={}, headers=header).status_code == 401
        assert product.rows(ThreadAnswer) == []

    @sqlite_only
    def test_by_the_wrong_identity_is_refused(self, thread: MadeThread, office: httpx2.Client) -> None:
        body = selected(thread.slots[0], invitee_key=thread.invites[0].key)
        url = f"/api/threads/{thread.id}/answers"
        assert office.post(url, json=body, headers={"x-user-id": "admin:999"}).json()["code"] == "IDENTITY_MISMATCH"
        assert office.post(url, json=body, headers={"x-csrf-token": "wrong"}).status_code == 403

    @sqlite_only
    def test_can_be_changed_by_the_person_and_the_other_way_round(
        self, product: Product, thread: MadeThread, office: httpx2.Client
    ) -> None:
        anna = thread.invites[0]
        url = f"/api/threads/{thread.id}/answers"
        office.post(url, json={"status": "declined", "invitee_key": anna.key}).raise_for_status()
        product.http.post(anna.respond, json=selected(thread.slots[0])).raise_for_status()
        assert [row["via"] for row in product.rows(ThreadAnswer)] == ["office", "link"]
        row = next(row for row in product.rows(ThreadSelection) if row["invitee_key"] == anna.key)
        assert (row["via"], row["answered_by"]) == ("link", None)
        assert timedelta(0) <= row["responded_at"] - NOON
