import re
from datetime import timedelta
from typing import Any

import httpx2
import orjson
import pytest

from tests.factories.booking import PIN, bearer, make_department, make_incomplete_staff, make_new_staff, make_staff
from tests.factories.people import make_friend
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog

pytestmark = sqlite_only


def _patch(product: Product, headers: dict[str, str], version: int = 1, **body: Any) -> httpx2.Response:
    return product.http.patch("/api/staffs/me", json={"version": version, **body}, headers=headers)


class TestReading:
    @pytest.mark.row("3.7.15", "3.7.17", "3.1.2")
    def test_the_profile_without_anything_secret(self, product: Product, db: Database) -> None:
        person = make_staff(db, "4711", line_user_id="U1")
        make_friend(db, "U1")
        answer = product.http.get("/api/staffs/me", headers=bearer(db, person))
        body = answer.json()
        times = {key: body.pop(key) for key in ("createdAt", "updatedAt")}
        assert body == {
            "staffUid": person.staff_uid,
            "staffId": "4711",
            "emrPatientId": "94711",
            "familyName": "山田",
            "givenName": "花子4711",
            "fullName": "山田花子4711",
            "familyNameKana": "ヤマダ",
            "givenNameKana": "ハナコ",
            "fullNameKana": "ヤマダハナコ",
            "jobTitle": "看護師",
            "departmentId": "3A",
            "departmentName": "3A病棟",
            "dateOfBirth": "1990-04-01",
            "sexCode": "2",
            "email": None,
            "status": "active",
            "role": "STAFF",
            "version": 1,
            "pinMustChange": False,
            "missing": [],
            "lineLinked": True,
            "lineState": "reachable",
            "addFriendUrl": None,
            "lastLoginAt": None,
        }
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00", text) for text in times.values())

    @pytest.mark.row("3.7.15", "3.5.21")
    def test_an_incomplete_profile_says_what_is_missing(self, product: Product, db: Database) -> None:
        answer = product.http.get("/api/staffs/me", headers=bearer(db, make_incomplete_staff(db)))
        assert answer.status_code == 200
        assert answer.json()["missing"] == ["emrPatientId", "dateOfBirth", "sexCode"]

    @pytest.mark.row("3.5.21", "3.5.22", "3.6.18")
    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("GET", "/api/staffs/me"),
            ("PATCH", "/api/staffs/me"),
            ("POST", "/api/staffs/me/line-link"),
            ("DELETE", "/api/staffs/me/line-link"),
        ],
    )
    def test_the_first_guard_that_applies_answers(
        self, product: Product, db: Database, clock: ManualClock, method: str, path: str
    ) -> None:
        def send(headers: dict[str, str]) -> httpx2.Response:
            return product.http.request(method, path, json={}, headers=headers)

        assert send({}).status_code == 401
        assert send({"authorization": "Bearer x.y.z"}).status_code == 401
        suspended = make_new_staff(db, status="suspended")
        answer = send(bearer(db, suspended))
        assert (answer.status_code, answer.json()["code"]) == (403, "STAFF_NOT_ACTIVE")
        ended = bearer(db, suspended, revoked_at=db.clock.now())
        assert send(ended).status_code == 403
        new = make_new_staff(db)
        assert send(bearer(db, new, revoked_at=db.clock.now())).status_code == 401
        answer = send(bearer(db, new))
        assert answer.status_code == 428
        assert answer.json()["code"] == "PIN_CHANGE_REQUIRED"
        assert answer.json()["details"] == [{"field": "pin", "reason": "MUST_CHANGE"}]
        late = bearer(db, make_staff(db))
        clock.advance(timedelta(days=1))
        assert send(late).status_code == 401


class TestChanging:
    @pytest.mark.row("3.7.1", "3.7.22", "3.3.8")
    def test_the_version_is_required_and_counts_up(self, product: Product, db: Database) -> None:
        """Appendix B, P1: a stale version is a 409; a success increments it."""
        headers = bearer(db, make_staff(db))
        missing = product.http.patch("/api/staffs/me", json={"jobTitle": "医師"}, headers=headers)
        assert (missing.status_code, missing.json()["details"]) == (400, [{"field": "version", "reason": "REQUIRED"}])
        assert _patch(product, headers, jobTitle="医師").json()["version"] == 2
        stale = _patch(product, headers, jobTitle="薬剤師")
        assert (stale.status_code, stale.json()["code"]) == (409, "CHANGED_MEANWHILE")
        assert _patch(product, headers, 2, jobTitle="薬剤師").json()["version"] == 3
        for wrong in ("1", 0, None, 1.5, True):
            answer = product.http.patch("/api/staffs/me", json={"version": wrong}, headers=headers)
            assert answer.status_code == 400
        assert product.rows(StaffAccount)[0]["job_title"] == "薬剤師"

    @pytest.mark.found("24.E7")
    def test_what_changes_nothing_is_not_audited_and_there_is_a_limit(self, product: Product, db: Database) -> None:
        headers = bearer(db, make_staff(db))
        told = [_patch(product, headers, 1 + number, jobTitle="医師").status_code for number in range(62)]
        assert told == [200] * 60 + [429] * 2
        assert [row["action"] for row in product.rows(AuditLog)].count("STAFF_UPDATE") == 1

    @pytest.mark.row("3.7.2", "3.7.10")
    def test_what_a_person_may_change(self, product: Product, db: Database) -> None:
        make_department(db, "REHA")
        person = make_staff(db)
        headers = bearer(db, person)
        changes: dict[str, Any] = {
            "familyNameKana": "ｻﾄｳ",
            "givenNameKana": None,
            "jobTitle": "理学療法士",
            "departmentId": "REHA",
            "dateOfBirth": "1991-05-02",
            "sexCode": "1",
        }
        body = _patch(product, headers, **changes).json()
        assert {key: body[key] for key in changes} == {**changes, "familyNameKana": "サトウ"}
        named = _patch(product, headers, 2, familyName=" 佐藤 ", givenName="花", currentPin=PIN).json()
        assert (named["fullName"], named["version"]) == ("佐藤花", 3)
        assert "佐藤花" in product.rows(StaffAccount)[0]["search_text"]
        first, second = [row for row in product.rows(AuditLog) if row["action"] == "STAFF_UPDATE"]
        assert first["actor"] == second["actor"] == f"staff:{person.staff_uid}"
        assert orjson.loads(second["old"]) == {"family_name": "山田", "given_name": f"花子{person.staff_id}"}
        assert orjson.loads(second["new"]) == {"family_name": "佐藤", "given_name": "花"}

    @pytest.mark.row("3.3.16")
    def test_a_department_is_found_without_case_and_width(self, product: Product, db: Database) -> None:
        make_department(db, "REHA", folded_id="reha")
        headers = bearer(db, make_staff(db))
        assert _patch(product, headers, departmentId="ｒｅｈａ").json()["departmentId"] == "REHA"
        assert product.rows(StaffAccount)[0]["department_id"] == "REHA"

    @pytest.mark.row("3.7.2")
    @pytest.mark.parametrize("field", [{"familyName": "佐藤"}, {"givenName": "花"}])
    def test_names_need_the_pin(self, product: Product, db: Database, field: dict[str, Any]) -> None:
        headers = bearer(db, make_staff(db))
        answer = _patch(product, headers, **field)
        assert answer.status_code == 400
        assert answer.json()["details"] == [{"field": "currentPin", "reason": "REQUIRED"}]
        assert _patch(product, headers, **field, currentPin="7777").status_code == 403
        assert product.rows(StaffAccount)[0]["version"] == 1

    @pytest.mark.row("3.7.3", "3.3.1", "3.1.1")
    @pytest.mark.parametrize(
        "field", ["staffUid", "staffId", "status", "role", "pin", "pinHash", "pinRetryCount", "lineUserId"]
    )
    def test_what_a_person_may_not_change(self, product: Product, db: Database, field: str) -> None:
        before = make_staff(db)
        rows = product.rows(StaffAccount)
        answer = _patch(product, bearer(db, before), **_given(field), jobTitle="医師")
        assert answer.status_code == 400
        assert answer.json()["details"] == [{"field": field, "reason": "UNKNOWN_FIELD"}]
        assert product.rows(StaffAccount) == rows

    @pytest.mark.row("3.7.4")
    def test_the_patient_id_can_be_set_once(self, product: Product, db: Database) -> None:
        make_staff(db, emr_patient_id="500")
        headers = bearer(db, make_incomplete_staff(db))
        assert _patch(product, headers, emrPatientId="501").status_code == 400
        taken = _patch(product, headers, emrPatientId="500", currentPin=PIN)
        assert (taken.status_code, taken.json()["code"]) == (409, "EMR_PATIENT_ID_TAKEN")
        body = _patch(product, headers, emrPatientId="501", dateOfBirth="1990-01-01", sexCode="1", currentPin=PIN)
        assert (body.status_code, body.json()["missing"]) == (200, [])
        again = _patch(product, headers, 2, emrPatientId="502", currentPin=PIN)
        assert (again.status_code, again.json()["code"]) == (403, "OFFICE_ONLY")

    def test_patient_ids_cannot_be_probed(self, product: Product, db: Database) -> None:
        make_staff(db, emr_patient_id="500")
        headers = bearer(db, make_incomplete_staff(db))
        statuses = [_patch(product, headers, emrPatientId="500", currentPin=PIN).status_code for _ in range(6)]
        assert statuses == [409] * 5 + [429]

    @pytest.mark.row("3.7.5", "3.7.6", "3.3.5", "3.3.10", "3.3.17", "3.7.16")
    @pytest.mark.parametrize(
        "wrong",
        [
            {"dateOfBirth": "2000-02-30"},
            {"dateOfBirth": "2025-08-17"},
            {"dateOfBirth": 946684800},
            {"dateOfBirth": None},
            {"sexCode": None},
            {"sexCode": 1},
            {"emrPatientId": None},
            {"familyName": None},
            {"givenName": "\ud800"},
            {"departmentId": None},
            {"departmentId": "ZZ"},
            {"departmentId": "OLD"},
            {"familyNameKana": "やまだ"},
            {"jobTitle": "　"},
        ],
    )
    def test_one_bad_field_changes_nothing(self, product: Product, db: Database, wrong: dict[str, Any]) -> None:
        make_department(db, "OLD", active=0)
        headers = bearer(db, make_staff(db))
        rows = product.rows(StaffAccount)
        content = orjson.dumps(
            {"version": 1, "currentPin": PIN, **({} if "jobTitle" in wrong else {"jobTitle": "医師"})}
        )
        body = content[:-1] + b"," + _ascii(wrong)[1:]
        answer = product.http.patch(
            "/api/staffs/me", content=body, headers={**headers, "content-type": "application/json"}
        )
        assert answer.status_code == 400
        assert product.rows(StaffAccount) == rows

    def test_today_is_a_birth_date_too(self, product: Product, db: Database) -> None:
        assert _patch(product, bearer(db, make_staff(db)), dateOfBirth="2025-08-16").status_code == 200

    @pytest.mark.row("3.3.17")
    def test_who_is_in_an_inactive_department_stays(self, product: Product, db: Database) -> None:
        make_department(db, "OLD", active=0)
        headers = bearer(db, make_staff(db, department_id="OLD"))
        assert _patch(product, headers, departmentId="OLD", jobTitle="医師").status_code == 200


def _given(field: str) -> dict[str, Any]:
    return {field: "1"}


def _ascii(value: dict[str, Any]) -> bytes:
    import json  # noqa: PLC0415 (orjson refuses lone surrogates)

    return json.dumps(value).encode()
