"""What the people of the demo's hospital were told about their reservations, and what they will be told."""

import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert, select

from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.slots.rules import begins_at
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.notices.models import NotificationJob, NotificationSkip
from tsudoi.notifications.notices.rules.making import REMINDED_BEFORE, Appointment, Kind
from tsudoi.notifications.notices.service.making import linked as remind

# How long it took until LINE had a notice.
_TAKEN = timedelta(seconds=8)

Row = dict[str, Any]


def make_notices(tx: Tx) -> None:
    """Everything that was due is sent to those with LINE; the others have a note why they were not told."""
    made = tx.execute(select(*Reservation.__table__.c)).all()
    accounts = tx.execute(select(StaffAccount.staff_uid, StaffAccount.line_user_id))
    line_user = {row.staff_uid: row.line_user_id for row in accounts if row.line_user_id}
    without = [row for row in made if row.staff_uid not in line_user]
    tx.execute(insert(NotificationSkip), [skip for row in without for skip in _skips(row)])
    with_line = [row for row in made if row.staff_uid in line_user]
    sent = [job for row in with_line for job in _sent(row, line_user[row.staff_uid], tx.now)]
    tx.execute(insert(NotificationJob), sent)
    ahead = [row for row in with_line if row.canceled_at is None and _begins(row) - REMINDED_BEFORE > tx.now]
    remind(tx, [Appointment(row.id, row.revision, _begins(row), linked=True) for row in ahead])


def _begins(row: Any) -> datetime:
    return begins_at(row.service_date_local, row.start_minute_of_day)


def _skips(row: Any) -> Iterator[Row]:
    """These people have no LINE. Whether a mail goes out in its place was decided long ago."""
    kinds: tuple[Kind, ...] = ("CONFIRMATION", "REMINDER", *(("CANCEL_COMPLETED",) if row.canceled_at else ()))
    for kind in kinds:
        key = {"reservation_id": row.id, "kind": kind, "revision": row.revision}
        yield {**key, "reason": "NO_LINE_LINK", "at": row.created_at, "mail_decided": 1}


def _sent(row: Any, line_user_id: str, now: datetime) -> Iterator[Row]:
    yield _job(row, "CONFIRMATION", row.created_at, line_user_id)
    if row.canceled_at is not None:
        yield _job(row, "CANCEL_COMPLETED", row.canceled_at, line_user_id)
    elif _begins(row) - REMINDED_BEFORE <= now:
        yield _job(row, "REMINDER", _begins(row) - REMINDED_BEFORE, line_user_id)


def _job(row: Any, kind: Kind, at: datetime, line_user_id: str) -> Row:
    return {
        "reservation_id": row.id,
        "kind": kind,
        "revision": row.revision,
        "status": "SENT",
        "scheduled_at": at,
        "created_at": row.created_at if kind != "CANCEL_COMPLETED" else at,
        "updated_at": at + _TAKEN,
        "first_attempt_at": at,
        "claim_count": 1,
        "retry_key": str(uuid.uuid4()),
        "line_user_id": line_user_id,
    }
