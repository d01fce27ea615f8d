"""Over LINE's monthly limit: every dialog that tells people asks once, and the board shows by which way they heard."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Demo
from tests.browser.test_screens import check_every_size
from tests.browser.thread_desk import ThreadDesk, open_thread_desk
from tests.browser.thread_form import OpenPage

FIRST, SECOND, THIRD = "山田 太郎", "佐藤 花子", "鈴木 一郎"
WARNING = "LINEの今月の上限を超えます"
CONFIRM = "上限を超えることを確かめました"


@pytest.fixture
def desk(demo: Demo) -> Iterator[ThreadDesk]:
    with open_thread_desk(demo) as opened:
        yield opened


@contextmanager
def nothing_left(desk: ThreadDesk) -> Iterator[None]:
    """The demo is shared, so the limit is lifted afterwards."""
    quota = f"{desk.desk.phones}/_sandbox/quota"
    desk.desk.client.put(quota, json={"type": "limited", "value": 0, "total_usage": 0}).raise_for_status()
    try:
        yield
    finally:
        desk.desk.client.put(quota, json={"type": "none"}).raise_for_status()


def _open(office: OpenPage, thread_id: str) -> Page:
    page = office(f"threads/{thread_id}", "phone")
    expect(page.get_by_text("自動更新中")).to_be_visible()
    return page


def _choose(page: Page, action: str) -> Locator:
    page.get_by_role("button", name=action, exact=True).click()
    return page.get_by_role("dialog")


def _confirm(page: Page, dialog: Locator, button: str) -> None:
    expect(dialog.get_by_text(WARNING)).to_be_visible()
    expect(dialog.get_by_text("LINEで送れない方には、メールで送ります。")).to_be_visible()
    expect(dialog.get_by_role("button", name=button)).to_be_disabled()
    check_every_size(page)
    dialog.get_by_label(CONFIRM).check()
    dialog.get_by_role("button", name=button).dblclick()


def test_a_decision_and_its_end_need_one_confirmation_each(office: OpenPage, desk: ThreadDesk) -> None:
    thread_id = desk.ask("上限の日程", (FIRST, SECOND))
    page = _open(office, thread_id)
    with nothing_left(desk):
        dialog = _choose(page, "決定する")
        dialog.get_by_role("radio").first.check()
        dialog.get_by_label(re.compile("^理由")).fill("会長の都合")
        dialog.get_by_role("button", name="確認へ進む").click()
        _confirm(page, dialog, "決定して2人に知らせる")
        expect(page.get_by_text(re.compile("に決定しました。2人に知らせます。"))).to_be_visible()
        dialog = _choose(page, "中止")
        dialog.get_by_role("button", name="確認へ進む").click()
        _confirm(page, dialog, "中止にして2人に知らせる")
        expect(page.get_by_text("日程調整を中止にしました。")).to_be_visible()
        # LINE refused, so the message went on by mail, and the board says so.
        page.get_by_role("button", name=FIRST, exact=True).click()
        expect(page.get_by_role("dialog")).to_contain_text(re.compile("中止のお知らせ：メールで.*送りました.*上限"))
    told = desk.sql("SELECT type, count(*) FROM thread_messages WHERE thread_id = ? GROUP BY type", thread_id)
    assert dict(told) == {"invite": 2, "decision": 2, "cancelled": 2}


def test_further_people_need_a_confirmation(office: OpenPage, desk: ThreadDesk) -> None:
    thread_id = desk.ask("上限の追加", (FIRST,))
    page = _open(office, thread_id)
    with nothing_left(desk):
        page.get_by_role("button", name="変更する").click()
        page.get_by_role("menuitem", name="人を追加").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("会員を名前で探す").fill(THIRD)
        dialog.get_by_role("checkbox", name=THIRD).check()
        dialog.get_by_role("button", name="確認へ進む").click()
        _confirm(page, dialog, "1人に送る")
        expect(page.get_by_text("1人に招待を送ります。")).to_be_visible()
