from collections.abc import Iterator, Mapping

from sqlalchemy import func, select

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs.models import MemberSync
from tsudoi.roster.syncs.rules.plan import RosterMember
from tsudoi.roster.syncs.schemas import LastSync, SyncSummary

_ROWS_AT_A_TIME = 2_000


def roster_members(tx: ReadTx) -> Iterator[RosterMember]:
    """All members by id, including those who have withdrawn."""
    columns = (getattr(Member, name) for name in RosterMember._fields)
    statement = select(*columns).order_by(Member.id).execution_options(yield_per=_ROWS_AT_A_TIME)
    return (RosterMember._make(row) for row in tx.execute(statement))


def is_unchanged(tx: ReadTx, roster: Mapping[int, RosterMember]) -> bool:
    """Whether the roster in the database is still the one that was read before."""
    same = [roster.get(member.id) == member for member in roster_members(tx)]
    return all(same) and len(same) == len(roster)


def linked_accounts(tx: ReadTx) -> dict[int, tuple[str, str | None]]:
    """LINE user id and LINE name by member id, for the linked members who have not withdrawn."""
    statement = select(Member.id, Member.line_user_id, Member.line_display_name).where(
        Member.line_user_id.is_not(None), Member.withdrawn_at.is_(None)
    )
    return {row.id: (row.line_user_id, row.line_display_name) for row in tx.execute(statement)}


def is_empty(tx: ReadTx) -> bool:
    return bool(tx.scalar(select(func.count()).select_from(select(Member.id).limit(1).subquery())) == 0)


def last_sync(tx: ReadTx) -> LastSync:
    row = tx.execute(select(MemberSync).order_by(MemberSync.id.desc()).limit(1)).first()
    if row is None:
        return LastSync(last=None)
    numbers = {name: getattr(row, name) for name in ("created", "changed", "withdrawn", "unchanged", "refused")}
    done = SyncSummary(finished_at=jst_text(row.finished_at), source=row.source, refusals=row.refusals, **numbers)
    return LastSync(last=done)
