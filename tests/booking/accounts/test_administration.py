"""PINs, lists, confirmation, masking and LINE links, as the office sees them."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import select, text, update

from tests.booking.office import audited, code, fault, office, reserve
from tests.factories.booking import (
    Person,
    bearer,
    make_department,
    make_incomplete_staff,
    make_locked_staff,
    make_new_staff,
    make_slot,
    make_staff,
    make_type,
)
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database

ALL = "/api/admin/staffs"
NEW = {"staffId": "0012", "familyName": " 髙橋 ", "givenName": "桜", "jobTitle": "看護師", "departmentId": "３ａ"}


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


def row(db: Database, person: Person) -> dict[str, Any]:
    found = select(StaffAccount).where(StaffAccount.staff_uid == person.staff_uid)
    return dict(db.read_now(lambda tx: tx.execute(found).mappings().one()))


def patch(http: httpx2.Client, person: Person, **fields: Any) -> httpx2.Response:
    body = {"version": 1, "reason": "人事課からの連絡", **fields}
    return http.patch(
        f"{ALL}/{person.staff_uid}", json={name: value for name, value in body.items() if value is not ...}
    )


def set_columns(db: Database, person: Person, **columns: Any) -> None:
    statement = update(StaffAccount).where(StaffAccount.staff_uid == person.staff_uid).values(**columns)
    db.write_now(lambda tx: tx.execute(statement).rowcount)


class TestPins:
    @pytest.mark.row("3.6.12")
    def test_unlocking_needs_a_reason(self, product: Product, http: httpx2.Client) -> None:
        person = make_locked_staff(product.db)
        assert fault(http.post(f"{ALL}/{person.staff_uid}/unlock", json={})) == (400, "reason", "REQUIRED")
        answer = http.post(f"{ALL}/{person.staff_uid}/unlock", json={"reason": "本人から電話"})
        assert (answer.status_code, answer.json()["locked"], answer.json()["pinRetryCount"]) == (200, False, 0)
        assert [entry["reason"] for entry in audited(product.db, "STAFF_UNLOCK")] == ["本人から電話"]
        assert http.post(f"{ALL}/nobody/unlock", json={"reason": "x"}).status_code == 404

    @pytest.mark.row("3.6.12")
    def test_many_are_unlocked_at_once(self, product: Product, http: httpx2.Client) -> None:
        locked = [make_locked_staff(product.db) for _ in range(3)]
        free = make_staff(product.db)
        uids = [person.staff_uid for person in (*locked[:2], free)]
        answer = http.post(f"{ALL}/unlock", json={"staffUids": uids, "reason": "一斉解除"})
        assert answer.json() == {"unlocked": 2}
        left = http.get(ALL, params={"state": "locked"}).json()["items"]
        assert [item["staffUid"] for item in left] == [locked[2].staff_uid]
        assert len(audited(product.db, "STAFF_UNLOCK")) == 2

    @pytest.mark.row("3.6.21", "3.3.6")
    def test_a_reset_gives_the_initial_pin_and_ends_sessions(
        self, product: Product, http: httpx2.Client, clock: ManualClock
    ) -> None:
        person = make_locked_staff(product.db)
        bearer(product.db, person)
        before = row(product.db, person)
        clock.advance(timedelta(hours=1))
        assert fault(http.post(f"{ALL}/{person.staff_uid}/pin-reset", json={}))[1:] == ("reason", "REQUIRED")
        answer = http.post(f"{ALL}/{person.staff_uid}/pin-reset", json={"reason": "忘れた"})
        assert answer.status_code == 200, answer.text
        after = row(product.db, person)
        assert (after["pin_must_change"], after["pin_retry_count"], after["pin_locked_until"]) == (1, 0, None)
        assert after["pin_hash"] != before["pin_hash"]
        assert (after["pin_updated_at"], after["activate_until"]) == (clock.now(), clock.now() + timedelta(days=30))
        assert (answer.json()["liveSessions"], answer.json()["version"]) == (0, 1)
        [entry] = audited(product.db, "PIN_RESET")
        assert (entry["reason"], entry["new"]) == ("忘れた", None)
        assert http.post(f"{ALL}/nobody/pin-reset", json={"reason": "x"}).status_code == 404


class TestList:
    @pytest.mark.row("3.7.25")
    def test_a_search_finds_name_reading_and_number(self, product: Product, http: httpx2.Client) -> None:
        make_department(product.db, "3A")
        for number, family, kana in (("11", "髙橋", "タカハシ"), ("12", "佐藤", "サトウ")):
            body = {**NEW, "staffId": number, "familyName": family, "familyNameKana": kana, "departmentId": "3A"}
            http.post(ALL, json=body)
        by_hand = make_staff(product.db, "13", search_text=None, family_name="鈴木", family_name_kana="スズキ")
        for words, found in {
            "高橋": ["11"],
            "髙橋 桜": ["11"],
            "たかはし": ["11"],
            "ｻﾄｳ": ["12"],
            "1": ["11", "12", "13"],
            "鈴木": [by_hand.staff_id],
            "スズキ": [by_hand.staff_id],
            "%": [],
            "": ["11", "12", "13"],
        }.items():
            items = http.get(ALL, params={"q": words}).json()["items"]
            assert [item["staffId"] for item in items] == found, words

    @pytest.mark.row("3.7.25")
    def test_pages_have_no_gap_while_others_insert(self, product: Product, http: httpx2.Client) -> None:
        for number in range(20, 25):
            make_staff(product.db, str(number))
        seen: list[str] = []
        cursor, extra = None, iter(("10", "29", "11"))
        for _ in range(3):
            page = http.get(ALL, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
            seen += [item["staffId"] for item in page["items"]]
            cursor = page["nextCursor"]
            make_staff(product.db, next(extra))
        assert seen == ["20", "21", "22", "23", "24", "29"]
        assert cursor is None
        assert fault(http.get(ALL, params={"limit": 0}))[1] == "limit"
        assert fault(http.get(ALL, params={"cursor": "forged"}))[1] == "cursor"

    @pytest.mark.row("3.7.25")
    def test_states_and_departments_filter(self, product: Product, http: httpx2.Client) -> None:
        make_staff(product.db, "1", department_id="3A")
        make_locked_staff(product.db, "2")
        make_new_staff(product.db, "3")
        make_incomplete_staff(product.db, "4", department_id="REHA")
        make_staff(product.db, "5", source="self")
        make_staff(product.db, "6", status="left", source="self", confirmed_at=product.db.clock.now())
        for params, found in (
            ({"state": "locked"}, ["2"]),
            ({"state": "initialPin"}, ["3"]),
            ({"state": "incomplete"}, ["3", "4"]),
            ({"state": "unconfirmed"}, ["5"]),
            ({"departmentId": "ｒｅｈａ"}, ["4"]),
            ({"departmentId": "NONE"}, []),
            ({"status": "left"}, ["6"]),
        ):
            items = http.get(ALL, params=params).json()["items"]
            assert [item["staffId"] for item in items] == found, params
        assert "pinHash" not in http.get(ALL).text
        assert "argon2" not in http.get(ALL).text

    @sqlite_only
    @pytest.mark.row("3.7.13", "3.7.14")
    def test_only_administrators_come_in(self, product: Product) -> None:
        product.make_admin()
        person = make_staff(product.db, role="ADMIN")
        assert product.http.get(ALL).status_code == 401
        assert product.http.get(ALL, headers=bearer(product.db, person)).status_code in (401, 403)
        token = product.log_in().json()["csrf_token"]
        assert product.http.get(ALL).status_code == 200
        confirm = f"{ALL}/{person.staff_uid}/confirm"
        assert product.http.post(confirm).status_code == 403
        assert product.http.post(confirm, headers={"x-csrf-token": token}).status_code == 200

    @sqlite_only
    def test_times_that_somebody_wrote_with_sql_are_shown(self, product: Product, http: httpx2.Client) -> None:
        make_staff(product.db, "1")
        by_hand = text(
            "UPDATE staffs SET pin_locked_until = '2025-08-16 03:00:00', last_login_at = '2025-08-16T03:00:00Z'"
        )
        product.db.write_now(lambda tx: tx.execute(by_hand).close())
        [item] = http.get(ALL).json()["items"]
        assert item["pinLockedUntil"] == item["lastLoginAt"] == "2025-08-16T12:00:00+09:00"


class TestRest:
    @sqlite_only
    def test_the_office_confirms_a_self_registered_person(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db, source="self")
        for _ in range(2):
            answer = http.post(f"{ALL}/{person.staff_uid}/confirm")
            assert answer.json()["confirmedAt"] == "2025-08-16T12:00:00+09:00"
        assert len(audited(product.db, "STAFF_CONFIRM")) == 1

    @sqlite_only
    def test_the_registration_code_rotates(self, product: Product, http: httpx2.Client) -> None:
        address = f"{ALL}/registration-code"
        assert http.get(address).json() == {
            "selfRegistration": "open",
            "code": None,
            "createdAt": None,
            "createdBy": None,
        }
        first, second = (http.post(address) for _ in range(2))
        assert first.status_code == 201
        assert first.json()["code"] != second.json()["code"]
        assert http.get(address).json() == second.json()
        assert second.json()["code"] not in str(audited(product.db, "REGISTRATION_CODE"))

    @pytest.mark.row("3.7.21")
    def test_masking_keeps_the_reservations_of_who_left(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db, "77", line_user_id="U1")
        bearer(product.db, person, ip_address="10.0.0.1", user_agent="phone")
        reserve(product.db, person, make_slot(product.db, make_type(product.db)))
        mask = f"{ALL}/{person.staff_uid}/mask"
        assert code(http.post(mask, json={"reason": "退職"})) == (409, "NOT_LEFT")
        set_columns(product.db, person, status="left")
        answer = http.post(mask, json={"reason": "退職後5年"})
        assert answer.status_code == 200, answer.text
        after = row(product.db, person)
        emptied = ("emr_patient_id", "date_of_birth", "sex_code", "family_name_kana", "given_name_kana", "line_user_id")
        assert [after[name] for name in emptied] == [None] * 6
        assert (after["family_name"], after["given_name"], after["staff_id"]) == ("（消去済み）", "", "77")
        assert "山田" not in after["search_text"]
        assert len(product.rows(Reservation)) == 1
        assert [(s["ip_address"], s["user_agent"]) for s in product.rows(RefreshSession)] == [(None, None)]
        [entry] = audited(product.db, "STAFF_MASK")
        assert (entry["reason"], entry["old"]) == ("退職後5年", None)
        assert code(patch(http, person, version=2, jobTitle="医師")) == (409, "MASKED")
        http.post(mask, json={"reason": "退職後5年"})
        assert len(audited(product.db, "STAFF_MASK")) == 1

    @sqlite_only
    @pytest.mark.row("3.7.24")
    def test_the_office_undoes_a_line_link(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db, line_user_id="U1")
        assert http.get(f"{ALL}/{person.staff_uid}").json()["lineLinked"] is True
        assert http.delete(f"{ALL}/{person.staff_uid}/line-link").status_code == 204
        assert http.delete(f"{ALL}/{person.staff_uid}/line-link").status_code == 204
        assert row(product.db, person)["line_user_id"] is None
        assert len(audited(product.db, "STAFF_UNLINK")) == 1
