"""Dates in words, and forms as browsers send them."""

from datetime import UTC, datetime

import pytest

from tsudoi.core.clock import parse_text
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.scheduling.invitations.rules import wording
from tsudoi.scheduling.invitations.rules.forms import answer_of, form_fields, typed_form

NEW_YEAR = parse_text("2026-12-31T23:30:00+09:00"), parse_text("2027-01-01T00:30:00+09:00")


class TestWording:
    def test_names_the_day_of_the_end_where_it_is_another(self) -> None:
        start, end = NEW_YEAR
        assert wording.long_day(start) == "2026年12月31日（木）"
        assert wording.hours(start, end) == "23:30〜1月1日（金） 00:30"
        assert wording.hours(start, end, "Europe/Berlin") == "15:30〜16:30"

    def test_follows_summer_time(self) -> None:
        winter, summer = datetime(2026, 3, 28, 9, tzinfo=UTC), datetime(2026, 3, 29, 9, tzinfo=UTC)
        assert [wording.clock(one, "Europe/Berlin") for one in (winter, summer)] == ["10:00", "11:00"]

    @pytest.mark.parametrize(
        ("zone", "differs"),
        [("Asia/Tokyo", False), ("Asia/Seoul", False), ("UTC", True), ("No/Where", False), ("", False)],
    )
    def test_another_zone_is_shown_only_where_clocks_differ(self, zone: str, differs: bool) -> None:
        assert wording.differs(NEW_YEAR[0], zone) is differs

    def test_every_zone_of_the_list_exists(self) -> None:
        assert [zone for zone in wording.ZONES if wording.known_zone(zone) != zone] == []


class TestForms:
    def test_is_read_as_the_json_would_be(self) -> None:
        fields = form_fields(b"offered=a&offered=b&slot-a=yes&slot-b=maybe&comment=%E3%81%82&status=selected")
        assert answer_of(fields) == {
            "status": "selected",
            "selected_slot_ids": ["a"],
            "maybe_slot_ids": ["b"],
            "comment": "あ",
        }

    def test_refuses_everything_only_if_every_slot_was_marked(self) -> None:
        offered = [("offered", "a"), ("offered", "b"), ("slot-a", "no")]
        assert answer_of(offered)["status"] == "selected"
        assert answer_of([*offered, ("slot-b", "no")])["status"] == "declined"

    @pytest.mark.parametrize("content", [b"a=%FF", b"\xe3\x81\x82=1", b"a=1&" * 400])
    def test_that_cannot_be_read_is_refused(self, content: bytes) -> None:
        with pytest.raises(InvalidInput):
            form_fields(content)

    def test_puts_each_mistake_at_its_place(self) -> None:
        fields = [("slot-a", "yes"), ("slot-b", "yes"), ("slot-c", "maybe"), ("comment", "x")]
        details = [
            Detail("selected_slot_ids.1", "SLOT_PAST"),
            Detail("maybe_slot_ids.0", "SLOT_PAST"),
            Detail("selected_slot_ids.9", "SLOT_PAST"),
            Detail("comment", "TOO_LONG"),
        ]
        form = typed_form(fields, details, "過ぎています")
        assert form.wrong == {
            "b": "過ぎています",
            "c": "過ぎています",
            "slots": "過ぎています",
            "comment": "ひとことは200文字までで書いてください。",
        }
        assert (dict(form.marks), form.comment) == ({"a": "yes", "b": "yes", "c": "maybe"}, "x")
