"""The text of a reminder, whom it reaches, and why somebody does not get it after all. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from pydantic import AfterValidator

from tsudoi.booking.texts import plain_text
from tsudoi.line.delivery import rules as delivery
from tsudoi.line.delivery.rules import LineState

# The state of a recipient whom the sender left out, because the reminder was no longer for them.
SKIPPED = "SKIPPED"
BOOKED, NOT_ACTIVE, LINK_CHANGED = "BOOKED", "NOT_ACTIVE", "LINK_CHANGED"
NO_LINE_LINK, REMINDED_TODAY = "NO_LINE_LINK", "REMINDED_TODAY"
NOT_A_FRIEND, BLOCKED, NO_MAIL = "NOT_A_FRIEND", "BLOCKED", "NO_MAIL"
WHY_NOT = {
    NO_LINE_LINK: "LINEと連携していません",
    NOT_A_FRIEND: "公式アカウントを友だちに追加していません",
    BLOCKED: "公式アカウントをブロックしています",
    NO_MAIL: "送れるメールアドレスがありません",
    REMINDED_TODAY: "今日すでに案内しています",
}
_WHY_NOT_BY_LINE: dict[LineState, str] = {
    "unlinked": NO_LINE_LINK,
    "notAdded": NOT_A_FRIEND,
    "blocked": BLOCKED,
    "reachable": NO_MAIL,
}
ReminderChannel = Literal["line", "mail"]
# What a mail is about (`mail_messages.subject_kind`): a recipient of a reminder.
MAIL_SUBJECT = "coverage_reminder"
_WHY_SKIPPED = {
    BOOKED: "送る前に予約されたため、送っていません。",
    NOT_ACTIVE: "送る前に休止または退職になったため、送っていません。",
    LINK_CHANGED: "送る前にLINEの連携が変わったため、送っていません。",
    NO_MAIL: "送る前にメールアドレスがなくなったため、送っていません。",
}
_BY_MAIL = {
    "FAILED": "メールを送れませんでした。アドレスを確かめ、電話などで知らせてください。",
    "UNKNOWN": "メールが届いたかどうか分かりません。ご本人に確認してください。",
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


def mail_subject(type_name: str) -> str:
    return f"「{type_name}」のご予約のお願い"


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
    line_state: LineState
    # To which a mail could be sent now. None: none is known, mails to it come back, or no mail server is set up.
    mail_address: str | None
    reminded_today: bool

    @property
    def blocked(self) -> bool:
        return self.line_state == "blocked"

    def way(self, channels: Collection[ReminderChannel]) -> ReminderChannel | None:
        """LINE where it reaches the person, else mail. None: neither does, or the person was reminded today."""
        if self.reminded_today:
            return None
        if self.line_state == "reachable" and "line" in channels:
            return "line"
        return "mail" if self.mail_address is not None and "mail" in channels else None

    @property
    def why_not(self) -> str:
        """Why somebody without a way gets nothing."""
        return REMINDED_TODAY if self.reminded_today else _WHY_NOT_BY_LINE[self.line_state]


@dataclass(frozen=True, slots=True)
class SharedOut:
    """Who gets a reminder by which way. `kept_back`: LINE would reach them, and its monthly limit leaves nothing."""

    line: list[MissingPerson]
    mail: list[MissingPerson]
    kept_back: list[MissingPerson]
    unreachable: list[MissingPerson]

    @property
    def phone(self) -> int:
        """How many somebody would have to call. Who was reminded today need not be called."""
        return len(self.kept_back) + sum(not person.reminded_today for person in self.unreachable)


def share_out(
    people: Iterable[MissingPerson], channels: Collection[ReminderChannel], line_room: int | None
) -> SharedOut:
    """`line_room`: how many messages LINE's monthly limit leaves, for the first people. None: enough, or unknown."""
    found = SharedOut([], [], [], [])
    without_line = [channel for channel in channels if channel != "line"]
    for person in people:
        way = person.way(channels)
        is_full = line_room is not None and len(found.line) >= max(0, line_room)
        if way == "line" and is_full:
            (found.kept_back if person.way(without_line) is None else found.mail).append(person)
        elif way == "line":
            found.line.append(person)
        else:
            (found.unreachable if way is None else found.mail).append(person)
    return found


def why_skipped(status: str, linked_with: str | None, recipient: str | None, *, booked: bool) -> str | None:
    """Why what was decided earlier must not go out by LINE now, or None. `recipient`: the link at that time."""
    if (why := why_not_any_more(status, booked=booked)) is not None:
        return why
    return None if linked_with is not None and linked_with == recipient else LINK_CHANGED


def why_not_any_more(status: str, *, booked: bool) -> str | None:
    if status != "active":
        return NOT_ACTIVE
    return BOOKED if booked else None


def explanation(state: str, reason: str | None, channel: str = "line") -> str:
    """Why somebody did not get the reminder, in Japanese for the office."""
    if state == SKIPPED:
        return _WHY_SKIPPED.get(reason or "", "送る必要がなくなったため、送っていません。")
    if channel == "mail":
        return _BY_MAIL.get(state, "これからメールで送ります。")
    return delivery.explanation(state, reason, _WHY_SKIPPED)
