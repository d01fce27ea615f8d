"""The office edits the texts of notices over HTTP."""

from collections.abc import Iterator

import httpx2
import pytest

from tests.booking.office import audited, code, office
from tests.factories.product import Product
from tests.notifications.clinic import Clinic
from tests.product_fixtures import sqlite_only
from tsudoi.notifications.templates.rules import BUILT_IN
from tsudoi.notifications.templates.service import change_template

PATH = "/api/admin/notifications/templates"
OWN = "{氏名} 様\n{日時} にお待ちしています。"


@pytest.fixture
def desk(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as http:
        yield http


def test_the_list_has_every_text_and_the_placeholders(desk: httpx2.Client) -> None:
    found = desk.get(PATH).json()
    assert {item["key"]: item["body"] for item in found["items"]} == dict(BUILT_IN)
    assert all(item["is_built_in"] and item["changed_at"] is None for item in found["items"])
    names = [placeholder["name"] for placeholder in found["placeholders"]]
    assert names == ["氏名", "日時", "種別", "会場", "備考", "料金", "予約番号"]


def test_a_text_is_changed_audited_and_reset(desk: httpx2.Client, product: Product) -> None:
    changed = desk.put(f"{PATH}/REMINDER", json={"body": f"\r\n{OWN}\r\n"})
    assert changed.status_code == 200
    assert (changed.json()["body"], changed.json()["is_built_in"]) == (OWN, False)
    assert changed.json()["changed_at"] == "2025/08/16 12:00"
    assert desk.put(f"{PATH}/REMINDER", json={"body": OWN}).status_code == 200
    [row] = audited(product.db, "NOTICE_TEMPLATE")
    assert (row["subject"], row["actor"]) == ("notice_template:REMINDER", changed.json()["changed_by"])
    back = desk.put(f"{PATH}/REMINDER", json={"body": None}).json()
    assert (back["body"], back["is_built_in"]) == (BUILT_IN["REMINDER"], True)
    assert [version["body"] for version in back["versions"]] == [None, OWN]
    assert len(audited(product.db, "NOTICE_TEMPLATE")) == 2


@sqlite_only
@pytest.mark.parametrize("body", ["", "{なまえ}", "{氏名", "あ" * 5001])
def test_a_broken_text_is_refused_at_saving(desk: httpx2.Client, body: str) -> None:
    answer = desk.put(f"{PATH}/CONFIRMATION", json={"body": body})
    assert code(answer) == (400, "TEMPLATE_REFUSED")
    [detail, *_] = answer.json()["details"]
    assert detail["field"] == "body"
    assert detail["reason"].endswith("。")
    assert desk.get(f"{PATH}/CONFIRMATION").json()["is_built_in"]


@sqlite_only
def test_an_unknown_text_is_refused(desk: httpx2.Client) -> None:
    assert desk.get(f"{PATH}/CANCEL_TEMPLATE").status_code == 400


@sqlite_only
def test_the_preview_has_sample_values_and_stores_nothing(desk: httpx2.Client) -> None:
    shown = desk.post(f"{PATH}/REMINDER/preview", json={"body": OWN}).json()
    assert shown["text"] == "山田 太郎 様\n2026/12/10 08:00 にお待ちしています。"
    assert (shown["problems"], shown["limit"], len(shown["buttons"])) == ([], 5000, 4)
    broken = desk.post(f"{PATH}/CANCEL_COMPLETED/preview", json={"body": "{なまえ}"}).json()
    assert [problem["code"] for problem in broken["problems"]] == ["UNKNOWN_PLACEHOLDER"]
    assert broken["buttons"] == []
    assert desk.get(f"{PATH}/REMINDER").json()["is_built_in"]


def test_a_new_text_is_sent(clinic: Clinic) -> None:
    clinic.reserve()
    clinic.db.write_now(change_template, "CONFIRMATION", "新しい文面 {予約番号}", "test")
    clinic.run()
    assert clinic.line.pushes[0].text.startswith("新しい文面 ")
