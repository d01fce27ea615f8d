"""Proves the counts: what `tsudoi booking check` compares."""

from collections.abc import Iterator

from tsudoi.booking.slots.rules import period_key
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql

_COUNTS = RawSql(
    """SELECT s.id, s.booked_count, s.capacity, count(r.id)
    FROM reservation_slots s LEFT JOIN reservations r ON r.slot_id = s.id AND r.canceled_at IS NULL
    GROUP BY s.id, s.booked_count, s.capacity
    HAVING s.booked_count <> count(r.id) OR count(r.id) > s.capacity ORDER BY s.id"""
)
_COPIES = RawSql(
    """SELECT s.id, r.id FROM reservations r JOIN reservation_slots s ON s.id = r.slot_id
        JOIN staffs p ON p.staff_uid = r.staff_uid
    WHERE r.canceled_at IS NULL AND (r.reservation_type_id <> s.reservation_type_id
        OR r.service_date_local <> s.service_date_local OR r.start_minute_of_day <> s.start_minute_of_day
        OR r.duration_minutes <> s.duration_minutes OR r.staff_id <> p.staff_id)
    ORDER BY s.id, r.id"""
)
_YEARS = RawSql("SELECT slot_id, id, service_date_local, period_key FROM reservations ORDER BY slot_id, id")
_TWICE = RawSql(
    """SELECT min(r.slot_id), max(r.id) FROM reservations r JOIN reservation_types t ON t.id = r.reservation_type_id
    WHERE r.canceled_at IS NULL AND r.frees_year = 0 AND t.limit_per_year IS NOT NULL
    GROUP BY r.staff_uid, r.reservation_type_id, r.period_key, t.limit_per_year
    HAVING count(*) > t.limit_per_year ORDER BY 1"""
)


def flaws(tx: ReadTx) -> Iterator[tuple[int, str]]:
    """The slots at which something is wrong, and what it is."""
    for slot_id, counted, capacity, live in _COUNTS.all(tx, {}):
        yield slot_id, f"booked_count {counted}, live reservations {live}, capacity {capacity}"
    for slot_id, reservation_id in _COPIES.all(tx, {}):
        yield slot_id, f"reservation {reservation_id} differs from its slot or its person"
    for slot_id, reservation_id, day, key in _YEARS.all(tx, {}):
        if period_key(day) != key:
            yield slot_id, f"reservation {reservation_id} has {key}, but its day is in {period_key(day)}"
    for slot_id, reservation_id in _TWICE.all(tx, {}):
        yield slot_id, f"reservation {reservation_id} is over the person's limit of the year"
