"""A staff person with the ids, codes and cookies of another one."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from tests.booking.office import code, office
from tests.factories.booking import PIN, Person, bearer, make_slot, make_staff, make_type
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.staffs.models import StaffAccount

WRONG = "9182"


def dump(product: Product) -> list[Any]:
    return [product.rows(model) for model in (Reservation, WaitingPlace, StaffAccount, RefreshSession)]


def log_in(http: httpx2.Client, person: Person, pin: str = PIN, **more: str) -> httpx2.Response:
    return http.post("/auth/login", json={"staffId": person.staff_id, "pin": pin, **more})


@pytest.mark.row("3.5.11", "3.5.12", "3.7.13")
@sqlite_only
def test_nobody_reaches_what_belongs_to_another(product: Product) -> None:
    anna, ben, eve = (make_staff(product.db) for _ in range(3))
    type_id = make_type(product.db)
    full, free = make_slot(product.db, type_id, capacity=1), make_slot(product.db, type_id, "2025-09-02")
    who = {person: bearer(product.db, person) for person in (anna, ben, eve)}
    seat = product.http.post("/api/reservations", json={"slotId": full}, headers=who[anna]).json()["id"]
    place = product.http.post(f"/api/slots/{full}/waiting", headers=who[ben]).json()["id"]
    receipt = product.http.get(f"/api/reservations/{seat}/reception", headers=who[anna]).json()["code"]
    before = dump(product)
    requests: list[tuple[str, str, dict[str, Any] | None]] = [
        ("PATCH", f"/api/reservations/{seat}", {"slotId": free}),
        ("DELETE", f"/api/reservations/{seat}", None),
        ("GET", f"/api/reservations/{seat}.ics", None),
        ("GET", f"/api/reservations/{seat}/reception", None),
        ("DELETE", f"/api/waiting/{place}", None),
    ]
    for method, path, body in requests:
        answer = product.http.request(method, path, json=body, headers=who[eve])
        # The same bytes as for an id that nobody has.
        nobody = product.http.request(method, path.replace(str(seat), "987"), json=body, headers=who[eve])
        assert (answer.status_code, answer.content) == (404, nobody.content), (method, path)
    for path in ("/api/reservations/me", "/api/waiting/me"):
        assert product.http.get(path, headers=who[eve]).json()["items"] == []
    slots = product.http.get("/api/slots", headers=who[eve]).json()["items"]
    assert {slot["myReservationId"] for slot in slots} | {slot["myWaitingId"] for slot in slots} == {None}
    admin: list[tuple[str, str, dict[str, Any] | None]] = [
        ("POST", "/api/admin/reception", {"code": receipt}),
        ("PUT", f"/api/admin/reservations/{seat}/attendance", {"attendance": "absent"}),
        ("POST", f"/api/admin/staffs/{anna.staff_uid}/pin-reset", {"reason": "x"}),
        ("GET", "/api/admin/reservations", None),
    ]
    for method, path, body in admin:
        assert product.http.request(method, path, json=body, headers=who[eve]).status_code == 401
    assert dump(product) == before


@pytest.mark.row("3.6.11")
@sqlite_only
def test_the_device_of_one_person_gives_no_tries_at_another(product: Product) -> None:
    anna, eve = make_staff(product.db), make_staff(product.db)
    with product.client() as device, product.client() as stranger:
        assert log_in(device, eve, transport="cookie").status_code == 200
        for _ in range(5):
            log_in(stranger, anna, WRONG)
        assert code(log_in(device, anna)) == (423, "PIN_LOCKED")
        # Eve's own tries there are not more than five either, and they lock Eve only.
        assert [log_in(device, eve, WRONG).status_code for _ in range(6)] == [401] * 4 + [423] * 2
        assert code(log_in(stranger, eve)) == (423, "PIN_LOCKED")


@pytest.mark.row("3.6.24", "3.6.31")
@sqlite_only
def test_a_log_out_ends_ones_own_sessions_only(product: Product) -> None:
    """Without a body the access token alone is enough; the refresh token of somebody else cannot be guessed."""
    anna, eve = make_staff(product.db), make_staff(product.db)
    annas, eves = log_in(product.http, anna).json(), log_in(product.http, eve).json()
    of_eve = {"authorization": f"Bearer {eves['accessToken']}"}
    assert product.http.post("/auth/logout", headers=of_eve).status_code == 204
    assert product.http.get("/api/staffs/me", headers=of_eve).status_code == 401
    of_anna = {"authorization": f"Bearer {annas['accessToken']}"}
    assert product.http.get("/api/staffs/me", headers=of_anna).status_code == 200
    assert product.http.post("/auth/logout").status_code == 401


@pytest.mark.row("3.7.21")
@sqlite_only
def test_masking_forgets_the_devices_too(product: Product) -> None:
    anna = make_staff(product.db)
    with product.client() as device, office(product) as http:
        assert log_in(device, anna, transport="cookie").status_code == 200
        left = {"version": 1, "reason": "退職", "status": "left"}
        assert http.patch(f"/api/admin/staffs/{anna.staff_uid}", json=left).status_code == 200
        assert http.post(f"/api/admin/staffs/{anna.staff_uid}/mask", json={"reason": "退職"}).status_code == 200
    assert product.db.read_now(lambda tx: tx.scalar(text("SELECT count(*) FROM staff_devices"))) == 0
