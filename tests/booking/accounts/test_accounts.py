"""The office's side of the staff accounts, over HTTP."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import orjson
import pytest
from sqlalchemy import select, update

from tests.booking.office import audited, code, fault, key, office, reserve
from tests.concurrency.threads import at_once
from tests.factories.booking import (
    Person,
    bearer,
    make_department,
    make_slot,
    make_staff,
    make_type,
)
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core import audit
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


class TestCreate:
    @pytest.mark.row("3.3.1", "3.3.2", "3.3.6", "3.3.8")
    def test_the_office_registers_one_person(self, product: Product, http: httpx2.Client) -> None:
        make_department(product.db, "3A")
        made = http.post(ALL, json=NEW)
        assert made.status_code == 201, made.text
        item = made.json()
        assert (item["staffId"], item["fullName"], item["departmentId"]) == ("0012", "髙橋桜", "3A")
        assert (item["version"], item["pinMustChange"], item["status"], item["source"]) == (1, True, "active", "office")
        assert item["missing"] == ["emrPatientId", "dateOfBirth", "sexCode"]
        assert item["activateUntil"] == "2025-09-15T12:00:00+09:00"
        assert "pinHash" not in item
        stored = product.rows(StaffAccount)[0]
        assert stored["pin_hash"].startswith("$argon2id$")
        assert (stored["pin_retry_count"], stored["pin_locked_until"], stored["role"]) == (0, None, "STAFF")
        assert audited(product.db, "STAFF_CREATE")[0]["subject"] == f"staff:{item['staffUid']}"
        assert http.post(ALL, json={**NEW, "staffId": "12"}).status_code == 201

    @pytest.mark.row("3.3.3")
    def test_ids_are_unique(self, product: Product, http: httpx2.Client) -> None:
        make_staff(product.db, "0012", emr_patient_id="77", department_id="3A")
        assert code(http.post(ALL, json=NEW)) == (409, "STAFF_ID_TAKEN")
        taken = http.post(ALL, json={**NEW, "staffId": "13", "emrPatientId": "77"})
        assert code(taken) == (409, "EMR_PATIENT_ID_TAKEN")
        assert len(product.rows(StaffAccount)) == 1

    @sqlite_only
    @pytest.mark.row("3.3.2", "3.3.4", "3.3.5", "3.3.7", "3.3.10", "3.3.11", "3.3.12", "3.1.3", "3.7.16")
    @pytest.mark.parametrize(
        ("field", "value", "reason"),
        [
            ("staffId", "４４６７５２", "NOT_DIGITS"),
            ("staffId", "12\n", "NOT_DIGITS"),
            ("staffId", 446752, "INVALID_FORMAT"),
            ("departmentId", "NONE", "NOT_FOUND"),
            ("departmentId", "OLD", "INACTIVE"),
            ("dateOfBirth", "2000-02-30", "INVALID_FORMAT"),
            ("dateOfBirth", "2025-08-17", "IN_FUTURE"),
            ("sexCode", 1, "NOT_ALLOWED"),
            ("sexCode", "3", "NOT_ALLOWED"),
            ("jobTitle", " ", "REQUIRED"),
            ("familyNameKana", "やまだ", "NOT_KATAKANA"),
            ("familyName", "山\0田", "CONTROL_CHARACTER"),
            ("givenName", "あ" * 51, "TOO_LONG"),
            ("role", "BOSS", "NOT_ALLOWED"),
            ("pin", "1234", "UNKNOWN_FIELD"),
            ("staffUid", "x", "UNKNOWN_FIELD"),
        ],
    )
    def test_bad_input_is_named_and_changes_nothing(
        self, product: Product, http: httpx2.Client, field: str, value: object, reason: str
    ) -> None:
        make_department(product.db, "3A")
        make_department(product.db, "OLD", active=0)
        assert fault(http.post(ALL, json={**NEW, field: value})) == (400, field, reason)
        assert product.rows(StaffAccount) == []

    @sqlite_only
    def test_the_same_key_registers_once(self, product: Product, http: httpx2.Client) -> None:
        make_department(product.db, "3A")
        same = key()
        first, second = (http.post(ALL, json=NEW, headers=same) for _ in range(2))
        assert (first.status_code, first.content) == (second.status_code, second.content)
        assert len(product.rows(StaffAccount)) == 1

    @sqlite_only
    @pytest.mark.row("3.3.14")
    def test_nobody_is_deleted(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db)
        assert http.delete(f"{ALL}/{person.staff_uid}").status_code == 405


class TestChange:
    @pytest.mark.row("3.7.7", "3.7.8", "3.7.9", "3.7.22", "3.5.18", "3.3.8")
    def test_p1_a_new_staff_id_or_emr_patient_id_needs_a_reason_and_ends_all_sessions(
        self, product: Product, http: httpx2.Client, clock: ManualClock
    ) -> None:
        person = make_staff(product.db, "100")
        bearer(product.db, person)
        number = reserve(product.db, person, make_slot(product.db, make_type(product.db)))
        assert fault(patch(http, person, staffId="200", reason=...)) == (400, "reason", "REQUIRED")
        clock.advance(timedelta(minutes=1))
        changed = patch(http, person, staffId="200", emrPatientId="555")
        assert changed.status_code == 200, changed.text
        assert (changed.json()["staffId"], changed.json()["version"]) == ("200", 2)
        assert (changed.json()["staffUid"], changed.json()["liveSessions"]) == (person.staff_uid, 0)
        [session] = product.rows(RefreshSession)
        assert session["revoked_because"] == "office"
        assert [(r["id"], r["staff_id"]) for r in product.rows(Reservation)] == [(number, "200")]
        [entry] = audited(product.db, "STAFF_UPDATE")
        assert (entry["actor"], entry["reason"]) == ("admin:jimukyoku", "人事課からの連絡")
        assert orjson.loads(entry["old"]) == {"staff_id": "100", "emr_patient_id": "9100"}
        assert orjson.loads(entry["new"]) == {"staff_id": "200", "emr_patient_id": "555"}
        assert row(product.db, person)["updated_at"] == clock.now()
        assert product.db.read_now(audit.verify).broken_at is None

    @pytest.mark.row("3.7.8")
    def test_the_old_access_token_is_dead(self, product: Product, http: httpx2.Client) -> None:
        """`accounts` relies on the guard: a token whose session was revoked opens nothing."""
        person = make_staff(product.db)
        bearer(product.db, person)
        assert http.get(f"{ALL}/{person.staff_uid}").json()["liveSessions"] == 1
        patch(http, person, emrPatientId="555")
        assert http.get(f"{ALL}/{person.staff_uid}").json()["liveSessions"] == 0
        assert len(http.get(f"{ALL}/{person.staff_uid}").json()["sessions"]) == 1

    @pytest.mark.row("3.7.7")
    def test_a_stale_version_changes_nothing(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db)
        assert patch(http, person, jobTitle="医師").status_code == 200
        before = row(product.db, person)
        assert code(patch(http, person, jobTitle="薬剤師")) == (409, "CHANGED_MEANWHILE")
        assert fault(patch(http, person, jobTitle="薬剤師", version=...)) == (400, "version", "REQUIRED")
        assert row(product.db, person) == before

    @pytest.mark.row("3.3.3")
    def test_the_ids_of_others_are_taken(self, product: Product, http: httpx2.Client) -> None:
        other, person = make_staff(product.db, "1"), make_staff(product.db, "2")
        assert code(patch(http, person, staffId=other.staff_id)) == (409, "STAFF_ID_TAKEN")
        assert code(patch(http, person, emrPatientId="91")) == (409, "EMR_PATIENT_ID_TAKEN")
        assert row(product.db, person)["version"] == 1

    @sqlite_only
    @pytest.mark.row("3.7.7", "3.3.17")
    def test_every_field_can_change_and_other_sessions_stay(self, product: Product, http: httpx2.Client) -> None:
        make_department(product.db, "REHA")
        make_department(product.db, "OLD", active=0)
        person = make_staff(product.db)
        bearer(product.db, person)
        fields = {
            "familyName": "佐藤",
            "givenName": "太郎",
            "familyNameKana": "ｻﾄｳ",
            "givenNameKana": None,
            "jobTitle": "医師",
            "departmentId": "reha",
            "dateOfBirth": "2025-08-16",
            "sexCode": "1",
            "role": "ADMIN",
        }
        item = patch(http, person, **fields).json()
        expected = {**fields, "departmentId": "REHA", "familyNameKana": "サトウ", "fullName": "佐藤太郎", "version": 2}
        assert {name: item[name] for name in expected} == expected
        assert item["liveSessions"] == 1
        assert http.get(ALL, params={"q": "さとう"}).json()["items"][0]["staffUid"] == person.staff_uid
        assert fault(patch(http, person, version=2, departmentId="OLD")) == (400, "departmentId", "INACTIVE")
        assert patch(http, person, version=2, jobTitle="医師").json()["version"] == 2

    @sqlite_only
    @pytest.mark.row("3.3.17")
    def test_who_is_in_an_inactive_department_stays_there(self, product: Product, http: httpx2.Client) -> None:
        make_department(product.db, "OLD", active=0)
        person = make_staff(product.db, department_id="OLD")
        assert patch(http, person, departmentId="old", jobTitle="医師").json()["departmentId"] == "OLD"

    @sqlite_only
    @pytest.mark.row("3.3.1", "3.3.7")
    @pytest.mark.parametrize(
        "wrong",
        [{"staffUid": "x"}, {"status": "gone"}, {"role": None}, {"staffId": None}, {"pinHash": "x"}, {"reason": " "}],
    )
    def test_bad_changes_change_nothing(self, product: Product, http: httpx2.Client, wrong: dict[str, Any]) -> None:
        person = make_staff(product.db)
        before = row(product.db, person)
        assert patch(http, person, jobTitle="医師", **wrong).status_code == 400
        assert row(product.db, person) == before

    @pytest.mark.row("3.7.12")
    def test_suspending_ends_sessions_and_keeps_reservations(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db)
        bearer(product.db, person)
        reserve(product.db, person, make_slot(product.db, make_type(product.db)))
        item = patch(http, person, status="suspended").json()
        assert (item["status"], item["liveSessions"]) == ("suspended", 0)
        assert [r["canceled_at"] for r in product.rows(Reservation)] == [None]

    @pytest.mark.row("3.7.12", "3.7.11")
    def test_leaving_cancels_the_future_reservations(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db)
        bearer(product.db, person)
        slot = make_slot(product.db, make_type(product.db), booked_count=1)
        reserve(product.db, person, slot)
        answer = patch(http, person, status="left")
        assert (answer.status_code, answer.json()["liveSessions"]) == (200, 0)
        [reservation] = product.rows(Reservation)
        assert reservation["canceled_at"] is not None
        assert row(product.db, person)["status"] == "left"


@pytest.mark.row("3.3.2", "3.3.3")
def test_of_many_who_take_one_number_at_once_one_gets_it(product: Product, http: httpx2.Client) -> None:
    make_department(product.db, "3A")
    answers = at_once(6, lambda _number: http.post(ALL, json=NEW).status_code)
    assert sorted(answers) == [201, 409, 409, 409, 409, 409]
    people = [make_staff(product.db) for _ in range(4)]
    answers = at_once(4, lambda number: patch(http, people[number], emrPatientId="555").status_code)
    assert sorted(answers) == [200, 409, 409, 409]
