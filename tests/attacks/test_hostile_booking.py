"""G9 for the office and the staff of booking: a good request, and a hostile value in one place of it at a time.

`test_hostile_input` knows no good values, so that its requests end at the first field. These reach the services.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.attacks.test_hostile_input import CORPUS, QUERIES, check
from tests.booking.office import office
from tests.factories.booking import PIN, bearer, make_slot, make_staff, make_type
from tests.factories.product import JSON, Product
from tests.sizes import share
from tsudoi.booking.login import service as login
from tsudoi.booking.profile import service as profile
from tsudoi.booking.reservations.endpoints.own import BookingRoute
from tsudoi.core.rate_limit import Limit

WIDE = Limit("wide", 10**6, timedelta(minutes=1))
STAFF = {
    "staffId": "700001",
    "familyName": "山田",
    "givenName": "花子",
    "familyNameKana": "ヤマダ",
    "givenNameKana": "ハナコ",
    "jobTitle": "看護師",
    "departmentId": "3A",
    "dateOfBirth": "1990-04-01",
    "sexCode": "2",
    "emrPatientId": "700001",
}
SLOT = {
    "reservationTypeId": 1,
    "serviceDateLocal": "2025-09-02",
    "startMinuteOfDay": 540,
    "durationMinutes": 30,
    "capacity": 3,
    "status": "published",
    "bookingStart": "2025-08-01T09:00:00+09:00",
    "bookingEnd": "2025-08-31T09:00:00+09:00",
    "notes": "2階",
    "quotas": [{"departmentId": "3A", "seats": 2}],
}
BULK = {
    "reservationTypeId": 1,
    "from": "2025-09-08",
    "to": "2025-09-08",
    "weekdays": [1],
    "times": [{"startMinuteOfDay": 540, "durationMinutes": 30}],
    "capacity": 3,
    "skipHolidays": True,
    "excludeDates": ["2025-09-09"],
    "dryRun": False,
}
CHANGE = {name: SLOT[name] for name in ("status", "capacity", "bookingStart", "bookingEnd", "notes", "quotas")}
CHOICE = {
    "reservationTypeId": 1,
    "from": "2025-09-02",
    "to": "2025-09-02",
    "weekdays": [2],
    "status": "published",
    "fromMinute": 540,
    "toMinute": 540,
}


@dataclass(frozen=True)
class GoodRequest:
    """A request that is right in everything: who sends it, where, and its body."""

    who: str
    method: str
    path: str
    body: dict[str, Any]


def good_requests(uid: str, other: str, slot_id: int) -> list[GoodRequest]:
    staffs, why = "/api/admin/staffs", {"reason": "電話"}
    office_requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/api/admin/departments", {"id": "4B", "name": "4階"}),
        ("PATCH", "/api/admin/departments/3A", {"name": "3階", "active": True}),
        (
            "POST",
            "/api/admin/reservation-types",
            {
                "name": "健診",
                "description": "説明",
                "active": True,
                "limitPerYear": 1,
                "minimumDaysBetween": 1,
                "cancelUntilHours": 1,
                "overlapAllowed": False,
            },
        ),
        ("PATCH", "/api/admin/reservation-types/1", {"name": "健診", "limitPerYear": None, "cancelUntilHours": 0}),
        ("POST", staffs, {**STAFF, "role": "STAFF"}),
        ("PATCH", f"{staffs}/{other}", {"version": 1, **why, **STAFF, "status": "active", "role": "STAFF"}),
        ("POST", f"{staffs}/{uid}/unlock", why),
        ("POST", f"{staffs}/unlock", {"staffUids": [uid], **why}),
        ("POST", f"{staffs}/{other}/pin-reset", why),
        ("POST", f"{staffs}/{uid}/mask", why),
        ("POST", "/api/admin/slots", SLOT),
        ("PATCH", f"/api/admin/slots/{slot_id}", {**SLOT, "reservationTypeId": 1}),
        ("POST", "/api/admin/slots/bulk", BULK),
        ("POST", "/api/admin/slots/copy", {"from": "2025-09-01", "to": "2025-09-01", "target": "2025-09-02"}),
        ("POST", "/api/admin/slots/status", {"slotIds": [slot_id], "status": "published"}),
        ("POST", "/api/admin/slots/change", {"select": {"slotIds": [slot_id]}, "change": CHANGE, "expect": 1}),
        ("POST", "/api/admin/slots/change", {"select": {"filter": CHOICE}, "change": CHANGE, "dryRun": True}),
        ("POST", "/api/admin/reservations", {"staffUid": uid, "slotId": slot_id, **why}),
        ("PATCH", "/api/admin/reservations/1", {"slotId": slot_id, **why}),
        ("POST", "/api/admin/reservations/1/cancel", why),
        ("PUT", "/api/admin/reservations/1/attendance", {"attendance": None}),
        ("POST", "/api/admin/reception", {"code": "1-0123456789abcdef"}),
        ("POST", "/api/admin/notifications/1/resend", {"accept_duplicate": True, **why}),
        ("POST", "/api/admin/notifications/resend", {"job_ids": [1], **why}),
        ("POST", "/api/admin/notifications/resend", {"cause": "QUOTA", **why}),
    ]
    own = {name: value for name, value in STAFF.items() if name not in ("staffId", "emrPatientId")}
    new = {**STAFF, "staffId": "800", "emrPatientId": "800", "pin": "8291", "registrationCode": "x"}
    staff_requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/api/reservations", {"slotId": slot_id}),
        ("PATCH", "/api/reservations/1", {"slotId": slot_id}),
        ("PATCH", "/api/staffs/me", {"version": 1, "currentPin": PIN, **own}),
        ("POST", "/api/staffs/pin/change", {"currentPin": "9182", "newPin": "8291"}),
        ("POST", "/auth/logout", {"refreshToken": "x"}),
    ]
    strangers: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/auth/login", {"staffId": "999", "pin": "8291", "transport": "cookie"}),
        ("POST", "/auth/refresh", {"refreshToken": "a.b.c"}),
        ("POST", "/api/staffs", new),
    ]
    return [
        GoodRequest(who, *one)
        for who, found in (("office", office_requests), ("staff", staff_requests), ("stranger", strangers))
        for one in found
    ]


def bodies(body: dict[str, Any]) -> Iterator[bytes]:
    """The body with one field replaced by each hostile value, also inside lists."""
    for field, good in body.items():
        others = [f"{json.dumps(name)}:{json.dumps(value)}" for name, value in body.items() if name != field]
        nested = [f"[{one}]" for one in CORPUS] if isinstance(good, list) else []
        for value in (*CORPUS, *nested):
            yield ("{" + ",".join([*others, f"{json.dumps(field)}:{value}"]) + "}").encode()


@pytest.fixture
def clients(product: Product, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, httpx2.Client]]:
    """The office, and everybody else, without limits."""
    for module, name in (
        (login, "TRIES_PER_CLIENT"),
        (login, "FAILURES_PER_CLIENT"),
        (profile, "REGISTRATIONS_PER_CLIENT"),
        (profile, "PATIENT_IDS_PER_PERSON"),
    ):
        monkeypatch.setattr(module, name, WIDE)
    monkeypatch.setattr(BookingRoute, "limits_per_principal", ())
    with office(product) as the_office, product.client() as stranger:
        yield {"office": the_office, "stranger": stranger}


def test_no_field_of_booking_breaks_anything(product: Product, clients: dict[str, httpx2.Client]) -> None:
    # With a link, so that a reservation makes notices.
    person, other = make_staff(product.db, line_user_id=f"U{'0' * 32}"), make_staff(product.db)
    slot_id = make_slot(product.db, make_type(product.db))
    tried = 0
    for good in good_requests(person.staff_uid, other.staff_uid, slot_id):
        for body in share(bodies(good.body), product.db.dialect):
            http = clients["office" if good.who == "office" else "stranger"]
            headers = {**JSON, **(bearer(product.db, person) if good.who == "staff" else {})}
            answer = http.request(good.method, good.path, content=body, headers=headers)
            check(answer, (good.method, good.path, body[-300:]))
            tried += 1
    assert tried > 1000


def test_no_place_in_an_address_breaks_anything(product: Product, clients: dict[str, httpx2.Client]) -> None:
    person = make_staff(product.db)
    addresses = [
        ("office", method, path)
        for method, path in (
            ("GET", "/api/admin/staffs/{}"),
            ("POST", "/api/admin/staffs/{}/confirm"),
            ("DELETE", "/api/admin/staffs/{}/line-link"),
            ("GET", "/api/admin/departments/{}"),
            ("DELETE", "/api/admin/departments/{}"),
            ("GET", "/api/admin/reservation-types/{}"),
            ("DELETE", "/api/admin/reservation-types/{}"),
            ("GET", "/api/admin/slots/{}"),
            ("DELETE", "/api/admin/slots/{}"),
            ("GET", "/api/admin/slots/{}/waiting"),
            ("GET", "/api/admin/reservations/{}/timeline"),
            ("GET", "/api/admin/notifications?status={}"),
            ("GET", "/api/admin/notifications?query={}"),
            ("GET", "/api/admin/notifications?page={}"),
            ("GET", "/api/admin/notifications?from={}"),
        )
    ] + [
        ("staff", method, path)
        for method, path in (
            ("DELETE", "/api/reservations/{}"),
            ("GET", "/api/reservations/{}.ics"),
            ("GET", "/api/reservations/{}/reception"),
            ("POST", "/api/slots/{}/waiting"),
            ("DELETE", "/api/waiting/{}"),
        )
    ]
    token = bearer(product.db, person)
    for who, method, path in addresses:
        for value in [one for one in QUERIES if one]:
            http = clients["office" if who == "office" else "stranger"]
            answer = http.request(method, path.format(value), headers=token if who == "staff" else {})
            assert answer.status_code < 500, (method, path, value, answer.text[:200])
