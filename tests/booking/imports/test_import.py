"""The import over HTTP."""

import csv
import io
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
from tsudoi.booking.imports.errors import StaffAddedMeanwhile
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


ELSEWHERE = "職員番号,氏名,フリガナ,所属,所属名,職種"


def rejected(http: httpx2.Client, content: str | bytes, **query: str) -> list[list[str]]:
    body = content.encode() if isinstance(content, str) else content
    answer = http.post(f"{URL}/rejected", params=query, content=body, headers=CSV)
    assert answer.status_code == 200, answer.text
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def found(http: httpx2.Client, words: str) -> list[str]:
    return [one["staffId"] for one in http.get("/api/admin/staffs", params={"q": words}).json()["items"]]


@pytest.mark.found("24.C4")
@pytest.mark.row("6.1.7")
def test_a_list_of_another_program_is_imported_with_its_own_headings(product: Product, http: httpx2.Client) -> None:
    answer = send(http, "氏名,職員番号,所属,職種\n長谷川 一,0012,3a,看護師")
    assert answer.status_code == 201, answer.text
    [person] = product.rows(StaffAccount)
    named = ("staff_id", "family_name", "given_name", "department_id", "job_title")
    assert [person[name] for name in named] == ["0012", "長谷川", "一", "3A", "看護師"]
    assert answer.json()["summary"]["warnings"] == []

    beside = send(http, f"氏名,{HEADER}\n別 人,佐藤 花子,13,3A,医師", "true").json()
    assert [(one["rowNumber"], one["code"]) for one in beside["summary"]["warnings"]] == [(1, "SYNONYM_NOT_USED")]
    assert beside["rows"][0]["input"]["name"] == "佐藤 花子"
    assert fault(send(http, "氏名,職員名,職員番号,所属,職種\n")) == (400, "名前(漢字)", "DUPLICATE")


@pytest.mark.found("24.C4")
def test_people_are_found_by_the_reading_of_the_file(product: Product, http: httpx2.Client) -> None:
    lines = [
        "1,長谷川 一,ハセガワ　ハジメ,3A,,医師",
        "2,山田 花子,ﾔﾏﾀﾞ ﾊﾅｺ,3A,,医師",
        "3,佐藤 桜,さとう さくら,3A,,医師",
    ]
    answer = send(http, "\n".join([ELSEWHERE, *lines]))
    assert [(one["rowNumber"], one["code"]) for one in answer.json()["summary"]["warnings"]] == [
        (4, "KANA_NOT_KATAKANA")
    ]
    kana = {row["staff_id"]: (row["family_name_kana"], row["given_name_kana"]) for row in product.rows(StaffAccount)}
    assert kana == {"1": ("ハセガワ", "ハジメ"), "2": ("ヤマダ", "ハナコ"), "3": (None, None)}
    for words in ("ハセガワ", "ﾊｾｶﾞﾜ", "はせがわ", "ハセガワ ハジメ", "長谷川"):
        assert found(http, words) == ["1"], words
    assert found(http, "ヤマダ") == ["2"]


@pytest.mark.found("24.C4")
def test_unknown_departments_are_listed_and_created_on_demand(product: Product, http: httpx2.Client) -> None:
    lines = [
        "1,一 一,,5B,,医師",
        "2,二 二,,５b,5階B病棟,医師",
        "3,三 三,,7C,,医師",
        "4,四 四,,3A,,医師",
        "x,五 五,,9Z,,医師",
    ]
    content = "\n".join([ELSEWHERE, *lines])
    listed = [{"code": "5B", "name": "5階B病棟", "rows": 2}, {"code": "7C", "name": "7C", "rows": 1}]

    def sent(dry_run: str, create: str | None) -> httpx2.Response:
        params = {"dryRun": dry_run} | ({} if create is None else {"createDepartments": create})
        return http.post(URL, params=params, content=content.encode(), headers=CSV)

    plain = sent("true", None)
    assert (plain.json()["unknownDepartments"], plain.json()["summary"]["created"]) == (listed, 1)
    dry = sent("true", "true")
    assert (dry.status_code, dry.json()["summary"]["created"]) == (200, 4)
    assert len(product.rows(Department)) == 1
    assert fault(sent("true", "maybe"))[:2] == (400, "createDepartments")

    applied = sent("false", "true")
    assert applied.status_code == 201, applied.text
    batch = applied.json().pop("importBatchId")
    assert {**applied.json(), "importBatchId": batch} == {**dry.json(), "importBatchId": batch}
    made = {row["id"]: (row["name"], row["folded_id"], row["active"]) for row in product.rows(Department)}
    assert made == {"3A": ("3A病棟", "3a", 1), "5B": ("5階B病棟", "5b", 1), "7C": ("7C", "7c", 1)}
    people = {row["staff_id"]: row["department_id"] for row in product.rows(StaffAccount)}
    assert people == {"1": "5B", "2": "5B", "3": "7C", "4": "3A"}
    entries = audited(product.db, "DEPARTMENT_CREATE")
    assert [(row["subject"], orjson.loads(row["new"])) for row in entries] == [
        ("department:5B", {"name": "5階B病棟"}),
        ("department:7C", {"name": "7C"}),
    ]
    [entry] = audited(product.db, "STAFF_IMPORT")
    counts = {"created": 4, "skipped_existing": 0, "skipped_invalid": 1, "duplicate_in_file": 0}
    assert orjson.loads(entry["new"]) == {**counts, "departments_created": 2, "import_batch_id": batch}
    assert product.db.read_now(audit.verify).broken_at is None
    assert sent("true", None).json()["unknownDepartments"] == []


@pytest.mark.found("24.C4")
def test_departments_are_created_with_their_people_or_not_at_all(
    product: Product, http: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = f"{ELSEWHERE}\n1,一 一,,5B,,医師\n".encode()
    query = {"dryRun": "false", "createDepartments": "true"}
    people = service._create

    def fails(*_: Any) -> None:
        raise StaffAddedMeanwhile

    monkeypatch.setattr(service, "_create", fails)
    assert code(http.post(URL, params=query, content=content, headers=CSV)) == (409, "CHANGED_MEANWHILE")
    assert [row["id"] for row in product.rows(Department)] == ["3A"]
    assert audited(product.db, "DEPARTMENT_CREATE") == []

    monkeypatch.setattr(service, "_create", people)
    make_department(product.db, "5b")
    monkeypatch.setattr(
        service, "judged_rows", lambda _tx, rows, _creates: judge(rows, [], set(), set(), create_departments=True)
    )
    raced = http.post(URL, params=query, content=content, headers=CSV)
    assert (code(raced), "部署" in raced.json()["message"]) == ((409, "CHANGED_MEANWHILE"), True)
    assert product.rows(StaffAccount) == []


@pytest.mark.found("24.C4")
def test_a_key_tells_an_import_with_new_departments_from_one_without(product: Product, http: httpx2.Client) -> None:
    content, same = f"{ELSEWHERE}\n1,一 一,,5B,,医師\n".encode(), key()
    created = []
    for create in ("false", "true", "true"):
        query = {"dryRun": "false", "createDepartments": create}
        answer = http.post(URL, params=query, content=content, headers={**CSV, **same})
        created.append((answer.status_code, answer.json()["summary"]["created"]))
    assert created == [(201, 0), (201, 1), (201, 1)]
    assert len(product.rows(StaffAccount)) == 1


@pytest.mark.found("24.C4")
@pytest.mark.row("6.1.28")
def test_refused_rows_come_back_as_a_file_and_are_imported_when_they_are_mended(
    product: Product, http: httpx2.Client
) -> None:
    content = f"""{HEADER},趣味
山田　太郎,446752,3A,看護師,
"佐藤, 花子",12a,3A,医師,=HYPERLINK("x")
鈴木 一,7,3A,医師,
鈴木 二,7,3A,医師,
新田 一,8,5B,医師,"""
    before = product.rows(StaffAccount)
    header, *rows = rejected(http, content, dryRun="true")
    assert header == [*HEADER.split(","), "趣味", "行", "理由"]
    assert [row[:6] for row in rows] == [
        ["佐藤, 花子", "12a", "3A", "医師", '\'=HYPERLINK("x")', "3"],
        ["鈴木 一", "7", "3A", "医師", "", "4"],
        ["鈴木 二", "7", "3A", "医師", "", "5"],
        ["新田 一", "8", "5B", "医師", "", "6"],
    ]
    assert [row[6] for row in rows][:2] == [
        "職員番号が半角の数字ではありません",
        "同じ職員番号が、このファイルに2回以上あります",
    ]
    assert [row[0] for row in rejected(http, content, createDepartments="true")[1:]] == [
        "佐藤, 花子",
        "鈴木 一",
        "鈴木 二",
    ]
    assert product.rows(StaffAccount) == before == []
    # The same rows are refused after the others were imported.
    assert send(http, content).json()["summary"]["created"] == 1
    assert rejected(http, content) == [header, *rows]

    mended = io.StringIO()
    rows[0][1], rows[1][1], rows[2][1], rows[3][2] = "12", "70", "71", "3A"
    csv.writer(mended).writerows([header, *rows])
    again = send(http, mended.getvalue())
    assert statuses(again) == ["created"] * 4
    assert [one["message"] for one in again.json()["summary"]["warnings"]] == ["「趣味」という列は使いません。"]
    assert rejected(http, f"{HEADER}\n") == [[*HEADER.split(","), "行", "理由"]]


@sqlite_only
@pytest.mark.found("24.C4")
def test_a_file_of_refused_rows_has_the_encoding_of_its_file_and_no_formula(
    product: Product, http: httpx2.Client
) -> None:
    lines = [f'{HEADER},"=1+1"', '髙﨑 ①㈱,"=""00x""",3A,看護師,=1+1']
    for encoding, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-8-sig", b"\xef\xbb\xbf"), ("cp932", b"")):
        content = "\r\n".join(lines).encode(encoding)
        answer = http.post(f"{URL}/rejected", content=content, headers=CSV)
        text = f"{HEADER},'=1+1,行,理由\r\n髙﨑 ①㈱,00x,3A,看護師,'=1+1,2,職員番号が半角の数字ではありません\r\n"
        assert answer.content == mark + text.encode(encoding.removesuffix("-sig")), encoding
        assert answer.headers["content-disposition"].startswith('attachment; filename="rejected_staffs_')
        assert answer.headers["cache-control"] == "no-store"
    from_form = http.post(f"{URL}/rejected", files={"file": ("職員.csv", content)})
    assert from_form.content == answer.content
    assert send(product.http, HEADER).status_code == 401
    assert product.http.post(f"{URL}/rejected", content=HEADER, headers=CSV).status_code == 401
    staff = bearer(product.db, make_staff(product.db))
    assert product.http.post(f"{URL}/rejected", content=HEADER, headers={**CSV, **staff}).status_code in (401, 403)
    assert fault(http.post(f"{URL}/rejected", content=b"", headers=CSV))[:2] == (400, "file")
    assert http.post(f"{URL}/rejected", content=b"x" * 5_000_001, headers=CSV).status_code == 413


@pytest.mark.found("24.C4")
@pytest.mark.parametrize("query", ["", "?encoding=cp932", "?sexCode=iso5218"])
def test_our_own_file_of_staff_comes_back_as_it_is(product: Product, http: httpx2.Client, query: str) -> None:
    make_staff(product.db, "0012", family_name="髙橋", given_name="花子", email="+hanako@example.jp")
    make_staff(product.db, "13", family_name="=1+1", given_name="", family_name_kana="ハセガワ", given_name_kana=None)
    make_staff(
        product.db, "14", family_name="山田", given_name="マリー アン", family_name_kana=None, given_name_kana=None
    )
    make_staff(product.db, "15", status="left", department_id="5B")
    export = http.get(f"/api/admin/staffs/export{query}").content
    same = send(http, export, "true")
    assert statuses(same) == ["skippedExisting"] * 4
    codes = {one["code"] for one in same.json()["summary"]["warnings"]}
    assert codes == {"UNKNOWN_COLUMN"}
    assert rejected_count(http, export) == 0

    kept = ("family_name", "given_name", "family_name_kana", "given_name_kana", "job_title", "email", "department_id")
    before = {row["staff_id"]: [row[name] for name in kept] for row in product.rows(StaffAccount)}
    product.db.write_now(lambda tx: tx.execute(text("DELETE FROM staffs")).close())
    product.db.write_now(lambda tx: tx.execute(text("DELETE FROM departments WHERE id = '5B'")).close())
    answer = http.post(URL, params={"dryRun": "false", "createDepartments": "true"}, content=export, headers=CSV)
    assert statuses(answer) == ["created"] * 4, answer.text
    assert {row["staff_id"]: [row[name] for name in kept] for row in product.rows(StaffAccount)} == before
    assert {row["id"]: row["name"] for row in product.rows(Department)}["5B"] == "5B病棟"


def rejected_count(http: httpx2.Client, content: bytes) -> int:
    answer = http.post(f"{URL}/rejected", content=content, headers=CSV)
    return len(answer.content.splitlines()) - 1
