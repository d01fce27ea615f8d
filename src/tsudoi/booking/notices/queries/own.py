"""The notices about a reservation as its owner sees them."""

from sqlalchemy import select

from tsudoi.booking.notices.queries.mails import mails_in_place_of_notices
from tsudoi.booking.notices.rules.mails import mail_status
from tsudoi.booking.notices.rules.own import told
from tsudoi.booking.notices.schemas import OwnNotice
from tsudoi.booking.reservations.queries.reservations import own_row
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.notices.models import NotificationJob


def own_notice(tx: ReadTx, reservation_id: int, staff_uid: str) -> OwnNotice:
    """Of the current revision: notices about an earlier time say nothing about the one that counts."""
    row, job = own_row(tx, reservation_id, staff_uid), NotificationJob
    of_now = (job.reservation_id == reservation_id, job.revision == row.revision)
    jobs = {one.kind: one for one in tx.execute(select(job.kind, job.status, job.scheduled_at).where(*of_now))}
    found = mails_in_place_of_notices(tx, [reservation_id])
    mails = {mail.kind: mail_status(mail) for mail in found if mail.revision == row.revision}
    coming = [one.scheduled_at for one in jobs.values() if one.kind == "REMINDER" and one.status == "PENDING"]
    coming += [mail.due_at for mail in found if mail.kind == "REMINDER" and mails.get("REMINDER") == "PENDING"]
    confirmation = jobs.get("CONFIRMATION")
    return OwnNotice(
        told=told(confirmation and confirmation.status, mails.get("CONFIRMATION")),
        remind_at=coming[-1] if coming else None,
    )
