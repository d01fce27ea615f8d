"""How the state of an outside system is shown. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tsudoi.gateway.api_comm.breaker import BreakerState, OutsideCondition, breaker_state

Light = Literal["ok", "warn", "fail", "unknown", "stub"]

# Systems that belong to no shop, in the order of the screen.
SHARED_SYSTEMS = ("chatwork", "sms", "email", "line", "openai", "remotelock")
# They are shown from their first failure on: nothing is written while they work.
SHOWN_AFTER_FAILURE = ("stripe", "models")
# Its answers are fixed, and nothing is called.
STUB = "remotelock"
# As many failures in a row raise an alarm.
ALARMING = 3


@dataclass(frozen=True, slots=True)
class SystemState:
    """How the latest calls to an outside system went."""

    condition: OutsideCondition
    last_failure_at: datetime | None
    last_error: str | None


# Of a system that was never called.
UNCALLED = SystemState(OutsideCondition(), None, None)


def breaker_of(state: SystemState, now: datetime) -> BreakerState:
    return breaker_state(state.condition, now)


def light_of(system: str, state: SystemState, now: datetime) -> Light:
    if system == STUB:
        return "stub"
    condition = state.condition
    if condition.last_success_at is None and state.last_failure_at is None:
        return "unknown"
    if breaker_of(state, now) != "closed" or condition.failures_in_a_row >= ALARMING:
        return "fail"
    return "warn" if condition.failures_in_a_row or _failed_last(state) else "ok"


def _failed_last(state: SystemState) -> bool:
    """A channel of alarms counts no failures in a row, but its last attempt may have failed."""
    succeeded = state.condition.last_success_at
    return state.last_failure_at is not None and (succeeded is None or state.last_failure_at > succeeded)
