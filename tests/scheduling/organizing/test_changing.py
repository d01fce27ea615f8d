from datetime import timedelta
from typing import Any

import pytest

from tests.product_fixtures import sqlite_only
from tests.scheduling.organizing.desk import MEI, RAJ, Desk
from tsudoi.core.clock import utc_text
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingSlot,
    SchedulingThread,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
)

ALL: dict[str, Any] = {**DEFAULT_RULE, "type": "ALL", "participants": []}
RAJ_KEY = "e:a8e45af9f16f6fdc"


@pytest.fixture
def made(desk: Desk) -> dict[str, Any]:
    """Raj and Mei are asked, and both have to agree."""
    return desk.create(invitees=[RAJ, MEI], rule=ALL)


def path(made: dict[str, Any], rest: str = "") -> str:
    return f"/{made['thread']['id']}{rest}"


class TestFinalizing:
    @pytest.mark.row("1.6.19", "1.6.21", "1.6.20", "1.0.3", "1.0.15", "1.I.15")
    def test_by_hand_with_a_reason(self, desk: Desk, made: dict[str, Any]) -> None:
        first, second = (slot["slot_id"] for slot in made["slots"][:2])
        desk.respond(made["candidates"][0], first)
        refused = desk.post(path(made, "/finalize"), {"selected_slot_id": first})
        assert (refused.status_code, refused.json()["error"]) == (409, "RULE_NOT_SATISFIED")
        assert refused.json()["evaluation"]["state"] == "open"
        assert desk.rows(ThreadFinalize) == []
        done = desk.post(path(made, "/finalize"), {"slot_id": first, "reason": "会長の都合"})
        assert (done.status_code, done.json()["told"], done.json()["thread"]["status"]) == (200, 0, "finalized")
        [row] = desk.rows(ThreadFinalize)
        assert (row["selected_slot_id"], row["finalized_by_user_id"], row["auto_finalized"], row["reason"]) == (
            first,
            desk.user_id,
            0,
            "会長の都合",
        )
        assert row["final_participants"] == [RAJ_KEY]
        again = desk.post(path(made, "/finalize"), {"selected_slot_id": first, "reason": "別の理由"})
        assert (again.status_code, desk.rows(ThreadFinalize)) == (200, [row])
        other = desk.post(path(made, "/finalize"), {"selected_slot_id": second, "reason": "x"})
        assert (other.status_code, other.json()["error"]) == (409, "THREAD_FINALIZED")
        [entry] = [entry for entry in desk.audit(made["thread"]["id"]) if entry["action"] == "THREAD_FINALIZE"]
        assert (entry["actor"], entry["reason"]) == ("admin:jimukyoku", "会長の都合")
        late = desk.respond(made["candidates"][1], first)
        assert (late.status_code, late.json()["error"]) == (409, "THREAD_FINALIZED")

    @pytest.mark.row("1.6.21", "1.I.15")
    def test_a_fulfilled_rule_needs_no_reason_and_decides_alone_when_it_may(self, desk: Desk) -> None:
        by_hand = {**ALL, "finalize_policy": {"auto_finalize": False, "policy": "EARLIEST_VALID"}}
        made = desk.create(invitees=[RAJ], rule=by_hand)
        slot = made["slots"][1]["slot_id"]
        desk.respond(made["candidates"][0], slot)
        found = desk.get(path(made, "/status")).json()["evaluation"]
        assert (found["state"], found["would_finalize_slot_id"]) == ("satisfied", slot)
        assert desk.post(path(made, "/finalize"), {"selected_slot_id": slot}).status_code == 200
        by_itself = desk.create(invitees=[RAJ])
        desk.respond(by_itself["candidates"][0], by_itself["slots"][0]["slot_id"])
        [entry] = [one for one in desk.audit(by_itself["thread"]["id"]) if one["action"] == "THREAD_FINALIZE"]
        assert entry["actor"] == "system"
        [row] = desk.rows(ThreadFinalize, thread_id=by_itself["thread"]["id"])
        assert (row["auto_finalized"], row["finalized_by_user_id"]) == (1, None)

    @pytest.mark.row("1.6.22")
    def test_slots_that_cannot_be_decided(self, desk: Desk, made: dict[str, Any]) -> None:
        foreign = desk.create()["slots"][0]["slot_id"]
        cases = [
            ({"selected_slot_id": foreign, "reason": "x"}, 400, "UNKNOWN_SLOT"),
            ({"reason": "x"}, 400, "INVALID_INPUT"),
            ({"selected_slot_id": foreign, "slot_id": "other", "reason": "x"}, 400, "INVALID_INPUT"),
        ]
        for body, status, code in cases:
            answer = desk.post(path(made, "/finalize"), body)
            assert (answer.status_code, answer.json()["error"]) == (status, code), body
        desk.clock.advance(timedelta(days=2))
        past = desk.post(path(made, "/finalize"), {"selected_slot_id": made["slots"][0]["slot_id"], "reason": "x"})
        assert (past.status_code, past.json()["error"]) == (400, "SLOT_PAST")
        draft = desk.create(send=False)
        early = desk.post(path(draft, "/finalize"), {"selected_slot_id": draft["slots"][0]["slot_id"], "reason": "x"})
        assert (early.status_code, early.json()["error"]) == (409, "NOT_SENT_YET")
        assert desk.rows(ThreadFinalize) == []


class TestCancelling:
    @pytest.mark.row("1.I.10", "1.0.3", "1.I.15")
    def test_an_open_thread_and_a_decided_one(self, desk: Desk, made: dict[str, Any]) -> None:
        cancelled = desk.post(path(made, "/cancel"), {})
        assert (cancelled.status_code, cancelled.json()["thread"]["status"]) == (200, "cancelled")
        assert desk.respond(made["candidates"][0]).status_code == 409
        assert desk.post(path(made, "/cancel"), {"reason": "again"}).json()["told"] == 0
        assert desk.actions(made["thread"]["id"]).count("THREAD_CANCEL") == 1
        decided = desk.create(invitees=[RAJ])
        desk.respond(decided["candidates"][0], decided["slots"][0]["slot_id"])
        before = desk.rows(SchedulingThread, id=decided["thread"]["id"])[0]
        desk.post(path(decided, "/cancel"), {"reason": "台風"})
        after = desk.rows(SchedulingThread, id=decided["thread"]["id"])[0]
        assert (after["status"], after["cancel_reason"], after["sequence"]) == (
            "cancelled",
            "台風",
            before["sequence"] + 1,
        )
        assert len(desk.rows(ThreadFinalize, thread_id=decided["thread"]["id"])) == 1
        for verb, body in (("finalize", {"selected_slot_id": "x", "reason": "x"}), ("reopen", {}), ("send", {})):
            answer = desk.post(path(decided, f"/{verb}"), body)
            assert (answer.status_code, answer.json()["error"]) == (409, "THREAD_CANCELLED"), verb

    def test_nobody_is_told_of_a_draft_that_is_thrown_away(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ], send=False)
        assert desk.post(path(made, "/cancel"), {}).json()["told"] == 0
        assert desk.rows(ThreadMessage) == []


class TestReopening:
    def test_answers_stay_and_people_get_time_again(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI])
        slot = made["slots"][0]["slot_id"]
        assert desk.post(path(made, "/reopen"), {}).json()["error"] == "NOT_FINALIZED"
        desk.respond(made["candidates"][0], slot)
        desk.clock.advance(timedelta(days=4))
        reopened = desk.post(path(made, "/reopen"), {"reason": "会場が取れない"})
        assert (reopened.status_code, reopened.json()["thread"]["status"]) == (200, "active")
        assert desk.rows(ThreadFinalize) == []
        assert [row["status"] for row in desk.rows(ThreadSelection, invitee_key=RAJ_KEY)] == ["selected"]
        assert {row["expires_at"] for row in desk.rows(ThreadInvite)} == {desk.clock.now() + timedelta(hours=72)}
        [entry] = [one for one in desk.audit(made["thread"]["id"]) if one["action"] == "THREAD_REOPEN"]
        assert (entry["old"]["selected_slot_id"], entry["reason"]) == (slot, "会場が取れない")

    def test_a_deadline_that_is_over_is_moved(self, desk: Desk) -> None:
        deadline = utc_text(desk.clock.now() + timedelta(hours=2))
        made = desk.create(invitees=[RAJ], deadline_at=deadline)
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        desk.clock.advance(timedelta(hours=3))
        assert desk.post(path(made, "/reopen"), {}).status_code == 200
        [row] = desk.rows(SchedulingThread)
        assert row["deadline_at"] == desk.clock.now() + timedelta(hours=72)


class TestSlots:
    @pytest.mark.row("1.I.10", "1.I.15")
    def test_they_come_and_go_with_their_answers(self, desk: Desk, made: dict[str, Any]) -> None:
        first, second, _ = (slot["slot_id"] for slot in made["slots"])
        desk.respond(made["candidates"][0], first, second)
        added = desk.post(path(made, "/slots"), {"slots": [desk.slot(20), desk.slot(10, label="予備")]})
        assert added.status_code == 201
        assert [slot["label"] for slot in added.json()["slots"]] == ["予備", None]
        twice = desk.post(path(made, "/slots"), {"slots": [desk.slot(10)]})
        assert twice.json()["details"] == [{"field": "slots.0.start_at", "reason": "DUPLICATE"}]
        assert desk.delete(path(made, f"/slots/{first}")).status_code == 204
        [selection] = desk.rows(ThreadSelection, invitee_key=RAJ_KEY)
        assert selection["selected_slot_id"] == second
        assert desk.delete(path(made, f"/slots/{first}")).json()["error"] == "SLOT_NOT_FOUND"
        assert len(desk.rows(SchedulingSlot)) == 4
        assert {"THREAD_SLOTS", "THREAD_SLOT_REMOVE"} <= set(desk.actions(made["thread"]["id"]))

    def test_only_those_who_have_answered_are_told_of_new_ones(self, desk: Desk, made: dict[str, Any]) -> None:
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        desk.post(path(made, "/slots"), {"slots": [desk.slot(10)], "notify": False})
        assert {row["type"] for row in desk.rows(ThreadMessage)} == {"invite"}
        desk.post(path(made, "/slots"), {"slots": [desk.slot(11)]})
        assert [row["invitee_key"] for row in desk.rows(ThreadMessage, type="slots_added")] == [RAJ_KEY]

    @pytest.mark.row("1.I.10")
    def test_the_decided_one_stays(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ])
        first, second, _ = (slot["slot_id"] for slot in made["slots"])
        desk.respond(made["candidates"][0], first)
        assert desk.delete(path(made, f"/slots/{first}")).json()["error"] == "SLOT_FINALIZED"
        assert desk.delete(path(made, f"/slots/{second}")).json()["error"] == "THREAD_FINALIZED"
        assert desk.post(path(made, "/slots"), {"slots": [desk.slot(9)]}).status_code == 409

    @sqlite_only
    def test_fifty_are_enough(self, desk: Desk) -> None:
        full = desk.create(slots=[desk.slot(number) for number in range(1, 51)])
        assert desk.post(path(full, "/slots"), {"slots": [desk.slot(60)]}).json()["error"] == "TOO_MANY_SLOTS"
        assert len(desk.rows(SchedulingSlot)) == 50


class TestRule:
    @pytest.mark.row("1.I.11", "1.I.15")
    def test_each_edition_replaces_the_one_that_was_seen(self, desk: Desk, made: dict[str, Any]) -> None:
        desk.respond(made["candidates"][0], made["slots"][0]["slot_id"])
        desk.clock.advance(timedelta(minutes=1))
        changed = desk.put(path(made, "/rule"), {"version": 1, "rule": DEFAULT_RULE})
        assert (changed.status_code, changed.json()["version"], changed.json()["type"]) == (200, 2, "ANY")
        stale = desk.put(path(made, "/rule"), {"version": 1, "rule": DEFAULT_RULE})
        assert (stale.status_code, stale.json()["error"]) == (409, "RULE_CHANGED")
        [row] = desk.rows(AttendanceRule)
        assert (row["version"], row["updated_at"] - row["created_at"]) == (2, timedelta(minutes=1))
        # The new rule is fulfilled, and an edit of the office decides nothing.
        assert desk.get(path(made, "/status")).json()["evaluation"]["state"] == "satisfied"
        wrong = desk.put(path(made, "/rule"), {"version": 2, "rule": {**ALL, "participants": ["lm:9"]}})
        assert (wrong.status_code, wrong.json()["error"]) == (400, "BAD_RULE")
        closed = {**DEFAULT_RULE, "invitee_scope": {"allow_unregistered": False}}
        assert desk.put(path(made, "/rule"), {"version": 2, "rule": closed}).status_code == 400

    def test_a_thread_without_a_rule_gets_one(self, desk: Desk, made: dict[str, Any]) -> None:
        desk.run("DELETE FROM thread_attendance_rules")
        assert desk.put(path(made, "/rule"), {"version": 0, "rule": ALL}).json()["version"] == 1
        assert desk.put(path(made, "/rule"), {"version": 0, "rule": ALL}).status_code == 409


class TestFields:
    def test_only_what_is_sent_is_changed(self, desk: Desk, made: dict[str, Any]) -> None:
        answer = desk.patch(path(made), {"revision": 0, "place": "本部 3階", "maybe_allowed": False})
        assert answer.status_code == 200, answer.text
        [row] = desk.rows(SchedulingThread)
        assert (row["title"], row["place"], row["maybe_allowed"], row["revision"]) == ("役員会", "本部 3階", 0, 1)
        assert desk.patch(path(made), {"revision": 0, "place": "x"}).json()["code"] == "CHANGED_MEANWHILE"
        assert desk.patch(path(made), {"place": "本部 3階"}).status_code == 200
        assert desk.rows(SchedulingThread)[0]["revision"] == 1
        [entry] = [one for one in desk.audit(made["thread"]["id"]) if one["action"] == "THREAD_CHANGE"]
        assert (entry["old"], entry["new"]) == (
            {"place": None, "maybe_allowed": 1},
            {"place": "本部 3階", "maybe_allowed": 0},
        )

    def test_a_new_deadline_is_one_for_everybody(self, desk: Desk, made: dict[str, Any]) -> None:
        desk.clock.advance(timedelta(hours=73))
        assert desk.respond(made["candidates"][0], made["slots"][2]["slot_id"]).status_code == 410
        past = desk.patch(path(made), {"deadline_at": utc_text(desk.clock.now())})
        assert past.json()["details"] == [{"field": "deadline_at", "reason": "IN_PAST"}]
        until = utc_text(desk.clock.now() + timedelta(hours=1))
        assert desk.patch(path(made), {"deadline_at": until, "decide_at_deadline": True}).status_code == 200
        assert {utc_text(row["expires_at"]) for row in desk.rows(ThreadInvite)} == {until}
        desk.post(path(made, "/slots"), {"slots": [desk.slot(10)], "notify": False})
        missing = desk.patch(path(made), {"deadline_at": None})
        assert missing.json()["details"] == [{"field": "decide_at_deadline", "reason": "DEADLINE_REQUIRED"}]


class TestAuditTrail:
    @pytest.mark.row("1.I.15")
    def test_everything_that_the_office_does_is_on_record(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI], rule=ALL, send=False)
        slot = made["slots"][0]["slot_id"]
        desk.post(path(made, "/send"))
        desk.patch(path(made), {"place": "本部"})
        desk.post(path(made, "/slots"), {"slots": [desk.slot(10)]})
        desk.put(path(made, "/rule"), {"version": 1, "rule": DEFAULT_RULE})
        desk.delete(path(made, f"/invitees/{made['candidates'][1]['invitee_key']}"))
        behalf = {"invitee_key": RAJ_KEY, "status": "selected", "selected_slot_ids": [slot]}
        assert desk.post(path(made, "/answers"), behalf).status_code == 200
        desk.post(path(made, "/reopen"), {})
        desk.post(path(made, "/remind"), {})
        desk.post(path(made, "/cancel"), {})
        asked: dict[str, str | int] = {"subject": f"thread:{made['thread']['id']}", "limit": 100}
        answer = desk.product.http.get("/api/admin/audit", params=asked, headers=desk.bearer)
        entries = [(entry["action"], entry["actor"]) for entry in answer.json()["items"]]
        office, rule = "admin:jimukyoku", "system"
        assert entries[::-1] == [
            ("THREAD_CREATE", office),
            ("THREAD_INVITE", office),
            ("THREAD_SEND", office),
            ("THREAD_CHANGE", office),
            ("THREAD_SLOTS", office),
            ("THREAD_RULE", office),
            ("THREAD_UNINVITE", office),
            ("THREAD_FINALIZE", rule),
            ("THREAD_ANSWER", office),
            ("THREAD_REOPEN", office),
            ("THREAD_CANCEL", office),
        ]
