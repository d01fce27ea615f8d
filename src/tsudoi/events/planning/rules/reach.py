"""Which members can get messages, and why others cannot. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tsudoi.core.errors import Detail

MOST_NAMED = 50
WHY_NOT = {
    "NO_LINE": "LINEと連携していません",
    "WITHDRAWN": "退会しています",
    "NOT_TARGET": "配信の対象から外れています",
    "REMINDED_TODAY": "今日すでに督促しています",
}


@dataclass(frozen=True, slots=True)
class Person:
    """A member, with the fields that decide whether messages can be sent."""

    member_id: int
    name: str
    line_user_id: str | None
    is_target: bool
    withdrawn: bool
    # No friend of the account, or the member has blocked it: LINE still accepts messages, but does not show them.
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
    """Unknown ids, and members whom an invitation cannot reach; at most 50 of each are named."""
    found = {person.member_id: person for person in people}
    unknown = [Detail(f"{field}.{one}", "UNKNOWN_MEMBER") for one in wanted if one not in found]
    unreachable = [
        Detail(f"{field}.{one}", "NOT_REACHABLE") for one in wanted if one in found and found[one].why_not is not None
    ]
    return unknown[:MOST_NAMED] + unreachable[:MOST_NAMED]
