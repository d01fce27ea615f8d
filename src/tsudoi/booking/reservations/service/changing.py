"""Moves and cancels reservations: by their owner until the deadline of the type, by the office always."""

from typing import Any

from tsudoi.booking.payments.errors import HoldExpired
from tsudoi.booking.payments.rules.terms import is_refunded_by_rule
from tsudoi.booking.payments.service.tasks import close_pages, refund_all
from tsudoi.booking.reservations.errors import Canceled, NoSuchReservation, TooLate, TypeMismatch
from tsudoi.booking.reservations.queries.reservations import StoredReservation, reservation_of, upcoming_of
from tsudoi.booking.reservations.queries.waiting import PROMOTED
from tsudoi.booking.reservations.rules.deciding import office_refusal, refusal
from tsudoi.booking.reservations.service import seats
from tsudoi.booking.reservations.service.booking import audited_slot, refuse, require_active
from tsudoi.booking.reservations.service.locking import LockedSlot, lock, lock_slots
from tsudoi.booking.reservations.service.waiting import fill, record_promotions
from tsudoi.booking.slots.errors import NoSuchSlot
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import ChangedMeanwhile
from tsudoi.roster.telephone.service import close_calls


def move(tx: Tx, reservation_id: int, staff_uid: str, slot_id: int, actor: str) -> None:
    """The owner moves a reservation. The same slot changes nothing."""
    found = _locked(tx, reservation_id, slot_id, staff_uid)
    if found.slot_id == slot_id:
        return
    if tx.now >= found.cancelable_until:
        raise TooLate
    target = _target(tx, found, slot_id)
    require_active(target)
    refuse(refusal(target.facts))
    _move(tx, found, target, actor, reason=None)


def move_on_behalf(tx: Tx, reservation_id: int, slot_id: int, reason: str, actor: str) -> None:
    found = _locked(tx, reservation_id, slot_id)
    if found.slot_id == slot_id:
        return
    target = _target(tx, found, slot_id)
    refuse(office_refusal(target.facts))
    _move(tx, found, target, actor, reason)


def cancel(tx: Tx, reservation_id: int, staff_uid: str, actor: str) -> None:
    """The owner cancels. A second time changes nothing."""
    found = _reservation(tx, reservation_id, staff_uid)
    if found.canceled_at is not None:
        return
    if tx.now >= found.cancelable_until:
        raise TooLate
    _cancel(tx, found, actor, reason=None)


def cancel_on_behalf(tx: Tx, reservation_id: int, reason: str, actor: str) -> None:
    found = _reservation(tx, reservation_id)
    if found.canceled_at is None:
        _cancel(tx, found, actor, reason)


def lock_future(tx: Tx, staff_uid: str) -> None:
    """Lock the slots of what a person has ahead. Call this before the person is locked, because bookings lock slots
    first too: otherwise the two could wait for each other.
    """
    lock_slots(tx, (found.slot_id for found in upcoming_of(tx, staff_uid)))


def cancel_future(tx: Tx, staff_uid: str, by: str, reason: str) -> list[int]:
    """Cancel what a person who leaves still has ahead, end their waiting places, and return the reservations.

    All slots are locked before the first change, and all audit rows are written at the end, so that two such
    transactions cannot wait for each other.
    """
    upcoming = upcoming_of(tx, staff_uid)
    lock_slots(tx, (found.slot_id for found in upcoming))
    seats.withdraw_all(tx, staff_uid)
    canceled = [found for found in upcoming if seats.free(tx, found, by, reason)]
    for found in canceled:
        _settle_payments(tx, found, by)
    promotions = [one for slot_id in sorted({found.slot_id for found in canceled}) for one in fill(tx, slot_id)]
    for found in canceled:
        audit.record(tx, by, "RESERVE_CANCEL", f"reservation:{found.id}", reason=reason, old=_audited(found))
    record_promotions(tx, promotions, by)
    return [found.id for found in canceled]


def _reservation(tx: Tx, reservation_id: int, staff_uid: str | None = None) -> StoredReservation:
    """Without an owner's id it is the office that asks."""
    found = reservation_of(tx, reservation_id)
    if found is None or staff_uid not in (None, found.staff_uid):
        raise NoSuchReservation
    return found


def _locked(tx: Tx, reservation_id: int, new_slot_id: int, staff_uid: str | None = None) -> StoredReservation:
    """The reservation as it is while its slot and the new one are locked."""
    before = _reservation(tx, reservation_id, staff_uid)
    lock_slots(tx, (before.slot_id, new_slot_id))
    found = _reservation(tx, reservation_id, staff_uid)
    if found.canceled_at is not None:
        raise Canceled
    if found.ran_out(tx.now):
        raise HoldExpired
    if found.slot_id != before.slot_id:
        raise ChangedMeanwhile
    return found


def _target(tx: Tx, found: StoredReservation, slot_id: int) -> LockedSlot:
    target = lock(tx, slot_id, found.staff_uid, without=found.id)
    if target is None:
        raise NoSuchSlot
    if target.facts.type_id != found.type_id:
        raise TypeMismatch
    return target


def _move(tx: Tx, found: StoredReservation, target: LockedSlot, actor: str, reason: str | None) -> None:
    seats.move(tx, target, found)
    promotions = fill(tx, found.slot_id)
    subject, old, new = f"reservation:{found.id}", _audited(found), audited_slot(target)
    audit.record(tx, actor, "RESERVE_UPDATE", subject, reason=reason, old=old, new=new)
    record_promotions(tx, promotions, actor)


def _cancel(tx: Tx, found: StoredReservation, actor: str, reason: str | None) -> None:
    lock_slots(tx, (found.slot_id,))
    current = _reservation(tx, found.id)
    if current.slot_id != found.slot_id:
        raise ChangedMeanwhile
    if not seats.free(tx, current, actor, reason):
        return
    _settle_payments(tx, current, actor)
    close_calls(tx, PROMOTED, str(found.id), "removed")
    promotions = fill(tx, found.slot_id)
    audit.record(tx, actor, "RESERVE_CANCEL", f"reservation:{found.id}", reason=reason, old=_audited(found))
    record_promotions(tx, promotions, actor)


def _settle_payments(tx: Tx, found: StoredReservation, by: str) -> None:
    """A cancelled reservation is paid back by the rule of its type, and cannot be paid for any more."""
    if found.price_jpy is None:
        return
    close_pages(tx, found.id, by, "予約の取り消し")
    if is_refunded_by_rule(found.refund_until_hours, found.begins_at, tx.now):
        refund_all(tx, found.id, by, "予約の取り消し")


def _audited(found: StoredReservation) -> dict[str, Any]:
    return {
        "slot_id": found.slot_id,
        "service_date_local": found.service_date_local,
        "start_minute_of_day": found.start_minute_of_day,
    }
