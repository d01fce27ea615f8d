"""Doing what the plan says: one transaction, bulk statements, and a word in the audit trail."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Update, bindparam, insert, select, text, update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs.errors import RosterMoved
from tsudoi.roster.syncs.models import MemberSync
from tsudoi.roster.syncs.queries import roster
from tsudoi.roster.syncs.queries.plan import Plan
from tsudoi.roster.syncs.rules.cells import Row
from tsudoi.roster.syncs.rules.plan import Change, target_of_new

T = TypeVar("T")
Told = Callable[[int], None]

_AT_A_TIME = 2_000
# More links or withdrawals than this share rows of the audit trail, each of which names a few thousand ids.
_MOST_AUDIT_ROWS = 500
_KEPT_REFUSALS = 100
_ACTOR = "cli"
_REASON = "sheet"


def apply_plan(tx: Tx, plan: Plan, source: str, told: Told = lambda _rows: None) -> None:
    """All of it or nothing. `told` hears how many rows are done; the database may begin again from the start."""
    roster.with_little_memory(tx)
    _hold_still(tx)
    if roster.basis(tx) != plan.basis:
        raise RosterMoved
    _add(tx, plan, told)
    _change(tx, plan, told)
    _withdraw(tx, plan, told)
    _name_links(tx, plan)
    _write_down(tx, plan, source)
    _audit(tx, plan, source)


def _hold_still(tx: Tx) -> None:
    """SQLite has one writer anyway. On PostgreSQL nobody may link or unlink between the look and the write."""
    if tx.dialect == "postgresql":
        tx.execute(text("LOCK TABLE members IN SHARE ROW EXCLUSIVE MODE"))


def _add(tx: Tx, plan: Plan, told: Told) -> None:
    for some in _chunks(plan.new()):
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


def _change(tx: Tx, plan: Plan, told: Told) -> None:
    """Changes of the same fields share one statement."""
    for kind in plan.kinds():
        statement = _by_id(**{name: bindparam(f"new_{name}") for name in kind.split()})
        for some in _chunks(plan.changed_alike(kind)):
            tx.execute(statement, [_parameters(change, tx) for change in some])
            told(len(some))


def _parameters(change: Change, tx: Tx) -> dict[str, Any]:
    return {"member_id": change.id, "now": tx.now, **{f"new_{name}": value for name, value in change.new.items()}}


def _withdraw(tx: Tx, plan: Plan, told: Told) -> None:
    statement = _by_id(is_target=0, withdrawn_at=bindparam("now"))
    for some in _chunks(plan.withdrawn()):
        tx.execute(statement, [{"member_id": gone.id, "now": tx.now} for gone in some])
        told(len(some))


def _name_links(tx: Tx, plan: Plan) -> None:
    """The sheet only knows the account; LINE may have told us its name."""
    if next(plan.links(), None) is None:
        return
    named = select(LineFriend.user_id).where(LineFriend.display_name.is_not(None))
    name = select(LineFriend.display_name).where(LineFriend.user_id == Member.line_user_id).scalar_subquery()
    unnamed = Member.line_display_name.is_(None) & Member.line_user_id.in_(named)
    tx.execute(update(Member).where(unnamed).values(line_display_name=name))


def _by_id(**values: Any) -> Update:
    return update(Member).where(Member.id == bindparam("member_id")).values(updated_at=bindparam("now"), **values)


def _write_down(tx: Tx, plan: Plan, source: str) -> None:
    refused = islice(plan.refused(), _KEPT_REFUSALS)
    kept = [{"row": row.number, "id": row.id, "reason": "; ".join(row.reasons)} for row in refused]
    values = {"source": source, "refusals": kept, "finished_at": tx.now, **_counts(plan)}
    tx.execute(insert(MemberSync).values(**values))


def _counts(plan: Plan) -> dict[str, int]:
    counts = plan.counts
    return {
        "created": counts.new,
        "changed": counts.changed,
        "withdrawn": counts.withdrawn,
        "unchanged": counts.unchanged,
        "refused": counts.refused,
    }


def _audit(tx: Tx, plan: Plan, source: str) -> None:
    """Last, because the trail is locked from its first row to the commit."""
    audit.record(tx, _ACTOR, "MEMBERS_SYNC", "members", reason=source, new=_counts(plan))
    few = list(islice(plan.links(), _MOST_AUDIT_ROWS + 1))
    if len(few) > _MOST_AUDIT_ROWS:
        _audit_ids(tx, "LINK", (member_id for member_id, _ in plan.links()))
    else:
        for member_id, user_id in few:
            old, new = {"line_user_id": None}, {"line_user_id": user_id}
            audit.record(tx, _ACTOR, "LINK", f"member:{member_id}", reason=_REASON, old=old, new=new)
    gone = (withdrawal.id for withdrawal in plan.withdrawn())
    if plan.counts.withdrawn > _MOST_AUDIT_ROWS:
        _audit_ids(tx, "WITHDRAW", gone)
    else:
        for member_id in gone:
            audit.record(tx, _ACTOR, "WITHDRAW", f"member:{member_id}", reason=_REASON)


def _audit_ids(tx: Tx, action: str, ids: Iterable[int]) -> None:
    for some in _chunks(ids):
        audit.record(tx, _ACTOR, action, "members", reason=_REASON, new={"member_ids": some})


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    source = iter(items)
    while some := list(islice(source, _AT_A_TIME)):
        yield some
