from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo

OpenPage = Callable[..., Page]
LONG_NAME = "特定非営利活動法人みらいと地域をむすぶ会 事務局長 勅使河原 龍之介（携帯）"


class TestANewFriend:
    def test_appears_on_the_phones_page_reaches_the_office_and_opens_the_member_page(
        self, demo: Demo, open_page: OpenPage, office: OpenPage
    ) -> None:
        phones = open_page(demo.phones)
        phones.get_by_role("button", name="友だちを増やす", exact=True).click()
        dialog = phones.get_by_role("dialog")
        dialog.get_by_role("textbox").fill("渡辺 さくら")
        dialog.get_by_role("button", name="この人の電話を出す").click()
        phones.get_by_role("button", name="友だち追加").last.click()
        expect(phones.get_by_role("button", name="友だち追加")).to_have_count(0)

        console = office("friends")
        expect(console.get_by_role("cell", name="渡辺 さくら", exact=True)).to_be_visible()

        phones.get_by_role("button", name="会員ページを開く").last.click()
        greeting = phones.frame_locator("iframe").get_by_role("heading", level=1)
        expect(greeting).to_contain_text("渡辺 さくらさん")

    def test_with_a_long_name_fits_everywhere(
        self, demo: Demo, open_page: OpenPage, office: OpenPage, new_friend: Callable[[str], str]
    ) -> None:
        user_id = new_friend(LONG_NAME)
        for size in ("phone", "desktop"):
            console = office("friends", size)
            expect(console.get_by_text(LONG_NAME).first).to_be_visible()
            assert not overflows(console)
            member = open_page(f"{demo.phones}/liff/1650000000-tsudoiDM/?as={user_id}", size)
            expect(member.get_by_role("heading", level=1)).to_contain_text("勅使河原")
            assert not overflows(member)

    def test_who_blocks_is_shown_as_blocked(
        self, demo: Demo, open_page: OpenPage, office: OpenPage, new_friend: Callable[[str], str]
    ) -> None:
        user_id = new_friend("小林 ブロック")
        phones = open_page(f"{demo.phones}/")
        phones.evaluate("id => fetch(`/_sandbox/users/${id}/block`, {method: 'POST'})", user_id)
        console = office("friends")
        row = console.get_by_role("row").filter(has_text="小林 ブロック")
        expect(row).to_contain_text("ブロック")


class TestTwoPhonesInOneBrowser:
    def test_each_greets_its_own_person(self, demo: Demo, open_page: OpenPage) -> None:
        """They share one cookie jar, so each page has to notice that the session is another's and ask for its own."""
        page = open_page(demo.phones)
        buttons = page.get_by_role("button", name="会員ページを開く")
        buttons.nth(0).click()
        first = page.frame_locator("iframe").first.get_by_role("main")
        expect(first).to_contain_text("山田 太郎さん")
        buttons.nth(1).click()
        expect(page.frame_locator("iframe").nth(1).get_by_role("main")).to_contain_text("佐藤 花子さん")
        page.get_by_role("button", name="読み込み直す").first.click()
        expect(first).to_contain_text("山田 太郎さん")


def overflows(page: Page) -> bool:
    found: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return found
