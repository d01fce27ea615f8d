"""A name that waits for the office: the member's page goes on by itself after one click in the console."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo
from tests.browser.member_desk import LIFF
from tests.browser.test_screens import check_every_size

OpenPage = Callable[..., Page]


def wait_for_the_office(demo: Demo, user_id: str, name: str) -> None:
    """As with `ONBOARDING_AUTO_LINK=off`, which the demo does not have."""
    row = (user_id, name, "ゆうこ", None, "2026-11-18T08:02:00+09:00")
    with closing(sqlite3.connect(demo.data_dir / "tsudoi.sqlite3", timeout=60)) as database, database:
        columns = "user_id, full_name, display_name, picture_url, requested_at"
        database.execute(f"INSERT INTO waiting_registrations ({columns}) VALUES (?, ?, ?, ?, ?)", row)


def test_one_click_lets_somebody_in(
    demo: Demo, office: OpenPage, open_page: OpenPage, new_friend: Callable[[str], str]
) -> None:
    user_id = new_friend("ゆうこ")
    wait_for_the_office(demo, user_id, "坂本　優子")
    wait_for_the_office(demo, new_friend("ゆう"), "山口　優子")
    phone = open_page(f"{demo.phones}{LIFF}/?as={user_id}", "phone")
    expect(phone.get_by_role("heading", level=1)).to_have_text("事務局の確認を待っています")
    check_every_size(phone)
    console = office("friends", "phone")
    waiting = console.get_by_role("table", name="登録の確認を待っている方")
    expect(waiting).to_contain_text("坂本　優子")
    expect(waiting).to_contain_text("LINEの名前：ゆうこ")
    check_every_size(console)
    # A name that is only alike is asked about once more.
    waiting.get_by_role("button", name=re.compile("山口.優子と入力した方を、.*坂本 優子")).click()
    asked = console.get_by_role("dialog", name="友だちと会員を連携")
    expect(asked.get_by_role("button", name="坂本 優子さんと連携する")).to_be_visible()
    asked.get_by_role("button", name="やめる").click()
    waiting.get_by_role("button", name=re.compile("坂本.優子と入力した方を、.*坂本 優子")).click()
    expect(console.get_by_text("これから案内が届きます")).to_be_visible()
    expect(phone.get_by_text("事務局の確認が終わりました。")).to_be_visible()
    # The demo is shared: none of these two is left waiting.
    waiting.get_by_role("button", name="山口　優子と入力した方を断る").click()
    console.get_by_role("dialog").get_by_role("button", name="断る", exact=True).click()
    expect(console.get_by_text("山口　優子")).to_have_count(0)


def test_who_is_turned_away_types_again(
    demo: Demo, office: OpenPage, open_page: OpenPage, new_friend: Callable[[str], str]
) -> None:
    user_id = new_friend("みしらぬひと")
    wait_for_the_office(demo, user_id, "知らない人")
    phone = open_page(f"{demo.phones}{LIFF}/register?as={user_id}", "phone")
    expect(phone.get_by_role("heading", level=1)).to_have_text("事務局の確認を待っています")
    console = office("friends")
    console.get_by_role("button", name="知らない人と入力した方を断る").click()
    console.get_by_role("dialog").get_by_role("button", name="断る", exact=True).click()
    expect(console.get_by_text("知らない人")).to_have_count(0)
    expect(phone.get_by_text("事務局で確認できませんでした")).to_be_visible()
    expect(phone.get_by_label("お名前")).to_be_visible()
