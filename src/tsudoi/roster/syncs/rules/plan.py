"""Computes what a sheet would change in the roster. The plan is shown to a person and then written unchanged."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tsudoi.roster.syncs.rules.cells import Columns, RefusedRow, SheetRow
from tsudoi.roster.syncs.rules.sheet import RosterSheet

TAKEN = "この line_user_id は別の会員と連携しています / the LINE account is linked to another member"
LINKED = "この会員は別の LINE と連携しています（上書きしません）/ the member is linked to another LINE account"
KEPT_NAME = "同じ氏名の会員が、拒否された行のために残ります / a member kept by a refused row has the same name"
ERASED = (
    "個人データを消去した会員の番号です。行を消すか、新しい番号にしてください"
    " / this member was erased; remove the row, or use a new number"
)
# If more than one member in five would withdraw at once, the sheet is more likely broken than right.
_WITHDRAWN_SHARE = 5


class RosterMember(NamedTuple):
    """A member as the roster has it. The fields are columns of `members`."""

    id: int
    name: str
    name_key: str
    display_order: int | None
    role: str
    line_user_id: str | None
    is_target: int
    email: str | None
    kana: str | None
    withdrawn_at: Any  # A time, or None.
    erased_at: Any = None  # The same.


@dataclass(frozen=True, slots=True)
class MemberChange:
    """The changes of one member. `old` and `new` hold the fields that differ, under their column names."""

    number: int
    id: int
    name: str
    old: dict[str, Any]
    new: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """What one sheet would do to one roster; the rows stand in the order of the sheet."""

    columns: Columns
    new: tuple[SheetRow, ...]
    changed: tuple[MemberChange, ...]
    withdrawn: tuple[RosterMember, ...]
    refused: tuple[RefusedRow, ...]
    unchanged: int
    # The roster that the plan was made for. It has to be the same when the plan is written.
    roster: Mapping[int, RosterMember] = field(repr=False)

    @property
    def writes(self) -> int:
        return len(self.new) + len(self.changed) + len(self.withdrawn)

    @property
    def live(self) -> int:
        """How many members have not withdrawn before the plan is written."""
        return sum(1 for member in self.roster.values() if member.withdrawn_at is None)

    @property
    def withdraws_too_many(self) -> bool:
        return len(self.withdrawn) * _WITHDRAWN_SHARE > self.live

    def links(self) -> Iterator[tuple[int, str]]:
        """Member id and LINE user id of all members whom the sheet links."""
        yield from ((row.id, row.line_user_id) for row in self.new if row.line_user_id)
        yield from ((each.id, each.new["line_user_id"]) for each in self.changed if "line_user_id" in each.new)


def make_plan(sheet: RosterSheet, roster: Mapping[int, RosterMember]) -> SyncPlan:
    kept, withdrawn = _missing(sheet, roster)
    conflicts = _conflicts(sheet, roster, kept)
    usable = [row for row in sheet.rows if row.number not in conflicts]
    known = [row for row in usable if row.id in roster]
    changed = tuple(change for row in known if (change := change_of(sheet.columns, row, roster[row.id])))
    late = (row.refused(conflicts[row.number]) for row in sheet.rows if row.number in conflicts)
    return SyncPlan(
        columns=sheet.columns,
        new=tuple(row for row in usable if row.id not in roster),
        changed=changed,
        withdrawn=withdrawn,
        refused=tuple(sorted((*sheet.refused, *late), key=lambda row: row.number)),
        unchanged=len(known) - len(changed),
        roster=roster,
    )


def _missing(
    sheet: RosterSheet, roster: Mapping[int, RosterMember]
) -> tuple[list[RosterMember], tuple[RosterMember, ...]]:
    """The members without a row of their id: those whom a refused row keeps, and those who withdraw.

    A row whose id cannot be read still keeps the member whom its name or its LINE account means.
    """
    ids = {row.id for row in sheet.rows} | {row.id for row in sheet.refused}
    unreadable = [row for row in sheet.refused if row.id is None]
    names = {row.name_key for row in unreadable if row.name_key}
    accounts = {row.line_user_id for row in unreadable if row.line_user_id}
    missing = [member for member in roster.values() if member.withdrawn_at is None and member.id not in ids]
    kept = [member for member in missing if member.name_key in names or member.line_user_id in accounts]
    kept_ids = {member.id for member in kept}
    return kept, tuple(member for member in missing if member.id not in kept_ids)


def _conflicts(sheet: RosterSheet, roster: Mapping[int, RosterMember], kept: list[RosterMember]) -> dict[int, str]:
    """By row number, why a valid row cannot be used with this roster.

    A refused row leaves its member with the old name, which no other row may then take. The row that wanted this name
    is refused too, its member keeps the old name as well, and so on along the chain.
    """
    owners = {member.line_user_id: member.id for member in roster.values() if member.line_user_id}
    conflicts = {row.number: reason for row in sheet.rows if (reason := _conflict(row, roster, owners))}
    refused = [row.id for row in sheet.refused if row.id] + [row.id for row in sheet.rows if row.number in conflicts]
    waiting = [*kept, *(roster[member_id] for member_id in refused if member_id in roster)]
    row_of = {row.name_key: row for row in sheet.rows}
    seen: set[int] = set()
    while waiting:
        member = waiting.pop()
        row = row_of.get(member.name_key)
        if member.withdrawn_at is not None or member.id in seen or row is None or row.id == member.id:
            continue
        seen.add(member.id)
        conflicts.setdefault(row.number, KEPT_NAME)
        if row.id in roster:
            waiting.append(roster[row.id])
    return conflicts


def _conflict(row: SheetRow, roster: Mapping[int, RosterMember], owners: Mapping[str, int]) -> str | None:
    """The number of a person who was erased belongs to nobody any more, neither to that person nor to another one."""
    member = roster.get(row.id)
    return ERASED if member is not None and member.erased_at is not None else _link_conflict(row, roster, owners)


def _link_conflict(row: SheetRow, roster: Mapping[int, RosterMember], owners: Mapping[str, int]) -> str | None:
    """A link is never overwritten, and a LINE account is never linked to two members."""
    if row.line_user_id is None:
        return None
    member = roster.get(row.id)
    if member is not None and member.line_user_id not in (None, row.line_user_id):
        return LINKED
    return TAKEN if owners.get(row.line_user_id, row.id) != row.id else None


def target_of_new(row: SheetRow) -> int:
    """A linked member may be invited, unless the sheet says otherwise."""
    return int(row.line_user_id is not None) if row.is_target is None else row.is_target


def change_of(columns: Columns, row: SheetRow, member: RosterMember) -> MemberChange | None:
    """None if the member is already as the row says."""
    new = dict(_differences(columns, row, member))
    if not new:
        return None
    return MemberChange(row.number, row.id, row.name, {name: getattr(member, name) for name in new}, new)


def _differences(columns: Columns, row: SheetRow, member: RosterMember) -> Iterator[tuple[str, Any]]:
    for name in ("name", "name_key"):
        if getattr(row, name) != getattr(member, name):
            yield name, getattr(row, name)
    for name in ("kana", "display_order", "role", "email"):
        if name in columns and getattr(row, name) != getattr(member, name):
            yield name, getattr(row, name)
    links = row.line_user_id is not None and member.line_user_id is None
    if links:
        yield "line_user_id", row.line_user_id
    target = _target(row, member, links=links)
    if target != member.is_target:
        yield "is_target", target
    if member.withdrawn_at is not None:
        yield "withdrawn_at", None


def _target(row: SheetRow, member: RosterMember, *, links: bool) -> int:
    """Withdrawing turned it off. A member who comes back with a LINE account is invited again, as after linking."""
    if row.is_target is not None:
        return row.is_target
    returns_linked = member.withdrawn_at is not None and member.line_user_id is not None
    return 1 if links or returns_linked else member.is_target
