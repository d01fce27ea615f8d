"""What happens by the clock: people are reminded before the end, and rules decide at their deadline."""

from sqlalchemy import update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.scheduling.deadlines import queries, rules
from tsudoi.scheduling.decision.queries import facts_of, lock_thread
from tsudoi.scheduling.decision.rules.evaluating import evaluate, participants_of, slot_to_finalize
from tsudoi.scheduling.decision.rules.sentences import decision_sentence
from tsudoi.scheduling.delivery.queries.people import addressees, announced_thread
from tsudoi.scheduling.delivery.rules.messages import MessageSettings
from tsudoi.scheduling.outcomes.service import NewDecision, touch, write_decision
from tsudoi.scheduling.reminders.service import write_reminders
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadInvite

_BY_THE_CLOCK = "system"


def judge(tx: Tx, common: MessageSettings, thread_id: str) -> bool:
    """Ask the rule once at the deadline, and again after each later answer. Returns whether it has decided.

    An edit of the organiser does not make the rule decide: a mistaken removal must not tell everybody a date.
    """
    lock_thread(tx, thread_id)
    found = facts_of(tx, thread_id)
    # Another worker may have been quicker, and the organiser may have moved the deadline.
    if found is None or not queries.threads_to_judge(tx, thread_id):
        return False
    _note(tx, thread_id, judged_deadline_at=found.deadline_at, judged_answer=queries.newest_answer(tx, thread_id))
    evaluation = evaluate(found.facts, tx.now)
    slot = slot_to_finalize(evaluation, found.facts, at_deadline=True)
    if slot is not None:
        people = participants_of(slot, found.facts)
        reason = decision_sentence(len(people), needs_maybe=not slot.valid, at_deadline=True)
        write_decision(tx, common, thread_id, NewDecision(slot.slot_id, people, reason))
    touch(tx, thread_id)
    return slot is not None


def remind_before_the_end(tx: Tx, common: MessageSettings, thread_id: str) -> list[str]:
    """Remind those whose own end is near and who can still change the outcome, once for each. Returns their keys."""
    lock_thread(tx, thread_id)
    due = {invite_id for _, invite_id in queries.invitations_to_remind(tx, thread_id)}
    found, thread = facts_of(tx, thread_id), announced_thread(tx, thread_id)
    if not due or found is None or thread is None:
        return []
    can_change = evaluate(found.facts, tx.now).can_change
    asked = queries.asked_at(tx, thread_id)
    people = [
        person
        for person in addressees(tx, thread_id, can_change)
        if person.invite_id in due and rules.is_due(person, asked[person.invite_id], can_change, tx.now)
    ]
    reminded = write_reminders(tx, common, thread, people)
    looked_at = update(ThreadInvite).where(ThreadInvite.id.in_(due)).values(reminded_end_at=ThreadInvite.expires_at)
    tx.execute(looked_at)
    if reminded:
        new = {"invitee_keys": reminded}
        audit.record(tx, _BY_THE_CLOCK, "THREAD_REMIND", f"thread:{thread_id}", new=new)
        touch(tx, thread_id)
    return reminded


def _note(tx: Tx, thread_id: str, **values: object) -> None:
    tx.execute(update(SchedulingThread).where(SchedulingThread.id == thread_id).values(**values))
