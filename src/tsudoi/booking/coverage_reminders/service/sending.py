"""The life of a recipient: claimed with a lease, called by the sender, settled by the holder of the lease."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Row, Table, case, literal_column, or_, select, true, update

from tsudoi.booking.coverage_reminders.models import CoverageReminder, CoverageReminderRecipient
from tsudoi.booking.coverage_reminders.queries import person_now
from tsudoi.booking.coverage_reminders.rules import NO_MAIL, SKIPPED, why_not_any_more
from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox import claims
from tsudoi.core.outbox.table import DONE, FAILED, PENDING, UNKNOWN, Outbox, Outcome, RetryPolicy
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.line.delivery.rules import (
    QUOTA,
    CalledOff,
    Judgement,
    PushLogEntry,
    SendVerdict,
    judge,
    message_id_of,
    request_id_of,
)
from tsudoi.line.delivery.service import FINAL, claim_unlogged, mark_logged
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.pause.queries import PAUSED

# They wait while the office has paused what goes out about reservations, and during a dry run. Mails have a sender of
# their own.
RECIPIENTS = Outbox(
    cast("Table", CoverageReminderRecipient.__table__),
    waits=or_(CoverageReminderRecipient.channel == literal_column("'mail'"), PAUSED),
    waits_in_dry_run=true(),
    dropped=SKIPPED,
)
# Longer than a batch can take when every call to LINE times out.
LEASE = timedelta(seconds=100)
BATCH = 12
# The time limit decides, not the number of attempts, because LINE may be down for hours.
POLICY = RetryPolicy(most_attempts=200)
_ENDS = {SendVerdict.SENT: DONE, SendVerdict.REFUSED: FAILED, SendVerdict.IN_DOUBT: UNKNOWN}
_FINAL = (*FINAL, SKIPPED)
_LINES_AT_A_TIME = 5_000


@dataclass(frozen=True, slots=True)
class ReminderTask:
    """A claimed recipient, and what to send."""

    row: Row[Any]
    period_key: str
    messages: list[dict[str, Any]]


def claim(tx: Tx) -> list[ReminderTask]:
    rows = claims.take(tx, RECIPIENTS, POLICY, LEASE, BATCH)
    if not rows:
        return []
    found = select(CoverageReminder.id, CoverageReminder.period_key, CoverageReminder.messages)
    reminders = {
        one.id: one for one in tx.execute(found.where(CoverageReminder.id.in_({row.reminder_id for row in rows})))
    }
    return [
        ReminderTask(row, reminders[row.reminder_id].period_key, reminders[row.reminder_id].messages) for row in rows
    ]


def settle(tx: Tx, task: ReminderTask, outcome: SendOutcome | CalledOff | None) -> PushLogEntry | None:
    """Record the outcome, if the lease is still held. Returns what the push log says about it once it is final."""
    row = task.row
    if outcome is None:
        _give_back(tx, row)
        return None
    judgement = judge(outcome, uncertain=row.uncertain, alone=True)
    if judgement.verdict not in _ENDS:
        return _try_again(tx, row, judgement)
    end = _ENDS[judgement.verdict]
    state = SKIPPED if end == FAILED and isinstance(outcome, CalledOff) else end
    own = {"status": state, "request_id": request_id_of(outcome), "message_id": message_id_of(outcome)}
    if end == FAILED:
        own["reminder_day"] = None  # It is certain that the person did not get it, so another one may follow today.
    if judgement.stops:
        _withdraw(tx, row.reminder_id)
    if not claims.complete(tx, RECIPIENTS, row.id, row.lease_token, end, judgement.reason, **own):
        return None
    return _entry(tx.now, row.reminder_id, end, own["message_id"], own["request_id"], judgement.reason)


def _give_back(tx: Tx, row: Row[Any]) -> None:
    """LINE was not called, so that no attempt counts. If the lease just ran out, the row would be marked uncertain."""
    one = CoverageReminderRecipient
    statement = update(one).where(one.id == row.id, one.lease_token == row.lease_token, one.status == PENDING)
    first = case((one.attempt_count <= 1, None), else_=one.first_attempt_at)
    untried = {"attempt_count": one.attempt_count - 1, "first_attempt_at": first}
    tx.execute(statement.values(**untried, lease_token=None, lease_until=None, updated_at=tx.now))


def _try_again(tx: Tx, row: Row[Any], judgement: Judgement) -> PushLogEntry | None:
    """With the same retry key, at the time that the policy gives; it may be too late for another attempt."""
    outcome = Outcome.UNKNOWN if judgement.verdict is SendVerdict.NO_ANSWER else Outcome.NOT_NOW
    state = claims.settle(tx, RECIPIENTS, row, outcome, POLICY, judgement.reason)
    if state is None or state == PENDING:
        return None
    return _entry(tx.now, row.reminder_id, state, None, None, judgement.reason)


def _withdraw(tx: Tx, reminder_id: int) -> None:
    """LINE's monthly limit is reached: those whom nobody has tried yet would be refused too."""
    # Two senders may reach the limit at the same time; the lock lets them record it one after the other.
    tx.execute(select(CoverageReminder.id).where(CoverageReminder.id == reminder_id).with_for_update(key_share=True))
    untouched = (
        CoverageReminderRecipient.reminder_id == reminder_id,
        CoverageReminderRecipient.status == PENDING,
        CoverageReminderRecipient.lease_token.is_(None),
        ~CoverageReminderRecipient.uncertain,
    )
    kept_back = {"status": FAILED, "last_error": QUOTA, "reminder_day": None, "updated_at": tx.now}
    tx.execute(update(CoverageReminderRecipient).where(*untouched).values(**kept_back))


def mail_is_still_true(_runtime: Runtime, tx: Tx, mail: Row[Any]) -> bool | None:
    """The check that the sender of mails makes right before it sends the content of one."""
    one = CoverageReminderRecipient
    joined = select(*one.__table__.c, CoverageReminder.period_key).join(CoverageReminder)
    row = tx.execute(joined.where(one.id == int(mail.subject_id))).first()
    if row is None or row.status != PENDING:
        return False
    now = person_now(tx, row.staff_uid, row.reservation_type_id, row.period_key)
    why = why_not_any_more(now.status, booked=bool(now.booked)) or (NO_MAIL if now.email is None else None)
    if why is not None:
        skipped = {"status": SKIPPED, "last_error": why, "reminder_day": None, "logged": True, "updated_at": tx.now}
        tx.execute(update(one).where(one.id == row.id).values(skipped))
        return False
    if now.email != mail.to_address:
        # The person has given another address meanwhile. The next attempt goes there.
        tx.execute(update(MailMessage).where(MailMessage.id == mail.id).values(to_address=now.email))
        return None
    return True


def settle_mails(tx: Tx, ended: Sequence[Row[Any]]) -> None:
    """Copy what became of mails to their recipients."""
    one = CoverageReminderRecipient
    for row in ended:
        state = row.status if row.status in (DONE, UNKNOWN) else FAILED
        values = {"status": state, "last_error": row.last_error, "logged": True, "updated_at": tx.now}
        free_again = {"reminder_day": None} if state == FAILED else {}
        tx.execute(update(one).where(one.id == row.id, one.status == PENDING).values({**values, **free_again}))


def claim_missing_lines(tx: Tx) -> tuple[Sequence[int], list[tuple[PushLogEntry, Sequence[int]]]]:
    """Final recipients whose line may be missing in the push log after a crash: their ids, and their lines."""
    ids = claim_unlogged(tx, RECIPIENTS, _LINES_AT_A_TIME, _FINAL)
    row = CoverageReminderRecipient
    columns = (row.id, row.updated_at, row.reminder_id, row.status, row.message_id, row.request_id, row.last_error)
    found: Sequence[Any] = tx.execute(select(*columns).where(row.id.in_(ids)).order_by(row.id)).all() if ids else ()
    return ids, [(_entry(*one[1:]), [one.id]) for one in found]


def mark(tx: Tx, ids: Sequence[int]) -> None:
    mark_logged(tx, RECIPIENTS, ids, _FINAL)


def _entry(
    at: datetime, reminder_id: int, state: str, message_id: str | None, request_id: str | None, reason: str | None
) -> PushLogEntry:
    end = FAILED if state == SKIPPED else state
    ids = {"reminder_id": reminder_id}
    return PushLogEntry(
        at, "coverage_reminder", end, ids, "recipient_id", message_id, request_id, fields={}, reason=reason
    )
