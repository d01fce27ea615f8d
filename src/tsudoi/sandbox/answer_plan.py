"""Plans who answers what and when, with a seeded random generator, so that a demonstration can be repeated."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from tsudoi.sandbox.users import User, Users


@dataclass(frozen=True, slots=True)
class Invitation:
    """A friend and the event that the friend was invited to."""

    user: User
    event_id: int


def invitations(users: Users, liff_id: str, event_id: int | None = None) -> list[Invitation]:
    """One invitation for each friend who got a link to the event; without an id, to the newest event in the chat."""
    found = (
        (user, next((one for one in _links(user, liff_id) if event_id in (None, one)), None))
        for user in users.friends()
    )
    return [Invitation(user, event) for user, event in found if event is not None]


def _links(user: User, liff_id: str) -> Iterator[int]:
    """The ids in the links, the newest first. The whole message is searched, because a button can have a link too."""
    link = re.compile(rf"/{re.escape(liff_id)}/events/([1-9][0-9]{{0,14}})(?![0-9])")
    for entry in reversed(user.chat):
        if entry.sender == "account":
            yield from (int(number) for number in link.findall(orjson.dumps(entry.message).decode()))


ATTEND, ABSENT = "attend", "absent"
_ATTENDING = 0.7
_TALKATIVE = 0.25
_MEMOS = {
    ATTEND: ("10分ほど遅れます", "途中で失礼します", "楽しみにしています", "車で参ります", "子どもと一緒に伺います"),
    ABSENT: ("仕事のため欠席します", "体調がすぐれません", "次回は参加します"),
}


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """One answer that a person is going to give."""

    invitation: Invitation
    status: str
    memo: str | None
    # Seconds after the start of the run.
    at: float


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """How many of the invited people answer (in per cent), within how many seconds, and from which seed."""

    share: float = 90.0
    seconds: float = 10.0
    seed: int | None = None


def plan(invited: list[Invitation], options: AnswerOptions) -> list[PlannedAnswer]:
    """The answers in the order in which they will be given."""
    generator = random.Random(options.seed)  # noqa: S311 - a demonstration must be repeatable, not secret.
    willing = generator.sample(invited, round(len(invited) * options.share / 100))
    answers = []
    for one in willing:
        status = ATTEND if generator.random() < _ATTENDING else ABSENT
        memo = generator.choice(_MEMOS[status]) if generator.random() < _TALKATIVE else None
        answers.append(PlannedAnswer(one, status, memo, generator.uniform(0, options.seconds)))
    return sorted(answers, key=lambda answer: answer.at)
