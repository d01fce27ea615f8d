"""Seen before it is sent, and seeing changes nothing."""

from datetime import timedelta
from typing import Any

import pytest

from tests.events.planning.desk import HELD_AT, Desk, faults, link, refusal
from tests.product_fixtures import sqlite_only
from tsudoi.core.models import AuditLog
from tsudoi.events.event.rules import DEFAULT_BODY

PLENTY = {"known": True, "limit": 200, "used": 50, "promised": 0, "left": 150, "cost": 3, "enough": True}


def draft(desk: Desk, **changes: Any) -> dict[str, Any]:
    return {"title": "総会", "held_at": HELD_AT, "target_member_ids": list(desk.users), **changes}


def names(items: list[dict[str, Any]]) -> dict[int, Any]:
    return {item["member_id"]: item.get("reason") for item in items}


class TestBeforeItIsMade:
    def test_who_and_what_and_the_cost(self, desk: Desk) -> None:
        desk.quota(200, used=50)
        shown = desk.post("/preview", **draft(desk, target_member_ids=[103, 101, 102])).json()
        assert shown == {
            "recipients_total": 3,
            "recipients": [{"member_id": one, "name": f"会員 {one}", "blocked": False} for one in (101, 102, 103)],
            "unreachable": [],
            "messages": [{"type": "image"}, {"type": "text", "text": f"{DEFAULT_BODY}\n{link('○○')}"}],
            "quota": PLENTY,
        }

    def test_who_cannot_be_reached_and_why(self, desk: Desk) -> None:
        ids = [*desk.users, *desk.enrol(1, first=201, linked=False)]
        ids += desk.enrol(1, first=202, withdrawn_at=desk.clock.now())
        ids += desk.enrol(1, first=203, is_target=0)
        ids += desk.enrol(1, first=204, linked=False, withdrawn_at=desk.clock.now())
        shown = desk.post("/preview", **draft(desk, target_member_ids=ids)).json()
        assert names(shown["unreachable"]) == {
            201: "NO_LINE",
            202: "WITHDRAWN",
            203: "NOT_TARGET",
            204: "WITHDRAWN",
        }
        assert all(item["reason_text"] for item in shown["unreachable"])
        assert list(names(shown["recipients"])) == [101, 102, 103]
        assert (shown["recipients_total"], shown["quota"]["cost"]) == (3, 3)

    def test_who_has_blocked_us_is_marked(self, desk: Desk) -> None:
        desk.box.does(desk.users[102], "block")
        desk.product.drain()
        shown = desk.post("/preview", **draft(desk)).json()
        assert {one["member_id"]: one["blocked"] for one in shown["recipients"]} == {101: False, 102: True, 103: False}

    @sqlite_only
    def test_the_text_as_it_will_look(self, desk: Desk) -> None:
        for given, seen in ((None, DEFAULT_BODY + "\n"), ("", ""), ("一\r\n二 ", "一\n二\n")):
            shown = desk.post("/preview", **draft(desk, body=given)).json()
            assert shown["messages"][1]["text"] == f"{seen}{link('○○')}"

    @sqlite_only
    def test_the_quota_in_every_case(self, desk: Desk) -> None:
        desk.quota(10, used=9)
        short = desk.post("/preview", **draft(desk)).json()["quota"]
        assert short == {"known": True, "limit": 10, "used": 9, "promised": 0, "left": 1, "cost": 3, "enough": False}
        desk.quota(10, used=15)
        assert desk.post("/preview", **draft(desk)).json()["quota"]["left"] == 0
        desk.quota(None, used=50)
        free = desk.post("/preview", **draft(desk)).json()["quota"]
        assert free == PLENTY | {"limit": None, "left": None}
        desk.box.breaks("error_500_before", "quota")
        away = desk.post("/preview", **draft(desk))
        assert away.status_code == 200
        unknown = {"known": False, "limit": None, "used": None, "promised": 0, "left": None, "cost": 3, "enough": None}
        assert away.json()["quota"] == unknown

    def test_somebody_unknown_is_named_along_with_the_wrong_fields(self, desk: Desk) -> None:
        wrong = desk.post("/preview", title="", held_at="2020-01-01T00:00:00+09:00", target_member_ids=[101, 998])
        assert faults(wrong) == {
            "title": "REQUIRED",
            "held_at": "PAST_DATE",
            "target_member_ids.998": "UNKNOWN_MEMBER",
        }

    @sqlite_only
    def test_the_confirmation_belongs_to_the_form_and_makes_no_difference(self, desk: Desk) -> None:
        desk.quota(1)
        plain = desk.post("/preview", **draft(desk)).json()
        for said in (True, False, "true", None):
            shown = desk.post("/preview", **draft(desk, confirm_over_quota=said))
            assert (shown.status_code, shown.json()) == (200, plain)

    @sqlite_only
    def test_wrong_fields_as_when_sending(self, desk: Desk) -> None:
        wrong = desk.post("/preview", title="", held_at="2020-01-01T00:00:00+09:00", target_member_ids=[], colour=1)
        assert faults(wrong) == {
            "title": "REQUIRED",
            "held_at": "PAST_DATE",
            "target_member_ids": "REQUIRED",
            "colour": "UNKNOWN_FIELD",
        }
        many = desk.post("/preview", **draft(desk, **{f"x{number}": 1 for number in range(5000)}))
        assert len(faults(many)) == 50
        for name in ("model_dump", "copy", "__class__", ""):
            odd = desk.post("/preview", **(draft(desk) | {name: 1}))
            assert list(faults(odd).values()) == ["UNKNOWN_FIELD"], ascii(name)
        unknown = desk.post("/preview", **draft(desk, target_member_ids=[101, 998]))
        assert faults(unknown) == {"target_member_ids.998": "UNKNOWN_MEMBER"}
        for ids in ("", '""', "101", [True], [1.5], ["101"], {"a": 1}, 101):
            answer = desk.post("/preview", **draft(desk, target_member_ids=ids))
            assert faults(answer) == {"target_member_ids": "INVALID_FORMAT"}, ids
        for title in (1, ["x"], {"x": 1}, True):
            assert faults(desk.post("/preview", **draft(desk, title=title))) == {"title": "INVALID_FORMAT"}


class TestANotice:
    def test_a_reminder(self, desk: Desk) -> None:
        event_id = desk.made()
        desk.answer(event_id, 102)
        desk.set(103, line_user_id=None)
        shown = desk.post(f"/{event_id}/preview", kind="reminder").json()
        assert list(names(shown["recipients"])) == [101]
        assert names(shown["unreachable"]) == {103: "NO_LINE"}
        assert shown["messages"][0]["text"].endswith(link(event_id))
        assert shown["quota"]["cost"] == 1
        desk.post(f"/{event_id}/reminders").raise_for_status()
        assert desk.texts(101)[-1] == shown["messages"][0]["text"]
        again = desk.post(f"/{event_id}/preview", kind="reminder").json()
        assert again["recipients"] == []
        assert names(again["unreachable"]) == {101: "REMINDED_TODAY", 103: "NO_LINE"}

    def test_a_reminder_names_everybody_who_has_not_answered(self, desk: Desk) -> None:
        event_id = desk.made()
        desk.post(f"/{event_id}/reminders", member_ids=[101]).raise_for_status()
        desk.box.does(desk.users[102], "block")
        desk.product.drain()
        desk.set(103, withdrawn_at=desk.clock.now())
        shown = desk.post(f"/{event_id}/preview", kind="reminder").json()
        assert [(one["member_id"], one["blocked"]) for one in shown["recipients"]] == [(102, True)]
        reasons = {one["member_id"]: (one["reason"], one["reason_text"]) for one in shown["unreachable"]}
        assert reasons == {
            101: ("REMINDED_TODAY", "今日すでに督促しています"),
            103: ("WITHDRAWN", "退会しています"),
        }
        chosen = desk.post(f"/{event_id}/preview", kind="reminder", member_ids=[102]).json()
        assert (list(names(chosen["recipients"])), chosen["unreachable"]) == ([102], [])

    @sqlite_only
    def test_a_change(self, desk: Desk) -> None:
        event_id = desk.made()
        desk.set(102, withdrawn_at=desk.clock.now())
        desk.set(103, is_target=0)
        shown = desk.post(f"/{event_id}/preview", kind="change", title="臨時総会").json()
        assert list(names(shown["recipients"])) == [101, 103]
        assert names(shown["unreachable"]) == {102: "WITHDRAWN"}
        desk.change(event_id, title="臨時総会", notify=True).raise_for_status()
        assert desk.texts(101)[-1] == desk.texts(103)[-1] == shown["messages"][0]["text"]
        assert len(desk.texts(102)) == 1
        assert faults(desk.post(f"/{event_id}/preview", kind="change")) == {"title": "REQUIRED"}
        assert faults(desk.post(f"/{event_id}/preview", kind="change", held_at="x")) == {"held_at": "INVALID_FORMAT"}

    def test_a_change_of_nothing_tells_nobody(self, desk: Desk) -> None:
        event_id = desk.made()
        desk.set(102, withdrawn_at=desk.clock.now())
        same: dict[str, Any] = {"title": " 理事会9月 ", "held_at": "2025-09-10T10:00:00Z", "body": None}
        shown = desk.post(f"/{event_id}/preview", kind="change", **same)
        assert shown.status_code == 200
        found = shown.json()
        assert (found["recipients_total"], found["recipients"], found["unreachable"]) == (0, [], [])
        assert (found["messages"], found["quota"]["cost"]) == ([], 0)
        assert desk.change(event_id, **same, notify=True).json()["targets"] == 0
        assert desk.told() == {101: 1, 102: 1, 103: 1}

    @sqlite_only
    def test_a_cancellation(self, desk: Desk) -> None:
        event_id = desk.made()
        shown = desk.post(f"/{event_id}/preview", kind="cancel", reason="台風のため").json()
        desk.post(f"/{event_id}/cancellation", reason="台風のため", notify=True).raise_for_status()
        assert desk.texts(101)[-1] == shown["messages"][0]["text"]
        assert "台風のため" in shown["messages"][0]["text"]

    @sqlite_only
    def test_people_who_are_asked_later(self, desk: Desk) -> None:
        event_id = desk.made(target_member_ids="[101]")
        desk.enrol(1, first=201, is_target=0)
        shown = desk.post(f"/{event_id}/preview", kind="late", member_ids=[101, 102, 201]).json()
        assert list(names(shown["recipients"])) == [102]
        assert names(shown["unreachable"]) == {201: "NOT_TARGET"}
        desk.post(f"/{event_id}/targets", member_ids=[102]).raise_for_status()
        assert desk.texts(102) == [shown["messages"][-1]["text"]]
        unknown = desk.post(f"/{event_id}/preview", kind="late", member_ids=[999])
        assert faults(unknown) == {"member_ids.999": "UNKNOWN_MEMBER"}

    @pytest.mark.parametrize("kind", ["reminder", "change", "cancel", "late"])
    @sqlite_only
    def test_of_what_is_cancelled_or_over(self, desk: Desk, kind: str) -> None:
        event_id, cancelled = desk.made(), desk.made()
        desk.post(f"/{cancelled}/cancellation").raise_for_status()
        bodies: dict[str, dict[str, Any]] = {"change": {"title": "変更"}, "late": {"member_ids": [101]}}
        more = bodies.get(kind, {})
        assert refusal(desk.post(f"/{cancelled}/preview", kind=kind, **more)) == (409, "EVENT_CANCELLED")
        desk.clock.advance(timedelta(days=40))
        desk.log_in()
        over = desk.post(f"/{event_id}/preview", kind=kind, **more)
        if kind in ("change", "cancel"):
            assert over.status_code == 200
        else:
            assert refusal(over) == (409, "EVENT_OVER")

    @sqlite_only
    def test_of_nothing(self, desk: Desk) -> None:
        assert refusal(desk.post("/999/preview", kind="reminder")) == (404, "NOT_FOUND")
        assert faults(desk.post("/999/preview", kind="party")) == {"kind": "NOT_ALLOWED"}


@pytest.mark.parametrize("kind", ["reminder", "change", "cancel", "late", None])
@sqlite_only
def test_changes_nothing(desk: Desk, kind: str | None) -> None:
    event_id = desk.made()
    desk.enrol(1, first=201)
    before = desk.traces(), desk.detail(event_id), desk.rows(AuditLog), desk.told()
    bodies: dict[str, dict[str, Any]] = {"change": {"title": "変更"}, "late": {"member_ids": [201]}}
    path, body = (f"/{event_id}/preview", {"kind": kind}) if kind else ("/preview", draft(desk))
    more = bodies.get(kind or "", {})
    for key in (None, "k1"):
        assert desk.post(path, key, **body, **more).status_code == 200
    assert (desk.traces(), desk.detail(event_id), desk.rows(AuditLog), desk.told()) == before
