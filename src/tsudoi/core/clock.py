"""Clocks and time formats. Code takes the time from a `Clock` that it receives, so that tests can change the time."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Protocol, TypeVar

# No time of ours is outside these years. Near the ends of the calendar a conversion or a step of a day fails.
KNOWN_YEARS = range(1900, 2200)
JST = timezone(timedelta(hours=9), "JST")
DateOrTime = TypeVar("DateOrTime", date, datetime)


class NaiveDatetimeError(ValueError):
    """A datetime has no offset. The product stores both JST and UTC, so such a value is ambiguous."""

    def __init__(self, value: datetime) -> None:
        super().__init__(f"datetime without an offset: {value.isoformat()}")
        self.value = value


class Clock(Protocol):
    """Anything that tells the current time, with an offset."""

    def now(self) -> datetime: ...


class SystemClock:
    """The clock of the operating system."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class ManualClock:
    """A clock for tests: its time changes only by `advance`."""

    def __init__(self, start: datetime) -> None:
        self._now = aware(start)

    def now(self) -> datetime:
        return self._now

    def advance(self, delta: timedelta) -> None:
        self._now += delta


def aware(value: datetime) -> datetime:
    if value.utcoffset() is None:
        raise NaiveDatetimeError(value)
    return value


def in_known_years(value: DateOrTime) -> DateOrTime:
    """Raises `ValueError` for a day or a time that nobody means, such as one of the year 1 or 9999."""
    if value.year not in KNOWN_YEARS:
        raise ValueError(f"not in the years {KNOWN_YEARS.start} to {KNOWN_YEARS.stop - 1}")
    return value


def jst_text(value: datetime) -> str:
    """25 characters, always `+09:00`, so that text order is time order."""
    return aware(value).astimezone(JST).isoformat(timespec="seconds")


def jst_moment_text(value: datetime) -> str:
    """32 characters, `+09:00` and six decimals, for times within one second that must differ."""
    return aware(value).astimezone(JST).isoformat(timespec="microseconds")


def utc_text(value: datetime) -> str:
    """32 characters, always `+00:00` and six decimals, so that text order is time order."""
    return aware(value).astimezone(UTC).isoformat(timespec="microseconds")


def parse_text(value: str) -> datetime:
    return aware(datetime.fromisoformat(value))


def parse_utc(value: str) -> datetime:
    """A time that was written by hand without an offset, such as with SQLite's `datetime('now')`, is UTC."""
    found = datetime.fromisoformat(value)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def jst_date(value: datetime) -> str:
    return aware(value).astimezone(JST).strftime("%Y-%m-%d")


def jst_day_begin(value: datetime) -> datetime:
    """When the Japanese day of this moment began."""
    return aware(value).astimezone(JST).replace(hour=0, minute=0, second=0, microsecond=0)


def display(value: datetime) -> str:
    """The format in which every screen and message shows a time."""
    return aware(value).astimezone(JST).strftime("%Y/%m/%d %H:%M")
