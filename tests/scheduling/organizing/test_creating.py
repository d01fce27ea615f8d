import re
from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import NOON
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.scheduling.organizing.desk import MEI, RAJ, URL, Desk, desk_at
from tsudoi.core.clock import JST, ManualClock, utc_text
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingThread,
    ThreadInvite,
    ThreadSelection,
)

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
JST_TEXT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00")
SLOT = "slot_id, thread_id, start_at, end_at, timezone, label"
LABELS = ["Tomorrow", "Day After Tomorrow", "In 3 Days"]


class TestATitleIsEnough:
    @pytest.mark.row("1.1.1", "1.1.2", "1.1.4", "1.1.5", "1.1.9", "1.2.1", "1.2.3", "1.2.4", "1.0.16")
    def test_the_thread_has_the_default_rule_and_is_stored_as_the_document_says(self, desk: Desk) -> None:
        answer = desk.post(body={"title": "役員会"})
        made = answer.json()
        assert answer.status_code == 201
        assert set(made) == {"thread", "attendance_rule", "slots", "candidates", "message", "warnings"}
        columns = "id, title, description, organizer_user_id, status, created_at"
        [row] = desk.sql(f"SELECT {columns}, updated_at, mode FROM scheduling_threads")
        assert list(made["thread"].values()) == list(row[:6])
        assert row[4:] == ("active", utc_text(NOON), utc_text(NOON), "one_on_one")
        assert made["thread"]["organizer_user_id"] == desk.user_id
        assert UUID.fullmatch(made["thread"]["id"])
        rule = made["attendance_rule"]
        assert rule == {
            "thread_id": row[0],
            "type": "ANY",
            "rule_json": DEFAULT_RULE,
            "finalize_policy": "EARLIEST_VALID",
        }
        [stored] = desk.rows(AttendanceRule)
        assert (stored["rule_json"], stored["version"], stored["finalize_policy"]) == (
            DEFAULT_RULE,
            1,
            "EARLIEST_VALID",
        )
        assert made["candidates"] == made["warnings"] == []
        assert made["message"] == "Thread created with 0 candidate invitations sent"

    @pytest.mark.row("1.1.6", "1.2.6", "1.2.7", "1.2.9")
    def test_three_slots_on_the_next_days_at_two(self, desk: Desk) -> None:
        made = desk.create()
        today = NOON.astimezone(JST).date()
        days = [f"{today + timedelta(days=number)}" for number in (1, 2, 3)]
        assert [slot["start_at"] for slot in made["slots"]] == [f"{day}T14:00:00+09:00" for day in days]
        assert [slot["end_at"] for slot in made["slots"]] == [f"{day}T15:00:00+09:00" for day in days]
        assert [slot["label"] for slot in made["slots"]] == LABELS
        stored = desk.sql(f"SELECT {SLOT} FROM scheduling_slots ORDER BY start_at")
        assert [list(slot.values()) for slot in made["slots"]] == [list(row) for row in stored]
        assert all(JST_TEXT.fullmatch(row[2]) and JST_TEXT.fullmatch(row[3]) for row in stored)

    @sqlite_only
    @pytest.mark.row("1.2.8")
    def test_the_zone_is_the_organisers_and_never_that_of_the_machine(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TZ", "America/New_York")
        assert {slot["timezone"] for slot in desk.create()["slots"]} == {"Asia/Tokyo"}
        # Noon in Japan is eleven at night, the day before, in New York.
        there = desk.create(timezone="America/New_York")["slots"]
        assert [slot["timezone"] for slot in there] == ["America/New_York"] * 3
        assert there[0]["start_at"] == "2025-08-17T03:00:00+09:00"

    @sqlite_only
    @pytest.mark.row("1.1.3", "1.1.22")
    def test_texts_come_back_as_they_were_sent(self, desk: Desk) -> None:
        for description in (None, ""):
            made = desk.create(description=description)
            assert made["thread"]["description"] is None
        assert desk.sql("SELECT count(*) FROM scheduling_threads WHERE description IS NULL") == [(2,)]
        title = ("\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN} 𠮷田さん\N{RIGHT-TO-LEFT MARK} " + "あ" * 200)[:200]
        made = desk.create(title=title, description="a\nb" + "い" * 4997)
        [row] = desk.rows(SchedulingThread, id=made["thread"]["id"])
        assert made["thread"]["title"] == row["title"] == title
        assert made["thread"]["description"] == row["description"] == "a\nb" + "い" * 4997


class TestInviting:
    @pytest.mark.row("1.1.7", "1.1.8", "1.2.16", "1.2.17", "1.2.18", "1.2.19", "1.2.20", "1.0.14", "1.1.9")
    def test_each_person_gets_one_invitation_with_a_link(self, desk: Desk) -> None:
        made = desk.create(invitees=[{"name": "Raj Patel", "email": "Raj.Patel@Example.com"}, MEI])
        assert made["message"] == "Thread created with 2 candidate invitations sent"
        raj, mei = made["candidates"]
        assert set(raj) == {"name", "email", "reason", "invite_token", "invite_url", "invitee_key"}
        assert raj["invitee_key"] == "e:a8e45af9f16f6fdc"
        assert raj["invite_url"] == f"{desk.product.url}/i/{raj['invite_token']}"
        assert (mei["name"], mei["email"], mei["reason"]) == (MEI["name"], MEI["email"], None)
        rows = sorted(desk.rows(ThreadInvite), key=lambda row: row["created_at"])
        assert [row["invitee_key"] for row in rows] == [raj["invitee_key"], mei["invitee_key"]]
        for row, candidate in zip(rows, made["candidates"], strict=True):
            assert row["token"] == candidate["invite_token"]
            assert (row["status"], row["accepted_at"]) == ("pending", None)
            assert row["expires_at"] - row["created_at"] == timedelta(hours=72)
            assert UUID.fullmatch(row["id"])
        selections = desk.rows(ThreadSelection)
        assert [row["status"] for row in selections] == ["pending", "pending"]
        assert {row["invitee_key"] for row in selections} == {row["invitee_key"] for row in rows}
        assert {row["job_id"] for row in desk.rows(ThreadMessage)} == {f"invite-{row['id']}" for row in rows}

    @sqlite_only
    @pytest.mark.row("1.2.21")
    def test_tokens_cannot_be_guessed(self, desk: Desk) -> None:
        people = [{"name": f"人{number}", "email": f"p{number}@example.jp"} for number in range(500)]
        made = desk.create(invitees=people)["candidates"]
        tokens = {one["invite_token"] for one in made}
        assert len(tokens) == 500
        assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in tokens)
        assert [one["email"] for one in made] == [one["email"] for one in people]

    @pytest.mark.row("1.I.2")
    def test_the_same_address_twice_is_one_person(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, {"name": "Raj again", "email": "RAJ.Patel@example.com"}])
        assert [one["name"] for one in made["candidates"]] == ["Raj Patel"]
        assert [warning["code"] for warning in made["warnings"]] == ["DUPLICATE_PERSON"]
        assert len(desk.rows(ThreadInvite)) == 1

    @pytest.mark.row("1.I.3", "1.0.14")
    def test_members_of_a_group_are_asked_unless_they_have_left(self, desk: Desk) -> None:
        desk.enrol(101, email="mei@example.jp")
        desk.enrol(102)
        desk.enrol(103, withdrawn_at=NOON)
        desk.group(7, 101, 102, 103)
        made = desk.create(audience_ids=[7], invitees=[{"name": "芽衣", "email": "MEI@example.jp"}, RAJ])
        rows = sorted(desk.rows(ThreadInvite), key=lambda row: row["created_at"])
        assert [(row["invitee_key"], row["email"], row["member_id"]) for row in rows] == [
            ("lm:101", "mei@example.jp", 101),
            ("lm:102", "", 102),
            ("e:a8e45af9f16f6fdc", "raj.patel@example.com", None),
        ]
        assert [warning["code"] for warning in made["warnings"]] == ["DUPLICATE_PERSON"]

    @pytest.mark.row("1.I.3")
    def test_an_unknown_group_makes_nothing(self, desk: Desk) -> None:
        answer = desk.post(body={"title": "役員会", "audience_ids": [7]})
        assert (answer.status_code, answer.json()["details"]) == (
            400,
            [{"field": "audience_ids.7", "reason": "UNKNOWN_AUDIENCE"}],
        )
        assert not any(desk.traces().values())

    @pytest.mark.row("1.I.5")
    def test_a_deadline_takes_the_place_of_72_hours(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ], deadline_at="2025-09-01T12:00:00+09:00")
        [row] = desk.rows(ThreadInvite)
        assert utc_text(row["expires_at"]) == "2025-09-01T03:00:00.000000+00:00"
        assert made["warnings"] == []
        past = desk.post(body={"title": "役員会", "deadline_at": "2025-08-16T11:59:59+09:00"})
        assert past.json()["details"] == [{"field": "deadline_at", "reason": "IN_PAST"}]

    @pytest.mark.row("1.I.4", "1.0.3")
    def test_a_draft_tells_nobody_until_it_is_sent(self, desk: Desk) -> None:
        made = desk.create(invitees=[RAJ, MEI], send=False)
        thread_id, [raj, _] = made["thread"]["id"], made["candidates"]
        assert made["thread"]["status"] == "draft"
        assert len(desk.rows(ThreadInvite)) == 2
        assert desk.rows(ThreadMessage) == []
        assert desk.product.http.get(f"/i/{raj['invite_token']}").status_code == 404
        desk.clock.advance(timedelta(hours=1))
        sent = desk.post(f"/{thread_id}/send")
        assert (sent.status_code, sent.json()["thread"]["status"]) == (200, "active")
        assert len(desk.rows(ThreadMessage)) == 2
        assert {row["expires_at"] for row in desk.rows(ThreadInvite)} == {desk.clock.now() + timedelta(hours=72)}
        assert desk.product.http.get(f"/i/{raj['invite_token']}").status_code == 200
        again = desk.post(f"/{thread_id}/send")
        assert (again.status_code, again.json()["code"]) == (409, "ALREADY_SENT")
        assert len(desk.rows(ThreadMessage)) == 2


class TestTheRuleOfANewThread:
    @pytest.mark.row("1.1.28")
    def test_it_is_stored_key_by_key_as_given(self, desk: Desk) -> None:
        rule = {
            **DEFAULT_RULE,
            "type": "K_OF_N",
            "participants": ["e:a8e45af9f16f6fdc"],
            "k": 1,
            "rule": {"k": 1, "n": 1},
        }
        made = desk.create(invitees=[RAJ, MEI], rule=rule)
        [stored] = desk.rows(AttendanceRule)
        assert made["attendance_rule"]["rule_json"] == stored["rule_json"] == rule

    def test_a_group_of_the_rule_gets_the_members_of_its_audience(self, desk: Desk) -> None:
        desk.enrol(101, 102)
        desk.group(7, 101, 102)
        groups = [{"name": "理事会", "audience_id": 7, "min": 1}]
        made = desk.create(
            audience_ids=[7], rule={**DEFAULT_RULE, "type": "GROUP_ANY", "groups": groups, "rule": {"groups": 1}}
        )
        [group] = made["attendance_rule"]["rule_json"]["groups"]
        assert group["any_of_invitee_keys"] == ["lm:101", "lm:102"]

    @sqlite_only
    @pytest.mark.row("1.B.10", "1.1.28")
    def test_what_does_not_fit_is_refused_and_nothing_is_made(self, desk: Desk) -> None:
        known = {**DEFAULT_RULE, "invitee_scope": {"allow_unregistered": False}}
        cases: dict[str, dict[str, Any]] = {
            "invitees.0.email": {"invitees": [RAJ], "rule": known},
            "rule.participants.0": {"rule": {**DEFAULT_RULE, "type": "ALL", "participants": ["e:0123456789abcdef"]}},
            "rule.type": {"rule": {**DEFAULT_RULE, "type": "EXPRESSION"}},
        }
        for field, body in cases.items():
            answer = desk.post(body={"title": "役員会", **body})
            fields = [detail["field"] for detail in answer.json()["details"]]
            assert (answer.status_code, fields) == (400, [field]), answer.text
        assert not any(desk.traces().values())


class TestRepeating:
    @pytest.mark.row("1.1.27")
    def test_the_same_key_makes_one_thread(self, desk: Desk) -> None:
        body = {"title": "役員会", "invitees": [RAJ]}
        first = desk.post(body=body, idempotency_key="key-1")
        second = desk.post(body=body, idempotency_key="key-1")
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.content == second.content
        assert second.headers["idempotent-replayed"] == "true"
        assert desk.traces()["scheduling_threads"] == desk.traces()["thread_messages"] == 1
        other = desk.post(body={**body, "title": "別"}, idempotency_key="key-1")
        assert (other.status_code, other.json()["error"]) == (422, "IDEMPOTENCY_KEY_REUSED")


class TestTheOrganisersZone:
    @sqlite_only
    def test_unknown_zones_are_refused(self, make_product: ProductMaker, clock: ManualClock) -> None:
        desk = desk_at(make_product(), clock)
        for zone in ("Asia/Tokio", "", "../etc/passwd", "UTC+9"):
            answer = desk.product.http.post(URL, json={"title": "a", "timezone": zone}, headers=desk.bearer)
            assert answer.json()["details"] == [{"field": "timezone", "reason": "UNKNOWN_TIMEZONE"}], zone
