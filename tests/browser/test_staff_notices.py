"""The buttons of a LINE message about a reservation: each opens its page of the portal, after the log-in if need be."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import FrameLocator, Locator, Page, expect

from tests.browser.conftest import Demo, eventually
from tests.browser.member_desk import LIFF
from tests.browser.payer import log_in, of_day, slot_button
from tests.browser.staff_desk import StaffDesk, open_staff_desk
from tests.browser.test_screens import check_every_size, check_size
from tests.factories.booking import PIN

STAFF = True
OpenPage = Callable[..., Page]
BUTTONS = {
    "予約を見る": "職員健診",
    "変更する": "日時の変更",
    "キャンセルする": "この予約を取り消しますか？",
    "カレンダーに追加": "カレンダーに追加",
}


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[StaffDesk]:
    with open_staff_desk(demo.product, demo.data_dir) as opened:
        opened.switch_types_off()
        yield opened


@pytest.fixture(scope="module")
def check_up(desk: StaffDesk) -> int:
    return desk.type("職員健診", cancelUntilHours=24, limitPerYear=None, place="本館2階")


@pytest.fixture
def told(
    demo: Demo, desk: StaffDesk, check_up: int, new_friend: Callable[[str], str]
) -> Callable[..., tuple[str, int]]:
    """Somebody with LINE whom the office gave a seat; gives their LINE id and the reservation."""

    def made(staff_id: str, name: str, days: int) -> tuple[str, int]:
        user_id = new_friend(name)
        uid = desk.staff(staff_id)
        desk.sql("UPDATE staffs SET line_user_id = ? WHERE staff_id = ?", user_id, staff_id)
        reservation = desk.book(uid, desk.slot(check_up, days))
        eventually(lambda: len(links_of(demo, user_id)) == len(BUTTONS))
        return user_id, reservation

    return made


def links_of(demo: Demo, user_id: str) -> dict[str, str]:
    """The buttons of the newest message that has some."""
    with httpx2.Client(base_url=demo.phones, trust_env=False) as box:
        chat: list[Any] = box.get(f"/_sandbox/users/{user_id}/chat").json()["messages"]
    cards = [one["message"]["template"]["actions"] for one in chat if one["message"]["type"] == "template"]
    return {action["label"]: action["uri"] for action in cards[-1]} if cards else {}


def in_line(demo: Demo, link: str, user_id: str) -> str:
    """The address that LINE opens for this person."""
    return f"{link}{'&' if '?' in link else '?'}as={user_id}".replace("https://liff.line.me/", f"{demo.phones}/liff/")


class TestButtons:
    def test_each_opens_its_page_after_the_log_in(
        self, demo: Demo, open_page: OpenPage, told: Callable[..., tuple[str, int]]
    ) -> None:
        user_id, reservation = told("6301", "ボタンの花子", 20)
        links = links_of(demo, user_id)
        assert list(links) == list(BUTTONS)
        page = open_page(in_line(demo, links["キャンセルする"], user_id), "phone")
        page.wait_for_url(re.compile(r"/staff/reservations/\d+/cancel"))
        expect(page.get_by_role("heading", level=1)).to_have_text("職員の予約")
        # Inside LINE it is the person's own phone.
        expect(page.get_by_label("自分のスマートフォンです")).to_be_checked()
        log_in(page, "6301")
        expect(page.get_by_role("heading", level=1)).to_have_text(BUTTONS["キャンセルする"])
        for label, heading in BUTTONS.items():
            page.goto(in_line(demo, links[label], user_id))
            expect(page.get_by_role("heading", level=1)).to_have_text(heading)
            assert f"/staff/reservations/{reservation}" in page.url
            check_every_size(page)
        file = page.get_by_role("link", name="スマートフォンのカレンダー").get_attribute("href") or ""
        assert "BEGIN:VEVENT" in httpx2.get(file, trust_env=False).text
        page.goto(f"{demo.product}/staff/reservations/{reservation}")
        expect(page.get_by_text("LINEでお知らせ済みです。リマインドは")).to_be_visible()

    def test_of_an_older_message(
        self, demo: Demo, desk: StaffDesk, check_up: int, open_page: OpenPage, told: Callable[..., tuple[str, int]]
    ) -> None:
        user_id, reservation = told("6302", "むかしの花子", 21)
        old = links_of(demo, user_id)
        desk.slot(check_up, 21, 600)
        page = open_page(in_line(demo, old["変更する"], user_id), "phone")
        log_in(page, "6302")
        expect(page.get_by_role("heading", level=1)).to_have_text("日時の変更")
        page.goto(f"{demo.product}/staff/reservations/{reservation}/move{of_day(21)}")
        slot_button(page, "10:00〜10:30").click()
        page.get_by_role("button", name="10:00 に変更する").click()
        expect(page.get_by_text("予約の日時を変更しました。")).to_be_visible()
        page.goto(in_line(demo, old["予約を見る"], user_id))
        expect(page.get_by_text("このお知らせのあとに、日時が変更されています。")).to_be_visible()
        check_every_size(page)
        eventually(lambda: links_of(demo, user_id) != old)
        page.goto(in_line(demo, links_of(demo, user_id)["予約を見る"], user_id))
        expect(page.get_by_role("heading", level=1)).to_have_text("職員健診")
        expect(page.get_by_text("日時が変更されています。")).to_have_count(0)
        desk.cancel(reservation)
        for label in ("変更する", "キャンセルする"):
            page.goto(in_line(demo, old[label], user_id))
            expect(page.get_by_role("heading", level=1)).to_have_text("取り消し済みの予約です")
            check_every_size(page)
        page.goto(in_line(demo, old["カレンダーに追加"], user_id))
        expect(page.get_by_text("この予約は取り消されています。")).to_be_visible()

    def test_on_the_phone_of_somebody_else(
        self, demo: Demo, desk: StaffDesk, open_page: OpenPage, told: Callable[..., tuple[str, int]]
    ) -> None:
        user_id, reservation = told("6303", "持ち主の花子", 22)
        desk.staff("6304")
        page = open_page(f"{demo.product}/staff/reservations/{reservation}", "phone")
        log_in(page, "6304")
        expect(page.get_by_text("山田花子さんとしてログインしています。")).to_be_visible()
        check_every_size(page)
        page.get_by_role("button", name="ほかの職員番号でログインする").click()
        log_in(page, "6303")
        expect(page.get_by_role("heading", level=1)).to_have_text("職員健診")
        assert page.url == f"{demo.product}/staff/reservations/{reservation}"
        # Another LINE account in the same browser is another person.
        page.goto(in_line(demo, links_of(demo, user_id)["予約を見る"], user_id))
        expect(page.get_by_role("heading", level=1)).to_have_text("職員健診")
        other, _ = told("6305", "つぎの花子", 23)
        page.goto(in_line(demo, links_of(demo, other)["予約を見る"], other))
        expect(page.get_by_role("heading", level=1)).to_have_text("職員の予約")

    @pytest.mark.parametrize(
        "path", ["staff//evil.example", "staff/%5Cevil.example", "staff/reservations/1/delete", "staff/https:evil"]
    )
    def test_no_address_leads_elsewhere(
        self, demo: Demo, open_page: OpenPage, new_friend: Callable[[str], str], path: str
    ) -> None:
        page = open_page(f"{demo.phones}{LIFF}/{path}?as={new_friend('わるい花子')}", "phone")
        expect(page.get_by_role("heading", level=1)).to_have_text("ページが見つかりません")
        assert page.url.startswith(f"{demo.product}/liff")


class TestPhones:
    @pytest.mark.parametrize("size", ["phone", "desktop"])
    def test_the_message_has_its_buttons_and_they_open_the_portal(
        self, demo: Demo, open_page: OpenPage, told: Callable[..., tuple[str, int]], size: str
    ) -> None:
        staff_id, name = ("6306", "電話の花子") if size == "phone" else ("6307", "机の花子")
        told(staff_id, name, 24)
        page = open_page(demo.phones, size)
        phone = _shown(page, name)
        expect(phone.get_by_role("button", name="カレンダーに追加")).to_be_visible()
        check_size(page)
        phone.get_by_role("button", name="変更する").click()
        portal = _opened(phone, "職員の予約")
        portal.get_by_label("職員番号").fill(staff_id)
        portal.get_by_label("暗証番号（PIN）4桁").fill(PIN)
        portal.get_by_role("button", name="ログイン", exact=True).click()
        expect(portal.get_by_role("heading", level=1)).to_have_text("日時の変更")
        phone.get_by_role("button", name="閉じてトークに戻る").click()
        expect(phone.get_by_role("button", name="変更する")).to_be_focused()

    def test_the_ways_to_everything_else(self, demo: Demo, open_page: OpenPage) -> None:
        page = open_page(demo.phones, "phone")
        page.get_by_role("button", name="ほかの画面").click()
        dialog = page.get_by_role("dialog", name="ほかの画面")
        for name in ("管理画面", "職員の予約", "お支払いの一覧", "届いたメール", "名簿シート"):
            address = dialog.get_by_role("link", name=name).get_attribute("href") or ""
            there = httpx2.get(httpx2.URL(demo.phones).join(address), trust_env=False, follow_redirects=True)
            assert there.is_success, address
        check_every_size(page)


def _shown(page: Page, name: str) -> Locator:
    page.get_by_role("button", name="友だち一覧").click()
    expect(page.get_by_role("dialog").get_by_role("searchbox")).to_be_focused()
    page.keyboard.type(name)
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(1)
    page.keyboard.press("Enter")
    return page.get_by_role("region", name=f"{name}さんの電話")


def _opened(phone: Locator, title: str) -> FrameLocator:
    expect(phone.get_by_role("dialog", name=title)).to_be_visible()
    return phone.frame_locator("iframe")
