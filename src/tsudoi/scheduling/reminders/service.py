"""Reminds people of a thread: decided and written in one transaction, sent by the worker."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import exists, select, update

from tsudoi.core import audit
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.scheduling.decision.queries import facts_of, lock_thread
from tsudoi.scheduling.decision.rules.evaluating import evaluate
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.queries.people import addressees, announced_thread
from tsudoi.scheduling.delivery.rules.channels import way_to, ways_to
from tsudoi.scheduling.delivery.rules.messages import Addressee, AnnouncedThread, Announcement, MessageSettings
from tsudoi.scheduling.delivery.service.enqueueing import write_messages
from tsudoi.scheduling.organizing.schemas.requests import RemindOrder
from tsudoi.scheduling.organizing.schemas.responses import Reminded, SkippedPerson
from tsudoi.scheduling.outcomes.service import touch
from tsudoi.scheduling.reminders.errors import DraftIsNotReminded
from tsudoi.scheduling.reminders.queries import reminder_history
from tsudoi.scheduling.reminders.rules import (
    ReminderWish,
    WhyNotReminded,
    new_expiry,
    unknown_keys,
    why_not_reminded,
)
from tsudoi.scheduling.thread.errors import NoSuchThread, ThreadCancelled, ThreadFinalized
from tsudoi.scheduling.thread.models import ThreadInvite


@dataclass(frozen=True, slots=True)
class ReminderChoice:
    """Who would be reminded at this moment, and who would not."""

    thread: AnnouncedThread
    deadline_at: datetime | None
    people: list[Addressee]
    skipped: list[tuple[str, WhyNotReminded]]

    def by_line(self, common: MessageSettings) -> int:
        return sum(way_to(person, common).channel == "line" for person in self.people)


def choose(tx: ReadTx, common: MessageSettings, thread_id: str, wish: ReminderWish) -> ReminderChoice:
    thread, found = announced_thread(tx, thread_id), facts_of(tx, thread_id)
    if thread is None or found is None:
        raise NoSuchThread
    _require_active(thread.status)
    evaluation, history = evaluate(found.facts, tx.now), reminder_history(tx, thread_id)
    chosen, skipped = list[Addressee](), list[tuple[str, WhyNotReminded]]()
    everybody = addressees(tx, thread_id)
    for person in everybody:
        if wish.keys is None or person.invitee_key in wish.keys:
            reason = why_not_reminded(person, wish, evaluation, history, common)
            if reason is None:
                chosen.append(person)
            else:
                skipped.append((person.invitee_key, reason))
    skipped += [(key, "UNKNOWN") for key in unknown_keys(wish, everybody)]
    return ReminderChoice(thread, found.deadline_at, chosen, skipped)


def _require_active(status: str) -> None:
    if status == "finalized":
        raise ThreadFinalized
    if status == "cancelled":
        raise ThreadCancelled
    if status != "active":
        raise DraftIsNotReminded


def wish_of(order: RemindOrder) -> ReminderWish:
    keys = None if order.invitee_keys is None else tuple(order.invitee_keys)
    return ReminderWish(keys, force=order.force)


def remind(
    tx: Tx, common: MessageSettings, thread_id: str, order: RemindOrder, actor: str, line_room: int | None = None
) -> Reminded:
    """Remind people, each at most once on a Japanese day. `line_room`: what LINE's monthly limit leaves.

    Who gets no place in that limit gets a mail, or is left out.
    """
    lock_thread(tx, thread_id)
    choice = choose(tx, common, thread_id, wish_of(order))
    people = _renewed(tx, choice, order.extend_hours)
    reminded = write_reminders(tx, common, choice.thread, people, order.message, line_room)
    skipped = [*choice.skipped, *_left_out(people, reminded, common, line_room)]
    if reminded:
        new = {"invitee_keys": reminded, "message": order.message, "extend_hours": order.extend_hours}
        audit.record(tx, actor, "THREAD_REMIND", f"thread:{thread_id}", new=new)
        touch(tx, thread_id)
    return Reminded(
        reminded=reminded, skipped=[SkippedPerson(invitee_key=key, reason=reason) for key, reason in skipped]
    )


def _left_out(
    people: Sequence[Addressee], reminded: Sequence[str], common: MessageSettings, line_room: int | None
) -> list[tuple[str, WhyNotReminded]]:
    """Those for whom nothing was written: LINE's limit leaves no room for them, or another request was quicker."""
    over_quota = {person.invitee_key for person, way in ways_to(people, common, line_room) if way.channel == "call"}
    missing = [person.invitee_key for person in people if person.invitee_key not in reminded]
    return [(key, "QUOTA" if key in over_quota else "REMINDED_TODAY") for key in missing]


def write_reminders(
    tx: Tx,
    common: MessageSettings,
    thread: AnnouncedThread,
    people: Sequence[Addressee],
    message: str | None = None,
    line_room: int | None = None,
) -> list[str]:
    """Returns the keys of those who get a reminder."""
    _free_day_of_undelivered(tx, thread.id)
    told = write_messages(tx, common, thread, Announcement("reminder", message), people, line_room)
    return [one.invitee_key for one in told]


def _free_day_of_undelivered(tx: Tx, thread_id: str) -> None:
    """A reminder whose mail certainly did not arrive does not stand in the way of another one on the same day."""
    row, mail = ThreadMessage, MailMessage
    failed = exists(select(mail.id).where(mail.id == row.mail_id, mail.status.in_(("FAILED", "CALLED_OFF"))))
    today = (row.thread_id == thread_id, row.reminder_day == jst_date(tx.now))
    tx.execute(update(row).where(*today, failed).values(reminder_day=None).execution_options(synchronize_session=False))


def _renewed(tx: Tx, choice: ReminderChoice, extend_hours: int | None) -> list[Addressee]:
    """Give people a new time to answer where they have none left, or where the organiser wants it."""
    people: list[Addressee] = []
    for person in choice.people:
        until = new_expiry(person.expires_at, tx.now, choice.deadline_at, extend_hours)
        if until != person.expires_at:
            own = ThreadInvite.id == person.invite_id
            tx.execute(update(ThreadInvite).where(own).values(expires_at=until))
            tx.execute(update(ThreadInvite).where(own, ThreadInvite.status == "expired").values(status="pending"))
        people.append(replace(person, expires_at=until))
    return people
