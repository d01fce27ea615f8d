"""Departments, types, people and seats for the tests of slots, written straight into the tables."""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2
import orjson
from sqlalchemy import insert, update

from tests.factories.product import ADMIN, JWT_SECRET, Product
from tests.roster.members.people import audited
from tsudoi.access.admins import service as admins
from tsudoi.booking.departments.models import Department
from tsudoi.booking.identity.rules import TokenClaims, access_token
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.slots.rules import period_key
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Database

SLOTS = "/api/admin/slots"
# The tests' clock says Saturday, 2025-08-16, 12:00 in Japan.
MONDAY = "2025-09-01"


def put(db: Database, model: type[Base], **values: Any) -> Any:
    """Insert a row and give back its key."""
    key = next(iter(model.__table__.primary_key))
    times = {"created_at": db.clock.now(), "updated_at": db.clock.now()}
    known = {name: value for name, value in times.items() if name in model.__table__.c}
    statement = insert(model).values({**known, **values}).returning(key)
    return db.write_now(lambda tx: tx.execute(statement).scalar_one())


def set_columns(db: Database, model: type[Base], key: Any, **values: Any) -> None:
    column = next(iter(model.__table__.primary_key))
    db.write_now(lambda tx: tx.execute(update(model).where(column == key).values(**values)))


def make_type(db: Database, name: str = "職員健診", **more: Any) -> int:
    return int(put(db, ReservationType, name=name, **more))


def make_department(db: Database, code: str = "3A") -> str:
    return str(put(db, Department, id=code, name=f"{code}病棟", folded_id=code.casefold()))


def make_staff(db: Database, number: int = 1, department: str = "3A", **more: Any) -> str:
    values = {
        "staff_uid": str(uuid.uuid4()),
        "staff_id": f"{446000 + number}",
        "emr_patient_id": f"{number}",
        "family_name": "山田",
        "given_name": "花子",
        "job_title": "看護師",
        "department_id": department,
        "date_of_birth": "1990-04-01",
        "sex_code": "2",
        "pin_hash": "not a hash: nobody logs in here",
        "pin_updated_at": db.clock.now(),
        "pin_version": 1,
        "pin_must_change": 0,
    }
    return str(put(db, StaffAccount, **{**values, **more}))


@dataclass(frozen=True)
class Portal:
    """The product's own client with the access token of a staff person."""

    http: httpx2.Client
    token: str

    def get(self, path: str, params: dict[str, Any] | None = None) -> httpx2.Response:
        return self.http.get(path, params=params, headers={"authorization": f"Bearer {self.token}"})


def staff_client(product: Product, staff_uid: str) -> Portal:
    db, now = product.db, product.db.clock.now()
    session = put(
        db,
        RefreshSession,
        staff_uid=staff_uid,
        refresh_token_hash=uuid.uuid4().hex,
        family_id=uuid.uuid4().hex,
        expires_at=now + timedelta(days=900),
    )
    token = access_token(JWT_SECRET, TokenClaims(staff_uid, session), now, timedelta(days=900))
    return Portal(product.http, token)


def office_client(product: Product) -> httpx2.Client:
    product.make_admin()
    token = product.db.write_now(admins.create_token, ADMIN)
    product.http.headers["authorization"] = f"Bearer {token}"
    return product.http


def make_slot(http: httpx2.Client, type_id: int, day: str = MONDAY, **more: Any) -> dict[str, Any]:
    values = {"startMinuteOfDay": 540, "durationMinutes": 30, "capacity": 3}
    answer = http.post(SLOTS, json={"reservationTypeId": type_id, "serviceDateLocal": day, **values, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def take_seat(db: Database, slot: dict[str, Any], staff_uid: str, department: str = "3A") -> int:
    """A live reservation, as the booking writes it."""
    reservation = put(
        db,
        Reservation,
        staff_uid=staff_uid,
        staff_id="446001",
        reservation_type_id=slot["reservationTypeId"],
        slot_id=slot["id"],
        service_date_local=slot["serviceDateLocal"],
        start_minute_of_day=slot["startMinuteOfDay"],
        duration_minutes=slot["durationMinutes"],
        period_key=period_key(slot["serviceDateLocal"]),
        once_per_year=0,
        department_id=department,
    )
    set_columns(db, ReservationSlot, slot["id"], booked_count=ReservationSlot.booked_count + 1)
    return int(reservation)


def cancel_seat(db: Database, reservation_id: int, slot_id: int) -> None:
    set_columns(db, Reservation, reservation_id, canceled_at=db.clock.now())
    set_columns(db, ReservationSlot, slot_id, booked_count=ReservationSlot.booked_count - 1)


def wait(db: Database, slot_id: int, staff_uid: str) -> int:
    return int(put(db, WaitingPlace, slot_id=slot_id, staff_uid=staff_uid))


def trail(db: Database) -> list[tuple[str, str, Any, Any]]:
    """Action, subject, old and new of each audit row about slots."""
    return [
        (row["action"], row["subject"], orjson.loads(row["old"] or "null"), orjson.loads(row["new"] or "null"))
        for row in audited(db)
        if row["action"].startswith("SLOT_")
    ]


def details(answer: httpx2.Response) -> list[tuple[str, str]]:
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "INVALID_INPUT"
    return [(detail["field"], detail["reason"]) for detail in answer.json()["details"]]
