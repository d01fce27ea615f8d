"""Creates the hospital of the demo: departments, staff in every state, slots, reservations, and a waiting list.

The rows are written directly and in one transaction: past reservations and locked accounts cannot be created through
the API, and sixty log-ins would take a quarter of a minute.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select

from tsudoi.booking.accounts.rules import new_registration_code
from tsudoi.booking.departments.models import Department
from tsudoi.booking.departments.rules import folded
from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.booking.slots.rules import begins_at, period_key
from tsudoi.booking.staffs.models import RegistrationCode, StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.commands.demo_notices import make_notices
from tsudoi.commands.demo_slots import CHECKUP, FLU, OPTION, DemoSlot, demo_slots
from tsudoi.commands.demo_staff import DEPARTMENTS, STAFF_ID, can_book, staff_rows
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import Tx

Row = dict[str, Any]

_TYPES: dict[str, Row] = {
    FLU: {"description": "年度に1回です。体温を測ってからお越しください。", "cancel_until_hours": 0},
    CHECKUP: {
        "description": "法律で定められた年1回の健康診断です。",
        "cancel_until_hours": 24,
        "place": "本館2階 健診センター",
        "mail_fallback": 1,
    },
    # Paid online; the sandbox plays Stripe.
    OPTION: {
        "description": "自己負担のある検査です。お支払いで予約が確定します。",
        "cancel_until_hours": 0,
        "limit_per_year": None,
        "price_jpy": 3000,
        "konbini": 1,
        "refund_until_hours": 24,
        "place": "本館2階 健診センター",
    },
}
# Without these values a type is free, and once per year.
_FREE = {
    "limit_per_year": 1,
    "price_jpy": None,
    "konbini": 0,
    "refund_until_hours": None,
    "place": None,
    "mail_fallback": 0,
}
_BOOKED_BEFORE = timedelta(days=20)
# Among the past reservations every fifth person did not come.
_ABSENT_EVERY = 5


def make_hospital(tx: Tx) -> None:
    """Create everything, unless there are departments already."""
    if tx.scalar(select(Department.id).limit(1)) is not None:
        return
    times = {"created_at": tx.now, "updated_at": tx.now}
    departments = [{"id": code, "name": name, "folded_id": folded(code)} for code, name in DEPARTMENTS.items()]
    tx.execute(insert(Department), [{**row, **times} for row in departments])
    people = staff_rows(tx.now)
    tx.execute(insert(StaffAccount), people)
    tx.execute(insert(RegistrationCode).values(code=new_registration_code(), created_by="cli", created_at=tx.now))
    types = _insert(tx, ReservationType, [{"name": name, **_FREE, **more, **times} for name, more in _TYPES.items()])
    _make_slots(tx, dict(zip(_TYPES, types, strict=True)), people)
    make_notices(tx)


def _make_slots(tx: Tx, type_ids: dict[str, int], people: list[Row]) -> None:
    slots = demo_slots(tx.now)
    ids = _insert(tx, ReservationSlot, [_slot_row(tx, slot, type_ids[slot.type_name]) for slot in slots])
    numbered = list(zip(ids, slots, strict=True))
    quotas = [
        {"slot_id": slot_id, "department_id": department_id, "seats": seats}
        for slot_id, slot in numbered
        for department_id, seats in slot.quotas
    ]
    tx.execute(insert(SlotQuota), quotas)
    # Nobody has a seat of the type with a price yet: one that is paid for needs a payment at Stripe.
    for type_name in (FLU, CHECKUP):
        _fill(tx, [pair for pair in numbered if pair[1].type_name == type_name], type_ids[type_name], people)


def _slot_row(tx: Tx, slot: DemoSlot, type_id: int) -> Row:
    opens = None if slot.opens_in_days is None else tx.now + timedelta(days=slot.opens_in_days)
    return {
        "reservation_type_id": type_id,
        "service_date_local": slot.day,
        "start_minute_of_day": slot.minute,
        "duration_minutes": slot.duration,
        "capacity": slot.capacity,
        "booked_count": len(slot.seats),
        "status": slot.status,
        "booking_start": opens,
        "notes": slot.notes,
        "created_at": tx.now - _BOOKED_BEFORE,
        "updated_at": tx.now - _BOOKED_BEFORE,
    }


def _fill(tx: Tx, slots: list[tuple[int, DemoSlot]], type_id: int, people: list[Row]) -> None:
    """Give each seat to a person who has none of this type. Who logs in can still book a vaccination."""
    is_flu = slots[0][1].type_name == FLU
    free = [person for person in people if can_book(person) and not (is_flu and person["staff_id"] == STAFF_ID)]
    # Who needs certain people chooses first: a slot for one person, then quotas of departments.
    by_need = sorted(slots, key=lambda pair: (not pair[1].first_seat, not pair[1].quotas))
    seats = [
        _reservation(tx, _taken(free, department_id, None if place else slot.first_seat), slot_id, slot, type_id)
        for slot_id, slot in by_need
        for place, department_id in enumerate(slot.seats)
    ]
    past = [row for row in seats if row["service_date_local"] < jst_date(tx.now)]
    for number, row in enumerate(past, 1):
        row["attendance"] = "came" if number % _ABSENT_EVERY else "absent"
        row["attendance_at"] = begins_at(row["service_date_local"], row["start_minute_of_day"])
    waiting = [
        {"slot_id": slot_id, "staff_uid": _taken(free)["staff_uid"], "created_at": tx.now - timedelta(hours=9 - place)}
        for slot_id, slot in slots
        for place in range(slot.waiting)
    ]
    if waiting:
        tx.execute(insert(WaitingPlace), waiting)
    live = [slot for slot in slots if slot[1].status == "published" and slot[1].day > jst_date(tx.now)]
    tx.execute(insert(Reservation), [*seats, *_cancelled(tx, live, type_id, free, people)])


def _cancelled(
    tx: Tx, slots: list[tuple[int, DemoSlot]], type_id: int, free: list[Row], people: list[Row]
) -> Iterator[Row]:
    """Two who cancelled, one with the help of the office, and one who left."""
    left = next(person for person in people if person["status"] == "left")
    one, other = _taken(free), _taken(free)
    by = f"staff:{one['staff_uid']}"
    why = ((one, by, None), (other, "admin:jimukyoku", "本人から電話"), (left, "admin:jimukyoku", "退職"))
    for person, actor, reason in why:
        row = _reservation(tx, person, *slots[0], type_id)
        at = tx.now - timedelta(days=1)
        yield {**row, "canceled_at": at, "updated_at": at, "canceled_by": actor, "cancel_reason": reason}


def _taken(free: list[Row], department_id: str | None = None, staff_id: str | None = None) -> Row:
    """Remove a person from the list, and return them. None: of any department, with any number."""
    found = next(
        person
        for person in free
        if department_id in (None, person["department_id"]) and staff_id in (None, person["staff_id"])
    )
    free.remove(found)
    return found


def _reservation(tx: Tx, person: Row, slot_id: int, slot: DemoSlot, type_id: int) -> Row:
    return {
        "staff_uid": person["staff_uid"],
        "staff_id": person["staff_id"],
        "department_id": person["department_id"],
        "reservation_type_id": type_id,
        "slot_id": slot_id,
        "service_date_local": slot.day,
        "start_minute_of_day": slot.minute,
        "duration_minutes": slot.duration,
        "period_key": period_key(slot.day),
        "created_at": tx.now - _BOOKED_BEFORE,
        "updated_at": tx.now - _BOOKED_BEFORE,
        **dict.fromkeys(("attendance", "attendance_at", "canceled_at", "canceled_by", "cancel_reason")),
    }


def _insert(tx: Tx, table: type[ReservationType] | type[ReservationSlot], rows: Iterable[Row]) -> list[int]:
    return list(tx.execute(insert(table).returning(table.id, sort_by_parameter_order=True), list(rows)).scalars())
