"""Identifiers of the shapes that Stripe uses."""

import secrets
import string

_LETTERS = string.ascii_letters + string.digits


def _random(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def new_session_id(*, livemode: bool) -> str:
    return f"cs_{'live' if livemode else 'test'}_a1{_random(58)}"


def new_payment_id(prefix: str) -> str:
    """Payment intents (`pi`), charges (`ch`) and refunds (`re`)."""
    return f"{prefix}_3{_random(23)}"


def new_event_id() -> str:
    return f"evt_1{_random(23)}"


def new_request_id() -> str:
    return f"req_{_random(14)}"


def new_secret(object_id: str) -> str:
    return f"{object_id}_secret_{_random(25)}"


def new_fragment() -> str:
    """The part of the address of a payment page that never reaches a server."""
    return f"fid{_random(80)}"
