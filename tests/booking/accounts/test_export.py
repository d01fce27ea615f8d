import csv
import io
from collections.abc import Iterator

import httpx2
import openpyxl  # type: ignore[import-untyped]
import pytest

from tests.booking.office import audited, office
from tests.factories.booking import make_incomplete_staff, make_staff
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only

EXPORT = "/api/admin/staffs/export"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    make_staff(product.db, "001", family_name="髙﨑", given_name="①", sex_code="2")
    make_incomplete_staff(product.db, "002", family_name="𠮷田", given_name="=cmd")
    with office(product) as client:
        yield client


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@sqlite_only
@pytest.mark.row("3.7.20")
def test_the_sex_code_is_mapped_where_asked(product: Product, http: httpx2.Client) -> None:
    plain = rows(http.get(EXPORT).content.decode("utf-8-sig"))
    assert [row["性別(sexCode)"] for row in plain] == ["2", ""]
    assert plain[0]["本部ID(staffId)"] == "001"
    mapped = rows(http.get(EXPORT, params={"sexCode": "iso5218"}).content.decode("utf-8-sig"))
    assert [row["性別(sexCode, ISO 5218)"] for row in mapped] == ["2", "0"]
    assert len(audited(product.db, "STAFF_EXPORT")) == 2


@sqlite_only
def test_cp932_and_formulas(http: httpx2.Client) -> None:
    answer = http.get(EXPORT, params={"encoding": "cp932"})
    found = rows(answer.content.decode("cp932"))
    assert [row["姓"] for row in found] == ["髙﨑", "〓田"]
    assert found[1]["名"] == "'=cmd"
    assert "staffs_2025-08-16.csv" in answer.headers["content-disposition"]


@sqlite_only
def test_a_workbook_with_filters(http: httpx2.Client) -> None:
    answer = http.get(EXPORT, params={"format": "xlsx", "state": "incomplete"})
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    assert sheet is not None
    assert [row[0].value for row in sheet.iter_rows()] == ["本部ID(staffId)", "002"]
    assert http.get(EXPORT, params={"format": "pdf"}).status_code == 400
