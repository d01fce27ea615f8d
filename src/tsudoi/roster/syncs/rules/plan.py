"""What a sheet would do to the roster: decided here, shown to a person, and then done exactly so."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tsudoi.roster.syncs.rules.cells import Refused, Row
from tsudoi.roster.syncs.rules.columns import Columns
from tsudoi.roster.syncs.rules.sheet import Sheet, refusal

# More than one member in this many gone at once looks like a broken sheet rather than like people leaving.
_WITHDRAWN_SHARE = 5
_TAKEN = "この line_user_id は別の会員に紐付いています / the LINE account is linked to another member"
_LINKED = "この会員は別の LINE に紐付いています（上書きしません）/ the member is linked to another LINE account"
_KEPT_NAME = "同じ氏名の会員が、拒否された行のために残ります / a member kept by a refused row has the same name"


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

    @property
    def links(self) -> bool:
        return "line_user_id" in self.new


@dataclass(frozen=True, slots=True)
class Withdrawal:
    id: int
    name: str


@dataclass(slots=True)
class Plan:
    columns: Columns
    new: list[Row] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    withdrawn: list[Withdrawal] = field(default_factory=list)
    unchanged: int = 0
    refused: list[Refused] = field(default_factory=list)
    live: int = 0
    # Tells whether the roster is still the one that was planned for.
    basis: int = 0

    @property
    def changes_nothing(self) -> bool:
        return not (self.new or self.changed or self.withdrawn)

    @property
    def withdraws_too_many(self) -> bool:
        return len(self.withdrawn) * _WITHDRAWN_SHARE > self.live


def target_of_new(row: Row) -> int:
    """Who is linked is reached, unless the sheet says otherwise."""
    return int(row.line_user_id is not None) if row.is_target is None else row.is_target


def next_basis(basis: int, member: Existing) -> int:
    return hash((basis, member))


def make_plan(sheet: Sheet, roster: Iterable[Existing]) -> Plan:
    """The roster comes in the order of its ids and is looked at once; it is not kept."""
    return _Planning(sheet).over(roster)


class _Planning:
    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.plan = Plan(sheet.columns)
        self.known: set[int] = set()
        self.changes: dict[int, Change] = {}
        self.refusals: dict[int, str] = {}
        # Members who stay as they are because their row is refused, with the name that they go on having.
        self.kept: dict[int, str] = {}
        self.refused_ids = {row.id for row in sheet.refused if row.id is not None}
        idless = [row for row in sheet.refused if row.id is None]
        self.refused_keys = {row.name_key for row in idless if row.name_key}
        self.refused_lines = {row.line_user_id for row in idless if row.line_user_id}

    def over(self, roster: Iterable[Existing]) -> Plan:
        plan = self.plan
        for member in roster:
            plan.basis = next_basis(plan.basis, member)
            plan.live += member.withdrawn is None
            self._meet(member)
        self._keep_names_apart()
        rows = self.sheet.rows
        plan.new = [row for row in rows.values() if row.id not in self.known and row.id not in self.refusals]
        plan.changed = sorted(self.changes.values(), key=lambda change: change.number)
        plan.unchanged = len(self.known) - len(self.known & self.refusals.keys()) - len(plan.changed)
        late = (refusal(rows[member_id], reason) for member_id, reason in self.refusals.items())
        plan.refused = sorted((*self.sheet.refused, *late), key=lambda row: row.number)
        return plan

    def _meet(self, member: Existing) -> None:
        owner = self.sheet.lines.get(member.line_user_id) if member.line_user_id else None
        if owner is not None and owner != member.id:
            self.refusals[owner] = _TAKEN
        row = self.sheet.rows.get(member.id)
        if row is None:
            self._miss(member)
            return
        self.known.add(member.id)
        if row.line_user_id and member.line_user_id and row.line_user_id != member.line_user_id:
            self.refusals[member.id] = _LINKED
        new = dict(_differences(self.sheet.columns, row, member))
        if new:
            old = {name: _old(member, name) for name in new}
            self.changes[member.id] = Change(row.number, row.id, row.name, old, new)

    def _miss(self, member: Existing) -> None:
        if member.withdrawn is not None:
            return
        if (
            member.id in self.refused_ids
            or member.name_key in self.refused_keys
            or member.line_user_id in self.refused_lines
        ):
            self.kept[member.id] = member.name_key
        else:
            self.plan.withdrawn.append(Withdrawal(member.id, member.name))

    def _keep_names_apart(self) -> None:
        """A refused row leaves its member with the old name, which no other row may then take; and so on from there."""
        waiting = list(self.kept.items())
        waiting += [(member_id, key) for member_id in self.refusals if (key := self._drop(member_id))]
        if not waiting:
            return
        owners = {row.name_key: row.id for row in self.sheet.rows.values()}
        while waiting:
            kept_id, key = waiting.pop()
            owner = owners.get(key)
            if owner is None or owner == kept_id or owner in self.refusals:
                continue
            self.refusals[owner] = _KEPT_NAME
            if still := self._drop(owner):
                waiting.append((owner, still))

    def _drop(self, member_id: int) -> str | None:
        """Forgets the change; gives the name that the member keeps, if there is a live one."""
        change = self.changes.pop(member_id, None)
        if member_id not in self.known or (change and "withdrawn_at" in change.old):
            return None
        key: str = change.old.get("name_key", "") if change else ""
        return key or self.sheet.rows[member_id].name_key


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
