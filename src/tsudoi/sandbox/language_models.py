"""The language models of the sandbox: what they were asked, and what they answer.

They do not think. By default they compare the words of the facts with the text, so that the same question always has
the same answer; a test may make them answer anything.
"""

import asyncio
import re
from collections import deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import orjson

KEPT = 100
_MOST_CHOSEN = 10
_NAMED, _MENTIONED = 10, 5
# The part of a group's name that says what the group is about: 防災 of 防災部会.
_KIND_OF_GROUP = re.compile(r"(部会|委員会|部門|[部会課科室])$")
_STRANGER = "stranger@example.net"

Parsed = dict[str, Any]


class AnswerMode(StrEnum):
    """What a model answers."""

    MATCH = "match"
    # No JSON; nobody; an answer that was cut in the middle; a refusal to answer.
    JUNK = "junk"
    EMPTY = "empty"
    CUT = "cut"
    REFUSED = "refused"
    # One person who was offered, and one who was not; or a stranger's address in the reason and as an id.
    UNKNOWN_ID = "unknown_id"
    STRANGER = "stranger"
    # The text that a test gives.
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question as it arrived: by which API, for which model, and its parts."""

    api: str
    model: str
    instructions: str
    text: str
    schema: Parsed
    most_tokens: int | None


@dataclass
class LanguageModels:
    """How the models answer, and the newest questions. They are not kept over a restart."""

    mode: AnswerMode = AnswerMode.MATCH
    text: str = ""
    asked: deque[AskedQuestion] = field(default_factory=lambda: deque(maxlen=KEPT))
    # Cleared while every answer is held back.
    free: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.free.set()

    def answer(self, question: AskedQuestion) -> str:
        """The text that the model writes."""
        ids = offered_ids(question.schema)
        match self.mode:
            case AnswerMode.JUNK:
                return "もちろんです！次の方々はいかがでしょうか。山田さん、佐藤さん…"
            case AnswerMode.EMPTY:
                return _written([])
            case AnswerMode.UNKNOWN_ID:
                return _written(
                    [*((one, "前回も参加された方です。") for one in ids[:1]), ("c999", "ぜひお呼びください。")]
                )
            case AnswerMode.STRANGER:
                named = [(one, f"{_STRANGER} にもご連絡ください。") for one in ids[:1]]
                return _written([*named, (_STRANGER, "専門家です。"), *((one, "担当の方です。") for one in ids[1:2])])
            case AnswerMode.TEXT:
                return self.text
        return _written(chosen(question.text, ids))

    def as_json(self) -> Parsed:
        asked = [asdict(question) for question in self.asked]
        return {"answer": self.mode, "text": self.text, "hold": not self.free.is_set(), "asked": asked}


def offered_ids(schema: Parsed) -> list[str]:
    """The first list of choices in the schema."""
    found: list[Any] = [schema]
    while found:
        one = found.pop(0)
        if isinstance(one, dict):
            if isinstance(one.get("enum"), list):
                return [each for each in one["enum"] if isinstance(each, str)]
            found += one.values()
    return []


def chosen(text: str, ids: Iterable[str]) -> list[tuple[str, str]]:
    """Offered people whose facts occur in the title or the description, with the reason."""
    try:
        data = orjson.loads(text)
        people = {person["id"]: person for person in data["people"]}
        said = f"{data['title']} {data['description']}"
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return []
    scored = [(*_judged(people[one], said), people[one].get("invited_before", 0), one) for one in ids if one in people]
    best = sorted((each for each in scored if each[0]), key=lambda each: (-each[0], -each[2], each[3]))
    return [(one, reason) for _, reason, _, one in best[:_MOST_CHOSEN]]


def _judged(person: Parsed, said: str) -> tuple[int, str]:
    words = [*person.get("groups", ()), person.get("department") or "", person.get("role") or ""]
    found = [word for word in words if word and (_KIND_OF_GROUP.sub("", word) or word) in said]
    score = (_NAMED if person.get("named_in_text") else 0) + _MENTIONED * len(found)
    if person.get("named_in_text"):
        return score, "文面にお名前が挙がっている方です。"
    return score, f"「{found[0]}」に関わる方で、今回の内容に関係があるためです。" if found else ""


def _written(people: Iterable[tuple[str, str]]) -> str:
    return orjson.dumps({"candidates": [{"id": one, "reason": reason} for one, reason in people]}).decode()
