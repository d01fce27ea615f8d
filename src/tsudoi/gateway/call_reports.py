"""What each call says about the system that it went to: whether it works, or is out for everybody.

The clients report every call here, and one listener counts (`tsudoi.alarms.outages`). A refusal of one recipient, one
card or one question is no outage: the system has answered. What says nothing about the system is not reported at all:
a limit that is reached, a wait that we broke off after a moment ourselves, and what a restored copy does not send.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

import structlog

_log = structlog.stdlib.get_logger(__name__)

# As the lights of the console name them.
WatchedSystem = Literal["email", "line", "stripe", "models"]

# By the target of a call. The two kinds of models stand in for each other, so that they are one system.
_SYSTEMS: dict[str, WatchedSystem] = {"line": "line", "stripe": "stripe", "gemini": "models", "openai": "models"}
# They say that our own key is not accepted, or that the model does not exist: nobody can use the system.
_REFUSES_US: dict[WatchedSystem, frozenset[int]] = {
    "line": frozenset({401}),
    "stripe": frozenset({401}),
    "models": frozenset({401, 403, 404}),
}
# Gemini says so with status 400, as to a question that it does not understand.
_GEMINI_REFUSES_KEY = (b"API_KEY_INVALID", b"API key not valid")
# LINE answers so to an ID token of one person.
_ABOUT_ONE_PERSON = frozenset({("line", "verify")})
_HTTP_BAD_REQUEST, _HTTP_TOO_MANY, _HTTP_SERVER_ERROR = 400, 429, 500
# These are our own: a busy pool, a request that could not be built, an answer that is too large for us.
_OUR_OWN = frozenset({"PoolTimeout", "LocalProtocolError", "UnsupportedProtocol", "ResponseTooLarge", "SEND_NOTHING"})
# Somebody who waits less than this says nothing about a system that is only slow.
_LEAST_PATIENCE = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class CallReport:
    """One call to a watched system. `reason` is a code without personal data; None where the system works."""

    system: WatchedSystem
    reason: str | None = None

    @property
    def works(self) -> bool:
        return self.reason is None


class CallReports:
    """Where the clients report. Without a listener, as in `tsudoi doctor`, nobody counts."""

    def __init__(self) -> None:
        self.listener: Callable[[CallReport], None] | None = None

    def tell(self, report: CallReport | None) -> None:
        """Never raises: what becomes of a report must not change the outcome of the call."""
        if report is None or self.listener is None:
            return
        try:
            self.listener(report)
        except Exception:  # noqa: BLE001 (see above)
            _log.exception("call_report_lost", system=report.system)


def report_of_answer(target: str, operation: str, status: int, body: bytes) -> CallReport | None:
    """None: it says nothing about the system."""
    system = _SYSTEMS.get(target)
    if system is None or status == _HTTP_TOO_MANY:
        return None
    refuses_us = status in _REFUSES_US[system] and (target, operation) not in _ABOUT_ONE_PERSON
    if status == _HTTP_BAD_REQUEST and target == "gemini":
        refuses_us = any(words in body for words in _GEMINI_REFUSES_KEY)
    return CallReport(system, f"status_{status}" if status >= _HTTP_SERVER_ERROR or refuses_us else None)


def report_of_silence(target: str, reason: str, patience: timedelta) -> CallReport | None:
    """There was no answer. None: that says nothing about the system."""
    system = _SYSTEMS.get(target)
    if system is None or reason in _OUR_OWN or (patience < _LEAST_PATIENCE and "Timeout" in reason):
        return None
    return CallReport(system, "no_answer")
