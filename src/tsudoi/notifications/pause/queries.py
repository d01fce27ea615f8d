from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql

_PAUSED = RawSql("SELECT 1 FROM notification_pauses WHERE going_on = 1")


def is_paused(tx: ReadTx) -> bool:
    return _PAUSED.first(tx, {}) is not None
