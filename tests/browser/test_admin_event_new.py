"""The whole way from an empty form to the members' chats, and everything that can go wrong on it."""

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.conftest import SIZES, Demo, eventually, log_in
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious
from tsudoi.commands.demo_data import FRIENDS

OpenPage = Callable[..., Page]
MAKING = re.compile(r"/api/admin/events\?")
YAMADA, SATO = FRIENDS[0], FRIENDS[1]


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pictures") / "案内.jpg"
    Image.new("RGB", (600, 800), "#1f5f57").save(path, quality=80)
    return path


@pytest.fixture
def box(demo: Demo) -> Any:
    with httpx2.Client(base_url=demo.phones, trust_env=False) as client:
        yield client


class Form:
    """The wizard as the office works it."""

    def __init__(self, page: Page, picture: Path) -> None:
        self.page, self.picture = page, picture

    def on(self, heading: str) -> None:
        expect(self.page.get_by_role("heading", level=2, name=heading)).to_be_visible()

    def next(self) -> None:
        self.page.get_by_role("button", name=re.compile("^次へ")).click()

    def basics(self, title: str, date: str = "2027-09-10", time: str = "19:00") -> None:
        self.page.get_by_label("タイトル").fill(title)
        self.page.get_by_label("開催日", exact=True).fill(date)
        self.page.get_by_label("開始時刻").fill(time)

    def choose_file(self, *files: Any) -> None:
        self.page.locator("input[type=file]").set_input_files(*files)

    def fill_to(self, step: int, title: str = "理事会9月") -> None:
        self.basics(title)
        self.next()
        self.on("画像")
        if step > 2:
            self.choose_file(self.picture)
            expect(self.page.get_by_alt_text("選んだ画像")).to_be_visible()
            self.next()
            self.on("配信先")
        if step > 3:
            self.page.get_by_label("全員").check()
            self.next()
            self.on("受信者の確認")
            expect(self.page.get_by_role("list", name="受信者")).to_be_visible()
        if step > 4:
            self.next()
            self.on("確認して送信")
            expect(self.page.get_by_role("img", name="LINEに届くメッセージの見本")).to_be_visible()

    def person(self, name: str) -> Locator:
        return self.page.get_by_role("list", name="受信者").get_by_role("listitem").filter(has_text=name)

    def ask(self) -> Locator:
        self.page.get_by_role("button", name=re.compile("人に送信する$")).click()
        return self.page.get_by_role("dialog")

    def send(self) -> None:
        self.ask().get_by_role("button", name="送信する", exact=True).click()

    def arrived(self) -> int:
        self.page.wait_for_url(re.compile(r"/admin/events/\d+$"), timeout=30_000)
        return int(self.page.url.rsplit("/", 1)[1])


@pytest.fixture
def form(office: OpenPage, picture: Path) -> Callable[..., Form]:
    def opened(size: str = "desktop", path: str = "events/new") -> Form:
        return Form(office(path, size), picture)

    return opened


def answer_of(page: Page, path: str) -> list[Any]:
    """What the product answers to the one who is logged in on this page."""
    items: list[Any] = page.request.get(page.url.split("/admin/")[0] + path).json()["items"]
    return items


def events_called(page: Page, title: str) -> list[Any]:
    return answer_of(page, f"/api/admin/events?query={title}")


def chat(box: httpx2.Client, user_id: str) -> list[Any]:
    messages: list[Any] = box.get(f"/_sandbox/users/{user_id}/chat").json()["messages"]
    return messages


def made(page: Page) -> list[Request]:
    """Every request that would make an event, from now on."""
    requests: list[Request] = []
    page.on("request", lambda one: requests.append(one) if one.method == "POST" and MAKING.search(one.url) else None)
    return requests


def forgive(complaints: list[str], words: str) -> None:
    """The browser complains about what the test itself broke."""
    complaints[:] = [text for text in complaints if words not in text]


class TestTheWholeWay:
    def test_from_the_empty_form_to_the_chat(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        one = form()
        before = len(chat(box, SATO.user_id))
        one.basics("花火大会の打ち合わせ")
        expect(one.page.get_by_text("2027年9月10日（金）19:00")).to_be_visible()
        one.page.get_by_label("本文").fill("ご都合をお聞かせください。")
        one.page.get_by_role("switch", name="メモ欄をつける").check()
        one.page.get_by_label("メモ欄の名前").fill("お車の台数")
        one.next()
        one.choose_file(one.picture)
        one.next()
        one.page.get_by_label("全員").check()
        one.next()
        one.person(SATO.name).get_by_role("checkbox").uncheck()
        expect(one.page.get_by_text("外した方 1人")).to_be_visible()
        one.next()
        shown = one.page.get_by_role("img", name="LINEに届くメッセージの見本")
        expect(shown).to_contain_text("ご都合をお聞かせください。")
        expect(shown).to_contain_text("/events/○○")
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

    @pytest.mark.parametrize("size", SIZES)
    def test_every_step_fits_and_is_for_everybody(self, form: Callable[..., Form], size: str) -> None:
        one = form(size)
        for step in (2, 3, 4, 5):
            assert serious(one.page) == []
            assert not overflows(one.page)
            if step == 2:
                one.basics("理事会9月")
            if step == 3:
                one.choose_file(one.picture)
                expect(one.page.get_by_alt_text("選んだ画像")).to_be_visible()
            if step == 4:
                one.page.get_by_label("全員").check()
            one.next()
            one.page.wait_for_url(re.compile(f"step={step}$"))
            one.page.wait_for_load_state("networkidle")
        one.ask()
        assert serious(one.page) == []
        assert not overflows(one.page)


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
        page.get_by_label("開催日", exact=True).fill("2027-09-10")
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
        one.page.get_by_label("全員").check()
        one.next()
        one.page.get_by_role("button", name="全員を外す").click()
        expect(one.page.get_by_text("送信先 0人")).to_be_visible()
        one.next()
        expect(one.page.get_by_text("受信者が1人もいません")).to_be_visible()
        one.page.get_by_role("button", name="全員を選ぶ").click()
        one.next()
        one.on("確認して送信")

    def test_what_the_server_refuses_stands_at_its_field(
        self, form: Callable[..., Form], complaints: list[str]
    ) -> None:
        one = form()
        one.fill_to(5)
        body = {"code": "INVALID_INPUT", "message": "", "details": [{"field": "held_at", "reason": "PAST_DATE"}]}
        one.page.route(MAKING, lambda route: route.fulfill(status=400, json=body), times=1)
        one.send()
        one.on("基本情報")
        expect(one.page.get_by_text("過去の日時です")).to_be_visible()
        expect(one.page.get_by_label("開催日", exact=True)).to_be_focused()
        forgive(complaints, "status of 400")


class TestNothingIsLost:
    def test_by_a_reload_in_the_middle(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(4, "消えないイベント")
        one.person(SATO.name).get_by_role("checkbox").uncheck()
        one.page.reload()
        expect(one.person(SATO.name).get_by_role("checkbox")).not_to_be_checked()
        expect(one.person(YAMADA.name).get_by_role("checkbox")).to_be_checked()
        one.page.get_by_role("button", name="戻る").click()
        expect(one.page.get_by_label("全員")).to_be_checked()
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


class TestSentOnce:
    def test_by_a_double_click(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(5, "二度押しの会")
        requests = made(one.page)
        one.page.get_by_role("button", name=re.compile("人に送信する$")).dblclick()
        one.page.get_by_role("dialog").get_by_role("button", name="送信する", exact=True).dblclick()
        one.arrived()
        assert len(requests) == 1
        assert len(events_called(one.page, "二度押しの会")) == 1

    @pytest.mark.parametrize("reached", [False, True])
    def test_although_the_network_failed(
        self, form: Callable[..., Form], complaints: list[str], *, reached: bool
    ) -> None:
        """Before the server heard it, or after: the second try has the same key, and there is one event."""
        one = form()
        title = f"途切れた会{int(reached)}"
        one.fill_to(5, title)
        requests = made(one.page)

        def cut(route: Route) -> None:
            if reached:
                route.fetch()
            route.abort()

        one.page.route(MAKING, cut, times=1)
        one.send()
        dialog = one.page.get_by_role("dialog")
        expect(dialog.get_by_text("確かめられませんでした")).to_be_visible()
        dialog.get_by_role("button", name="もう一度送信する").click()
        one.arrived()
        keys = {request.headers["idempotency-key"] for request in requests}
        assert (len(requests), len(keys)) == (2, 1)
        assert len(events_called(one.page, title)) == 1
        forgive(complaints, "net::ERR_FAILED")

    def test_after_a_reload_while_nobody_knows(self, form: Callable[..., Form], complaints: list[str]) -> None:
        one = form()
        one.fill_to(5, "読み込み直した会")

        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        one.page.route(MAKING, lose, times=1)
        one.send()
        expect(one.page.get_by_role("dialog").get_by_text("確かめられませんでした")).to_be_visible()
        one.page.reload()
        expect(one.page.get_by_text("前回の送信の結果を、確かめられていません")).to_be_visible()
        one.send()
        one.arrived()
        assert len(events_called(one.page, "読み込み直した会")) == 1
        forgive(complaints, "net::ERR_FAILED")

    def test_while_the_same_is_on_its_way(self, form: Callable[..., Form], complaints: list[str]) -> None:
        one = form()
        one.fill_to(5, "お待ちください会")
        busy = {"code": "IN_FLIGHT", "message": "", "details": []}
        answer = {"status": 409, "json": busy, "headers": {"retry-after": "1"}}
        one.page.route(MAKING, lambda route: route.fulfill(**answer), times=1)
        one.send()
        one.arrived()
        assert len(events_called(one.page, "お待ちください会")) == 1
        forgive(complaints, "status of 409")

    def test_and_not_again_after_a_change(self, form: Callable[..., Form], complaints: list[str]) -> None:
        one = form()
        one.fill_to(5, "先に送った会")

        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        one.page.route(MAKING, lose, times=1)
        one.send()
        dialog = one.page.get_by_role("dialog")
        dialog.get_by_role("button", name="やめる").click()
        one.page.get_by_role("button", name="タイトルを直す").click()
        one.page.get_by_label("タイトル").fill("あとで直した会")
        one.page.get_by_role("button", name="確認して送信").click()
        one.on("確認して送信")
        one.send()
        expect(dialog.get_by_text("すでに送信されています")).to_be_visible()
        assert events_called(one.page, "あとで直した会") == []
        forgive(complaints, "net::ERR_FAILED")
        forgive(complaints, "status of 422")


class TestWhoGetsIt:
    def test_who_cannot_be_reached_is_grey_and_says_why(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(4)
        row = one.person("加藤 さくら")
        expect(row).to_contain_text("LINEと連携していません")
        expect(row.get_by_role("checkbox")).to_be_disabled()
        expect(row.get_by_role("checkbox")).not_to_be_checked()

    def test_who_has_blocked_is_noted(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        blocker = FRIENDS[7]
        box.post(f"/_sandbox/users/{blocker.user_id}/block")
        try:
            one = form()

            def known() -> bool:
                people = answer_of(one.page, "/api/admin/members")
                return any(person["name"] == blocker.name and not person["reachable"] for person in people)

            eventually(known)
            one.fill_to(4)
            expect(one.person(blocker.name)).to_contain_text("ブロック中")
            one.next()
            expect(one.page.get_by_text(f"ブロック中のため、送っても見られません：{blocker.name}")).to_be_visible()
        finally:
            box.post(f"/_sandbox/users/{blocker.user_id}/unblock")

    def test_the_search_narrows_what_the_buttons_do(self, form: Callable[..., Form]) -> None:
        one = form()
        one.fill_to(4)
        one.page.get_by_label("名前で探す").fill("山田太郎")
        expect(one.page.get_by_role("list", name="受信者").get_by_role("listitem")).to_have_count(1)
        one.page.get_by_role("button", name="見つかった全員を外す").click()
        one.page.get_by_label("名前で探す").fill("")
        expect(one.person(YAMADA.name).get_by_role("checkbox")).not_to_be_checked()
        expect(one.person(SATO.name).get_by_role("checkbox")).to_be_checked()

    def test_a_thousand_people_without_lag(self, form: Callable[..., Form]) -> None:
        people = [{"id": number, "name": f"会員 {number:04}", "display_order": number} for number in range(1, 1001)]
        roster = [
            {**one, "line_user_id_present": True, "is_target": 1, "role": "member", "line_display_name": None,
             "reachable": True, "withdrawn": False, "last_contact_at": None}
            for one in people
        ]  # fmt: skip
        candidates = [{"member_id": one["id"], "name": one["name"], "display_order": one["id"]} for one in people]
        one = form()
        one.page.route("**/api/admin/members", lambda route: route.fulfill(json={"items": roster}))
        one.page.route("**/recipients/candidates?*", lambda route: route.fulfill(json={"items": candidates}))
        one.fill_to(4)
        took = one.page.evaluate(
            """async () => {
                const boxes = document.querySelectorAll("main li input");
                const start = performance.now();
                boxes[500].click();
                await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
                return [boxes.length, performance.now() - start];
            }"""
        )
        assert took[0] == 1000
        assert took[1] < 500, "one tick is one frame or two, on a slow machine too"
        expect(one.page.get_by_text("送信先 999人")).to_be_visible()


class TestTheQuota:
    def test_too_little_has_to_be_meant(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        box.put("/_sandbox/quota", json={"type": "limited", "value": 2, "total_usage": 0})
        try:
            one = form()
            one.fill_to(5, "上限を超える会")
            expect(one.page.get_by_text("LINEで今月送れる数が足りません")).to_be_visible()
            one.page.get_by_role("button", name=re.compile("人に送信する$")).click()
            expect(one.page.get_by_text("上限を超えることを確かめて、チェックを入れてください")).to_be_visible()
            expect(one.page.get_by_role("dialog")).to_have_count(0)
            one.page.get_by_label("届かない方が出ることを承知で、送信する").check()
            one.send()
            one.page.wait_for_url(re.compile(r"sent=\d+|/events/\d+$"))
            assert len(events_called(one.page, "上限を超える会")) == 1
        finally:
            box.put("/_sandbox/quota", json={"type": "none"})

    def test_what_is_left_is_shown(self, form: Callable[..., Form], box: httpx2.Client) -> None:
        box.put("/_sandbox/quota", json={"type": "limited", "value": 200, "total_usage": 50})
        try:
            one = form()
            one.fill_to(5)
            expect(one.page.get_by_text("今月の残り 150通")).to_be_visible()
        finally:
            box.put("/_sandbox/quota", json={"type": "none"})
