"""The office looks for people over all parts of the product, compares two records, and checks what drifted."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.conftest import Demo
from tests.browser.hospital import Hospital
from tests.browser.test_admin_home import answer
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
HOSPITAL = True
LONG = "特定医療法人みらい会附属総合病院診療部勅使河原龍之介レオナルド三世と名乗る"
BUSY = {"code": "RATE_LIMITED", "message": "少し待ってから、もう一度お試しください。", "details": []}
_ITEM: dict[str, Any] = {"kana": None, "state": "active", "contact": None, "facts": [], "path": "/members"}


@pytest.fixture
def hospital(demo: Demo) -> Iterator[Hospital]:
    with colleague(demo) as somebody:
        yield Hospital(somebody)


def item(number: int, name: str, **more: Any) -> dict[str, Any]:
    return {"kind": "member", "id": str(number), "label": "会員", "name": name, **_ITEM, **more}


class TestSearch:
    def test_goes_from_the_keyboard_to_a_person(self, office: Office, hospital: Hospital) -> None:
        made = hospital.person("渡邉", "千鶴", familyNameKana="ワタナベ", givenNameKana="チヅル")
        page = office("people")
        expect(page.get_by_role("heading", name="だれを探しますか")).to_be_visible()
        field = page.get_by_role("searchbox", name="人を探す")
        field.fill("わたなべちづる")
        found = page.get_by_role("link", name="渡邉千鶴")
        expect(found).to_be_visible()
        expect(page.get_by_role("status").filter(has_text="1件見つかりました")).to_have_count(1)
        field.press("ArrowDown")
        expect(found).to_be_focused()
        found.press("ArrowUp")
        expect(field).to_be_focused()
        field.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("渡邉千鶴")
        assert page.url.endswith(f"/people/staff/{made.staff_uid}")
        page.get_by_role("button", name="前の画面へ").click()
        expect(page.get_by_role("searchbox", name="人を探す")).to_have_value("わたなべちづる")
        seen = hospital.office.get(f"audit-logs?action=PERSON_VIEW&subject=staff:{made.staff_uid}")["items"]
        assert len(seen) == 1

    def test_says_what_it_did_not_find(self, office: Office) -> None:
        page = office("people?q=zzzz")
        expect(page.get_by_role("heading", name="「zzzz」に当てはまる人はいません")).to_be_visible()
        check_every_size(page)

    def test_shows_a_failure_and_a_long_list(self, office: Office) -> None:
        page = office("people")
        answer(page, "people?*", BUSY, 429)
        page.get_by_role("searchbox", name="人を探す").fill("山田")
        expect(page.get_by_role("alert")).to_contain_text("表示できませんでした")
        people = [item(number, f"山田 {number}号") for number in range(1, 20)]
        people.append(item(20, LONG, kana="と" * 60, contact=f"{'x' * 60}@example.jp", state="withdrawn"))
        group = {"kind": "member", "label": "会員", "total": 1234, "items": people}
        answer(page, "people?*", {"query": "山田", "groups": [group]})
        page.get_by_role("button", name="もう一度読み込む").click()
        expect(page.get_by_text("20件までを表示しています。")).to_be_visible()
        check_every_size(page)
        page.get_by_role("link", name="会員だけをもっと見る").click()
        page.wait_for_url("**kind=member")


class TestAPerson:
    def test_is_compared_and_joined_by_a_click_only(self, office: Office, hospital: Hospital) -> None:
        name = f"双子{hospital.number}"
        one = hospital.person(name, "一", email="one@example.jp")
        hospital.person(name, "一")
        page = office(f"people/staff/{one.staff_uid}")
        expect(page.get_by_text("one@example.jp")).to_be_visible()
        page.get_by_role("button", name=f"職員「{name}一」と並べて見る").click()
        dialog = page.get_by_role("dialog", name="同じ人ですか")
        expect(dialog.get_by_role("row", name="職種")).to_contain_text("看護師")
        check_every_size(page)
        dialog.get_by_label("どのように確かめましたか（任意）").fill("電話で本人に確認")
        dialog.get_by_role("button", name="同じ人です").click()
        expect(page.get_by_role("alert")).to_have_text("同じ人と記録しました。")
        expect(page.get_by_text("同じ人と記録", exact=True)).to_be_visible()
        links = page.get_by_role("region", name="つながりのいきさつ")
        expect(links).to_contain_text("「同じ人です」と記録")
        expect(links).to_contain_text("理由: 電話で本人に確認")
        check_every_size(page)
        links.get_by_role("button", name="この記録を取り消す").click()
        expect(page.get_by_role("button", name=f"職員「{name}一」と並べて見る")).to_be_visible()
        page.get_by_role("button", name=f"職員「{name}一」と並べて見る").click()
        dialog.get_by_role("button", name="別の人です").click()
        apart = page.get_by_role("region", name="別の人と記録した相手")
        expect(apart).to_contain_text(f"{name}一")
        expect(page.get_by_role("region", name="同じ人かもしれない記録")).to_contain_text("ありません。")

    def test_of_the_roster_shows_how_the_link_came_about(self, office: Office) -> None:
        page = office("people?q=山田太郎&kind=member")
        page.get_by_role("link", name="山田 太郎").first.click()
        expect(page.get_by_role("region", name="つながりのいきさつ")).to_contain_text("連携")
        expect(page.get_by_role("link", name="会員の画面を開く")).to_be_visible()
        page.get_by_role("link", name="この記録を中心に見る").click()
        page.wait_for_url("**/people/line/*")
        check_every_size(page)

    def test_who_is_not_there(self, office: Office) -> None:
        page = office("people/member/999999")
        expect(page.get_by_role("heading", name="この方の記録は見つかりません")).to_be_visible()
        page.get_by_role("link", name="人を探す").click()
        expect(page.get_by_role("searchbox", name="人を探す")).to_be_visible()


class TestDrift:
    def test_leads_to_the_people_and_to_the_place_to_mend(self, office: Office, hospital: Hospital) -> None:
        name = f"重複{hospital.number}"
        hospital.person(name, "一")
        hospital.person(name, "一")
        page = office("people")
        page.get_by_role("link", name="ずれの点検").click()
        finding = page.get_by_role("region", name="同じ名前の職員")
        expect(finding.get_by_text(re.compile(r"同じ名前: \d+件")).first).to_be_visible()
        check_every_size(page)
        # Other tests of this demo have people with the same names too, and they may come first.
        if finding.get_by_role("button", name="すべて見る").count():
            finding.get_by_role("button", name="すべて見る").click()
        own, more = finding.get_by_role("link", name=f"{name}一"), finding.get_by_role("button", name="もっと見る")
        expect(own.or_(more).first).to_be_visible()
        while not own.count():
            more.click()
        expect(own.first.locator("xpath=ancestor::li")).to_contain_text("同じ名前: 2件")
        own.first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(f"{name}一")

    def test_without_findings_and_with_a_failure(self, office: Office) -> None:
        page = office("audit")
        fine = {"code": "x", "title": "同じ名前の会員", "advice": "", "total": 0, "items": [], "next_cursor": None}
        answer(page, "people/drift", {"findings": [fine]})
        page.goto(page.url.replace("/audit", "/people/drift"))
        expect(page.get_by_text("食いちがいはありません")).to_be_visible()
        page.get_by_text("問題のなかった項目（1）").click()
        expect(page.get_by_text("同じ名前の会員")).to_be_visible()
        answer(page, "people/drift", BUSY, 429)
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text("表示できませんでした")


class TestPersonalData:
    def test_is_exported_and_erased_after_a_look_at_what_goes(self, office: Office, hospital: Hospital) -> None:
        made = hospital.person("消去", f"花子{hospital.number}")
        page = office(f"people/staff/{made.staff_uid}")
        card = page.get_by_role("region", name="個人データ")
        with page.expect_download() as download:
            card.get_by_role("button", name="書き出す").click()
        assert download.value.suggested_filename == f"person-staff-{made.staff_uid}.json"
        card.get_by_role("button", name="消去する…").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("在職中です")).to_be_visible()
        expect(dialog.get_by_role("button", name="消去する", exact=False)).to_be_disabled()
        check_every_size(page)
        version = hospital.staff(made)["version"]
        body = {"version": version, "status": "left", "reason": "退職"}
        hospital.office.send("PATCH", f"staffs/{made.staff_uid}", body)
        page.reload()
        card.get_by_role("button", name="消去する…").click()
        expect(dialog.get_by_role("row", name="職員 1 名前や文章を消す")).to_be_visible()
        dialog.get_by_role("textbox", name="消去する理由").fill("本人からの申し出")
        dialog.get_by_role("button", name="消去する", exact=False).click()
        expect(page.get_by_role("alert").filter(has_text="個人データを消去しました")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).not_to_contain_text("花子")
