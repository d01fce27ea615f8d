"""The guarded call: it checks that LINE may still be called, and turns every exception into an outcome."""

from collections.abc import Callable
from datetime import datetime

import structlog

from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import SendOutcome, Unknown
from tsudoi.line.delivery.rules import CalledOff

_log = structlog.stdlib.get_logger(__name__)


def guarded_call(
    runtime: Runtime, call: Callable[[LineClient], SendOutcome], *, lease_until: datetime, called_off: str | None = None
) -> SendOutcome | CalledOff | None:
    """Call LINE once and return the outcome; never raises. None: LINE was not called, the row can be given back.

    LINE is not called when the process stops, nor after the lease ran out: if this thread slept, perhaps for longer
    than LINE remembers a retry key, the row may be another worker's by now. `called_off`: the reason why the message
    must not go out any more.
    """
    if runtime.stopping.is_set() or runtime.db.clock.now() >= lease_until:
        return None
    if called_off is not None:
        return CalledOff(called_off)
    try:
        return call(runtime.part(LineClient))
    except Exception as unexpected:  # noqa: BLE001 (how far the call got is not known, and that is the outcome)
        _log.exception("line_call_failed")
        return Unknown(type(unexpected).__name__, maybe_sent=True)
