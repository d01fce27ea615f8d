"""Doing what the plan says: one transaction, bulk statements, and a word in the audit trail."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Update, bindparam, insert, select, text, update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs import queries
from tsudoi.roster.syncs.errors import RosterMoved
from tsudoi.roster.syncs.models import MemberSync
from tsudoi.roster.syncs.rules.cells import Row
from tsudoi.roster.syncs.rules.plan import Change, Plan, target_of_new

T = TypeVar("T")
Told = Callable[[int], None]

_AT_A_TIME = 2_000
# More links or withdrawals than this share one row of the audit trail, which names their ids.
_MOST_AUDIT_ROWS = 500
_KEPT_REFUSALS = 100
_ACTOR = "cli"
_REASON = "sheet"


def apply_plan(tx: Tx, plan: Plan, source: str, told: Told = lambda _rows: None) -> None:
    """All of it or nothing. `told` hears how many rows are done; the database may begin again from the start."""
    _hold_still(tx)
    if queries.basis(tx) != plan.basis:
        raise RosterMoved
    _add(tx, plan.new, told)
    _change(tx, plan.changed, told)
    _withdraw(tx, plan, told)
    _name_links(tx, plan)
    _write_down(tx, plan, source)
    _audit(tx, plan, source)


def _hold_still(tx: Tx) -> None:
    """SQLite has one writer anyway. On PostgreSQL nobody may link or unlink between the look and the write."""
    if tx.dialect == "postgresql":
        tx.execute(text("LOCK TABLE members IN SHARE ROW EXCLUSIVE MODE"))


def _add(tx: Tx, rows: list[Row], told: Told) -> None:
    for some in _chunks(rows):
        tx.execute(insert(Member), [_values(row, tx) for row in some])
        told(len(some))


def _values(row: Row, tx: Tx) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "name_key": row.name_key,
        "display_order": row.display_order,
        "role": row.role,
        "line_user_id": row.line_user_id,
        "is_target": target_of_new(row),
        "email": row.email,
        "created_at": tx.now,
        "updated_at": tx.now,
    }


def _change(tx: Tx, changes: list[Change], told: Told) -> None:
    """Changes of the same fields share one statement; there are few such kinds in a run."""
    kinds: dict[tuple[str, ...], list[Change]] = defaultdict(list)
    for change in changes:
        kinds[tuple(change.new)].append(change)
    for names, alike in kinds.items():
        statement = _by_id(**{name: bindparam(f"new_{name}") for name in names})
        for some in _chunks(alike):
            tx.execute(statement, [_parameters(change, tx) for change in some])
            told(len(some))


def _parameters(change: Change, tx: Tx) -> dict[str, Any]:
    return {"member_id": change.id, "now": tx.now, **{f"new_{name}": value for name, value in change.new.items()}}


def _withdraw(tx: Tx, plan: Plan, told: Told) -> None:
    statement = _by_id(is_target=0, withdrawn_at=bindparam("now"))
    for some in _chunks(plan.withdrawn):
        tx.execute(statement, [{"member_id": gone.id, "now": tx.now} for gone in some])
        told(len(some))


def _name_links(tx: Tx, plan: Plan) -> None:
    """The sheet only knows the account; LINE may have told us its name."""
    if next(_linked(plan), None) is None:
        return
    named = select(LineFriend.user_id).where(LineFriend.display_name.is_not(None))
    name = select(LineFriend.display_name).where(LineFriend.user_id == Member.line_user_id).scalar_subquery()
    unnamed = Member.line_display_name.is_(None) & Member.line_user_id.in_(named)
    tx.execute(update(Member).where(unnamed).values(line_display_name=name))


def _by_id(**values: Any) -> Update:
    return update(Member).where(Member.id == bindparam("member_id")).values(updated_at=bindparam("now"), **values)


def _linked(plan: Plan) -> Iterator[tuple[int, str]]:
    yield from ((row.id, row.line_user_id) for row in plan.new if row.line_user_id)
    yield from ((change.id, change.new["line_user_id"]) for change in plan.changed if change.links)


def _write_down(tx: Tx, plan: Plan, source: str) -> None:
    kept = [{"row": row.number, "id": row.id, "reason": "; ".join(row.reasons)} for row in plan.refused]
    values = {"source": source, "refusals": kept[:_KEPT_REFUSALS], "finished_at": tx.now, **counts(plan)}
    tx.execute(insert(MemberSync).values(**values))


def counts(plan: Plan) -> dict[str, int]:
    return {
        "created": len(plan.new),
        "changed": len(plan.changed),
        "withdrawn": len(plan.withdrawn),
        "unchanged": plan.unchanged,
        "refused": len(plan.refused),
    }


def _audit(tx: Tx, plan: Plan, source: str) -> None:
    """Last, because the trail is locked from its first row to the commit."""
    audit.record(tx, _ACTOR, "MEMBERS_SYNC", "members", reason=source, new=counts(plan))
    links = list(_linked(plan))
    if len(links) > _MOST_AUDIT_ROWS:
        ids = [member_id for member_id, _ in links]
        audit.record(tx, _ACTOR, "LINK", "members", reason=_REASON, new={"member_ids": ids})
    else:
        for member_id, user_id in links:
            old, new = {"line_user_id": None}, {"line_user_id": user_id}
            audit.record(tx, _ACTOR, "LINK", f"member:{member_id}", reason=_REASON, old=old, new=new)
    gone = [withdrawal.id for withdrawal in plan.withdrawn]
    if len(gone) > _MOST_AUDIT_ROWS:
        audit.record(tx, _ACTOR, "WITHDRAW", "members", reason=_REASON, new={"member_ids": gone})
    else:
        for member_id in gone:
            audit.record(tx, _ACTOR, "WITHDRAW", f"member:{member_id}", reason=_REASON)


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    source = iter(items)
    while some := list(islice(source, _AT_A_TIME)):
        yield some
