from typing import Any

import httpx2
import pytest

from tests.factories.booking import PIN, Person, bearer, make_new_staff, make_staff
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog

NEW_PIN = "9042"


def _change(product: Product, headers: dict[str, str], current: Any = PIN, new: Any = NEW_PIN) -> httpx2.Response:
    body = {"currentPin": current, "newPin": new}
    return product.http.post("/api/staffs/pin/change", json=body, headers=headers)


def _log_in(product: Product, person: Person, pin: str) -> httpx2.Response:
    return product.http.post("/auth/login", json={"staffId": person.staff_id, "pin": pin})


@sqlite_only
@pytest.mark.row("3.6.20", "3.6.18", "3.6.19", "3.7.22")
def test_first_log_in_with_the_initial_pin(product: Product, db: Database, clock: ManualClock) -> None:
    """Appendix B, P0: PIN=0000 with pinMustChange=true, which ends with the new PIN."""
    person = make_new_staff(db)
    tokens = _log_in(product, person, "0000").json()
    assert tokens["pinMustChange"] is True
    headers = {"authorization": f"Bearer {tokens['accessToken']}"}
    me = product.http.get("/api/staffs/me", headers=headers)
    assert (me.status_code, me.json()["code"]) == (428, "PIN_CHANGE_REQUIRED")
    assert _change(product, headers, "0000").json() == {"pinMustChange": False, "endedSessions": 0}
    row = product.rows(StaffAccount)[0]
    assert (row["pin_must_change"], row["pin_retry_count"], row["pin_updated_at"]) == (0, 0, db.clock.now())
    assert product.http.get("/api/staffs/me", headers=headers).status_code == 200
    assert _log_in(product, person, "0000").status_code == 401
    assert _log_in(product, person, NEW_PIN).json()["pinMustChange"] is False


@sqlite_only
@pytest.mark.row("3.6.19")
def test_other_sessions_end_and_the_own_one_stays(product: Product, db: Database) -> None:
    person = make_staff(db)
    here, there = _log_in(product, person, PIN).json(), _log_in(product, person, PIN).json()
    headers = {"authorization": f"Bearer {here['accessToken']}"}
    assert _change(product, headers).json()["endedSessions"] == 1
    other = product.http.post("/auth/refresh", json={"refreshToken": there["refreshToken"]})
    assert other.status_code == 401
    own = product.http.post("/auth/refresh", json={"refreshToken": here["refreshToken"]})
    assert own.status_code == 200
    assert [row["action"] for row in product.rows(AuditLog)].count("PIN_CHANGE") == 1


@sqlite_only
@pytest.mark.row("3.6.3", "3.6.5")
@pytest.mark.parametrize(
    ("new", "code"),
    [
        ("0000", "PIN_TRIVIAL"),
        ("1234", "PIN_TRIVIAL"),
        ("1111", "PIN_TRIVIAL"),
        (PIN, "PIN_UNCHANGED"),
        ("123", "INVALID_INPUT"),
        ("１２３４", "INVALID_INPUT"),
        ("9042\n", "INVALID_INPUT"),
        (9042, "INVALID_INPUT"),
        (None, "INVALID_INPUT"),
    ],
)
def test_a_bad_new_pin_is_refused_and_not_counted(product: Product, db: Database, new: Any, code: str) -> None:
    person = make_staff(db)
    answer = _change(product, bearer(db, person), new=new)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert [detail["field"] for detail in answer.json()["details"]] == ["newPin"]
    assert product.rows(StaffAccount)[0]["pin_retry_count"] == 0


@pytest.mark.row("3.6.14")
@pytest.mark.parametrize("route", ["pin", "profile"])
def test_five_wrong_current_pins_lock_the_account_and_end_the_sessions(
    product: Product, db: Database, route: str
) -> None:
    person = make_staff(db)
    here, there = bearer(db, person), bearer(db, person)

    def attempt() -> tuple[int, str]:
        if route == "pin":
            answer = _change(product, here, "7777")
        else:
            body = {"version": 1, "familyName": "佐藤", "currentPin": "7777"}
            answer = product.http.patch("/api/staffs/me", json=body, headers=here)
        return answer.status_code, answer.json()["code"]

    assert [attempt() for _ in range(4)] == [(403, "WRONG_PIN")] * 4
    assert product.rows(StaffAccount)[0]["pin_retry_count"] == 4
    assert attempt() == (423, "PIN_LOCKED")
    row = product.rows(StaffAccount)[0]
    assert (row["family_name"], row["pin_retry_count"]) == ("山田", 5)
    assert row["pin_locked_until"] is not None
    for headers in (here, there):
        assert product.http.get("/api/staffs/me", headers=headers).status_code == 401
    assert {row["revoked_because"] for row in product.rows(RefreshSession)} == {"locked"}
    assert _log_in(product, person, PIN).status_code == 423
    actions = [row["action"] for row in product.rows(AuditLog)]
    assert (actions.count("LOGIN_FAIL"), actions.count("PIN_LOCKED")) == (6, 1)


@sqlite_only
def test_strangers_who_locked_the_account_do_not_disturb_a_live_session(product: Product, db: Database) -> None:
    person = make_staff(db)
    headers = bearer(db, person)
    for _ in range(5):
        _log_in(product, person, "7777")
    assert _change(product, headers).status_code == 200
    # Only the office removes the lock.
    assert _log_in(product, person, NEW_PIN).status_code == 423
