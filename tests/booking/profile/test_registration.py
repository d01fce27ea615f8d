from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import insert

from tests.factories.booking import PIN, make_department, make_staff
from tests.factories.product import Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.pins import jobs
from tsudoi.booking.staffs.models import RegistrationCode, StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.models import AuditLog, RateLimit

# Read when the module is loaded, before a fixture replaces it.
REAL_ARGON2 = jobs.ARGON2
BODY: dict[str, Any] = {
    "staffId": "446752",
    "familyName": "髙﨑",
    "givenName": "𠮷子",
    "jobTitle": "看護師",
    "departmentId": "3A",
    "dateOfBirth": "1990-04-01",
    "sexCode": "2",
    "pin": PIN,
}

pytestmark = sqlite_only


@pytest.fixture(autouse=True)
def _department(db: Database) -> None:
    make_department(db)


def _register(product: Product, **changed: Any) -> httpx2.Response:
    body = {key: value for key, value in {**BODY, **changed}.items() if value is not ...}
    return product.http.post("/api/staffs", json=body)


@pytest.mark.row("3.6.1", "3.6.4")
def test_a_registered_person_has_to_change_the_pin_all_the_same(product: Product) -> None:
    answer = _register(product, familyNameKana="ﾀｶｻｷ", givenNameKana="ヨシコ", emrPatientId="0012")
    assert answer.status_code == 201
    row = product.rows(StaffAccount)[0]
    assert answer.json() == {"staffUid": row["staff_uid"], "staffId": "446752", "pinMustChange": True}
    assert (row["family_name"], row["given_name"], row["family_name_kana"]) == ("髙﨑", "𠮷子", "タカサキ")
    assert (row["pin_must_change"], row["status"], row["role"], row["version"]) == (1, "active", "STAFF", 1)
    assert (row["source"], row["confirmed_at"], row["emr_patient_id"]) == ("self", None, "0012")
    tokens = product.http.post("/auth/login", json={"staffId": "446752", "pin": PIN}).json()
    assert tokens["pinMustChange"] is True
    headers = {"authorization": f"Bearer {tokens['accessToken']}"}
    assert product.http.get("/api/staffs/me", headers=headers).status_code == 428
    assert product.rows(AuditLog)[0]["action"] == "STAFF_REGISTER"


@pytest.mark.row("3.6.1", "3.7.16")
@pytest.mark.parametrize("field", BODY)
def test_each_field_is_required(product: Product, field: str) -> None:
    answer = _register(product, **{field: ...})
    assert answer.status_code == 400
    assert answer.json()["details"] == [{"field": field, "reason": "REQUIRED"}]
    assert product.rows(StaffAccount) == []


@pytest.mark.row("3.6.3", "3.6.5", "3.1.3", "3.3.2", "3.3.4", "3.3.5", "3.3.11", "3.3.12", "3.7.3")
@pytest.mark.parametrize(
    "wrong",
    [
        {"pin": "123"},
        {"pin": "12345"},
        {"pin": "12a4"},
        {"pin": "４８２６"},
        {"pin": 4826},
        {"pin": "4826\n"},
        {"pin": "0000"},
        {"pin": "1234"},
        {"pin": "1111"},
        {"staffId": "４４６７５２"},
        {"staffId": "12\n"},
        {"sexCode": 1},
        {"sexCode": "3"},
        {"departmentId": "ZZ"},
        {"dateOfBirth": "2000-02-30"},
        {"dateOfBirth": "2000-1-1"},
        {"dateOfBirth": "2025-08-17"},
        {"familyNameKana": "やまだ"},
        {"familyName": "　"},
        {"givenName": "\u0000"},
        {"jobTitle": ""},
        {"emrPatientId": "12a"},
        {"role": "ADMIN"},
        {"status": "active"},
    ],
)
def test_bad_input_changes_nothing(product: Product, wrong: dict[str, Any]) -> None:
    answer = _register(product, **wrong)
    assert answer.status_code == 400
    assert [detail["field"] for detail in answer.json()["details"]] == list(wrong)
    assert product.rows(StaffAccount) == []


@pytest.mark.row("3.6.2")
def test_a_taken_number_or_patient_id_is_refused(product: Product, db: Database) -> None:
    make_staff(db, "446752", emr_patient_id="77")
    taken = _register(product)
    assert (taken.status_code, taken.json()["code"]) == (409, "STAFF_ID_TAKEN")
    patient = _register(product, staffId="0446752", emrPatientId="77")
    assert (patient.status_code, patient.json()["code"]) == (409, "EMR_PATIENT_ID_TAKEN")
    assert len(product.rows(StaffAccount)) == 1


@pytest.mark.row("3.3.17")
def test_an_inactive_department_cannot_be_chosen(product: Product, db: Database) -> None:
    make_department(db, "OLD", active=0)
    answer = _register(product, departmentId="OLD")
    assert (answer.status_code, answer.json()["details"]) == (400, [{"field": "departmentId", "reason": "INACTIVE"}])


@pytest.mark.row("3.3.16")
def test_the_department_is_stored_in_the_spelling_of_the_office(product: Product) -> None:
    assert _register(product, departmentId=" ３a").status_code == 201
    assert product.rows(StaffAccount)[0]["department_id"] == "3A"


def test_five_an_hour_from_one_address(product: Product, clock: ManualClock) -> None:
    statuses = [_register(product, staffId=str(number)).status_code for number in range(1, 7)]
    assert statuses == [201] * 5 + [429]
    clock.advance(timedelta(hours=1))
    assert _register(product, staffId="6").status_code == 201


def test_the_office_decides_who_may_register(make_product: ProductMaker, db: Database) -> None:
    off = make_product(staff_self_registration="off")
    assert off.http.get("/auth/options").json() == {"selfRegistration": "off"}
    assert _register(off).json()["code"] == "REGISTRATION_OFF"
    coded = make_product(staff_self_registration="code")
    assert _register(coded, registrationCode="").json()["code"] == "REGISTRATION_CODE_WRONG"
    row = {"created_by": "jimukyoku", "created_at": db.clock.now()}
    rows = [{"code": code, **row} for code in ("old-code", "new-code")]
    db.write_now(lambda tx: tx.execute(insert(RegistrationCode), rows))
    for wrong in ({}, {"registrationCode": "old-code"}, {"registrationCode": "new-cod"}):
        assert _register(coded, **wrong).status_code == 403
    assert _register(coded, registrationCode="new-code").status_code == 201
    assert len(coded.rows(RateLimit)) == 1


def test_a_page_of_another_site_cannot_register_people(product: Product) -> None:
    headers = {"origin": "https://evil.example"}
    assert product.http.post("/api/staffs", json=BODY, headers=headers).status_code == 403


@pytest.mark.row("3.6.15", "3.1.7")
def test_the_documented_parameters_of_the_hash(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the cheap parameters of the other tests."""
    monkeypatch.setattr(jobs, "ARGON2", REAL_ARGON2)
    assert _register(product).status_code == 201
    assert product.rows(StaffAccount)[0]["pin_hash"].startswith("$argon2id$v=19$m=65536,t=3,p=1$")
    assert product.http.post("/auth/login", json={"staffId": "446752", "pin": PIN}).status_code == 200
