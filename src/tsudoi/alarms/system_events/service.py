from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import insert

from tsudoi.alarms.system_events.models import SysEvent
from tsudoi.core.db.interface import Tx
from tsudoi.core.forgetting import delete_some

KEPT_EVENTS = timedelta(days=400)


def note_event(tx: Tx, event_type: str, channel: str | None, shop_id: int | None, payload: Mapping[str, Any]) -> None:
    """The payload holds ids and codes, and no personal data."""
    tx.execute(
        insert(SysEvent).values(
            occurred_at_utc=tx.now, event_type=event_type, channel=channel, shop_id=shop_id, payload_json=dict(payload)
        )
    )


def forget_old_events(tx: Tx) -> int:
    """Delete some of the old ones. They are for comparing a year with the one before."""
    return delete_some(tx, SysEvent, SysEvent.occurred_at_utc < tx.now - KEPT_EVENTS)
