"""Reads the report that a mail server sends when it could not deliver a mail (RFC 3464). Pure.

A report is believed only where it names the Message-ID of a mail of ours: nobody else knows it but the receiver, so
that nobody can end the mails to another person by a forged report.

Anybody may write to the address to which reports go. So each part of a message has a bound before it is read: a real
report is about one mail and a few receivers.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from itertools import islice

from tsudoi.notifications.bounces.errors import UnreadableMail
from tsudoi.notifications.mails.rules.failures import is_status

# Mails to several receivers do not exist here, and a report about many mails is no report of a mail server.
MOST_MESSAGE_IDS = 10
MOST_RECIPIENTS = 100
_ADDRESS = re.compile(r"(?:[A-Za-z0-9-]+\s*;\s*)?<?([^\s<>;]+@[^\s<>;@]+)>?")
# The longest address and the name of its kind, such as `rfc822;`.
_LONGEST_ADDRESS_FIELD = 400
_MESSAGE_ID = re.compile(r"<[^<>\s@]+@[^<>\s@]+>")
# The parser of the standard library takes quadratic time for the parameters of these headers.
_LONG_CONTENT_HEADER = re.compile(rb"(?i)(?:\A|[\r\n])content-[^\r\n]{2000}")
_CONTINUED_LINE = re.compile(rb"\r?\n(?=[ \t])|\r(?=[ \t])")
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
    """None: it is something else, such as the answer of a person. Delays and successes are reports without failures.

    Raises `UnreadableMail` for a message that nothing can be made of, such as one with a thousand nested parts.
    """
    if len(raw) > LONGEST_REPORT:
        return None
    try:
        return _report(raw)
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        # The parser of the standard library raises all of these for messages that break the rules.
        raise UnreadableMail from error


def _report(raw: bytes) -> DeliveryReport | None:
    message = _parsed(raw)
    kind = str(message.get_param("report-type", "")).lower()
    if message.get_content_type() != "multipart/report" or kind not in ("", "delivery-status"):
        return None
    statuses = [part for part in message.walk() if part.get_content_type() == "message/delivery-status"]
    failed = islice((one for part in statuses for one in _failed(part)), MOST_RECIPIENTS)
    return DeliveryReport(_message_ids(message), tuple(failed))


def _parsed(raw: bytes) -> Message:
    if _LONG_CONTENT_HEADER.search(_CONTINUED_LINE.sub(b"", raw)):
        raise UnreadableMail
    return message_from_bytes(raw)


def _failed(part: Message) -> Iterator[UndeliveredMail]:
    groups = part.get_payload()
    for group in groups if isinstance(groups, list) else ():
        if not isinstance(group, Message) or str(group.get("Action", "")).strip().lower() != "failed":
            continue
        status = str(group.get("Status", "")).split()
        address = _address(str(group.get("Final-Recipient", ""))) or _address(str(group.get("Original-Recipient", "")))
        if address is not None and status and is_status(status[0]):
            yield UndeliveredMail(address, status[0])


def _address(field: str) -> str | None:
    """In lower case, and without the quotation marks that unusual addresses are written with."""
    found = _ADDRESS.fullmatch(field.strip()) if len(field) <= _LONGEST_ADDRESS_FIELD else None
    if found is None:
        return None
    local, _, domain = found[1].rpartition("@")
    return f"{local.strip(chr(34))}@{domain}".lower()


def _message_ids(message: Message) -> tuple[str, ...]:
    """From the mail that came back, and from the headers that say to which mail the report belongs."""
    found = [_original_id(part) for part in message.walk() if part.get_content_type() in _ORIGINALS]
    found += [str(message.get(name, "")) for name in ("In-Reply-To", "References")]
    named = dict.fromkeys(one for text in found for one in _MESSAGE_ID.findall(text))
    return tuple(islice(named, MOST_MESSAGE_IDS))


def _original_id(part: Message) -> str:
    content = part.get_payload()
    if isinstance(content, list):
        return str(content[0].get("Message-ID", "")) if content and isinstance(content[0], Message) else ""
    headers = part.get_payload(decode=True)
    return str(_parsed(headers).get("Message-ID", "")) if isinstance(headers, bytes) else ""
