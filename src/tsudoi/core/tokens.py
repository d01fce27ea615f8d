"""Random tokens of 256 bits. The client has the token; the database has only its hash."""

import hashlib
import hmac
import secrets


def new_token() -> str:
    return secrets.token_urlsafe(32)


def random_groups(alphabet: str, groups: int, length: int) -> str:
    """A secret that people read and type: groups of letters with hyphens between them."""
    return "-".join("".join(secrets.choice(alphabet) for _ in range(length)) for _ in range(groups))


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def derived(token: str, purpose: str) -> str:
    """Derive a second secret from a token. Only the owner of the token can know it."""
    return hmac.new(token.encode(), purpose.encode(), hashlib.sha256).hexdigest()


def same(left: str, right: str) -> bool:
    return hmac.compare_digest(left.encode(), right.encode())
