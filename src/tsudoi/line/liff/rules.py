"""What can be seen of an ID token without asking LINE, who alone can check its signature. Pure."""

import base64
import binascii
import json
from datetime import datetime, timedelta
from typing import Any

from tsudoi.gateway.clients.line_outcomes import ISSUER

# LIFF apps get tokens with the first one, other log-ins with LINE the second.
_ALGORITHMS = ("ES256", "HS256")
# Our clock may be wrong by so much; LINE decides about what lies in between.
_TOLERANCE = timedelta(minutes=5)
_PARTS = 3


def is_worth_asking(token: str, channel_id: str | None, now: datetime) -> bool:
    """Whether LINE could accept the token: it has the form of one, and is for our channel and not over.

    A forged token can say the same, but garbage and the tokens of other channels never reach LINE.
    """
    parts = token.split(".")
    if len(parts) != _PARTS or not all(parts):
        return False
    header, claims = _json_part(parts[0]), _json_part(parts[1])
    ends: Any = claims.get("exp")
    return (
        _decoded(parts[2]) is not None
        and header.get("alg") in _ALGORITHMS
        and claims.get("iss") == ISSUER
        and bool(channel_id)
        and claims.get("aud") == channel_id
        and isinstance(claims.get("sub"), str)
        and type(ends) in (int, float)
        and ends > (now - _TOLERANCE).timestamp()
    )


def _json_part(part: str) -> dict[str, Any]:
    """Empty for anything that is no JSON object."""
    try:
        found = json.loads(_decoded(part) or b"")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _decoded(part: str) -> bytes | None:
    try:
        return base64.b64decode(part.encode("ascii") + b"=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        return None
