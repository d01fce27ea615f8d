"""An event is over at midnight in Japan, whatever the hour at which it began."""

from datetime import datetime

import pytest

from tsudoi.events.event.rules import first_not_over, is_over

HELD = {
    "in the evening": "2025-09-10T19:00:00+09:00",
    "at midnight": "2025-09-10T00:00:00+09:00",
    "in the last second": "2025-09-10T23:59:59+09:00",
    "told in UTC": "2025-09-09T20:00:00+00:00",
}


@pytest.mark.parametrize("held_at", HELD.values(), ids=HELD)
@pytest.mark.parametrize(
    ("now", "over"),
    [
        ("2025-09-09T14:59:59+00:00", False),
        ("2025-09-10T23:59:59.999999+09:00", False),
        ("2025-09-11T00:00:00+09:00", True),
        ("2025-09-10T15:00:00+00:00", True),
        ("2025-09-12T00:00:00+09:00", True),
    ],
)
def test_is_over_when_its_day_is(held_at: str, now: str, over: bool) -> None:
    held, moment = datetime.fromisoformat(held_at), datetime.fromisoformat(now)
    assert is_over(held, moment) is over
    assert (held < first_not_over(moment)) is over, "the query says the same"
