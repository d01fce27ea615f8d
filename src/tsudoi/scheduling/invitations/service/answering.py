"""Stores an answer, and decides the date in the same transaction where the rule says so."""

from dataclasses import replace
from typing import Literal

from tsudoi.core import audit
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.scheduling.decision.queries import DecidingFacts, facts_of, lock_thread
from tsudoi.scheduling.decision.rules.evaluating import evaluate, judge_thread, slot_to_finalize
from tsudoi.scheduling.decision.rules.facts import InviteeFacts, ThreadFacts
from tsudoi.scheduling.decision.rules.sentences import decision_sentence
from tsudoi.scheduling.delivery.queries.people import addressees
from tsudoi.scheduling.delivery.rules.channels import way_to
from tsudoi.scheduling.delivery.rules.messages import MessageSettings
from tsudoi.scheduling.invitations.errors import NotAnInvitee, NotSentYet
from tsudoi.scheduling.invitations.queries.own import decided_slot
from tsudoi.scheduling.invitations.rules.answering import (
    AnswerPolicy,
    CheckedAnswer,
    ChosenSlots,
    SentSlots,
    chosen_slots,
    refuse_slots_of_declined,
)
from tsudoi.scheduling.invitations.schemas import (
    AnswerForInvitee,
    AnswerOutcome,
    AnswerStored,
    GivenAnswer,
    InvitationAnswer,
    OwnEvaluation,
)
from tsudoi.scheduling.invitations.service.storing import store
from tsudoi.scheduling.outcomes.service import NewDecision, touch, write_decision
from tsudoi.scheduling.thread.errors import InvitationExpired, NoSuchThread, ThreadCancelled, ThreadFinalized

Via = Literal["link", "line", "office"]


def answer(
    tx: Tx,
    common: MessageSettings,
    thread_id: str,
    invitee_key: str,
    body: InvitationAnswer,
    *,
    via: Via,
    answered_by: str | None,
) -> AnswerStored:
    """Store the answer of one person. The lock makes two answers that arrive together see each other."""
    lock_thread(tx, thread_id)
    found = facts_of(tx, thread_id)
    if found is None:
        raise NoSuchThread
    facts, person = found.facts, _invitee(found.facts, invitee_key)
    _require_open(tx, facts, person, via)
    chosen = _chosen(tx, facts, body)
    new = CheckedAnswer(thread_id, invitee_key, person.name, body.status, chosen, body.comment, via, answered_by)
    store(tx, new, person.selection_id, facts.slots)
    evaluation = _decide(tx, common, thread_id, replace(found, facts=_with(facts, person, new)), invitee_key)
    # Built without validation, because the values have just been checked, and this is the verb that is called most.
    return AnswerStored.model_construct(
        ok=True, thread_id=thread_id, invitee_key=invitee_key, selection=_given(tx, new), evaluation=evaluation
    )


def answer_on_behalf(
    tx: Tx, common: MessageSettings, thread_id: str, body: AnswerForInvitee, *, user_id: str, actor: str
) -> AnswerStored:
    """Store what somebody told the office. Who is too late may still call, as long as nothing is decided."""
    stored = answer(tx, common, thread_id, body.invitee_key, body, via="office", answered_by=user_id)
    given = stored.selection
    new = {
        "invitee_key": body.invitee_key,
        "status": given.status,
        "selected_slot_ids": given.selected_slot_ids,
        "maybe_slot_ids": given.maybe_slot_ids,
        "comment": given.comment,
    }
    audit.record(tx, actor, "THREAD_ANSWER", f"thread:{thread_id}", new=new)
    return stored


def outcome_of_answer(tx: ReadTx, common: MessageSettings, thread_id: str, body: AnswerForInvitee) -> AnswerOutcome:
    """What recording this answer would decide, and how many would be told. Refused where the answer would be."""
    found = facts_of(tx, thread_id)
    if found is None:
        raise NoSuchThread
    person = _invitee(found.facts, body.invitee_key)
    _require_open(tx, found.facts, person, "office")
    chosen = _chosen(tx, found.facts, body)
    new = CheckedAnswer(
        thread_id, body.invitee_key, person.name, body.status, chosen, body.comment, via="office", answered_by=None
    )
    facts = _with(found.facts, person, new)
    # An answer that comes after the deadline makes the clock ask the rule once more.
    is_over = found.deadline_at is not None and found.deadline_at <= tx.now
    if found.at_deadline and not is_over:
        return AnswerOutcome(decides=None, told=0, to_call=0)
    slot = slot_to_finalize(evaluate(facts, tx.now), facts, at_deadline=found.at_deadline)
    if slot is None:
        return AnswerOutcome(decides=None, told=0, to_call=0)
    ways = [way_to(one, common).channel for one in addressees(tx, thread_id)]
    to_call = ways.count("call")
    decided = decided_slot(tx, thread_id, slot.slot_id)
    return AnswerOutcome(decides=decided, told=len(ways) - to_call, to_call=to_call)


def _invitee(facts: ThreadFacts, invitee_key: str) -> InviteeFacts:
    for person in facts.invitees:
        if person.key == invitee_key:
            return person
    raise NotAnInvitee


def _require_open(tx: ReadTx, facts: ThreadFacts, person: InviteeFacts, via: Via) -> None:
    if facts.status == "cancelled":
        raise ThreadCancelled
    if facts.status == "finalized" or facts.decided is not None:
        raise ThreadFinalized
    if facts.status != "active":
        raise NotSentYet
    if person.expires_at <= tx.now and via != "office":
        raise InvitationExpired


def _chosen(tx: ReadTx, facts: ThreadFacts, body: InvitationAnswer) -> ChosenSlots:
    sent = SentSlots(body.selected_slot_id, body.selected_slot_ids or (), body.maybe_slot_ids or ())
    if body.status == "declined":
        refuse_slots_of_declined(sent)
        return ChosenSlots()
    several = facts.rule is None or facts.rule.multiple_slots_allowed
    return chosen_slots(sent, AnswerPolicy(facts.slots, several, facts.maybe_allowed), tx.now)


def _with(facts: ThreadFacts, person: InviteeFacts, new: CheckedAnswer) -> ThreadFacts:
    """The facts with the new answer: the same as a second reading of the tables, without its cost."""
    yes, maybe = frozenset(new.chosen.yes), frozenset(new.chosen.maybe)
    answered = person._replace(status=new.status, yes=yes, maybe=maybe)
    return replace(facts, invitees=tuple(answered if one is person else one for one in facts.invitees))


def _decide(tx: Tx, common: MessageSettings, thread_id: str, found: DecidingFacts, invitee_key: str) -> OwnEvaluation:
    """Finalise where the rule is fulfilled. The person learns of nobody else."""
    judged = judge_thread(found.facts, tx.now)
    evaluation = None if found.at_deadline or judged.state != "satisfied" else evaluate(found.facts, tx.now)
    slot = None if evaluation is None else slot_to_finalize(evaluation, found.facts, at_deadline=False)
    if evaluation is None or slot is None:
        touch(tx, thread_id)
        return OwnEvaluation.model_construct(
            finalized=False, final_slot_id=None, reason=judged.reason, final_participants=[]
        )
    reason = decision_sentence(len(evaluation.participants), needs_maybe=evaluation.winner_needs_maybe)
    write_decision(tx, common, thread_id, NewDecision(slot.slot_id, evaluation.participants, reason))
    own = [key for key in evaluation.participants if key == invitee_key]
    return OwnEvaluation.model_construct(
        finalized=True, final_slot_id=slot.slot_id, reason="FINALIZED", final_participants=own
    )


def _given(tx: Tx, new: CheckedAnswer) -> GivenAnswer:
    return GivenAnswer.model_construct(
        status=new.status,
        selected_slot_id=new.chosen.first,
        selected_slot_ids=list(new.chosen.yes),
        maybe_slot_ids=list(new.chosen.maybe),
        comment=new.comment,
        responded_at=tx.now,
    )
