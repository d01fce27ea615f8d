"""The slots of the demo's hospital, for some three weeks around today. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from tsudoi.core.clock import JST
from tsudoi.notifications.notices.rules.making import REMINDED_BEFORE

FLU, CHECKUP, OPTION = "インフルエンザ予防接種", "職員健診", "人間ドック オプション"
_DAYS_BEFORE, _DAYS_AFTER = 10, 11
_SATURDAY = 5
_DRAFT_DAYS = 2
_SHORT = 30
_LAST_START = 24 * 60 - _SHORT
# Somebody with a phone beside the person who logs in.
_REMINDED = "100002"
_MORNING, _AFTERNOON, _CHECKUP_TIME, _OPTION_TIME = 540, 810, 870, 630
# A flu slot of the second, third, fourth or fifth working day after today that shows something.
_SHOWN: dict[tuple[int, int], dict[str, Any]] = {
    (2, _AFTERNOON): {"status": "closed", "notes": "会場の都合により受付を終了しました。"},
    (3, _MORNING): {"capacity": 4, "seats": (None,) * 4, "waiting": 3},
    (4, _MORNING): {"quotas": (("3A", 2), ("ER", 2)), "seats": ("3A", "3A", "ER")},
    (5, _MORNING): {"opens_in_days": 2, "seats": ()},
}


@dataclass(frozen=True, slots=True)
class DemoSlot:
    """A slot of the demo, and who has a seat in it: for each seat a department, or None for anybody."""

    type_name: str
    day: str
    minute: int
    duration: int
    capacity: int
    seats: tuple[str | None, ...]
    status: str = "published"
    waiting: int = 0
    quotas: tuple[tuple[str, int], ...] = ()
    opens_in_days: int | None = None
    notes: str | None = None
    # The first seat is for the person with this number.
    first_seat: str | None = None


def demo_slots(now: datetime) -> list[DemoSlot]:
    return [reminded_slot(now), *_around(now.astimezone(JST).date())]


def reminded_slot(now: datetime) -> DemoSlot:
    """A slot of whose reservation somebody is reminded some minutes from now: two days before it begins."""
    begins = now.astimezone(JST) + REMINDED_BEFORE + timedelta(minutes=10)
    minute = -(-(begins.hour * 60 + begins.minute) // 5) * 5
    if minute > _LAST_START:
        begins, minute = begins + timedelta(days=1), 0
    day = begins.date().isoformat()
    return DemoSlot(FLU, day, minute, _SHORT, 3, (None,), notes="臨時の枠です。", first_seat=_REMINDED)


def _around(today: date) -> list[DemoSlot]:
    days = [today + timedelta(days=number) for number in range(-_DAYS_BEFORE, _DAYS_AFTER + 1)]
    working = [day for day in days if day.weekday() < _SATURDAY or day == today]
    last = len(working) - 1 - working.index(today)
    return [
        slot
        for position, day in enumerate(working, start=last + 1 - len(working))
        for slot in _of_day(day.isoformat(), position, is_draft=position > last - _DRAFT_DAYS)
    ]


def _of_day(day: str, position: int, *, is_draft: bool) -> Iterator[DemoSlot]:
    """`position`: the number of working days after today; negative before today."""
    status, some = ("draft", 0) if is_draft else ("published", 3 if position == 0 else 1)
    for minute in (_MORNING, _AFTERNOON):
        plain = {"capacity": 6, "status": status, "seats": (None,) * some}
        yield DemoSlot(FLU, day, minute, _SHORT, **{**plain, **_SHOWN.get((position, minute), {})})
    if position % 2 == 0:
        notes = "朝食をとらずにお越しください。"
        yield DemoSlot(CHECKUP, day, _CHECKUP_TIME, 60, 8, (None,) * (some * 2), status, notes=notes)
    if position > 0 and position % 2:
        yield DemoSlot(OPTION, day, _OPTION_TIME, 30, 2, (), status, notes="胸部CTなどを追加できます。")
