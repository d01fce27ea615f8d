"""Takes, moves and frees seats, and writes the notices about it. Every function expects that the slot is locked."""

from datetime import datetime

from tsudoi.booking.reservations.models import HELD, HOLD_EXPIRED
from tsudoi.booking.reservations.queries.reservations import StoredReservation
from tsudoi.booking.reservations.rules.deciding import BookingFacts, period_days
from tsudoi.booking.reservations.service.locking import LockedSlot
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.notices.service import making

# A live reservation of the same slot or year that a program wrote past the locks makes this do nothing.
_INSERT = RawSql(
    """INSERT INTO reservations (staff_uid, staff_id, reservation_type_id, slot_id, service_date_local,
        start_minute_of_day, duration_minutes, period_key, created_at, updated_at, once_per_year, department_id,
        confirmed_at, hold_expires_at, price_jpy)
    VALUES (:staff_uid, :staff_id, :type_id, :slot_id, :service_date_local, :start_minute_of_day, :duration_minutes,
        :period_key, :now, :now, :once_per_year, :department_id, :confirmed_at, :hold_expires_at, :price_jpy)
    ON CONFLICT DO NOTHING RETURNING id"""
)
_MOVE = RawSql(
    """UPDATE reservations SET slot_id = :slot_id, service_date_local = :service_date_local,
        start_minute_of_day = :start_minute_of_day, duration_minutes = :duration_minutes, period_key = :period_key,
        department_id = :department_id, staff_id = :staff_id, once_per_year = :once_per_year,
        revision = revision + 1, attendance = NULL, attendance_at = NULL, frees_year = 0, updated_at = :now
    WHERE id = :id RETURNING revision"""
)
_CANCEL = RawSql(
    """UPDATE reservations SET canceled_at = :now, updated_at = :now, canceled_by = :by, cancel_reason = :reason
    WHERE id = :id AND canceled_at IS NULL"""
)
_CONFIRM = RawSql(f"UPDATE reservations SET confirmed_at = :now, updated_at = :now WHERE id = :id AND {HELD}")  # noqa: S608 (a constant of ours)
_HOLD_UNTIL = RawSql(
    f"UPDATE reservations SET hold_expires_at = :until, updated_at = :now WHERE id = :id AND {HELD}"  # noqa: S608
)
_REVIVE = RawSql(
    """UPDATE reservations SET confirmed_at = :now, updated_at = :now, canceled_at = NULL, canceled_by = NULL,
        cancel_reason = NULL, staff_id = :staff_id, department_id = :department_id, once_per_year = :once_per_year,
        revision = revision + 1
    WHERE id = :id AND canceled_at IS NOT NULL AND canceled_by = 'system' AND cancel_reason = :expired
    RETURNING revision"""
)
# The check `booked_count BETWEEN 0 AND capacity` has the last word. A reservation that was written by hand may not have
# been counted; it can be cancelled nevertheless, and `tsudoi booking check` finds it.
_COUNT = RawSql(
    """UPDATE reservation_slots SET booked_count = booked_count + :change
    WHERE id = :slot_id AND booked_count + :change >= 0"""
)
_PROMOTED = RawSql(
    """UPDATE waiting_places SET ended_at = :now, outcome = 'promoted', reservation_id = :reservation_id
    WHERE id = :place_id"""
)
_WITHDRAW_SLOT = RawSql(
    """UPDATE waiting_places SET ended_at = :now, outcome = 'withdrawn'
    WHERE staff_uid = :staff_uid AND ended_at IS NULL AND slot_id = :slot_id"""
)
_WITHDRAW_YEAR = RawSql(
    """UPDATE waiting_places SET ended_at = :now, outcome = 'withdrawn'
    WHERE staff_uid = :staff_uid AND ended_at IS NULL AND slot_id IN (
        SELECT s.id FROM reservation_slots s WHERE s.reservation_type_id = :type_id
            AND s.service_date_local BETWEEN :first_day AND :last_day)"""
)
_WITHDRAW_ALL = RawSql(
    """UPDATE waiting_places SET ended_at = :now, outcome = 'withdrawn'
    WHERE staff_uid = :staff_uid AND ended_at IS NULL"""
)


def take(tx: Tx, locked: LockedSlot, place_id: int | None = None, *, held_until: datetime | None = None) -> int | None:
    """Give the person a seat and return the reservation. `place_id`: the place in the line that this seat fulfils.

    `held_until`: the seat is only held, until it is paid for. None, without having changed anything, if a constraint of
    the database knows of another live reservation.
    """
    facts, now = locked.facts, utc_text(tx.now)
    certain: dict[str, str | int | None] = {"confirmed_at": now, "hold_expires_at": None, "price_jpy": None}
    if held_until is not None:
        certain = {"confirmed_at": None, "hold_expires_at": utc_text(held_until), "price_jpy": locked.price_jpy}
    made = _INSERT.first(tx, {"staff_uid": locked.staff_uid, "now": now, **certain, **_slot_values(locked)})
    if made is None:
        return None
    _COUNT.changed(tx, {"slot_id": facts.slot_id, "change": 1})
    if place_id is not None:
        _PROMOTED.changed(tx, {"now": now, "reservation_id": made[0], "place_id": place_id})
    if locked.is_waiting:
        _end_places(tx, locked.staff_uid, facts)
    if held_until is None:
        making.confirmed(tx, locked.appointment(made[0]))
    return int(made[0])


def move(tx: Tx, locked: LockedSlot, found: StoredReservation) -> None:
    """Move a live reservation to the locked slot, which has a seat for it. The old slot is locked too."""
    facts = locked.facts
    moved = _MOVE.first(tx, {"id": found.id, "now": utc_text(tx.now), **_slot_values(locked)})
    assert moved is not None  # noqa: S101 (reservations are never deleted)
    _COUNT.changed(tx, {"slot_id": found.slot_id, "change": -1})
    _COUNT.changed(tx, {"slot_id": facts.slot_id, "change": 1})
    if locked.is_waiting:
        _end_places(tx, locked.staff_uid, facts)
    if found.is_confirmed:
        making.moved(tx, locked.appointment(found.id, moved[0]))


def free(tx: Tx, found: StoredReservation, by: str, reason: str | None) -> bool:
    """Cancel a reservation, which was read while its slot was locked. False if it was cancelled before."""
    canceled = _CANCEL.changed(tx, {"id": found.id, "now": utc_text(tx.now), "by": by, "reason": reason})
    if canceled:
        _COUNT.changed(tx, {"slot_id": found.slot_id, "change": -1})
        # A seat that was never paid for is given back without a notice.
        making.canceled(tx, found.appointment, tell=found.is_confirmed)
    return bool(canceled)


def confirm(tx: Tx, reservation_id: int) -> bool:
    """A held seat is paid for. False if it is not held."""
    return bool(_CONFIRM.changed(tx, {"id": reservation_id, "now": utc_text(tx.now)}))


def revive(tx: Tx, locked: LockedSlot, reservation_id: int) -> bool:
    """A seat that was given back is paid for after all, and the slot has one for the person. It is certain at once.

    The revision is a new one: the person may have been told that an earlier payment goes back, and has to be told again
    if this seat is cancelled.
    """
    values = _slot_values(locked)
    given = {name: values[name] for name in ("staff_id", "department_id", "once_per_year")} | {"expired": HOLD_EXPIRED}
    revived = _REVIVE.first(tx, {"id": reservation_id, "now": utc_text(tx.now), **given})
    if revived is None:
        return False
    _COUNT.changed(tx, {"slot_id": locked.facts.slot_id, "change": 1})
    if locked.is_waiting:
        _end_places(tx, locked.staff_uid, locked.facts)
    making.confirmed(tx, locked.appointment(reservation_id, revived[0]))
    return True


def hold_until(tx: Tx, reservation_id: int, until: datetime) -> None:
    _HOLD_UNTIL.changed(tx, {"id": reservation_id, "until": utc_text(until), "now": utc_text(tx.now)})


def withdraw_all(tx: Tx, staff_uid: str) -> None:
    """End every place of a person in a waiting list."""
    _WITHDRAW_ALL.changed(tx, {"staff_uid": staff_uid, "now": utc_text(tx.now)})


def _end_places(tx: Tx, staff_uid: str, facts: BookingFacts) -> None:
    """The person waits no longer for this slot, nor for others of the type once the year is used up."""
    given = {"staff_uid": staff_uid, "now": utc_text(tx.now)}
    _WITHDRAW_SLOT.changed(tx, {**given, "slot_id": facts.slot_id})
    if facts.limit_per_year is not None and facts.booked_this_year + 1 >= facts.limit_per_year:
        first_day, last_day = period_days(facts.period_key)
        _WITHDRAW_YEAR.changed(tx, {**given, "type_id": facts.type_id, "first_day": first_day, "last_day": last_day})


def _slot_values(locked: LockedSlot) -> dict[str, str | int | None]:
    facts, slot = locked.facts, locked.facts.slot
    return {
        "staff_id": locked.staff_id,
        "department_id": locked.department_id,
        "slot_id": facts.slot_id,
        "type_id": facts.type_id,
        "service_date_local": slot.service_date_local,
        "start_minute_of_day": slot.start_minute_of_day,
        "duration_minutes": facts.duration_minutes,
        "period_key": facts.period_key,
        "once_per_year": int(facts.limit_per_year == 1),
    }
