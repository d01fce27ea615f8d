"""Is this an event? Every wrong field is named at once, so that nobody mends a form ten times. Pure."""

from collections.abc import Mapping
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
FIELDS = (
    "title", "held_at", "body", "extra_text_enabled", "extra_text_label", "extra_text_attend_only",
    "target_member_ids", "confirm_over_quota",
)  # fmt: skip
_FLAGS = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False, "": False}
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


def read_draft(given: Mapping[str, object], now: datetime) -> tuple[Draft | None, list[Detail]]:
    """The draft, or what is wrong with it. Values may be those of a form (text) or of JSON."""
    faults: list[Detail] = [Detail(name, "UNKNOWN_FIELD") for name in given if name not in FIELDS]

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


def read_changes(given: Mapping[str, object], now: datetime) -> tuple[dict[str, Any], list[Detail]]:
    """The fields of an event that may change afterwards, of those that were sent."""
    changes: dict[str, Any] = {}
    faults: list[Detail] = []
    readers: dict[str, Any] = {"title": title_of, "held_at": lambda value: held_at_of(value, now), "body": body_of}
    for name in given:
        try:
            changes[name] = readers[name](given[name])
        except Wrong as wrong:
            faults.append(Detail(name, wrong.reason))
    return changes, faults


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
    if value is None:
        return default
    if isinstance(value, bool):
        return value
    flag = _FLAGS.get(value.strip().lower()) if isinstance(value, str) else None
    if flag is None:
        raise Wrong("INVALID_FORMAT")
    return flag


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
