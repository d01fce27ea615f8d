from calendar import monthrange
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, case, func, select, tuple_, union

from tsudoi.booking.departments.models import Department
from tsudoi.booking.planning.rules.drafts import SlotDraft, days_on
from tsudoi.booking.planning.schemas import SlotCalendar, SlotDay, SlotItem, SlotPage, SlotQuotaItem
from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.reservations.queries.holds import holds_by_slot
from tsudoi.booking.slots.errors import BackwardPeriod, NoSuchSlot
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.holidays import holiday_name
from tsudoi.core.pages import decode_cursor, encode_cursor

_ORDER = (ReservationSlot.service_date_local, ReservationSlot.start_minute_of_day, ReservationSlot.id)


@dataclass(frozen=True, slots=True)
class SlotFilter:
    """Which slots the office asks for; None: all."""

    first_day: str | None = None
    last_day: str | None = None
    reservation_type_id: int | None = None
    status: str | None = None
    # Monday is 1. They count only within the two days.
    weekdays: Collection[int] | None = None
    # The slots that begin at these minutes of the day or between them.
    from_minute: int | None = None
    to_minute: int | None = None
    slot_ids: Collection[int] | None = None


def slot_page(tx: ReadTx, wanted: SlotFilter, limit: int, cursor: str | None) -> SlotPage:
    """In the order of day, time and id, so that a new slot does not shift the next page."""
    statement = _items(wanted, tx.now).order_by(*_ORDER).limit(limit + 1)
    if cursor is not None:
        statement = statement.where(tuple_(*_ORDER) > tuple_(*decode_cursor(cursor, str, int, int)))
    rows = tx.execute(statement).all()
    items = _with_quotas(tx, rows[:limit])
    last = items[-1] if len(rows) > limit else None
    more = encode_cursor(last.service_date_local, last.start_minute_of_day, last.id) if last else None
    return SlotPage(items=items, next_cursor=more)


def slot_item(tx: ReadTx, slot_id: int) -> SlotItem:
    rows = tx.execute(_items(SlotFilter(), tx.now).where(ReservationSlot.id == slot_id)).all()
    if not rows:
        raise NoSuchSlot
    return _with_quotas(tx, rows)[0]


def slot_rows(tx: ReadTx, wanted: SlotFilter, *, lock: bool, limit: int | None = None) -> list[Row[Any]]:
    """The rows, locked in the order of their ids, so that two changes and a booking happen one after the other.

    The lock leaves the key alone (`FOR NO KEY UPDATE`), so that rows which only refer to the slot do not wait. Who had
    to wait for the lock gets the row as it is then, or no row if it is no longer wanted.
    """
    statement = _narrowed(select(ReservationSlot.__table__), wanted).order_by(ReservationSlot.id).limit(limit)
    return list(tx.execute(statement.with_for_update(key_share=True) if lock else statement))


def quotas_of(tx: ReadTx, slot_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """The seats by department of each slot that has quotas."""
    found: dict[int, dict[str, int]] = defaultdict(dict)
    statement = select(SlotQuota).where(SlotQuota.slot_id.in_(slot_ids)).order_by(SlotQuota.department_id)
    for row in tx.execute(statement):
        found[row.slot_id][row.department_id] = row.seats
    return found


def has_live_reservations(tx: ReadTx, slot_id: int) -> bool:
    """Whether people have a seat in the slot or wait for one."""
    seats = select(Reservation.id).where(Reservation.slot_id == slot_id, Reservation.canceled_at.is_(None))
    places = select(WaitingPlace.id).where(WaitingPlace.slot_id == slot_id, WaitingPlace.ended_at.is_(None))
    return any(tx.execute(statement.limit(1)).first() for statement in (seats, places))


def ever_used(tx: ReadTx, slot_ids: Collection[int]) -> set[int]:
    """Those of the slots in which somebody has or had a seat, or for which somebody waits or waited."""
    seats = select(Reservation.slot_id).where(Reservation.slot_id.in_(slot_ids))
    places = select(WaitingPlace.slot_id).where(WaitingPlace.slot_id.in_(slot_ids))
    return set(tx.execute(union(seats, places)).scalars())


def slots_waited_for(tx: ReadTx, slot_ids: Sequence[int]) -> list[int]:
    """Those of the slots for which somebody waits."""
    open_places = select(WaitingPlace.slot_id).where(
        WaitingPlace.slot_id.in_(slot_ids), WaitingPlace.ended_at.is_(None)
    )
    return sorted(set(tx.execute(open_places).scalars()))


def unknown_departments(tx: ReadTx, department_ids: Sequence[str]) -> list[str]:
    known = set(tx.execute(select(Department.id).where(Department.id.in_(department_ids))).scalars())
    return [department_id for department_id in department_ids if department_id not in known]


def type_exists(tx: ReadTx, type_id: int, *, lock: bool = False) -> bool:
    """With `lock`, bulk creations of the type happen one after the other and see each other's slots."""
    statement = select(ReservationType.id).where(ReservationType.id == type_id)
    return tx.execute(statement.with_for_update(key_share=True) if lock else statement).first() is not None


def existing_keys(tx: ReadTx, wanted: SlotFilter) -> set[tuple[int, str, int]]:
    """Type, day and minute of the slots, as `SlotDraft.key`."""
    keys = select(
        ReservationSlot.reservation_type_id, ReservationSlot.service_date_local, ReservationSlot.start_minute_of_day
    )
    return {tuple(row) for row in tx.execute(_narrowed(keys, wanted))}


def drafts_of(tx: ReadTx, wanted: SlotFilter, limit: int) -> list[SlotDraft]:
    """The slots as drafts to copy."""
    rows = tx.execute(_narrowed(select(ReservationSlot.__table__), wanted).order_by(*_ORDER).limit(limit)).all()
    quotas = quotas_of(tx, [row.id for row in rows])
    return [
        SlotDraft(
            row.reservation_type_id,
            row.service_date_local,
            row.start_minute_of_day,
            row.duration_minutes,
            row.capacity,
            row.status,
            row.booking_start,
            row.booking_end,
            row.notes,
            tuple(quotas.get(row.id, {}).items()),
        )
        for row in rows
    ]


def calendar(tx: ReadTx, month: str, type_id: int | None) -> SlotCalendar:
    """Every day of the month, also those without slots. `month`: `2026-11`."""
    days = [f"{month}-{day:02d}" for day in range(1, monthrange(int(month[:4]), int(month[5:]))[1] + 1)]
    statuses, holds = ("draft", "published", "closed"), holds_by_slot(tx.now)
    counts = [func.sum(case((ReservationSlot.status == status, 1), else_=0)).label(status) for status in statuses]
    statement = select(
        ReservationSlot.service_date_local.label("date"),
        func.count().label("slots"),
        func.sum(ReservationSlot.capacity).label("capacity"),
        (func.sum(ReservationSlot.booked_count) - func.coalesce(func.sum(holds.c.over), 0)).label("booked"),
        *counts,
    ).outerjoin(holds, holds.c.slot_id == ReservationSlot.id)
    statement = statement.group_by(ReservationSlot.service_date_local)
    rows = tx.execute(_narrowed(statement, SlotFilter(days[0], days[-1], type_id))).mappings()
    found = {row["date"]: row for row in rows}
    nothing = dict.fromkeys(("slots", "capacity", "booked", *statuses), 0)
    return SlotCalendar(
        days=[SlotDay(**{"date": day, **nothing, **found.get(day, {}), "holiday": holiday_name(day)}) for day in days]
    )


def _items(wanted: SlotFilter, now: datetime) -> Select[*tuple[Any, ...]]:
    """A hold that ran out takes no seat any more, also if it has not been given back yet."""
    holds = holds_by_slot(now)
    booked = ReservationSlot.booked_count - func.coalesce(holds.c.over, 0)
    waiting = (
        select(func.count())
        .where(WaitingPlace.slot_id == ReservationSlot.id, WaitingPlace.ended_at.is_(None))
        .correlate(ReservationSlot)
        .scalar_subquery()
        .label("waiting_count")
    )
    statement = select(
        *(column for column in ReservationSlot.__table__.c if column.name != "booked_count"),
        ReservationType.name.label("reservation_type_name"),
        booked.label("booked_count"),
        (ReservationSlot.capacity - booked).label("seats_left"),
        func.coalesce(holds.c.running, 0).label("held_count"),
        waiting,
    ).join(ReservationType, ReservationType.id == ReservationSlot.reservation_type_id)
    return _narrowed(statement.outerjoin(holds, holds.c.slot_id == ReservationSlot.id), wanted)


def _narrowed(statement: Select[*tuple[Any, ...]], wanted: SlotFilter) -> Select[*tuple[Any, ...]]:
    if wanted.first_day is not None and wanted.last_day is not None and wanted.last_day < wanted.first_day:
        raise BackwardPeriod
    if wanted.first_day is not None:
        statement = statement.where(ReservationSlot.service_date_local >= wanted.first_day)
    if wanted.last_day is not None:
        statement = statement.where(ReservationSlot.service_date_local <= wanted.last_day)
    if wanted.reservation_type_id is not None:
        statement = statement.where(ReservationSlot.reservation_type_id == wanted.reservation_type_id)
    if wanted.status is not None:
        statement = statement.where(ReservationSlot.status == wanted.status)
    if wanted.weekdays is not None and wanted.first_day is not None and wanted.last_day is not None:
        # No function for the day of the week is the same in both databases.
        days = days_on(wanted.first_day, wanted.last_day, wanted.weekdays)
        statement = statement.where(ReservationSlot.service_date_local.in_(days))
    if wanted.from_minute is not None:
        statement = statement.where(ReservationSlot.start_minute_of_day >= wanted.from_minute)
    if wanted.to_minute is not None:
        statement = statement.where(ReservationSlot.start_minute_of_day <= wanted.to_minute)
    if wanted.slot_ids is not None:
        statement = statement.where(ReservationSlot.id.in_(wanted.slot_ids))
    return statement


def _with_quotas(tx: ReadTx, rows: Sequence[Row[Any]]) -> list[SlotItem]:
    quotas = quotas_of(tx, [row.id for row in rows])
    return [
        SlotItem(
            **{**row._mapping, "notes": row.notes or ""},  # noqa: SLF001 (public)
            quotas=[
                SlotQuotaItem(department_id=department_id, seats=seats)
                for department_id, seats in quotas.get(row.id, {}).items()
            ],
        )
        for row in rows
    ]
