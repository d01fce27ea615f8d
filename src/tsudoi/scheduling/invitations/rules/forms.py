"""The form of the page, as a browser sends it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.scheduling.thread.rules.texts import LONGEST_COMMENT

# The names of the controls. Each slot has the group `slot-<id>` with `yes`, `maybe` and `no`; where one slot is allowed
# there is one group, `slot`, with the ids. `offered` lists the slots that the person saw.
SLOT_PREFIX, ONE_SLOT, OFFERED = "slot-", "slot", "offered"
# Sent by the page that has asked whether the slots without a mark are to become ×.
CONFIRMED = "confirm_unchosen"
_MOST_FIELDS = 300
_COMMENT_IS_WRONG = {
    "TOO_LONG": f"ひとことは{LONGEST_COMMENT}文字までで書いてください。",
    "CONTROL_CHARACTER": "ひとことに使えない文字が入っています。書き直してください。",
}


def form_fields(content: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(content.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise InvalidInput(details=[Detail("body", "INVALID_FORMAT")]) from error


def answer_of(fields: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The same answer as JSON. × for every slot is the same as "I cannot come"; an unanswered slot is not."""
    given, marks = dict(fields), _marks(fields)
    yes = [slot_id for slot_id, mark in marks.items() if mark == "yes"]
    maybe = [slot_id for slot_id, mark in marks.items() if mark == "maybe"]
    comment = given.get("comment", "")
    if given.get("status") == "declined" or _all_refused(fields, marks):
        return {"status": "declined", "comment": comment}
    return {"status": "selected", "selected_slot_ids": yes, "maybe_slot_ids": maybe, "comment": comment}


def unchosen_slots(fields: Sequence[tuple[str, str]]) -> list[str]:
    """The slots that would become × although the person has perhaps not seen them; asked about once.

    Empty where somebody declines, or where the answer is refused anyway: then there is something else to say first.
    """
    given, marks, offered = dict(fields), _marks(fields), _offered(fields)
    chosen = {slot_id for slot_id, mark in marks.items() if mark in ("yes", "maybe")}
    declines = given.get("status") == "declined" or not chosen
    is_wrong = not chosen <= set(offered) or len(given.get("comment", "")) > LONGEST_COMMENT
    if declines or is_wrong or given.get(CONFIRMED) == "1":
        return []
    return [slot_id for slot_id in offered if slot_id not in marks]


def _marks(fields: Sequence[tuple[str, str]]) -> dict[str, str]:
    marks = {name.removeprefix(SLOT_PREFIX): value for name, value in fields if name.startswith(SLOT_PREFIX)}
    one = dict(fields).get(ONE_SLOT)
    return marks if one is None else {**marks, one: "yes"}


def _offered(fields: Sequence[tuple[str, str]]) -> list[str]:
    return [value for name, value in fields if name == OFFERED]


def late_answer_of(fields: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The form after a decision: two buttons, `coming` with `yes` or `no`, and the comment."""
    given = dict(fields)
    coming = {"yes": True, "no": False}.get(given.get("coming", ""))
    if coming is None:
        raise InvalidInput("「参加する」か「参加しない」を押してください。", [Detail("coming", "REQUIRED")])
    return {"coming": coming, "comment": given.get("comment", "")}


def _all_refused(fields: Sequence[tuple[str, str]], marks: dict[str, str]) -> bool:
    offered = _offered(fields)
    return bool(offered) and all(marks.get(slot_id) == "no" for slot_id in offered)


@dataclass(frozen=True, slots=True)
class FormState:
    """What the form shows: the ticks, the comment, and what is wrong, by slot id or `slots` or `comment`."""

    marks: Mapping[str, str]
    comment: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)
    # The slots without a mark, where the page asks whether they are to become ×.
    unchosen: Sequence[str] = ()


def typed_form(fields: Sequence[tuple[str, str]], details: Sequence[Detail], message: str) -> FormState:
    """What somebody typed, so that nothing has to be typed again, with the error at its field."""
    given, marks = dict(fields), _marks(fields)
    wrong = {_place(detail.field, answer_of(fields)): _words(detail, message) for detail in details}
    return FormState(marks, given.get("comment", ""), wrong or {"slots": message})


def _place(field: str, answer: Mapping[str, Any]) -> str:
    """`selected_slot_ids.0` is the first slot that was marked with ○."""
    name, _, number = field.partition(".")
    slots = answer.get(name)
    if number.isdigit() and isinstance(slots, list) and int(number) < len(slots):
        return str(slots[int(number)])
    return "comment" if name == "comment" else "slots"


def _words(detail: Detail, message: str) -> str:
    return _COMMENT_IS_WRONG.get(detail.reason, message) if detail.field == "comment" else message
