"""G10: every route × everybody who might knock. A route without a row in the table fails."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from tests.attacks.account_routes import ACCOUNT_BODIES, ACCOUNT_NOBODYS, ACCOUNT_ROUTES
from tests.attacks.customer_routes import CUSTOMER_BODIES, CUSTOMER_NOBODYS, CUSTOMER_ROUTES
from tests.attacks.people_routes import PEOPLE_BODIES, PEOPLE_ROUTES
from tests.attacks.shop_routes import SHOP_BODIES, SHOP_NOBODYS, SHOP_ROUTES
from tests.attacks.thread_routes import THREAD_BODIES, THREAD_ROUTES
from tests.attacks.who import (
    EVERYBODY,
    NOT_REGISTERED,
    OFFICE_CHANGES,
    OFFICE_CREATES,
    OFFICE_DOES,
    OFFICE_LOOKS_FOR,
    OFFICE_QUESTIONS,
    OFFICE_READS,
    OFFICE_WRITES,
    OFFICE_WRITES_WRONGLY,
    STAFF,
    STAFF_LOOK_FOR,
    STAFF_READS,
    STAFF_WRITES,
    WHO,
)
from tests.events.planning.desk import desk_at
from tests.factories.booking import bearer, make_new_staff, make_staff
from tests.factories.product import ADMIN, PASSWORD, Box, Product
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tsudoi.access.admins import service
from tsudoi.app import create_api
from tsudoi.core.clock import ManualClock

# method and path -> what each of them hears. A new route needs a new row here before it can land.
TABLE: dict[tuple[str, str], dict[str, int]] = {
    ("GET", "/api/admin/audit-logs"): OFFICE_READS,
    ("GET", "/api/admin/audit"): OFFICE_READS,
    ("GET", "/api/admin/line/friends"): OFFICE_READS,
    ("GET", "/api/admin/overview"): OFFICE_READS,
    ("GET", "/api/admin/home"): OFFICE_READS,
    ("GET", "/api/admin/links/summary"): OFFICE_READS,
    ("GET", "/api/admin/line/quota"): OFFICE_READS,
    ("GET", "/api/admin/line/account"): OFFICE_READS,
    ("GET", "/api/admin/members"): OFFICE_READS,
    ("GET", "/api/admin/members/last-sync"): OFFICE_READS,
    ("GET", "/api/admin/recipients/candidates"): OFFICE_READS,
    ("GET", "/api/admin/audiences"): OFFICE_READS,
    ("POST", "/api/admin/audiences"): OFFICE_CREATES,
    ("PATCH", "/api/admin/audiences/{audience_id}"): OFFICE_CHANGES,
    ("DELETE", "/api/admin/audiences/{audience_id}"): OFFICE_CHANGES,
    ("GET", "/api/admin/audiences/{audience_id}/members"): OFFICE_LOOKS_FOR,
    ("PUT", "/api/admin/audiences/{audience_id}/members"): OFFICE_CHANGES,
    ("GET", "/api/admin/links/unlinked-friends"): OFFICE_READS,
    ("POST", "/api/admin/links"): OFFICE_CHANGES,
    ("POST", "/api/admin/links/{member_id}/removal"): OFFICE_CHANGES,
    ("GET", "/api/admin/events"): OFFICE_READS,
    # Let in, and told that this is no form.
    ("POST", "/api/admin/events"): {**OFFICE_WRITES, "admin_cookie": 415, "admin_bearer": 415},
    ("POST", "/api/admin/events/preview"): {**OFFICE_WRITES, "admin_cookie": 400, "admin_bearer": 400},
    ("GET", "/api/admin/events/{event_id}"): OFFICE_LOOKS_FOR,
    ("PATCH", "/api/admin/events/{event_id}"): OFFICE_CHANGES,
    ("POST", "/api/admin/events/{event_id}/preview"): OFFICE_CHANGES,
    ("POST", "/api/admin/events/{event_id}/targets"): OFFICE_CHANGES,
    ("POST", "/api/admin/events/{event_id}/reminders"): OFFICE_CHANGES,
    ("POST", "/api/admin/events/{event_id}/cancellation"): OFFICE_CHANGES,
    ("POST", "/api/admin/events/{event_id}/resend"): OFFICE_CHANGES,
    ("POST", "/api/admin/events/{event_id}/answers"): OFFICE_CHANGES,
    ("GET", "/api/admin/events/{event_id}/history"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/events/{event_id}/export/latest.csv"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/events/{event_id}/export/latest.xlsx"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/events/{event_id}/export/history.csv"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/events/{event_id}/export/history.xlsx"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/events/{event_id}/live"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/events/{event_id}/deliveries"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/events/{event_id}/event.ics"): OFFICE_LOOKS_FOR,
    ("GET", "/api/departments"): EVERYBODY,
    ("GET", "/api/admin/departments"): OFFICE_READS,
    ("POST", "/api/admin/departments"): OFFICE_CREATES,
    ("GET", "/api/admin/departments/{department_id}"): OFFICE_LOOKS_FOR,
    ("PATCH", "/api/admin/departments/{department_id}"): OFFICE_CHANGES,
    ("DELETE", "/api/admin/departments/{department_id}"): OFFICE_CHANGES,
    ("GET", "/api/admin/reservation-types"): OFFICE_READS,
    ("POST", "/api/admin/reservation-types"): OFFICE_CREATES,
    ("GET", "/api/admin/reservation-types/{type_id}"): OFFICE_LOOKS_FOR,
    ("PATCH", "/api/admin/reservation-types/{type_id}"): OFFICE_CHANGES,
    ("DELETE", "/api/admin/reservation-types/{type_id}"): OFFICE_CHANGES,
    ("GET", "/api/admin/staffs"): OFFICE_READS,
    ("POST", "/api/admin/staffs"): OFFICE_CREATES,
    ("GET", "/api/admin/staffs/export"): OFFICE_READS,
    # Let in, and told that `dryRun` is missing.
    ("POST", "/api/admin/staffs/import"): OFFICE_WRITES_WRONGLY,
    # Let in, and told that this is no CSV file.
    ("POST", "/api/admin/staffs/import/rejected"): {**OFFICE_WRITES, "admin_cookie": 415, "admin_bearer": 415},
    ("GET", "/api/admin/staffs/registration-code"): OFFICE_READS,
    ("POST", "/api/admin/staffs/registration-code"): OFFICE_CREATES,
    ("POST", "/api/admin/staffs/unlock"): {**OFFICE_WRITES, "admin_cookie": 200, "admin_bearer": 200},
    ("GET", "/api/admin/staffs/{staff_uid}"): OFFICE_LOOKS_FOR,
    ("PATCH", "/api/admin/staffs/{staff_uid}"): OFFICE_CHANGES,
    ("POST", "/api/admin/staffs/{staff_uid}/confirm"): OFFICE_CHANGES,
    ("DELETE", "/api/admin/staffs/{staff_uid}/line-link"): OFFICE_CHANGES,
    ("POST", "/api/admin/staffs/{staff_uid}/mask"): OFFICE_CHANGES,
    ("POST", "/api/admin/staffs/{staff_uid}/pin-reset"): OFFICE_CHANGES,
    ("POST", "/api/admin/staffs/{staff_uid}/unlock"): OFFICE_CHANGES,
    ("GET", "/api/admin/reservations"): OFFICE_READS,
    ("POST", "/api/admin/reservations"): OFFICE_CHANGES,
    ("GET", "/api/admin/reservations/export"): OFFICE_READS,
    ("PATCH", "/api/admin/reservations/{reservation_id}"): OFFICE_CHANGES,
    ("POST", "/api/admin/reservations/{reservation_id}/cancel"): OFFICE_CHANGES,
    ("PUT", "/api/admin/reservations/{reservation_id}/attendance"): OFFICE_CHANGES,
    ("POST", "/api/admin/reception"): OFFICE_CHANGES,
    ("GET", "/api/admin/payments"): OFFICE_READS,
    ("GET", "/api/admin/payments/export"): OFFICE_READS,
    ("POST", "/api/admin/payments/{payment_id}/refund"): OFFICE_CHANGES,
    ("POST", "/api/admin/stripe-events/{event_id}/resolve"): OFFICE_CHANGES,
    ("GET", "/api/admin/reservations/{reservation_id}/timeline"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/notifications"): OFFICE_READS,
    ("GET", "/api/admin/notifications/summary"): OFFICE_READS,
    ("POST", "/api/admin/notifications/resend"): OFFICE_CHANGES,
    ("POST", "/api/admin/notifications/{job_id}/resend"): OFFICE_CHANGES,
    ("GET", "/api/admin/slots"): OFFICE_READS,
    # Let in, and told what is missing.
    ("POST", "/api/admin/slots"): OFFICE_WRITES_WRONGLY,
    ("POST", "/api/admin/slots/bulk"): OFFICE_WRITES_WRONGLY,
    ("POST", "/api/admin/slots/copy"): OFFICE_WRITES_WRONGLY,
    ("POST", "/api/admin/slots/status"): OFFICE_WRITES_WRONGLY,
    ("POST", "/api/admin/slots/change"): OFFICE_WRITES_WRONGLY,
    ("GET", "/api/admin/slots/calendar"): OFFICE_QUESTIONS,
    ("GET", "/api/admin/slots/{slot_id}"): OFFICE_LOOKS_FOR,
    ("PATCH", "/api/admin/slots/{slot_id}"): OFFICE_CHANGES,
    ("DELETE", "/api/admin/slots/{slot_id}"): OFFICE_CHANGES,
    ("GET", "/api/slots"): STAFF_READS,
    ("GET", "/api/admin/slots/{slot_id}/waiting"): OFFICE_LOOKS_FOR,
    # Let in, and told that the type is missing.
    ("GET", "/api/admin/coverage"): OFFICE_QUESTIONS,
    ("GET", "/api/admin/coverage/people"): OFFICE_QUESTIONS,
    ("GET", "/api/admin/coverage/reminders"): OFFICE_READS,
    ("POST", "/api/admin/coverage/reminders"): OFFICE_CHANGES,
    ("POST", "/api/admin/coverage/reminders/preview"): OFFICE_CHANGES,
    ("GET", "/api/admin/coverage/reminders/{reminder_id}"): OFFICE_LOOKS_FOR,
    ("GET", "/api/admin/coverage/export"): OFFICE_QUESTIONS,
    ("GET", "/api/admin/notifications/templates"): OFFICE_READS,
    ("GET", "/api/admin/notifications/templates/{template_key}"): OFFICE_READS,
    ("PUT", "/api/admin/notifications/templates/{template_key}"): OFFICE_DOES,
    ("POST", "/api/admin/notifications/templates/{template_key}/preview"): OFFICE_DOES,
    ("POST", "/api/admin/notifications/pause"): OFFICE_DOES,
    ("POST", "/api/admin/notifications/resume"): OFFICE_DOES,
    # Staff with a token (tests/booking).
    ("POST", "/api/reservations"): STAFF_LOOK_FOR,
    ("GET", "/api/reservations/me"): {**STAFF_LOOK_FOR, "staff": 200},
    ("GET", "/api/reservations/{reservation_id}.ics"): STAFF_LOOK_FOR,
    ("GET", "/api/reservations/{reservation_id}/calendar"): STAFF_LOOK_FOR,
    ("POST", "/api/reservations/calendar-keys/renewal"): {**STAFF_LOOK_FOR, "staff": 200},
    ("GET", "/api/reservations/{reservation_id}/notice"): STAFF_LOOK_FOR,
    ("GET", "/api/reservations/{reservation_id}/reception"): STAFF_LOOK_FOR,
    ("PATCH", "/api/reservations/{reservation_id}"): STAFF_LOOK_FOR,
    ("DELETE", "/api/reservations/{reservation_id}"): STAFF_LOOK_FOR,
    ("POST", "/api/reservations/{reservation_id}/payment"): STAFF_LOOK_FOR,
    ("POST", "/api/slots/{slot_id}/waiting"): STAFF_LOOK_FOR,
    ("GET", "/api/waiting/me"): {**STAFF_LOOK_FOR, "staff": 200},
    ("DELETE", "/api/waiting/{place_id}"): STAFF_LOOK_FOR,
    # A LINE user who is no member yet.
    ("GET", "/api/liff/events"): NOT_REGISTERED,
    ("GET", "/api/liff/events/{event_id}"): NOT_REGISTERED,
    ("GET", "/api/liff/events/{event_id}.ics"): NOT_REGISTERED,
    ("POST", "/api/liff/calendar-keys/renewal"): NOT_REGISTERED,
    ("GET", "/api/liff/events/{event_id}/status"): NOT_REGISTERED,
    ("GET", "/api/liff/events/{event_id}/history"): NOT_REGISTERED,
    ("POST", "/api/liff/events/{event_id}/respond"): NOT_REGISTERED,
    # Open, because LINE fetches it; nobody guesses the name.
    ("GET", "/files/events/{key}/{name}"): dict.fromkeys(WHO, 404),
    # Open by its contract; what is not signed is not believed (tests/line/test_webhook.py).
    ("POST", "/api/line/webhook"): EVERYBODY,
    # The signature is the only way in (tests/booking/payments/test_webhook.py).
    ("POST", "/api/stripe/webhook"): dict.fromkeys(WHO, 400),
    ("POST", "/api/liff/session"): dict.fromkeys(WHO, 401),
    ("GET", "/api/liff/me"): {**dict.fromkeys(WHO, 401), "member": 200},
    # The member is let in, and there is nobody of that name.
    ("POST", "/api/liff/register"): {**dict.fromkeys(WHO, 401), "member": 404},
    ("POST", "/api/liff/register/handover"): {**dict.fromkeys(WHO, 401), "member": 202},
    **dict.fromkeys([("GET", "/auth/options"), ("GET", "/api/staff-door")], EVERYBODY),
    # The credentials are in the body, and nobody has this number.
    ("POST", "/auth/login"): dict.fromkeys(WHO, 401),
    ("POST", "/auth/refresh"): dict.fromkeys(WHO, 401),
    ("POST", "/auth/logout"): {**STAFF_WRITES, "staff": 204, "staff_0000": 204},
    # Open to everybody by default; the body is empty.
    ("POST", "/api/staffs"): dict.fromkeys(WHO, 400),
    ("GET", "/api/staffs/me"): STAFF_READS,
    ("PATCH", "/api/staffs/me"): STAFF_WRITES,
    ("POST", "/api/staffs/pin/change"): {**STAFF_WRITES, "staff_0000": 400},
    # This needs a staff person inside LINE (tests/booking/profile/test_line_link.py).
    ("POST", "/api/staffs/me/line-link"): {**STAFF, "staff": 401},
    ("DELETE", "/api/staffs/me/line-link"): {**STAFF_WRITES, "staff": 204},
    ("GET", "/livez"): EVERYBODY,
    ("GET", "/readyz"): EVERYBODY,
    # Everybody on this machine (tests/access/test_watchers.py).
    ("GET", "/metrics"): EVERYBODY,
    ("GET", "/api/openapi.json"): EVERYBODY,
    **ACCOUNT_ROUTES,
    **THREAD_ROUTES,
    **SHOP_ROUTES,
    **PEOPLE_ROUTES,
    **CUSTOMER_ROUTES,
}
BODIES: dict[str, dict[str, Any]] = {
    "/api/liff/calendar-keys/renewal": {"confirm": True},
    "/api/reservations/calendar-keys/renewal": {"confirm": True},
    "/auth/login": {"staffId": "999", "pin": "4826"},
    "/auth/refresh": {"refreshToken": "made.up.token"},
    "/auth/logout": {},
    "/api/staffs": {},
    "/api/staffs/me": {},
    "/api/staffs/me/line-link": {},
    "/api/staffs/pin/change": {},
    "/api/liff/session": {"id_token": "made.up.token"},
    "/api/line/webhook": {"events": []},
    "/api/liff/register": {"full_name": "山田太郎"},
    "/api/liff/register/handover": {"full_name": "山田太郎"},
    "/api/admin/audiences": {"name": "理事会"},
    "/api/admin/audiences/{audience_id}": {"name": "委員会"},
    "/api/admin/audiences/{audience_id}/members": {"member_ids": []},
    "/api/admin/links": {"user_id": user_id(1), "member_id": 1, "reason": "電話で確認"},
    "/api/admin/links/{member_id}/removal": {"reason": "別の方のLINE"},
    "/api/admin/events": {},
    "/api/admin/events/preview": {},
    "/api/admin/events/{event_id}": {"title": "総会"},
    "/api/admin/events/{event_id}/preview": {"kind": "reminder"},
    "/api/admin/events/{event_id}/targets": {"member_ids": [1]},
    "/api/admin/events/{event_id}/reminders": {},
    "/api/admin/events/{event_id}/cancellation": {"notify": True},
    "/api/admin/events/{event_id}/resend": {},
    "/api/admin/events/{event_id}/answers": {"member_id": 1, "status": "attend"},
    "/api/liff/events/{event_id}/respond": {"status": "attend"},
    "/api/admin/departments": {"id": "3A", "name": "3階A病棟"},
    "/api/admin/departments/{department_id}": {"active": False},
    "/api/admin/reservation-types": {"name": "職員健診"},
    "/api/admin/reservation-types/{type_id}": {"active": False},
    "/api/admin/staffs": {
        "staffId": "1",
        "familyName": "山田",
        "givenName": "太郎",
        "jobTitle": "医師",
        "departmentId": "3A",
    },
    "/api/admin/staffs/unlock": {"staffUids": ["nobody"], "reason": "電話"},
    "/api/admin/staffs/{staff_uid}": {"version": 1, "reason": "電話"},
    "/api/admin/staffs/{staff_uid}/mask": {"reason": "電話"},
    "/api/admin/staffs/{staff_uid}/pin-reset": {"reason": "電話"},
    "/api/admin/staffs/{staff_uid}/unlock": {"reason": "電話"},
    "/api/admin/reservations": {"staffUid": "nobody", "slotId": 999, "reason": "電話"},
    "/api/admin/reservations/{reservation_id}": {"slotId": 999, "reason": "電話"},
    "/api/admin/reservations/{reservation_id}/cancel": {"reason": "電話"},
    "/api/admin/reservations/{reservation_id}/attendance": {"attendance": None},
    "/api/admin/coverage/reminders": {"reservationTypeId": 999},
    "/api/admin/coverage/reminders/preview": {"reservationTypeId": 999},
    "/api/admin/reception": {"code": "999-0123456789abcdef"},
    "/api/admin/notifications/resend": {"job_ids": [999], "reason": "電話"},
    "/api/admin/notifications/{job_id}/resend": {"reason": "電話"},
    "/api/reservations": {"slotId": 999},
    "/api/reservations/{reservation_id}": {"slotId": 999},
    "/api/admin/payments/{payment_id}/refund": {"reason": "電話"},
    "/api/admin/stripe-events/{event_id}/resolve": {"note": "電話"},
    "/api/reservations/{reservation_id}/payment": {},
    "/api/stripe/webhook": {"id": "evt_1", "object": "event", "type": "checkout.session.completed"},
    "/api/slots/{slot_id}/waiting": {},
    "/api/admin/slots": {},
    "/api/admin/slots/bulk": {},
    "/api/admin/slots/copy": {},
    "/api/admin/slots/status": {},
    "/api/admin/slots/change": {},
    "/api/admin/slots/{slot_id}": {"capacity": 3},
    "/api/waiting/{place_id}": {},
    "/api/admin/notifications/templates/{template_key}": {"body": "{氏名} 様"},
    "/api/admin/notifications/templates/{template_key}/preview": {"body": "{氏名} 様"},
    "/api/admin/notifications/pause": {"reason": "文面を確認するため"},
    "/api/admin/notifications/resume": {"reason": "確認できたため"},
    **ACCOUNT_BODIES,
    **THREAD_BODIES,
    **SHOP_BODIES,
    **PEOPLE_BODIES,
    **CUSTOMER_BODIES,
}
NOBODYS = {
    "{reservation_id}": "999",
    "{reminder_id}": "999",
    "{slot_id}": "999",
    "{place_id}": "999",
    "{payment_id}": "999",
    "{job_id}": "999",
    "{audience_id}": "999",
    "{member_id}": "999",
    "{event_id}": "999",
    "{kind}": "member",
    "{id}": "999",
    "{department_id}": "NONE",
    "{type_id}": "999",
    "{staff_uid}": "nobody",
    "{template_key}": "REMINDER",
    "{key}": "k" * 43,
    "{name}": "notice_o.jpg",
    "{thread_id}": "5b7fd5d4-3f0f-4be8-8a36-6a8d4bb7ab15",
    "{invitee_key}": "lm:999",
    "{token}": "t" * 43,
    **ACCOUNT_NOBODYS,
    **SHOP_NOBODYS,
    **CUSTOMER_NOBODYS,
}


def routes() -> set[tuple[str, str]]:
    """Walks into included routers too, wherever this version of the framework keeps them."""
    found: set[tuple[str, str]] = set()
    waiting: list[Any] = [create_api()]
    while waiting:
        here = waiting.pop()
        waiting.extend(getattr(here, "routes", ()) or ())
        waiting.extend(found for found in (getattr(here, "original_router", None), getattr(here, "app", None)) if found)
        path, methods = getattr(here, "path", None), getattr(here, "methods", None)
        if path and methods:
            found |= {(method, path) for method in methods if method != "HEAD"}
    return found


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    described = {
        (method.upper(), path) for path, operations in create_api().openapi()["paths"].items() for method in operations
    }
    assert described | {("GET", "/api/openapi.json")} == set(TABLE)
    assert routes() == set(TABLE), "a route that the API description hides"


@contextmanager
def knocking(product: Product, box: Box, who: str) -> Iterator[tuple[httpx2.Client, dict[str, str]]]:
    with product.client() as browser:
        headers: dict[str, str] = {}
        if who == "header_only":
            headers = {"x-line-user-id": user_id(1), "x-user-id": "1"}
        elif who == "member":
            browser.post("/api/liff/session", json={"id_token": box.id_token(box.friend())}).raise_for_status()
        elif who.startswith("admin_cookie"):
            csrf = browser.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).json()["csrf_token"]
            headers = {} if who.endswith("without_csrf") else {"x-csrf-token": csrf}
        elif who == "admin_bearer":
            headers = {"authorization": f"Bearer {product.db.write_now(service.create_token, ADMIN)}"}
        elif who == "staff":
            # Also a staff person whose role is ADMIN gets nothing of the office by a PIN.
            headers = bearer(product.db, make_staff(product.db, role="ADMIN"))
        elif who == "staff_0000":
            headers = bearer(product.db, make_new_staff(product.db))
        yield browser, headers


@sqlite_only
@pytest.mark.row("3.6.18", "3.7.13", "3.7.14", "3.2.1", "1.6.7", "1.I.17")
@pytest.mark.parametrize("who", WHO)
def test_who_may(product: Product, box: Box, who: str) -> None:
    product.make_admin()
    heard, left = {}, sorted(TABLE)
    while left:
        with knocking(product, box, who) as (browser, headers):
            # Whoever was given other cookies is somebody else from then on, and comes in anew for the next route.
            while left:
                method, path = left.pop(0)
                body = BODIES.get(path) if method != "GET" else None
                address = re.sub(r"{\w+}", lambda found: NOBODYS[found.group()], path)
                answer = browser.request(method, address, headers=headers, json=body)
                heard[method, path] = answer.status_code
                if "set-cookie" in answer.headers:
                    break
    assert heard == {route: expected[who] for route, expected in TABLE.items()}


@sqlite_only
def test_one_member_never_sees_another(product: Product, box: Box) -> None:
    first, second = box.friend("会員A"), box.friend("会員B")
    product.http.post("/api/liff/session", json={"id_token": box.id_token(first)}).raise_for_status()
    assert product.http.get("/api/liff/me").json()["display_name"] == "会員A"
    for header in (second, second.upper(), f"{first},{second}", ""):
        answer = product.http.get("/api/liff/me", headers={"x-line-user-id": header})
        assert (answer.status_code, answer.json()["code"]) == (403, "IDENTITY_MISMATCH")


@sqlite_only
def test_who_is_not_asked_sees_nothing_of_an_event(product: Product, box: Box, clock: ManualClock) -> None:
    desk = desk_at(product, box, clock, people=2)
    event_id = desk.made(target_member_ids="[101]")
    paths = ("", "/status", "/history", ".ics")
    for member_id, expected in ((101, 200), (102, 403)):
        with product.client() as phone:
            phone.post("/api/liff/session", json={"id_token": box.id_token(desk.users[member_id])}).raise_for_status()
            listed = phone.get("/api/liff/events").json()["items"]
            assert [item["id"] for item in listed] == ([event_id] if expected == 200 else [])
            heard = {path: phone.get(f"/api/liff/events/{event_id}{path}").status_code for path in paths}
            assert heard == dict.fromkeys(paths, expected)
            said = phone.post(f"/api/liff/events/{event_id}/respond", json={"status": "attend"})
            assert said.status_code == (201 if expected == 200 else 403)
            others = {"x-line-user-id": desk.users[203 - member_id]}
            mixed = phone.post(f"/api/liff/events/{event_id}/respond", json={"status": "absent"}, headers=others)
            assert (mixed.status_code, mixed.json()["code"]) == (403, "IDENTITY_MISMATCH")
