"""Reads the report that a mail server sends when it could not deliver a mail (RFC 3464). Pure.

A report is believed only where it names the Message-ID of a mail of ours: nobody else knows it but the receiver, so
that nobody can end the mails to another person by a forged report.
"""

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from tsudoi.notifications.mails.rules.failures import is_status

_ADDRESS = re.compile(r"^\s*(?:[A-Za-z0-9-]+\s*;)?\s*<?([^\s<>;]+@[^\s<>;]+)>?\s*$")
_MESSAGE_ID = re.compile(r"<[^<>\s]+@[^<>\s]+>")
_ORIGINALS = ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers")
# A longer message is no report.
LONGEST_REPORT = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class UndeliveredMail:
    """One receiver whom a mail did not reach."""

    address: str
    # The enhanced status code, such as 5.1.1.
    status: str


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """A report, with the Message-IDs that it names."""

    message_ids: tuple[str, ...]
    failed: tuple[UndeliveredMail, ...]


def read_report(raw: bytes) -> DeliveryReport | None:
    """None: it is something else, such as the answer of a person. Delays and successes are reports without failures."""
    if len(raw) > LONGEST_REPORT:
        return None
    message = message_from_bytes(raw)
    kind = str(message.get_param("report-type", "")).lower()
    if message.get_content_type() != "multipart/report" or kind not in ("", "delivery-status"):
        return None
    statuses = [part for part in message.walk() if part.get_content_type() == "message/delivery-status"]
    failed = [one for part in statuses for one in _failed(part)]
    return DeliveryReport(_message_ids(message), tuple(failed))


def _failed(part: Message) -> list[UndeliveredMail]:
    groups = part.get_payload()
    found: list[UndeliveredMail] = []
    for group in groups if isinstance(groups, list) else ():
        if not isinstance(group, Message) or str(group.get("Action", "")).strip().lower() != "failed":
            continue
        status = str(group.get("Status", "")).split()
        address = _address(str(group.get("Final-Recipient", ""))) or _address(str(group.get("Original-Recipient", "")))
        if address is not None and status and is_status(status[0]):
            found.append(UndeliveredMail(address, status[0]))
    return found


def _address(field: str) -> str | None:
    """In lower case, and without the quotation marks that unusual addresses are written with."""
    found = _ADDRESS.match(field)
    if found is None:
        return None
    local, _, domain = found[1].rpartition("@")
    return f"{local.strip(chr(34))}@{domain}".lower()


def _message_ids(message: Message) -> tuple[str, ...]:
    """From the mail that came back, and from the headers that say to which mail the report belongs."""
    found = [str(message.get(name, "")) for name in ("In-Reply-To", "References")]
    found += [_original_id(part) for part in message.walk() if part.get_content_type() in _ORIGINALS]
    return tuple(dict.fromkeys(one for text in found for one in _MESSAGE_ID.findall(text)))


def _original_id(part: Message) -> str:
    content = part.get_payload()
    if isinstance(content, list):
        return str(content[0].get("Message-ID", "")) if content and isinstance(content[0], Message) else ""
    headers = part.get_payload(decode=True)
    return str(message_from_bytes(headers).get("Message-ID", "")) if isinstance(headers, bytes) else ""
