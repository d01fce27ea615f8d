"""Limits of an event, and the texts that members receive about it. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tsudoi.core.clock import JST, display

LONGEST_TITLE, LONGEST_BODY, LONGEST_LABEL, LONGEST_EXTRA_TEXT = 100, 2000, 20, 200
DEFAULT_BODY = "出欠のご回答をお願いします。\n詳細・回答は以下のリンクからご確認ください。"
DEFAULT_LABEL = "備考"
# Nobody plans further ahead, so this catches a mistyped year.
FARTHEST = timedelta(days=366 * 5)
# Some phones show a whole calendar day for an event without an end.
LASTS = timedelta(hours=1)


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
    """Members may answer until the day of the event ends in Japan: a member who is late can say so on the way."""
    return now.astimezone(JST).date() > held_at.astimezone(JST).date()


def first_not_over(now: datetime) -> datetime:
    """The same rule for a query: an event that is held before this moment is over."""
    return now.astimezone(JST).replace(hour=0, minute=0, second=0, microsecond=0)


def event_link(liff_base: str, liff_id: str | None, event_id: int | str) -> str:
    """Always the LIFF address, because the page's own address would open without a LINE identity."""
    return f"{liff_base}/{liff_id}/events/{event_id}"


def picture_message(preview_url: str) -> dict[str, Any]:
    return {"type": "image", "originalContentUrl": preview_url, "previewImageUrl": preview_url}


def text_message(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def invitation_text(body: str | None, link: str) -> str:
    return f"{body}\n{link}" if body else link


def reminder_text(title: str, held_at: datetime, link: str) -> str:
    return (
        f"【出欠のご確認】\n「{title}」（{display(held_at)}）の出欠のご回答がまだのようです。\n"
        f"お手数ですが、以下のリンクからご回答をお願いします。\n{link}"
    )


def change_text(title: str, held_at: datetime, changed: str, link: str) -> str:
    return f"【変更のお知らせ】\n「{title}」（{display(held_at)}）の内容が変わりました。\n{changed}\n{link}"


def cancellation_text(title: str, held_at: datetime, reason: str | None) -> str:
    why = f"\n{reason}" if reason else ""
    return f"【中止のお知らせ】\n「{title}」（{display(held_at)}）は中止になりました。{why}"
