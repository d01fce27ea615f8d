"""The ids and hashes of refresh tokens, and from where staff may log in. Pure."""

import hashlib
import hmac
import ipaddress
from collections.abc import Sequence
from datetime import timedelta

# A response can be lost, and two tabs can refresh at the same time. Within this time the same successor is given again.
GRACE = timedelta(seconds=10)


def stored_hash(secret: str, token_id: str) -> str:
    """What the database keeps of a refresh token. The id is random, so one quick hash is enough."""
    return _hmac(secret, f"stored:{token_id}")


def successor_id(secret: str, token_id: str) -> str:
    """The id of the next token is derived from this one, so that a repeated refresh gives the same token again."""
    return _hmac(secret, f"successor:{token_id}")


def is_allowed_network(address: str, networks: Sequence[str]) -> bool:
    """Whether the address lies in one of the networks; without networks every address is allowed."""
    if not networks:
        return True
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return any((mapped or found) in ipaddress.ip_network(network, strict=False) for network in networks)


def _hmac(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()
