"""When each background loop was last alive."""

from datetime import datetime, timedelta

from tsudoi.core.clock import DATABASE_TIME, Clock, SystemClock, require_right_clock
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.db.upsert import upsert
from tsudoi.core.forgetting import delete_some
from tsudoi.core.models import Heartbeat

# When the last backup was made. It is no loop, but it is read in the same way: by every process, in the database.
BACKUP = "backup"


def forget_old(tx: Tx, kept_for: timedelta = timedelta(days=90)) -> int:
    """Delete some of the loops that no process has any more. The last backup stays, however long ago it was."""
    return delete_some(tx, Heartbeat, Heartbeat.at < tx.now - kept_for, Heartbeat.name != BACKUP)


_DATABASE_TIME = {dialect: RawSql(sql) for dialect, sql in DATABASE_TIME.items()}


def require_database_clock(tx: ReadTx, clock: Clock) -> None:
    """Raises `WrongClock` if a sender's clock and that of the database differ. A clock of a test is not compared."""
    if isinstance(clock, SystemClock):
        row = _DATABASE_TIME[tx.dialect].first(tx, {})
        require_right_clock(clock.now(), None if row is None else row[0], tx.dialect)


def beat(tx: Tx, name: str, at: datetime | None = None) -> None:
    """Note that this loop was alive, now or at the given moment."""
    at = at or tx.now
    statement = upsert(tx, Heartbeat).values(name=name, at=at)
    tx.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"at": at}))
