"""Members answer on a phone: with one tap, also where the network comes and goes, and never twice."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually
from tests.browser.member_desk import Desk, open_desk

OpenPage = Callable[..., Page]
TARO, HANAKO = "山田 太郎", "佐藤 花子"
UNSENT = "まだ送れていません。電波の良い所で自動的に送り直します。"


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[Desk]:
    with open_desk(demo.product, demo.phones, demo.data_dir) as opened:
        yield opened


def answer(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def standing(page: Page, words: str) -> None:
    expect(page.locator(".dock").get_by_role("status")).to_contain_text(words)


class TestAnswering:
    @pytest.mark.found("24.C8")
    def test_with_one_tap_changing_it_and_adding_a_word(self, desk: Desk, open_page: OpenPage) -> None:
        event = desk.invite("総会", (TARO,), extra_text_enabled="true")
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        standing(page, "まだ回答していません")
        expect(page.get_by_label("備考")).to_have_count(0)
        answer(page, "出席")
        standing(page, "出席で回答済み 20")
        expect(page.get_by_label("備考")).to_have_accessible_description(re.compile("ほかの参加者にも見えます。"))
        page.get_by_label("備考").fill("10分ほど\n遅れます")
        expect(page.get_by_text("この備考は、まだ送っていません。")).to_be_visible()
        page.get_by_role("button", name="備考を送る").click()
        expect(page.get_by_text("この備考は送信済みです。")).to_be_visible()
        answer(page, "欠席")
        standing(page, "欠席で回答済み 20")
        expect(page.get_by_label("備考")).to_have_count(0)
        assert desk.answers(event) == [("attend", None), ("attend", "10分ほど 遅れます"), ("absent", None)]

    def test_a_memo_for_everybody_goes_along_with_the_answer(self, desk: Desk, open_page: OpenPage) -> None:
        event = desk.invite(
            "理事会", (TARO,), extra_text_enabled="true", extra_text_attend_only="false", extra_text_label="お弁当"
        )
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        page.get_by_label("お弁当").fill("いりません")
        answer(page, "欠席")
        standing(page, "欠席で回答済み")
        page.reload()
        expect(page.get_by_label("お弁当")).to_have_value("いりません")
        assert desk.answers(event) == [("absent", "いりません")]

    def test_an_impatient_thumb_answers_once(self, desk: Desk, open_page: OpenPage) -> None:
        event = desk.invite("新年会", (TARO,))
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        page.get_by_role("button", name="出席", exact=True).click(click_count=4)
        standing(page, "出席で回答済み")
        assert desk.answers(event) == [("attend", None)]


class TestALostNetwork:
    def test_keeps_the_answer_and_sends_it_once(self, desk: Desk, open_page: OpenPage, complaints: Complaints) -> None:
        event = desk.invite("清掃活動", (TARO,))
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        standing(page, "まだ回答していません")
        page.context.set_offline(True)
        answer(page, "出席")
        standing(page, UNSENT)
        expect(page.get_by_text("いま記録されている回答：なし")).to_be_visible()
        assert desk.answers(event) == []
        page.context.set_offline(False)
        standing(page, "出席で回答済み")
        assert desk.answers(event) == [("attend", None)]
        complaints.expect("net::ERR_")

    def test_after_a_reload_the_answer_still_waits(
        self, desk: Desk, open_page: OpenPage, complaints: Complaints
    ) -> None:
        event = desk.invite("避難訓練", (TARO,))
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        page.route("**/respond", lambda route: route.abort())
        answer(page, "欠席")
        standing(page, UNSENT)
        page.reload()
        standing(page, UNSENT)
        page.get_by_role("link", name="一覧へ").click()
        row = page.get_by_role("link").filter(has_text="避難訓練")
        expect(row).to_contain_text("送信待ち")
        page.unroute("**/respond")
        expect(row).to_contain_text("欠席", timeout=40_000)
        assert desk.answers(event) == [("absent", None)]
        complaints.expect("net::ERR_")

    def test_an_answer_whose_confirmation_was_lost_counts_once(
        self, desk: Desk, open_page: OpenPage, complaints: Complaints
    ) -> None:
        event = desk.invite("写生会", (TARO,))
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")

        keys: list[str | None] = []

        def lose_the_first_confirmation(route: Route) -> None:
            keys.append(route.request.header_value("idempotency-key"))
            confirmed = route.fetch()
            if len(keys) == 1:
                route.abort()
            else:
                route.fulfill(response=confirmed)

        page.route("**/respond", lose_the_first_confirmation)
        answer(page, "出席")
        standing(page, "出席で回答済み")
        assert len(keys) > 1
        assert len(set(keys)) == 1
        assert desk.answers(event) == [("attend", None)]
        complaints.expect("net::ERR_")

    def test_the_newest_of_two_minds_is_what_counts(
        self, desk: Desk, open_page: OpenPage, complaints: Complaints
    ) -> None:
        event = desk.invite("花見", (HANAKO,))
        page = open_page(desk.link(HANAKO, f"events/{event}"), "phone")
        standing(page, "まだ回答していません")
        page.context.set_offline(True)
        answer(page, "出席")
        standing(page, UNSENT)
        answer(page, "欠席")
        standing(page, UNSENT)
        page.context.set_offline(False)
        eventually(lambda: desk.answers(event) == [("absent", None)])
        standing(page, "欠席で回答済み")
        complaints.expect("net::ERR_")


class TestARefusal:
    def test_an_event_cancelled_meanwhile_says_so(
        self, desk: Desk, open_page: OpenPage, complaints: Complaints
    ) -> None:
        event = desk.invite("遠足", (TARO,))
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        standing(page, "まだ回答していません")
        desk.cancel(event, "台風のため")
        answer(page, "出席")
        expect(page.get_by_text("このイベントは中止になりました")).to_be_visible()
        expect(page.get_by_text("台風のため")).to_be_visible()
        expect(page.get_by_role("button", name="出席", exact=True)).to_have_count(0)
        assert desk.answers(event) == []
        complaints.expect("status of 409")

    def test_a_deadline_that_passed(self, desk: Desk, open_page: OpenPage, complaints: Complaints) -> None:
        """No screen speaks of deadlines; only who is refused for one hears of it."""
        event = desk.invite("編集会議", (TARO,))
        desk.set_time(event, "deadline_at", -1)
        page = open_page(desk.link(TARO, f"events/{event}"), "phone")
        standing(page, "まだ回答していません")
        expect(page.get_by_text("回答期限")).to_have_count(0)
        answer(page, "出席")
        standing(page, "回答期限を過ぎたため、回答は記録されませんでした")
        assert desk.answers(event) == []
        complaints.expect("status of 409")
