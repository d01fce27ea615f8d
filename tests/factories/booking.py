"""A hospital straight in the tables: departments, types, slots, and staff in every state, without a log-in.

All PINs have one of two hashes that are computed once with the cheapest parameters; the fixture `impatient` makes the
product accept these parameters.
"""

import hashlib
import hmac
import itertools
import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from argon2 import PasswordHasher
from sqlalchemy import insert, select

from tests.factories.product import JWT_SECRET, PIN_PEPPER
from tsudoi.booking.departments.models import Department
from tsudoi.booking.identity.rules import TokenClaims, access_token
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.pins.rules import INITIAL_PIN, PIN_VERSION
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.db.interface import Database, Tx
from tsudoi.roster.members.rules import search_key

CHEAP_ARGON2 = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PIN = "4826"
DEPARTMENT = "3A"
_TOKEN_LIFETIME = timedelta(days=1)
_numbers = itertools.count(1)


def hash_of(pin: str, pepper: str = PIN_PEPPER, argon2: PasswordHasher = CHEAP_ARGON2) -> str:
    return argon2.hash(hmac.new(pepper.encode(), pin.encode(), hashlib.sha256).digest())


PIN_HASH = hash_of(PIN)
INITIAL_PIN_HASH = hash_of(INITIAL_PIN)


@dataclass(frozen=True)
class Person:
    """A staff person of a test."""

    staff_uid: str
    staff_id: str
    pin: str = PIN

    @property
    def log_in(self) -> dict[str, str]:
        """The body of a log-in."""
        return {"staffId": self.staff_id, "pin": self.pin}


def make_department(db: Database, code: str = DEPARTMENT, **more: Any) -> str:
    return db.write_now(_department, code, more)


def _department(tx: Tx, code: str, more: dict[str, Any]) -> str:
    row = {"id": code, "name": f"{code}病棟", "folded_id": code.casefold(), "created_at": tx.now, "updated_at": tx.now}
    tx.execute(insert(Department).values({**row, **more}))
    return code


def make_staff(db: Database, staff_id: str | None = None, **more: Any) -> Person:
    """A complete, active person with the PIN `PIN`. Columns can be given; the department is made when it is missing."""
    return db.write_now(_staff, staff_id or f"{100000 + next(_numbers)}", more)


def make_new_staff(db: Database, staff_id: str | None = None, **more: Any) -> Person:
    """A person as the import makes one: the initial PIN, and nothing of the profile that a reservation needs."""
    empty = {"emr_patient_id": None, "date_of_birth": None, "sex_code": None}
    initial = {"pin_hash": INITIAL_PIN_HASH, "pin_must_change": 1}
    made = make_staff(db, staff_id, **{**empty, **initial, **more})
    return Person(made.staff_uid, made.staff_id, INITIAL_PIN)


def make_incomplete_staff(db: Database, staff_id: str | None = None, **more: Any) -> Person:
    """A person with a PIN of their own, who has not completed the profile."""
    return make_staff(db, staff_id, **{"emr_patient_id": None, "date_of_birth": None, "sex_code": None, **more})


def make_locked_staff(db: Database, staff_id: str | None = None, **more: Any) -> Person:
    return make_staff(db, staff_id, **{"pin_retry_count": 5, "pin_locked_until": db.clock.now(), **more})


def _staff(tx: Tx, staff_id: str, more: dict[str, Any]) -> Person:
    uid, department = str(uuid.uuid4()), more.get("department_id", DEPARTMENT)
    if tx.scalar(select(Department.id).where(Department.id == department)) is None:
        _department(tx, department, {})
    row = {
        "staff_uid": uid,
        "staff_id": staff_id,
        "emr_patient_id": f"9{staff_id}",
        "family_name": "山田",
        "given_name": f"花子{staff_id}",
        "family_name_kana": "ヤマダ",
        "given_name_kana": "ハナコ",
        "job_title": "看護師",
        "department_id": department,
        "date_of_birth": "1990-04-01",
        "sex_code": "2",
        "pin_hash": PIN_HASH,
        "pin_updated_at": tx.now,
        "pin_version": PIN_VERSION,
        "pin_must_change": 0,
        "created_at": tx.now,
        "updated_at": tx.now,
        "search_text": search_key(f"山田花子{staff_id}ヤマダハナコ{staff_id}"),
    }
    tx.execute(insert(StaffAccount).values({**row, **more}))
    return Person(uid, staff_id)


def access_token_of(db: Database, person: Person, secret: str = JWT_SECRET, **more: Any) -> str:
    """A session and an access token for it, without the cost of a log-in. The columns of the session can be given."""
    session_id = db.write_now(_session, person, more)
    return access_token(secret, TokenClaims(person.staff_uid, session_id), db.clock.now(), _TOKEN_LIFETIME)


def bearer(db: Database, person: Person, **more: Any) -> dict[str, str]:
    """The header of a request by this person."""
    return {"authorization": f"Bearer {access_token_of(db, person, **more)}"}


def _session(tx: Tx, person: Person, more: dict[str, Any]) -> int:
    row = {
        "staff_uid": person.staff_uid,
        "staff_id_snapshot": person.staff_id,
        "refresh_token_hash": uuid.uuid4().hex,
        "family_id": uuid.uuid4().hex,
        "expires_at": tx.now + _TOKEN_LIFETIME,
        "created_at": tx.now,
        "updated_at": tx.now,
    }
    statement = insert(RefreshSession).values({**row, **more}).returning(RefreshSession.id)
    made: int = tx.execute(statement).scalar_one()
    return made


def make_type(db: Database, name: str = "職員健診", **more: Any) -> int:
    return db.write_now(_insert, ReservationType, {"name": name, **more})


def make_slot(db: Database, reservation_type_id: int, date: str = "2025-09-01", **more: Any) -> int:
    """A published slot at nine, half an hour long, with ten seats."""
    row = {"service_date_local": date, "start_minute_of_day": 540, "duration_minutes": 30, "capacity": 10}
    more = {"status": "published", "reservation_type_id": reservation_type_id, **more}
    return db.write_now(_insert, ReservationSlot, {**row, **more})


def _insert(tx: Tx, model: type[ReservationType] | type[ReservationSlot], row: dict[str, Any]) -> int:
    times = {"created_at": tx.now, "updated_at": tx.now}
    made: int = tx.execute(insert(model).values({**times, **row}).returning(model.id)).scalar_one()
    return made
