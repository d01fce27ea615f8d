"""Changing, publishing, closing and deleting slots."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, delete, update

from tsudoi.booking.planning import queries
from tsudoi.booking.planning.errors import (
    CapacityBelowBooked,
    SlotHasReservations,
    SlotInUse,
    UnknownReservationType,
    UnknownSlots,
)
from tsudoi.booking.planning.rules.drafts import time_faults, window_faults
from tsudoi.booking.planning.schemas import SlotChange
from tsudoi.booking.planning.service.creating import audit_values, checked_quotas, insert_quotas
from tsudoi.booking.reservations.service import waiting
from tsudoi.booking.reservations.service.waiting import Promotion
from tsudoi.booking.slots.errors import NoSuchSlot
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.core import audit
from tsudoi.core.audit import AuditEntryDraft
from tsudoi.core.db.interface import Tx

# What people were told when they booked: it stays while somebody has a seat or waits for one.
_ANNOUNCED = {
    "reservation_type_id": "reservationTypeId",
    "service_date_local": "serviceDateLocal",
    "start_minute_of_day": "startMinuteOfDay",
    "duration_minutes": "durationMinutes",
}
_STATUS_ACTIONS = {"draft": "SLOT_CHANGE", "published": "SLOT_PUBLISH", "closed": "SLOT_CLOSE"}


def change_slot(tx: Tx, slot_id: int, change: SlotChange, actor: str) -> None:
    before = _locked(tx, slot_id)
    given = {name: getattr(change, name) for name in change.model_fields_set}
    if "notes" in given:
        given["notes"] = given["notes"] or None
    present = {**before._mapping, "quotas": queries.quotas_of(tx, [slot_id]).get(slot_id, {})}  # noqa: SLF001 (public)
    after = {**present, **given}
    faults = [
        *time_faults(after["start_minute_of_day"], after["duration_minutes"]),
        *window_faults(after["booking_start"], after["booking_end"]),
    ]
    quotas = checked_quotas(tx, change.quotas, faults)
    if "quotas" in given:
        given["quotas"] = dict(quotas)
    new = {name: value for name, value in given.items() if value != present[name]}
    if not new:
        return
    _check(tx, before, new)
    _write(tx, slot_id, new)
    promotions = _fill_free_seats(tx, [slot_id])
    old = {name: present[name] for name in new}
    audit.record_all(tx, actor, _entries(slot_id, old, new))
    waiting.record_promotions(tx, promotions, actor)


def change_status(tx: Tx, slot_ids: Sequence[int], status: str, actor: str) -> int:
    """Give all slots this status; returns how many had another one."""
    rows = queries.locked_slots(tx, sorted(set(slot_ids)))
    if unknown := set(slot_ids) - {row.id for row in rows}:
        raise UnknownSlots(unknown)
    changed = [row for row in rows if row.status != status]
    if changed:
        chosen = ReservationSlot.id.in_([row.id for row in changed])
        tx.execute(update(ReservationSlot).where(chosen).values(status=status, updated_at=tx.now))
    promotions = _fill_free_seats(tx, [row.id for row in changed])
    action = _STATUS_ACTIONS[status]
    audit.record_all(
        tx,
        actor,
        [
            AuditEntryDraft(action, f"slot:{row.id}", old={"status": row.status}, new={"status": status})
            for row in changed
        ],
    )
    waiting.record_promotions(tx, promotions, actor)
    return len(changed)


def delete_slot(tx: Tx, slot_id: int, actor: str) -> None:
    """Only a slot that nobody ever booked or waited for, because reservations are kept for ever."""
    before = _locked(tx, slot_id)
    if queries.has_reservations(tx, slot_id, live_only=False):
        raise SlotInUse
    tx.execute(delete(ReservationSlot).where(ReservationSlot.id == slot_id))
    names = (*_ANNOUNCED, "capacity", "status")
    audit.record(tx, actor, "SLOT_DELETE", f"slot:{slot_id}", old={name: getattr(before, name) for name in names})


def _locked(tx: Tx, slot_id: int) -> Row[Any]:
    rows = queries.locked_slots(tx, [slot_id])
    if not rows:
        raise NoSuchSlot
    return rows[0]


def _check(tx: Tx, before: Row[Any], new: dict[str, Any]) -> None:
    if "reservation_type_id" in new and not queries.type_exists(tx, new["reservation_type_id"]):
        raise UnknownReservationType
    announced = [field for name, field in _ANNOUNCED.items() if name in new]
    # Cancelled reservations refer to the slot's type as well, so it stays even after all seats are free again.
    live_only = "reservation_type_id" not in new
    if announced and queries.has_reservations(tx, before.id, live_only=live_only):
        raise SlotHasReservations(announced)
    if new.get("capacity", before.capacity) < before.booked_count:
        raise CapacityBelowBooked(before.booked_count)


def _write(tx: Tx, slot_id: int, new: dict[str, Any]) -> None:
    columns = {name: value for name, value in new.items() if name != "quotas"}
    tx.execute(update(ReservationSlot).where(ReservationSlot.id == slot_id).values(**columns, updated_at=tx.now))
    if "quotas" in new:
        tx.execute(delete(SlotQuota).where(SlotQuota.slot_id == slot_id))
        insert_quotas(tx, [(slot_id, *quota) for quota in new["quotas"].items()])


def _fill_free_seats(tx: Tx, slot_ids: Sequence[int]) -> list[Promotion]:
    """More seats, a later end or a new publication may give people who wait a seat."""
    return [one for slot_id in queries.slots_waited_for(tx, slot_ids) for one in waiting.fill(tx, slot_id)]


def _entries(slot_id: int, old: dict[str, Any], new: dict[str, Any]) -> list[AuditEntryDraft]:
    """A change of the status has its own action, so that the trail can be searched for it."""
    subject, entries = f"slot:{slot_id}", []
    status = {"status"} if "status" in new else set()
    if others := [name for name in new if name not in status]:
        before, after = ({name: values[name] for name in others} for values in (old, new))
        entries.append(AuditEntryDraft("SLOT_CHANGE", subject, old=audit_values(before), new=audit_values(after)))
    if status:
        action = _STATUS_ACTIONS[new["status"]]
        entries.append(AuditEntryDraft(action, subject, old={"status": old["status"]}, new={"status": new["status"]}))
    return entries
