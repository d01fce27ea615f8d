"""The import of staff from a CSV: looked at row by row, and then done."""

from collections.abc import Callable, Iterator
from pathlib import Path

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


@pytest.mark.found("24.C4")
def test_missing_departments_are_made_with_their_people(office: Office, hospital: Hospital) -> None:
    first, ward = f"6{hospital.number:06}", f"W{hospital.number}"
    lines = [f"長谷川 第{n},{first}{n:03},ハセガワ ダイ,{ward}{n % 3},,看護師" for n in range(110)]
    lines += [f"同名 一,{first}500,ドウメイ イチ,X{hospital.number},{hospital.department_name},医師"]
    lines += [f"山田 太郎,{first}999,ヤマダ タロウ,{hospital.department},,医師"]
    content = "\r\n".join(["氏名,職員番号,フリガナ,所属,所属名,職種", *lines]).encode("cp932")
    page = office("staffs/import", "phone")
    page.locator("input[type=file]").set_input_files({"name": "人事.csv", "mimeType": "text/csv", "buffer": content})
    missing = page.get_by_role("region", name="登録されていない部署 4件（111行）")
    expect(missing.get_by_role("listitem")).to_have_count(4)
    expect(missing).to_contain_text(f"同じ名前の部署がすでにあります（{hospital.department}）")
    shown = page.get_by_role("table", name="取り込みの結果").locator("tbody tr")
    expect(shown).to_have_count(50)
    expect(shown.first).to_contain_text("新しい部署")
    expect(shown.first).to_contain_text("看護師")
    check_every_size(page)

    # What is shown is what the button does, with the departments or without.
    missing.get_by_role("checkbox", name="これらの部署も作る").uncheck()
    expect(page.get_by_role("button", name="1人を登録する", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="登録できない行 111行")).to_contain_text("登録されていない部署です")
    missing.get_by_role("checkbox", name="これらの部署も作る").check()

    pages = page.get_by_role("navigation", name="結果のページ")
    pages.get_by_role("button", name="次の50行").click()
    pages.get_by_role("button", name="次の50行").click()
    expect(pages).to_contain_text("112行のうち 101〜112")
    expect(shown).to_have_count(12)
    expect(pages.get_by_role("button", name="次の50行")).to_be_disabled()
    expect(shown.last).to_contain_text(hospital.department_name)
    chip(page, "登録済み 0")
    expect(page.get_by_text("この結果の行はありません。")).to_be_visible()
    chip(page, "すべて 112")
    expect(shown).to_have_count(50)

    page.get_by_role("button", name="部署4件を作って112人を登録する").click()
    done = page.get_by_role("alert")
    expect(done).to_contain_text("112人を登録しました")
    expect(done).to_contain_text("部署を4件作りました。そのうち3件は、コードがそのまま名前になっています。")
    check_every_size(page)
    made = hospital.office.get(f"staffs?q={first}000")["items"]
    assert [(one["fullNameKana"], one["departmentId"]) for one in made] == [("ハセガワダイ", f"{ward}0")]
    found = hospital.office.get(f"staffs?q=はせがわ&departmentId={ward}0&limit=200")["items"]
    assert len(found) == 37
    done.get_by_role("link", name="部署の名前を確かめる").click()
    expect(page.get_by_role("heading", level=1, name="部署")).to_be_visible()


@pytest.mark.found("24.C4")
def test_names_in_the_column_of_codes_make_no_departments_by_themselves(office: Office, hospital: Hospital) -> None:
    number = f"3{hospital.number:06}1"
    rows = f"佐藤 花子,{number},{hospital.department_name},看護師\r\n"
    page = office("staffs/import")
    for heading, button in (("所属", None), ("所属名", "1人を登録する")):
        content = f"氏名,職員番号,{heading},職種\r\n{rows}".encode()
        page.locator("input[type=file]").set_input_files(
            {"name": "人事.csv", "mimeType": "text/csv", "buffer": content}
        )
        shown = page.get_by_role("region", name="「人事.csv」の確認")
        if button is None:
            expect(shown).to_contain_text("列の見出しを「部署名」に変えて、選び直してください。")
            expect(shown.get_by_role("checkbox", name="これらの部署も作る")).not_to_be_checked()
            expect(shown.get_by_role("button", name="登録する")).to_have_count(0)
            check_every_size(page)
            shown.get_by_role("button", name="別のファイルを選ぶ").click()
        else:
            shown.get_by_role("button", name=button).click()
    expect(page.get_by_role("alert")).to_contain_text("1人を登録しました")
    made = hospital.office.get(f"staffs?q={number}")["items"]
    assert [one["departmentId"] for one in made] == [hospital.department]


@pytest.mark.found("24.C4")
def test_refused_rows_are_saved_mended_and_chosen_again(office: Office, hospital: Hospital) -> None:
    number = f"5{hospital.number:06}1"
    page = office("staffs/import")
    page.locator("input[type=file]").set_input_files(file_of(f"佐藤 花子,{number}x,{hospital.department},看護師"))
    refused = page.get_by_role("region", name="登録できない行 1行")
    expect(refused).to_contain_text("職員番号が半角の数字ではありません")
    with page.expect_download() as download:
        refused.get_by_role("button", name="登録できない行を保存する").click()
    assert download.value.suggested_filename.startswith("登録できない職員_")
    mended = download.value.path().read_text(encoding="utf-8-sig").replace(f"{number}x", number)
    page.get_by_role("button", name="別のファイルを選ぶ").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "直した.csv", "mimeType": "text/csv", "buffer": mended.encode()}
    )
    expect(page.get_by_role("heading", name="登録できない行 1行")).to_have_count(0)
    page.get_by_role("button", name="1人を登録する").click()
    expect(page.get_by_role("alert")).to_contain_text("1人を登録しました")
    assert [one["familyName"] for one in hospital.office.get(f"staffs?q={number}")["items"]] == ["佐藤"]


@pytest.mark.found("24.C4")
def test_what_was_looked_at_is_what_is_imported(office: Office, hospital: Hospital, tmp_path: Path) -> None:
    """Excel may write the file again after it was chosen."""
    number = f"4{hospital.number:06}1"
    file = tmp_path / "職員.csv"
    file.write_bytes(file_of(f"佐藤 花子,{number},{hospital.department},看護師")["buffer"])
    page = office("staffs/import")
    page.locator("input[type=file]").set_input_files(file)
    button = page.get_by_role("button", name="1人を登録する")
    expect(button).to_be_visible()
    file.write_text("これから書き直します", encoding="utf-8")
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("1人を登録しました")


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
