"""What Google Sheets said, as values. Their text says in words what to do, because an office reads it."""

from dataclasses import dataclass
from typing import Any

# A row's number as people see it, counted from 1, and its cells as they stand there.
NumberedRow = tuple[int, list[Any]]


@dataclass(frozen=True, slots=True)
class Denied:
    """The key is not accepted, or the sheet is not shared with the service account."""

    reason: str


@dataclass(frozen=True, slots=True)
class Missing:
    """No such spreadsheet, or no sheet of that name in it."""

    reason: str


@dataclass(frozen=True, slots=True)
class SheetsUnreachable:
    """Google could not be asked, or did not answer sensibly, after all retries."""

    reason: str


@dataclass(frozen=True, slots=True)
class RowsMoved:
    """Somebody moved rows while they were being read."""

    reason: str


@dataclass(frozen=True, slots=True)
class BadFile:
    """A roster file that cannot be opened, or that is not what it seems."""

    reason: str


Failure = Denied | Missing | SheetsUnreachable | RowsMoved | BadFile


class SheetsError(Exception):
    """Rows come one after another, so a failure on the way can only be raised; it carries the same value."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure
