"""Whether a link still leads to a customer, from what STORES said last. Pure."""

from typing import Literal

LinkState = Literal["valid", "broken", "unknown"]

_GONE = (403, 404, 410)
_FOUND = 200


def state_of(last_status: int | None) -> LinkState:
    if last_status == _FOUND:
        return "valid"
    return "broken" if last_status in _GONE else "unknown"
