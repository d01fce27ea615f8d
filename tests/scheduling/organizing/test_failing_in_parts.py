"""The four levels of failure of document 001: only a thread that cannot be made ends the request."""

from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.scheduling.organizing.desk import MEI, RAJ, Desk
from tsudoi.access import stepped_writes
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.organizing.endpoints import creating
from tsudoi.scheduling.thread.models import SchedulingSlot, SchedulingThread, ThreadInvite, ThreadSelection

KEN = {"name": "Ken", "email": "ken@example.jp"}
LEAKS = ("secret of the database", "INSERT", "sqlite", "psycopg", "Traceback", "/src/")


class TestLevelsOfFailure:
    @pytest.mark.row("1.2.2", "1.3.4", "1.3.1")
    def test_without_a_thread_nothing_happens(self, desk: Desk) -> None:
        desk.refuse("scheduling_threads")
        answer = desk.post(body={"title": "役員会", "invitees": [RAJ]})
        assert (answer.status_code, answer.json()["error"]) == (500, "INTERNAL")
        assert not any(leak in answer.text for leak in LEAKS)
        assert not any(desk.traces().values())

    @pytest.mark.row("1.2.5", "1.3.1")
    def test_without_a_rule_the_thread_stands_and_decides_nothing(self, desk: Desk) -> None:
        desk.refuse("thread_attendance_rules")
        with capture_logs() as logs:
            made = desk.create(invitees=[RAJ])
        assert made["attendance_rule"] is None
        assert [warning["code"] for warning in made["warnings"]] == ["RULE_NOT_CREATED"]
        [line] = [line for line in logs if line["event"] == "rule_not_created"]
        assert line["thread_id"] == made["thread"]["id"]
        assert desk.respond(made["candidates"][0], made["slots"][0]["slot_id"]).status_code == 200
        found = desk.get(f"/{made['thread']['id']}/status").json()
        assert (found["rule"], found["evaluation"]["state"], found["evaluation"]["reason"]) == (None, "open", "NO_RULE")

    @pytest.mark.row("1.2.10", "1.3.1")
    def test_one_slot_fails_alone(self, desk: Desk) -> None:
        desk.refuse("scheduling_slots", "NEW.label = 'Day After Tomorrow'")
        made = desk.create()
        assert [slot["label"] for slot in made["slots"]] == ["Tomorrow", "In 3 Days"]
        assert len(desk.rows(SchedulingSlot)) == 2
        assert [warning["code"] for warning in made["warnings"]] == ["SLOT_NOT_CREATED"]

    @pytest.mark.row("1.2.11")
    def test_all_slots_fail(self, desk: Desk) -> None:
        desk.refuse("scheduling_slots")
        made = desk.create(invitees=[RAJ])
        assert (made["slots"], len(made["warnings"]), len(desk.rows(SchedulingThread))) == ([], 3, 1)
        assert made["candidates"][0]["invite_token"]

    @pytest.mark.row("1.2.22", "1.2.27", "1.3.1", "1.3.3")
    def test_one_invitation_fails_and_nobody_is_shown_the_token_of_another(self, desk: Desk) -> None:
        desk.refuse("thread_invites", f"NEW.email = '{MEI['email']}'")
        with capture_logs() as logs:
            made = desk.create(invitees=[RAJ, MEI, KEN])
        assert made["message"] == "Thread created with 2 candidate invitations sent"
        raj, mei, ken = made["candidates"]
        assert (mei["invite_token"], mei["invite_url"], mei["invitee_key"]) == (None, None, None)
        assert [warning["code"] for warning in made["warnings"]] == ["INVITE_NOT_CREATED"]
        stored = {row["token"]: row["email"] for row in desk.rows(ThreadInvite)}
        assert stored == {raj["invite_token"]: RAJ["email"], ken["invite_token"]: KEN["email"]}
        assert "Ken" in desk.product.http.get(f"/i/{ken['invite_token']}").text
        assert len(desk.rows(ThreadSelection)) == len(desk.rows(ThreadMessage)) == 2
        lines = [line for line in logs if line["event"] == "invite_not_created"]
        assert [line["thread_id"] for line in lines] == [made["thread"]["id"]]
        told = str(logs)
        assert not any(word in told for word in (MEI["email"], RAJ["email"], raj["invite_token"], "secret of the"))

    @pytest.mark.row("1.2.26", "1.3.1")
    def test_messages_that_cannot_be_written_leave_the_invitations(self, desk: Desk) -> None:
        desk.refuse("thread_messages", f"NEW.\"to\" = '{MEI['email']}'")
        made = desk.create(invitees=[RAJ, MEI])
        assert made["message"] == "Thread created with 2 candidate invitations sent"
        assert [warning["code"] for warning in made["warnings"]] == ["MESSAGE_NOT_CREATED"]
        assert [row["to"] for row in desk.rows(ThreadMessage)] == [RAJ["email"]]
        assert len(desk.rows(ThreadInvite)) == 2


class TestInterruptions:
    @pytest.mark.row("1.2.28")
    def test_a_request_that_died_between_its_transactions_is_finished_by_its_copy(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        body: dict[str, Any] = {"title": "役員会", "invitees": [RAJ, MEI]}
        with monkeypatch.context() as patch:
            patch.setattr(creating, "finish_thread", _dies)
            assert desk.post(body=body, idempotency_key="k").status_code == 503
        assert (len(desk.rows(SchedulingThread)), desk.rows(ThreadInvite)) == (1, [])
        again = desk.post(body=body, idempotency_key="k")
        [thread] = desk.rows(SchedulingThread)
        assert (again.status_code, again.json()["thread"]["id"]) == (201, thread["id"])
        assert (len(desk.rows(SchedulingSlot)), len(desk.rows(ThreadInvite)), len(desk.rows(ThreadMessage))) == (
            3,
            2,
            2,
        )
        third = desk.post(body=body, idempotency_key="k")
        assert third.content == again.content
        assert len(desk.rows(ThreadInvite)) == 2

    def test_the_second_transaction_keeps_the_reply_so_that_it_is_never_run_twice(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The process dies after the last commit: what was written is found again, and nobody is asked twice."""
        body = {"title": "役員会", "invitees": [RAJ]}

        def lost(_reply: object) -> None:
            raise DatabaseUnavailable

        with monkeypatch.context() as patch:
            patch.setattr(stepped_writes, "as_response", lost)
            assert desk.post(body=body, idempotency_key="k").status_code == 503
        again = desk.post(body=body, idempotency_key="k")
        assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
        assert len(desk.rows(ThreadInvite)) == len(desk.rows(ThreadMessage)) == 1


def _dies(_tx: Tx, **_more: Any) -> None:
    raise DatabaseUnavailable
