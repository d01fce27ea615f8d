"""How old the last backup is. `tsudoi backup` notes its time in the database that it copied."""

from datetime import datetime, timedelta

from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.heartbeats import BACKUP
from tsudoi.core.installation import is_held
from tsudoi.core.models import Heartbeat
from tsudoi.core.settings import Settings


def last_backup(tx: ReadTx) -> datetime | None:
    found: datetime | None = tx.scalar(select(Heartbeat.at).where(Heartbeat.name == BACKUP))
    return found


def backup_gauges(tx: ReadTx) -> dict[str, float]:
    """For `/metrics`: whether a restored copy sends nothing, and the age of the backup.

    Without a backup there is no age, which an alarm can watch for as well.
    """
    last, held = last_backup(tx), {"tsudoi_send_nothing": float(is_held(tx))}
    return held if last is None else {**held, "tsudoi_backup_age_seconds": (tx.now - last).total_seconds()}


def backup_overdue(settings: Settings, last: datetime | None, now: datetime) -> bool:
    """The demo has nothing that anybody would miss."""
    if settings.tsudoi_demo:
        return False
    return last is None or now - last > timedelta(hours=settings.backup_warn_hours)
