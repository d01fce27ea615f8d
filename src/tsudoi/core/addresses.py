"""How a mail address is shown where not everybody should be able to write to it, and the key made of it. Pure."""

import hashlib

_DIGITS = 16


def mail_key(address: str) -> str:
    """The key of somebody who is known by nothing but an address. The case of an address makes no other person."""
    return f"e:{hashlib.sha256(address.lower().encode()).hexdigest()[:_DIGITS]}"


def masked_address(address: str | None) -> str | None:
    """For screens and the audit trail, which is never changed, not even when somebody's data are removed."""
    if not address:
        return None
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}***@{domain}"
