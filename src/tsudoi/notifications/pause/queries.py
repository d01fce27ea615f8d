from sqlalchemy import exists, select

from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.installation import is_held
from tsudoi.core.models import Installation
from tsudoi.notifications.pause.models import NotificationPause
from tsudoi.notifications.pause.schemas import PauseItem

# For statements about what has to wait: whether the office has paused what goes out about reservations.
PAUSED = exists().select_from(NotificationPause).where(NotificationPause.going_on == 1)
_PAUSED = RawSql("SELECT 1 FROM notification_pauses WHERE going_on = 1")
# A restored copy is not resumed in the console: who restored it knows whether the original still runs.
_HELD_REASON = "復元したコピーです。運用の担当者が tsudoi confirm-copy で確認するまで、何も送りません。"


def is_paused(tx: ReadTx) -> bool:
    """By the office, or because the database is a restored copy that nobody has confirmed."""
    return _PAUSED.first(tx, {}) is not None or is_held(tx)


def current_pause(tx: ReadTx) -> PauseItem | None:
    if is_held(tx):
        restored_at = tx.scalar(select(Installation.made_at_utc))
        return PauseItem(paused_at=display(restored_at), paused_by="システム（復元）", reason=_HELD_REASON)
    row = tx.execute(select(NotificationPause).where(NotificationPause.going_on == 1)).mappings().first()
    if row is None:
        return None
    return PauseItem(paused_at=display(row["paused_at"]), paused_by=row["paused_by"], reason=row["reason"])
