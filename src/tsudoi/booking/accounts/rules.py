import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator

from tsudoi.booking.pins.rules import PIN_VERSION
from tsudoi.booking.texts import plain_text

# The initial PIN is public knowledge, so it works for this long only; then the office resets it again.
ACTIVATION_PERIOD = timedelta(days=30)
MASKED_NAME = "（消去済み）"
_LONGEST_REASON = 500
# Without letters and digits that look alike on a notice board.
_CODE_CHARACTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_CODE_LENGTH = 8

Status = Literal["active", "suspended", "left"]
Role = Literal["STAFF", "ADMIN"]
State = Literal["locked", "initialPin", "incomplete", "unconfirmed"]


def reason(text: str) -> str:
    return plain_text(text, _LONGEST_REASON)


Reason = Annotated[str, AfterValidator(reason)]


@dataclass(frozen=True, slots=True)
class StaffFilters:
    """Which people a list or an export shows. Empty values do not filter."""

    words: str = ""
    department_id: str | None = None
    status: Status | None = None
    state: State | None = None


def initial_pin_columns(pin_hash: str, now: datetime) -> dict[str, Any]:
    """The columns of an account whose PIN is the initial one, new or reset."""
    return {
        "pin_hash": pin_hash,
        "pin_version": PIN_VERSION,
        "pin_updated_at": now,
        "pin_must_change": 1,
        "pin_retry_count": 0,
        "pin_locked_until": None,
        "activate_until": now + ACTIVATION_PERIOD,
        "updated_at": now,
    }


def new_registration_code() -> str:
    return "".join(secrets.choice(_CODE_CHARACTERS) for _ in range(_CODE_LENGTH))
