"""Somebody whom the roster does not know yet: every screen leads to the registration, and it leads back."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo
from tests.browser.member_desk import Desk, open_desk
from tests.browser.test_screens import check_every_size

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[Desk]:
    with open_desk(demo.product, demo.phones, demo.data_dir) as opened:
        yield opened


class TestRegistering:
    def test_leads_back_to_where_one_was_going(
        self, desk: Desk, open_page: OpenPage, new_friend: Callable[[str], str]
    ) -> None:
        event = desk.invite("発表会", ("山田 太郎",))
        desk.add_target(event, "松本 和子")
        page = open_page(desk.link(new_friend("かずちゃん"), f"events/{event}"), "phone")
        expect(page.get_by_role("heading", level=1)).to_have_text("かずちゃんさん、はじめまして")
        page.get_by_label("お名前").fill("松本　花子")
        page.get_by_role("button", name="登録する").click()
        expect(page.get_by_role("alert")).to_contain_text("名簿に同じお名前が見つかりませんでした")
        expect(page.get_by_label("お名前")).to_be_focused()
        page.get_by_label("お名前").fill("松本和子")
        page.keyboard.press("Enter")
        expect(page.get_by_text("お名前の登録ができました。")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_have_text("発表会")
        assert page.url.endswith(f"/liff/events/{event}")
        page.get_by_role("button", name="出席", exact=True).click()
        expect(page.get_by_text("松本 和子さんとして回答します")).to_be_visible()
        expect(page.locator(".dock").get_by_role("status")).to_contain_text("出席で回答済み")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("発表会")
        expect(page.get_by_text("お名前の登録ができました。")).to_have_count(0)

    @pytest.mark.found("24.C2")
    def test_a_name_that_is_not_found_can_be_handed_to_the_office(
        self, desk: Desk, open_page: OpenPage, new_friend: Callable[[str], str]
    ) -> None:
        page = open_page(desk.link(new_friend("わたなべ"), "register"), "phone")
        expect(page.get_by_role("button", name="事務局に確認を頼む")).to_have_count(0)
        page.get_by_label("お名前").fill("渡邊　やす江")
        page.get_by_role("button", name="登録する").click()
        expect(page.get_by_role("alert").get_by_role("link", name="052-000-0000")).to_have_attribute(
            "href", "tel:0520000000"
        )
        ask = page.get_by_role("button", name="「渡邊　やす江」で事務局に確認を頼む")
        check_every_size(page)
        ask.dblclick()
        expect(page.get_by_role("heading", level=1)).to_have_text("事務局の確認を待っています")
        page.reload()
        expect(page.get_by_text("「渡邊　やす江」さんとして受け付けました。")).to_be_visible()
        waiting = [one["full_name"] for one in desk.client.get("/api/admin/links/waiting").json()["items"]]
        assert waiting.count("渡邊　やす江") == 1

    def test_too_many_tries_are_told_to_wait(
        self, desk: Desk, open_page: OpenPage, new_friend: Callable[[str], str]
    ) -> None:
        page = open_page(desk.link(new_friend("ためすひと"), "register"), "phone")
        submit = page.get_by_role("button", name="登録する")
        submit.click()
        expect(page.get_by_role("alert")).to_contain_text("お名前を入れてください。")
        page.get_by_label("お名前").fill("だれでもない")
        for _ in range(10):
            with page.expect_response("**/register"):
                submit.click()
            expect(submit).to_have_text("登録する")
        submit.click()
        expect(page.get_by_role("alert")).to_contain_text("たってから、もう一度お試しください")

    def test_the_screen(self, desk: Desk, open_page: OpenPage, new_friend: Callable[[str], str]) -> None:
        page = open_page(desk.link(new_friend("はじめてのひと"), ""), "phone")
        expect(page).to_have_title("お名前の登録｜集い")
        assert page.url.endswith("/liff/register")
        check_every_size(page)
