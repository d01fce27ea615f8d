"""A mail as a context decides it, and the check that it can be sent as it is."""

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime

from tsudoi.notifications.mails.errors import UnsendableText
from tsudoi.notifications.mails.rules.addresses import checked_address

# Control characters, lone surrogates, and the two separators that some programs read as line ends.
_NEVER_IN_A_LINE = ("Cc", "Cs", "Zl", "Zp")
_NEVER_IN_A_TEXT = ("Cc", "Cs")
_IN_A_TEXT = "\t\r\n"
_METHOD = re.compile(r"(?m)^METHOD:([A-Z]+)\r?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailDraft:
    """A mail to one person. The same purpose, subject and revision is written once, however often it is decided."""

    # What it is for, such as `CONFIRMATION`.
    purpose: str
    # What it is about, such as `reservation` and `12`.
    subject_kind: str
    subject_id: str
    # Raised when the same thing has to be told anew, because a reservation was moved, for example.
    revision: int = 0
    to_address: str
    subject: str
    text: str
    html: str | None = None
    # An iCalendar object with its METHOD line.
    calendar: str | None = None
    # The right part of the Message-ID: `settings.mail_host`.
    host: str
    # When it goes out. None: at once.
    due_at: datetime | None = None
    # When it is too late to send it. None: never.
    send_before: datetime | None = None


def checked_draft(draft: MailDraft) -> MailDraft:
    """The draft with its address as it is stored. Raises `BadMailAddress` or `UnsendableText`.

    A line break in a header would let the author of a title add headers, recipients among them.
    """
    for name in ("purpose", "subject_kind", "subject_id", "subject", "host"):
        if _has(getattr(draft, name), _NEVER_IN_A_LINE):
            raise UnsendableText(name)
    for name in ("text", "html", "calendar"):
        if _has(getattr(draft, name) or "", _NEVER_IN_A_TEXT, apart_from=_IN_A_TEXT):
            raise UnsendableText(name)
    if draft.calendar is not None:
        calendar_method(draft.calendar)
    return replace(draft, to_address=checked_address(draft.to_address))


def calendar_method(calendar: str) -> str:
    """Mail programs show no buttons unless the part names the same method as the object."""
    found = _METHOD.search(calendar)
    if found is None:
        raise UnsendableText("calendar")
    return found[1]


def _has(text: str, categories: tuple[str, ...], apart_from: str = "") -> bool:
    return any(unicodedata.category(one) in categories and one not in apart_from for one in text)
