"""The mails that the sandbox has accepted, and how they are read."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from tsudoi.sandbox.clock import iso

KEPT = 5_000
_SHOWN_HEADERS = (
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Reply-To",
    "Auto-Submitted",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
)
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class MailPart:
    """A part of a mail beside its text: HTML, a calendar, or an attached file."""

    content_type: str
    filename: str | None
    content: bytes


@dataclass(slots=True)
class KeptMail:
    """One mail: the envelope, and the content as it came over the wire."""

    id: int
    at: int
    sender: str
    recipients: list[str]
    raw: str

    @property
    def message(self) -> EmailMessage:
        parsed = message_from_bytes(self.raw.encode("latin-1"), policy=default)
        assert isinstance(parsed, EmailMessage)  # noqa: S101 (the policy makes it one)
        return parsed

    @property
    def subject(self) -> str:
        return _BLANKS.sub(" ", str(self.message["Subject"] or ""))

    @property
    def text(self) -> str:
        """What a person reads: the plain text, or nothing if there is only HTML."""
        part = self.message.get_body(("plain",))
        if part is None:
            return ""
        try:
            return str(part.get_content())
        except LookupError:  # A character set that does not exist.
            return bytes(part.get_payload(decode=True)).decode("utf-8", "replace")

    @property
    def headers(self) -> dict[str, str]:
        message = self.message
        return {name: str(message[name]) for name in _SHOWN_HEADERS if message[name] is not None}

    def parts(self) -> list[MailPart]:
        """Everything but the plain text and the containers."""
        message = self.message
        text = message.get_body(("plain",))
        return [
            MailPart(part.get_content_type(), part.get_filename(), part.get_payload(decode=True))  # type: ignore[arg-type]
            for part in message.walk()
            if not part.is_multipart() and part is not text
        ]

    def as_json(self, *, whole: bool = True) -> dict[str, Any]:
        short = {"id": self.id, "at": iso(self.at), "from": self.sender, "to": self.recipients, "subject": self.subject}
        if not whole:
            return short
        parts = [{"content_type": part.content_type, "filename": part.filename} for part in self.parts()]
        return {**short, "message_id": self.headers.get("Message-ID"), "headers": self.headers, "text": self.text} | {
            "parts": parts,
            "raw": self.raw,
        }


@dataclass
class Mailbox:
    """The newest mails of all addresses, numbered from one."""

    _mails: deque[KeptMail] = field(default_factory=deque)
    _count: int = 0

    def __post_init__(self) -> None:
        self._mails = deque(self._mails, KEPT)

    def __iter__(self) -> Iterator[KeptMail]:
        return iter(self._mails)

    def add(self, at: int, sender: str, recipients: list[str], content: bytes) -> KeptMail:
        self._count += 1
        mail = KeptMail(self._count, at, sender, recipients, content.decode("latin-1"))
        self._mails.append(mail)
        return mail

    def get(self, mail_id: int) -> KeptMail | None:
        return next((mail for mail in self._mails if mail.id == mail_id), None)

    def to(self, address: str | None) -> list[KeptMail]:
        """The mails to this address, or all, the oldest first."""
        return [mail for mail in self._mails if address is None or address.lower() in map(str.lower, mail.recipients)]

    def clear(self) -> None:
        self._mails.clear()
