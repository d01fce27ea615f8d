"""The life of a message by LINE: claimed with a lease, called by the sender, settled by the holder of the lease.

What LINE certainly does not deliver goes on by mail in the transaction that settles it. What LINE may have delivered
stays unknown and is not mailed: the person would be asked twice.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Row, Table, select, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.forgetting import update_some
from tsudoi.core.outbox import claims
from tsudoi.core.outbox.table import DONE, FAILED, IS_PENDING, PENDING, UNKNOWN, Outbox, Outcome, RetryPolicy
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.line.delivery.rules import (
    CalledOff,
    Judgement,
    PushLogEntry,
    SendVerdict,
    explanation,
    judge,
    message_id_of,
    request_id_of,
)
from tsudoi.line.delivery.service import FINAL, claim_unlogged, mark_logged
from tsudoi.notifications.mails.service import enqueue
from tsudoi.roster.telephone.service import add_calls
from tsudoi.scheduling.decision.queries import lock_thread
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.queries.people import addressees, announced_thread
from tsudoi.scheduling.delivery.queries.sending import mail_is_stopped, thread_of_message, why_called_off
from tsudoi.scheduling.delivery.rules.channels import way_without_line
from tsudoi.scheduling.delivery.rules.checking import LINK_CHANGED, REMOVED, WHY_ANOTHER_WAY, WHY_CALLED_OFF
from tsudoi.scheduling.delivery.rules.composing import compose
from tsudoi.scheduling.delivery.rules.jobs import announcement_of
from tsudoi.scheduling.delivery.rules.messages import MessageSettings
from tsudoi.scheduling.delivery.service.calling import wanted_call
from tsudoi.scheduling.delivery.service.enqueueing import CALL, MAILED, link_mails, mail_draft

MESSAGES = Outbox(cast("Table", ThreadMessage.__table__))
CALLED_OFF = "CALLED_OFF"
# Longer than a batch can take when every call to LINE times out.
LEASE = timedelta(seconds=100)
BATCH = 12
# As long as LINE certainly has not got the message, mail is the better way after an hour. Once it may have got it, only
# the retry key can make that certain.
NOT_REACHED = RetryPolicy(give_up_after=timedelta(hours=1))
IN_DOUBT = RetryPolicy(most_attempts=200)
_ENDS = {SendVerdict.SENT: DONE, SendVerdict.REFUSED: FAILED, SendVerdict.IN_DOUBT: UNKNOWN}
_FINAL = (*FINAL, MAILED, CALL, CALLED_OFF)
_LINES_AT_A_TIME = 5_000


def claim(tx: Tx, common: MessageSettings) -> Sequence[Row[Any]]:
    for parked in claims.give_up(tx, MESSAGES, IN_DOUBT):
        if parked.status == FAILED:
            _goes_on(tx, common, parked, parked.last_error)
    return claims.claim(tx, MESSAGES, LEASE, BATCH)


def settle(
    tx: Tx, common: MessageSettings, row: Row[Any], outcome: SendOutcome | CalledOff | None
) -> PushLogEntry | None:
    """Record the outcome, if the lease is still held. Returns what the push log says about it once it is final."""
    if outcome is None:
        # Released untried. If the lease just ran out, the row would be marked uncertain without a reason.
        claims.retry(tx, MESSAGES, row.id, row.lease_token, row.due_at, row.last_error)
        return None
    judgement = judge(outcome, uncertain=row.uncertain, alone=True)
    if judgement.verdict not in _ENDS:
        return _try_again(tx, common, row, judgement)
    end = _ENDS[judgement.verdict]
    own: dict[str, Any] = {"request_id": request_id_of(outcome), "message_id": message_id_of(outcome)}
    called_off = isinstance(outcome, CalledOff) and outcome.reason != LINK_CHANGED
    if end == FAILED and called_off:
        own |= {"status": CALLED_OFF, "reminder_day": None}
    if not claims.complete(tx, MESSAGES, row.id, row.lease_token, end, judgement.reason, **own):
        return None
    if end == FAILED and not called_off:
        _goes_on(tx, common, row, judgement.reason)
    return _entry(tx.now, row, end, own["message_id"], own["request_id"], judgement.reason)


def _try_again(tx: Tx, common: MessageSettings, row: Row[Any], judgement: Judgement) -> PushLogEntry | None:
    """With the same retry key, at the time that the policy gives; it may be too late for another attempt."""
    unanswered = judgement.verdict is SendVerdict.NO_ANSWER
    policy = IN_DOUBT if unanswered or row.uncertain else NOT_REACHED
    outcome = Outcome.UNKNOWN if unanswered else Outcome.NOT_NOW
    state = claims.settle(tx, MESSAGES, row, outcome, policy, judgement.reason)
    if state is None or state == PENDING:
        return None
    if state == FAILED:
        _goes_on(tx, common, row, judgement.reason)
    return _entry(tx.now, row, state, None, None, judgement.reason)


def _goes_on(tx: Tx, common: MessageSettings, row: Row[Any], reason: str | None) -> None:
    """LINE certainly did not deliver it: it goes by mail, or the person has to be called."""
    thread = announced_thread(tx, row.thread_id)
    people = addressees(tx, row.thread_id, {row.invitee_key}, before=row.id)
    called_off = why_called_off(tx, row.id)
    if thread is None or not people or called_off is not None:
        # `last_error` stays what LINE said, because the push log has it.
        why = WHY_CALLED_OFF[called_off or REMOVED]
        _change(tx, row.id, status=CALLED_OFF, not_by_line=why, reminder_day=None)
        return
    person = people[0]
    way = way_without_line(person, common, explanation(FAILED, reason, WHY_ANOTHER_WAY).rstrip("。"))
    if way.channel == "call":
        _change(tx, row.id, status=CALL, channel="call", not_by_line=way.why, reminder_day=None)
        add_calls(tx, [wanted_call(thread, person, announcement_of(row.type, row.data), row.job_id, way.why)])
        return
    composed = compose(common, thread, person, announcement_of(row.type, row.data), tx.now)
    enqueue(tx, mail_draft(common, row.type, row.id, person, composed))
    _change(tx, row.id, status=MAILED, channel="mail", not_by_line=way.why, to=person.address)
    link_mails(tx, [row.id])


def _change(tx: Tx, message_id: int, **values: Any) -> None:
    tx.execute(update(ThreadMessage).where(ThreadMessage.id == message_id).values(**values))


def mail_is_still_true(tx: Tx, message_id: int) -> bool:
    """Right before the content of a mail goes out. The lock decides: a change of the thread comes before, or after."""
    thread_id = thread_of_message(tx, message_id)
    if thread_id is not None:
        lock_thread(tx, thread_id)
    return why_called_off(tx, message_id) is None and not mail_is_stopped(tx, message_id)


def claim_missing_lines(tx: Tx) -> tuple[Sequence[int], list[tuple[PushLogEntry, Sequence[int]]]]:
    """Final messages whose line may be missing in the push log after a crash: their ids, and their lines."""
    ids = claim_unlogged(tx, MESSAGES, _LINES_AT_A_TIME, _FINAL)
    row = ThreadMessage
    columns = (row.id, row.updated_at, row.thread_id, row.type, row.status, row.message_id, row.request_id)
    wanted = select(*columns, row.last_error).where(row.id.in_(ids)).order_by(row.id)
    found: Sequence[Any] = tx.execute(wanted).all() if ids else ()
    return ids, [
        (_entry(one.updated_at, one, one.status, one.message_id, one.request_id, one.last_error), [one.id])
        for one in found
    ]


def mark(tx: Tx, ids: Sequence[int]) -> None:
    mark_logged(tx, MESSAGES, ids, _FINAL)


def _entry(
    at: datetime, row: Any, state: str, message_id: str | None, request_id: str | None, reason: str | None
) -> PushLogEntry:
    end = state if state in FINAL else FAILED
    ids = {"thread_id": row.thread_id, "type": row.type}
    return PushLogEntry(at, "thread_message", end, ids, "thread_message_id", message_id, request_id, reason=reason)


def forget_texts(tx: Tx, kept_for: timedelta) -> int:
    """Remove the texts of some messages by LINE that are older. That they were sent stays on record."""
    old = (ThreadMessage.created_at < tx.now - kept_for, ThreadMessage.status != IS_PENDING)
    return update_some(tx, ThreadMessage, {"messages": None}, *old, ThreadMessage.messages.is_not(None))
