"""Who can be told, who cannot and why, and whether LINE's monthly limit allows it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tsudoi.core.errors import Detail
from tsudoi.gateway.clients.line_outcomes import Quota, Rejected, Unreachable

MOST_NAMED = 50
WHY_NOT = {
    "NO_LINE": "LINEと連携していません",
    "WITHDRAWN": "退会しています",
    "NOT_TARGET": "配信の対象から外れています",
    "REMINDED_TODAY": "今日すでに督促しています",
}


@dataclass(frozen=True, slots=True)
class Person:
    member_id: int
    name: str
    line_user_id: str | None
    is_target: bool
    withdrawn: bool
    # LINE told us that this person blocked the account: LINE takes the message all the same, and nobody sees it.
    blocked: bool

    @property
    def why_not(self) -> str | None:
        """The reason why this person cannot be invited, or None."""
        if self.withdrawn:
            return "WITHDRAWN"
        if self.line_user_id is None:
            return "NO_LINE"
        return None if self.is_target else "NOT_TARGET"


def target_faults(field: str, wanted: Sequence[int], people: Iterable[Person]) -> list[Detail]:
    """Ids that are nobody's, and people whom an invitation cannot reach; at most 50 of each are named."""
    found = {person.member_id: person for person in people}
    unknown = [Detail(f"{field}.{one}", "UNKNOWN_MEMBER") for one in wanted if one not in found]
    unreachable = [
        Detail(f"{field}.{one}", "NOT_REACHABLE") for one in wanted if one in found and found[one].why_not is not None
    ]
    return unknown[:MOST_NAMED] + unreachable[:MOST_NAMED]


@dataclass(frozen=True, slots=True)
class Cost:
    """`quota` is None where LINE could not be asked. `promised`: messages on their way, which LINE has not counted."""

    cost: int
    quota: Quota | None
    promised: int = 0

    @property
    def left(self) -> int | None:
        """What is left once everything decided so far has gone out."""
        if self.quota is None or self.quota.left is None:
            return None
        return max(0, self.quota.left - self.promised)

    @property
    def enough(self) -> bool | None:
        if self.quota is None:
            return None
        return self.left is None or self.cost <= self.left


def cost_of(recipients: int, quota: Quota | Rejected | Unreachable, promised: int) -> Cost:
    """LINE counts people, not bubbles."""
    return Cost(recipients, quota if isinstance(quota, Quota) else None, promised)
