"""Five failures in a row lock a name, for ten minutes unless the caller says otherwise.

An attempt is counted in one statement before the slow hash is computed, so that a thousand parallel guesses cost five
hashes only.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, case, delete, literal, null, or_

from tsudoi.core.clock import TOLERATED
from tsudoi.core.columns import UtcText
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.forgetting import delete_some
from tsudoi.core.models import Lockout

FAILURES_ALLOWED = 5
LOCKED_FOR = timedelta(minutes=10)
_FORGOTTEN_AFTER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class AttemptCheck:
    """Whether an attempt may go on, and until when its name is locked."""

    admitted: bool
    locked_until: datetime | None


def count_attempt(
    tx: Tx, key: str, locked_for: timedelta = LOCKED_FOR, forgotten_after: timedelta = _FORGOTTEN_AFTER
) -> AttemptCheck:
    """Count this attempt as a failure; `clear` removes it after a success. The fifth one sets the lock."""
    # A lock that is longer than any lock was set by a clock that was wrong.
    too_long = Lockout.locked_until > tx.now + locked_for + TOLERATED
    lock_over = and_(Lockout.locked_until.is_not(None), or_(Lockout.locked_until <= tx.now, too_long))
    stale = and_(Lockout.locked_until.is_(None), Lockout.updated_at <= tx.now - forgotten_after)
    afresh = or_(lock_over, stale)
    failures = case((afresh, 1), else_=Lockout.failures + 1)
    locks = case(
        (afresh, null()),
        (Lockout.failures + 1 == FAILURES_ALLOWED, literal(tx.now + locked_for, UtcText())),
        else_=Lockout.locked_until,
    )
    statement = upsert(tx, Lockout).values(key=key, failures=1, locked_until=None, updated_at=tx.now)
    row = tx.execute(
        statement.on_conflict_do_update(
            index_elements=["key"], set_={"failures": failures, "locked_until": locks, "updated_at": tx.now}
        ).returning(Lockout.failures, Lockout.locked_until)
    ).one()
    return AttemptCheck(row.failures <= FAILURES_ALLOWED, row.locked_until)


def clear(tx: Tx, key: str) -> None:
    """Forget the failures, because the attempt succeeded."""
    tx.execute(delete(Lockout).where(Lockout.key == key))


def clear_all(tx: Tx, prefix: str) -> int:
    """Forget the failures of every key that begins so, and return how many keys were locked."""
    ours = Lockout.key.startswith(prefix, autoescape=True)
    locked = tx.execute(delete(Lockout).where(ours, Lockout.locked_until > tx.now)).rowcount
    tx.execute(delete(Lockout).where(ours))
    return locked


def forget_old(tx: Tx, prefix: str = "admin:", kept_for: timedelta = timedelta(days=2)) -> int:
    """Delete some of the rows whose keys begin with `prefix` and that nobody has tried for so long."""
    old = Lockout.updated_at < tx.now - kept_for
    return delete_some(tx, Lockout, Lockout.key.startswith(prefix, autoescape=True), old)
