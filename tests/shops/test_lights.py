from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import NOON
from tsudoi.gateway.api_comm.breaker import OutsideCondition
from tsudoi.shops.overview.rules import UNCALLED, SystemState, light_of

BEFORE, LATER = NOON - timedelta(minutes=5), NOON + timedelta(seconds=20)


def state(failed: Any = None, **condition: Any) -> SystemState:
    return SystemState(OutsideCondition(**condition), failed, None)


@pytest.mark.parametrize(
    ("found", "light"),
    [
        (UNCALLED, "unknown"),
        (state(last_success_at=BEFORE), "ok"),
        (state(failed=BEFORE, last_success_at=NOON), "ok"),
        (state(failed=NOON, last_success_at=BEFORE), "warn"),
        (state(failed=NOON), "warn"),
        (state(failed=NOON, failures_in_a_row=2), "warn"),
        (state(failed=NOON, failures_in_a_row=3), "fail"),
        (state(failed=NOON, failures_in_a_row=1, open_until=LATER), "fail"),
        (state(failed=BEFORE, failures_in_a_row=1, open_until=BEFORE), "fail"),
    ],
)
def test_the_light_of_a_system(found: SystemState, light: str) -> None:
    assert light_of("stores", found, NOON) == light
    assert light_of("remotelock", found, NOON) == "stub"
