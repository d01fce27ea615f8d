"""Mailed links and codes: how long they live, and what a try at a code means. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Purpose = Literal["help_link", "liff_code"]
HELP_LINK: Purpose = "help_link"
LIFF_CODE: Purpose = "liff_code"
LIFETIMES = {HELP_LINK: timedelta(minutes=30), LIFF_CODE: timedelta(minutes=10)}
MOST_TRIES = 5
CODE_DIGITS = 6


@dataclass(frozen=True, slots=True)
class StoredProof:
    """A row of `identity_proofs`."""

    id: int
    shop_id: int
    contact_enc: str
    expires_at: datetime
    used_at: datetime | None
    tries: int

    def is_open(self, now: datetime) -> bool:
        return self.used_at is None and self.expires_at > now


def code_text(number: int) -> str:
    """Six digits, zeros at the beginning included."""
    return f"{number:0{CODE_DIGITS}d}"


def typed_code(text: str) -> str:
    """People copy a code with spaces, or type it with wide digits."""
    return "".join(str(int(character)) for character in text if character.isdecimal())
