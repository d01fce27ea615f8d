"""The text of a reminder, whom it reaches, and why somebody does not get it after all. Pure."""

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from pydantic import AfterValidator

from tsudoi.booking.texts import plain_text
from tsudoi.line.delivery import rules as delivery

# The state of a recipient whom the sender left out, because the reminder was no longer for them.
SKIPPED = "SKIPPED"
BOOKED, NOT_ACTIVE, LINK_CHANGED = "BOOKED", "NOT_ACTIVE", "LINK_CHANGED"
NO_LINE_LINK, REMINDED_TODAY = "NO_LINE_LINK", "REMINDED_TODAY"
WHY_NOT = {NO_LINE_LINK: "LINEと連携していません", REMINDED_TODAY: "今日すでに案内しています"}
_WHY_SKIPPED = {
    BOOKED: "送る前に予約されたため、送っていません。",
    NOT_ACTIVE: "送る前に休止または退職になったため、送っていません。",
    LINK_CHANGED: "送る前にLINEの連携が変わったため、送っていません。",
}
# A message of LINE has room for 5,000 characters; a longer text than this is not read on a phone.
_LONGEST_TEXT = 1000


def reminder_text(text: str) -> str:
    return plain_text(text, _LONGEST_TEXT, lines=True)


ReminderText = Annotated[str, AfterValidator(reminder_text)]


def default_text(type_name: str) -> str:
    return (
        f"「{type_name}」のご予約がまだのようです。\nお手数ですが、以下のリンクから、ご都合のよい日時をご予約ください。"
    )


def portal_link(public_base_url: str, type_id: int) -> str:
    """The slots of this type in the staff portal."""
    return f"{public_base_url}/staff/?{urlencode({'type': type_id})}"


def messages(text: str, link: str) -> list[dict[str, Any]]:
    """The link follows the text, so that nobody can delete it by mistake."""
    return [{"type": "text", "text": f"{text}\n{link}"}]


@dataclass(frozen=True, slots=True)
class MissingPerson:
    """An active staff person without a live reservation of the type in the fiscal year."""

    staff_uid: str
    staff_id: str
    full_name: str
    department_id: str
    department_name: str
    line_user_id: str | None
    # The person has blocked the account: LINE still accepts messages, but does not show them.
    blocked: bool
    reminded_today: bool

    @property
    def why_not(self) -> str | None:
        if self.line_user_id is None:
            return NO_LINE_LINK
        return REMINDED_TODAY if self.reminded_today else None


def why_skipped(status: str, linked_with: str | None, recipient: str | None, *, booked: bool) -> str | None:
    """Why a reminder that was decided earlier must not go out now, or None. `recipient`: the link at that time."""
    if status != "active":
        return NOT_ACTIVE
    if booked:
        return BOOKED
    return None if linked_with is not None and linked_with == recipient else LINK_CHANGED


def explanation(state: str, reason: str | None) -> str:
    """Why somebody did not get the reminder, in Japanese for the office."""
    if state == SKIPPED:
        return _WHY_SKIPPED.get(reason or "", "送る必要がなくなったため、送っていません。")
    return delivery.explanation(state, reason, _WHY_SKIPPED)
