"""A mail as a context decides it, and the check that it can be sent as it is."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from tsudoi.notifications.mails.errors import UnsendableText
from tsudoi.notifications.mails.rules.addresses import checked_address

# Control characters, lone surrogates, and in a line also the two separators that some programs read as line ends.
_NEVER_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NEVER_IN_A_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
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
    # Where the person can stop such mails with one click, for the header List-Unsubscribe.
    unsubscribe_url: str | None = None
    # The right part of the Message-ID: `settings.mail_host`.
    host: str
    # When it goes out. None: at once.
    due_at: datetime | None = None
    # When it is too late to send it. None: never.
    send_before: datetime | None = None


def sendable_line(text: str) -> str:
    """What was stored by hand or by an older version must not keep a mail from going out."""
    return _NEVER_IN_A_LINE.sub(" ", text)


def sendable_text(text: str) -> str:
    return _NEVER_IN_A_TEXT.sub(" ", text)


def checked_draft(draft: MailDraft) -> MailDraft:
    """The draft with its address as it is stored. Raises `BadMailAddress` or `UnsendableText`.

    A line break in a header would let the author of a title add headers, recipients among them.
    """
    for name in ("purpose", "subject_kind", "subject_id", "subject", "host"):
        if _NEVER_IN_A_LINE.search(getattr(draft, name)):
            raise UnsendableText(name)
    if _NEVER_IN_A_LINE.search(draft.unsubscribe_url or ""):
        raise UnsendableText("unsubscribe_url")
    for name in ("text", "html", "calendar"):
        if _NEVER_IN_A_TEXT.search(getattr(draft, name) or ""):
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
