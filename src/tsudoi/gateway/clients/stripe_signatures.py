"""Proves that a webhook comes from Stripe, and that nobody recorded it and sends it again later."""

import hashlib
import hmac
from datetime import datetime, timedelta

TOLERANCE = timedelta(minutes=5)
_LONGEST_HEADER = 4_000
_TIMESTAMP_DIGITS = 12


def verify_signature(
    secret: str, header: str | None, raw_body: bytes, now: datetime, tolerance: timedelta = TOLERANCE
) -> bool:
    """Whether the header `Stripe-Signature` has a signature of this body that was made around now.

    While a secret is being replaced, Stripe signs with both secrets, so any of the signatures may match. Stripe's SDK
    accepts every time in the future; here the tolerance counts in both directions.
    """
    if not secret or not header or len(header) > _LONGEST_HEADER:
        return False
    pairs = [(name.strip(), value.strip()) for name, _, value in (part.partition("=") for part in header.split(","))]
    times = [value for name, value in pairs if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit() and len(times[0]) <= _TIMESTAMP_DIGITS):
        return False
    expected = hmac.new(secret.encode(), f"{times[0]}.".encode() + raw_body, hashlib.sha256).hexdigest().encode()
    given = [value.encode(errors="replace") for name, value in pairs if name == "v1"]
    # Every signature is compared, so that the time does not tell which one was close.
    matches = [hmac.compare_digest(one, expected) for one in given]
    return any(matches) and abs(now.timestamp() - int(times[0])) <= tolerance.total_seconds()
