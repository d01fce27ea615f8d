"""The office's screens about staff: finding people, changing them, PINs, departments, the registration code."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.hospital import Hospital, wrong_pins
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
HOSPITAL = True
LONG = "特定医療法人みらい会附属総合病院診療部勅使河原龍之介レオナルド三世と名乗る"


@pytest.fixture
def hospital(demo: Demo) -> Iterator[Hospital]:
    with colleague(demo) as somebody:
        yield Hospital(somebody)


def give_reason(page: Page, reason: str, button: str) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name=re.compile("理由")).fill(reason)
    dialog.get_by_role("button", name=button).click()
    expect(dialog).to_have_count(0)


class TestTheList:
    def test_finds_people_by_name_reading_number_and_state(self, office: Office, hospital: Hospital) -> None:
        hospital.person("髙橋", "花子", familyNameKana="タカハシ", givenNameKana="ハナコ")
        other = hospital.person("斎藤")
        page = office(f"staffs?departmentId={hospital.department}")
        rows = page.get_by_role("table", name="職員").locator("tbody tr")
        expect(rows).to_have_count(2)
        for words in ("高橋", "たかはし", "ﾊﾅｺ"):
            page.get_by_label("職員を探す").fill(words)
            expect(rows).to_have_count(1)
            expect(rows).to_contain_text("髙橋花子")
        page.get_by_label("職員を探す").fill(other.staff_id)
        expect(rows).to_contain_text("斎藤太郎")
        page.get_by_label("気になる状態").select_option("暗証番号が初期のまま")
        expect(rows).to_have_count(1)
        page.get_by_label("気になる状態").select_option("ロック中")
        expect(page.get_by_role("heading", name="条件に合う職員はいません")).to_be_visible()
        page.get_by_role("button", name="条件を消す").first.click()
        expect(page.get_by_label("職員を探す")).to_have_value("")
        assert page.url.endswith("/staffs")

    def test_unlocks_many_with_one_reason(self, office: Office, demo: Demo, hospital: Hospital) -> None:
        people = [hospital.person("山田"), hospital.person("田中")]
        for person in people:
            wrong_pins(demo.product, person)
        page = office(f"staffs?state=locked&departmentId={hospital.department}")
        page.get_by_role("button", name="表示中の2人のロックを解除する").click()
        page.get_by_role("dialog").get_by_role("button", name="2人のロックを解除する").click()
        expect(page.get_by_text("理由を書いてください")).to_be_visible()
        give_reason(page, "窓口で本人を確認", "2人のロックを解除する")
        expect(page.get_by_role("heading", name="条件に合う職員はいません")).to_be_visible()
        assert [hospital.staff(person)["locked"] for person in people] == [False, False]

    def test_downloads_what_is_shown(self, office: Office, hospital: Hospital) -> None:
        person = hospital.person("山田")
        hospital.person("田中")
        page = office(f"staffs?q={person.staff_id}")
        page.get_by_role("button", name="書き出し").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name="CSV（UTF-8）").click()
        text = download.value.path().read_text(encoding="utf-8-sig")
        assert person.staff_id in text
        assert "田中" not in text

    def test_shows_the_code_for_registering_and_changes_it(self, office: Office, hospital: Hospital) -> None:
        before = hospital.office.send("POST", "staffs/registration-code")["code"]
        page = office("staffs")
        panel = page.get_by_role("region", name="登録コード")
        expect(panel).to_contain_text(before)
        panel.get_by_role("button", name="新しいコードに替える").click()
        page.get_by_role("dialog").get_by_role("button", name="新しいコードにする").click()
        expect(panel).not_to_contain_text(before)
        expect(panel).to_contain_text(hospital.office.get("staffs/registration-code")["code"])

    def test_a_long_name_fits_at_every_width(self, office: Office, hospital: Hospital) -> None:
        person = hospital.person(LONG, "太郎")
        page = office(f"staffs?q={person.staff_id}", "phone")
        page.get_by_role("link", name=person.name).wait_for()
        check_every_size(page)
        page.get_by_role("link", name=person.name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(person.name)
        page.wait_for_load_state("networkidle")
        check_every_size(page)


class TestAPerson:
    def test_is_registered_and_changed_with_a_reason(
        self, office: Office, hospital: Hospital, complaints: Complaints
    ) -> None:
        page = office("staffs")
        page.get_by_role("button", name="1人登録する").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="登録する").click()
        expect(dialog.get_by_label("職員番号")).to_have_accessible_description(re.compile("入力してください"))
        number = f"8{hospital.number:06}"
        for label, text in {"職員番号": number, "職種": "医師", "姓": "山田", "名": "太郎"}.items():
            dialog.get_by_label(label, exact=True).fill(text)
        dialog.get_by_label("部署").select_option(hospital.department)
        dialog.get_by_role("button", name="登録する").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("山田太郎")
        page.get_by_role("button", name="変更する").click()
        dialog.get_by_label("姓のふりがな", exact=True).fill("やまだ")
        dialog.get_by_label("姓", exact=True).fill("山口")
        dialog.get_by_label("変更する理由").fill("結婚のため")
        dialog.get_by_role("button", name="保存する").click()
        expect(dialog.get_by_label("姓のふりがな", exact=True)).to_have_accessible_description(re.compile("カタカナ"))
        dialog.get_by_label("姓のふりがな", exact=True).fill("ヤマグチ")
        dialog.get_by_role("button", name="保存する").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("山口太郎")
        expect(page.get_by_role("region", name="履歴")).to_contain_text("結婚のため")
        complaints.expect("status of 400")

    def test_two_changes_at_once_lose_nothing(self, office: Office, hospital: Hospital, complaints: Complaints) -> None:
        person = hospital.person("山田")
        page = office(f"staffs/{person.staff_uid}")
        page.get_by_role("button", name="変更する").click()
        change = {"version": 1, "reason": "異動", "jobTitle": "主任看護師"}
        hospital.office.send("PATCH", f"staffs/{person.staff_uid}", change)
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("姓", exact=True).fill("山口")
        dialog.get_by_label("変更する理由").fill("訂正")
        dialog.get_by_role("button", name="保存する").click()
        expect(page.get_by_role("alert")).to_contain_text("保存できませんでした")
        assert hospital.staff(person)["familyName"] == "山田"
        assert hospital.staff(person)["jobTitle"] == "主任看護師"
        dialog.get_by_role("button", name="保存する").click()
        expect(dialog).to_contain_text("新しい内容を確かめてから")
        assert hospital.staff(person)["version"] == 2
        complaints.expect("status of 409")

    def test_who_leaves_is_said_to_lose_the_reservations(self, office: Office, hospital: Hospital) -> None:
        person = hospital.person("山田")
        reservation = hospital.book(person, hospital.slot())
        page = office(f"staffs/{person.staff_uid}")
        expect(page.get_by_role("region", name="予約")).to_contain_text(hospital.type_name)
        page.get_by_role("button", name="変更する").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("在籍").select_option("退職")
        expect(dialog).to_contain_text("これからの予約も取り消されます")
        dialog.get_by_label("変更する理由").fill("退職のため")
        dialog.get_by_role("button", name="保存する").click()
        expect(page.get_by_role("region", name="予約")).to_contain_text("取り消し")
        assert hospital.reservation(reservation, person)["canceledAt"] is not None

    def test_gets_the_initial_pin_again(self, office: Office, demo: Demo, hospital: Hospital) -> None:
        person = hospital.person("山田")
        wrong_pins(demo.product, person)
        page = office(f"staffs/{person.staff_uid}")
        expect(page.get_by_text("ロック中です")).to_be_visible()
        page.get_by_role("button", name="暗証番号を初期化する").click()
        give_reason(page, "窓口で本人を確認", "暗証番号を初期化する")
        expect(page.get_by_text("ロック中です")).to_have_count(0)
        assert hospital.staff(person)["locked"] is False
        check_every_size(page)

    def test_nobody_is_found_under_an_unknown_address(self, office: Office) -> None:
        page = office("staffs/00000000-0000-4000-8000-000000000000")
        expect(page.get_by_role("heading", name="この職員は見つかりません")).to_be_visible()


class TestDepartments:
    def test_are_made_changed_and_deleted_while_unused(self, office: Office, hospital: Hospital) -> None:
        hospital.person("山田")
        page = office("staffs/departments")
        code = f"X{hospital.number}"
        page.get_by_role("button", name="部署を登録する").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("コード").fill(code)
        dialog.get_by_label("名前").fill("検査科")
        dialog.get_by_role("button", name="登録する").click()
        row = page.get_by_role("row").filter(has_text=code)
        row.get_by_role("button", name="検査科を変更").click()
        dialog.get_by_role("switch", name="この部署を使う").uncheck()
        dialog.get_by_role("button", name="保存する").click()
        expect(row).to_contain_text("使わない")
        row.get_by_role("button", name="検査科を削除").click()
        dialog.get_by_role("button", name="削除する").click()
        expect(row).to_have_count(0)
        used = page.get_by_role("row").filter(has_text=hospital.department_name)
        expect(used.get_by_role("button", name=re.compile("削除"))).to_have_count(0)
        check_every_size(page)
