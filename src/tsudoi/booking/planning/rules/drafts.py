"""The slots that the office wants to create, and which of them are left out. Pure."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from tsudoi.booking.slots.rules import begins_at
from tsudoi.core.clock import jst_date
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.core.holidays import holiday_name

MOST_SLOTS = 5_000
# 50 departments in each of so many slots.
MOST_QUOTAS = 250_000
LONGEST_PERIOD_DAYS = 366
MOST_COPIED_DAYS = 7
_MINUTES_OF_DAY = 1440

SkipReason = Literal["HOLIDAY", "EXCLUDED", "EXISTS", "PAST"]


@dataclass(frozen=True, slots=True)
class SlotDraft:
    """A slot before it has an id."""

    reservation_type_id: int
    service_date_local: str
    start_minute_of_day: int
    duration_minutes: int
    capacity: int
    status: str = "draft"
    booking_start: datetime | None = None
    booking_end: datetime | None = None
    notes: str | None = None
    quotas: tuple[tuple[str, int], ...] = ()

    @property
    def key(self) -> tuple[int, str, int]:
        """Bulk creation makes no second slot with the same key."""
        return self.reservation_type_id, self.service_date_local, self.start_minute_of_day


@dataclass(frozen=True, slots=True)
class SkippedDraft:
    """A draft that is left out, or with `start_minute_of_day` None all drafts of a day."""

    service_date_local: str
    start_minute_of_day: int | None
    reason: SkipReason
    name: str | None = None


@dataclass(frozen=True, slots=True)
class DraftFilter:
    """What bulk creation leaves out: days that were named, holidays, what exists, and what has begun."""

    skip_holidays: bool
    excluded_days: Collection[str]
    existing: Collection[tuple[int, str, int]]
    now: datetime

    def skipped(self, draft: SlotDraft) -> SkippedDraft | None:
        day, minute = draft.service_date_local, draft.start_minute_of_day
        if day in self.excluded_days:
            return SkippedDraft(day, None, "EXCLUDED")
        if self.skip_holidays and (name := holiday_name(day)):
            return SkippedDraft(day, None, "HOLIDAY", name)
        if begins_at(day, minute) <= self.now:
            return SkippedDraft(day, minute if day == jst_date(self.now) else None, "PAST")
        if draft.key in self.existing:
            return SkippedDraft(day, minute, "EXISTS")
        return None


def sorted_out(drafts: Iterable[SlotDraft], leave_out: DraftFilter) -> tuple[list[SlotDraft], list[SkippedDraft]]:
    """The drafts to create, and each day or draft that is left out, once."""
    kept: list[SlotDraft] = []
    # A dict keeps the order and takes each key once: all drafts of a holiday give the same skip.
    skipped: dict[SkippedDraft, None] = {}
    for draft in drafts:
        skip = leave_out.skipped(draft)
        if skip is None:
            kept.append(draft)
        else:
            skipped[skip] = None
    if len(kept) > MOST_SLOTS:
        message = f"一度に作れる予約枠は{MOST_SLOTS:,}件までです。期間を分けてください。"
        raise InvalidInput(message, [Detail("to", "TOO_MANY_SLOTS")])
    return kept, list(skipped)


def days_between(first_day: str, last_day: str) -> int:
    """How many days a period has, with both its ends."""
    return (date.fromisoformat(last_day) - date.fromisoformat(first_day)).days + 1


def days_on(first_day: str, last_day: str, weekdays: Collection[int]) -> list[str]:
    """The days of the period that are one of these weekdays (Monday is 1)."""
    first = date.fromisoformat(first_day)
    days = (first + timedelta(days=number) for number in range(days_between(first_day, last_day)))
    return [day.isoformat() for day in days if day.isoweekday() in weekdays]


def repeated(
    pattern: SlotDraft, last_day: str, weekdays: Collection[int], times: Sequence[tuple[int, int]]
) -> Iterator[SlotDraft]:
    """The pattern at these times on these weekdays (Monday is 1), from its own day to the last day."""
    for day in days_on(pattern.service_date_local, last_day, weekdays):
        for minute, duration in times:
            yield replace(pattern, service_date_local=day, start_minute_of_day=minute, duration_minutes=duration)


def moved(draft: SlotDraft, days: int) -> SlotDraft:
    """A copy so many days later, as a draft. Its booking window moves with it."""
    shift = timedelta(days=days)
    return replace(
        draft,
        service_date_local=(date.fromisoformat(draft.service_date_local) + shift).isoformat(),
        status="draft",
        booking_start=draft.booking_start and draft.booking_start + shift,
        booking_end=draft.booking_end and draft.booking_end + shift,
    )


def time_faults(start: int, duration: int, field: str = "durationMinutes") -> list[Detail]:
    """A slot ends on its own day, at midnight at the latest."""
    return [Detail(field, "ENDS_AFTER_MIDNIGHT")] if start + duration > _MINUTES_OF_DAY else []


def window_faults(booking_start: datetime | None, booking_end: datetime | None) -> list[Detail]:
    is_reversed = booking_start is not None and booking_end is not None and booking_end < booking_start
    return [Detail("bookingEnd", "BEFORE_BOOKING_START")] if is_reversed else []


def quota_faults(department_ids: Sequence[str]) -> list[Detail]:
    return [Detail("quotas", "DUPLICATE")] if len(set(department_ids)) < len(department_ids) else []


def check_quota_count(count: int) -> None:
    """Each quota of each slot is a row, and nobody else can write while they are written."""
    if count > MOST_QUOTAS:
        message = f"部署ごとの定員は、一度に合わせて{MOST_QUOTAS:,}件までです。期間を分けてください。"
        raise InvalidInput(message, [Detail("quotas", "TOO_MANY")])
