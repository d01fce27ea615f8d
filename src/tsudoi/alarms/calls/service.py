from datetime import timedelta

from tsudoi.core.db.interface import Tx
from tsudoi.core.forgetting import delete_some
from tsudoi.alarms.system_events.models import SysEvent

KEPT_EVENTS = timedelta(days=400)


def forget_old_events(tx: Tx) -> int:
    """Delete some of the old ones. They are for comparing a year with the one before."""
    return delete_some(tx, SysEvent, SysEvent.occurred_at_utc < tx.now - KEPT_EVENTS)
