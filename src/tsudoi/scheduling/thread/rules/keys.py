"""The key by which a thread knows a person. Pure."""

import hashlib

_DIGITS = 16


def mail_key(address: str) -> str:
    """Somebody who is asked by mail. The case of an address makes no other person."""
    return f"e:{hashlib.sha256(address.lower().encode()).hexdigest()[:_DIGITS]}"


def member_key(member_id: int) -> str:
    return f"lm:{member_id}"


def is_registered(key: str) -> bool:
    """Whether the organisation knows the person otherwise than by a mail address."""
    return not key.startswith("e:")
