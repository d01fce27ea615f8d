"""Locks a slot together with a person, and reads what decides whether the person can have a seat there.

A verb that changes reservations of a slot locks the slot first, several slots by ascending id, and then the person.
PostgreSQL locks rows, `FOR NO KEY UPDATE`, so that foreign keys to them do not wait; SQLite has one writer at a time.
The facts are read by a second statement: its snapshot begins after the locks are held, so that it sees what the
holders before have committed.

A hold that ran out is given back here if it stands in the way, so that a seat never waits for the clockwork.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from tsudoi.booking.payments.service.tasks import close_pages
from tsudoi.booking.reservations.models import HELD, HOLD_EXPIRED
from tsudoi.booking.reservations.queries.reservations import StoredReservation, reservation_of
from tsudoi.booking.reservations.rules.deciding import BookingFacts, OwnReservation
from tsudoi.booking.slots.rules import SlotState
from tsudoi.core.clock import parse_utc, utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.notices.rules.making import Appointment

_SLOT_AND_PERSON = """SELECT s.id, s.reservation_type_id, s.service_date_local, s.start_minute_of_day,
        s.duration_minutes, s.capacity, s.booked_count, s.status, s.booking_start, s.booking_end, s.notes,
        t.name, t.active, t.limit_per_year, t.minimum_days_between, t.cancel_until_hours, t.overlap_allowed,
        t.price_jpy, t.hold_minutes, t.konbini, t.refund_until_hours, t.place, t.description,
        p.staff_id, p.department_id, p.status, p.line_user_id IS NOT NULL
    FROM reservation_slots s JOIN reservation_types t ON t.id = s.reservation_type_id CROSS JOIN staffs p
    WHERE s.id = :slot_id AND p.staff_uid = :staff_uid"""
UNLOCKED = RawSql(_SLOT_AND_PERSON)
# The type is locked too, so that its limit does not change between the decision and the commit.
LOCKED = RawSql(_SLOT_AND_PERSON + " FOR NO KEY UPDATE OF s, p FOR SHARE OF t")
_LOCK_PERSON = RawSql("SELECT 1 FROM staffs WHERE staff_uid = :staff_uid FOR NO KEY UPDATE")
_LOCK_SLOT = RawSql("SELECT 1 FROM reservation_slots WHERE id = :slot_id FOR NO KEY UPDATE")
# Holds that ran out, of the slot or of the person. There are few holds at any time, and they have an index of their
# own; the CASE keeps SQLite from using another one.
_RAN_OUT = f"""{HELD} AND hold_expires_at <= :now
    AND CASE WHEN slot_id = :slot_id OR staff_uid = :staff_uid THEN 1 ELSE 0 END = 1"""
# One row for each live reservation of the person, or one row without any.
_PERSON = RawSql(
    f"""SELECT (SELECT q.seats FROM slot_quotas q WHERE q.slot_id = :slot_id AND q.department_id = :department_id),
        (SELECT count(*) FROM reservations d WHERE d.canceled_at IS NULL AND d.department_id = :department_id
            AND d.slot_id IN (SELECT q.slot_id FROM slot_quotas q
                              WHERE q.slot_id = :slot_id AND q.department_id = :department_id)),
        EXISTS (SELECT 1 FROM waiting_places w WHERE w.staff_uid = :staff_uid AND w.ended_at IS NULL),
        EXISTS (SELECT 1 FROM reservations WHERE {_RAN_OUT}),
        r.id, r.slot_id, r.reservation_type_id, r.period_key, r.service_date_local, r.start_minute_of_day,
        r.duration_minutes, t.overlap_allowed, r.frees_year
    FROM (SELECT 1 AS one) AS always
    LEFT JOIN reservations r ON r.staff_uid = :staff_uid AND r.canceled_at IS NULL
    LEFT JOIN reservation_types t ON t.id = r.reservation_type_id"""  # noqa: S608 (a constant of ours)
)
# Somebody who waits for such a seat gets it from the clockwork, before others can ask for it.
_GIVE_BACK = RawSql(
    f"""UPDATE reservations SET canceled_at = :now, updated_at = :now, canceled_by = 'system',
        cancel_reason = '{HOLD_EXPIRED}'
    WHERE {_RAN_OUT} AND NOT EXISTS (
        SELECT 1 FROM waiting_places w WHERE w.slot_id = reservations.slot_id AND w.ended_at IS NULL)
    RETURNING id, slot_id"""  # noqa: S608 (constants of ours)
)
_ONE_LESS = RawSql("UPDATE reservation_slots SET booked_count = booked_count - 1 WHERE id = :slot_id")


class _SlotAndPerson(NamedTuple):
    """The columns of the first statement."""

    slot_id: int
    type_id: int
    service_date_local: str
    start_minute_of_day: int
    duration_minutes: int
    capacity: int
    booked_count: int
    status: str
    booking_start: str | None
    booking_end: str | None
    notes: str | None
    type_name: str
    type_active: int
    limit_per_year: int | None
    minimum_days_between: int | None
    cancel_until_hours: int
    overlap_allowed: int
    price_jpy: int | None
    hold_minutes: int
    konbini: int
    refund_until_hours: int | None
    place: str | None
    type_description: str | None
    staff_id: str
    department_id: str
    staff_status: str
    linked: bool


@dataclass(frozen=True, slots=True)
class LockedSlot:
    """A slot and a person, both locked until the commit, and the facts that decide."""

    facts: BookingFacts
    type_name: str
    notes: str | None
    cancel_until_hours: int
    staff_uid: str
    staff_id: str
    department_id: str
    staff_status: str
    # Whether the person has a place in any waiting list.
    is_waiting: bool
    # NULL in the type: free. The other three matter for a price only.
    price_jpy: int | None
    hold_minutes: int
    konbini: bool
    refund_until_hours: int | None
    place: str | None
    type_description: str | None
    # Whether notices can go to the person by LINE.
    linked: bool

    def appointment(self, reservation_id: int, revision: int = 0) -> Appointment:
        return Appointment(reservation_id, revision, self.facts.slot.begins_at, self.linked)


def lock(tx: Tx, slot_id: int, staff_uid: str, *, without: int | None = None) -> LockedSlot | None:
    """None if there is no such slot or person. `without`: a reservation that is about to move, and does not count."""
    statement = LOCKED if tx.dialect == "postgresql" else UNLOCKED
    found = statement.first(tx, {"slot_id": slot_id, "staff_uid": staff_uid})
    if found is None:
        return None
    row = _SlotAndPerson(*found)
    given = {
        "slot_id": slot_id,
        "staff_uid": staff_uid,
        "department_id": row.department_id,
        "now": utc_text(tx.now),
    }
    person = _PERSON.all(tx, given)
    if person[0][3] and _give_back(tx, given):
        return lock(tx, slot_id, staff_uid, without=without)
    return LockedSlot(
        facts=_facts(tx, row, person, without),
        type_name=row.type_name,
        notes=row.notes,
        cancel_until_hours=row.cancel_until_hours,
        staff_uid=staff_uid,
        staff_id=row.staff_id,
        department_id=row.department_id,
        staff_status=row.staff_status,
        is_waiting=bool(person[0][2]),
        price_jpy=row.price_jpy,
        hold_minutes=row.hold_minutes,
        konbini=bool(row.konbini),
        refund_until_hours=row.refund_until_hours,
        place=row.place,
        type_description=row.type_description,
        linked=bool(row.linked),
    )


def lock_reservation(tx: Tx, reservation_id: int) -> StoredReservation | None:
    """The reservation as it is while its slot and its person are locked. If it is moved at the same moment, both slots
    are locked. Without the lock of the person, who links LINE at the same moment could miss the reminder.
    """
    found = reservation_of(tx, reservation_id)
    while found is not None:
        lock_slots(tx, (found.slot_id,))
        if tx.dialect == "postgresql":
            _LOCK_PERSON.first(tx, {"staff_uid": found.staff_uid})
        before, found = found, reservation_of(tx, reservation_id)
        if found is not None and found.slot_id == before.slot_id:
            break
    return found


def lock_slots(tx: Tx, slot_ids: Iterable[int]) -> None:
    """Lock several slots in the one order that everybody uses."""
    if tx.dialect == "postgresql":
        for slot_id in sorted(set(slot_ids)):
            _LOCK_SLOT.first(tx, {"slot_id": slot_id})


def _give_back(tx: Tx, given: dict[str, Any]) -> int:
    """Give back the holds that ran out. The person's other slots are locked out of order here; on PostgreSQL a deadlock
    with a parallel booking of the same person is resolved by running one of the two again.
    """
    named = {name: given[name] for name in ("slot_id", "staff_uid", "now")}
    freed = _GIVE_BACK.all(tx, named)
    for reservation_id, slot_id in freed:
        _ONE_LESS.changed(tx, {"slot_id": slot_id})
        close_pages(tx, reservation_id, "system", HOLD_EXPIRED)
    return len(freed)


def _facts(tx: Tx, row: _SlotAndPerson, person: list[tuple[Any, ...]], without: int | None) -> BookingFacts:
    seats, booked = person[0][:2]
    slot = SlotState(
        type_active=bool(row.type_active),
        status=row.status,
        service_date_local=row.service_date_local,
        start_minute_of_day=row.start_minute_of_day,
        booking_start=_time(row.booking_start),
        booking_end=_time(row.booking_end),
        capacity=row.capacity,
        booked_count=row.booked_count,
        department_seats=seats,
        department_booked=booked,
    )
    return BookingFacts(
        slot_id=row.slot_id,
        type_id=row.type_id,
        slot=slot,
        duration_minutes=row.duration_minutes,
        limit_per_year=row.limit_per_year,
        minimum_days_between=row.minimum_days_between,
        overlap_allowed=bool(row.overlap_allowed),
        own=tuple(
            OwnReservation(*columns[4:]) for columns in person if columns[4] is not None and columns[4] != without
        ),
        now=tx.now,
    )


def _time(stored: str | None) -> datetime | None:
    return None if stored is None else parse_utc(stored)
