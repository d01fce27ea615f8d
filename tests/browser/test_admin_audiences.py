"""Groups: made, named, sorted, deleted, and who belongs to them."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.admin_desk import Colleague, colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually
from tests.browser.test_screens import check_every_size, serious

Office = Callable[..., Page]


@pytest.fixture
def other(demo: Demo) -> Iterator[Colleague]:
    with colleague(demo) as somebody:
        yield somebody


def rows_of(page: Page) -> Locator:
    return page.get_by_role("list", name="グループ").get_by_role("listitem")


def order_on(page: Page, *names: str) -> list[str]:
    shown = rows_of(page).get_by_role("link").filter(has_text="会 ").all_inner_texts()
    return [name for name in shown if name in names]


def people(page: Page) -> Locator:
    return page.get_by_role("list", name="会員").get_by_role("checkbox")


class TestTheList:
    def test_a_new_group_is_made_and_filled_at_once(self, office: Office, other: Colleague) -> None:
        page = office("audiences")
        page.get_by_role("button", name="グループを作る").first.click()
        field = page.get_by_role("textbox", name="グループの名前")
        expect(field).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_text("名前を入力してください")).to_be_visible()
        _, taken = other.group()
        name = f"{taken} の2"
        field.fill(name)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=f"「{name}」に入る人")).to_be_focused()
        people(page).nth(1).check()
        page.get_by_role("button", name="保存する").click()
        expect(page.get_by_text("保存しました（+1人）。いま1人です。")).to_be_visible()
        page.get_by_role("link", name="← グループの一覧").click()
        expect(rows_of(page).filter(has_text=name)).to_contain_text("1人")

    def test_a_name_that_is_taken_is_said_at_the_field(
        self, office: Office, other: Colleague, complaints: Complaints
    ) -> None:
        _, first = other.group()
        _, second = other.group()
        page = office("audiences")
        page.get_by_role("button", name=f"{second}の名前を変える").click()
        page.get_by_role("textbox", name="グループの名前").fill(first)
        page.get_by_role("dialog").get_by_role("button", name="名前を変える").click()
        expect(page.get_by_role("textbox", name="グループの名前")).to_have_accessible_description(
            re.compile("すでにあります")
        )
        expect(page.get_by_role("textbox", name="グループの名前")).to_be_focused()
        assert serious(page) == []
        page.get_by_role("textbox", name="グループの名前").fill(f"{second} 改")
        page.keyboard.press("Enter")
        expect(rows_of(page).filter(has_text=f"{second} 改")).to_be_visible()
        complaints.expect("status of 409")

    def test_deleting_says_that_members_stay(self, office: Office, other: Colleague) -> None:
        _, name = other.group(1, 2)
        page = office("audiences")
        page.get_by_role("button", name=f"{name}を削除").click()
        dialog = page.get_by_role("dialog", name="グループを削除")
        expect(dialog).to_contain_text("入っている2人は、会員名簿にそのまま残ります")
        expect(dialog.get_by_role("button", name="やめる")).to_be_focused()
        dialog.get_by_role("button", name="削除する").click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_text(name)).to_have_count(0)

    def test_what_somebody_else_deleted_is_deleted(self, office: Office, other: Colleague) -> None:
        audience_id, name = other.group()
        page = office("audiences")
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
        other.send("DELETE", f"audiences/{audience_id}")
        page.get_by_role("button", name=f"{name}の名前を変える").click()
        page.get_by_role("textbox", name="グループの名前").fill(f"{name} 改")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("ほかの人が削除した")
        page.keyboard.press("Escape")
        expect(page.get_by_text(name)).to_have_count(0)


class TestSorting:
    def test_with_the_keyboard(self, office: Office, other: Colleague) -> None:
        names = [other.group(sort_order=1000 + place)[1] for place in range(3)]
        page = office("audiences")
        up = page.get_by_role("button", name=f"{names[2]}を上へ")
        up.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text=names[2])).to_contain_text("番目にしました")
        expect(up).to_be_focused()
        page.keyboard.press("Enter")
        assert order_on(page, *names) == [names[2], names[0], names[1]]
        expect(up).to_be_focused()

        def saved() -> list[str]:
            return [row["name"] for row in other.get("audiences")["items"] if row["name"] in names]

        eventually(lambda: saved() == [names[2], names[0], names[1]])
        page.reload()
        expect(page.get_by_role("button", name=f"{names[0]}を上へ")).to_be_visible()
        assert order_on(page, *names) == [names[2], names[0], names[1]]

    def test_with_the_mouse(self, office: Office, other: Colleague) -> None:
        names = [other.group(sort_order=2000 + place)[1] for place in range(3)]
        page = office("audiences")
        grip = rows_of(page).filter(has_text=names[2]).locator("[draggable=true]")
        grip.drag_to(rows_of(page).filter(has_text=names[0]), target_position={"x": 200, "y": 4})
        expect(page.get_by_role("status").filter(has_text=names[2])).to_contain_text("番目にしました")
        assert order_on(page, *names) == [names[2], names[0], names[1]]


class TestWhoBelongsToIt:
    def test_filter_ticks_and_what_changed(self, office: Office, other: Colleague) -> None:
        audience_id, name = other.group(1, 2, 3)
        page = office(f"audiences/{audience_id}")
        expect(page.get_by_role("heading", level=1)).to_have_text(f"「{name}」に入る人")
        expect(page.get_by_text("3人を選択中")).to_be_visible()
        page.get_by_label("名前で絞り込む").fill("いない人")
        expect(page.get_by_text("あてはまる会員はいません")).to_be_visible()
        page.get_by_label("名前で絞り込む").fill("たなか")
        expect(people(page)).to_have_count(1)
        page.get_by_label("名前で絞り込む").fill("田中恵")
        expect(people(page)).to_have_count(1)
        page.get_by_role("button", name="表示中をすべて選ぶ").click()
        page.get_by_label("名前で絞り込む").fill("")
        page.get_by_label("ONだけ表示").click()
        expect(people(page)).to_have_count(4)
        page.get_by_role("checkbox", name="山田 太郎").uncheck()
        expect(people(page)).to_have_count(4)
        expect(page.get_by_text("未保存の変更")).to_contain_text("+1人・−1人")
        page.get_by_role("button", name="保存する").click()
        expect(page.get_by_text("保存しました（+1人・−1人）。いま3人です。")).to_be_visible()
        assert sorted(other.members_of(audience_id)) == [2, 3, 5]

    def test_unsaved_ticks_are_not_lost_by_leaving(self, office: Office, other: Colleague) -> None:
        audience_id, _ = other.group(1)
        page = office(f"audiences/{audience_id}")
        people(page).nth(3).check()
        page.get_by_role("link", name="ホーム").click()
        dialog = page.get_by_role("dialog", name="保存していない変更があります")
        expect(dialog).to_contain_text("+1人")
        dialog.get_by_role("button", name="この画面に残る").click()
        expect(people(page).nth(3)).to_be_checked()
        with page.expect_event("dialog") as asked:
            page.close(run_before_unload=True)
        assert asked.value.type == "beforeunload"
        asked.value.dismiss()
        page.get_by_role("link", name="ホーム").click()
        dialog.get_by_role("button", name="保存せずに移動").click()
        expect(page.get_by_role("heading", name="ホーム")).to_be_visible()
        assert other.members_of(audience_id) == [1]

    def test_two_at_work_do_not_undo_each_other(self, office: Office, other: Colleague) -> None:
        audience_id, _ = other.group(1, 2)
        page = office(f"audiences/{audience_id}")
        page.get_by_role("checkbox", name="鈴木 一郎").check()
        other.send("PUT", f"audiences/{audience_id}/members", {"member_ids": [1, 4]})
        page.get_by_role("button", name="保存する").click()
        expect(page.get_by_text("いま3人です")).to_be_visible()
        assert sorted(other.members_of(audience_id)) == [1, 3, 4]

    def test_deleted_by_somebody_else_meanwhile(self, office: Office, other: Colleague) -> None:
        audience_id, _ = other.group(1)
        page = office(f"audiences/{audience_id}")
        people(page).nth(3).check()
        other.send("DELETE", f"audiences/{audience_id}")
        page.get_by_role("button", name="保存する").click()
        expect(page.get_by_role("alert")).to_contain_text("ほかの人が削除したようです")
        page.get_by_role("link", name="グループの一覧へ").click()
        expect(page.get_by_role("heading", name="グループ", exact=True)).to_be_visible()

    def test_a_save_that_fails_keeps_the_ticks(self, office: Office, other: Colleague, complaints: Complaints) -> None:
        audience_id, _ = other.group(1)
        page = office(f"audiences/{audience_id}")
        people(page).nth(3).check()
        page.route("**/members", lambda route: route.abort())
        page.get_by_role("button", name="保存する").click()
        expect(page.get_by_role("alert")).to_contain_text("サーバーにつながりません")
        expect(people(page).nth(3)).to_be_checked()
        page.unroute_all()
        page.get_by_role("button", name="保存する").click()
        expect(page.get_by_text("保存しました（+1人）")).to_be_visible()
        complaints.expect("ERR_FAILED")


def test_it_fits_and_can_be_used_by_everybody(office: Office, other: Colleague) -> None:
    audience_id, name = other.group(1, 2)
    other.group()
    page = office("audiences", "phone")
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    check_every_size(page)
    page.goto(page.url.replace("/audiences", f"/audiences/{audience_id}"))
    expect(people(page).first).to_be_visible()
    check_every_size(page)


def test_a_group_that_never_was(office: Office) -> None:
    for path in ("audiences/987654", "audiences/x"):
        page = office(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("このグループはありません")
