"""Checks the fields of an event. All wrong fields are reported at once. Pure."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from tsudoi.core.clock import JST
from tsudoi.core.errors import Detail
from tsudoi.core.names import is_unseen
from tsudoi.events.event.rules import (
    DEFAULT_BODY,
    DEFAULT_LABEL,
    FARTHEST,
    LONGEST_BODY,
    LONGEST_LABEL,
    LONGEST_TITLE,
    ExtraText,
)

MOST_TARGETS = 100_000
LARGEST_ID = 2**53
# The length of the longest list of member ids as JSON: `[1, 2]`.
LONGEST_IDS = MOST_TARGETS * len(f"{LARGEST_ID}, ") + len("[]")
LARGEST_SEQUENCE = 2**31
# How many unknown fields are named at most.
MOST_UNKNOWN = 50
FIELDS = (
    "title", "held_at", "body", "extra_text_enabled", "extra_text_label", "extra_text_attend_only",
    "target_member_ids", "confirm_over_quota",
)  # fmt: skip
_FLAGS = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}
# The second block of control characters appears when text of an old Japanese encoding is decoded wrongly.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CONTROL_IN_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class InvalidField(Exception):
    """A field has a value that is not allowed. `reason` is the code for the client."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Draft:
    """The checked fields of a new event."""

    title: str
    held_at: datetime
    body: str
    extra_text: ExtraText
    target_member_ids: tuple[int, ...]
    confirm_over_quota: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """The checked fields of a change. `values`: the new values. `sequence`: the version that the office saw."""

    values: dict[str, Any]
    notify: bool = False
    sequence: int | None = None
    confirm_over_quota: bool = False


def read_draft(given: Mapping[str, object], now: datetime) -> tuple[Draft | None, list[Detail]]:
    """The draft, or its faults. The values come from a form (text) or from JSON."""
    faults = _unknown_fields(given, FIELDS)

    def read(name: str, reader: Any, *more: Any) -> Any:
        try:
            return reader(given.get(name), *more)
        except InvalidField as invalid:
            faults.append(Detail(name, invalid.reason))
            return None

    title, held_at, body = read("title", title_of), read("held_at", held_at_of, now), read("body", body_of)
    enabled = read("extra_text_enabled", flag_of, False)
    label = read("extra_text_label", label_of)
    attend_only = read("extra_text_attend_only", flag_of, True)
    target_ids = read("target_member_ids", ids_of)
    confirmed = read("confirm_over_quota", flag_of, False)
    if faults:
        return None, faults
    return Draft(title, held_at, body, ExtraText(enabled, label, attend_only), target_ids, confirmed), []


def read_changes(given: Mapping[str, object], now: datetime) -> tuple[Changes | None, list[Detail]]:
    """The changes, or their faults. It is a fault if no field is to change."""
    readers: dict[str, Any] = {"title": title_of, "held_at": lambda value: held_at_of(value, now), "body": body_of}
    options: dict[str, Any] = {"notify": required_flag, "sequence": sequence_of, "confirm_over_quota": required_flag}
    known = readers | options
    read: dict[str, Any] = {}
    faults = _unknown_fields(given, known)
    for name in (name for name in known if name in given):
        try:
            read[name] = known[name](given[name])
        except InvalidField as invalid:
            faults.append(Detail(name, invalid.reason))
    if not given.keys() & readers.keys():
        faults.append(Detail("title", "REQUIRED"))
    if faults:
        return None, faults
    values = {name: read.pop(name) for name in readers if name in read}
    return Changes(values, **read), []


def title_of(value: object) -> str:
    text = _line(value).strip()
    if is_unseen(text):
        raise InvalidField("REQUIRED")
    return _at_most(text, LONGEST_TITLE)


def held_at_of(value: object, now: datetime) -> datetime:
    text = _line(value).strip()
    if not text:
        raise InvalidField("REQUIRED")
    try:
        # A `+` that a form did not escape arrives as a space.
        moment = datetime.fromisoformat(text.replace(" ", "+") if "T" in text else text)
        if moment.utcoffset() is None:
            raise InvalidField("INVALID_FORMAT")
        moment = moment.astimezone(JST).replace(microsecond=0)
    except (ValueError, OverflowError) as error:
        raise InvalidField("INVALID_FORMAT") from error
    if moment < now.replace(second=0, microsecond=0):
        raise InvalidField("PAST_DATE")
    if moment > now + FARTHEST:
        raise InvalidField("TOO_FAR")
    return moment


def body_of(value: object) -> str:
    """None gives the default text. An empty text is allowed; one of invisible characters only is not."""
    if value is None:
        return DEFAULT_BODY
    text = _text(value).replace("\r\n", "\n").replace("\r", "\n").strip()
    if _CONTROL_IN_LINES.search(text):
        raise InvalidField("INVALID_CHARACTER")
    if text and is_unseen(text):
        raise InvalidField("EMPTY")
    return _at_most(text, LONGEST_BODY)


def label_of(value: object) -> str:
    text = DEFAULT_LABEL if value is None else _line(value).strip()
    return _at_most(DEFAULT_LABEL if is_unseen(text) else text, LONGEST_LABEL)


def flag_of(value: object, default: bool) -> bool:
    """An empty form field gives the default, as a missing one does."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return default
    if isinstance(value, bool):
        return value
    flag = _FLAGS.get(value.strip().lower()) if isinstance(value, str) else None
    if flag is None:
        raise InvalidField("INVALID_FORMAT")
    return flag


def required_flag(value: object) -> bool:
    if value is None:
        raise InvalidField("INVALID_FORMAT")
    return flag_of(value, default=False)


def sequence_of(value: object) -> int | None:
    if value is None:
        return None
    if type(value) is not int:
        raise InvalidField("INVALID_FORMAT")
    if not 0 <= value <= LARGEST_SEQUENCE:
        raise InvalidField("TOO_SMALL" if value < 0 else "TOO_LARGE")
    return value


def readable_ids(value: object) -> tuple[int, ...]:
    """The target ids, or none if they are invalid, which `read_draft` reports."""
    try:
        return ids_of(value)
    except InvalidField:
        return ()


def ids_of(value: object) -> tuple[int, ...]:
    """The ids without repetitions, in the order given."""
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError as error:
            raise InvalidField("INVALID_FORMAT") from error
    if value is None or value == []:
        raise InvalidField("REQUIRED")
    if not isinstance(value, list) or not all(type(one) is int and 0 < one <= LARGEST_ID for one in value):
        raise InvalidField("INVALID_FORMAT")
    if len(value) > MOST_TARGETS:
        raise InvalidField("TOO_MANY")
    return tuple(dict.fromkeys(value))


def _unknown_fields(given: Mapping[str, object], known: Collection[str]) -> list[Detail]:
    return [Detail(name, "UNKNOWN_FIELD") for name in given if name not in known][:MOST_UNKNOWN]


def _line(value: object) -> str:
    text = _text(value) if value is not None else ""
    if _CONTROL.search(text):
        raise InvalidField("INVALID_CHARACTER")
    return text


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidField("INVALID_FORMAT")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise InvalidField("INVALID_CHARACTER")
    return value


def _at_most(text: str, longest: int) -> str:
    if len(text) > longest:
        raise InvalidField("TOO_LONG")
    return text
