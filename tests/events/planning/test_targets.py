"""People who are asked later get the invitation as the others did."""

from datetime import timedelta

import pytest

from tests.events.planning.desk import Desk, faults, link, refusal
from tests.factories.product import ADMIN
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import jst_text
from tsudoi.events.broadcast.models import EventBroadcast, EventPushStats
from tsudoi.events.event.models import EventTarget
from tsudoi.events.event.rules import DEFAULT_BODY


@pytest.fixture
def event_id(desk: Desk) -> int:
    return desk.made(target_member_ids="[101]")


def targets(desk: Desk) -> dict[int, str | None]:
    return {row["member_id"]: row["added_at"] and jst_text(row["added_at"]) for row in desk.rows(EventTarget)}


def test_they_get_the_invitation_and_the_others_nothing(desk: Desk, event_id: int) -> None:
    desk.clock.advance(timedelta(hours=1))
    answer = desk.post(f"/{event_id}/targets", member_ids=[103, 101, 102, 103])
    push = {"success": 2, "fail": 0, "unknown": 0, "pending": 0}
    assert (answer.status_code, answer.json()) == (201, {"ok": True, "targets": 2, "push": push})
    now = jst_text(desk.clock.now())
    assert targets(desk) == {101: None, 102: now, 103: now}
    assert desk.told() == {101: 1, 102: 1, 103: 1}
    assert [message["type"] for message in desk.heard(103)] == ["image", "text"]
    assert desk.heard(103)[0]["originalContentUrl"] == desk.heard(101)[0]["originalContentUrl"]
    assert desk.texts(103) == [f"{DEFAULT_BODY}\n{link(event_id)}"]
    [stats] = desk.rows(EventPushStats)
    assert (stats["success_count"], stats["fail_count"]) == (3, 0)
    line = desk.audit()[-1]
    assert (line["actor"], line["action"], line["new"]) == (f"admin:{ADMIN}", "EVENT_TARGETS", {"added": [102, 103]})


def test_the_text_as_it_is_now(desk: Desk, event_id: int) -> None:
    desk.change(event_id, body="新しい本文")
    desk.post(f"/{event_id}/targets", member_ids=[102])
    assert desk.texts(102) == [f"新しい本文\n{link(event_id)}"]


def test_who_cannot_be_asked_is_named_and_nobody_is_added(desk: Desk, event_id: int) -> None:
    desk.enrol(1, first=201, linked=False)
    desk.enrol(1, first=202, withdrawn_at=desk.clock.now())
    desk.enrol(1, first=203, is_target=0)
    before = desk.traces()
    wrong = desk.post(f"/{event_id}/targets", "k1", member_ids=[102, 201, 202, 203, 999])
    assert faults(wrong) == {
        "member_ids.999": "UNKNOWN_MEMBER",
        **{f"member_ids.{one}": "NOT_REACHABLE" for one in (201, 202, 203)},
    }
    assert desk.traces() == before
    assert desk.told() == {101: 1}
    assert desk.post(f"/{event_id}/targets", "k1", member_ids=[102]).status_code == 201, "the key was used up"


@sqlite_only
def test_who_is_asked_already_may_be_out_of_reach_by_now(desk: Desk, event_id: int) -> None:
    desk.set(101, line_user_id=None)
    assert desk.post(f"/{event_id}/targets", member_ids=[101, 102]).json()["targets"] == 1


@sqlite_only
def test_nobody_new_is_said(desk: Desk, event_id: int) -> None:
    assert refusal(desk.post(f"/{event_id}/targets", member_ids=[101])) == (409, "NOBODY_TO_ADD")
    assert refusal(desk.post("/999/targets", member_ids=[101])) == (404, "NOT_FOUND")
    for ids, reason in (([], "TOO_SHORT"), (None, "INVALID_FORMAT"), ("101", "INVALID_FORMAT")):
        assert faults(desk.post(f"/{event_id}/targets", member_ids=ids)) == {"member_ids": reason}
    assert faults(desk.post(f"/{event_id}/targets")) == {"member_ids": "REQUIRED"}
    assert faults(desk.post(f"/{event_id}/targets", member_ids=[0])) == {"member_ids.0": "TOO_SMALL"}
    assert len(desk.rows(EventBroadcast)) == 1
