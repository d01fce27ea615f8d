"""The slots of a thread before they are stored: the three default ones, and what is wrong with given ones. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from tsudoi.core.errors import Detail

LONGEST_SLOT = timedelta(hours=24)
# Nobody looks for a date that far away; a wrong year is more likely.
FARTHEST = timedelta(days=10 * 366)
_DEFAULT_HOUR = time(14)
_DEFAULT_LABELS = ("Tomorrow", "Day After Tomorrow", "In 3 Days")


@dataclass(frozen=True, slots=True)
class ThreadSlotDraft:
    """A slot before it has an id."""

    start_at: datetime
    end_at: datetime
    timezone: str
    label: str | None


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def zone_faults(field: str, zone: str) -> list[Detail]:
    return [] if zone in _zones() else [Detail(field, "UNKNOWN_TIMEZONE")]


def default_slots(now: datetime, zone: str) -> list[ThreadSlotDraft]:
    """14:00 on the next three days of the calendar there, wherever the server stands."""
    place = ZoneInfo(zone)
    today = now.astimezone(place).date()
    drafts: list[ThreadSlotDraft] = []
    for days, label in enumerate(_DEFAULT_LABELS, 1):
        start = datetime.combine(today + timedelta(days=days), _DEFAULT_HOUR, place)
        drafts.append(ThreadSlotDraft(start, start + timedelta(hours=1), zone, label))
    return drafts


def slot_faults(
    slots: Sequence[ThreadSlotDraft], now: datetime, taken: Sequence[tuple[datetime, datetime]]
) -> list[Detail]:
    """Everything that is wrong. `taken`: the times of the slots that the thread has already."""
    seen, faults = set(taken), list[Detail]()
    for number, slot in enumerate(slots):
        at = f"slots.{number}"
        faults += zone_faults(f"{at}.timezone", slot.timezone)
        faults += _time_faults(at, slot, now)
        if (slot.start_at, slot.end_at) in seen:
            faults.append(Detail(f"{at}.start_at", "DUPLICATE"))
        seen.add((slot.start_at, slot.end_at))
    return faults


def _time_faults(at: str, slot: ThreadSlotDraft, now: datetime) -> list[Detail]:
    faults = moment_faults(f"{at}.start_at", slot.start_at, now)
    length = slot.end_at - slot.start_at
    if length <= timedelta(0):
        faults.append(Detail(f"{at}.end_at", "BEFORE_START"))
    elif length > LONGEST_SLOT:
        faults.append(Detail(f"{at}.end_at", "TOO_LONG"))
    return faults


def moment_faults(field: str, moment: datetime, now: datetime) -> list[Detail]:
    """A moment that must be still to come."""
    if moment <= now:
        return [Detail(field, "IN_PAST")]
    return [Detail(field, "TOO_FAR")] if moment - now > FARTHEST else []
