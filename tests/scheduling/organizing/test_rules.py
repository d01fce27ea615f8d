"""What is decided without a database: default slots, and who is asked once."""

from datetime import UTC, datetime, timedelta

import pytest

from tsudoi.core.addresses import mail_key
from tsudoi.scheduling.organizing.rules.people import PeopleDraft, PersonDraft, each_once, not_yet_asked, people_by_mail
from tsudoi.scheduling.organizing.rules.slots import default_slots, slot_faults
from tsudoi.scheduling.organizing.rules.warnings import listed

NOON = datetime(2025, 8, 16, 3, 0, tzinfo=UTC)


class TestDefaultSlots:
    @pytest.mark.parametrize(
        ("zone", "now", "first"),
        [
            ("Asia/Tokyo", NOON, "2025-08-17T14:00:00+09:00"),
            # Half past midnight in Japan is still the day before in UTC.
            ("Asia/Tokyo", datetime(2025, 8, 15, 15, 30, tzinfo=UTC), "2025-08-17T14:00:00+09:00"),
            ("America/New_York", NOON, "2025-08-16T14:00:00-04:00"),
            # The night between has 25 hours, and two in the afternoon stays two in the afternoon.
            ("Europe/Berlin", datetime(2025, 10, 25, 12, 0, tzinfo=UTC), "2025-10-26T14:00:00+01:00"),
        ],
    )
    def test_are_at_two_on_the_calendar_days_of_the_zone(self, zone: str, now: datetime, first: str) -> None:
        slots = default_slots(now, zone)
        assert slots[0].start_at.isoformat() == first
        assert [slot.end_at - slot.start_at for slot in slots] == [timedelta(hours=1)] * 3
        assert slot_faults(slots, now, ()) == []

    def test_the_same_times_again_are_refused(self) -> None:
        slots = default_slots(NOON, "Asia/Tokyo")
        taken = [(slots[1].start_at.astimezone(UTC), slots[1].end_at.astimezone(UTC))]
        assert [(fault.field, fault.reason) for fault in slot_faults(slots, NOON, taken)] == [
            ("slots.1.start_at", "DUPLICATE")
        ]


class TestEachOnce:
    def test_a_member_wins_over_the_same_address(self) -> None:
        member = PersonDraft("lm:1", "山田", "Yamada@example.jp", 1)
        partner = PersonDraft("lm:2", "山田 花子", "yamada@example.jp", 2)
        by_mail, faults = people_by_mail([("山田", "yamada@EXAMPLE.jp"), ("佐藤", "sato@example.jp")])
        found = each_once([member, partner], by_mail)
        assert faults == []
        # Two members who share an address are two people with two links.
        assert found.keys == ["lm:1", "lm:2", mail_key("sato@example.jp")]
        assert found.duplicates == ["山田"]

    def test_people_of_the_thread_are_found_by_key_and_by_address(self) -> None:
        asked = {"lm:1": "yamada@example.jp", mail_key("sato@example.jp"): "sato@example.jp"}
        wanted = PeopleDraft(
            [
                PersonDraft(mail_key("yamada@example.jp"), "山田", "yamada@example.jp"),
                PersonDraft("lm:3", "佐藤", "SATO@example.jp", 3),
                PersonDraft("lm:1", "山田", "yamada@example.jp", 1),
                PersonDraft("lm:4", "鈴木", "", 4),
            ]
        )
        found = not_yet_asked(wanted, asked)
        assert (found.keys, found.duplicates) == (["lm:1", "lm:4"], ["山田", "佐藤"])


def test_long_lists_of_names_are_shortened() -> None:
    assert listed(["甲", "乙"]) == "甲さん、乙さん"
    assert listed([str(number) for number in range(9)]) == "0さん、1さん、2さん、3さん、4さんほか4人"
