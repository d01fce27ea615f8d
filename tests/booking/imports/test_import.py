"""The import over HTTP."""

import uuid
from collections.abc import Iterator
from typing import Any

import httpx2
import orjson
import pytest
from sqlalchemy import text

from tests.booking.office import audited, code, fault, key, office
from tests.factories.booking import bearer, make_department, make_staff
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.departments.models import Department
from tsudoi.booking.imports import service
from tsudoi.booking.imports.rules.judging import DepartmentState, judge
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core import audit
from tsudoi.core.models import IdempotencyKey

URL = "/api/admin/staffs/import"
HEADER = "名前(漢字),本部ID(staffId),部署(コード),職種"
CSV = {"content-type": "text/csv"}
MIXED = f"""{HEADER}
山田　太郎,446752,3a,看護師
佐藤,x1,3A,医師
鈴木 一,7,3A,医師
鈴木 二,7,3A,医師
髙橋桜,0012,３Ａ,医師
旧 職員,99,3A,医師"""


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    make_department(product.db, "3A")
    with office(product) as client:
        yield client


def send(http: httpx2.Client, content: str | bytes, dry_run: str | None = "false", **headers: str) -> httpx2.Response:
    params = {} if dry_run is None else {"dryRun": dry_run}
    body = content.encode() if isinstance(content, str) else content
    return http.post(URL, params=params, content=body, headers={**CSV, **headers})


def statuses(answer: httpx2.Response) -> list[str]:
    return [row["status"] for row in answer.json()["rows"]]


@pytest.mark.row(
    "3.2.1", "3.2.7", "3.2.8", "3.2.9", "3.2.10", "3.2.11", "3.2.12", "3.2.15", "3.2.21", "3.2.23", "3.7.22"
)
def test_p0_the_import_creates_skips_and_explains(product: Product, http: httpx2.Client) -> None:
    old = make_staff(product.db, "99", family_name="元")
    before = product.rows(StaffAccount)
    dry = send(http, MIXED, "true")
    assert dry.status_code == 200, dry.text
    assert "importBatchId" not in dry.json()
    assert product.rows(StaffAccount) == before
    assert audited(product.db, "STAFF_IMPORT") == []

    applied = send(http, MIXED)
    assert applied.status_code == 201, applied.text
    batch = applied.json().pop("importBatchId")
    assert str(uuid.UUID(batch)) == batch
    assert {**applied.json(), "importBatchId": None} == {**dry.json(), "importBatchId": None}
    assert statuses(applied) == [
        "created", "skippedInvalid", "duplicateInFile", "duplicateInFile", "created", "skippedExisting",
    ]  # fmt: skip
    summary = applied.json()["summary"]
    warnings = summary.pop("warnings")
    assert summary == {"created": 2, "skippedExisting": 1, "skippedInvalid": 1, "duplicateInFile": 2}
    assert [(one["rowNumber"], one["code"]) for one in warnings] == [(6, "NAME_NOT_SPLIT")]
    assert applied.json()["rows"][0] == {
        "rowNumber": 2,
        "staffId": "446752",
        "input": {"name": "山田　太郎", "staffId": "446752", "departmentId": "3a", "jobTitle": "看護師"},
        "status": "created",
        "reason": [],
    }
    people = {row["staff_id"]: row for row in product.rows(StaffAccount)}
    assert sorted(people) == ["0012", "446752", "99"]
    assert (people["99"]["family_name"], people["99"]["staff_uid"]) == ("元", old.staff_uid)
    new = people["446752"]
    assert (new["family_name"], new["given_name"], new["department_id"]) == ("山田", "太郎", "3A")
    assert (people["0012"]["family_name"], people["0012"]["given_name"]) == ("髙橋桜", "")
    assert (new["pin_must_change"], new["pin_retry_count"], new["pin_locked_until"], new["version"]) == (1, 0, None, 1)
    assert (new["status"], new["role"], new["source"], new["import_batch_id"]) == ("active", "STAFF", "import", batch)
    empty = ("emr_patient_id", "date_of_birth", "sex_code", "family_name_kana", "given_name_kana", "last_login_at")
    assert [new[name] for name in empty] == [None] * 6
    assert new["pin_hash"].startswith("$argon2id$")
    assert new["pin_hash"] == people["0012"]["pin_hash"]
    [entry] = audited(product.db, "STAFF_IMPORT")
    counts = {"created": 2, "skipped_existing": 1, "skipped_invalid": 1, "duplicate_in_file": 2}
    assert orjson.loads(entry["new"]) == {**counts, "import_batch_id": batch}
    assert product.db.read_now(audit.verify).broken_at is None
    assert send(http, MIXED).json()["summary"]["created"] == 0


@sqlite_only
@pytest.mark.row("3.2.1", "3.2.2", "3.2.3")
def test_who_may_import_and_what_is_needed(product: Product, http: httpx2.Client) -> None:
    assert send(product.http, MIXED).status_code == 401
    staff = bearer(product.db, make_staff(product.db))
    assert send(product.http, MIXED, **staff).status_code in (401, 403)
    assert fault(send(http, MIXED, None)) == (400, "dryRun", "REQUIRED")
    assert fault(send(http, MIXED, "maybe"))[:2] == (400, "dryRun")
    assert fault(send(http, "名前,部署,職種\n山田,3A,医師")) == (400, "本部ID(staffId)", "REQUIRED")
    assert http.post(URL, params={"dryRun": "true"}, json={}).status_code == 415
    assert len(product.rows(StaffAccount)) == 1


@sqlite_only
@pytest.mark.row("3.2.5", "3.2.6", "3.2.14")
def test_other_columns_have_no_effect(product: Product, http: httpx2.Client) -> None:
    ignored = "役職,部会,部会管理,機種,入職日,ログイン時刻,ロック,電話登録,Email,管理者ロール,ユーザー権限,設定"
    rows = ("a,b,c,d,e,f,1,h,i,ADMIN,ADMIN,l,山,医師,3A,5,山田 太郎", ",,,,,,,,,,,,,医師,NEW,6,山田 太郎")
    answer = send(http, "\n".join((f"{ignored},趣味,職種,部署,本部ID,名前", *rows)))
    assert statuses(answer) == ["created", "skippedInvalid"]
    [warning] = answer.json()["summary"]["warnings"]
    assert (warning["code"], warning["rowNumber"], "趣味" in warning["message"]) == ("UNKNOWN_COLUMN", 1, True)
    [person] = product.rows(StaffAccount)
    assert (person["role"], person["pin_locked_until"]) == ("STAFF", None)
    assert len(product.rows(Department)) == 1


@pytest.mark.row("3.2.17")
def test_a_key_imports_once_and_a_dry_run_keeps_none(product: Product, http: httpx2.Client) -> None:
    same = key()
    assert send(http, MIXED, "true", **same).status_code == 200
    assert product.rows(IdempotencyKey) == []
    first = send(http, MIXED, **same)
    assert first.json()["summary"]["created"] > 0
    again = send(http, MIXED, **same)
    assert (again.status_code, again.content) == (201, first.content)
    assert send(http, f"{MIXED}\n新 人,55,3A,医師", **same).status_code == 422
    assert len(audited(product.db, "STAFF_IMPORT")) == 1


@sqlite_only
@pytest.mark.row("3.2.18")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_a_file_from_a_form(product: Product, http: httpx2.Client, encoding: str) -> None:
    content = f'{HEADER}\r\n髙﨑 ①㈱,"=""00123""",3A,看護師\r\n'.encode(encoding)
    same = key()
    upload: dict[str, Any] = {"files": {"file": ("職員.csv", content, "application/vnd.ms-excel")}}
    first, second = (http.post(URL, params={"dryRun": "false"}, headers=same, **upload) for _ in range(2))
    assert first.status_code == 201, first.text
    assert first.content == second.content
    [person] = product.rows(StaffAccount)
    assert (person["staff_id"], person["family_name"], person["given_name"]) == ("00123", "髙﨑", "①㈱")
    assert fault(http.post(URL, params={"dryRun": "true"}, files={"other": b"x"})) == (400, "file", "REQUIRED")


@sqlite_only
@pytest.mark.row("3.2.19")
@pytest.mark.parametrize("content", [b"\xff\xfe\xfd", f"{HEADER}\n\0,1,3A,x".encode(), b""])
def test_unreadable_files_import_nothing(product: Product, http: httpx2.Client, content: bytes) -> None:
    assert fault(send(http, content))[:2] == (400, "file")
    assert product.rows(StaffAccount) == []


@sqlite_only
@pytest.mark.row("3.2.19")
def test_a_file_may_be_long_but_not_endless(product: Product, http: httpx2.Client) -> None:
    long_enough = HEADER + "\n" + "山田 太郎,x,3A,医師\n" * 15_000
    assert len(long_enough.encode()) > product.settings.body_limit_bytes / 4
    assert send(http, long_enough, "true").json()["summary"]["skippedInvalid"] == 15_000
    assert send(http, b"x" * 5_000_001).status_code == 413


@sqlite_only
@pytest.mark.row("3.2.16")
def test_an_import_is_one_transaction(product: Product, http: httpx2.Client) -> None:
    trigger = (
        "CREATE TRIGGER fiftieth BEFORE INSERT ON staffs WHEN NEW.staff_id = '50' BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    product.db.write_now(lambda tx: tx.execute(text(trigger)).close())
    try:
        assert send(http, HEADER + "\n" + "\n".join(f"山田 太郎,{n},3A,医師" for n in range(1, 80))).status_code >= 500
        assert product.rows(StaffAccount) == []
        assert audited(product.db, "STAFF_IMPORT") == []
    finally:
        product.db.write_now(lambda tx: tx.execute(text("DROP TRIGGER fiftieth")).close())


@pytest.mark.row("3.2.22")
def test_ten_thousand_rows_share_one_hash(product: Product, http: httpx2.Client) -> None:
    file = HEADER + "\n" + "\n".join(f"山田 太郎,{n},3A,医師" for n in range(10_000))
    assert send(http, file).json()["summary"]["created"] == 10_000
    people = product.rows(StaffAccount)
    assert len(people) == 10_000
    assert len({row["pin_hash"] for row in people}) == 1
    assert len({row["staff_uid"] for row in people}) == 10_000


@pytest.mark.row("3.2.16")
def test_nothing_is_imported_when_somebody_registers_one_of_the_ids_meanwhile(
    product: Product, http: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_staff(product.db, "446752")
    departments = [DepartmentState("3A", active=True)]
    monkeypatch.setattr(service, "judged_rows", lambda _tx, rows, _creates: judge(rows, departments, set(), set()))
    assert code(send(http, MIXED)) == (409, "CHANGED_MEANWHILE")
    assert len(product.rows(StaffAccount)) == 1
    assert audited(product.db, "STAFF_IMPORT") == []
