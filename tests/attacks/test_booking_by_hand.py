"""Rows that somebody wrote with plain SQL and the documented columns only, and what the API makes of them."""

import uuid
from datetime import timedelta

import httpx2
import pytest
from sqlalchemy import text

from tests.booking.office import code, office
from tests.factories.booking import bearer, make_slot, make_staff, make_type
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock

AT = "2025-08-16T03:00:00Z"


def sql(product: Product, statement: str, **values: object) -> None:
    product.db.write_now(lambda tx: tx.execute(text(statement), values))


def booked_count(product: Product, slot_id: int) -> int:
    found: int = product.db.read_now(
        lambda tx: tx.scalar(text(f"SELECT booked_count FROM reservation_slots WHERE id = {slot_id}"))
    )
    return found


@pytest.mark.row("3.3.18", "3.4.1")
def test_a_type_and_a_slot_need_the_documented_columns_only(product: Product) -> None:
    sql(product, "INSERT INTO reservation_types (name, description, active) VALUES ('健診', NULL, 1)")
    sql(
        product,
        "INSERT INTO reservation_slots (reservation_type_id, service_date_local, start_minute_of_day, duration_minutes,"
        " capacity, booked_count, status, booking_start, booking_end, notes, created_at, updated_at)"
        " VALUES (1, '2025-09-01', 540, 30, 1, 0, 'published', NULL, NULL, NULL, :at, :at)",
        at=AT,
    )
    with office(product) as http:
        assert http.get("/api/admin/reservation-types").json()["items"][0]["createdAt"].endswith("+09:00")
    assert (
        product.http.post(
            "/api/reservations", json={"slotId": 1}, headers=bearer(product.db, make_staff(product.db))
        ).status_code
        == 201
    )


@pytest.mark.row("3.4.8", "3.4.9")
@pytest.mark.parametrize("layout", ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S+00:00"])
@sqlite_only
def test_a_window_in_any_spelling_of_utc(product: Product, clock: ManualClock, layout: str) -> None:
    before, after = (clock.now() + timedelta(minutes=minutes) for minutes in (-1, 1))
    slot_id = make_slot(product.db, make_type(product.db))
    who = bearer(product.db, make_staff(product.db))
    for column, at, expected in (
        ("booking_end", before, (409, "BOOKING_CLOSED")),
        ("booking_start", after, (409, "BOOKING_NOT_OPEN")),
    ):
        sql(product, "UPDATE reservation_slots SET booking_start = NULL, booking_end = NULL")
        sql(product, f"UPDATE reservation_slots SET {column} = :at", at=at.strftime(layout))
        assert code(product.http.post("/api/reservations", json={"slotId": slot_id}, headers=who)) == expected
        shown = product.http.get("/api/slots", headers=who).json()["items"][0]
        assert (shown["bookable"], shown["reason"]) == (False, expected[1])


@pytest.mark.row("3.5.17")
def test_a_reservation_that_nobody_counted_can_be_cancelled(product: Product) -> None:
    person, slot_id = make_staff(product.db), make_slot(product.db, make_type(product.db))
    sql(
        product,
        "INSERT INTO reservations (staff_uid, staff_id, reservation_type_id, slot_id, service_date_local,"
        " start_minute_of_day, duration_minutes, period_key, created_at, updated_at)"
        " VALUES (:uid, :number, 1, :slot, '2025-09-01', 540, 30, 'FY2025', :at, :at)",
        uid=person.staff_uid,
        number=person.staff_id,
        slot=slot_id,
        at=AT,
    )
    who = bearer(product.db, person)
    assert [product.http.delete("/api/reservations/1", headers=who).status_code for _ in range(2)] == [204, 204]
    assert booked_count(product, slot_id) == 0


@pytest.mark.row("3.6.24")
@sqlite_only
def test_a_session_that_was_revoked_by_hand_is_a_revoked_session(product: Product) -> None:
    person = make_staff(product.db)
    one, other = (product.http.post("/auth/login", json=person.log_in).json() for _ in range(2))
    sql(product, "UPDATE refresh_sessions SET revoked_at = :at WHERE id = 1", at=AT)
    assert refreshed(product, one) == 401
    assert refreshed(product, other) == 401


def refreshed(product: Product, tokens: dict[str, str]) -> int:
    answer: httpx2.Response = product.http.post("/auth/refresh", json={"refreshToken": tokens["refreshToken"]})
    return answer.status_code


@pytest.mark.row("3.3.16", "3.6.1", "3.7.2")
@sqlite_only
def test_staff_may_write_their_department_in_any_width_and_case(product: Product) -> None:
    person = make_staff(product.db, department_id="3A")
    new = {
        "staffId": "881",
        "familyName": "山田",
        "givenName": "花子",
        "jobTitle": "看護師",
        "departmentId": "３a",
        "dateOfBirth": "1990-04-01",
        "sexCode": "2",
        "pin": "7391",
    }
    assert product.http.post("/api/staffs", json=new).status_code == 201
    change = {"version": 1, "departmentId": "3ａ", "jobTitle": "医師"}
    changed = product.http.patch("/api/staffs/me", json=change, headers=bearer(product.db, person))
    assert (changed.status_code, changed.json()["departmentId"]) == (200, "3A")
    unknown = {**new, "staffId": "882", "departmentId": f"{uuid.uuid4()}\0"}
    assert product.http.post("/api/staffs", json=unknown).json()["details"] == [
        {"field": "departmentId", "reason": "NOT_FOUND"}
    ]
