"""Secrets that travel: 256 random bits outside, only their hash inside."""

import hashlib
import hmac
import secrets


def new_token() -> str:
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def derived(token: str, purpose: str) -> str:
    """A second secret that only the holder of the first (and we, when it is shown to us) can know."""
    return hmac.new(token.encode(), purpose.encode(), hashlib.sha256).hexdigest()


def same(left: str, right: str) -> bool:
    return hmac.compare_digest(left.encode(), right.encode())
