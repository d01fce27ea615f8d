"""Clocks and time formats. Code takes the time from a `Clock` that it receives, so that tests can change the time."""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Literal, Protocol, TypeVar

# No time of ours is outside these years. Near the ends of the calendar a conversion or a step of a day fails.
KNOWN_YEARS = range(1900, 2200)
JST = timezone(timedelta(hours=9), "JST")
DateOrTime = TypeVar("DateOrTime", date, datetime)


class NaiveDatetimeError(ValueError):
    """A datetime has no offset. The product stores both JST and UTC, so such a value is ambiguous."""

    def __init__(self, value: datetime) -> None:
        super().__init__(f"datetime without an offset: {value.isoformat()}")
        self.value = value


def _elapsed() -> float:
    """Seconds on a clock that nobody can set. Where there is one, it counts the time that the machine sleeps too."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


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


# Clocks of machines that are set by NTP differ by less, and so do transactions that waited for each other.
TOLERATED = timedelta(minutes=1)
# After its clock jumped, a sender waits so long before it takes the new time for right. NTP sets a clock once after a
# start; a clock that was wrong is usually set back sooner.
SETTLES_AFTER = timedelta(minutes=10)
# What the clock of a sender is compared with. SQLite has no clock of its own: there it is the time at which the worker
# was last alive, which can only be in the past.
DATABASE_TIME = {
    "postgresql": """SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '+00:00'""",
    "sqlite": "SELECT at FROM heartbeats WHERE name = 'worker:clockwork'",
}


class WrongClock(Exception):
    """The clock of this machine cannot be right. A process that sent by it would send too early, or too late.

    The message says by how much, in both languages.
    """

    def __init__(self, ahead: timedelta, than: Literal["database", "before"]) -> None:
        self.ahead = ahead
        seconds = round(ahead.total_seconds())
        whose = {
            "database": ("データベースの時計と", "from the database's clock"),
            "before": ("少し前までと", "from what it was a moment ago"),
        }[than]
        super().__init__(
            f"この機械の時計が、{whose[0]} {seconds:+d} 秒違います。何も送りません [WRONG_CLOCK]\n"
            f"The clock of this machine differs by {seconds:+d} s {whose[1]}; nothing is sent.\n"
            "→ 時刻合わせ（NTP）を有効にしてください / turn on NTP: timedatectl set-ntp true"
        )


def require_right_clock(now: datetime, database_time: str | None, dialect: str) -> None:
    """Compare a sender's clock with what `DATABASE_TIME` found. Raises `WrongClock`."""
    if database_time is None:
        return
    ahead = now - parse_text(database_time)
    # On SQLite the worker may have been down for days.
    if ahead < -TOLERATED or (dialect == "postgresql" and ahead > TOLERATED):
        raise WrongClock(ahead, "database")


class ClockWatch:
    """Sees the clock of the machine jump while a process runs, by the clock that nobody can set."""

    def __init__(self, clock: Clock, elapsed: Callable[[], float] = _elapsed) -> None:
        self._clock, self._elapsed = clock, elapsed
        self._since = clock.now() - timedelta(seconds=elapsed())
        self._jumped_at: float | None = None

    def require_no_jump(self) -> None:
        """Raises `WrongClock` for some time after a jump, unless the clock is set back before."""
        elapsed = self._elapsed()
        jump = self._clock.now() - timedelta(seconds=elapsed) - self._since
        if abs(jump) <= TOLERATED:
            # Small steps add up over months.
            self._since, self._jumped_at = self._since + jump, None
            return
        if self._jumped_at is None:
            self._jumped_at = elapsed
        if elapsed - self._jumped_at >= SETTLES_AFTER.total_seconds():
            self._since, self._jumped_at = self._since + jump, None
            return
        raise WrongClock(jump, "before")


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
