"""A seat with a price in the staff portal: the hold, the payment page and back, and what becomes of the money."""

import re
from collections.abc import Callable, Iterator

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually
from tests.browser.payer import CHECKOUT, Cashier, choose, held, log_in, of_day, slot_button
from tests.browser.staff_desk import StaffDesk, open_staff_desk
from tests.browser.test_screens import check_every_size, check_size, serious

STAFF = True
OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[StaffDesk]:
    with open_staff_desk(demo.product, demo.data_dir) as opened:
        opened.switch_types_off()
        yield opened


@pytest.fixture(scope="module")
def type_id(desk: StaffDesk) -> int:
    rules = {"priceJpy": 3000, "refundUntilHours": 48, "limitPerYear": None, "overlapAllowed": True}
    return desk.type("人間ドック", place="本館2階", konbini=True, **rules)


@pytest.fixture
def cashier(demo: Demo, desk: StaffDesk, type_id: int) -> Iterator[Cashier]:
    with httpx2.Client(base_url=demo.phones, timeout=60, trust_env=False) as stripe:
        opened = Cashier(desk, stripe, type_id)
        yield opened
        opened.mended()


@pytest.fixture
def portal(demo: Demo, open_page: OpenPage) -> OpenPage:
    def opened(staff_id: str, path: str = "", size: str = "phone") -> Page:
        page = open_page(f"{demo.product}/staff/{path}", size)
        log_in(page, staff_id)
        expect(page.get_by_role("navigation", name="メニュー")).to_be_visible()
        return page

    return opened


class TestPaying:
    @pytest.mark.parametrize(("size", "days"), [("phone", 20), ("desktop", 21)])
    def test_from_the_slot_to_the_receipt(
        self, desk: StaffDesk, cashier: Cashier, portal: OpenPage, size: str, days: int
    ) -> None:
        cashier.slot(days, notes="3階の健診室")
        staff_id = f"61{days}"
        desk.staff(staff_id)
        page = portal(staff_id, of_day(days), size)
        expect(slot_button(page)).to_contain_text("3,000円")
        sheet = choose(page)
        for words in ("35分", "お支払いで確定します", "2日前までの取り消しは、全額を返金します"):
            expect(sheet).to_contain_text(words)
        check_size(page)
        # A double click takes one seat and opens one page.
        sheet.get_by_role("button", name="支払いへ進む").dblclick()
        page.wait_for_url(CHECKOUT)
        reservation, confirmed, _ = cashier.reservation(staff_id)
        assert (confirmed, cashier.payments(reservation)) == (0, ["OPEN"])
        page.get_by_role("button", name="カードで支払う").click()
        expect(page.get_by_text("お支払いを確認しました。予約が確定しました。")).to_be_visible()
        expect(page).to_have_url(re.compile(rf"/staff/reservations/{reservation}$"))
        expect(page.get_by_text("支払い済み")).to_be_visible()
        expect(page.get_by_text("LINE未連携のため、通知はありません。")).to_be_visible()
        check_size(page)
        assert cashier.payments(reservation) == ["PAID"]
        page.reload()
        expect(page.get_by_text("支払い済み")).to_be_visible()
        expect(page.get_by_text("お支払いを確認しました。")).to_have_count(0)

    def test_the_back_button_and_a_second_try_use_the_same_page(
        self, desk: StaffDesk, cashier: Cashier, portal: OpenPage
    ) -> None:
        cashier.slot(22)
        desk.staff("6122")
        page = portal("6122", of_day(22))
        choose(page).get_by_role("button", name="支払いへ進む").click()
        page.wait_for_url(CHECKOUT)
        first = page.url
        page.go_back()
        expect(page.get_by_role("heading", name="お支払いで予約が確定します")).to_be_visible()
        expect(page.get_by_text(re.compile(r"まで（あと3\d分）"))).to_be_visible()
        check_every_size(page)
        page.get_by_role("button", name="支払いへ進む").dblclick()
        page.wait_for_url(CHECKOUT)
        assert page.url == first
        page.get_by_role("link", name="支払わずに戻る").click()
        expect(page.get_by_text("お支払いは、まだ済んでいません。")).to_be_visible()
        reservation, confirmed, _ = cashier.reservation("6122")
        assert (confirmed, len(cashier.payments(reservation))) == (0, 1)
        # The list leads here before everything else.
        page.get_by_role("link", name="予約の確認").first.click()
        expect(page.get_by_role("heading", name="お支払いを待っている予約")).to_be_visible()
        check_every_size(page)
        page.get_by_role("link", name="お支払い・取消").click()
        expect(page.get_by_role("button", name="支払いへ進む")).to_be_visible()

    def test_by_the_keyboard_alone(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        cashier.slot(23)
        desk.staff("6123")
        page = portal("6123", of_day(23), "desktop")
        slot_button(page).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        _tab_to(page, "支払いへ進む")
        page.keyboard.press("Enter")
        page.wait_for_url(CHECKOUT)
        _tab_to(page, "カードで支払う")
        page.keyboard.press("Enter")
        expect(page.get_by_text("予約が確定しました。")).to_be_visible()
        _tab_to(page, "予約を取り消す")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("3,000円は、全額を返金します")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="予約を取り消す")).to_be_focused()

    def test_stripe_cannot_be_reached_and_comes_back(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        cashier.slot(24)
        desk.staff("6124")
        page = portal("6124", of_day(24))
        cashier.breaks("drop_connection", "stripe_create")
        choose(page).get_by_role("button", name="支払いへ進む").click()
        expect(page.get_by_role("alert").filter(has_text="席はお取り置きしています")).to_be_visible()
        check_every_size(page)
        page.get_by_role("button", name="もう一度開く").click()
        expect(page.get_by_role("button", name="もう一度開く")).to_be_visible()
        cashier.mended()
        page.reload()
        page.get_by_role("button", name="もう一度開く").click()
        page.wait_for_url(CHECKOUT)
        reservation, _, _ = cashier.reservation("6124")
        assert cashier.payments(reservation) == ["OPEN"]


class TestComingBack:
    def test_the_news_comes_late_and_a_reload_does_not_hurt(
        self, desk: StaffDesk, cashier: Cashier, portal: OpenPage
    ) -> None:
        cashier.slot(25)
        desk.staff("6125")
        page = portal("6125", of_day(25))
        choose(page).get_by_role("button", name="支払いへ進む").click()
        page.wait_for_url(CHECKOUT)
        cashier.breaks("webhook_delayed", "stripe_webhook", seconds=300)
        page.get_by_role("button", name="カードで支払う").click()
        expect(page.get_by_role("heading", name="お支払いを確認しています")).to_be_visible()
        expect(page.get_by_role("button", name="支払いへ進む")).to_have_count(0)
        check_every_size(page)
        page.reload()
        expect(page.get_by_role("heading", name="お支払いを確認しています")).to_be_visible()
        cashier.stripe.post("/_sandbox/stripe/webhooks/flush")
        expect(page.get_by_text("予約が確定しました。")).to_be_visible()

    def test_nothing_is_heard_for_a_minute(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        cashier.slot(26)
        desk.staff("6126")
        page = portal("6126", of_day(26))
        held(page)
        reservation, _, _ = cashier.reservation("6126")
        page.clock.install()
        page.goto(f"{desk.product}/staff/reservations/{reservation}?paid=1")
        expect(page.get_by_role("heading", name="お支払いを確認しています")).to_be_visible()
        for _ in range(20):
            page.clock.run_for(5000)
        expect(page.get_by_role("heading", name="確認に時間がかかっています")).to_be_visible()
        expect(page.get_by_text("もう一度支払う必要はありません")).to_be_visible()
        check_every_size(page)
        cashier.pay(reservation)
        page.get_by_role("button", name="もう一度確認する").click()
        page.clock.run_for(3000)
        expect(page.get_by_text("予約が確定しました。")).to_be_visible()

    def test_a_konbini_slip_waits_and_is_paid(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        cashier.slot(27)
        desk.staff("6127")
        page = portal("6127", of_day(27))
        choose(page).get_by_role("button", name="支払いへ進む").click()
        page.wait_for_url(CHECKOUT)
        page.get_by_role("button", name="コンビニで支払う").click()
        slip = page.url
        page.get_by_role("link", name="申込みのページへ進む").click()
        expect(page.get_by_role("heading", name="コンビニでのお支払いを待っています")).to_be_visible()
        check_every_size(page)
        page.goto(slip)
        page.get_by_role("button", name="コンビニで支払った").click()
        page.get_by_role("link", name="申込みのページへ進む").click()
        expect(page.get_by_text("支払い済み")).to_be_visible()

    def test_the_hold_runs_out(
        self, desk: StaffDesk, cashier: Cashier, portal: OpenPage, complaints: Complaints
    ) -> None:
        cashier.slot(28)
        desk.staff("6128")
        page = portal("6128", of_day(28))
        held(page)
        reservation, _, _ = cashier.reservation("6128")
        cashier.ran_out(reservation)
        page.get_by_role("button", name="支払いへ進む").click()
        expect(page.get_by_text("席のお取り置きを取り消しました")).to_be_visible()
        expect(page.get_by_role("button", name="支払いへ進む")).to_have_count(0)
        expect(page.get_by_text("期限切れ")).to_be_visible()
        check_every_size(page)
        complaints.expect("status of 409")

    def test_paid_when_the_seat_was_gone(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        wanted = cashier.slot(29, capacity=1)
        desk.staff("6129")
        page = portal("6129", of_day(29))
        held(page)
        reservation, _, _ = cashier.reservation("6129")
        cashier.ran_out(reservation)
        desk.book(desk.staff("6229"), wanted)
        cashier.pay(reservation)
        page.goto(f"{desk.product}/staff/reservations/{reservation}?paid=1")
        expect(page.get_by_text("予約は確定していません")).to_be_visible()
        expect(page.get_by_text(re.compile("返金手続き中|返金済み"))).to_be_visible()
        check_every_size(page)


class TestCancelling:
    def _paid(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage, staff_id: str, days: int) -> tuple[Page, int]:
        cashier.slot(days)
        desk.staff(staff_id)
        page = portal(staff_id, of_day(days))
        held(page)
        reservation: int = cashier.reservation(staff_id)[0]
        cashier.pay(reservation)
        page.reload()
        expect(page.get_by_text("支払い済み")).to_be_visible()
        return page, reservation

    def test_the_price_comes_back(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        page, reservation = self._paid(desk, cashier, portal, "6130", 30)
        page.get_by_role("button", name="予約を取り消す").click()
        expect(page.get_by_role("dialog")).to_contain_text("お支払いの3,000円は、全額を返金します")
        check_every_size(page)
        page.get_by_role("button", name="取り消す", exact=True).dblclick()
        expect(page.get_by_text(re.compile("返金手続き中|返金済み"))).to_be_visible()
        check_every_size(page)
        eventually(lambda: cashier.refunds(reservation) == ["succeeded"])
        page.reload()
        expect(page.get_by_text("返金済み")).to_be_visible()

    def test_too_late_for_a_refund_is_said_before(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        page, _ = self._paid(desk, cashier, portal, "6131", 1)
        page.get_by_role("button", name="予約を取り消す").click()
        expect(page.get_by_role("dialog")).to_contain_text("返金されません")
        check_every_size(page)
        page.get_by_role("button", name="返金なしで取り消す").click()
        expect(page.get_by_text("返金はありません")).to_be_visible()

    def test_a_held_seat_costs_nothing(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        cashier.slot(32)
        desk.staff("6132")
        page = portal("6132", of_day(32))
        held(page)
        page.get_by_role("button", name="支払わずに取り消す").click()
        expect(page.get_by_role("dialog")).to_contain_text("料金はかかりません")
        assert serious(page) == []
        page.get_by_role("button", name="取り消す", exact=True).click()
        expect(page.get_by_text("に取り消しました。")).to_be_visible()

    def test_a_move_keeps_the_payment(self, desk: StaffDesk, cashier: Cashier, portal: OpenPage) -> None:
        page, reservation = self._paid(desk, cashier, portal, "6133", 33)
        cashier.slot(33, start=600)
        page.goto(f"{desk.product}/staff/reservations/{reservation}/move{of_day(33)}")
        slot_button(page, "10:00〜10:30").click()
        expect(page.get_by_role("dialog")).to_contain_text("お支払いは、そのまま引き継ぎます")
        page.get_by_role("button", name="10:00 に変更する").click()
        expect(page.get_by_text("予約の日時を変更しました。")).to_be_visible()
        expect(page.get_by_text("支払い済み")).to_be_visible()


def _tab_to(page: Page, name: str) -> None:
    """Moves the focus with the keyboard until it stands on the button."""
    wanted = page.get_by_role("button", name=name).last
    for _ in range(40):
        page.keyboard.press("Tab")
        if wanted.evaluate("node => node === document.activeElement"):
            return
    raise AssertionError(f"the Tab key does not reach {name}")
