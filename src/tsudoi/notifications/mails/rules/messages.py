"""The mail as it goes over the wire: headers, Japanese text, and the parts beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any

from tsudoi.notifications.mails.rules.addresses import written_address
from tsudoi.notifications.mails.rules.drafts import calendar_method


class WholeHeader(UnstructuredHeader):
    """A header whose value stands on one line. Python would encode a long address, and no program understands that."""

    def fold(self, *, policy: Any) -> str:
        return f"{self.name}:{policy.linesep} {self}{policy.linesep}"  # type: ignore[attr-defined]


_HEADERS = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", WholeHeader)  # type: ignore[arg-type] # (mixed into BaseHeader there)
_POLICY = SMTP.clone(header_factory=_HEADERS)


@dataclass(frozen=True, slots=True)
class MailSenderName:
    """The sender that people see, from `MAIL_FROM`."""

    name: str
    address: str


def message_bytes(mail: Mapping[Any, Any], sender: MailSenderName, at: datetime) -> bytes:
    """Build the mail of a row of `mail_messages`. It is the same each time, apart from the boundaries of its parts."""
    message = EmailMessage(policy=_POLICY)
    message["From"] = Address(sender.name, addr_spec=sender.address)
    message["To"] = written_address(mail["to_address"])
    message["Subject"] = mail["subject"]
    message["Date"] = format_datetime(at)
    message["Message-ID"] = mail["message_id"]
    # Automatic answers ("I am on holiday") are not sent to mails with this header.
    message["Auto-Submitted"] = "auto-generated"
    if mail["unsubscribe_url"] is not None:
        # Mail programs show a button for it, which sends one POST and opens no page (RFC 8058).
        message["List-Unsubscribe"] = f"<{mail['unsubscribe_url']}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail["text"], cte="base64")
    if mail["html"] is not None:
        message.add_alternative(mail["html"], subtype="html", cte="base64")
    if mail["calendar"] is not None:
        _add_calendar(message, mail["calendar"])
    return message.as_bytes()


def _add_calendar(message: EmailMessage, calendar: str) -> None:
    """Twice: some programs show buttons for the alternative, and others only open the attached file."""
    content, method = calendar.encode(), calendar_method(calendar)
    params = {"method": method, "charset": "UTF-8"}
    message.add_alternative(content, maintype="text", subtype="calendar", cte="base64", params=params)
    message.add_attachment(content, maintype="application", subtype="ics", filename="invite.ics")
