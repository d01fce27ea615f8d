"""Time-based one-time passwords (RFC 6238 with SHA-1, 30 seconds, six digits, as every app has them). Pure."""

import base64
import hashlib
import hmac
import struct
import unicodedata
from datetime import datetime
from urllib.parse import quote, urlencode

BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
SECRET_LETTERS = 32
# Without letters and digits that look alike.
READABLE = "abcdefghjkmnpqrstuvwxyz23456789"
RECOVERY_CODES = 10
_STEP_SECONDS = 30
_DIGITS = 6
# A telephone's clock may be wrong by one step.
_DRIFT = 1
_SEPARATORS = str.maketrans("", "", " -　‐－ー")


def code_at(secret: str, step: int) -> str:
    """The code of a time step (RFC 4226, section 5.3)."""
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[-1] & 0x0F
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return str(number % 10**_DIGITS).zfill(_DIGITS)


def step_of(now: datetime) -> int:
    return int(now.timestamp()) // _STEP_SECONDS


def matching_step(secret: str, typed: str, now: datetime) -> int | None:
    """The time step whose code was typed, if it is the present one or a neighbour of it."""
    code, present = normalised(typed), step_of(now)
    found = None
    # All of them are compared, so that the time that this takes tells nothing.
    for step in range(present - _DRIFT, present + _DRIFT + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), code.encode("utf-8", "replace")):
            found = step
    return found


def normalised(typed: str) -> str:
    """A code as it is compared: in half-width small letters, without the spaces and hyphens between the groups."""
    return unicodedata.normalize("NFKC", typed).translate(_SEPARATORS).strip().lower()


def set_up_uri(secret: str, username: str, issuer: str) -> str:
    """What the QR code says to the app on the telephone."""
    label = quote(f"{issuer}:{username}")
    query = urlencode({"secret": secret, "issuer": issuer, "digits": _DIGITS, "period": _STEP_SECONDS})
    return f"otpauth://totp/{label}?{query.replace('+', '%20')}"


def in_groups(secret: str) -> str:
    """The secret as people type it: groups of four letters."""
    return " ".join(secret[place : place + 4] for place in range(0, len(secret), 4))
