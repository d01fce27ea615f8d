"""The one clock. Code never asks the operating system for the time; it is handed a clock, so that tests can move it."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Protocol

JST = timezone(timedelta(hours=9), "JST")


class NaiveDatetimeError(ValueError):
    """A datetime without an offset means nothing in a system that keeps both JST and UTC columns."""

    def __init__(self, value: datetime) -> None:
        super().__init__(f"datetime without an offset: {value.isoformat()}")
        self.value = value


class Clock(Protocol):
    def now(self) -> datetime: ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class ManualClock:
    """A clock that stands still until it is moved."""

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


def jst_text(value: datetime) -> str:
    """25 characters, always `+09:00`, so that text order is time order."""
    return aware(value).astimezone(JST).isoformat(timespec="seconds")


def jst_moment_text(value: datetime) -> str:
    """32 characters, `+09:00` and six decimals: where two things in one second must be told apart."""
    return aware(value).astimezone(JST).isoformat(timespec="microseconds")


def utc_text(value: datetime) -> str:
    """32 characters, always `+00:00` and six decimals, so that text order is time order."""
    return aware(value).astimezone(UTC).isoformat(timespec="microseconds")


def parse_text(value: str) -> datetime:
    return aware(datetime.fromisoformat(value))


def jst_date(value: datetime) -> str:
    return aware(value).astimezone(JST).strftime("%Y-%m-%d")


def display(value: datetime) -> str:
    """How every screen and message shows a moment to a person."""
    return aware(value).astimezone(JST).strftime("%Y/%m/%d %H:%M")
