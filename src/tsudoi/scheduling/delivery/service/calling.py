"""The people of threads whom the office has to call: they stand on the telephone list (`roster/telephone`)."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, literal, or_, select

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.table import FAILED
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.roster.telephone.models import TelephoneCall
from tsudoi.roster.telephone.service import WantedCall, add_calls, close_calls
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.queries.people import addressees, announced_thread
from tsudoi.scheduling.delivery.rules.jobs import announcement_of
from tsudoi.scheduling.delivery.rules.messages import ASKING, Addressee, AnnouncedThread, Announcement
from tsudoi.scheduling.delivery.rules.words import spoken_news, title_of

# The kind of these calls (`telephone_calls.kind`).
THREAD_CALL = "thread"
_MEMBER = "lm:"
# Older messages are no news any more.
_LOOK_BACK = timedelta(days=60)
_AT_A_TIME = 500
_MAIL_FAILED = "メールを送れませんでした"


def wanted_call(
    thread: AnnouncedThread, person: Addressee, announcement: Announcement, job_id: str, why: str | None
) -> WantedCall:
    """`job_id`: of the message that does not reach the person."""
    key = person.invitee_key
    return WantedCall(
        kind=THREAD_CALL,
        subject_id=thread.id,
        person_key=key,
        ref=job_id,
        title=title_of(thread),
        name=person.name,
        why=why or "",
        text=spoken_news(thread, person, announcement),
        member_id=int(key.removeprefix(_MEMBER)) if person.is_member and key.startswith(_MEMBER) else None,
        until_at=_until(thread, announcement),
    )


def told_otherwise(tx: Tx, thread_id: str, keys: Collection[str]) -> None:
    """These people get a newer message by LINE or mail, so nobody has to call them about an older one."""
    if keys:
        close_calls(tx, THREAD_CALL, thread_id, "told_otherwise", keys)


def call_unreached(tx: Tx) -> int:
    """Put on the list whose newest message was given up later: a mail that no server took. Returns how many."""
    rows = tx.execute(_unreached(tx)).all()
    by_thread = dict[str, list[Any]]()
    for row in rows:
        by_thread.setdefault(row.thread_id, []).append(row)
    return add_calls(tx, [call for thread_id, some in by_thread.items() for call in _calls(tx, thread_id, some)])


def _calls(tx: Tx, thread_id: str, rows: Iterable[Any]) -> list[WantedCall]:
    thread = announced_thread(tx, thread_id)
    wanted = {row.invitee_key: row for row in rows}
    if thread is None:
        return []
    return [
        wanted_call(thread, person, announcement_of(row.type, row.data), row.job_id, row.not_by_line or _MAIL_FAILED)
        for person in addressees(tx, thread_id, wanted.keys())
        if (row := wanted[person.invitee_key]).type not in ASKING or person.answer == "pending"
    ]


def _unreached(tx: Tx) -> Any:
    message, mail, newer = ThreadMessage, MailMessage, ThreadMessage.__table__.alias("newer")
    known = select(TelephoneCall.id).where(TelephoneCall.ref == literal(f"{THREAD_CALL}:") + message.job_id)
    overtaken = select(newer.c.id).where(
        newer.c.thread_id == message.thread_id,
        newer.c.invitee_key == message.invitee_key,
        newer.c.id > message.id,
        newer.c.status != "CALLED_OFF",
    )
    gone: ColumnElement[bool] = or_(message.status == "CALL", and_(message.channel == "mail", mail.status == FAILED))
    return (
        select(message.thread_id, message.invitee_key, message.job_id, message.type, message.data, message.not_by_line)
        .outerjoin(mail, mail.id == message.mail_id)
        .where(gone, message.created_at > tx.now - _LOOK_BACK, ~known.exists(), ~overtaken.exists())
        .order_by(message.id)
        .limit(_AT_A_TIME)
    )


def _until(thread: AnnouncedThread, announcement: Announcement) -> datetime | None:
    """When it is too late to help: the date that was decided, or the last one that can be."""
    if announcement.kind not in (*ASKING, "reopened") and thread.final_slot is not None:
        return thread.final_slot.ends_at
    asked = [slot for slot in thread.slots if not announcement.slot_ids or slot.slot_id in announcement.slot_ids]
    return max((slot.starts_at for slot in asked), default=None)
