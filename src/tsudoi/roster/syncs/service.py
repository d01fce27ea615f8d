"""Writes a sync plan in one transaction with bulk statements, and records it in the audit trail."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import Update, bindparam, insert, select, text, update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs import queries
from tsudoi.roster.syncs.errors import RosterChanged
from tsudoi.roster.syncs.models import MemberSync
from tsudoi.roster.syncs.rules.cells import SheetRow
from tsudoi.roster.syncs.rules.plan import MemberChange, SyncPlan, target_of_new

T = TypeVar("T")
OnProgress = Callable[[int], None]

_ROWS_AT_A_TIME = 2_000
# More links or withdrawals than this share rows of the audit trail, each of which names a few thousand ids.
_MOST_AUDIT_ROWS = 500
_KEPT_REFUSALS = 100
_ACTOR = "cli"
_REASON = "sheet"


def apply_plan(tx: Tx, plan: SyncPlan, source: str, on_progress: OnProgress = lambda _rows: None) -> None:
    """Write the whole plan or nothing. `on_progress` gets the number of rows just written; a retry starts from 0."""
    if tx.dialect == "postgresql":
        # No other transaction may link or unlink between the comparison and the write. SQLite has one writer anyway.
        tx.execute(text("LOCK TABLE members IN SHARE ROW EXCLUSIVE MODE"))
    if not queries.is_unchanged(tx, plan.roster):
        raise RosterChanged
    _write_rows(tx, plan, on_progress)
    if any(plan.links()):
        _name_links(tx)
    refusals = [
        {"row": row.number, "id": row.id, "reason": "; ".join(row.reasons)} for row in plan.refused[:_KEPT_REFUSALS]
    ]
    values = {"source": source, "refusals": refusals, "finished_at": tx.now, **_counts(plan)}
    tx.execute(insert(MemberSync).values(**values))
    _audit(tx, plan, source)


def _write_rows(tx: Tx, plan: SyncPlan, on_progress: OnProgress) -> None:
    for rows in _chunks(plan.new):
        tx.execute(insert(Member), [_values(row, tx) for row in rows])
        on_progress(len(rows))
    # Changes of the same fields share one statement.
    alike: dict[tuple[str, ...], list[MemberChange]] = defaultdict(list)
    for change in plan.changed:
        alike[tuple(change.new)].append(change)
    for names, changes in alike.items():
        statement = _by_id(**{name: bindparam(f"new_{name}") for name in names})
        for some in _chunks(changes):
            tx.execute(statement, [_parameters(change, tx) for change in some])
            on_progress(len(some))
    statement = _by_id(is_target=0, withdrawn_at=bindparam("now"))
    for members in _chunks(plan.withdrawn):
        tx.execute(statement, [{"member_id": member.id, "now": tx.now} for member in members])
        on_progress(len(members))


def _values(row: SheetRow, tx: Tx) -> dict[str, Any]:
    names = ("id", "name", "name_key", "kana", "display_order", "role", "line_user_id", "email")
    values = {name: getattr(row, name) for name in names}
    return {**values, "is_target": target_of_new(row), "created_at": tx.now, "updated_at": tx.now}


def _parameters(change: MemberChange, tx: Tx) -> dict[str, Any]:
    return {"member_id": change.id, "now": tx.now, **{f"new_{name}": value for name, value in change.new.items()}}


def _by_id(**values: Any) -> Update:
    return update(Member).where(Member.id == bindparam("member_id")).values(updated_at=bindparam("now"), **values)


def _name_links(tx: Tx) -> None:
    """The sheet only has the account's id. LINE may already have sent us its name."""
    named = select(LineFriend.user_id).where(LineFriend.display_name.is_not(None))
    name = select(LineFriend.display_name).where(LineFriend.user_id == Member.line_user_id).scalar_subquery()
    unnamed = Member.line_display_name.is_(None) & Member.line_user_id.in_(named)
    tx.execute(update(Member).where(unnamed).values(line_display_name=name))


def _counts(plan: SyncPlan) -> dict[str, int]:
    return {
        "created": len(plan.new),
        "changed": len(plan.changed),
        "withdrawn": len(plan.withdrawn),
        "unchanged": plan.unchanged,
        "refused": len(plan.refused),
    }


def _audit(tx: Tx, plan: SyncPlan, source: str) -> None:
    """Runs last, because the trail is locked from its first row to the commit."""
    audit.record(tx, _ACTOR, "MEMBERS_SYNC", "members", reason=source, new=_counts(plan))
    links = list(plan.links())
    if len(links) > _MOST_AUDIT_ROWS:
        _audit_ids(tx, "LINK", [member_id for member_id, _ in links])
    else:
        for member_id, user_id in links:
            old, new = {"line_user_id": None}, {"line_user_id": user_id}
            audit.record(tx, _ACTOR, "LINK", f"member:{member_id}", reason=_REASON, old=old, new=new)
    if len(plan.withdrawn) > _MOST_AUDIT_ROWS:
        _audit_ids(tx, "WITHDRAW", [member.id for member in plan.withdrawn])
    else:
        for member in plan.withdrawn:
            audit.record(tx, _ACTOR, "WITHDRAW", f"member:{member.id}", reason=_REASON)


def _audit_ids(tx: Tx, action: str, ids: list[int]) -> None:
    for some in _chunks(ids):
        audit.record(tx, _ACTOR, action, "members", reason=_REASON, new={"member_ids": some})


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    return (items[start : start + _ROWS_AT_A_TIME] for start in range(0, len(items), _ROWS_AT_A_TIME))
