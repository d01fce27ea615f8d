"""The member's screens as a phone shows them: list, event, picture, folds, and the way between them."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import SIZES, Demo, eventually
from tests.browser.member_desk import Desk, open_desk
from tests.browser.test_friends import overflows
from tests.browser.test_screens import check_every_size, serious

OpenPage = Callable[..., Page]
TARO, HANAKO, ICHIRO = "山田 太郎", "佐藤 花子", "鈴木 一郎"
# A hundred events are made at once, which would push the others off the first page.
OWN_DEMO = True
LONG = "特定非営利活動法人みらいと地域をむすぶ会 令和八年度通常総会ならびに創立四十周年記念式典および祝賀会のご案内"


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[Desk]:
    with open_desk(demo.product, demo.phones, demo.data_dir) as opened:
        yield opened


def linked(desk: Desk, new_friend: Callable[[str], str], name: str) -> str:
    """A new friend with a name from the roster, once the product has found it there."""
    user_id = new_friend(name)
    eventually(lambda: name in desk.member_ids())
    return user_id


class Asked:
    """What a page asks the product for, beside the session: the paths in their order.

    The browser's own list (`performance.getEntries`) has a request only some time after its answer.
    """

    def __init__(self) -> None:
        self.paths: list[str] = []

    def note(self, request: Request) -> None:
        path = request.url.partition("/api/liff/")[2]
        if path and path != "session":
            self.paths.append(path)


class TestTheList:
    def test_unanswered_first_and_the_past_apart(self, desk: Desk, open_page: OpenPage) -> None:
        waits = desk.invite(LONG, (ICHIRO,), days=300)
        done, gone = desk.invite("茶話会", (ICHIRO,), days=200), desk.invite("運動会", (ICHIRO,))
        off = desk.invite("夜店", (ICHIRO,), days=210)
        desk.answer_for(done, ICHIRO, "absent")
        desk.cancel(off, "雨のため")
        desk.set_time(gone, "held_at", -20)
        page = open_page(desk.link(ICHIRO, "events"), "phone")
        coming = page.get_by_role("list", name="これからのお願い").get_by_role("link")
        page.wait_for_url("**/liff/events")
        expect(coming.first).to_be_visible()
        titles = coming.locator(".row-title").all_text_contents()
        assert titles.index(LONG) < titles.index("茶話会") < titles.index("夜店")
        expect(coming.filter(has_text="茶話会")).to_contain_text("欠席")
        expect(coming.filter(has_text="夜店")).to_contain_text("中止")
        expect(page.get_by_role("region", name="過去のお願い")).to_contain_text("運動会")
        assert all(box["height"] >= 48 for row in coming.all() if (box := row.bounding_box()))
        coming.filter(has_text=LONG).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(LONG)
        assert page.url.endswith(f"/liff/events/{waits}")

    def test_a_hundred_events_and_back_to_the_same_place(
        self, desk: Desk, open_page: OpenPage, new_friend: Callable[[str], str]
    ) -> None:
        user_id = linked(desk, new_friend, "井上 修")
        desk.repeat(desk.invite("定例会", ("井上 修",)), 100)
        page = open_page(desk.link(user_id, ""), "phone")
        row = page.get_by_role("link").filter(has_text="定例会 第80回")
        row.scroll_into_view_if_needed()
        before = page.evaluate("scrollY")
        row.click()
        expect(page.get_by_role("heading", level=1)).to_be_focused()
        expect(page).to_have_title("定例会 第80回｜集い")
        assert page.evaluate("scrollY") == 0
        page.go_back()
        expect(row).to_be_in_viewport()
        assert abs(page.evaluate("scrollY") - before) < 5
        assert not overflows(page)

    def test_nobody_asked_anything_yet(self, desk: Desk, open_page: OpenPage, new_friend: Callable[[str], str]) -> None:
        page = open_page(desk.link(linked(desk, new_friend, "木村 明美"), "events"), "phone")
        expect(page.get_by_role("heading", name="いま、お願いはありません")).to_be_visible()
        assert serious(page) == []


class TestTheEvent:
    def test_is_accessible_and_fits_also_in_large_type(self, desk: Desk, open_page: OpenPage) -> None:
        event = desk.invite(LONG, (TARO,), extra_text_enabled="true", body="地図 https://example.jp/map です。")
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        page.get_by_role("button", name="出席", exact=True).click()
        expect(page.get_by_label("備考")).to_be_visible()
        expect(page.get_by_role("link", name="https://example.jp/map")).to_have_attribute("rel", "noopener noreferrer")
        page.get_by_text("出欠状況").click()
        expect(page.locator(".people")).to_be_visible()
        check_every_size(page)
        page.evaluate("document.documentElement.style.fontSize = '28px'")
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            assert not overflows(page), width

    def test_who_comes_and_who_answered_what_are_folded(self, desk: Desk, open_page: OpenPage) -> None:
        event = desk.invite("役員会", (TARO, HANAKO, ICHIRO), extra_text_enabled="true")
        desk.answer_for(event, HANAKO, "attend", "電話で承りました")
        asked = Asked()
        page = open_page(desk.link(TARO, f"events/{event}"), "phone", on_request=asked.note)
        expect(page.get_by_role("heading", level=1)).to_have_text("役員会")
        assert asked.paths == [f"events/{event}"]
        expect(page.get_by_text("出欠回答履歴")).to_have_count(0)
        page.get_by_text("出欠状況").click()
        expect(page.locator(".people li")).to_have_text(
            [f"{TARO}未回答", f"{HANAKO}出席", f"{ICHIRO}未回答"], use_inner_text=False
        )
        expect(page.locator(".counts")).to_have_text("出席1人欠席0人未回答2人")
        page.get_by_text("出欠回答履歴").click()
        expect(page.locator(".history li")).to_contain_text([f"{HANAKO}出席電話で承りました"])
        assert asked.paths[1:] == [f"events/{event}/status", f"events/{event}/history"]
        page.get_by_role("button", name="欠席", exact=True).click()
        expect(page.locator(".counts")).to_have_text("出席1人欠席1人未回答1人")
        expect(page.locator(".history li")).to_have_count(2)

    def test_the_picture_opens_and_the_back_button_closes_it(self, desk: Desk, open_page: OpenPage) -> None:
        event = desk.invite("展覧会", (TARO,))
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        opener = page.get_by_role("button", name="画像を大きく見る")
        opener.click()
        viewer = page.get_by_role("dialog")
        expect(viewer.get_by_role("img")).to_have_attribute("src", re.compile(r"/notice_o\.jpg$"))
        viewer.get_by_role("button", name="拡大").click()
        assert "scale(1.6)" in (viewer.get_by_role("img").get_attribute("style") or "")
        page.go_back()
        expect(viewer).to_have_count(0)
        assert page.url.endswith(f"/events/{event}")
        opener.click()
        expect(viewer.get_by_role("button", name="拡大")).to_be_visible()
        page.keyboard.press("Escape")
        expect(viewer).to_have_count(0)
        expect(opener).to_be_focused()

    def test_works_with_the_keyboard_alone(self, desk: Desk, open_page: OpenPage) -> None:
        event = desk.invite("朗読会", (TARO,))
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        expect(page.get_by_role("button", name="出席", exact=True)).to_be_visible()
        for name in ("一覧へ", "画像を大きく見る", "出席"):
            page.keyboard.press("Tab")
            expect(page.locator(":focus")).to_contain_text(name)
        page.keyboard.press("Enter")
        expect(page.locator(".dock").get_by_role("status")).to_contain_text("出席で回答済み")

    def test_what_is_over_or_anothers_or_unknown(self, desk: Desk, open_page: OpenPage) -> None:
        past, theirs = desk.invite("夏祭り", (TARO,)), desk.invite("委員会", (HANAKO,))
        desk.answer_for(past, TARO, "attend")
        desk.set_time(past, "held_at", -1)
        page = open_page(desk.link(TARO, f"events/{past}"), "phone")
        expect(page.get_by_text("このイベントの日は終わりました")).to_be_visible()
        expect(page.get_by_text("出席で回答済み")).to_be_visible()
        for path, words in (
            (f"events/{theirs}", "ご案内の対象ではありません"),
            ("events/999999", "イベントが見つかりません"),
        ):
            page.goto(desk.link(TARO, path))
            expect(page.get_by_role("heading", level=1)).to_have_text(words)
            page.get_by_role("link", name="一覧を見る").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("あなたへのお願い")
            expect(page.get_by_text(f"{TARO}さん", exact=True)).to_be_visible()

    def test_the_link_in_the_chat_opens_it_on_the_first_tap(self, desk: Desk, open_page: OpenPage) -> None:
        event = desk.invite("句会", (TARO,))
        phones = open_page(desk.phones)
        phones.locator(f'a[href$="/events/{event}"]').last.click()
        page = phones.frame_locator("iframe").first
        expect(page.get_by_role("heading", level=1)).to_have_text("句会")
        page.get_by_role("button", name="出席", exact=True).click()
        expect(page.locator(".dock").get_by_role("status")).to_contain_text("出席で回答済み")
