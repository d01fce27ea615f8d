"""Which PINs are allowed. Pure."""

import re

from tsudoi.booking.pins.errors import PinNotAllowed, PinTrivial, PinUnchanged
from tsudoi.core.tokens import token_hash

# The version of the hash scheme: PIN → HMAC-SHA-256 with the pepper → Argon2id. A row with another version is hashed
# again at the next log-in.
PIN_VERSION = 1
# Everybody knows this PIN. It opens nothing but the change of it.
INITIAL_PIN = "0000"
FAILURES_ALLOWED = 5
LOCKOUT_PREFIX = "staff:"

_FORMAT = re.compile(r"[0-9]{4}")
_ASCENDING = "01234567890"
# Patterns that people choose most often, besides repeated and running digits.
_POPULAR = frozenset({"1212", "2121", "1010", "0101", "6969", "1122", "1313", "2000", "2580", "1004"})


def is_pin(text: str) -> bool:
    return _FORMAT.fullmatch(text) is not None


def is_trivial(pin: str) -> bool:
    """One digit four times, digits in a row up or down, and the patterns that everybody tries first."""
    runs = pin in _ASCENDING or pin in _ASCENDING[::-1]
    return len(set(pin)) == 1 or runs or pin in _POPULAR


def require_good_pin(pin: str, field: str = "pin", old_pin: str | None = None) -> None:
    """Refuse a new PIN that is malformed, easy to guess, or the old one. `field` is its name in the JSON."""
    if not is_pin(pin):
        raise PinNotAllowed(field, "INVALID_FORMAT", "暗証番号（PIN）は、数字4桁で入力してください。")
    if is_trivial(pin):
        raise PinTrivial(field)
    if pin == old_pin:
        raise PinUnchanged(field)


def lockout_key(staff_id: str) -> str:
    """Where the attempts for a number that nobody has are counted."""
    return f"{LOCKOUT_PREFIX}{token_hash(staff_id)}"


def own_key(staff_uid: str, token: str) -> str:
    """A count of its own for a known device or a live session. Strangers can lock the account, but not this."""
    return f"{LOCKOUT_PREFIX}own:{token_hash(token)}:{staff_uid}"
