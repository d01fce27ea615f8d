"""The office decides a reminder: it is stored with its recipients, messages and retry keys before anything is sent."""

import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select, update

from tsudoi.booking.coverage_reminders import queries, rules
from tsudoi.booking.coverage_reminders.errors import NobodyMissing
from tsudoi.booking.coverage_reminders.models import CoverageReminder, CoverageReminderRecipient
from tsudoi.booking.coverage_reminders.rules import MissingPerson
from tsudoi.booking.coverage_reminders.schemas import ReminderQuestion, ReminderQueued
from tsudoi.core import audit
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.outbox.table import FAILED, PENDING
from tsudoi.line.delivery.rules import QUOTA


@dataclass(frozen=True, slots=True)
class ReminderPlan:
    """What a reminder would be at this moment."""

    period_key: str
    text: str
    link: str
    messages: list[dict[str, Any]]
    reached: list[MissingPerson]
    unreachable: list[MissingPerson]


def plan(tx: ReadTx, asked: ReminderQuestion, public_base_url: str) -> ReminderPlan:
    type_name = queries.type_to_remind_of(tx, asked.reservation_type_id).name
    key = queries.period_of(tx, asked)
    people = queries.missing_people(tx, asked, key)
    text = asked.text or rules.default_text(type_name)
    link = rules.portal_link(public_base_url, asked.reservation_type_id)
    return ReminderPlan(
        period_key=key,
        text=text,
        link=link,
        messages=rules.messages(text, link),
        reached=[person for person in people if person.why_not is None],
        unreachable=[person for person in people if person.why_not is not None],
    )


def remind(tx: Tx, asked: ReminderQuestion, public_base_url: str, quota_left: int | None, actor: str) -> ReminderQueued:
    """Store a reminder. `quota_left`: how many messages LINE's monthly limit leaves; the first recipients get them.

    A person whom another request reminds of the same type on the same day falls out by the unique index.
    """
    planned = plan(tx, asked, public_base_url)
    if not planned.reached:
        raise NobodyMissing
    reminder = insert(CoverageReminder).values(
        reservation_type_id=asked.reservation_type_id,
        period_key=planned.period_key,
        department_id=asked.department_id,
        text=planned.text,
        messages=planned.messages,
        recipients=0,
        unreachable=len(planned.unreachable),
        created_by=actor,
        created_at=tx.now,
    )
    reminder_id: int = tx.scalar(reminder.returning(CoverageReminder.id))
    fits = len(planned.reached) if quota_left is None else quota_left
    _enqueue(tx, reminder_id, asked.reservation_type_id, planned.reached, fits)
    people, kept_back = _counts(tx, reminder_id)
    if people == 0:
        raise NobodyMissing
    tx.execute(update(CoverageReminder).where(CoverageReminder.id == reminder_id).values(recipients=people))
    new = {"period_key": planned.period_key, "department_id": asked.department_id, "people": people}
    audit.record(tx, actor, "COVERAGE_REMIND", f"reservation_type:{asked.reservation_type_id}", new=new)
    return ReminderQueued(id=reminder_id, recipients=people, kept_back=kept_back, unreachable=len(planned.unreachable))


def _enqueue(tx: Tx, reminder_id: int, type_id: int, people: list[MissingPerson], fits: int) -> None:
    common = {"reminder_id": reminder_id, "reservation_type_id": type_id, "due_at": tx.now, "updated_at": tx.now}
    waiting = {"status": PENDING, "last_error": None, "reminder_day": jst_date(tx.now)}
    kept_back = {"status": FAILED, "last_error": QUOTA, "reminder_day": None}
    rows = [
        {
            **common,
            **(waiting if number < fits else kept_back),
            "staff_uid": person.staff_uid,
            "line_user_id": person.line_user_id,
            "retry_key": str(uuid.uuid4()),
        }
        for number, person in enumerate(people)
    ]
    if rows:
        tx.execute(upsert(tx, CoverageReminderRecipient).on_conflict_do_nothing(), rows)


def _counts(tx: Tx, reminder_id: int) -> tuple[int, int]:
    """How many recipients there are, and how many of them LINE's monthly limit keeps back."""
    states = select(CoverageReminderRecipient.status, func.count().label("people"))
    of_reminder = states.where(CoverageReminderRecipient.reminder_id == reminder_id)
    found = {row.status: row.people for row in tx.execute(of_reminder.group_by(CoverageReminderRecipient.status))}
    return sum(found.values()), found.get(FAILED, 0)
