import sqlite3
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo, log_in

OpenPage = Callable[..., Page]
GOOD = "a-good-long-password"


@pytest.fixture
def office(demo: Demo, open_page: OpenPage) -> OpenPage:
    """Logged in on the form, as the office does it."""

    def opened() -> Page:
        page = open_page(f"{demo.product}/admin/")
        log_in(page)
        page.get_by_role("form", name="ログイン").wait_for(state="detached")
        page.get_by_role("heading", level=1).wait_for()
        return page

    return opened


class TestLogIn:
    def test_goes_to_the_home_screen_and_out_again(self, demo: Demo, open_page: OpenPage) -> None:
        page = open_page(demo.product)
        log_in(page)
        expect(page.get_by_role("heading", name="ホーム")).to_be_visible()
        expect(page.get_by_text("jimukyoku").first).to_be_visible()
        page.get_by_role("button", name="ログアウト").click()
        expect(page.get_by_role("button", name="ログイン", exact=True)).to_be_visible()
        page.go_back()
        page.reload()
        expect(page.get_by_role("button", name="ログイン", exact=True)).to_be_visible()
        expect(page.get_by_text("LINEの友だち")).to_have_count(0)

    def test_survives_a_reload(self, office: OpenPage) -> None:
        page = office()
        page.reload()
        expect(page.get_by_role("heading", name="ホーム")).to_be_visible()

    def test_says_what_is_missing_and_sends_nothing(self, demo: Demo, open_page: OpenPage) -> None:
        page = open_page(f"{demo.product}/admin/")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/login") else None)
        page.get_by_role("button", name="ログイン", exact=True).click()
        expect(page.get_by_text("ユーザー名を入力してください")).to_be_visible()
        expect(page.get_by_text("パスワードを入力してください")).to_be_visible()
        assert sent == []

    def test_a_double_click_sends_once(self, demo: Demo, open_page: OpenPage) -> None:
        page = open_page(f"{demo.product}/admin/")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/login") else None)
        page.get_by_label("ユーザー名").fill("jimukyoku")
        page.get_by_label("パスワード", exact=True).fill("tsudoi-demo-2025")
        page.get_by_role("button", name="ログイン", exact=True).dblclick()
        expect(page.get_by_role("heading", name="ホーム")).to_be_visible()
        assert len(sent) == 1

    def test_five_wrong_passwords_lock_the_name(self, demo: Demo, open_page: OpenPage) -> None:
        demo.command("admin", "create", "locked-out", "--password-stdin", typed=f"{GOOD}\n")
        page = open_page(f"{demo.product}/admin/")
        for _ in range(4):
            log_in(page, "locked-out", "wrong")
            expect(page.get_by_text("ユーザー名またはパスワードが違います")).to_be_visible()
        log_in(page, "locked-out", "wrong")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("ログインを一時的に止めています")
        expect(alert).to_contain_text("分")
        expect(page.get_by_role("button", name="ログイン", exact=True)).to_be_disabled()
        other_browser = open_page(f"{demo.product}/admin/")
        log_in(other_browser, "locked-out", GOOD)
        expect(other_browser.get_by_role("alert")).to_contain_text("ログインを一時的に止めています")


class TestAnExpiredSession:
    def test_asks_over_the_page_and_goes_on_where_one_was(self, demo: Demo, office: OpenPage) -> None:
        page = office()
        with sqlite3.connect(demo.data_dir / "tsudoi.sqlite3") as database:
            database.execute("UPDATE sessions SET revoked_at = created_at WHERE kind = 'admin'")
        database.close()
        # The home screen asks the server now and then by itself, so that the dialog may already lie over the link.
        page.get_by_role("link", name="操作履歴").dispatch_event("click")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("セッションの有効期限が切れました")
        dialog.get_by_label("パスワード", exact=True).fill("tsudoi-demo-2025")
        dialog.get_by_role("button", name="ログイン", exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("heading", name="操作履歴")).to_be_visible()
        expect(page.get_by_role("cell", name="ログイン").first).to_be_visible()

    def test_a_deep_link_comes_back_after_log_in(self, demo: Demo, open_page: OpenPage) -> None:
        page = open_page(f"{demo.product}/admin/audit")
        log_in(page)
        expect(page.get_by_role("heading", name="操作履歴")).to_be_visible()
