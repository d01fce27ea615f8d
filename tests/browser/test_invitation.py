"""The page of an invitation in a browser without JavaScript: answering, changing, mistakes, and every state."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PATIENCE, SIZES
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious
from tests.conftest import NOON
from tests.factories.product import Product
from tests.factories.threads import ALL, ANY, ONE_SLOT, MadeThread, add_slot, change, first_slot, make_thread
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box, sqlite_only
from tsudoi.scheduling.thread.models import ThreadInvite, ThreadSelection

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]

pytestmark = sqlite_only
WIDTHS = ("phone", "desktop")
ANNA, BEN = "山田 太郎@example.com", "佐藤 花子@example.com"
DAY = "8月17日（日） 14:00〜15:00"
SMALLEST_TARGET = 44

OpenInvitation = Callable[..., Page]


@pytest.fixture
def opened(chromium: Browser) -> Iterator[OpenInvitation]:
    """Opens an address in a browser of its own, without JavaScript unless said otherwise.

    The test fails if the browser complains, such as about the content security policy.
    """
    complaints: list[str] = []
    with ExitStack() as stack:

        def open_at(url: str, size: str = "phone", *, script: bool = False, **options: Any) -> Page:
            width, height = SIZES[size]
            context = chromium.new_context(
                viewport={"width": width, "height": height}, locale="ja-JP", java_script_enabled=script, **options
            )
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
            page.goto(url)
            return page

        yield open_at
    assert [text for text in complaints if "the server responded with a status of 4" not in text] == []


def slot(page: Page, day: str = DAY) -> Locator:
    """The group of a slot, by the name that a screen reader says."""
    return page.get_by_role("group", name=day)


def choose(page: Page, day: str, answer: str) -> None:
    """As a finger does: on the words."""
    slot(page, day).get_by_text(answer).click()


def targets(page: Page) -> list[tuple[str, float, float]]:
    """What a finger has to hit, with its size."""
    found = page.locator(".choice label, .pick label, button, a.button, summary, select, input[type=text]").all()
    boxes = [(one.inner_text()[:20], one.bounding_box()) for one in found if one.is_visible()]
    return [(name, box["width"], box["height"]) for name, box in boxes if box is not None]


@pytest.fixture
def thread(product: Product) -> MadeThread:
    made = make_thread(
        product.db,
        ANNA,
        BEN,
        rule=ALL,
        title="特定非営利活動法人みらいと地域をむすぶ会 臨時理事会",
        description="来年度の予算案について\nhttps://example.com/" + "long" * 30,
        place="本部 3階会議室",
        answers_visible=1,
    )
    add_slot(product.db, made.id, NOON - timedelta(hours=1))
    berlin = first_slot(NOON) + timedelta(days=9)
    add_slot(product.db, made.id, berlin, timezone="Europe/Berlin", label="オンライン")
    product.http.post(made.invites[1].respond, json={"status": "selected", "selected_slot_ids": made.slots[:1]})
    return made


class TestAnswering:
    @pytest.mark.row("1.I.6")
    @pytest.mark.parametrize("size", WIDTHS)
    def test_without_javascript_and_changing_it(
        self, product: Product, thread: MadeThread, opened: OpenInvitation, size: str
    ) -> None:
        anna = thread.invites[0]
        page = opened(f"{product.url}{anna.path}", size)
        expect(page.get_by_role("heading", level=1)).to_contain_text("臨時理事会")
        expect(slot(page)).to_contain_text("ほかの方：○ 佐藤 花子")
        choose(page, "8月18日（月）", "参加できる")
        choose(page, "8月19日（火）", "調整すれば")
        page.get_by_label("ひとこと").fill("15時に退席します")
        page.get_by_role("button", name="回答を送る").click()
        asked = page.get_by_role("alert")
        expect(asked).to_contain_text("まだ見ていない候補が2つあります")
        asked.get_by_role("link", name="8月26日（火）").click()
        expect(slot(page, "8月26日（火）")).to_be_in_viewport()
        expect(slot(page, "8月26日（火）")).to_contain_text("まだ選んでいません")
        assert not overflows(page)
        page.get_by_role("button", name="この内容で送る").click()
        page.wait_for_url("**?saved=1")
        said = page.get_by_role("status")
        expect(said).to_contain_text("回答を受け付けました")
        expect(said).to_contain_text("8月18日（月）14:00〜15:00")
        expect(said).to_contain_text("15時に退席します")
        expect(slot(page, "8月18日（月）").get_by_role("radio", name="参加できる")).to_be_checked()
        expect(slot(page, "8月19日（火）").get_by_role("radio", name="調整すれば")).to_be_checked()
        expect(slot(page).get_by_role("radio", name="できない")).to_be_checked()
        page.get_by_role("button", name="どの日も参加できない").click()
        expect(page.get_by_role("status")).to_contain_text("「参加できない」と回答しました")
        choose(page, DAY, "参加できる")
        page.get_by_role("button", name="回答を変更する").click()
        page.get_by_role("button", name="この内容で送る").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("臨時理事会")
        expect(page.locator("main")).to_contain_text("日程が決まりました")
        expect(page.get_by_role("link", name="カレンダーに登録する")).to_be_visible()
        row = next(row for row in product.rows(ThreadSelection) if row["invitee_key"] == anna.key)
        assert row["selected_slot_id"] == thread.slots[0]

    def test_with_the_keyboard_alone(self, product: Product, thread: MadeThread, opened: OpenInvitation) -> None:
        page = opened(f"{product.url}{thread.invites[0].path}", "desktop")
        first = slot(page, "8月18日（月）").get_by_role("radio", name="参加できる")
        for _ in range(10):
            page.keyboard.press("Tab")
            if first.evaluate("one => one === document.activeElement"):
                break
        page.keyboard.press("Space")
        expect(first).to_be_checked()
        page.keyboard.press("ArrowRight")
        expect(slot(page, "8月18日（月）").get_by_role("radio", name="調整すれば")).to_be_checked()
        page.get_by_label("ひとこと").focus()
        page.keyboard.type("電車で行きます")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("まだ見ていない候補が3つあります")
        page.get_by_role("button", name="この内容で送る").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("回答を受け付けました")
        expect(page.get_by_role("status")).to_contain_text("電車で行きます")

    @pytest.mark.parametrize("size", WIDTHS)
    def test_a_mistake_is_shown_and_costs_nothing(
        self, product: Product, thread: MadeThread, opened: OpenInvitation, size: str
    ) -> None:
        page = opened(f"{product.url}{thread.invites[0].path}", size)
        choose(page, DAY, "できない")
        page.get_by_label("ひとこと").fill("あとで連絡します")
        page.get_by_role("button", name="回答を送る").click()
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("回答はまだ送られていません")
        alert.get_by_role("link").click()
        expect(page.get_by_role("heading", name="ご都合をお選びください")).to_be_in_viewport()
        expect(page.get_by_label("ひとこと")).to_have_value("あとで連絡します")
        expect(slot(page).get_by_role("radio", name="できない")).to_be_checked()
        assert not overflows(page)
        page.goto(page.url.partition("#")[0])
        expect(page.get_by_role("button", name="回答を送る")).to_be_visible()
        assert page.url == f"{product.url}{thread.invites[0].path}"

    def test_one_slot_only(self, product: Product, opened: OpenInvitation) -> None:
        thread = make_thread(product.db, ANNA, BEN, rule=ONE_SLOT, title="個別面談")
        page = opened(f"{product.url}{thread.invites[0].path}")
        page.get_by_text("8月18日（月）").click()
        expect(page.get_by_role("radio", name="8月18日（月）")).to_be_checked()
        page.get_by_role("button", name="回答を送る").click()
        expect(page.get_by_role("status")).to_contain_text("8月18日（月）14:00〜15:00")

    def test_times_of_another_zone(self, product: Product, thread: MadeThread, opened: OpenInvitation) -> None:
        page = opened(f"{product.url}{thread.invites[0].path}")
        page.get_by_text("現地の時刻も表示").click()
        page.get_by_label("お住まいの地域").select_option("アメリカ（ニューヨーク）")
        page.get_by_role("button", name="表示する").click()
        expect(slot(page)).to_contain_text("アメリカ（ニューヨーク）の時刻では 8月17日（日）01:00〜02:00")
        choose(page, "8月18日（月）", "参加できる")
        page.get_by_role("button", name="回答を送る").click()
        expect(page.get_by_role("alert")).to_contain_text("8月17日（日） 14:00〜15:00")
        expect(slot(page)).to_contain_text("01:00〜02:00")
        page.get_by_role("button", name="この内容で送る").click()
        page.wait_for_url("**tz=America%2FNew_York")
        expect(slot(page)).to_contain_text("01:00〜02:00")

    def test_the_script_offers_the_readers_own_zone(
        self, product: Product, thread: MadeThread, opened: OpenInvitation
    ) -> None:
        url = f"{product.url}{thread.invites[0].path}"
        abroad = opened(url, script=True, timezone_id="Australia/Perth")
        expect(abroad.get_by_label("お住まいの地域")).to_have_value("Australia/Perth")
        at_home = opened(url, script=True, timezone_id="Asia/Tokyo")
        expect(at_home.get_by_label("お住まいの地域")).not_to_be_visible()


class TestEveryState:
    @pytest.mark.parametrize("size", WIDTHS)
    def test_fits_and_is_for_everybody(
        self, product: Product, thread: MadeThread, opened: OpenInvitation, size: str
    ) -> None:
        decided = make_thread(product.db, ANNA, BEN, rule=ANY, place="本部 3階")
        body = {"status": "selected", "selected_slot_ids": decided.slots[:1]}
        product.http.post(decided.invites[0].respond, json=body).raise_for_status()
        expired = make_thread(product.db, ANNA)
        change(product.db, ThreadInvite, ThreadInvite.thread_id == expired.id, expires_at=NOON)
        cancelled = make_thread(product.db, ANNA, status="cancelled", cancel_reason="雨のため")
        one = make_thread(product.db, ANNA, rule=ONE_SLOT, answers_visible=1)
        pages = {
            thread.invites[0].path: "臨時理事会",
            f"{thread.invites[1].path}?saved=1&tz=Europe/Berlin": "回答を受け付けました",
            one.invites[0].path: "1つお選びください",
            decided.invites[0].path: "日程が決まりました",
            decided.invites[1].path: "あなたは参加者に入っていません",
            expired.invites[0].path: "回答の期限を過ぎました",
            cancelled.invites[0].path: "この日程調整は中止になりました",
            "/i/unknown": "リンクをご確認ください",
            f"{thread.invites[0].path}/unsubscribe": "メールを停止しますか",
            f"{thread.invites[0].path}/calendar.ics": "日程はまだ決まっていません",
        }
        page = opened(product.url + thread.invites[0].path, size, script=True)
        for path, words in pages.items():
            page.goto(product.url + path)
            expect(page.locator("main")).to_contain_text(words)
            assert serious(page) == [], path
            assert not overflows(page), path
            small = [one for one in targets(page) if min(one[1:]) < SMALLEST_TARGET]
            assert small == [], path

    @pytest.mark.parametrize("size", WIDTHS)
    def test_stopping_mails_by_the_button_and_starting_them_again(
        self, product: Product, thread: MadeThread, opened: OpenInvitation, size: str
    ) -> None:
        page = opened(f"{product.url}{thread.invites[0].path}/unsubscribe", size)
        page.get_by_role("button", name="この件のメールを停止する").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("メールを停止しました")
        page.get_by_role("link", name="日程のページを開く").click()
        expect(page.get_by_role("button", name="回答を送る")).to_be_visible()
        assert not overflows(page)
        assert [one for one in targets(page) if min(one[1:]) < SMALLEST_TARGET] == []
        page.get_by_role("button", name="この件のメールを再開する").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("メールを再開しました")
        page.get_by_role("link", name="日程のページを開く").click()
        expect(page.get_by_role("button", name="この件のメールを再開する")).to_have_count(0)
