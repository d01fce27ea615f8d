from collections.abc import Iterator

from sqlalchemy import func, select, text

from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.members.models import Member
from tsudoi.roster.syncs.rules.plan import Existing, next_basis

_AT_A_TIME = 2_000


def everybody(tx: ReadTx) -> Iterator[Existing]:
    """Withdrawn members included, by id; a few thousand at a time, so that memory stays flat."""
    columns = (
        Member.id,
        Member.name,
        Member.name_key,
        Member.display_order,
        Member.role,
        Member.line_user_id,
        Member.is_target,
        Member.email,
        Member.withdrawn_at,
    )
    statement = select(*columns).order_by(Member.id).execution_options(yield_per=_AT_A_TIME)
    return (Existing._make(row) for row in tx.execute(statement))


def basis(tx: ReadTx) -> int:
    found = 0
    for member in everybody(tx):
        found = next_basis(found, member)
    return found


def with_little_memory(tx: ReadTx) -> None:
    """SQLite would keep a whole roster in its cache. A sync walks through it from end to end, which gains nothing."""
    if tx.dialect == "sqlite":
        tx.execute(text("PRAGMA cache_size=-4000"))


def is_empty(tx: ReadTx) -> bool:
    return bool(tx.scalar(select(func.count()).select_from(select(Member.id).limit(1).subquery())) == 0)
