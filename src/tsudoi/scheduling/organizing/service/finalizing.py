"""Ends a thread: with a date, without one, or not after all."""

from typing import Any

from sqlalchemy import Row, delete, select, update

from tsudoi.core import audit
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.scheduling.decision.rules.evaluating import evaluate, participants_of
from tsudoi.scheduling.decision.rules.facts import ThreadFacts
from tsudoi.scheduling.delivery.queries.people import reached_by_line
from tsudoi.scheduling.delivery.rules.messages import Announcement, MessageSettings
from tsudoi.scheduling.organizing.errors import DecidedOtherwise, NotDecided, StillADraft
from tsudoi.scheduling.organizing.queries.status import deciding_facts, evaluation_item
from tsudoi.scheduling.organizing.queries.thread import thread_row
from tsudoi.scheduling.organizing.schemas.requests import CancelOrder, FinalizeOrder, ReopenOrder
from tsudoi.scheduling.organizing.schemas.responses import ThreadChanged
from tsudoi.scheduling.organizing.service.checking import expiry
from tsudoi.scheduling.organizing.service.opening import changed, locked, renew
from tsudoi.scheduling.outcomes.service import NewDecision, people_told, write_decision
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.errors import RuleNotSatisfied, SlotPast, ThreadCancelled, UnknownSlot
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadFinalize

_FIELD = "selected_slot_id"


def finalize(
    tx: Tx, common: MessageSettings, organizer: Organizer, thread_id: str, order: FinalizeOrder
) -> ThreadChanged:
    """Decide by hand. A slot that does not fulfil the rule needs a reason."""
    slot_id = _chosen(order)
    row = locked(tx, thread_id)
    facts = deciding_facts(tx, thread_id).facts
    if _is_decided_already(row, facts, slot_id):
        return changed(tx, thread_id)
    decision = NewDecision(
        slot_id,
        _participants(tx, facts, slot_id, order.reason),
        order.reason,
        by=organizer.user_id,
        actor=organizer.actor,
        notify=order.notify,
    )
    return changed(tx, thread_id, write_decision(tx, common, thread_id, decision))


def decision_by_line(tx: ReadTx, common: MessageSettings, thread_id: str, order: FinalizeOrder) -> int:
    """How many would be told of this decision by LINE. An order that cannot be carried out is refused here already."""
    slot_id, facts = _chosen(order), deciding_facts(tx, thread_id).facts
    if _is_decided_already(thread_row(tx, thread_id), facts, slot_id):
        return 0
    _participants(tx, facts, slot_id, order.reason)
    return reached_by_line(tx, common, thread_id) if order.notify else 0


def cancel_thread(
    tx: Tx, common: MessageSettings, organizer: Organizer, thread_id: str, order: CancelOrder
) -> ThreadChanged:
    """End the thread. A decision stays on record, and calendars take the date back."""
    row = locked(tx, thread_id)
    if row.status == "cancelled":
        return changed(tx, thread_id)
    values = {"status": "cancelled", "cancelled_at": tx.now, "cancel_reason": order.reason}
    _change_state(tx, thread_id, values)
    # Nobody knows of a draft.
    told = 0
    if order.notify and row.status != "draft":
        told = people_told(tx, common, thread_id, Announcement("cancelled", reason=order.reason))
    old, new = {"status": row.status}, {"status": "cancelled", "told": told}
    audit.record(tx, organizer.actor, "THREAD_CANCEL", f"thread:{thread_id}", reason=order.reason, old=old, new=new)
    return changed(tx, thread_id, told)


def cancellation_by_line(tx: ReadTx, common: MessageSettings, thread_id: str, order: CancelOrder) -> int:
    """How many would be told by LINE that the thread ends."""
    told = order.notify and thread_row(tx, thread_id).status in ("active", "finalized")
    return reached_by_line(tx, common, thread_id) if told else 0


def reopen(tx: Tx, common: MessageSettings, organizer: Organizer, thread_id: str, order: ReopenOrder) -> ThreadChanged:
    """Take the decision back. Answers stay; people whose time is over get time again."""
    row = locked(tx, thread_id)
    if row.status == "cancelled":
        raise ThreadCancelled
    decision = tx.execute(select(ThreadFinalize).where(ThreadFinalize.thread_id == thread_id)).mappings().one_or_none()
    if row.status != "finalized" or decision is None:
        raise NotDecided
    tx.execute(delete(ThreadFinalize).where(ThreadFinalize.thread_id == thread_id))
    is_over = row.deadline_at is not None and row.deadline_at <= tx.now
    until = expiry(tx.now, None if is_over else row.deadline_at)
    _change_state(tx, thread_id, {"status": "active", **({"deadline_at": until} if is_over else {})})
    renew(tx, thread_id, until)
    told = people_told(tx, common, thread_id, Announcement("reopened", reason=order.reason)) if order.notify else 0
    old = {**decision, "finalized_at": utc_text(decision["finalized_at"])}
    new = {"status": "active", "told": told}
    audit.record(tx, organizer.actor, "THREAD_REOPEN", f"thread:{thread_id}", reason=order.reason, old=old, new=new)
    return changed(tx, thread_id, told)


def reopening_by_line(tx: ReadTx, common: MessageSettings, thread_id: str, order: ReopenOrder) -> int:
    """How many would be told by LINE that the decision is taken back."""
    told = order.notify and thread_row(tx, thread_id).status == "finalized"
    return reached_by_line(tx, common, thread_id) if told else 0


def _chosen(order: FinalizeOrder) -> str:
    slot_id = order.selected_slot_id or order.slot_id
    if slot_id is None:
        raise InvalidInput(details=[Detail(_FIELD, "REQUIRED")])
    if order.slot_id not in (None, slot_id):
        raise InvalidInput(details=[Detail("slot_id", "CONTRADICTION")])
    return slot_id


def _is_decided_already(row: Row[Any], facts: ThreadFacts, slot_id: str) -> bool:
    """Whether this very slot is decided. Raises where the thread cannot be decided any more, or not yet."""
    if row.status == "cancelled":
        raise ThreadCancelled
    if facts.decided is not None:
        if facts.decided.slot_id != slot_id:
            raise DecidedOtherwise
        return True
    if row.status == "draft":
        raise StillADraft
    return False


def _participants(tx: ReadTx, facts: ThreadFacts, slot_id: str, reason: str | None) -> tuple[str, ...]:
    """Those who take part on this slot, if it can be decided."""
    found = evaluate(facts, tx.now)
    slot = next((one for one in found.slots if one.slot_id == slot_id), None)
    if slot is None:
        raise UnknownSlot(_FIELD)
    if slot.begun:
        raise SlotPast(_FIELD)
    if not (slot.valid or slot.valid_with_maybe or reason):
        raise RuleNotSatisfied(evaluation_item(found, facts).model_dump(mode="json"))
    return participants_of(slot, facts)


def _change_state(tx: Tx, thread_id: str, values: dict[str, Any]) -> None:
    """Calendars take a change only with a higher number."""
    counted = {
        "sequence": SchedulingThread.sequence + 1,
        "revision": SchedulingThread.revision + 1,
        "updated_at": tx.now,
    }
    tx.execute(update(SchedulingThread).where(SchedulingThread.id == thread_id).values(**values, **counted))
