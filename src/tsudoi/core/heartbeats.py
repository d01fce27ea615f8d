"""When each background loop was last alive."""

from datetime import datetime

from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.models import Heartbeat


def beat(tx: Tx, name: str, at: datetime | None = None) -> None:
    """Note that this loop was alive, now or at the given moment."""
    at = at or tx.now
    statement = upsert(tx, Heartbeat).values(name=name, at=at)
    tx.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"at": at}))
