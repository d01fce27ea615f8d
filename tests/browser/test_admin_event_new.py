"""The whole way from an empty form to the members' chats, and what the form says on the way."""

import re
from collections.abc import Callable
from datetime import date
from io import BytesIO

import httpx2
from PIL import Image
from playwright.sync_api import Route, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import log_in
from tests.browser.test_screens import check_every_size
from tests.browser.wizard import (
    EVERYBODY,
    MAKING,
    NEXT_YEAR,
    SATO,
    YAMADA,
    Form,
    box,
    chat,
    events_called,
    form,
    picture,
)

__all__ = ["box", "form", "picture"]


class TestTheWholeWay:
    def test_from_the_empty_form_to_the_chat(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        one = form()
        before = len(chat(box, SATO.user_id))
        one.basics("花火大会の打ち合わせ")
        weekday = "月火水木金土日"[date(NEXT_YEAR, 9, 10).weekday()]
        expect(one.page.get_by_text(f"{NEXT_YEAR}年9月10日（{weekday}）19:00")).to_be_visible()
        one.page.get_by_label("本文").fill("ご都合をお聞かせください。")
        one.page.get_by_role("switch", name="メモ欄をつける").check()
        one.page.get_by_label("メモ欄の名前").fill("お車の台数")
        one.next()
        one.choose_file(one.picture)
        one.next()
        one.page.get_by_role("checkbox", name=EVERYBODY).check()
        one.next()
        one.person(SATO.name).get_by_role("checkbox").uncheck()
        expect(one.page.get_by_text("外した方 1人")).to_be_visible()
        one.next()
        shown = one.page.get_by_role("img", name="LINEに届くメッセージの見本")
        expect(shown).to_contain_text("ご都合をお聞かせください。")
        expect(shown).to_contain_text("/events/○○")
        expect(shown.get_by_text("集い 公式", exact=True)).to_be_visible()
        expect(one.page.get_by_text("お車の台数（出席の人だけ）")).to_be_visible()
        one.send()
        event_id = one.arrived()

        picture, text = [message["message"] for message in chat(box, YAMADA.user_id)[-2:]]
        assert picture["type"] == "image"
        assert text["text"].startswith("ご都合をお聞かせください。\n")
        assert text["text"].endswith(f"/events/{event_id}")
        assert len(chat(box, SATO.user_id)) == before
        one.page.goto(one.page.url.rsplit("/", 1)[0] + "/new")
        expect(one.page.get_by_label("タイトル")).to_have_value("")

    def test_every_step_fits_and_is_for_everybody(self, form: Callable[..., Form]) -> None:
        one = form("phone")
        for step in (2, 3, 4, 5):
            check_every_size(one.page)
            if step == 2:
                one.basics("理事会9月")
            if step == 3:
                one.choose_file(one.picture)
                expect(one.page.get_by_alt_text("選んだ画像")).to_be_visible()
            if step == 4:
                one.page.get_by_role("checkbox", name=EVERYBODY).check()
            one.next()
            one.page.wait_for_url(re.compile(f"step={step}$"))
            one.page.wait_for_load_state("networkidle")
        expect(one.ask()).to_have_css("opacity", "1")
        check_every_size(one.page)


class TestWrongInput:
    def test_the_basics(self, form: Callable[..., Form]) -> None:
        one = form()
        page = one.page
        one.next()
        expect(page.get_by_text("タイトルを入力してください")).to_be_visible()
        expect(page.get_by_text("開催日と時刻の両方を入れてください")).to_be_visible()
        expect(page.get_by_label("タイトル")).to_be_focused()
        one.basics("あ" * 101, "2020-01-01")
        page.get_by_label("本文").fill("い" * 2001)
        page.get_by_role("switch", name="メモ欄をつける").check()
        page.get_by_label("メモ欄の名前").fill("う" * 21)
        for words in ("タイトルは100文字まで", "過去の日時です", "本文は2,000文字まで", "メモ欄の名前は20文字まで"):
            expect(page.get_by_text(words)).to_be_visible()
        one.next()
        one.on("基本情報")
        page.get_by_label("タイトル").fill("あ" * 100)
        page.get_by_label("開催日", exact=True).fill(f"{NEXT_YEAR}-09-10")
        page.get_by_label("本文").fill("")
        page.get_by_label("メモ欄の名前").fill("")
        one.next()
        one.on("画像")

    def test_the_picture(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(2)
        page = one.page
        one.next()
        expect(page.get_by_text("画像を選んでください")).to_be_visible()
        png = BytesIO()
        Image.new("RGB", (8, 8)).save(png, "PNG")
        jpeg = one.picture.read_bytes()
        for name, content, words in (
            ("案内.pdf", b"%PDF-1.7 ...", "PDFのままでは"),
            ("案内.jpg", png.getvalue(), "JPEGではない種類の画像"),
            ("大きい.jpg", jpeg + bytes(5 * 1024 * 1024), "5MBより大きい"),
            ("壊れた.jpg", jpeg[:300], "読み取れませんでした"),
        ):
            one.choose_file({"name": name, "mimeType": "image/jpeg", "buffer": content})
            expect(page.get_by_role("alert").filter(has_text=words)).to_be_visible()
            expect(page.get_by_alt_text("選んだ画像")).to_have_count(0)
        expect(page.get_by_text("名前を付けて").or_(page.get_by_text("ペイント")).first).to_be_visible()
        one.choose_file(one.picture)
        expect(page.get_by_alt_text("選んだ画像")).to_be_visible()
        one.next()
        one.on("配信先")

    def test_nobody_chosen(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(3)
        one.next()
        expect(one.page.get_by_text("配信先を1つ以上選んでください")).to_be_visible()
        one.page.get_by_role("checkbox", name=EVERYBODY).check()
        one.next()
        one.page.get_by_role("button", name="全員を外す").click()
        expect(one.page.get_by_text("送信先 0人")).to_be_visible()
        one.next()
        expect(one.page.get_by_text("受信者が1人もいません")).to_be_visible()
        one.page.get_by_role("button", name="全員を選ぶ").click()
        one.next()
        one.on("確認して送信")

    def test_what_the_server_refuses_stands_at_its_field(
        self, form: Callable[..., Form], complaints: Complaints
    ) -> None:
        one = form()
        one.fill_to(5)
        body = {"code": "INVALID_INPUT", "message": "", "details": [{"field": "held_at", "reason": "PAST_DATE"}]}
        one.page.route(MAKING, lambda route: route.fulfill(status=400, json=body), times=1)
        one.send()
        one.on("基本情報")
        expect(one.page.get_by_text("過去の日時です")).to_be_visible()
        expect(one.page.get_by_label("開催日", exact=True)).to_be_focused()
        complaints.expect("status of 400")


class TestNothingIsLost:
    def test_by_a_reload_in_the_middle(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(4, "消えないイベント")
        one.person(SATO.name).get_by_role("checkbox").uncheck()
        one.page.reload()
        expect(one.person(SATO.name).get_by_role("checkbox")).not_to_be_checked()
        expect(one.person(YAMADA.name).get_by_role("checkbox")).to_be_checked()
        one.page.get_by_role("button", name="戻る").click()
        expect(one.page.get_by_role("checkbox", name=EVERYBODY)).to_be_checked()
        one.page.get_by_role("button", name="戻る").click()
        expect(one.page.get_by_alt_text("選んだ画像")).to_be_visible()
        one.page.get_by_role("button", name="戻る").click()
        expect(one.page.get_by_label("タイトル")).to_have_value("消えないイベント")
        expect(one.page.get_by_text("前回の下書きの続きです")).to_be_visible()

    def test_by_the_back_button_of_the_browser(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(3, "戻っても消えない")
        one.page.go_back()
        expect(one.page.get_by_alt_text("選んだ画像")).to_be_visible()
        one.page.go_back()
        expect(one.page.get_by_label("タイトル")).to_have_value("戻っても消えない")
        one.page.go_forward()
        one.on("画像")

    def test_and_a_person_who_left_while_it_was_sent_stays_on_the_other_page(self, form: Callable[..., Form]) -> None:
        one = form(path="events")
        one.page.get_by_role("link", name="新しいイベント").click()
        one.fill_to(5, "送信中に離れる")
        held: list[Route] = []
        one.page.route(MAKING, lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
        with one.page.expect_request(lambda request: bool(MAKING.search(request.url)) and request.method == "POST"):
            one.send()
        one.page.evaluate("history.go(-5)")
        expect(one.page.get_by_role("heading", level=1, name="イベント", exact=True)).to_be_visible()
        with one.page.expect_response(MAKING):
            held[0].continue_()
        # The new event is in the list without a reload, and the draft is gone.
        expect(one.page.get_by_role("link", name=re.compile("送信中に離れる"))).to_be_visible()
        assert one.page.url.endswith("/admin/events")
        one.page.get_by_role("link", name="新しいイベント").click()
        expect(one.page.get_by_label("タイトル")).to_have_value("")

    def test_and_no_step_is_skipped_by_the_address(self, form: Callable[..., Form]) -> None:
        one = form(path="events/new?step=5")
        one.on("基本情報")

    def test_until_it_is_discarded(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(3)
        one.page.get_by_role("button", name="下書きを破棄").click()
        one.page.get_by_role("dialog").get_by_role("button", name="破棄する").click()
        one.on("基本情報")
        expect(one.page.get_by_label("タイトル")).to_have_value("")
        one.page.reload()
        expect(one.page.get_by_label("タイトル")).to_have_value("")

    def test_when_the_session_ends_before_sending(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(5, "ログインし直しても送れる")
        one.page.context.clear_cookies()
        one.send()
        log_in(one.page)
        one.arrived()
        assert len(events_called(one.page, "ログインし直しても送れる")) == 1
