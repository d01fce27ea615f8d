"""Short messages that both providers have taken, and the phones that they went to."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tsudoi.sandbox.clock import iso

KEPT = 2_000
_JAPANESE = re.compile(r"\+81[1-9][0-9]{8,9}")
_MOBILE = re.compile(r"\+81[6789]0[1-9][0-9]{7}")
_UNICODE_ONE, _UNICODE_PART, _PLAIN_ONE, _PLAIN_PART = 70, 67, 160, 153


class PhoneState(StrEnum):
    """What happens to messages to a phone."""

    REACHABLE = "reachable"
    # The owner refuses messages of this sender.
    OPTED_OUT = "opted_out"
    UNREACHABLE = "unreachable"
    BLOCKED = "blocked"


# What the network reports later about a message that the provider has taken.
REPORTED_ERRORS = {PhoneState.UNREACHABLE: 30003, PhoneState.BLOCKED: 30004}


@dataclass(slots=True)
class SmsMessage:
    """One message. Numbers are international, as +81…; `more` has what only its provider knows."""

    id: str
    provider: str
    to: str
    sender: str | None
    body: str
    at: int
    state: PhoneState
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def error_code(self) -> int | None:
        return REPORTED_ERRORS.get(self.state)

    @property
    def status(self) -> str:
        return "delivered" if self.state is PhoneState.REACHABLE else "undelivered"

    @property
    def segments(self) -> int:
        """Text that is not plain needs two bytes for each sign, so that fewer fit into one part."""
        one, part = (_PLAIN_ONE, _PLAIN_PART) if self.body.isascii() else (_UNICODE_ONE, _UNICODE_PART)
        length = len(self.body) if self.body.isascii() else len(self.body.encode("utf-16-le")) // 2
        return 1 if length <= one else -(-length // part)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "provider": self.provider,
            "to": self.to,
            "from": self.sender,
            "body": self.body,
            "at": iso(self.at),
            "status": self.status,
            "error_code": self.error_code,
            "segments": self.segments,
        }


@dataclass
class SmsNetwork:
    """The newest messages of all phones, the oldest first, and the phones that are not simply reachable."""

    _messages: deque[SmsMessage] = field(default_factory=deque)
    phones: dict[str, PhoneState] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._messages = deque(self._messages, KEPT)

    def __iter__(self) -> Iterator[SmsMessage]:
        return iter(self._messages)

    def state_of(self, number: str) -> PhoneState:
        return self.phones.get(number, PhoneState.REACHABLE)

    def take(self, message: SmsMessage) -> SmsMessage:
        self._messages.append(message)
        return message

    def of(self, provider: str) -> list[SmsMessage]:
        return [message for message in self._messages if message.provider == provider]

    def to(self, number: str | None) -> list[SmsMessage]:
        return [message for message in self._messages if number in (None, message.to)]

    def numbers(self) -> list[str]:
        """Every phone that was written to or set, the last written to first."""
        return list(dict.fromkeys([*(message.to for message in reversed(self._messages)), *self.phones]))

    def clear(self) -> None:
        self._messages.clear()
        self.phones = {}


def is_japanese(number: str) -> bool:
    return _JAPANESE.fullmatch(number) is not None


def is_mobile(number: str) -> bool:
    """Of numbers outside Japan nothing is known, so they count as mobile."""
    return not number.startswith("+81") or _MOBILE.fullmatch(number) is not None


def national(number: str) -> str:
    """As people in Japan write it: 090-1234-5678."""
    digits = "0" + number.removeprefix("+81")
    return f"{digits[:3]}-{digits[3:7]}-{digits[7:]}" if _MOBILE.fullmatch(number) else number
