"""The slots that a staff person sees, each with what a booking of this person would be told now."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from tsudoi.booking.payments.errors import PaymentUnavailable
from tsudoi.booking.reservations.rules.deciding import (
    BookingFacts,
    OwnReservation,
    cancelable_until,
    refusal,
    replaced_by_a_move,
    waiting_refusal,
)
from tsudoi.booking.slots.errors import BackwardPeriod
from tsudoi.booking.slots.rules import SlotState, full_because
from tsudoi.booking.slots.schemas import OpenSlot, OpenSlotListing, OpenSlotPage
from tsudoi.core.clock import jst_date, parse_utc, utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.pages import decode_cursor, encode_cursor

_LAST_DAY = "2099-12-31"
_START = ("", 0, 0)

_RUNS = "(r.confirmed_at IS NOT NULL OR r.hold_expires_at IS NULL OR r.hold_expires_at > :now)"
_SOMEBODY_WAITS = "EXISTS (SELECT 1 FROM waiting_places w WHERE w.slot_id = r.slot_id AND w.ended_at IS NULL)"
# A hold that ran out takes no seat any more, because a booking gives it back first. Where somebody waits for the seat
# only the clockwork gives it back, and until then it counts.
_COUNTS = f"r.canceled_at IS NULL AND ({_RUNS} OR {_SOMEBODY_WAITS})"
_OPEN_SLOTS = RawSql(
    f"""SELECT s.id, s.reservation_type_id, t.name, t.description, s.service_date_local, s.start_minute_of_day,
        s.duration_minutes, s.capacity, s.booked_count - COALESCE(expired.holds, 0), s.booking_start, s.booking_end,
        s.notes, t.price_jpy, t.hold_minutes, t.refund_until_hours, t.place,
        t.limit_per_year, t.minimum_days_between, t.overlap_allowed, q.seats,
        (SELECT COUNT(*) FROM reservations r
            WHERE r.slot_id = s.id AND {_COUNTS} AND r.department_id = q.department_id),
        (SELECT COUNT(*) FROM waiting_places w WHERE w.slot_id = s.id AND w.ended_at IS NULL), place.id, t.mail_fallback
    FROM reservation_slots s
        JOIN reservation_types t ON t.id = s.reservation_type_id AND t.active = 1
        LEFT JOIN slot_quotas q ON q.slot_id = s.id AND q.department_id = :department_id
        LEFT JOIN (SELECT r.slot_id, COUNT(*) AS holds FROM reservations r
            WHERE r.canceled_at IS NULL AND r.confirmed_at IS NULL AND r.hold_expires_at IS NOT NULL
                AND r.hold_expires_at <= :now AND NOT {_SOMEBODY_WAITS}
            GROUP BY r.slot_id) AS expired ON expired.slot_id = s.id
        LEFT JOIN waiting_places place
            ON place.slot_id = s.id AND place.staff_uid = :staff_uid AND place.ended_at IS NULL
    WHERE s.status = 'published' AND s.service_date_local BETWEEN :first_day AND :last_day
        AND (:type_id = 0 OR s.reservation_type_id = :type_id)
        AND (s.service_date_local, s.start_minute_of_day, s.id) > (:after_day, :after_minute, :after_id)
    ORDER BY s.service_date_local, s.start_minute_of_day, s.id LIMIT :row_limit"""  # noqa: S608 (constants of ours)
)
# Everything that the person has, in one read: the rules compare each slot with it.
_OWN = RawSql(
    f"""SELECT r.id, r.slot_id, r.reservation_type_id, r.period_key, r.service_date_local, r.start_minute_of_day,
        r.duration_minutes, t.overlap_allowed, r.frees_year, t.cancel_until_hours, {_RUNS}
    FROM reservations r JOIN reservation_types t ON t.id = r.reservation_type_id
    WHERE r.staff_uid = :staff_uid AND {_COUNTS}
    ORDER BY r.service_date_local, r.start_minute_of_day, r.id"""  # noqa: S608 (constants of ours)
)


@dataclass(frozen=True, slots=True)
class Asker:
    """The person who wants to book, with the reservations that they have."""

    # By day and time.
    own: tuple[OwnReservation, ...]
    # Those that may still be moved, by type; the latest last.
    movable: dict[int, list[OwnReservation]]
    payments_on: bool
    now: datetime


class _Row(NamedTuple):
    """The columns of the list."""

    id: int
    type_id: int
    type_name: str
    type_description: str | None
    service_date_local: str
    start_minute_of_day: int
    duration_minutes: int
    capacity: int
    booked_count: int
    booking_start: str | None
    booking_end: str | None
    notes: str | None
    price_jpy: int | None
    hold_minutes: int
    refund_until_hours: int | None
    place: str | None
    limit_per_year: int | None
    minimum_days_between: int | None
    overlap_allowed: int
    department_seats: int | None
    department_booked: int
    waiting_count: int
    my_place: int | None
    mail_fallback: int


def open_slots(
    tx: ReadTx, staff_uid: str, department_id: str, asked: OpenSlotListing, *, payments_on: bool
) -> OpenSlotPage:
    """Published slots of active types, in the order of day, time and id. Two reads, however many slots there are."""
    first_day, last_day = asked.first_day or jst_date(tx.now), asked.last_day or _LAST_DAY
    if last_day < first_day:
        raise BackwardPeriod
    after_day, after_minute, after_id = _START if asked.cursor is None else decode_cursor(asked.cursor, str, int, int)
    rows = _OPEN_SLOTS.all(
        tx,
        {
            "staff_uid": staff_uid,
            "department_id": department_id,
            "now": utc_text(tx.now),
            "first_day": first_day,
            "last_day": last_day,
            "type_id": asked.reservation_type_id or 0,
            "after_day": after_day,
            "after_minute": after_minute,
            "after_id": after_id,
            "row_limit": asked.limit + 1,
        },
    )
    asker = _asker(tx, staff_uid, payments_on=payments_on)
    items = [_open_slot(_Row(*row), asker) for row in rows[: asked.limit]]
    last = items[-1] if len(rows) > asked.limit else None
    more = encode_cursor(last.service_date_local, last.start_minute_of_day, last.id) if last else None
    return OpenSlotPage(items=items, next_cursor=more)


def _asker(tx: ReadTx, staff_uid: str, *, payments_on: bool) -> Asker:
    own, movable = [], defaultdict[int, list[OwnReservation]](list)
    for *columns, cancel_until_hours, runs in _OWN.all(tx, {"staff_uid": staff_uid, "now": utc_text(tx.now)}):
        one = OwnReservation(*columns)
        own.append(one)
        until = cancelable_until(one.service_date_local, one.start_minute_of_day, cancel_until_hours)
        if runs and tx.now < until:
            movable[one.type_id].append(one)
    return Asker(tuple(own), movable, payments_on, tx.now)


def _open_slot(row: _Row, asker: Asker) -> OpenSlot:
    state = SlotState(
        type_active=True,
        status="published",
        service_date_local=row.service_date_local,
        start_minute_of_day=row.start_minute_of_day,
        booking_start=None if row.booking_start is None else parse_utc(row.booking_start),
        booking_end=None if row.booking_end is None else parse_utc(row.booking_end),
        capacity=row.capacity,
        booked_count=row.booked_count,
        department_seats=row.department_seats,
        department_booked=row.department_booked,
    )
    facts = BookingFacts(
        slot_id=row.id,
        type_id=row.type_id,
        slot=state,
        duration_minutes=row.duration_minutes,
        limit_per_year=row.limit_per_year,
        minimum_days_between=row.minimum_days_between,
        overlap_allowed=bool(row.overlap_allowed),
        own=asker.own,
        now=asker.now,
    )
    reason, is_full = refusal(facts), full_because(state) is not None
    replaceable = replaced_by_a_move(facts, reason, asker.movable.get(row.type_id, ()))
    if reason is None and row.price_jpy is not None and not asker.payments_on:
        reason = PaymentUnavailable.code
    return OpenSlot(
        id=row.id,
        reservation_type_id=row.type_id,
        reservation_type_name=row.type_name,
        type_description=row.type_description,
        service_date_local=row.service_date_local,
        start_minute_of_day=row.start_minute_of_day,
        duration_minutes=row.duration_minutes,
        capacity=row.capacity,
        seats_left=state.seats_left,
        bookable=reason is None,
        reason=reason,
        replaceable=replaceable,
        booking_start=state.booking_start,
        booking_end=state.booking_end,
        notes=row.notes or "",
        price_jpy=row.price_jpy,
        hold_minutes=row.hold_minutes,
        refund_until_hours=row.refund_until_hours,
        place=row.place,
        waiting_count=row.waiting_count,
        waitable=is_full and row.price_jpy is None and waiting_refusal(facts) is None,
        my_reservation_id=next((one.id for one in asker.own if one.slot_id == row.id), None),
        my_waiting_id=row.my_place,
        mail_fallback=bool(row.mail_fallback),
    )
