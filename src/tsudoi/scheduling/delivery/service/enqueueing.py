"""Writes messages in the transaction that decides them. Nothing goes out here."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Text, cast, select, update

from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.outbox.table import PENDING
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.mail import MailConfig
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.rules.drafts import MailDraft
from tsudoi.notifications.mails.service import enqueue_all
from tsudoi.roster.telephone.service import add_calls
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.queries.people import addressees, announced_thread, reminders_of_day
from tsudoi.scheduling.delivery.rules.channels import Way, ways_to
from tsudoi.scheduling.delivery.rules.composing import compose
from tsudoi.scheduling.delivery.rules.jobs import job_data, job_id
from tsudoi.scheduling.delivery.rules.messages import (
    Addressee,
    AnnouncedThread,
    Announcement,
    ComposedMessage,
    MessageSettings,
    ToldPerson,
)
from tsudoi.scheduling.delivery.service.calling import told_otherwise, wanted_call
from tsudoi.scheduling.thread.rules.links import ThreadLinks

TABLE = "thread_messages"
# What a mail about a thread is about (`mail_messages.subject_kind`).
THREAD_MESSAGE = "thread_message"
MAILED, CALL = "MAILED", "CALL"
_STATES = {"line": PENDING, "mail": MAILED, "call": CALL}


@dataclass(frozen=True, slots=True)
class PreparedMessage:
    """A message to one person before it is written."""

    job_id: str
    person: Addressee
    way: Way
    composed: ComposedMessage


@lru_cache(maxsize=8)
def message_settings(settings: Settings) -> MessageSettings:
    mail = MailConfig.of(settings)
    return MessageSettings(
        links=ThreadLinks(settings.public_base_url, settings.liff_base, settings.liff_id),
        organisation=settings.organisation_name,
        mail_host=settings.mail_host,
        mail_is_on=mail is not None,
        line_is_on=settings.line_channel_access_token is not None,
        mail_address=mail.sender_address if mail else "",
    )


def tell(
    tx: Tx,
    common: MessageSettings,
    thread_id: str,
    announcement: Announcement,
    keys: Collection[str] | None = None,
    line_room: int | None = None,
) -> list[ToldPerson]:
    """Write a message to each of these people, or to everybody who is invited. Returns those who get a new one.

    The same message is written once: who was told before is left out. A draft's people are never told. `line_room`:
    what LINE's monthly limit leaves; who gets no place in it gets a mail.
    """
    thread = announced_thread(tx, thread_id)
    if thread is None or thread.status == "draft":
        return []
    return write_messages(tx, common, thread, announcement, addressees(tx, thread_id, keys), line_room)


def write_messages(
    tx: Tx,
    common: MessageSettings,
    thread: AnnouncedThread,
    announcement: Announcement,
    people: Sequence[Addressee],
    line_room: int | None = None,
) -> list[ToldPerson]:
    """As `tell`, for people who have been read already."""
    reminds, answers = announcement.kind == "reminder", announcement.kind == "late"
    earlier = reminders_of_day(tx, thread.id, jst_date(tx.now)) if reminds else {}
    prepared: list[PreparedMessage] = []
    for person, way in ways_to(people, common, line_room):
        # Who can only be called is reminded by the office, and the board says so beside the invitation. Who has just
        # answered knows the date, from the page or from the office on the telephone.
        if not ((reminds or answers) and way.channel == "call"):
            name = job_id(thread, person, announcement, jst_date(tx.now), earlier.get(person.invite_id, 0))
            composed = compose(common, thread, person, announcement, tx.now)
            prepared.append(PreparedMessage(name, person, way, composed))
    return _write(tx, common, thread, announcement, prepared)


def _write(
    tx: Tx,
    common: MessageSettings,
    thread: AnnouncedThread,
    announcement: Announcement,
    prepared: Sequence[PreparedMessage],
) -> list[ToldPerson]:
    if not prepared:
        return []
    rows = [_row(tx, common, thread, announcement, one) for one in prepared]
    statement = upsert(tx, ThreadMessage).on_conflict_do_nothing().returning(ThreadMessage.job_id, ThreadMessage.id)
    new = {row.job_id: row.id for row in tx.execute(statement, rows)}
    told = [one for one in prepared if one.job_id in new]
    mailed = [one for one in told if one.way.channel == "mail"]
    enqueue_all(
        tx, [mail_draft(common, announcement.kind, new[one.job_id], one.person, one.composed) for one in mailed]
    )
    link_mails(tx, [new[one.job_id] for one in mailed])
    calls = [one for one in told if one.way.channel == "call"]
    told_otherwise(tx, thread.id, {one.person.invitee_key for one in told if one.way.channel != "call"})
    add_calls(tx, [wanted_call(thread, one.person, announcement, one.job_id, one.way.why) for one in calls])
    tx.enqueued.extend((TABLE, new[one.job_id]) for one in told)
    return [ToldPerson(one.person.invitee_key, one.way.channel) for one in told]


def _row(
    tx: Tx, common: MessageSettings, thread: AnnouncedThread, announcement: Announcement, one: PreparedMessage
) -> dict[str, Any]:
    by_line = one.way.channel == "line"
    return {
        "job_id": one.job_id,
        "type": announcement.kind,
        "thread_id": thread.id,
        "invite_id": one.person.invite_id,
        "invitee_key": one.person.invitee_key,
        "channel": one.way.channel,
        "to": one.person.address,
        "subject": one.composed.subject,
        "data": job_data(common, thread, one.person, announcement, one.composed),
        "line_user_id": one.person.line_user_id if by_line else None,
        "messages": [{"type": "text", "text": one.composed.line_text}] if by_line else None,
        "retry_key": str(uuid.uuid4()),
        "not_by_line": one.way.why,
        "reminder_day": jst_date(tx.now) if announcement.kind == "reminder" else None,
        "status": _STATES[one.way.channel],
        # The push log has lines of what LINE was asked to send, and of nothing else.
        "logged": not by_line,
        "due_at": tx.now,
        "created_at": tx.now,
        "updated_at": tx.now,
    }


def mail_draft(
    common: MessageSettings, kind: str, message_id: int, person: Addressee, composed: ComposedMessage
) -> MailDraft:
    return MailDraft(
        purpose=kind,
        subject_kind=THREAD_MESSAGE,
        subject_id=str(message_id),
        to_address=person.address,
        subject=composed.subject,
        text=composed.mail_text,
        html=composed.html,
        calendar=composed.calendar,
        unsubscribe_url=common.links.unsubscribe(person.token),
        host=common.mail_host,
    )


def link_mails(tx: Tx, message_ids: Sequence[int]) -> None:
    """Note with each message which mail it is."""
    row, mail = ThreadMessage, MailMessage
    own = select(mail.id).where(mail.subject_kind == THREAD_MESSAGE, mail.subject_id == cast(row.id, Text))
    if message_ids:
        linked = update(row).where(row.id.in_(message_ids)).values(mail_id=own.correlate(row).scalar_subquery())
        tx.execute(linked.execution_options(synchronize_session=False))
