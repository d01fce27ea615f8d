from sqlalchemy import update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.notifications.pause.models import NotificationPause


def pause(tx: Tx, reason: str, actor: str) -> None:
    """Nothing is sent from the next step of a sender on. A second pause changes nothing."""
    values = {"going_on": 1, "paused_at": tx.now, "paused_by": actor, "reason": reason}
    statement = upsert(tx, NotificationPause).values(values).on_conflict_do_nothing(index_elements=["going_on"])
    if tx.scalar(statement.returning(NotificationPause.id)) is not None:
        audit.record(tx, actor, "NOTICE_PAUSE", "notices", reason=reason)


def resume(tx: Tx, reason: str, actor: str) -> None:
    """What was held back is sent by the next run, unless its time is over. Without a pause nothing changes."""
    ended = {"going_on": None, "resumed_at": tx.now, "resumed_by": actor}
    going_on = update(NotificationPause).where(NotificationPause.going_on == 1)
    if tx.execute(going_on.values(ended)).rowcount:
        audit.record(tx, actor, "NOTICE_RESUME", "notices", reason=reason)
