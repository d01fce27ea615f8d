"""The import of staff from a CSV: looked at row by row, and then done."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.hospital import Hospital
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
HOSPITAL = True


@pytest.fixture
def hospital(demo: Demo) -> Iterator[Hospital]:
    with colleague(demo) as somebody:
        yield Hospital(somebody)


def file_of(*rows: str, encoding: str = "utf-8") -> FilePayload:
    text = "\r\n".join(["名前(漢字),本部ID(staffId),部署(コード),職種", *rows])
    return {"name": "職員.csv", "mimeType": "text/csv", "buffer": text.encode(encoding)}


def chip(page: Page, name: str) -> None:
    page.get_by_role("group", name="表示する行").get_by_role("button", name=name).click()


def test_a_file_is_previewed_row_by_row_and_then_imported(office: Office, hospital: Hospital) -> None:
    known = hospital.person("山田")
    first = f"7{hospital.number:06}"
    page = office("staffs/import", "phone")
    rows = [
        f"髙橋 花子,{first}1,{hospital.department.lower()},看護師",
        f"山田 太郎,{known.staff_id},{hospital.department},看護師",
        "斎藤,12a,ZZZ,",
        f"重複,{first}9,{hospital.department},医師",
        f"重複,{first}9,{hospital.department},医師",
    ]
    page.locator("input[type=file]").set_input_files(file_of(*rows, encoding="cp932"))
    shown = page.get_by_role("table", name="取り込みの結果").locator("tbody tr")
    expect(shown).to_have_count(5)
    assert hospital.office.get(f"staffs?q={first}1")["items"] == []
    chip(page, "不備あり 1")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("職員番号が半角の数字ではありません")
    expect(shown).to_contain_text("登録されていない部署です")
    chip(page, "ファイル内で重複 2")
    expect(shown).to_have_count(2)
    chip(page, "すべて 5")
    check_every_size(page)
    page.get_by_role("button", name="1人を登録する").click()
    expect(page.get_by_role("alert")).to_contain_text("1人を登録しました")
    made = hospital.office.get(f"staffs?q={first}1")["items"]
    assert [(one["fullName"], one["departmentId"]) for one in made] == [("髙橋花子", hospital.department)]


def test_a_file_that_cannot_be_read_says_why(office: Office, complaints: Complaints) -> None:
    page = office("staffs/import")
    wrong: FilePayload = {"name": "予定.csv", "mimeType": "text/csv", "buffer": "日付,予定\r\n1,2".encode()}
    page.locator("input[type=file]").set_input_files(wrong)
    expect(page.get_by_role("alert")).to_contain_text("「予定.csv」を読み取れませんでした")
    expect(page.get_by_role("alert")).to_contain_text("必要な列がありません")
    complaints.expect("status of 400")
    page.get_by_role("button", name="別のファイルを選ぶ").click()
    expect(page.get_by_role("button", name="CSVファイルを選ぶ")).to_be_visible()


def test_the_template_has_the_columns(office: Office) -> None:
    page = office("staffs/import")
    with page.expect_download() as download:
        page.get_by_role("button", name="ひな形をダウンロード").click()
    assert (
        download.value.path().read_text(encoding="utf-8-sig").startswith("名前(漢字),本部ID(staffId),部署(コード),職種")
    )
