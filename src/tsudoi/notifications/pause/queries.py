from sqlalchemy import exists, select

from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.pause.models import NotificationPause
from tsudoi.notifications.pause.schemas import PauseItem

# For statements about what has to wait: whether the office has paused what goes out about reservations.
PAUSED = exists().select_from(NotificationPause).where(NotificationPause.going_on == 1)
_PAUSED = RawSql("SELECT 1 FROM notification_pauses WHERE going_on = 1")


def is_paused(tx: ReadTx) -> bool:
    return _PAUSED.first(tx, {}) is not None


def current_pause(tx: ReadTx) -> PauseItem | None:
    row = tx.execute(select(NotificationPause).where(NotificationPause.going_on == 1)).mappings().first()
    if row is None:
        return None
    return PauseItem(paused_at=display(row["paused_at"]), paused_by=row["paused_by"], reason=row["reason"])
