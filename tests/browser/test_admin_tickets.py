"""Tickets in the office's console: a trouble is seen, taken on and closed."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import Colleague, colleague
from tests.browser.alarm_desk import escalate, new_rule
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]


@pytest.fixture
def desk(demo: Demo) -> Iterator[Colleague]:
    with colleague(demo) as found:
        yield found


def ticket_id(desk: Colleague, rule_code: str) -> int:
    tickets = desk.get("tickets?limit=100")["tickets"]
    return next(int(one["id"]) for one in tickets if one["rule_code"] == rule_code)


def test_a_trouble_is_taken_on_and_closed_with_a_note(office: Office, demo: Demo, desk: Colleague) -> None:
    code = new_rule(desk)
    title = f"入口の端末から返事がありません（{code}）"
    escalate(demo, code, title)
    escalate(demo, code, title)
    page = office("tickets", "phone")
    row = page.get_by_role("table", name="チケット").locator("tbody tr", has_text=title)
    expect(row).to_contain_text("2回")
    expect(row).to_contain_text("注意")
    check_every_size(page)
    row.get_by_role("link", name=title).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_text("ChatWorkに知らせました").first).to_be_visible()
    page.get_by_text("システムの担当者のための内容").click()
    expect(page.get_by_text("Door", exact=True)).to_be_visible()
    check_every_size(page)
    page.get_by_role("button", name="対応中にする").click()
    dialog = page.get_by_role("dialog", name="対応中にする")
    expect(dialog.get_by_label("メモ（空でもかまいません）")).to_be_focused()
    check_every_size(page)
    dialog.get_by_role("button", name="対応中にする").dblclick()
    expect(page.get_by_text("対応中にしました。")).to_be_visible()
    expect(page.get_by_role("button", name="対応中にする")).to_have_count(0)
    page.get_by_role("button", name="完了にする").click()
    dialog = page.get_by_role("dialog", name="完了にする")
    dialog.get_by_label("メモ（空でもかまいません）").fill("電源を入れ直した")
    # A second press must not be answered by the refusal that a closed ticket gives.
    dialog.get_by_role("button", name="完了にする").dblclick()
    expect(page.get_by_text("完了にしました。")).to_be_visible()
    expect(page.get_by_text("完了しました", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="完了にする")).to_have_count(0)
    page.get_by_role("link", name="メモと操作の履歴を見る").click()
    page.get_by_role("row").filter(has_text="チケットを完了").get_by_role("button", name="詳細").click()
    expect(page.get_by_text("電源を入れ直した")).to_be_visible()
    closed = desk.get(f"tickets/{ticket_id(desk, code)}")
    assert (closed["status"], closed["closed_by"]) == ("closed", "admin:jimukyoku")


def test_a_ticket_that_somebody_else_closed_says_so(
    office: Office, demo: Demo, desk: Colleague, complaints: Complaints
) -> None:
    code = new_rule(desk, channels=[])
    escalate(demo, code, f"端末の時計がずれています（{code}）", None)
    number = ticket_id(desk, code)
    page = office(f"tickets/{number}", "phone")
    expect(page.get_by_text("どれにも知らせていません")).to_be_visible()
    page.get_by_role("button", name="完了にする").click()
    desk.send("POST", f"tickets/{number}/close", {})
    dialog = page.get_by_role("dialog", name="完了にする")
    dialog.get_by_role("button", name="完了にする").click()
    expect(dialog.get_by_role("alert")).to_contain_text("すでに完了しています")
    check_every_size(page)
    dialog.get_by_role("button", name="閉じる").last.click()
    expect(page.get_by_text("完了しました", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="完了にする")).to_have_count(0)
    complaints.expect("status of 409")


def test_the_calls_of_a_ticket_lead_to_their_record(office: Office, demo: Demo, desk: Colleague) -> None:
    code = new_rule(desk)
    escalate(demo, code, f"鍵の電池が少なくなっています（{code}）")
    page = office(f"tickets/{ticket_id(desk, code)}", "phone")
    page.get_by_role("link", name="ChatWork post").click()
    drawer = page.get_by_role("dialog", name="呼び出し")
    expect(drawer).to_contain_text("成功（200）")
    expect(drawer.get_by_role("heading", name="同じ処理の呼び出し")).to_be_visible()
    check_every_size(page)
    drawer.get_by_role("button", name="閉じる").click()
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("table", name="呼び出し").locator("tbody tr")).to_have_count(1)


def test_a_number_that_no_ticket_has(office: Office) -> None:
    page = office("tickets/999999")
    expect(page.get_by_role("heading", level=1)).to_have_text("チケットが見つかりません")
    page.get_by_role("link", name="チケットの一覧").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("チケット")
