"""Answers that come after the decision: noted as late, while the decision stays as it is."""

from sqlalchemy import insert

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.scheduling.decision.queries import facts_of, lock_thread
from tsudoi.scheduling.delivery.rules.messages import Announcement, MessageSettings
from tsudoi.scheduling.delivery.service.enqueueing import tell
from tsudoi.scheduling.invitations.errors import NotAnInvitee, NotDecidedYet
from tsudoi.scheduling.invitations.queries.own import decided_slot, late_answer
from tsudoi.scheduling.invitations.schemas import LateAnswer, LateAnswerForInvitee, LateAnswerStored
from tsudoi.scheduling.invitations.service.answering import Via
from tsudoi.scheduling.outcomes.service import touch
from tsudoi.scheduling.thread.errors import NoSuchThread, ThreadCancelled
from tsudoi.scheduling.thread.models import ThreadLateAnswer


def answer_late(
    tx: Tx,
    common: MessageSettings,
    thread_id: str,
    invitee_key: str,
    body: LateAnswer,
    *,
    via: Via,
    answered_by: str | None,
) -> LateAnswerStored:
    """Note whether the person comes, and tell the date, once for each decision.

    The same answer again changes nothing. There is no end: the page shows the date as long as the link works.
    """
    lock_thread(tx, thread_id)
    found = facts_of(tx, thread_id)
    if found is None:
        raise NoSuchThread
    facts = found.facts
    person = next((one for one in facts.invitees if one.key == invitee_key), None)
    if person is None:
        raise NotAnInvitee
    if facts.status == "cancelled":
        raise ThreadCancelled
    if facts.status != "finalized" or facts.decided is None:
        raise NotDecidedYet
    slot = decided_slot(tx, thread_id, facts.decided.slot_id)
    before = late_answer(tx, thread_id, invitee_key)
    if before is None or (before.coming, before.comment) != (body.coming, body.comment):
        values = {"thread_id": thread_id, "invitee_key": invitee_key, "name": person.name, "via": via}
        given = {"coming": int(body.coming), "comment": body.comment, "answered_by": answered_by}
        tx.execute(insert(ThreadLateAnswer).values(**values, **given, answered_at=tx.now))
        if slot.end_at > tx.now:
            tell(tx, common, thread_id, Announcement("late"), [invitee_key])
        touch(tx, thread_id)
    return LateAnswerStored(ok=True, coming=body.coming, slot=slot)


def answer_late_on_behalf(
    tx: Tx, common: MessageSettings, thread_id: str, body: LateAnswerForInvitee, *, user_id: str, actor: str
) -> LateAnswerStored:
    """What somebody told the office after the decision."""
    stored = answer_late(tx, common, thread_id, body.invitee_key, body, via="office", answered_by=user_id)
    new = {"invitee_key": body.invitee_key, "coming": body.coming, "comment": body.comment}
    audit.record(tx, actor, "THREAD_LATE_ANSWER", f"thread:{thread_id}", new=new)
    return stored
