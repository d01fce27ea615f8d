"""An event is made: what is stored, what people see in their chat, and what the office hears back."""

from typing import Any

import orjson
import pytest

from tests.events.broadcast.crowd import people
from tests.events.planning.desk import HELD_AT, Desk, admin_id, link, listed, picture
from tests.factories.product import ADMIN
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import jst_date, jst_text
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventPushStats
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.events.event.rules import DEFAULT_BODY


def stored(desk: Desk) -> dict[str, Any]:
    [row] = desk.rows(Event)
    return row


class TestWhatIsStored:
    @pytest.mark.quick("happy_path")
    def test_the_event_with_the_documents_defaults(self, desk: Desk) -> None:
        answer = desk.create()
        assert answer.status_code == 201
        assert answer.headers["content-type"] == "application/json"
        row = stored(desk)
        assert answer.json() == {
            "event_id": row["id"],
            "targets": 3,
            "push": {"success": 3, "fail": 0, "unknown": 0, "pending": 0},
        }
        told = (row["title"], jst_text(row["held_at"]), row["body"], row["deadline_at"])
        assert told == ("理事会9月", HELD_AT, DEFAULT_BODY, None)
        extra = (row["extra_text_enabled"], row["extra_text_label"], row["extra_text_attend_only"])
        assert extra == (0, "備考", 1)
        assert row["created_by_admin"] == admin_id(desk)
        assert (row["sequence"], row["cancelled_at"], row["cancel_reason"]) == (0, None, None)
        assert len(row["calendar_key"]) >= 22
        targets = [(target["event_id"], target["member_id"], target["added_at"]) for target in desk.rows(EventTarget)]
        assert targets == [(row["id"], number, None) for number in (101, 102, 103)]

    def test_everything_that_can_be_said(self, desk: Desk) -> None:
        event_id = desk.made(
            title="　総会　",
            held_at="2025-09-10T10:30:00.75Z",
            body="一行目\r\n二行目\r三行目\n",
            extra_text_enabled="true",
            extra_text_label="お弁当",
            extra_text_attend_only="false",
            target_member_ids="[103, 101, 103]",
        )
        row = stored(desk)
        assert (row["title"], jst_text(row["held_at"])) == ("総会", "2025-09-10T19:30:00+09:00")
        assert row["body"] == "一行目\n二行目\n三行目"
        extra = (row["extra_text_enabled"], row["extra_text_label"], row["extra_text_attend_only"])
        assert extra == (1, "お弁当", 0)
        assert [target["member_id"] for target in desk.rows(EventTarget)] == [101, 103]
        assert desk.texts(101) == [f"一行目\n二行目\n三行目\n{link(event_id)}"]
        assert desk.heard(102) == []

    @sqlite_only
    def test_everything_at_its_limit(self, desk: Desk) -> None:
        """LINE counts an emoji twice and takes 5,000 in all; the longest body still fits."""
        event_id = desk.made(title="題" * 100, body="𠮷" * 2000, extra_text_label="名" * 20, held_at=NOW)
        assert desk.texts(101) == [f"{'𠮷' * 2000}\n{link(event_id)}"]
        longest = desk.change(event_id, title="🎣" * 100, body="🎣" * 2000, notify=True)
        assert longest.json()["push"]["success"] == 3

    @sqlite_only
    @pytest.mark.parametrize(
        "given",
        [
            "2025-09-10T19:00:00+09:00",
            "2025-09-10T19:00+09:00",
            "2025-09-10T10:00:00Z",
            "2025-09-10T03:00:00-07:00",
            "2025-09-10 19:00:00+09:00",
            "2025-09-10T19:00:00 09:00",
            "20250910T190000+0900",
        ],
    )
    def test_the_time_is_kept_in_japan_whatever_its_offset(self, desk: Desk, given: str) -> None:
        desk.made(held_at=given)
        assert jst_text(stored(desk)["held_at"]) == HELD_AT

    @sqlite_only
    def test_a_flag_is_said_in_a_forms_words(self, desk: Desk) -> None:
        for word, flag in {"true": 1, "1": 1, "on": 1, "TRUE": 1, "false": 0, "0": 0, "off": 0, "": 0}.items():
            desk.made(extra_text_enabled=word)
            assert desk.rows(Event)[-1]["extra_text_enabled"] == flag, word

    @sqlite_only
    def test_a_flag_that_was_left_empty_is_as_usual(self, desk: Desk) -> None:
        for empty in ("", " "):
            desk.made(extra_text_enabled=empty, extra_text_attend_only=empty, confirm_over_quota=empty)
            row = desk.rows(Event)[-1]
            assert (row["extra_text_enabled"], row["extra_text_attend_only"]) == (0, 1)

    def test_the_picture_under_a_name_that_nobody_guesses(self, desk: Desk) -> None:
        desk.made(image=picture(2000, 1000))
        row = stored(desk)
        base = f"{desk.product.url}/files/events/{row['media_key']}"
        assert (row["image_url"], row["image_preview_url"]) == (f"{base}/notice_o.jpg", f"{base}/notice_p.jpg")
        assert len(row["media_key"]) >= 22
        served = [desk.http.get(row[name]).content for name in ("image_url", "image_preview_url")]
        assert [len(data) for data in served] == [row["image_size"], row["image_preview_size"]]
        assert len(desk.files()) == 2

    def test_the_audit_trail_says_who_made_what(self, desk: Desk) -> None:
        event_id = desk.made()
        [line] = desk.audit()
        assert (line["actor"], line["action"], line["subject"]) == (
            f"admin:{ADMIN}",
            "EVENT_CREATE",
            f"event:{event_id}",
        )
        assert line["new"] == {"title": "理事会9月", "held_at": HELD_AT, "targets": 3}


class TestWhatPeopleSee:
    def test_the_picture_and_the_words_with_the_liff_link_in_one_call(self, desk: Desk) -> None:
        desk.enrol(1, first=201)
        event_id = desk.made(target_member_ids=listed([101, 102, 103]))
        preview = stored(desk)["image_preview_url"]
        for member_id in (101, 102, 103):
            assert [(one["type"], one.get("text")) for one in desk.heard(member_id)] == [
                ("image", None),
                ("text", f"{DEFAULT_BODY}\n{link(event_id)}"),
            ]
            assert desk.heard(member_id)[0]["originalContentUrl"] == preview
        assert desk.heard(201) == []
        assert desk.told() == {101: 1, 102: 1, 103: 1}
        assert len(desk.box.calls("/v2/bot/message/multicast")) == 1
        assert desk.box.calls("/v2/bot/message/push") == []

    @sqlite_only
    def test_a_body_that_was_emptied_leaves_only_the_link(self, desk: Desk) -> None:
        event_id = desk.made(body="  \r\n ")
        assert desk.texts(101) == [link(event_id)]
        assert stored(desk)["body"] == ""

    @sqlite_only
    def test_a_large_circle_is_told_in_chunks(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rules, "CHUNK", 2)
        desk.enrol(2, first=201)
        answer = desk.create()
        assert answer.json()["push"] == {"success": 5, "fail": 0, "unknown": 0, "pending": 0}
        assert desk.told() == dict.fromkeys((101, 102, 103, 201, 202), 1)
        assert len(desk.box.calls("/v2/bot/message/multicast")) == len(desk.rows(EventChunk)) == 3


class TestWhatIsWrittenDown:
    def test_the_summary_and_one_line_per_person(self, desk: Desk) -> None:
        event_id = desk.made()
        [stats] = desk.rows(EventPushStats)
        assert (stats["event_id"], stats["success_count"], stats["fail_count"]) == (event_id, 3, 0)
        assert jst_text(stats["last_sent_at"]) == jst_text(desk.clock.now())
        file = desk.product.settings.log_dir / "push" / f"{jst_date(desk.clock.now())}.ndjson"
        lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
        assert [(line["event_id"], line["member_id"], line["status"]) for line in lines] == [
            (event_id, member_id, "success") for member_id in (101, 102, 103)
        ]
        request_ids = {row["request_id"] for row in people(desk.product.db)}
        assert {line["request_id"] for line in lines} == request_ids != {None}

    def test_one_broadcast_by_whom_and_the_screen_shows_it(self, desk: Desk) -> None:
        event_id = desk.made()
        [sent] = desk.rows(EventBroadcast)
        assert (sent["kind"], sent["recipients"], sent["created_by"]) == ("invite", 3, f"admin:{ADMIN}")
        shown = desk.detail(event_id)
        assert shown["push_stats"] == {"success": 3, "fail": 0, "last_sent_at": jst_text(desk.clock.now())}
        assert shown["targets_total"] == 3
        assert [one["status"] for one in shown["current_status"]] == ["pending"] * 3


# The earliest that is still allowed: the minute that has just begun.
NOW = "2025-08-16T12:00:00+09:00"
