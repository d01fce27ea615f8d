from collections.abc import Iterator

import httpx2
import pytest

from tests.booking.office import audited, code, fault, office
from tests.factories.booking import make_department, make_staff
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.departments.models import Department

ALL = "/api/admin/departments"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


@pytest.mark.row("3.3.15")
def test_a_department_is_created_changed_and_deleted(product: Product, http: httpx2.Client) -> None:
    made = http.post(ALL, json={"id": "REHA", "name": " リハビリ科 "})
    assert made.status_code == 201
    assert made.json() == {
        "id": "REHA",
        "name": "リハビリ科",
        "active": True,
        "staffCount": 0,
        "createdAt": "2025-08-16T12:00:00+09:00",
        "updatedAt": "2025-08-16T12:00:00+09:00",
    }
    assert http.patch(f"{ALL}/REHA", json={"active": False}).json()["active"] is False
    assert http.patch(f"{ALL}/reha", json={"name": "リハ科"}).json()["name"] == "リハ科"
    assert http.get(f"{ALL}/REHA").json()["active"] is False
    assert http.delete(f"{ALL}/REHA").status_code == 204
    assert product.rows(Department) == []
    assert [row["subject"] for row in audited(product.db, "DEPARTMENT_CHANGE")] == ["department:REHA"] * 2
    assert http.delete(f"{ALL}/REHA").status_code == 404


@pytest.mark.row("3.3.15")
def test_a_department_with_people_is_never_deleted(product: Product, http: httpx2.Client) -> None:
    make_staff(product.db, department_id="3A", status="left")
    assert code(http.delete(f"{ALL}/3A")) == (409, "IN_USE")
    assert len(product.rows(Department)) == 1
    assert audited(product.db, "DEPARTMENT_DELETE") == []


@pytest.mark.row("3.3.16")
@pytest.mark.parametrize("spelling", ["reha", "ＲＥＨＡ", "Reha", " REHA "])
def test_a_code_is_unique_without_case_and_width(product: Product, http: httpx2.Client, spelling: str) -> None:
    http.post(ALL, json={"id": "REHA", "name": "リハビリ科"})
    assert code(http.post(ALL, json={"id": spelling, "name": "x"})) == (409, "DEPARTMENT_TAKEN")
    assert [row["id"] for row in product.rows(Department)] == ["REHA"]


@sqlite_only
@pytest.mark.row("3.7.16")
@pytest.mark.parametrize("wrong", ["", " ", "3/A", "３／Ａ", "a" * 21, "3\0A", "..", 3, None])
def test_a_code_can_stand_in_an_address(product: Product, http: httpx2.Client, wrong: object) -> None:
    assert fault(http.post(ALL, json={"id": wrong, "name": "x"}))[:2] == (400, "id")
    assert product.rows(Department) == []


@sqlite_only
def test_bad_changes_change_nothing(product: Product, http: httpx2.Client) -> None:
    make_department(product.db, "3A")
    before = product.rows(Department)
    for body in ({"name": None}, {"active": None}, {"active": 1}, {"id": "3B"}, {"name": ""}):
        assert http.patch(f"{ALL}/3A", json=body).status_code == 400, body
    assert product.rows(Department) == before
    assert http.patch(f"{ALL}/3B", json={"name": "x"}).status_code == 404


@pytest.mark.row("3.7.25")
def test_pages_have_no_gap_while_others_insert(product: Product, http: httpx2.Client) -> None:
    for number in range(5):
        make_department(product.db, f"B{number}")
    first = http.get(ALL, params={"limit": 2}).json()
    make_department(product.db, "A0")
    second = http.get(ALL, params={"limit": 2, "cursor": first["nextCursor"]}).json()
    make_department(product.db, "B9")
    third = http.get(ALL, params={"limit": 2, "cursor": second["nextCursor"]}).json()
    ids = [item["id"] for page in (first, second, third) for item in page["items"]]
    assert ids == ["B0", "B1", "B2", "B3", "B4", "B9"]
    assert third["nextCursor"] is None


@sqlite_only
@pytest.mark.row("3.7.25")
def test_a_search_finds_code_and_name(product: Product, http: httpx2.Client) -> None:
    make_department(product.db, "REHA", name="リハビリ科")
    make_department(product.db, "3A", name="3階A病棟", active=0)
    for words, found in {"りはびり": ["REHA"], "ｒｅ": ["REHA"], "病棟": ["3A"], "": ["3A", "REHA"], "xyz": []}.items():
        assert [item["id"] for item in http.get(ALL, params={"q": words}).json()["items"]] == found, words
    assert [item["id"] for item in http.get(ALL, params={"active": "true"}).json()["items"]] == ["REHA"]


@sqlite_only
def test_everybody_sees_the_departments_that_can_be_chosen(product: Product, http: httpx2.Client) -> None:
    make_staff(product.db, department_id="3A")
    make_department(product.db, "OLD", active=0)
    assert http.get(ALL).json()["items"][0]["staffCount"] == 1
    assert product.http.get("/api/departments").json() == {"items": [{"id": "3A", "name": "3A病棟"}]}
    assert product.http.get(ALL).status_code == 401
