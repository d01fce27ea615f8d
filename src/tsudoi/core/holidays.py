"""The public holidays of Japan. Pure: the dates come from a table inside the `holidays` package."""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache


@lru_cache(maxsize=128)
def holidays_of(year: int) -> Mapping[str, str]:
    """The names of the holidays of a year by day: `{"2026-01-01": "元日", …}`."""
    # The package takes half a second to import, and only calendars need it.
    from holidays.countries.japan import Japan  # noqa: PLC0415

    return {day.isoformat(): name for day, name in Japan(years=year, language="ja").items()}


def holiday_name(day: str) -> str | None:
    return holidays_of(date.fromisoformat(day).year).get(day)
