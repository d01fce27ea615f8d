"""The circuit breaker of one shop and one outside system. Pure; its state is a row, so that all processes share it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

BreakerState = Literal["closed", "open", "half_open"]

# A success is written again after this time, so that the office sees when a system last worked.
FRESH = timedelta(minutes=1)
# A probe that never ended, because its process died, is given up after this time.
PROBE = timedelta(seconds=90)


@dataclass(frozen=True, slots=True)
class OutsideCondition:
    """How the latest calls of one shop to one system went."""

    failures_in_a_row: int = 0
    last_success_at: datetime | None = None
    open_until: datetime | None = None
    probe_until: datetime | None = None


def breaker_state(condition: OutsideCondition, now: datetime) -> BreakerState:
    """`half_open`: one call may go out, to see whether the system works again."""
    if condition.open_until is None:
        return "closed"
    if now < condition.open_until or (condition.probe_until is not None and now < condition.probe_until):
        return "open"
    return "half_open"


def is_known_to_be_good(condition: OutsideCondition, now: datetime) -> bool:
    """Whether a further success changes nothing that anybody looks at, so that nothing has to be written."""
    return (
        condition.failures_in_a_row == 0
        and condition.open_until is None
        and condition.last_success_at is not None
        and now - condition.last_success_at < FRESH
    )
