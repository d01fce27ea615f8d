"""Reminds people of a thread: decided and written in one transaction, sent by the worker."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import exists, select, update

from tsudoi.core import audit
from tsudoi.core.clock import jst_date, utc_text
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
from tsudoi.scheduling.organizing.schemas.responses import ExtendedPerson, Reminded, SkippedPerson
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
    # Those of `skipped` who are asked all the same, and only hear nothing of it now.
    not_told: list[Addressee]

    def by_line(self, common: MessageSettings) -> int:
        return sum(way_to(person, common).channel == "line" for person in self.people)


def choose(tx: ReadTx, common: MessageSettings, thread_id: str, wish: ReminderWish) -> ReminderChoice:
    thread, found = announced_thread(tx, thread_id), facts_of(tx, thread_id)
    if thread is None or found is None:
        raise NoSuchThread
    _require_active(thread.status)
    evaluation, history = evaluate(found.facts, tx.now), reminder_history(tx, thread_id)
    chosen, skipped, not_told = list[Addressee](), list[tuple[str, WhyNotReminded]](), list[Addressee]()
    everybody = addressees(tx, thread_id)
    for person in everybody:
        if wish.keys is None or person.invitee_key in wish.keys:
            reason = why_not_reminded(person, wish, evaluation, history, common)
            if reason is None:
                chosen.append(person)
            else:
                skipped.append((person.invitee_key, reason))
            if reason in ("REMINDED_TODAY", "UNREACHABLE"):
                not_told.append(person)
    skipped += [(key, "UNKNOWN") for key in unknown_keys(wish, everybody)]
    return ReminderChoice(thread, found.deadline_at, chosen, skipped, not_told)


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

    Who gets no place in that limit gets a mail, or is left out. More time is given to everybody who is asked, also
    where no reminder goes out, and is always on record: a link that works longer is a change of the thread.
    """
    lock_thread(tx, thread_id)
    choice = choose(tx, common, thread_id, wish_of(order))
    people = _renewed(tx, choice.people, choice.deadline_at, order.extend_hours)
    without_message = [] if order.extend_hours is None else choice.not_told
    longer = [*people, *_renewed(tx, without_message, choice.deadline_at, order.extend_hours)]
    before = {person.invitee_key: person.expires_at for person in (*choice.people, *choice.not_told)}
    extended = {one.invitee_key: one.expires_at for one in longer if one.expires_at != before[one.invitee_key]}
    reminded = write_reminders(tx, common, choice.thread, people, order.message, line_room)
    skipped = [*choice.skipped, *_left_out(people, reminded, common, line_room)]
    if reminded or extended:
        new: dict[str, object] = {
            "invitee_keys": reminded,
            "message": order.message,
            "extend_hours": order.extend_hours,
        }
        if extended:
            new["extended"] = {key: utc_text(until) for key, until in extended.items()}
        audit.record(tx, actor, "THREAD_REMIND", f"thread:{thread_id}", new=new)
        touch(tx, thread_id)
    return Reminded(
        reminded=reminded,
        skipped=[SkippedPerson(invitee_key=key, reason=reason) for key, reason in skipped],
        extended=[ExtendedPerson(invitee_key=key, expires_at=until) for key, until in extended.items()],
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


def _renewed(
    tx: Tx, people: Sequence[Addressee], deadline_at: datetime | None, extend_hours: int | None
) -> list[Addressee]:
    """Give people a new time to answer where they have none left, or where the organiser wants it."""
    renewed: list[Addressee] = []
    for person in people:
        until = new_expiry(person.expires_at, tx.now, deadline_at, extend_hours)
        if until != person.expires_at:
            own = ThreadInvite.id == person.invite_id
            tx.execute(update(ThreadInvite).where(own).values(expires_at=until))
            tx.execute(update(ThreadInvite).where(own, ThreadInvite.status == "expired").values(status="pending"))
        renewed.append(replace(person, expires_at=until))
    return renewed
