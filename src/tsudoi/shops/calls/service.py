from datetime import timedelta

from sqlalchemy import Text, delete, literal, type_coerce

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.gateway.models import ApiCallLog
from tsudoi.shops.system_events.models import SysEvent

KEPT_CALLS = timedelta(days=60)
KEPT_EVENTS = timedelta(days=400)


def forget_old_calls(tx: Tx) -> None:
    """The calls are for finding a trouble, and the events for comparing a year with the one before."""
    for column, kept in ((ApiCallLog.created_at_utc, KEPT_CALLS), (SysEvent.occurred_at_utc, KEPT_EVENTS)):
        oldest = literal(utc_text(tx.now - kept), Text)
        tx.execute(delete(column.class_).where(type_coerce(column, Text) < oldest))
