"""Administrators: the first log-in, the second factor, sessions, and who is let in no longer."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually, log_in
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious
from tsudoi.access.second_factor.rules import code_at, step_of

OpenPage = Callable[..., Page]
GOOD, BETTER = "a phrase nobody guesses", "three otters juggle acorns"


@pytest.fixture
def newcomer(demo: Demo) -> str:
    """An administrator of this test's own: the demo is shared."""
    name = f"kanri-{uuid.uuid4().hex[:8]}"
    demo.command("admin", "create", name, "--password-stdin", typed=f"{GOOD}\n")
    return name


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has_text=name)


def opened(page: Page, name: str) -> Locator:
    """The drawer about one administrator."""
    page.get_by_role("button", name=f"{name}の詳細と操作").click()
    drawer = page.get_by_role("dialog", name=name)
    expect(drawer).to_be_visible()
    return drawer


def confirm(page: Page, title: str, action: str) -> None:
    page.get_by_role("dialog", name=title).get_by_role("button", name=action, exact=True).click()


def change_password(page: Page, current: str, wanted: str) -> None:
    page.get_by_label("現在のパスワード", exact=True).fill(current)
    page.get_by_label("新しいパスワード", exact=True).fill(wanted)
    page.get_by_label("新しいパスワード（もう一度）", exact=True).fill(wanted)
    page.get_by_role("button", name="パスワードを変更する").click()


def begin_totp(page: Page) -> tuple[Locator, str]:
    """The dialog with the QR code, and the key in it."""
    page.get_by_role("button", name="二段階認証を設定する").click()
    page.get_by_role("dialog").get_by_label("現在のパスワード", exact=True).fill(GOOD)
    page.get_by_role("button", name="次へ").click()
    dialog = page.get_by_role("dialog", name="認証アプリに登録")
    return dialog, dialog.locator("code").inner_text().replace(" ", "")


def fits(page: Page) -> None:
    assert serious(page) == []
    assert not overflows(page)


def test_somebody_new_is_given_a_password_once_and_chooses_another(
    demo: Demo, office: OpenPage, open_page: OpenPage, complaints: Complaints
) -> None:
    complaints.expect("status of 400")
    name = f"iincho-{uuid.uuid4().hex[:8]}"
    console = office("admins")
    console.get_by_role("button", name="管理者を登録する").click()
    console.get_by_label("ユーザー名").fill(name)
    console.get_by_role("button", name="登録する", exact=True).click()
    dialog = console.get_by_role("dialog", name="一度だけ使うパスワード")
    given = dialog.locator("code").inner_text()
    fits(console)
    dialog.get_by_role("button", name="伝えました").click()
    expect(row_of(console, name)).to_contain_text("初期パスワード")
    expect(console.get_by_text(given)).to_have_count(0)

    phone = open_page(f"{demo.product}/admin/events", "phone")
    log_in(phone, name, given)
    expect(phone.get_by_text("新しいパスワードを決めてください")).to_be_visible()
    fits(phone)
    change_password(phone, given, f"{name}2025")
    expect(phone.get_by_text("推測されやすいパスワードです")).to_be_visible()
    expect(phone.get_by_label("新しいパスワード", exact=True)).to_be_focused()
    change_password(phone, given, GOOD)
    expect(phone.get_by_role("heading", name="ホーム")).to_be_visible()
    console.reload()
    expect(row_of(console, name)).to_contain_text("有効")


def test_the_second_factor_from_the_qr_code_to_the_recovery_code(
    demo: Demo, open_page: OpenPage, newcomer: str
) -> None:
    page = open_page(f"{demo.product}/admin/account", "phone")
    log_in(page, newcomer, GOOD)
    dialog, secret = begin_totp(page)
    expect(dialog.get_by_role("img", name="認証アプリ用のQRコード")).to_be_visible()
    fits(page)
    now = datetime.now(UTC)
    dialog.get_by_label("認証コード").fill(code_at(secret, step_of(now)))
    dialog.get_by_role("button", name="オンにする").click()
    kept = page.get_by_role("dialog", name="回復コード")
    expect(kept.get_by_role("listitem")).to_have_count(10)
    codes = kept.get_by_role("listitem").all_inner_texts()
    expect(kept.get_by_role("button", name="終わる")).to_be_disabled()
    expect(kept.get_by_role("button", name="閉じる")).to_have_count(0)
    kept.get_by_label("回復コードを控えました").check()
    fits(page)
    kept.get_by_role("button", name="終わる").click()
    expect(page.get_by_text("回復コードは、あと10個です")).to_be_visible()

    again = open_page(f"{demo.product}/admin/account")
    log_in(again, newcomer, GOOD)
    expect(again.get_by_label("認証コード")).to_be_focused()
    fits(again)
    # The code of the set-up, which was used.
    again.get_by_label("認証コード").fill(code_at(secret, step_of(now)))
    again.get_by_role("button", name="ログイン", exact=True).click()
    expect(again.get_by_role("alert")).to_contain_text("認証コードが違うか、すでに使われています")
    again.get_by_label("認証コード").fill(codes[0].upper())
    again.get_by_role("button", name="ログイン", exact=True).click()
    expect(again.get_by_text("回復コードは、あと9個です")).to_be_visible()

    fresh = open_page(f"{demo.product}/admin/account")
    log_in(fresh, newcomer, GOOD)
    # The code after the one of the set-up: a telephone may be one step ahead of us, or we are there by now.
    fresh.get_by_label("認証コード").fill(code_at(secret, step_of(max(now + timedelta(seconds=30), datetime.now(UTC)))))
    fresh.get_by_role("button", name="ログイン", exact=True).click()
    expect(fresh.get_by_text("回復コードは、あと9個です")).to_be_visible()

    fresh.get_by_role("button", name="オフにする").press("Enter")
    off = fresh.get_by_role("dialog", name="二段階認証をオフにする")
    off.get_by_label("現在のパスワード", exact=True).fill(GOOD)
    off.get_by_label("現在のパスワード", exact=True).press("Enter")
    expect(fresh.get_by_role("button", name="二段階認証を設定する")).to_be_visible()
    expect(fresh.get_by_role("heading", name="二段階認証")).to_be_focused()
    fresh.keyboard.press("Tab")
    expect(fresh.get_by_role("button", name="二段階認証を設定する")).to_be_focused()


def test_somebody_who_had_to_set_up_the_second_factor_goes_on_to_everything_else(
    demo: Demo, open_page: OpenPage, newcomer: str
) -> None:
    def requires_it(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "next_step": "totp"})

    page = open_page("about:blank")
    # The demo is shared, and its setting leaves the choice to everybody.
    page.route("**/api/admin/me", requires_it)
    page.goto(f"{demo.product}/admin/members")
    log_in(page, newcomer, GOOD)
    expect(page.get_by_role("heading", name="自分のアカウント")).to_be_visible()
    expect(page.get_by_role("link", name="会員名簿")).to_have_count(0)
    dialog, secret = begin_totp(page)
    dialog.get_by_label("認証コード").fill(code_at(secret, step_of(datetime.now(UTC))))
    dialog.get_by_role("button", name="オンにする").click()
    page.get_by_label("回復コードを控えました").check()
    # The page behind the dialog knows by now that nothing is left to do.
    expect(page.get_by_text("回復コードは、あと10個です")).to_be_attached()
    page.unroute("**/api/admin/me")
    page.get_by_role("button", name="終わる").click()
    expect(page.get_by_role("heading", name="ホーム")).to_be_visible()
    expect(page.get_by_role("link", name="会員名簿").first).to_be_visible()


def test_changing_the_password_ends_the_other_browser(demo: Demo, open_page: OpenPage, newcomer: str) -> None:
    here, there = (open_page(f"{demo.product}/admin/account", size) for size in ("phone", "desktop"))
    for page in (there, here):
        log_in(page, newcomer, GOOD)
        expect(page.get_by_role("heading", name="自分のアカウント")).to_be_visible()
    expect(here.get_by_text("LinuxのChrome").first).to_be_visible()
    change_password(here, GOOD, BETTER)
    expect(here.get_by_text("パスワードを変更しました。ほかのログインとAPIトークン1件を終了しました。")).to_be_visible()
    there.get_by_role("link", name="操作履歴").click()
    expect(there.get_by_role("dialog")).to_contain_text("セッションの有効期限が切れました")
    # The browser in which it was changed goes on, with its new session.
    here.reload()
    expect(here.get_by_role("heading", name="自分のアカウント")).to_be_visible()


def test_a_colleague_ends_sessions_and_disables(
    demo: Demo, office: OpenPage, open_page: OpenPage, newcomer: str
) -> None:
    victim = open_page(f"{demo.product}/admin/audit")
    log_in(victim, newcomer, GOOD)
    expect(victim.get_by_role("heading", name="操作履歴")).to_be_visible()
    demo.command("admin", "token", newcomer, "--label", "会計ソフト")
    console = office("admins", "phone")
    drawer = opened(console, newcomer)
    fits(console)
    drawer.get_by_role("button", name="会計ソフトを終了").click()
    confirm(console, "APIトークンを終了", "終了する")
    expect(drawer.get_by_text("会計ソフト")).to_have_count(0)
    drawer.get_by_role("button", name="無効にする").click()
    # A dialog gets its name a moment after it appears.
    expect(console.get_by_role("dialog", name="管理者を無効にする")).to_be_visible()
    fits(console)
    confirm(console, "管理者を無効にする", "無効にする")
    expect(drawer.get_by_text("ログイン中の端末も、APIトークンもありません。")).to_be_visible()
    expect(drawer.get_by_role("button", name="有効にする")).to_be_visible()
    victim.get_by_role("link", name="会員名簿").click()
    expect(victim.get_by_role("dialog")).to_contain_text("セッションの有効期限が切れました")
    log = office("audit")
    expect(row_of(log, newcomer).filter(has_text="管理者を無効化")).to_be_visible()
    expect(row_of(log, newcomer).filter(has_text="ログインまたはトークンを1件終了")).to_be_visible()


def test_a_reset_password_is_shown_once(demo: Demo, office: OpenPage, newcomer: str, open_page: OpenPage) -> None:
    console = office("admins")
    opened(console, newcomer).get_by_role("button", name="パスワードを再発行する").click()
    confirm(console, "パスワードを再発行", "再発行する")
    given = console.get_by_role("dialog", name="一度だけ使うパスワード").locator("code").inner_text()
    other = open_page(f"{demo.product}/admin/")
    log_in(other, newcomer, GOOD)
    expect(other.get_by_role("alert")).to_contain_text("ユーザー名またはパスワードが違います")
    log_in(other, newcomer, given)
    expect(other.get_by_text("新しいパスワードを決めてください")).to_be_visible()
    # Nothing else opens before that, whatever address is typed.
    other.goto(f"{demo.product}/admin/members")
    expect(other.get_by_text("新しいパスワードを決めてください")).to_be_visible()
    eventually(lambda: other.url.endswith("/admin/account"))
