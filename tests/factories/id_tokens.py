"""ID tokens as a forger would write them: they say all the right things, and only LINE can see what they are."""

import base64
import json
from datetime import timedelta
from itertools import count
from typing import Any

from tests.conftest import NOON
from tests.factories.product import LOGIN_CHANNEL

_numbers = count()


def forged_token(alg: str = "ES256", **claims: Any) -> str:
    """Each one is another. A claim that is None is left out."""
    good = {
        "iss": "https://access.line.me",
        "aud": LOGIN_CHANNEL,
        "sub": "U" + "1" * 32,
        "exp": round((NOON + timedelta(hours=1)).timestamp()),
        "iat": next(_numbers),
    }
    said = {name: value for name, value in {**good, **claims}.items() if value is not None}
    return ".".join((encoded({"alg": alg, "typ": "JWT", "kid": "k"}), encoded(said), "c2lnbmF0dXJl"))


def encoded(part: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
