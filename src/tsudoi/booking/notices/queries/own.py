"""The notices about a reservation as its owner sees them."""

from typing import Any

from sqlalchemy import select

from tsudoi.booking.notices.schemas import OwnNotice
from tsudoi.booking.reservations.queries.reservations import own_row
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.notices.models import NotificationJob

_TOLD = {"SENT", "PENDING", "FAILED"}


def own_notice(tx: ReadTx, reservation_id: int, staff_uid: str) -> OwnNotice:
    """Of the current revision: notices about an earlier time say nothing about the one that counts."""
    row = own_row(tx, reservation_id, staff_uid)
    of_now = (NotificationJob.reservation_id == reservation_id, NotificationJob.revision == row.revision)
    jobs = select(NotificationJob.kind, NotificationJob.status, NotificationJob.scheduled_at).where(*of_now)
    found: dict[str, Any] = {job.kind: job for job in tx.execute(jobs)}
    confirmation, reminder = found.get("CONFIRMATION"), found.get("REMINDER")
    told = confirmation.status if confirmation is not None and confirmation.status in _TOLD else None
    comes = reminder is not None and reminder.status == "PENDING"
    return OwnNotice(told=told, remind_at=reminder.scheduled_at if comes else None)
