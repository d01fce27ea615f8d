"""Limits of an event, when it is over, and the link to it. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tsudoi.core.clock import JST

LONGEST_TITLE, LONGEST_BODY, LONGEST_LABEL, LONGEST_EXTRA_TEXT = 100, 2000, 20, 200
DEFAULT_BODY = "出欠のご回答をお願いします。\n詳細・回答は以下のリンクからご確認ください。"
DEFAULT_LABEL = "備考"
# Nobody plans further ahead, so this catches a mistyped year.
FARTHEST = timedelta(days=366 * 5)
# Some phones show a whole calendar day for an event without an end.
LASTS = timedelta(hours=1)


_WEEKDAYS = "月火水木金土日"


def heading(title: str, held_at: datetime) -> str:
    """The line that the console puts above the text of an invitation: `「理事会」 12月12日（土）18:00`."""
    at = held_at.astimezone(JST)
    return f"「{title}」 {at.month}月{at.day}日（{_WEEKDAYS[at.weekday()]}）{at:%H:%M}"


def headed_anew(body: str | None, old: str, new: str) -> str | None:
    """The text with the new heading where it begins with the old one, so that it never names another day."""
    first, line_end, rest = (body or "").partition("\n")
    return f"{new}{line_end}{rest}" if first == old else body


@dataclass(frozen=True, slots=True)
class ExtraText:
    """The one-line memo field of an event."""

    enabled: bool
    label: str
    attend_only: bool

    def kept(self, status: str, text: str | None) -> str | None:
        """The memo to store: none when the field is off, or when only those who attend may fill it in."""
        if not self.enabled or (self.attend_only and status == "absent"):
            return None
        return (text or "").strip() or None


def is_over(held_at: datetime, now: datetime) -> bool:
    """An event is over when its day ends in Japan: until then a member who is late can say so on the way."""
    return now.astimezone(JST).date() > held_at.astimezone(JST).date()


def first_not_over(now: datetime) -> datetime:
    """The same rule for a query: an event that is held before this moment is over."""
    return now.astimezone(JST).replace(hour=0, minute=0, second=0, microsecond=0)


@dataclass(frozen=True, slots=True)
class Links:
    """Builds links to events: always the LIFF address, because the page's own would open without a LINE identity."""

    base: str
    liff_id: str | None

    def to(self, event_id: int | str) -> str:
        return f"{self.base}/{self.liff_id}/events/{event_id}"
