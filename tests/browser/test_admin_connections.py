"""The connections to outside systems in the office's console: lights, checks, calls, and who is told of troubles."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import Colleague, colleague
from tests.browser.alarm_desk import ROOM, chatwork_messages, new_rule
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]


@pytest.fixture
def desk(demo: Demo) -> Iterator[Colleague]:
    with colleague(demo) as found:
        yield found


def test_a_check_shows_each_system_and_leads_to_its_calls(office: Office, desk: Colleague) -> None:
    before = len(desk.get("connectivity")["history"])
    page = office("connections", "phone")
    expect(page.get_by_role("link", name="名古屋栄店")).to_be_visible()
    check_every_size(page)
    page.get_by_role("button", name="すべて確かめる").click()
    checked = page.get_by_role("region", name="いま確かめる")
    expect(checked.get_by_role("listitem").filter(has_text="STORES予約")).to_contain_text("正常")
    expect(checked.get_by_role("listitem").filter(has_text="RemoteLOCK")).to_contain_text("未接続")
    check_every_size(page)
    history = page.get_by_role("region", name="これまでの確認").get_by_role("group")
    expect(history).to_have_count(before + 1)
    history.first.locator("summary").click()
    expect(history.first).to_contain_text("RemoteLOCK")
    checked.get_by_role("link", name="この確認の呼び出しを見る").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("呼び出しの記録")
    rows = page.get_by_role("table", name="呼び出し").locator("tbody tr")
    expect(rows.filter(has_text="STORES予約")).to_have_count(1)
    expect(rows.filter(has_text="OpenAI")).to_have_count(1)
    check_every_size(page)


def test_a_call_that_failed_is_found_and_opened(office: Office) -> None:
    page = office("connections/calls", "phone")
    page.get_by_label("相手").select_option("STORES予約")
    page.get_by_label("結果").select_option("失敗")
    row = page.get_by_role("table", name="呼び出し").locator("tbody tr", has_text="大阪梅田店").last
    expect(row).to_contain_text("失敗（401）")
    row.get_by_role("button").click()
    drawer = page.get_by_role("dialog", name="呼び出し")
    expect(drawer).to_contain_text("STORES_CUSTOMER_LOOKUP_FAILED")
    expect(drawer).to_contain_text("email=***")
    check_every_size(page)
    # The open call stands in the address, so that it can be sent to somebody.
    page.reload()
    expect(drawer).to_contain_text("同じ処理の呼び出し")
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    page.get_by_label("処理の番号").fill("no-such-request")
    expect(page.get_by_role("heading", name="条件に合う呼び出しはありません")).to_be_visible()
    check_every_size(page)
    page.get_by_role("button", name="条件を消す").last.click()
    expect(page.get_by_role("table", name="呼び出し")).to_be_visible()


def test_a_rule_is_made_tried_and_paused(office: Office, desk: Colleague) -> None:
    code = "GATE_MAIN"
    page = office("connections/rules", "phone")
    expect(page.get_by_role("heading", name="外部のサービスが続けて失敗したとき")).to_be_visible()
    check_every_size(page)
    page.get_by_role("button", name="ルールを追加").click()
    dialog = page.get_by_role("dialog", name="ルールを追加")
    dialog.get_by_role("checkbox", name="SMS").check()
    dialog.get_by_label("SMSの宛先（電話番号）").fill("店長")
    dialog.get_by_label("同じ問題を、次に知らせるまでの間隔（分）").fill("9999")
    dialog.get_by_role("button", name="追加する").click()
    expect(dialog.get_by_label("ルールのコード")).to_be_focused()
    expect(dialog.get_by_text("半角の数字とハイフンで入力してください")).to_be_visible()
    expect(dialog.get_by_text("0分から1,440分（24時間）にしてください")).to_be_visible()
    check_every_size(page)
    dialog.get_by_label("ルールのコード").fill(code.lower())
    dialog.get_by_label("SMSの宛先（電話番号）").fill("０９０-１２３４-５６７８、090-8765-4321")
    dialog.get_by_label("同じ問題を、次に知らせるまでの間隔（分）").fill("60")
    dialog.get_by_role("button", name="追加する").click()
    expect(page.get_by_text(f"「{code}」のルールを保存しました。")).to_be_visible()
    card = page.get_by_role("listitem").filter(has_text=code)
    expect(card).to_contain_text(
        "SMSに知らせます。同じ問題は、1時間に1回までです。夜（22時〜7時）は、SMSを送りません。"
    )
    card.get_by_role("button", name="変更する").click()
    dialog = page.get_by_role("dialog", name="ルールを変更")
    dialog.get_by_role("button", name="8時間").click()
    dialog.get_by_role("button", name="保存する").click()
    expect(card).to_contain_text("一時停止中")
    rule = next(one for one in desk.get("escalation-rules")["rules"] if one["rule_code"] == code)
    assert (rule["sms_to"], rule["throttle_minutes"]) == ("090-1234-5678, 090-8765-4321", 60)
    assert rule["snoozed_until"] is not None


def test_trying_a_rule_sends_nothing(office: Office, demo: Demo, desk: Colleague) -> None:
    code = new_rule(desk)
    before = chatwork_messages(demo), desk.get("tickets")["counts"]
    page = office("connections/rules", "phone")
    page.get_by_role("button", name=f"{code}：試してみる").click()
    dialog = page.get_by_role("dialog", name="試してみる")
    expect(dialog).to_contain_text("確認だけです。何も送りません。")
    expect(dialog).to_contain_text(f"ルーム {ROOM}")
    expect(dialog).to_contain_text("店舗：全店舗")
    dialog.get_by_label("どの店舗の問題として").select_option("名古屋栄店")
    expect(dialog).to_contain_text("店舗：ngy1")
    check_every_size(page)
    dialog.get_by_role("button", name="閉じる").last.click()
    expect(dialog).to_have_count(0)
    assert (chatwork_messages(demo), desk.get("tickets")["counts"]) == before


def test_what_the_server_refuses_stands_at_its_field(office: Office, desk: Colleague, complaints: Complaints) -> None:
    code = new_rule(desk, channels=[])
    page = office("connections/rules")
    page.route("**/api/admin/escalation-rules/*", lambda route: route.fulfill(status=400, json=_REFUSAL))
    page.get_by_role("button", name=f"{code}：変更する").click()
    dialog = page.get_by_role("dialog", name="ルールを変更")
    dialog.get_by_role("checkbox", name="ChatWork").check()
    dialog.get_by_role("button", name="保存する").click()
    expect(dialog.get_by_role("alert")).to_contain_text("ChatWorkのルームIDを入力してください。")
    expect(dialog.get_by_label("ChatWorkのルームID")).to_be_focused()
    check_every_size(page)
    complaints.expect("status of 400")


_REFUSAL = {
    "code": "INVALID_INPUT",
    "message": "ChatWorkのルームIDを入力してください。",
    "details": [{"field": "chatwork_room_id", "reason": "REQUIRED"}],
}
