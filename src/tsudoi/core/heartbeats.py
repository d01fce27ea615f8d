"""When each background loop was last alive."""

from datetime import datetime

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql

_BEAT = RawSql(
    "INSERT INTO heartbeats (name, at) VALUES (:name, :at) ON CONFLICT (name) DO UPDATE SET at = excluded.at"
)


def beat(tx: Tx, name: str, at: datetime | None = None) -> None:
    """Note that this loop was alive, now or at the given moment."""
    _BEAT.changed(tx, {"name": name, "at": utc_text(at or tx.now)})
