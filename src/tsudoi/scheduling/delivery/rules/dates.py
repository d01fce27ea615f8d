"""How messages write times: Japanese time with the weekday, and beside it the zone that the organiser meant. Pure."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tsudoi.core.clock import JST
from tsudoi.scheduling.delivery.rules.messages import AnnouncedSlot

_WEEKDAYS = "月火水木金土日"
_TOKYO = "Asia/Tokyo"


def japanese_day(moment: datetime) -> str:
    at = moment.astimezone(JST)
    return f"{at.year}年{at.month}月{at.day}日（{_WEEKDAYS[at.weekday()]}）"


def japanese_moment(moment: datetime) -> str:
    return f"{japanese_day(moment)}{moment.astimezone(JST):%H:%M}"


def short_moment(moment: datetime) -> str:
    """For subjects: `12/10（木）14:00`."""
    at = moment.astimezone(JST)
    return f"{at.month}/{at.day}（{_WEEKDAYS[at.weekday()]}）{at:%H:%M}"


def japanese_slot(slot: AnnouncedSlot) -> str:
    """`2026年12月10日（木）14:00〜15:00`, and the organiser's own time where it is another."""
    starts, ends = slot.starts_at.astimezone(JST), slot.ends_at.astimezone(JST)
    until = f"{ends:%H:%M}" if starts.date() == ends.date() else japanese_moment(ends)
    written = f"{japanese_moment(starts)}〜{until}"
    zone = _other_zone(slot.timezone)
    return written if zone is None else f"{written}（日本時間。現地 {_local(slot, zone)} {slot.timezone}）"


def english_slot(slot: AnnouncedSlot) -> str:
    """`Thu, 10 Dec 2026 14:00-15:00 JST`, and the organiser's own time where it is another."""
    starts, ends = slot.starts_at.astimezone(JST), slot.ends_at.astimezone(JST)
    until = f"{ends:%H:%M}" if starts.date() == ends.date() else english_moment(ends).removesuffix(" JST")
    written = f"{english_moment(starts).removesuffix(' JST')}-{until} JST"
    zone = _other_zone(slot.timezone)
    return written if zone is None else f"{written} ({_local(slot, zone)} {slot.timezone})"


def english_moment(moment: datetime) -> str:
    at = moment.astimezone(JST)
    weekday = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[at.weekday()]
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[at.month - 1]
    return f"{weekday}, {at.day} {month} {at.year} {at:%H:%M} JST"


def _other_zone(name: str) -> ZoneInfo | None:
    """None for Japan, and for a name that another program wrote and nobody knows."""
    try:
        return None if name == _TOKYO else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _local(slot: AnnouncedSlot, zone: ZoneInfo) -> str:
    starts, ends = slot.starts_at.astimezone(zone), slot.ends_at.astimezone(zone)
    until = f"{ends:%H:%M}" if starts.date() == ends.date() else f"{ends.month}/{ends.day} {ends:%H:%M}"
    return f"{starts.month}/{starts.day} {starts:%H:%M}-{until}"
