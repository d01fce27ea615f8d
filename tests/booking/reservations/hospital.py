"""A hospital with staff who are logged in, types and slots, written past the HTTP interface that is not tested here."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any

import httpx2
from sqlalchemy import insert, select, text, update

from tests.factories.product import JWT_SECRET, Product
from tests.servers import browser
from tsudoi.booking.departments.models import Department
from tsudoi.booking.identity.rules import TokenClaims, access_token
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.models import AuditLog
from tsudoi.line.friends.service import record_following

DAY = "2025-09-10"
_NUMBERS = count(1)


class Hospital:
    """Writes rows and reads them back. Ids of staff are `uid-<number>`."""

    def __init__(self, db: Database, secret: str = JWT_SECRET) -> None:
        self.db, self._secret = db, secret
        if not self.rows(Department):
            self.department("3A", "3階A病棟")

    @property
    def now(self) -> datetime:
        return self.db.clock.now()

    def department(self, department_id: str, name: str) -> None:
        times = {"created_at": self.now, "updated_at": self.now}
        self.insert(Department, id=department_id, name=name, folded_id=department_id.lower(), **times)

    def type(self, name: str = "インフルエンザ", **more: Any) -> int:
        return self.insert(ReservationType, name=name, created_at=self.now, updated_at=self.now, **more)

    def slot(self, type_id: int, day: str = DAY, start: int = 540, capacity: int = 1, **more: Any) -> int:
        values = {"duration_minutes": 15, "status": "published", "created_at": self.now, "updated_at": self.now}
        day_and_time = {"service_date_local": day, "start_minute_of_day": start, "capacity": capacity}
        return self.insert(ReservationSlot, reservation_type_id=type_id, **day_and_time, **{**values, **more})

    def quota(self, slot_id: int, seats: int, department_id: str = "3A") -> None:
        self.insert(SlotQuota, slot_id=slot_id, department_id=department_id, seats=seats)

    def staff(self, number: int | None = None, **more: Any) -> str:
        """A complete, active person; gives their uid."""
        return self.people(1, first=number, **more)[0]

    def people(self, how_many: int, first: int | None = None, *, follows: bool = True, **more: Any) -> list[str]:
        """Those with a LINE account have added ours, unless `follows` is false."""
        numbers = [next(_NUMBERS) + 1000 for _ in range(how_many)] if first is None else range(first, first + how_many)
        rows = [self._person(number, **more) for number in numbers]
        self.db.write_now(lambda tx: tx.execute(insert(StaffAccount), rows))
        for user_id in {row["line_user_id"] for row in rows if follows and row.get("line_user_id")}:
            self.friend(user_id)
        return [row["staff_uid"] for row in rows]

    def friend(self, user_id: str, *, following: bool = True) -> None:
        """Somebody has added the account; or blocked it since."""
        self.db.write_now(record_following, user_id, 0 if following else 1, following=following)

    def _person(self, number: int, **more: Any) -> dict[str, Any]:
        return {
            "staff_uid": f"uid-{number}",
            "staff_id": f"{number}",
            "emr_patient_id": f"{number + 500_000}",
            "family_name": "山田",
            "given_name": f"太郎{number}",
            "family_name_kana": "ヤマダ",
            "given_name_kana": "タロウ",
            "job_title": "看護師",
            "department_id": "3A",
            "date_of_birth": "1990-01-02",
            "sex_code": "2",
            "pin_hash": "$argon2id$of-nobody",
            "pin_updated_at": self.now,
            "pin_version": 1,
            "pin_must_change": 0,
            "created_at": self.now,
            "updated_at": self.now,
            "search_text": None,
            **more,
        }

    def token(self, staff_uid: str) -> str:
        """An access token of a session that lives for a year."""
        year = timedelta(days=365)
        values = {"expires_at": self.now + year, "created_at": self.now, "updated_at": self.now}
        marks = {"refresh_token_hash": f"{staff_uid} {next(_NUMBERS)}", "family_id": f"family {next(_NUMBERS)}"}
        session_id = self.insert(RefreshSession, staff_uid=staff_uid, **marks, **values)
        return access_token(self._secret, TokenClaims(staff_uid, session_id), self.now, year)

    def tokens(self, uids: list[str]) -> list[str]:
        """The same for many people, in two statements."""
        year, columns = timedelta(days=365), (RefreshSession.staff_uid, RefreshSession.id)
        times = {"expires_at": self.now + year, "created_at": self.now, "updated_at": self.now}
        rows = [
            {"staff_uid": uid, "refresh_token_hash": f"of {uid}", "family_id": f"of {uid}", **times} for uid in uids
        ]
        self.db.write_now(lambda tx: tx.execute(insert(RefreshSession), rows))
        found = self.db.read_now(lambda tx: tx.execute(select(*columns)).all())
        ids: dict[str, int] = {row.staff_uid: row.id for row in found}
        return [access_token(self._secret, TokenClaims(uid, ids[uid]), self.now, year) for uid in uids]

    def change(self, model: Any, key: Any, **values: Any) -> None:
        column = next(iter(model.__table__.primary_key))
        self.db.write_now(lambda tx: tx.execute(update(model).where(column == key).values(**values)))

    def rows(self, model: Any, **only: Any) -> list[Any]:
        statement = select(*model.__table__.c).filter_by(**only).order_by(*model.__table__.primary_key)
        return list(self.db.read_now(lambda tx: tx.execute(statement).all()))

    def reservations(self, **only: Any) -> list[Any]:
        return self.rows(Reservation, **only)

    def live(self, slot_id: int) -> list[str]:
        """Who has a seat, in the order in which they got it."""
        return [row.staff_uid for row in self.reservations(slot_id=slot_id) if row.canceled_at is None]

    def booked(self, slot_id: int) -> int:
        return int(self.rows(ReservationSlot, id=slot_id)[0].booked_count)

    def places(self, **only: Any) -> list[Any]:
        return self.rows(WaitingPlace, **only)

    def audit(self, *actions: str) -> list[Any]:
        return [row for row in self.rows(AuditLog) if row.action in actions]

    def sql(self, statement: str) -> None:
        self.db.write_now(lambda tx: tx.execute(text(statement)))

    def insert(self, model: Any, **values: Any) -> int:
        def add(tx: Tx) -> int:
            made = tx.execute(insert(model).values(**values))
            key = made.inserted_primary_key
            return key[0] if key and isinstance(key[0], int) else 0

        return self.db.write_now(add)


class Person:
    """A staff person in front of the portal."""

    def __init__(self, http: httpx2.Client, uid: str) -> None:
        self.http, self.uid = http, uid

    def book(self, slot_id: object, **headers: str) -> httpx2.Response:
        return self.http.post("/api/reservations", json={"slotId": slot_id}, headers=headers)

    def booked(self, slot_id: int) -> int:
        made = self.book(slot_id)
        assert made.status_code == 201, made.text
        return int(made.json()["id"])

    def move(self, reservation_id: int, slot_id: int) -> httpx2.Response:
        return self.http.patch(f"/api/reservations/{reservation_id}", json={"slotId": slot_id})

    def cancel(self, reservation_id: int) -> httpx2.Response:
        return self.http.delete(f"/api/reservations/{reservation_id}", headers={"content-type": "application/json"})

    def wait(self, slot_id: int) -> httpx2.Response:
        return self.http.post(f"/api/slots/{slot_id}/waiting", headers={"content-type": "application/json"})


def person_at(product: Product, hospital: Hospital, uid: str) -> Person:
    return Person(browser(product.url, headers={"authorization": f"Bearer {hospital.token(uid)}"}), uid)


def code(response: httpx2.Response) -> tuple[int, str | None]:
    body = response.json() if response.content else {}
    return response.status_code, body.get("code")
