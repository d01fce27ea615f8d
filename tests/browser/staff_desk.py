"""What the office prepares for the staff portal: departments, types, slots and people, through the product's API."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from tests.factories.booking import PIN, hash_of
from tsudoi.commands.demo import ADMIN, PASSWORD
from tsudoi.commands.demo_environment import BOOKING_SECRETS
from tsudoi.core.clock import JST

_PIN_HASH = hash_of(PIN, BOOKING_SECRETS["SECURITY_PIN_PEPPER"])
_DEPARTMENTS = {"3A": "3階A病棟", "REHA": "リハビリテーション科"}


def day(days: int) -> str:
    """The day in Japan so many days from now."""
    return f"{datetime.now(JST) + timedelta(days=days):%Y-%m-%d}"


@dataclass(frozen=True)
class StaffDesk:
    """The office's side of the portal, and the database behind it for what nobody can do by the API."""

    product: str
    data_dir: Path
    client: httpx2.Client

    def department(self, code: str, name: str) -> None:
        self._made("departments", {"id": code, "name": name})

    def type(self, name: str, **fields: Any) -> int:
        return int(self._made("reservation-types", {"name": name, **fields})["id"])

    def switch_types_off(self) -> None:
        """So that the calendar shows no slots of the demo."""
        for row in self.client.get("/api/admin/reservation-types").json()["items"]:
            changed = self.client.patch(f"/api/admin/reservation-types/{row['id']}", json={"active": False})
            assert changed.is_success, changed.text

    def slot(self, type_id: int, days: int, start: int = 540, **fields: Any) -> int:
        """A published slot of half an hour, so many days from now."""
        body = {
            "reservationTypeId": type_id,
            "serviceDateLocal": day(days),
            "startMinuteOfDay": start,
            "durationMinutes": 30,
            "capacity": 10,
            "status": "published",
            **fields,
        }
        return int(self._made("slots", body)["id"])

    def new_staff(self, staff_id: str, **fields: Any) -> str:
        """A person as the office registers one: the PIN is 0000, and the profile has gaps."""
        body = {"familyName": "山田", "givenName": "花子", "jobTitle": "看護師", "departmentId": "3A", **fields}
        return str(self._made("staffs", {"staffId": staff_id, **body})["staffUid"])

    def staff(self, staff_id: str, **fields: Any) -> str:
        """A person with a PIN of their own and a complete profile."""
        known = {"emrPatientId": f"9{staff_id}", "dateOfBirth": "1990-04-01", "sexCode": "2"}
        uid = self.new_staff(staff_id, **{**known, **fields})
        self.sql("UPDATE staffs SET pin_hash = ?, pin_must_change = 0 WHERE staff_id = ?", _PIN_HASH, staff_id)
        return uid

    def change_pin(self, staff_id: str, old: str, new: str) -> None:
        """As the person does it at the first log-in."""
        with httpx2.Client(base_url=self.product, timeout=60, trust_env=False) as phone:
            token = phone.post("/auth/login", json={"staffId": staff_id, "pin": old}).json()["accessToken"]
            headers = {"authorization": f"Bearer {token}"}
            body = {"currentPin": old, "newPin": new}
            assert phone.post("/api/staffs/pin/change", json=body, headers=headers).is_success

    def registration_code(self) -> str:
        """A new code for those who register themselves."""
        return str(self._made("staffs/registration-code", {})["code"])

    def book(self, staff_uid: str, slot_id: int) -> int:
        body = {"staffUid": staff_uid, "slotId": slot_id, "reason": "電話での依頼"}
        return int(self._made("reservations", body)["id"])

    def fill(self, slot_id: int, seats: int) -> list[int]:
        """Other people take so many seats."""
        people = [self.staff(f"{slot_id}{number:04d}", emrPatientId=None) for number in range(seats)]
        return [self.book(uid, slot_id) for uid in people]

    def cancel(self, reservation_id: int) -> None:
        self._made(f"reservations/{reservation_id}/cancel", {"reason": "本人から電話"})

    def sql(self, statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.data_dir / "tsudoi.sqlite3", timeout=10)) as database, database:
            return database.execute(statement, values).fetchall()

    def _made(self, noun: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.client.post(f"/api/admin/{noun}", json=body)
        assert answer.is_success, answer.text
        made: dict[str, Any] = answer.json() if answer.content else {}
        return made


@contextmanager
def open_staff_desk(product: str, data_dir: Path) -> Iterator[StaffDesk]:
    with httpx2.Client(base_url=product, timeout=60, trust_env=False) as client:
        token = client.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).json()["csrf_token"]
        client.headers["x-csrf-token"] = token
        desk = StaffDesk(product, data_dir, client)
        for code, name in _DEPARTMENTS.items():
            # Other tests in the same demo make more departments than a page of the list has.
            alike = client.get("/api/admin/departments", params={"q": code, "limit": 200}).json()["items"]
            if code not in {row["id"] for row in alike}:
                desk.department(code, name)
        yield desk
