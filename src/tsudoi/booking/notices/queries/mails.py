from collections.abc import Collection

from sqlalchemy import func, select

from tsudoi.booking.notices.rules.mails import StoredMail
from tsudoi.core.addresses import masked_address
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.fallback.rules import RESERVATION
from tsudoi.notifications.mails.models import MailMessage


def mails_in_place_of_notices(tx: ReadTx, reservation_ids: Collection[int]) -> list[StoredMail]:
    """The mails about these reservations, the oldest first. At most one for each kind and revision."""
    mail = MailMessage
    wanted = (
        select(
            mail.subject_id,
            mail.purpose,
            mail.revision,
            mail.status,
            mail.to_address,
            mail.due_at,
            func.coalesce(mail.sent_at, mail.updated_at).label("at"),
            mail.last_error,
        )
        .where(mail.subject_kind == RESERVATION, mail.subject_id.in_([str(one) for one in reservation_ids]))
        .order_by(mail.id)
    )
    return [
        StoredMail(
            int(row.subject_id),
            row.purpose,
            row.revision,
            row.status,
            masked_address(row.to_address) or "",
            row.due_at,
            row.at,
            row.last_error,
        )
        for row in tx.execute(wanted)
    ]
