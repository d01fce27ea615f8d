"""What a test about booking needs to be there already, made by a colleague through the product's own API."""

import itertools
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2

from tests.browser.admin_desk import Colleague
from tsudoi.core.clock import jst_date

PIN = "4826"
# The demo is shared by all files, so that every department, type and person has a number of its own.
_numbers = itertools.count(1)


def day(ahead: int) -> str:
    """A day in Japan, counted from today."""
    return jst_date(datetime.now(UTC) + timedelta(days=ahead))


@dataclass(frozen=True)
class Person:
    """A staff person of the hospital."""

    staff_uid: str
    staff_id: str
    name: str


class Hospital:
    """The office's API, with the bodies that most tests do not care about."""

    def __init__(self, office: Colleague) -> None:
        self.office = office
        self.number = next(_numbers)
        self.department = f"D{self.number}"
        self.department_name = f"{self.number}病棟"
        office.send("POST", "departments", {"id": self.department, "name": self.department_name})
        self.type_name = f"健診{self.number}"
        self.type_id: int = office.send("POST", "reservation-types", {"name": self.type_name})["id"]

    def person(self, family_name: str, given_name: str = "太郎", **more: Any) -> Person:
        staff_id = f"{self.number:03}{next(_numbers):05}"
        body = {
            "staffId": staff_id,
            "familyName": family_name,
            "givenName": given_name,
            "jobTitle": "看護師",
            "departmentId": self.department,
            **more,
        }
        made = self.office.send("POST", "staffs", body)
        return Person(made["staffUid"], staff_id, family_name + given_name)

    def slot(self, ahead: int = 3, minute: int = 540, **more: Any) -> int:
        body = {
            "reservationTypeId": self.type_id,
            "serviceDateLocal": day(ahead),
            "startMinuteOfDay": minute,
            "durationMinutes": 30,
            "capacity": 10,
            "status": "published",
            **more,
        }
        made: int = self.office.send("POST", "slots", body)["id"]
        return made

    def book(self, person: Person, slot_id: int) -> int:
        body = {"staffUid": person.staff_uid, "slotId": slot_id, "reason": "電話での依頼"}
        made: int = self.office.send("POST", "reservations", body)["id"]
        return made

    def staff(self, person: Person) -> dict[str, Any]:
        found: dict[str, Any] = self.office.get(f"staffs/{person.staff_uid}")
        return found

    def reservation(self, reservation_id: int, person: Person) -> dict[str, Any]:
        items = self.office.get(f"reservations?staffUid={person.staff_uid}")["items"]
        found: dict[str, Any] = next(item for item in items if item["id"] == reservation_id)
        return found


def wrong_pins(product: str, person: Person, times: int = 5) -> None:
    """Somebody tries PINs that are not the person's."""
    with httpx2.Client(base_url=product, timeout=60, trust_env=False) as client:
        for _ in range(times):
            client.post("/auth/login", json={"staffId": person.staff_id, "pin": "9173"})


def reception_code(product: str, person: Person, reservation_id: int) -> str:
    """The code that the person's own page shows, after the first log-in."""
    with httpx2.Client(base_url=product, timeout=60, trust_env=False) as client:
        client.headers["authorization"] = _bearer(client, person, "0000")
        client.post("/api/staffs/pin/change", json={"currentPin": "0000", "newPin": PIN}).raise_for_status()
        client.headers["authorization"] = _bearer(client, person, PIN)
        answer = client.get(f"/api/reservations/{reservation_id}/reception").raise_for_status()
        code: str = answer.json()["code"]
        return code


def _bearer(client: httpx2.Client, person: Person, pin: str) -> str:
    answer = client.post("/auth/login", json={"staffId": person.staff_id, "pin": pin}).raise_for_status()
    return f"Bearer {answer.json()['accessToken']}"
