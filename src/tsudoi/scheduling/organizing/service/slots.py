"""Adds and removes slots."""

from sqlalchemy import delete, insert, select, update

from tsudoi.core import audit
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.scheduling.delivery.queries.people import reached_by_line
from tsudoi.scheduling.delivery.rules.messages import Announcement, MessageSettings
from tsudoi.scheduling.delivery.service.enqueueing import tell
from tsudoi.scheduling.organizing.errors import NoSuchThreadSlot, SlotIsFinal, TooManySlots
from tsudoi.scheduling.organizing.queries.thread import slot_items, thread_row
from tsudoi.scheduling.organizing.rules.slots import slot_faults
from tsudoi.scheduling.organizing.schemas.requests import SlotsToAdd
from tsudoi.scheduling.organizing.schemas.responses import SlotsAdded, ThreadSlotItem
from tsudoi.scheduling.organizing.service.checking import refuse, slot_drafts
from tsudoi.scheduling.organizing.service.creating import slot_item, slot_values
from tsudoi.scheduling.organizing.service.opening import (
    locked,
    locked_open,
    new_expiry,
    renew,
    require_open,
    require_time_to_answer,
)
from tsudoi.scheduling.outcomes.service import touch
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.models import (
    SchedulingSlot,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
    ThreadSelectionSlot,
)
from tsudoi.scheduling.thread.rules.texts import MOST_SLOTS


def add_slots(tx: Tx, common: MessageSettings, organizer: Organizer, thread_id: str, order: SlotsToAdd) -> SlotsAdded:
    """Those who have answered are asked for the new slots only. The others see them when they answer."""
    row = locked_open(tx, thread_id)
    present = slot_items(tx, thread_id)
    drafts = slot_drafts(order.slots, row.timezone)
    refuse(slot_faults(drafts, tx.now, [(slot.start_at, slot.end_at) for slot in present]))
    if len(present) + len(drafts) > MOST_SLOTS:
        raise TooManySlots
    items = [slot_item(thread_id, draft) for draft in sorted(drafts, key=lambda one: (one.start_at, one.end_at))]
    tx.execute(insert(SchedulingSlot), [slot_values(tx, item) for item in items])
    touch(tx, thread_id)
    told = 0
    if order.notify and row.status == "active":
        require_time_to_answer(row, tx.now)
        # Who answered in time and may not answer any more gets time for the new ones.
        renew(tx, thread_id, new_expiry(row, tx.now), _late_answerers(tx, thread_id))
        announcement = Announcement("slots_added", slot_ids=tuple(item.slot_id for item in items))
        told = len(tell(tx, common, thread_id, announcement, _answerers(tx, thread_id)))
    new = {"thread_slots": [_times(item) for item in items], "told": told}
    audit.record(tx, organizer.actor, "THREAD_SLOTS", f"thread:{thread_id}", new=new)
    return SlotsAdded(slots=items)


def new_slots_by_line(tx: ReadTx, common: MessageSettings, thread_id: str, order: SlotsToAdd) -> int:
    """How many would be told of the new slots by LINE."""
    told = order.notify and thread_row(tx, thread_id).status == "active"
    return reached_by_line(tx, common, thread_id, _answerers(tx, thread_id)) if told else 0


def remove_slot(tx: Tx, organizer: Organizer, thread_id: str, slot_id: str) -> None:
    """Remove a slot with the answers to it. Nothing is decided by that."""
    row = locked(tx, thread_id)
    final = tx.scalar(select(ThreadFinalize.selected_slot_id).where(ThreadFinalize.thread_id == thread_id))
    if final == slot_id:
        raise SlotIsFinal
    require_open(row)
    slot = next((item for item in slot_items(tx, thread_id) if item.slot_id == slot_id), None)
    if slot is None:
        raise NoSuchThreadSlot
    tx.execute(delete(ThreadSelectionSlot).where(ThreadSelectionSlot.slot_id == slot_id))
    _choose_another(tx, thread_id, slot_id)
    tx.execute(delete(SchedulingSlot).where(SchedulingSlot.slot_id == slot_id))
    touch(tx, thread_id)
    audit.record(tx, organizer.actor, "THREAD_SLOT_REMOVE", f"thread:{thread_id}", old=_times(slot))


def _choose_another(tx: Tx, thread_id: str, slot_id: str) -> None:
    """`selected_slot_id` names one of the chosen slots: the earliest of those that are left, or none."""
    left = (
        select(ThreadSelectionSlot.slot_id)
        .join(SchedulingSlot, SchedulingSlot.slot_id == ThreadSelectionSlot.slot_id)
        .where(ThreadSelectionSlot.selection_id == ThreadSelection.selection_id, ThreadSelectionSlot.answer == "yes")
        .order_by(SchedulingSlot.start_at, SchedulingSlot.slot_id)
        .limit(1)
        .correlate(ThreadSelection)
        .scalar_subquery()
    )
    whose = (ThreadSelection.thread_id == thread_id, ThreadSelection.selected_slot_id == slot_id)
    tx.execute(update(ThreadSelection).where(*whose).values(selected_slot_id=left))


def _answerers(tx: ReadTx, thread_id: str) -> list[str]:
    answered = select(ThreadSelection.invitee_key).where(
        ThreadSelection.thread_id == thread_id, ThreadSelection.status != "pending"
    )
    return list(tx.execute(answered).scalars())


def _late_answerers(tx: Tx, thread_id: str) -> list[str]:
    late = select(ThreadInvite.invitee_key).where(
        ThreadInvite.thread_id == thread_id,
        ThreadInvite.expires_at <= tx.now,
        ThreadInvite.invitee_key.in_(_answerers(tx, thread_id)),
    )
    return list(tx.execute(late).scalars())


def _times(slot: ThreadSlotItem) -> dict[str, str]:
    return {"thread_slot": slot.slot_id, "start_at": jst_text(slot.start_at), "end_at": jst_text(slot.end_at)}
