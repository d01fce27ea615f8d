"""What a sheet would do to the roster: decided here row by row, shown to a person, and then done exactly so."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tsudoi.roster.syncs.rules.cells import Row
from tsudoi.roster.syncs.rules.columns import Columns

TAKEN = "この line_user_id は別の会員と連携しています / the LINE account is linked to another member"
LINKED = "この会員は別の LINE と連携しています（上書きしません）/ the member is linked to another LINE account"
KEPT_NAME = "同じ氏名の会員が、拒否された行のために残ります / a member kept by a refused row has the same name"
# Each of these may stand for one row only: which of several is right is for a person to say.
UNIQUE = {
    "id": ("同じ id が", "id twice"),
    "name_key": ("同じ氏名が", "name twice"),
    "line_user_id": ("同じ line_user_id が", "LINE id twice"),
}
# More than one member in this many gone at once looks like a broken sheet rather than like people leaving.
_WITHDRAWN_SHARE = 5
_SHOWN_NUMBERS = 3


class Existing(NamedTuple):
    """A member as the roster has it, in the order in which the query gives the columns."""

    id: int
    name: str
    name_key: str
    display_order: int | None
    role: str
    line_user_id: str | None
    is_target: int
    email: str | None
    withdrawn: Any  # When, or None.


@dataclass(frozen=True, slots=True)
class Change:
    """`old` and `new` hold the fields that differ, under their column names; `withdrawn_at` only ever goes away."""

    number: int
    id: int
    name: str
    old: dict[str, Any]
    new: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Withdrawal:
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Counts:
    new: int
    changed: int
    withdrawn: int
    unchanged: int
    refused: int
    # How many members there are before anything is done.
    live: int

    @property
    def writes(self) -> int:
        return self.new + self.changed + self.withdrawn

    @property
    def withdraws_too_many(self) -> bool:
        return self.withdrawn * _WITHDRAWN_SHARE > self.live


def twice(name: str, numbers: Sequence[int]) -> str:
    """Why rows of the same id, name or LINE account are refused; a few of their numbers are enough."""
    what, english = UNIQUE[name]
    shown = "・".join(str(number) for number in numbers[:_SHOWN_NUMBERS])
    shown += "…" if len(numbers) > _SHOWN_NUMBERS else ""
    return f"{what}{shown}行目にあります / {english}: rows {shown}"


def target_of_new(row: Row) -> int:
    """Who is linked is reached, unless the sheet says otherwise."""
    return int(row.line_user_id is not None) if row.is_target is None else row.is_target


def next_basis(basis: int, member: Existing) -> int:
    """Over everybody in turn it gives a number that tells whether the roster is still the one planned for."""
    return hash((basis, member))


def change(columns: Columns, row: Row, member: Existing) -> Change | None:
    """None if the member is already as the row says."""
    new = dict(_differences(columns, row, member))
    if not new:
        return None
    return Change(row.number, row.id, row.name, {name: _old(member, name) for name in new}, new)


def _old(member: Existing, name: str) -> Any:
    return member.withdrawn if name == "withdrawn_at" else getattr(member, name)


def _differences(columns: Columns, row: Row, member: Existing) -> Iterator[tuple[str, Any]]:
    for name in ("name", "name_key"):
        if getattr(row, name) != getattr(member, name):
            yield name, getattr(row, name)
    for name in ("display_order", "role", "email"):
        if name in columns and getattr(row, name) != getattr(member, name):
            yield name, getattr(row, name)
    links = row.line_user_id is not None and member.line_user_id is None
    if links:
        yield "line_user_id", row.line_user_id
    target = _target(row, member, links=links)
    if target != member.is_target:
        yield "is_target", target
    if member.withdrawn is not None:
        yield "withdrawn_at", None


def _target(row: Row, member: Existing, *, links: bool) -> int:
    """Withdrawing turned it off; who comes back with a LINE account is reached again, as after linking."""
    if row.is_target is not None:
        return row.is_target
    returns_linked = member.withdrawn is not None and member.line_user_id is not None
    return 1 if links or returns_linked else member.is_target
