"""Who answers what, and when: thrown with seeded dice before anybody begins, so that a show can be repeated."""

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
    invitation: Invitation
    status: str
    memo: str | None
    # Seconds after the start of the run.
    at: float


@dataclass(frozen=True, slots=True)
class Wish:
    share: float = 90.0
    seconds: float = 10.0
    seed: int | None = None


def plan(invited: list[Invitation], wish: Wish) -> list[PlannedAnswer]:
    """In the order in which they answer."""
    dice = random.Random(wish.seed)  # noqa: S311 - a show must be repeatable, not secret.
    willing = dice.sample(invited, round(len(invited) * wish.share / 100))
    return sorted((_throw(one, wish, dice) for one in willing), key=lambda answer: answer.at)


def _throw(invitation: Invitation, wish: Wish, dice: random.Random) -> PlannedAnswer:
    status = ATTEND if dice.random() < _ATTENDING else ABSENT
    memo = dice.choice(_MEMOS[status]) if dice.random() < _TALKATIVE else None
    return PlannedAnswer(invitation, status, memo, dice.uniform(0, wish.seconds))
