"""Members answer a thread on a phone: ○ △ × with one thumb, never twice, and see what was decided."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious
from tests.browser.thread_desk import ThreadDesk, open_thread_desk, slot
from tests.factories.threads import ANY, ONE_SLOT

OpenPage = Callable[..., Page]
TARO, HANAKO, ICHIRO = "山田 太郎", "佐藤 花子", "鈴木 一郎"
SMALLEST_TARGET = 44
UNSENT = "まだ送れていません。電波の良い所で自動的に送り直します。"


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[ThreadDesk]:
    with open_thread_desk(demo) as opened:
        yield opened


def mark(page: Page, number: int, name: str) -> None:
    """The mark of the slot with this number, from 0."""
    page.get_by_role("group").nth(number).get_by_role("radio", name=name).check()


def send(page: Page) -> None:
    page.get_by_role("button", name="この内容で送る").click()


def send_the_rest_as_no(page: Page) -> None:
    """Dates without a mark are asked about once."""
    send(page)
    page.get_by_role("button", name="×として送る").click()


def well_made(page: Page) -> None:
    assert serious(page) == []
    assert not overflows(page)


class TestAnswering:
    @pytest.mark.parametrize("size", ["phone", "desktop"])
    def test_from_the_list_with_a_mark_for_each_slot(self, desk: ThreadDesk, open_page: OpenPage, size: str) -> None:
        title = f"理事会の日程 {size}"
        thread = desk.ask(title, (TARO,), place="本部 3階", description="資料は https://example.jp/a です。")
        page = open_page(desk.desk.link(TARO, ""), size)
        row = page.get_by_role("link").filter(has_text=title)
        expect(row).to_contain_text("日程調整")
        expect(row).to_contain_text("未回答")
        expect(row).to_contain_text("回答期限")
        row.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.get_by_text("本部 3階")).to_be_visible()
        for target in page.locator(".mark, .dock button, .none-of-them").all():
            box = target.bounding_box()
            assert box is not None
            assert min(box["height"], box["width"]) >= SMALLEST_TARGET
        well_made(page)
        mark(page, 0, "参加できる")
        mark(page, 2, "調整すれば")
        expect(page.get_by_text("あと1つです。")).to_be_visible()
        page.get_by_label("ひとこと").fill("少し\n遅れます")
        send(page)
        expect(page.get_by_text("まだ見ていない候補が1つあります。")).to_be_visible()
        page.get_by_role("button", name="×として送る").click()
        expect(page.get_by_role("heading", name="回答を受け取りました")).to_be_focused()
        expect(page.locator(".given .sign")).to_have_text(["○", "×", "△"])
        well_made(page)
        assert desk.stored(thread) == ([("selected", "少し 遅れます")], ["yes", "maybe"], 1)
        page.get_by_role("link", name="一覧へ").click()
        expect(page.get_by_role("link").filter(has_text=title)).to_contain_text("回答済み")

    def test_a_keyboard_and_a_screen_reader_do_it_too(self, desk: ThreadDesk, open_page: OpenPage) -> None:
        thread = desk.ask("鍵盤の会", (TARO,))
        page = open_page(desk.link(TARO, thread), "phone")
        last = page.get_by_role("group", name=re.compile(r"（.）10:00〜11:30")).get_by_role("radio", name="できない")
        last.focus()
        page.keyboard.press("Space")
        expect(last).to_be_checked()
        dock, tile = page.locator(".dock").bounding_box(), last.bounding_box()
        assert dock is not None
        assert tile is not None
        assert tile["y"] + tile["height"] <= dock["y"], "the dock must not cover what has the focus"
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_role("radio", name="調整すれば").nth(2)).to_be_checked()

    def test_an_impatient_thumb_answers_once(self, desk: ThreadDesk, open_page: OpenPage) -> None:
        thread = desk.ask("せっかちな会", (TARO,))
        page = open_page(desk.link(TARO, thread), "phone")
        mark(page, 1, "参加できる")
        mark(page, 0, "できない")
        mark(page, 2, "できない")
        page.get_by_role("button", name="この内容で送る").dblclick()
        expect(page.get_by_role("heading", name="回答を受け取りました")).to_be_visible()
        assert desk.stored(thread) == ([("selected", None)], ["yes"], 1)

    def test_nothing_chosen_is_explained_and_none_of_them_is_an_answer(
        self, desk: ThreadDesk, open_page: OpenPage
    ) -> None:
        thread = desk.ask("遠方の会", (TARO,))
        page = open_page(desk.link(TARO, thread), "phone")
        send(page)
        expect(page.get_by_role("alert")).to_contain_text("どの日も難しいときは")
        page.get_by_role("button", name="どの日も参加できない").click()
        send(page)
        expect(page.get_by_text("どの候補日も参加できない、という回答です。")).to_be_visible()
        assert desk.stored(thread) == ([("declined", None)], [], 1)

    def test_an_answer_is_changed_and_new_slots_are_asked_for(self, desk: ThreadDesk, open_page: OpenPage) -> None:
        thread = desk.ask("増える会", (TARO, HANAKO))
        page = open_page(desk.link(TARO, thread), "phone")
        mark(page, 0, "参加できる")
        send_the_rest_as_no(page)
        page.get_by_role("button", name="回答を変える").click()
        expect(page.get_by_role("group").nth(0).get_by_role("radio", name="参加できる")).to_be_checked()
        mark(page, 0, "できない")
        mark(page, 1, "参加できる")
        send(page)
        expect(page.locator(".given .sign")).to_have_text(["×", "○", "×"])
        desk.act(thread, "slots", slots=[slot(8, label="会長の希望")], notify=False)
        page.reload()
        expect(page.get_by_text("候補日が増えました。")).to_be_visible()
        expect(page.get_by_text("新しい候補日", exact=True)).to_have_count(1)
        expect(page.get_by_text("会長の希望")).to_be_visible()
        mark(page, 3, "調整すれば")
        send(page)
        expect(page.locator(".given .sign")).to_have_text(["×", "○", "×", "△"])

    def test_one_slot_only_where_the_rule_says_so(self, desk: ThreadDesk, open_page: OpenPage) -> None:
        thread = desk.ask("面談", (TARO, HANAKO), rule=ONE_SLOT)
        page = open_page(desk.link(TARO, thread), "phone")
        expect(page.get_by_role("radio")).to_have_count(4)
        page.get_by_role("radio").nth(0).check()
        page.get_by_role("radio").nth(1).check()
        expect(page.get_by_role("radio").nth(0)).not_to_be_checked()
        well_made(page)
        send(page)
        expect(page.locator(".given .sign")).to_have_text(["×", "○", "×"])


class TestALostNetwork:
    def test_keeps_the_answer_and_sends_it_once(
        self, desk: ThreadDesk, open_page: OpenPage, complaints: Complaints
    ) -> None:
        thread = desk.ask("山の会", (TARO,))
        page = open_page(desk.link(TARO, thread), "phone")
        mark(page, 0, "参加できる")
        page.context.set_offline(True)
        send_the_rest_as_no(page)
        expect(page.get_by_text(UNSENT)).to_be_visible()
        expect(page.get_by_text("この画面を閉じても回答は消えません。")).to_be_visible()
        well_made(page)
        assert desk.stored(thread)[2] == 0
        page.context.set_offline(False)
        expect(page.get_by_role("heading", name="回答を受け取りました")).to_be_visible()
        assert desk.stored(thread) == ([("selected", None)], ["yes"], 1)
        complaints.expect("net::ERR_")

    def test_a_page_that_cannot_be_read_offers_another_try(
        self, desk: ThreadDesk, open_page: OpenPage, complaints: Complaints
    ) -> None:
        thread = desk.ask("谷の会", (TARO,))
        page = open_page(desk.desk.link(TARO, ""), "phone")
        page.get_by_role("link").filter(has_text="谷の会").wait_for()
        page.route("**/api/liff/threads/*", lambda route: route.abort())
        page.get_by_role("link").filter(has_text="谷の会").click()
        expect(page.get_by_role("heading", name="つながりませんでした")).to_be_visible()
        page.unroute("**/api/liff/threads/*")
        page.get_by_role("button", name="もう一度試す").click()
        expect(page.get_by_role("heading", name="谷の会")).to_be_visible()
        assert desk.stored(thread)[2] == 0
        complaints.expect("net::ERR_")


class TestTheEnd:
    def test_an_answer_that_decides_shows_the_date_and_the_calendar(
        self, desk: ThreadDesk, open_page: OpenPage
    ) -> None:
        thread = desk.ask("決まる会", (TARO, HANAKO), rule=ANY)
        page = open_page(desk.link(TARO, thread), "phone")
        mark(page, 1, "参加できる")
        send_the_rest_as_no(page)
        expect(page.get_by_role("heading", name="日程が決まりました")).to_be_visible()
        expect(page.get_by_text("あなたは参加の予定です。")).to_be_visible()
        href = page.get_by_role("link", name="スマートフォンのカレンダー").get_attribute("href")
        assert href is not None
        entry = desk.desk.client.get(href)
        assert "BEGIN:VEVENT" in entry.text, entry.text
        well_made(page)
        other = open_page(desk.link(HANAKO, thread), "phone")
        expect(other.get_by_text("あなたは参加の予定に入っていません。")).to_be_visible()
        expect(other.get_by_role("link", name="スマートフォンのカレンダー")).to_have_count(0)

    def test_what_was_decided_while_somebody_was_choosing(
        self, desk: ThreadDesk, open_page: OpenPage, complaints: Complaints
    ) -> None:
        thread = desk.ask("先に決まる会", (TARO, HANAKO))
        page = open_page(desk.link(TARO, thread), "phone")
        mark(page, 0, "参加できる")
        desk.act(thread, "finalize", selected_slot_id=desk.slots(thread)[1], reason="会場の都合", notify=False)
        send_the_rest_as_no(page)
        said = page.get_by_role("region", name="あなたの回答").get_by_role("alert")
        expect(said).to_contain_text("日程が先に決まったため、この回答は記録されませんでした。")
        expect(page.get_by_role("heading", name="日程が決まりました")).to_be_visible()
        assert desk.stored(thread)[2] == 0
        complaints.expect("status of 409")

    def test_too_late_cancelled_and_not_asked(self, desk: ThreadDesk, open_page: OpenPage) -> None:
        late, gone = desk.ask("過ぎた会", (TARO,)), desk.ask("中止の会", (TARO,))
        desk.let_lapse(late)
        desk.act(gone, "cancel", reason="台風のため", notify=False)
        page = open_page(desk.link(TARO, late), "phone")
        expect(page.get_by_text("回答の受付は終わりました")).to_be_visible()
        expect(page.get_by_role("radio")).to_have_count(0)
        well_made(page)
        page.goto(desk.link(TARO, gone))
        expect(page.get_by_text("この日程調整は中止になりました")).to_be_visible()
        expect(page.get_by_text("台風のため")).to_be_visible()
        well_made(page)
        stranger = open_page(desk.link(HANAKO, gone), "phone")
        expect(stranger.get_by_role("heading", name="日程調整が見つかりません")).to_be_visible()
        stranger.get_by_role("link", name="一覧を見る").click()
        expect(stranger.get_by_role("heading", name="あなたへのお願い")).to_be_visible()


class TestOthers:
    def test_are_seen_where_the_thread_says_so_and_nowhere_else(self, desk: ThreadDesk, open_page: OpenPage) -> None:
        shown = desk.ask("見える会", (TARO, HANAKO, ICHIRO), answers_visible=True)
        hidden = desk.ask("見えない会", (TARO, HANAKO))
        for thread in (shown, hidden):
            slots = desk.slots(thread)
            desk.answer_for(thread, HANAKO, [slots[0]], [slots[1]])
        page = open_page(desk.link(TARO, shown), "phone")
        expect(page.get_by_role("group").nth(0)).to_contain_text("ほかの方：○ 1人")
        page.get_by_text("みなさんの回答").click()
        expect(page.locator(".others")).to_contain_text("佐藤 花子")
        well_made(page)
        page.goto(desk.link(TARO, hidden))
        expect(page.get_by_role("group")).to_have_count(3)
        expect(page.get_by_text("佐藤 花子")).to_have_count(0)
        expect(page.get_by_text("みなさんの回答")).to_have_count(0)


class TestTheSandbox:
    def test_the_phones_open_the_link_of_the_message_as_that_member(
        self, desk: ThreadDesk, demo: Demo, open_page: OpenPage
    ) -> None:
        thread = desk.ask("スマホの会", (HANAKO,))
        sent = "SELECT 1 FROM thread_messages WHERE thread_id = ? AND channel = 'line' AND status = 'DONE'"
        eventually(lambda: bool(desk.sql(sent, thread)))
        page = open_page(demo.phones, "desktop")
        page.locator(f'a[href$="/threads/{thread}"]').last.click()
        inside = page.frame_locator("iframe").first
        expect(inside.get_by_role("heading", name="スマホの会")).to_be_visible()
        expect(inside.get_by_role("radio")).to_have_count(9)
