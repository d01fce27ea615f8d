"""Plans who answers what and when, with a seeded random generator, so that a demonstration can be repeated."""

import random
from dataclasses import dataclass

from tsudoi.sandbox.invitations import Invitation

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
    return sorted((_planned(one, options, generator) for one in willing), key=lambda answer: answer.at)


def _planned(invitation: Invitation, options: AnswerOptions, generator: random.Random) -> PlannedAnswer:
    status = ATTEND if generator.random() < _ATTENDING else ABSENT
    memo = generator.choice(_MEMOS[status]) if generator.random() < _TALKATIVE else None
    return PlannedAnswer(invitation, status, memo, generator.uniform(0, options.seconds))
