"""A filled hospital for the measurements of booking: departments, staff with sessions, slots and reservations."""

import hashlib
import hmac
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert, text

from bench.ours import JWT_SECRET, PIN_PEPPER, settings_for
from tsudoi.access.admins import service as admins
from tsudoi.booking.departments.models import Department
from tsudoi.booking.identity.rules import TokenClaims, access_token
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.pins.jobs import ARGON2
from tsudoi.booking.pins.rules import PIN_VERSION
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.slots.rules import period_key
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import JST, SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.schema import migrate
from tsudoi.core.settings import Settings

PIN = "4826"
DEPARTMENTS = 20
_SESSION_LIFETIME = timedelta(days=1)


def opened(folder: str, url: str = "") -> tuple[Settings, Database]:
    settings = settings_for(Path(folder), url)
    migrate(settings.database)
    return settings, open_database(settings.database, SystemClock())


def pin_hash() -> str:
    """With the parameters of the product, so that a log-in verifies it at full cost. Everybody has this one."""
    return ARGON2.hash(hmac.new(PIN_PEPPER.encode(), PIN.encode(), hashlib.sha256).digest())


def next_month(now: datetime) -> str:
    """The month after this one, such as `2026-12`: every slot in it is still to come."""
    return (now.astimezone(JST).date().replace(day=1) + timedelta(days=32)).strftime("%Y-%m")


def fill_masters(tx: Tx) -> str:
    """Departments and one type of reservation; returns a bearer token of the office."""
    now = {"created_at": tx.now, "updated_at": tx.now}
    departments = [
        {"id": f"{n}A", "name": f"{n}階A病棟", "folded_id": f"{n}a", **now} for n in range(1, DEPARTMENTS + 1)
    ]
    tx.execute(insert(Department), departments)
    tx.execute(insert(ReservationType).values(id=1, name="職員健診", **now))
    admins.create_admin(tx, "bench", "$2b$04$unused")
    token = admins.create_token(tx, "bench")
    assert token is not None
    return token


def fill_staff(tx: Tx, people: int) -> None:
    same = {
        "family_name": "山田",
        "given_name": "花子",
        "job_title": "看護師",
        "date_of_birth": "1990-04-01",
        "sex_code": "2",
        "pin_hash": pin_hash(),
        "pin_version": PIN_VERSION,
        "pin_must_change": 0,
        "pin_updated_at": tx.now,
        "created_at": tx.now,
        "updated_at": tx.now,
    }
    rows = [
        {
            **same,
            "staff_uid": uid(n),
            "staff_id": f"{100_000 + n}",
            "emr_patient_id": f"{900_000 + n}",
            "department_id": f"{n % DEPARTMENTS + 1}A",
        }
        for n in range(1, people + 1)
    ]
    tx.execute(insert(StaffAccount), rows)


def open_sessions(tx: Tx, people: int) -> list[str]:
    """One live session for each person; returns their access tokens."""
    ends = tx.now + _SESSION_LIFETIME
    rows = [
        {
            "id": n,
            "staff_uid": uid(n),
            "staff_id_snapshot": f"{100_000 + n}",
            "refresh_token_hash": f"{n:064x}",
            "family_id": f"family-{n}",
            "expires_at": ends,
            "created_at": tx.now,
            "updated_at": tx.now,
        }
        for n in range(1, people + 1)
    ]
    tx.execute(insert(RefreshSession), rows)
    claims = (TokenClaims(uid(n), n) for n in range(1, people + 1))
    return [access_token(JWT_SECRET, one, tx.now, _SESSION_LIFETIME) for one in claims]


def fill_slots(tx: Tx, slots: int, capacity: int) -> None:
    """Published slots of the next month, at most 48 a day, with the ids 1, 2, 3, …"""
    now = {"created_at": tx.now, "updated_at": tx.now}
    rows = [
        {
            "id": number,
            "reservation_type_id": 1,
            "service_date_local": day,
            "start_minute_of_day": minute,
            "duration_minutes": 15,
            "capacity": capacity,
            "status": "published",
            **now,
        }
        for number, (day, minute) in zip(range(1, slots + 1), _times(next_month(tx.now)), strict=False)
    ]
    tx.execute(insert(ReservationSlot), rows)
    if tx.dialect == "postgresql":
        # Slots that the office makes later get ids of their own.
        tx.execute(text("SELECT setval(pg_get_serial_sequence('reservation_slots', 'id'), :last)"), {"last": slots})


def fill_reservations(tx: Tx, slots: int, per_slot: int) -> None:
    """The first people have a seat each, slot by slot."""
    month = next_month(tx.now)
    rows = [
        {
            "staff_uid": uid(person),
            "staff_id": f"{100_000 + person}",
            "reservation_type_id": 1,
            "slot_id": number,
            "service_date_local": day,
            "start_minute_of_day": minute,
            "duration_minutes": 15,
            "period_key": period_key(day),
            "department_id": f"{person % DEPARTMENTS + 1}A",
            "created_at": tx.now,
            "updated_at": tx.now,
        }
        for number, (day, minute) in zip(range(1, slots + 1), _times(month), strict=False)
        for person in range((number - 1) * per_slot + 1, number * per_slot + 1)
    ]
    tx.execute(insert(Reservation), rows)
    tx.connection.exec_driver_sql(f"UPDATE reservation_slots SET booked_count = {per_slot} WHERE id <= {slots}")


def analyze(tx: Tx) -> None:
    """Collect statistics, as a server in use does by itself; without them PostgreSQL guesses the sizes of tables."""
    tx.connection.exec_driver_sql("ANALYZE")


def uid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def _times(month: str) -> Iterator[tuple[str, int]]:
    """Day and minute of the slots: all slots at eight on all days, then all at a quarter past eight, …"""
    first = date.fromisoformat(f"{month}-01")
    days = [day for day in (first + timedelta(days=n) for n in range(31)) if day.month == first.month]
    for number in range(48):
        for day in days:
            yield day.isoformat(), 480 + 15 * number
