from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import httpx2
import pytest

from tests.factories.booking import bearer, make_staff
from tests.factories.people import make_friend
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core import sessions
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog

pytestmark = sqlite_only


@contextmanager
def _phone(product: Product, db: Database, user_id: str, headers: dict[str, str]) -> Iterator[httpx2.Client]:
    """The portal inside LINE: a LIFF session, and the token of a staff person."""
    token = db.write_now(sessions.open_session, sessions.LIFF, user_id, {}, timedelta(hours=1))
    with product.client(cookies={"tsudoi_liff": token}, headers=headers) as http:
        yield http


@pytest.mark.row("3.7.24")
def test_one_line_user_and_one_staff_person(product: Product, db: Database) -> None:
    one, other = make_staff(db), make_staff(db)
    make_friend(db, "U1")
    with _phone(product, db, "U1", bearer(db, one)) as http:
        for _ in range(2):
            answer = http.post("/api/staffs/me/line-link", json={})
            expected = {"lineLinked": True, "lineReachable": True, "addFriendUrl": None}
            assert (answer.status_code, answer.json()) == (200, expected)
        assert http.get("/api/staffs/me").json()["lineLinked"] is True
    with _phone(product, db, "U2", bearer(db, one)) as http:
        answer = http.post("/api/staffs/me/line-link", json={})
        assert (answer.status_code, answer.json()["code"]) == (409, "ALREADY_LINKED")
    with _phone(product, db, "U1", bearer(db, other)) as http:
        answer = http.post("/api/staffs/me/line-link", json={})
        assert (answer.status_code, answer.json()["code"]) == (409, "LINE_USER_TAKEN")
    headers = bearer(db, one)
    for _ in range(2):
        undone = product.http.request("DELETE", "/api/staffs/me/line-link", json={}, headers=headers)
        assert undone.status_code == 204
    with _phone(product, db, "U1", bearer(db, other)) as http:
        assert http.post("/api/staffs/me/line-link", json={}).status_code == 200
    assert sorted(str(row["line_user_id"]) for row in product.rows(StaffAccount)) == ["None", "U1"]
    assert [row["action"] for row in product.rows(AuditLog)] == ["STAFF_LINK", "STAFF_UNLINK", "STAFF_LINK"]


@pytest.mark.row("3.7.24")
def test_both_sessions_are_needed(product: Product, db: Database) -> None:
    headers = bearer(db, make_staff(db))
    assert product.http.post("/api/staffs/me/line-link", json={}, headers=headers).status_code == 401
    with _phone(product, db, "U1", {}) as http:
        assert http.post("/api/staffs/me/line-link", json={}).status_code == 401
    with _phone(product, db, "U1", {**headers, "x-line-user-id": "U2"}) as http:
        assert http.post("/api/staffs/me/line-link", json={}).status_code == 403


@pytest.mark.found("24.E7")
def test_a_link_is_made_and_undone_ten_times_an_hour(product: Product, db: Database) -> None:
    with _phone(product, db, "U1", bearer(db, make_staff(db))) as http:
        told = []
        for _ in range(8):
            told.append(http.post("/api/staffs/me/line-link", json={}).status_code)
            told.append(http.request("DELETE", "/api/staffs/me/line-link", json={}).status_code)
    assert told == [200, 204] * 5 + [429] * 6
    assert len(product.rows(AuditLog)) == 10
