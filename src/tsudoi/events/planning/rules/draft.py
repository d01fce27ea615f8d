"""Is this an event? Every wrong field is named at once, so that nobody mends a form ten times. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from tsudoi.core.clock import JST
from tsudoi.core.errors import Detail
from tsudoi.events.event.rules import (
    DEFAULT_BODY,
    DEFAULT_LABEL,
    FARTHEST,
    LONGEST_BODY,
    LONGEST_LABEL,
    LONGEST_TITLE,
    ExtraText,
)
from tsudoi.roster.members.rules import is_unseen

MOST_TARGETS = 100_000
LARGEST_ID = 2**53
# The ids of as many as can be asked, each as long as an id can be, written as JSON: `[1, 2]`.
LONGEST_IDS = MOST_TARGETS * len(f"{LARGEST_ID}, ") + len("[]")
LARGEST_SEQUENCE = 2**31
# Somebody who sends thousands of them learns no more from the others' names.
MOST_UNKNOWN = 50
FIELDS = (
    "title", "held_at", "body", "extra_text_enabled", "extra_text_label", "extra_text_attend_only",
    "target_member_ids", "confirm_over_quota",
)  # fmt: skip
_FLAGS = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}
_FIRST_PRINTABLE, _DELETE, _LAST_CONTROL = 0x20, 0x7F, 0x9F


class Wrong(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Draft:
    title: str
    held_at: datetime
    body: str
    extra_text: ExtraText
    target_member_ids: tuple[int, ...]
    confirm_over_quota: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """`values`: the fields of the event that were sent. `sequence`: which version the office saw, if it says so."""

    values: dict[str, Any]
    notify: bool = False
    sequence: int | None = None
    confirm_over_quota: bool = False


def read_draft(given: Mapping[str, object], now: datetime) -> tuple[Draft | None, list[Detail]]:
    """The draft, or what is wrong with it. Values may be those of a form (text) or of JSON."""
    faults = _unknown_fields(given, FIELDS)

    def read(name: str, reader: Any, *more: Any) -> Any:
        try:
            return reader(given.get(name), *more)
        except Wrong as wrong:
            faults.append(Detail(name, wrong.reason))
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
    """What is to change of an event, and how; or what is wrong with it. Nothing to change is wrong too."""
    readers: dict[str, Any] = {"title": title_of, "held_at": lambda value: held_at_of(value, now), "body": body_of}
    options: dict[str, Any] = {"notify": said_flag, "sequence": sequence_of, "confirm_over_quota": said_flag}
    known = readers | options
    read: dict[str, Any] = {}
    faults = _unknown_fields(given, known)
    for name in (name for name in known if name in given):
        try:
            read[name] = known[name](given[name])
        except Wrong as wrong:
            faults.append(Detail(name, wrong.reason))
    if not given.keys() & readers.keys():
        faults.append(Detail("title", "REQUIRED"))
    if faults:
        return None, faults
    values = {name: read.pop(name) for name in readers if name in read}
    return Changes(values, **read), []


def title_of(value: object) -> str:
    text = _line(value).strip()
    if is_unseen(text):
        raise Wrong("REQUIRED")
    return _at_most(text, LONGEST_TITLE)


def held_at_of(value: object, now: datetime) -> datetime:
    text = _line(value).strip()
    if not text:
        raise Wrong("REQUIRED")
    try:
        # A `+` that travelled through a form without being escaped arrives as a space.
        moment = datetime.fromisoformat(text.replace(" ", "+") if "T" in text else text)
        if moment.utcoffset() is None:
            raise Wrong("INVALID_FORMAT")
        moment = moment.astimezone(JST).replace(microsecond=0)
    except (ValueError, OverflowError) as error:
        raise Wrong("INVALID_FORMAT") from error
    if moment < now.replace(second=0, microsecond=0):
        raise Wrong("PAST_DATE")
    if moment > now + FARTHEST:
        raise Wrong("TOO_FAR")
    return moment


def body_of(value: object) -> str:
    """Left out or null: the usual words. Emptied: nothing but the link, but not by letters that nobody sees."""
    if value is None:
        return DEFAULT_BODY
    text = _text(value).replace("\r\n", "\n").replace("\r", "\n").strip()
    if any(_is_control(character) for character in text if character not in "\n\t"):
        raise Wrong("INVALID_CHARACTER")
    if text and is_unseen(text):
        raise Wrong("EMPTY")
    return _at_most(text, LONGEST_BODY)


def label_of(value: object) -> str:
    text = DEFAULT_LABEL if value is None else _line(value).strip()
    return _at_most(DEFAULT_LABEL if is_unseen(text) else text, LONGEST_LABEL)


def flag_of(value: object, default: bool) -> bool:
    """A form's field that was left empty says nothing, as one that was left out."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return default
    if isinstance(value, bool):
        return value
    flag = _FLAGS.get(value.strip().lower()) if isinstance(value, str) else None
    if flag is None:
        raise Wrong("INVALID_FORMAT")
    return flag


def said_flag(value: object) -> bool:
    if value is None:
        raise Wrong("INVALID_FORMAT")
    return flag_of(value, default=False)


def sequence_of(value: object) -> int | None:
    if value is None:
        return None
    if type(value) is not int:
        raise Wrong("INVALID_FORMAT")
    if not 0 <= value <= LARGEST_SEQUENCE:
        raise Wrong("TOO_SMALL" if value < 0 else "TOO_LARGE")
    return value


def readable_ids(value: object) -> tuple[int, ...]:
    """Who is asked, if that much can be read; that it cannot is among the draft's own faults."""
    try:
        return ids_of(value)
    except Wrong:
        return ()


def ids_of(value: object) -> tuple[int, ...]:
    """Each once, in the order given."""
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError as error:
            raise Wrong("INVALID_FORMAT") from error
    if value is None or value == []:
        raise Wrong("REQUIRED")
    if not isinstance(value, list) or not all(type(one) is int and 0 < one <= LARGEST_ID for one in value):
        raise Wrong("INVALID_FORMAT")
    if len(value) > MOST_TARGETS:
        raise Wrong("TOO_MANY")
    return tuple(dict.fromkeys(value))


def _unknown_fields(given: Mapping[str, object], known: Collection[str]) -> list[Detail]:
    return [Detail(name, "UNKNOWN_FIELD") for name in given if name not in known][:MOST_UNKNOWN]


def _line(value: object) -> str:
    text = _text(value) if value is not None else ""
    if any(_is_control(character) for character in text):
        raise Wrong("INVALID_CHARACTER")
    return text


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Wrong("INVALID_FORMAT")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise Wrong("INVALID_CHARACTER")
    return value


def _is_control(character: str) -> bool:
    """The second block of controls is what a text of an old Japanese encoding turns into."""
    return ord(character) < _FIRST_PRINTABLE or _DELETE <= ord(character) <= _LAST_CONTROL


def _at_most(text: str, longest: int) -> str:
    if len(text) > longest:
        raise Wrong("TOO_LONG")
    return text
