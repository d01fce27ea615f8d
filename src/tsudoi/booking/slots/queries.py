from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tsudoi.booking.slots.errors import BackwardPeriod
from tsudoi.booking.slots.rules import SlotState, full_because, not_open_because
from tsudoi.booking.slots.schemas import OpenSlot, OpenSlotPage
from tsudoi.core.clock import jst_date, parse_utc, utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.pages import decode_cursor, encode_cursor

_LAST_DAY = "2099-12-31"
_START = ("", 0, 0)

# Reservations and the waiting list are named in SQL, because their code imports this package.
# A hold that ran out takes no seat any more, also if it has not been given back yet.
_RUNS = "({0}.confirmed_at IS NOT NULL OR {0}.hold_expires_at IS NULL OR {0}.hold_expires_at > :now)"
_OPEN_SLOTS = RawSql(
    f"""SELECT s.id, s.reservation_type_id, t.name, s.service_date_local, s.start_minute_of_day, s.duration_minutes,
        s.capacity, s.booked_count - COALESCE(expired.holds, 0), s.booking_start, s.booking_end, s.notes,
        t.price_jpy, t.hold_minutes, t.refund_until_hours, t.place, q.seats,
        (SELECT COUNT(*) FROM reservations r WHERE r.slot_id = s.id AND r.canceled_at IS NULL AND {_RUNS.format("r")}
            AND r.department_id = q.department_id),
        (SELECT COUNT(*) FROM waiting_places w WHERE w.slot_id = s.id AND w.ended_at IS NULL),
        mine.id, place.id, t.mail_fallback
    FROM reservation_slots s
        JOIN reservation_types t ON t.id = s.reservation_type_id AND t.active = 1
        LEFT JOIN slot_quotas q ON q.slot_id = s.id AND q.department_id = :department_id
        LEFT JOIN (SELECT slot_id, COUNT(*) AS holds FROM reservations
            WHERE canceled_at IS NULL AND confirmed_at IS NULL AND hold_expires_at IS NOT NULL
                AND hold_expires_at <= :now
            GROUP BY slot_id) AS expired ON expired.slot_id = s.id
        LEFT JOIN reservations mine ON mine.slot_id = s.id AND mine.staff_uid = :staff_uid
            AND mine.canceled_at IS NULL AND {_RUNS.format("mine")}
        LEFT JOIN waiting_places place
            ON place.slot_id = s.id AND place.staff_uid = :staff_uid AND place.ended_at IS NULL
    WHERE s.status = 'published' AND s.service_date_local BETWEEN :first_day AND :last_day
        AND (:type_id = 0 OR s.reservation_type_id = :type_id)
        AND (s.service_date_local, s.start_minute_of_day, s.id) > (:after_day, :after_minute, :after_id)
    ORDER BY s.service_date_local, s.start_minute_of_day, s.id LIMIT :row_limit"""  # noqa: S608 (a constant of ours)
)


@dataclass(frozen=True, slots=True)
class OpenSlotFilter:
    """Which published slots a staff person asks for. `first_day` None: from today on."""

    first_day: str | None
    last_day: str | None
    reservation_type_id: int | None


def open_slots(
    tx: ReadTx, staff_uid: str, department_id: str, wanted: OpenSlotFilter, limit: int, cursor: str | None
) -> OpenSlotPage:
    """Published slots of active types, in the order of day, time and id."""
    first_day, last_day = wanted.first_day or jst_date(tx.now), wanted.last_day or _LAST_DAY
    if last_day < first_day:
        raise BackwardPeriod
    after_day, after_minute, after_id = decode_cursor(cursor, str, int, int) if cursor is not None else _START
    rows = _OPEN_SLOTS.all(
        tx,
        {
            "staff_uid": staff_uid,
            "department_id": department_id,
            "now": utc_text(tx.now),
            "first_day": first_day,
            "last_day": last_day,
            "type_id": wanted.reservation_type_id or 0,
            "after_day": after_day,
            "after_minute": after_minute,
            "after_id": after_id,
            "row_limit": limit + 1,
        },
    )
    items = [_open_slot(row, tx.now) for row in rows[:limit]]
    last = items[-1] if len(rows) > limit else None
    more = encode_cursor(last.service_date_local, last.start_minute_of_day, last.id) if last else None
    return OpenSlotPage(items=items, next_cursor=more)


def _open_slot(row: tuple[Any, ...], now: datetime) -> OpenSlot:
    slot_id, type_id, type_name, day, minute, duration, capacity, booked, opens, closes, notes, *personal = row
    price, hold_minutes, refund_until_hours, place, *personal = personal
    department_seats, department_booked, waiting, my_reservation, my_place, mail_fallback = personal
    state = SlotState(
        type_active=True,
        status="published",
        service_date_local=day,
        start_minute_of_day=minute,
        booking_start=opens and parse_utc(opens),
        booking_end=closes and parse_utc(closes),
        capacity=capacity,
        booked_count=booked,
        department_seats=department_seats,
        department_booked=department_booked,
    )
    # The person's own seat is checked where the booking checks it: after the window, before the seats.
    taken = "ALREADY_IN_SLOT" if my_reservation else full_because(state)
    reason = not_open_because(state, now) or taken
    return OpenSlot(
        id=slot_id,
        reservation_type_id=type_id,
        reservation_type_name=type_name,
        service_date_local=day,
        start_minute_of_day=minute,
        duration_minutes=duration,
        capacity=capacity,
        seats_left=state.seats_left,
        bookable=reason is None,
        reason=reason,
        booking_start=state.booking_start,
        booking_end=state.booking_end,
        notes=notes,
        price_jpy=price,
        hold_minutes=hold_minutes,
        refund_until_hours=refund_until_hours,
        place=place,
        waiting_count=waiting,
        my_reservation_id=my_reservation,
        my_waiting_id=my_place,
        mail_fallback=bool(mail_fallback),
    )
