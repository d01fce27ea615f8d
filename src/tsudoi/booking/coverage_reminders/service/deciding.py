"""The office decides a reminder: it is stored with its recipients, messages and retry keys before anything is sent."""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select, update

from tsudoi.booking.coverage_reminders import queries, rules
from tsudoi.booking.coverage_reminders.errors import NobodyMissing
from tsudoi.booking.coverage_reminders.models import CoverageReminder, CoverageReminderRecipient
from tsudoi.booking.coverage_reminders.rules import MissingPerson, ReminderChannel, SharedOut
from tsudoi.booking.coverage_reminders.schemas import ReminderQuestion, ReminderQueued, ReminderWays
from tsudoi.core import audit
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.outbox.table import FAILED, PENDING
from tsudoi.line.delivery.rules import QUOTA
from tsudoi.notifications.mails.rules.drafts import MailDraft
from tsudoi.notifications.mails.service import COVERAGE_REMINDER, enqueue_all


@dataclass(frozen=True, slots=True)
class ReminderFrame:
    """What a reminder needs of the settings. `mail_is_on`: whether a mail server is set up."""

    public_base_url: str
    mail_host: str
    mail_is_on: bool


@dataclass(frozen=True, slots=True)
class ReminderPlan:
    """What a reminder would be at this moment."""

    type_name: str
    period_key: str
    text: str
    link: str
    messages: list[dict[str, Any]]
    channels: Sequence[ReminderChannel]
    # Everybody who has not booked.
    people: list[MissingPerson]

    def shared_out(self, line_room: int | None = None) -> SharedOut:
        return rules.share_out(self.people, self.channels, line_room)


def plan(tx: ReadTx, asked: ReminderQuestion, frame: ReminderFrame) -> ReminderPlan:
    found = queries.type_to_remind_of(tx, asked.reservation_type_id)
    key = queries.period_of(tx, asked)
    text = asked.text or rules.default_text(found.name)
    link = rules.portal_link(frame.public_base_url, asked.reservation_type_id)
    return ReminderPlan(
        type_name=found.name,
        period_key=key,
        text=text,
        link=link,
        messages=rules.messages(text, link),
        channels=asked.channels or (("line", "mail") if found.mail_fallback else ("line",)),
        people=queries.missing_people(tx, asked, key, mail_is_on=frame.mail_is_on),
    )


def remind(tx: Tx, asked: ReminderQuestion, frame: ReminderFrame, quota_left: int | None, actor: str) -> ReminderQueued:
    """Store a reminder. `quota_left`: how many messages LINE's monthly limit leaves; the first recipients get them.

    A person whom another request reminds of the same type on the same day falls out by the unique index.
    """
    planned = plan(tx, asked, frame)
    shared = planned.shared_out(quota_left)
    if not (shared.line or shared.mail or shared.kept_back):
        raise NobodyMissing
    reminder = insert(CoverageReminder).values(
        reservation_type_id=asked.reservation_type_id,
        period_key=planned.period_key,
        department_id=asked.department_id,
        text=planned.text,
        messages=planned.messages,
        recipients=0,
        unreachable=len(shared.unreachable),
        created_by=actor,
        created_at=tx.now,
    )
    reminder_id: int = tx.scalar(reminder.returning(CoverageReminder.id))
    _enqueue(tx, reminder_id, asked.reservation_type_id, shared)
    _write_mails(tx, reminder_id, planned, shared.mail, frame)
    counts = _counts(tx, reminder_id)
    people = sum(counts.values())
    if people == 0:
        raise NobodyMissing
    tx.execute(update(CoverageReminder).where(CoverageReminder.id == reminder_id).values(recipients=people))
    by_channel = ReminderWays(line=counts["line", PENDING], mail=counts["mail", PENDING], phone=shared.phone)
    ways = by_channel.model_dump()
    new = {"period_key": planned.period_key, "department_id": asked.department_id, "people": people, **ways}
    audit.record(tx, actor, "COVERAGE_REMIND", f"reservation_type:{asked.reservation_type_id}", new=new)
    return ReminderQueued(
        id=reminder_id,
        recipients=people,
        kept_back=counts["line", FAILED],
        unreachable=len(shared.unreachable),
        by_channel=by_channel,
    )


def _enqueue(tx: Tx, reminder_id: int, type_id: int, shared: SharedOut) -> None:
    common = {"reminder_id": reminder_id, "reservation_type_id": type_id, "due_at": tx.now, "updated_at": tx.now}
    waiting = {**common, "status": PENDING, "last_error": None, "reminder_day": jst_date(tx.now)}
    kept_back = {**common, "status": FAILED, "last_error": QUOTA, "reminder_day": None}
    ways = (("line", waiting, shared.line), ("mail", waiting, shared.mail), ("line", kept_back, shared.kept_back))
    rows = [
        {
            **values,
            "channel": channel,
            "staff_uid": person.staff_uid,
            "line_user_id": person.line_user_id if channel == "line" else None,
            "retry_key": str(uuid.uuid4()),
        }
        for channel, values, people in ways
        for person in people
    ]
    if rows:
        tx.execute(upsert(tx, CoverageReminderRecipient).on_conflict_do_nothing(), rows)


def _write_mails(
    tx: Tx, reminder_id: int, planned: ReminderPlan, people: Sequence[MissingPerson], frame: ReminderFrame
) -> None:
    """One mail for each recipient by mail; those who fell out have no row."""
    addresses = {person.staff_uid: person.mail_address for person in people}
    row = CoverageReminderRecipient
    written = select(row.id, row.staff_uid).where(row.reminder_id == reminder_id, row.channel == "mail")
    drafts = [
        MailDraft(
            purpose=COVERAGE_REMINDER,
            subject_kind=rules.MAIL_SUBJECT,
            subject_id=str(one.id),
            to_address=addresses[one.staff_uid] or "",
            subject=rules.mail_subject(planned.type_name),
            text=f"{planned.text}\n\n{planned.link}",
            host=frame.mail_host,
        )
        for one in (tx.execute(written.order_by(row.id)) if people else ())
    ]
    enqueue_all(tx, drafts)


def _counts(tx: Tx, reminder_id: int) -> Counter[tuple[str, str]]:
    """How many recipients there are by channel and state. What LINE's monthly limit keeps back has failed already."""
    row = CoverageReminderRecipient
    states = select(row.channel, row.status, func.count().label("people")).where(row.reminder_id == reminder_id)
    found = tx.execute(states.group_by(row.channel, row.status))
    return Counter({(one.channel, one.status): one.people for one in found})
