"""The mail address of a staff person: in the import, the office's forms, the own profile, the export, and masked."""

import csv
import io
from collections.abc import Iterator

import httpx2
import pytest

from tests.booking.office import audited, fault, office
from tests.factories.booking import bearer, make_department, make_staff
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.addresses import masked_address

STAFFS = "/api/admin/staffs"
ADDRESS = "taro.yamada@example.jp"
HEADER = "名前(漢字),本部ID(staffId),部署(コード),職種,メールアドレス,Email"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    make_department(product.db, "3A")
    with office(product) as client:
        yield client


def emails(product: Product) -> dict[str, str | None]:
    return {row["staff_id"]: row["email"] for row in product.rows(StaffAccount)}


class TestImport:
    def test_has_an_optional_column(self, product: Product, http: httpx2.Client) -> None:
        lines = [
            f"山田 太郎,1,3A,医師,{ADDRESS},other@example.jp",
            "山田 花子,2,3A,医師,,other@example.jp",
            "山田 一,3,3A,医師,ｈａｎａ＠Example.JP,",
            "山田 二,4,3A,医師,no-address,",
        ]
        answer = http.post(
            f"{STAFFS}/import?dryRun=false",
            content="\n".join([HEADER, *lines]).encode(),
            headers={"content-type": "text/csv"},
        )
        assert answer.status_code == 201, answer.text
        assert [row["status"] for row in answer.json()["rows"]] == ["created"] * 3 + ["skippedInvalid"]
        assert answer.json()["rows"][3]["reason"] == ["EMAIL_INVALID_FORMAT"]
        assert answer.json()["summary"]["warnings"] == []
        assert emails(product) == {"1": ADDRESS, "2": None, "3": "hana@example.jp"}

    @sqlite_only
    def test_goes_round_by_the_export(self, product: Product, http: httpx2.Client) -> None:
        make_staff(product.db, "77", email=ADDRESS)
        file = http.get(f"{STAFFS}/export").content.decode("utf-8-sig")
        (row,) = csv.DictReader(io.StringIO(file))
        assert row["メールアドレス"] == ADDRESS
        again = file.replace("77", "78")
        answer = http.post(
            f"{STAFFS}/import?dryRun=false", content=again.encode(), headers={"content-type": "text/csv"}
        )
        assert answer.json()["summary"]["created"] == 1, answer.text
        assert emails(product)["78"] == ADDRESS


class TestOffice:
    def test_sets_and_empties_it(self, product: Product, http: httpx2.Client) -> None:
        new = {"staffId": "5", "familyName": "山田", "givenName": "太郎", "jobTitle": "医師", "departmentId": "3A"}
        made = http.post(STAFFS, json={**new, "email": ADDRESS})
        assert (made.status_code, made.json()["email"]) == (201, ADDRESS)
        path = f"{STAFFS}/{made.json()['staffUid']}"
        change = {"version": 1, "reason": "本人から電話"}
        assert fault(http.patch(path, json={**change, "email": "a@b"})) == (400, "email", "INVALID_FORMAT")
        changed = http.patch(path, json={**change, "email": "Ｎew@example.jp"})
        assert (changed.status_code, changed.json()["email"]) == (200, "New@example.jp")
        assert http.patch(path, json={**change, "version": 2, "email": None}).json()["email"] is None
        rows = audited(product.db, "STAFF_UPDATE")
        assert [(row["old"], row["new"]) for row in rows] == [
            ('{"email":"t***@example.jp"}', '{"email":"N***@example.jp"}'),
            ('{"email":"N***@example.jp"}', '{"email":null}'),
        ]

    @pytest.mark.row("3.7.21")
    def test_masking_removes_it(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db, "5", email=ADDRESS, status="left")
        masked = http.post(f"{STAFFS}/{person.staff_uid}/mask", json={"reason": "退職"})
        assert (masked.status_code, masked.json()["email"]) == (200, None)
        assert emails(product) == {"5": None}


class TestProfile:
    def test_the_person_sets_and_empties_it(self, product: Product) -> None:
        person = make_staff(product.db, "5")
        headers = bearer(product.db, person)
        assert product.http.get("/api/staffs/me", headers=headers).json()["email"] is None
        set_ = product.http.patch("/api/staffs/me", json={"version": 1, "email": f" {ADDRESS} "}, headers=headers)
        assert (set_.status_code, set_.json()["email"], set_.json()["version"]) == (200, ADDRESS, 2)
        for wrong in ("", "x", "a b@example.jp", "a@example.jp\nBcc: b@example.jp", "@example.jp"):
            answer = product.http.patch("/api/staffs/me", json={"version": 2, "email": wrong}, headers=headers)
            assert fault(answer) == (400, "email", "INVALID_FORMAT"), wrong
            assert ADDRESS not in answer.text
        emptied = product.http.patch("/api/staffs/me", json={"version": 2, "email": None}, headers=headers)
        assert (emptied.status_code, emptied.json()["email"]) == (200, None)
        assert [row["new"] for row in audited(product.db, "STAFF_UPDATE")] == [
            '{"email":"t***@example.jp"}',
            '{"email":null}',
        ]


def test_a_masked_address_shows_its_domain() -> None:
    assert [masked_address(one) for one in (ADDRESS, "", None)] == ["t***@example.jp", None, None]
