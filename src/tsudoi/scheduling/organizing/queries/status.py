"""Where a thread stands, as document 001 asks for it."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.scheduling.decision.queries import DecidingFacts, facts_of
from tsudoi.scheduling.decision.rules.evaluating import evaluate
from tsudoi.scheduling.decision.rules.facts import Evaluation, InviteeFacts, ThreadFacts
from tsudoi.scheduling.decision.rules.sentences import explanation
from tsudoi.scheduling.organizing.queries.thread import head, rule_head, rule_of, slot_items, thread_row
from tsudoi.scheduling.organizing.schemas.responses import (
    InviteItem,
    InviteStatus,
    SelectionItem,
    ThreadEvaluation,
    ThreadStatus,
)
from tsudoi.scheduling.thread.errors import NoSuchThread
from tsudoi.scheduling.thread.models import ThreadInvite, ThreadSelection


def thread_status(tx: ReadTx, thread_id: str) -> ThreadStatus:
    row, deciding = thread_row(tx, thread_id), deciding_facts(tx, thread_id)
    rule = rule_of(tx, thread_id)
    people = tx.execute(invite_rows(thread_id)).all()
    answers = {person.key: person for person in deciding.facts.invitees}
    return ThreadStatus(
        thread=head(row),
        rule=None if rule is None else rule_head(thread_id, rule),
        slots=slot_items(tx, thread_id),
        invites=[_invite(person, tx.now) for person in people],
        selections=[_selection(person, answers[person.invitee_key]) for person in people if person.invitee_key],
        evaluation=evaluation_now(deciding.facts, tx.now),
    )


def deciding_facts(tx: ReadTx, thread_id: str) -> DecidingFacts:
    found = facts_of(tx, thread_id)
    if found is None:
        raise NoSuchThread
    return found


def evaluation_now(facts: ThreadFacts, now: datetime) -> ThreadEvaluation:
    return evaluation_item(evaluate(facts, now), facts)


def evaluation_item(found: Evaluation, facts: ThreadFacts) -> ThreadEvaluation:
    """After the decision it says what was decided, and not what the rule would say now."""
    decided = found.decided
    return ThreadEvaluation(
        finalized=found.state == "finalized",
        final_slot_id=decided.slot_id if decided else None,
        reason=(decided.reason if decided else None) or found.reason,
        final_participants=list(decided.participants) if decided else [],
        state=found.state,
        would_finalize_slot_id=found.winner,
        needs_maybe=found.winner_needs_maybe,
        sentence=explanation(found, facts),
        deciding_set=list(found.deciding_set),
        deciding_slot_id=found.deciding_slot,
        can_change=list(found.can_change),
    )


def invite_rows(thread_id: str) -> Select[Any]:
    """Everybody who is asked, in the order of invitation, with the answer beside it."""
    same = and_(
        ThreadSelection.thread_id == ThreadInvite.thread_id, ThreadSelection.invitee_key == ThreadInvite.invitee_key
    )
    return (
        select(
            ThreadInvite.__table__,
            ThreadSelection.selected_slot_id,
            ThreadSelection.responded_at,
            ThreadSelection.comment,
            ThreadSelection.via,
            ThreadSelection.answered_by,
        )
        .outerjoin(ThreadSelection, same)
        .where(ThreadInvite.thread_id == thread_id)
        .order_by(ThreadInvite.created_at, ThreadInvite.id)
    )


def shown_status(status: str, expires_at: datetime, now: datetime) -> InviteStatus:
    """An invitation whose time is over is shown as such before the worker has noted it."""
    if status == "pending" and expires_at <= now:
        return "expired"
    known: dict[str, InviteStatus] = {"accepted": "accepted", "declined": "declined", "expired": "expired"}
    return known.get(status, "pending")


def _invite(row: Row[Any], now: datetime) -> InviteItem:
    return InviteItem(
        id=row.id,
        email=row.email,
        invitee_key=row.invitee_key,
        status=shown_status(row.status, row.expires_at, now),
        responded_at=row.responded_at,
    )


def _selection(row: Row[Any], answer: InviteeFacts) -> SelectionItem:
    chosen = answer.status == "selected"
    return SelectionItem(
        invitee_key=row.invitee_key,
        status="selected" if chosen else "declined" if answer.status == "declined" else "pending",
        selected_slot_id=row.selected_slot_id if chosen else None,
        responded_at=row.responded_at,
        selected_slot_ids=sorted(answer.yes) if chosen else [],
        maybe_slot_ids=sorted(answer.maybe) if chosen else [],
    )
