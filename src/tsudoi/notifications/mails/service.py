"""Writing mails, claiming those that are due, and writing what became of them.

SMTP has no retry key, so a mail that may have arrived is never sent again by itself: its row is marked as uncertain
before the content goes out, and parked as UNKNOWN when no certain answer follows.
"""

import uuid
from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from typing import Any, get_args

from sqlalchemy import Row, and_, case, delete, func, or_, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.forgetting import update_some
from tsudoi.core.outbox import claims
from tsudoi.core.outbox.table import DONE, FAILED, IS_PENDING, PENDING, UNKNOWN, Outbox, Outcome, RetryPolicy, held_back
from tsudoi.gateway.clients.mail_outcomes import MailOutcome, MailRefused
from tsudoi.notifications.mails.models import MailBounce, MailMessage
from tsudoi.notifications.mails.rules.drafts import MailDraft, checked_draft
from tsudoi.notifications.mails.rules.failures import MOST_SOFT_FAILURES, is_dead, refused_address
from tsudoi.notifications.mails.rules.outcomes import INTERRUPTED, TOO_LATE, MailVerdict, verdict_of
from tsudoi.notifications.notices.rules.making import Kind
from tsudoi.notifications.pause.queries import PAUSED, is_paused

# The purpose of a mail to somebody who has not booked yet.
COVERAGE_REMINDER = "COVERAGE_REMINDER"
# Mails about reservations. The office's pause and `NOTIFICATION_CRON_DRY_RUN` hold them back; all others go out.
ABOUT_RESERVATIONS = (*get_args(Kind), COVERAGE_REMINDER)
_ABOUT_RESERVATIONS = MailMessage.purpose.in_(ABOUT_RESERVATIONS)
# `core.outbox` would set `uncertain` whenever a lease ran out; here only `begin_content` does.
CALLED_OFF = "CALLED_OFF"
MAILS = Outbox(
    MailMessage.metadata.tables["mail_messages"],
    uncertain=None,
    waits=and_(_ABOUT_RESERVATIONS, PAUSED),
    waits_in_dry_run=_ABOUT_RESERVATIONS,
    dropped=CALLED_OFF,
)
_WITHOUT_TEXT: dict[str, Any] = {"text": "", "html": None, "calendar": None, "unsubscribe_url": None}
WITHOUT_CONTENT: dict[str, Any] = {"to_address": "", "subject": "", **_WITHOUT_TEXT}
# Until a mail is tried again that could not be sent just then. Each try is a conversation with the mail server.
_A_MOMENT = timedelta(seconds=2)
# Much longer than the deadline of a conversation.
LEASE = timedelta(minutes=3)
# A server that postpones unknown senders accepts them after some minutes. After a day the news is old.
MAIL_POLICY = RetryPolicy(
    first_delay=timedelta(minutes=1),
    longest_delay=timedelta(minutes=30),
    most_attempts=100,
    give_up_after=timedelta(hours=24),
)


# Says right before the content of a mail is sent whether the mail is still true. None: that cannot be said at this
# moment, and the mail is tried again.
MailCheck = Callable[[Tx, Row[Any]], bool | None]


def enqueue(tx: Tx, draft: MailDraft) -> int | None:
    """Write a mail that goes out after the commit. Returns its id, or None when it had been written before.

    Raises `BadMailAddress` or `UnsendableText`, both of which are the caller's input.
    """
    ids = enqueue_all(tx, [draft])
    return ids[0] if ids else None


def enqueue_all(tx: Tx, drafts: Sequence[MailDraft]) -> list[int]:
    """Write several mails at once; returns the ids of the new ones."""
    rows = [_row(tx, checked_draft(draft)) for draft in drafts]
    if not rows:
        return []
    written = upsert(tx, MailMessage).on_conflict_do_nothing().returning(MailMessage.id)
    return [row.id for row in tx.execute(written, rows)]


def _row(tx: Tx, checked: MailDraft) -> dict[str, Any]:
    return {
        "purpose": checked.purpose,
        "subject_kind": checked.subject_kind,
        "subject_id": checked.subject_id,
        "revision": checked.revision,
        "to_address": checked.to_address,
        "subject": checked.subject,
        "text": checked.text,
        "html": checked.html,
        "calendar": checked.calendar,
        "unsubscribe_url": checked.unsubscribe_url,
        "message_id": f"<{uuid.uuid4()}@{checked.host}>",
        "send_before": checked.send_before,
        "due_at": checked.due_at or tx.now,
        "created_at": tx.now,
        "updated_at": tx.now,
    }


def call_off(tx: Tx, subject_kind: str, subject_id: str, purposes: Collection[str] = ()) -> int:
    """Do not send the waiting mails about a subject any more; of these purposes, or of all. Returns how many.

    A mail whose content is already going out may arrive, and its row shows what became of it.
    """
    is_held = and_(MailMessage.lease_until.is_not(None), MailMessage.lease_until > tx.now)
    statement = (
        update(MailMessage)
        .where(MailMessage.subject_kind == subject_kind, MailMessage.subject_id == subject_id)
        .where(MailMessage.status == IS_PENDING, MailMessage.called_off_at.is_(None))
        .where(or_(is_held, ~MailMessage.uncertain))
        .values(status=case((is_held, PENDING), else_=CALLED_OFF), called_off_at=tx.now, updated_at=tx.now)
    )
    return tx.execute(statement.where(MailMessage.purpose.in_(purposes)) if purposes else statement).rowcount


def queue_again(tx: Tx, mail_id: int) -> bool:
    """A person decided to send a failed or unknown mail once more, with its old Message-ID. False: it is neither."""
    again = (
        update(MailMessage)
        .where(MailMessage.id == mail_id, MailMessage.status.in_((FAILED, UNKNOWN)))
        .values(status=PENDING, due_at=tx.now, updated_at=tx.now)
        .values(attempt_count=0, first_attempt_at=None, uncertain=False, called_off_at=None, last_error=None)
    )
    return tx.execute(again).rowcount == 1


def take(tx: Tx, limit: int, *, dry_run: bool = False) -> Sequence[Row[Any]]:
    """Claim mails that are due, after ending those that must not be sent any more."""
    _end_interrupted_and_late(tx)
    return claims.take(tx, held_back(MAILS) if dry_run else MAILS, MAIL_POLICY, LEASE, limit)


def _end_interrupted_and_late(tx: Tx) -> None:
    is_free = or_(MailMessage.lease_until.is_(None), MailMessage.lease_until <= tx.now)
    called_off = MailMessage.called_off_at.is_not(None)
    too_late = MailMessage.send_before <= tx.now
    tx.execute(
        update(MailMessage)
        .where(MailMessage.status == IS_PENDING, is_free, or_(MailMessage.uncertain, called_off, too_late))
        .values(
            status=case((MailMessage.uncertain, UNKNOWN), (called_off, CALLED_OFF), else_=FAILED),
            last_error=case((MailMessage.uncertain, INTERRUPTED), (called_off, MailMessage.last_error), else_=TOO_LATE),
            lease_token=None,
            lease_until=None,
            updated_at=tx.now,
        )
    )


def begin_content(tx: Tx, row: Row[Any], check: MailCheck | None = None) -> bool:
    """Note that the mail may arrive from now on. False: it must not be sent, or another sender has it by now."""
    if row.purpose in ABOUT_RESERVATIONS and is_paused(tx):
        return False
    still_true = True if check is None else check(tx, row)
    holds = and_(MailMessage.lease_token == row.lease_token, MailMessage.lease_until > tx.now)
    if still_true is False:
        tx.execute(update(MailMessage).where(MailMessage.id == row.id, holds).values(called_off_at=tx.now))
    if not still_true:
        return False
    in_time = or_(MailMessage.send_before.is_(None), MailMessage.send_before > tx.now)
    begun = (
        update(MailMessage)
        .where(MailMessage.id == row.id, MailMessage.status == IS_PENDING, holds, in_time)
        .where(MailMessage.called_off_at.is_(None))
        .values(uncertain=True, updated_at=tx.now)
    )
    return tx.execute(begun).rowcount == 1


def settle(tx: Tx, row: Row[Any], outcome: MailOutcome) -> str | None:
    """Write what became of a claimed mail. Returns its new state, or None when the lease was lost."""
    verdict, error = verdict_of(outcome)
    match verdict:
        case MailVerdict.SENT:
            return _complete(tx, row, DONE, None, sent_at=tx.now)
        case MailVerdict.IN_DOUBT:
            return _complete(tx, row, UNKNOWN, error)
        case MailVerdict.REFUSED:
            if isinstance(outcome, MailRefused) and (status := refused_address(outcome.code, outcome.text)):
                note_failure(tx, row.to_address, status)
            return _complete(tx, row, FAILED, error, uncertain=False)
        case MailVerdict.NOT_NOW:
            state = claims.settle(tx, MAILS, row, Outcome.NOT_NOW, MAIL_POLICY, error)
        case MailVerdict.CALLED_OFF:
            given_back = claims.retry(tx, MAILS, row.id, row.lease_token, tx.now + _A_MOMENT, row.last_error)
            state = PENDING if given_back else None
    return _not_sent(tx, row) if state is not None else None


def _complete(tx: Tx, row: Row[Any], state: str, error: str | None, **more: Any) -> str | None:
    return state if claims.complete(tx, MAILS, row.id, row.lease_token, state, error, **more) else None


def _not_sent(tx: Tx, row: Row[Any]) -> str:
    """The mail has certainly not been sent. If it was called off meanwhile, it is not tried again."""
    status = case((MailMessage.called_off_at.is_not(None), CALLED_OFF), else_=MailMessage.status)
    statement = update(MailMessage).where(MailMessage.id == row.id).values(uncertain=False, status=status)
    return str(tx.scalar(statement.returning(MailMessage.status)))


def note_failure(tx: Tx, address: str, status: str) -> None:
    """A mail could not be delivered to the address: it gets no more mails at once, or after some more failures."""
    dead = is_dead(status)
    row = {"address": address.lower(), "status_code": status, "soft_count": int(not dead), "noted_at": tx.now}
    row["dead_at"] = tx.now if dead else None
    new = upsert(tx, MailBounce).values(row)
    known = MailBounce.soft_count + new.excluded.soft_count
    died = case((or_(new.excluded.dead_at.is_not(None), known >= MOST_SOFT_FAILURES), new.excluded.noted_at))
    changes = {"status_code": status, "soft_count": known, "noted_at": tx.now}
    tx.execute(
        new.on_conflict_do_update(
            index_elements=["address"], set_={**changes, "dead_at": func.coalesce(MailBounce.dead_at, died)}
        )
    )


def forgive(tx: Tx, address: str) -> bool:
    """The office knows that the address works again. False: nothing is known against it."""
    return tx.execute(delete(MailBounce).where(MailBounce.address == address.lower())).rowcount == 1


def forget(tx: Tx, subject_kind: str, subject_ids: Collection[str]) -> None:
    """Remove addresses and texts of the mails about these subjects; what became of them stays."""
    about = (MailMessage.subject_kind == subject_kind, MailMessage.subject_id.in_(subject_ids))
    tx.execute(update(MailMessage).where(*about, MailMessage.status != IS_PENDING).values(**WITHOUT_CONTENT))


def forget_old_texts(tx: Tx, kept_for: timedelta) -> int:
    """Remove the texts of some mails that are older. To whom they went and what became of them stays."""
    old = (MailMessage.created_at < tx.now - kept_for, MailMessage.status != IS_PENDING, MailMessage.text != "")
    return update_some(tx, MailMessage, _WITHOUT_TEXT, *old)
