"""Title, time and text may change; what it was stays in the audit trail."""

from datetime import timedelta
from typing import Any

import pytest

from tests.events.planning.desk import HELD_AT, URL, Desk, faults, link, refusal
from tests.factories.product import ADMIN, JSON
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import jst_text
from tsudoi.events.broadcast.models import EventBroadcast
from tsudoi.events.event.rules import DEFAULT_BODY

LATER = "2025-09-12T18:30:00+09:00"
QUIETLY = {"ok": True, "targets": 0, "push": None}


@pytest.fixture
def event_id(desk: Desk) -> int:
    return desk.made()


def shown(desk: Desk, event_id: int) -> tuple[Any, ...]:
    found = desk.detail(event_id)
    return found["title"], found["held_at"], found["body"], found["sequence"]


class TestWhatChanges:
    def test_only_what_is_sent(self, desk: Desk, event_id: int) -> None:
        desk.clock.advance(timedelta(minutes=5))
        assert desk.change(event_id, title=" 臨時総会 ").json() == QUIETLY
        assert shown(desk, event_id) == ("臨時総会", HELD_AT, DEFAULT_BODY, 1)
        assert desk.change(event_id, held_at="2025-09-12T09:30:00Z").json() == QUIETLY
        assert shown(desk, event_id) == ("臨時総会", LATER, DEFAULT_BODY, 2)
        assert desk.change(event_id, body="持ち物\r\nなし").json() == QUIETLY
        assert shown(desk, event_id) == ("臨時総会", LATER, "持ち物\nなし", 3)
        found = desk.detail(event_id)
        assert (found["updated_at"], found["created_at"]) == (
            jst_text(desk.clock.now()),
            jst_text(desk.clock.now() - timedelta(minutes=5)),
        )
        assert desk.told() == {101: 1, 102: 1, 103: 1}, "nobody was to be told"

    @sqlite_only
    @pytest.mark.found("24.A10")
    def test_a_text_that_begins_with_title_and_date_follows_them(self, desk: Desk, event_id: int) -> None:
        """The console writes that line; later invitations have the text, and must not name the old day."""
        words = f"「理事会9月」 9月10日（水）19:00\n{DEFAULT_BODY}"
        desk.change(event_id, body=words).raise_for_status()
        desk.change(event_id, title="臨時総会", held_at=LATER).raise_for_status()
        assert desk.detail(event_id)["body"] == f"「臨時総会」 9月12日（金）18:30\n{DEFAULT_BODY}"
        desk.change(event_id, body="持ち物").raise_for_status()
        desk.change(event_id, title="総会").raise_for_status()
        assert desk.detail(event_id)["body"] == "持ち物"

    @sqlite_only
    def test_a_text_of_null_is_the_usual_words(self, desk: Desk, event_id: int) -> None:
        desk.change(event_id, body="持ち物").raise_for_status()
        desk.change(event_id, body=None).raise_for_status()
        assert shown(desk, event_id) == ("理事会9月", HELD_AT, DEFAULT_BODY, 2)

    def test_the_audit_trail_keeps_what_it_was(self, desk: Desk, event_id: int) -> None:
        desk.change(event_id, title="臨時総会", held_at=LATER, body=DEFAULT_BODY)
        line = desk.audit()[-1]
        assert (line["actor"], line["action"]) == (f"admin:{ADMIN}", "EVENT_CHANGE")
        assert line["old"] == {"title": "理事会9月", "held_at": HELD_AT}
        assert line["new"] == {"title": "臨時総会", "held_at": LATER}

    def test_nothing_is_no_change(self, desk: Desk, event_id: int) -> None:
        before = desk.detail(event_id), desk.audit()
        same = desk.change(event_id, "k1", title="理事会9月", held_at=HELD_AT, body=DEFAULT_BODY, notify=True)
        assert (same.status_code, same.json()) == (200, QUIETLY)
        assert (desk.detail(event_id), desk.audit()) == before
        assert len(desk.rows(EventBroadcast)) == 1

    @sqlite_only
    def test_an_event_that_is_over_may_still_be_corrected(self, desk: Desk, event_id: int) -> None:
        desk.clock.advance(timedelta(days=40))
        desk.log_in()
        assert desk.change(event_id, title="第1回").status_code == 200
        assert faults(desk.change(event_id, held_at=HELD_AT)) == {"held_at": "PAST_DATE"}


class TestWhoIsTold:
    def test_what_has_changed_in_words(self, desk: Desk, event_id: int) -> None:
        answer = desk.change(event_id, title="臨時総会", held_at=LATER, body="", notify=True)
        assert answer.json()["push"] == {"success": 3, "fail": 0, "unknown": 0, "pending": 0}
        [words] = desk.texts(101)[1:]
        assert words == (
            "【変更のお知らせ】\n「臨時総会」（2025/09/12 18:30）の内容が変わりました。\n"
            "件名：理事会9月 → 臨時総会\n日時：2025/09/10 19:00 → 2025/09/12 18:30\n本文がなくなりました。\n"
            f"{link(event_id)}"
        )

    @sqlite_only
    def test_only_what_has_changed(self, desk: Desk, event_id: int) -> None:
        desk.change(event_id, title="理事会9月", body="新しい本文", notify=True)
        words = desk.texts(101)[-1]
        assert "本文：\n新しい本文" in words
        assert "件名" not in words
        assert "日時：" not in words

    @sqlite_only
    def test_not_whom_the_invitation_never_reached(self, desk: Desk) -> None:
        desk.quota(10, used=10)
        event_id = desk.made(confirm_over_quota="true")
        desk.quota(1000)
        assert desk.change(event_id, title="変更", notify=True).json() == QUIETLY
        assert desk.told() == {}


@sqlite_only
class TestRefused:
    def test_wrong_fields_are_all_named(self, desk: Desk, event_id: int) -> None:
        before = desk.detail(event_id)
        wrong = desk.change(event_id, title="", held_at="2025-08-16T11:00:00+09:00", body="あ" * 2001)
        assert faults(wrong) == {"title": "REQUIRED", "held_at": "PAST_DATE", "body": "TOO_LONG"}
        wrong = desk.change(
            event_id,
            title="",
            held_at="2025-08-16T11:00:00+09:00",
            body="あ" * 3000,
            notify="maybe",
            sequence="x",
            confirm_over_quota=None,
            image="y",
        )
        assert faults(wrong) == {
            "title": "REQUIRED",
            "held_at": "PAST_DATE",
            "body": "TOO_LONG",
            "notify": "INVALID_FORMAT",
            "sequence": "INVALID_FORMAT",
            "confirm_over_quota": "INVALID_FORMAT",
            "image": "UNKNOWN_FIELD",
        }
        assert faults(desk.change(event_id, notify=[])) == {"title": "REQUIRED", "notify": "INVALID_FORMAT"}
        assert faults(desk.change(event_id)) == {"title": "REQUIRED"}
        assert faults(desk.change(event_id, notify=True)) == {"title": "REQUIRED"}
        assert faults(desk.change(event_id, title=None)) == {"title": "REQUIRED"}
        assert faults(desk.change(event_id, held_at=None)) == {"held_at": "REQUIRED"}
        assert faults(desk.change(event_id, title="a\ud800")) == {"title": "INVALID_CHARACTER"}
        assert faults(desk.change(event_id, title="x", image="y")) == {"image": "UNKNOWN_FIELD"}
        assert faults(desk.change(event_id, title="x", sequence=-1)) == {"sequence": "TOO_SMALL"}
        assert faults(desk.change(event_id, title="x", sequence=2**31 + 1)) == {"sequence": "TOO_LARGE"}
        many: dict[str, Any] = {f"x{number}": 1 for number in range(5000)}
        assert len(faults(desk.change(event_id, title="x", **many))) == 50
        for key in (None, "k1"):
            odd = desk.change(event_id, key, title="a\ud800", model_dump=1, copy=[[]])
            assert faults(odd) == {
                "title": "INVALID_CHARACTER",
                "model_dump": "UNKNOWN_FIELD",
                "copy": "UNKNOWN_FIELD",
            }
            nested = f'{{"title": {"[" * 500}{"]" * 500}}}'
            headers = {**JSON, **({} if key is None else {"idempotency-key": key})}
            answer = desk.http.patch(f"{URL}/{event_id}", content=nested, headers=headers)
            assert faults(answer) == {"title": "INVALID_FORMAT"}
        assert desk.detail(event_id) == before

    def test_what_nobody_sees_is_empty(self, desk: Desk, event_id: int) -> None:
        before = desk.detail(event_id)
        for unseen in ("\u200b", " \u3000\u2060 ", "\u3164", "\u2800\ufe0f", "\U000e0020"):
            assert faults(desk.change(event_id, title=unseen)) == {"title": "REQUIRED"}, ascii(unseen)
        for unseen in ("\u200b", "\n\u200d\n", "\u3164 \u2800"):
            assert faults(desk.change(event_id, body=unseen)) == {"body": "EMPTY"}, ascii(unseen)
        assert desk.detail(event_id) == before
        assert desk.change(event_id, title="👨\u200d👩\u200d👧の会", body="").status_code == 200

    def test_who_saw_an_older_one_is_told_so(self, desk: Desk, event_id: int) -> None:
        assert desk.change(event_id, title="一", sequence=0).status_code == 200
        stale = desk.change(event_id, title="二", sequence=0, notify=True)
        assert refusal(stale) == (409, "CHANGED_MEANWHILE")
        assert "ほかの人" in stale.json()["message"]
        assert desk.change(event_id, title="二", sequence=1).status_code == 200
        assert desk.told() == {101: 1, 102: 1, 103: 1}

    def test_what_is_cancelled_or_not_there(self, desk: Desk, event_id: int) -> None:
        desk.post(f"/{event_id}/cancellation")
        assert refusal(desk.change(event_id, title="x", notify=True)) == (409, "EVENT_CANCELLED")
        assert refusal(desk.change(999, title="x")) == (404, "NOT_FOUND")
        assert refusal(desk.change(999, title="x", notify=True)) == (404, "NOT_FOUND")
