"""The failures of reading a roster as values. The office reads their text, so it says what to do."""

from dataclasses import dataclass
from typing import Any

# A row's number as people see it, counted from 1, and its cells.
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
    """Google gave no usable response after all retries."""

    reason: str


@dataclass(frozen=True, slots=True)
class RowsMoved:
    """Somebody moved rows while they were being read."""

    reason: str


@dataclass(frozen=True, slots=True)
class BadFile:
    """A roster file cannot be opened, or has another format than expected."""

    reason: str


Failure = Denied | Missing | SheetsUnreachable | RowsMoved | BadFile


class SheetsError(Exception):
    """Carries a failure out of an iterator of rows, which cannot return it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure
