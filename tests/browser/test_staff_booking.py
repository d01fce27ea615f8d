"""The staff portal behind the log-in: slots by day, booking, moving, cancelling, waiting, and the profile."""

from collections.abc import Callable, Iterator

import httpx2
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually
from tests.browser.staff_desk import StaffDesk, day, open_staff_desk
from tests.browser.test_screens import check_every_size
from tests.factories.booking import PIN

STAFF = True
OpenPage = Callable[..., Page]
LIVE = "SELECT slot_id FROM reservations WHERE staff_id = ? AND canceled_at IS NULL"


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[StaffDesk]:
    with open_staff_desk(demo.product, demo.data_dir) as opened:
        opened.switch_types_off()
        yield opened


@pytest.fixture(scope="module")
def check_up(desk: StaffDesk) -> int:
    return desk.type("職員健診", cancelUntilHours=24)


@pytest.fixture
def portal(demo: Demo, open_page: OpenPage) -> Callable[..., Page]:
    """The portal with somebody logged in."""

    def opened(staff_id: str, path: str = "", size: str = "phone") -> Page:
        page = open_page(f"{demo.product}/staff/{path}", size)
        page.get_by_label("職員番号").fill(staff_id)
        page.get_by_label("暗証番号（PIN）4桁").fill(PIN)
        page.keyboard.press("Enter")
        expect(page.get_by_role("navigation", name="メニュー")).to_be_visible()
        return page

    return opened


def slot(page: Page, times: str) -> Locator:
    return page.get_by_role("list", name="予約枠").get_by_role("button", name=times)


class TestBooking:
    def test_two_taps(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        wanted = desk.slot(check_up, 8, notes="3階の健診室")
        desk.staff("4001", familyName="勅使河原", givenName="龍之介権左衛門")
        page = portal("4001", f"?day={day(8)}")
        check_every_size(page)
        slot(page, "9:00〜9:30").click()
        sheet = page.get_by_role("dialog", name="この枠を予約しますか？")
        expect(sheet).to_contain_text("3階の健診室")
        check_every_size(page)
        sheet.get_by_role("button", name="予約する", exact=True).click()
        expect(page.get_by_text("予約しました。")).to_be_visible()
        assert desk.sql(LIVE, "4001") == [(wanted,)]
        page.get_by_text("受付のQRコードを見せる").click()
        expect(page.get_by_role("img", name="受付のQRコード")).to_be_visible()
        check_every_size(page)
        page.get_by_role("link", name="カレンダーに追加").click()
        file = page.get_by_role("link", name="スマートフォンのカレンダー").get_attribute("href") or ""
        assert "BEGIN:VEVENT" in httpx2.get(file, trust_env=False).text
        page.go_back()
        # The sheet is no entry of the history: one step back is the calendar.
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text("予約する")
        expect(slot(page, "9:00〜9:30")).to_contain_text("予約済み")

    def test_the_back_button_closes_the_sheet(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        desk.slot(check_up, 9)
        desk.staff("4002")
        page = portal("4002", f"?day={day(9)}")
        slot(page, "9:00〜9:30").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("heading", level=1)).to_have_text("予約する")
        expect(slot(page, "9:00〜9:30")).to_be_focused()

    def test_an_answer_that_is_lost_is_asked_for_again_and_counts_once(
        self, desk: StaffDesk, check_up: int, portal: OpenPage, complaints: Complaints
    ) -> None:
        wanted = desk.slot(check_up, 10)
        desk.staff("4003")
        page = portal("4003", f"?day={day(10)}")
        keys: list[str | None] = []
        page.on(
            "request",
            lambda asked: keys.append(asked.headers.get("idempotency-key")) if asked.method == "POST" else None,
        )

        def lose(route: Route) -> None:
            """The server has booked, and the answer does not arrive."""
            route.fetch()
            route.abort()

        slot(page, "9:00〜9:30").click()
        page.route("**/api/reservations", lose)
        page.route("**/api/slots?*", lambda route: route.abort())
        page.get_by_role("dialog").get_by_role("button", name="予約する", exact=True).dblclick()
        expect(page.get_by_role("alert").filter(has_text="二重になることはありません")).to_be_visible()
        # The calendar stays out of reach: it would show the reservation, and take the question away.
        page.unroute("**/api/reservations")
        page.get_by_role("button", name="もう一度、予約する").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("職員健診")
        assert desk.sql(LIVE, "4003") == [(wanted,)]
        # The double tap sent once, and it was tried again once.
        assert len(keys) == 2
        assert len(set(keys)) == 1
        complaints.expect("net::ERR_")

    def test_an_answer_that_is_lost_shows_in_the_calendar(
        self, desk: StaffDesk, check_up: int, portal: OpenPage, complaints: Complaints
    ) -> None:
        desk.slot(check_up, 19)
        desk.staff("4010")
        page = portal("4010", f"?day={day(19)}")
        slot(page, "9:00〜9:30").click()
        page.route("**/api/reservations", lambda route: (route.fetch(), route.abort()))
        page.get_by_role("dialog").get_by_role("button", name="予約する", exact=True).click()
        expect(page.get_by_role("dialog", name="予約済みの枠です")).to_be_visible()
        page.unroute_all()
        page.get_by_role("button", name="予約の内容を見る").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("職員健診")
        complaints.expect("net::ERR_")

    @pytest.mark.found("24.B7")
    def test_once_a_year_leads_to_a_move(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        first, second = desk.slot(check_up, 11), desk.slot(check_up, 11, 600)
        desk.book(desk.staff("4004"), first)
        page = portal("4004", f"?day={day(11)}")
        slot(page, "10:00〜10:30").click()
        expect(page.get_by_role("dialog")).to_contain_text("いまの予約を、この日時に変更しますか？")
        page.get_by_role("dialog").get_by_role("button", name="10:00 に変更する").click()
        expect(page.get_by_text("予約の日時を変更しました。")).to_be_visible()
        assert desk.sql(LIVE, "4004") == [(second,)]

    def test_a_full_slot_is_waited_for_and_becomes_a_reservation(
        self, desk: StaffDesk, check_up: int, portal: OpenPage
    ) -> None:
        wanted = desk.slot(check_up, 12, capacity=1)
        [taken] = desk.fill(wanted, 1)
        desk.staff("4005")
        page = portal("4005", f"?day={day(12)}")
        expect(slot(page, "9:00〜9:30")).to_contain_text("満席")
        slot(page, "9:00〜9:30").click()
        expect(page.get_by_role("dialog")).to_contain_text("確認なしで予約が確定します")
        check_every_size(page)
        page.get_by_role("button", name="空いたら自動で予約").click()
        expect(slot(page, "9:00〜9:30")).to_contain_text("空き待ち中")
        page.get_by_role("link", name="予約の確認").click()
        expect(page.get_by_role("heading", name="空き待ち")).to_be_visible()
        expect(page.get_by_text("1番目。")).to_be_visible()
        check_every_size(page)
        desk.cancel(taken)
        eventually(lambda: desk.sql(LIVE, "4005") == [(wanted,)])
        page.reload()
        expect(page.get_by_role("heading", name="次の予約")).to_be_visible()
        expect(page.get_by_role("heading", name="空き待ち")).to_have_count(0)

    def test_waiting_can_be_given_up(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        wanted = desk.slot(check_up, 13, capacity=1)
        desk.fill(wanted, 1)
        desk.staff("4006")
        page = portal("4006", f"?day={day(13)}")
        slot(page, "9:00〜9:30").click()
        page.get_by_role("button", name="空いたら自動で予約").click()
        expect(slot(page, "9:00〜9:30")).to_contain_text("空き待ち中")
        page.get_by_role("link", name="予約の確認").click()
        page.get_by_role("button", name="待つのをやめる").click()
        expect(page.get_by_text("これからの予約はありません。")).to_be_visible()
        assert desk.sql("SELECT outcome FROM waiting_places WHERE slot_id = ?", wanted) == [("left",)]

    def test_reasons_and_types(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        desk.slot(check_up, 14, bookingStart="2099-01-01T09:00:00+09:00")
        desk.slot(desk.type("インフルエンザ予防接種"), 14, 600)
        desk.staff("4007")
        page = portal("4007", f"?day={day(14)}", "desktop")
        slot(page, "9:00〜9:30").click()
        expect(page.get_by_role("dialog")).to_contain_text("2099年1月1日（木）09:00 に始まります")
        # The second tap must not leave the portal.
        page.get_by_role("button", name="閉じる").dblclick()
        page.get_by_label("予約の種類").select_option("インフルエンザ予防接種")
        expect(slot(page, "9:00〜9:30")).to_have_count(0)
        expect(slot(page, "10:00〜10:30")).to_be_visible()

    def test_a_day_without_slots_leads_on(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        desk.slot(check_up, 15)
        desk.staff("4008")
        page = portal("4008", f"?day={day(200)}")
        expect(page.get_by_text("この日に予約枠はありません。")).to_be_visible()
        page.get_by_role("button", name="を見る").click()
        expect(page.get_by_role("list", name="予約枠")).to_be_visible()

    def test_without_a_network_the_slots_stay_and_say_so(
        self, desk: StaffDesk, check_up: int, portal: OpenPage, complaints: Complaints
    ) -> None:
        desk.slot(check_up, 16)
        desk.staff("4009")
        page = portal("4009", f"?day={day(16)}")
        expect(slot(page, "9:00〜9:30")).to_be_visible()
        page.context.set_offline(True)
        expect(page.get_by_text("インターネットにつながっていません")).to_be_visible()
        slot(page, "9:00〜9:30").click()
        page.get_by_role("dialog").get_by_role("button", name="予約する", exact=True).click()
        expect(page.get_by_role("alert").filter(has_text="返事が届きませんでした")).to_be_visible()
        page.context.set_offline(False)
        page.get_by_role("button", name="もう一度、予約する").click()
        expect(page.get_by_text("予約しました。")).to_be_visible()
        complaints.expect("net::ERR_")


class TestMine:
    def test_move_and_cancel(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        first, second = desk.slot(check_up, 17), desk.slot(check_up, 17, 600)
        reservation = desk.book(desk.staff("4101"), first)
        page = portal("4101", "reservations")
        page.get_by_role("link", name="QRコード・変更・取消").click()
        page.get_by_role("link", name="日時を変更する").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("日時の変更")
        page.goto(f"{desk.product}/staff/reservations/{reservation}/move?day={day(17)}")
        check_every_size(page)
        slot(page, "10:00〜10:30").click()
        expect(page.get_by_role("dialog")).to_contain_text("いまの予約はそのまま残ります")
        page.get_by_role("button", name="10:00 に変更する").click()
        expect(page.get_by_text("予約の日時を変更しました。")).to_be_visible()
        assert desk.sql(LIVE, "4101") == [(second,)]
        page.get_by_role("button", name="予約を取り消す").click()
        expect(page.get_by_role("dialog")).to_contain_text("取り消しの期限")
        check_every_size(page)
        page.get_by_role("button", name="取り消す", exact=True).click()
        expect(page.get_by_text("に取り消しました。")).to_be_visible()
        assert desk.sql(LIVE, "4101") == []
        page.get_by_role("link", name="予約の確認へ").click()
        page.get_by_text("これまでの予約（1件）").click()
        expect(page.get_by_role("list", name="これまでの予約")).to_contain_text("取り消し")

    def test_after_the_deadline_the_office_is_named(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        soon = desk.slot(check_up, 0, 1409)
        reservation = desk.book(desk.staff("4102"), soon)
        page = portal("4102", f"reservations/{reservation}")
        expect(page.get_by_text("期限（")).to_contain_text("担当者にお電話ください")
        expect(page.get_by_role("button", name="予約を取り消す")).to_have_count(0)

    def test_somebody_elses_reservation_is_not_found(self, desk: StaffDesk, check_up: int, portal: OpenPage) -> None:
        reservation = desk.book(desk.staff("4103"), desk.slot(check_up, 18))
        desk.staff("4104")
        page = portal("4104", f"reservations/{reservation}")
        expect(page.get_by_role("heading", level=1)).to_have_text("予約が見つかりません")
        page.get_by_role("link", name="予約の一覧を見る").click()
        expect(page.get_by_text("これからの予約はありません。")).to_be_visible()
        check_every_size(page)


class TestProfile:
    def test_names_need_the_pin_and_the_rest_does_not(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.staff("4201")
        page = portal("4201", "profile/edit")
        page.get_by_label("職種").fill("主任看護師")
        expect(page.get_by_label("いまの暗証番号")).to_have_count(0)
        page.get_by_label("姓", exact=True).fill("髙橋")
        page.get_by_label("いまの暗証番号").fill("9999")
        check_every_size(page)
        page.get_by_role("button", name="変更する").click()
        expect(page.get_by_role("alert").filter(has_text="5回間違えるとロック")).to_be_visible()
        page.get_by_label("いまの暗証番号").fill(PIN)
        page.get_by_role("button", name="変更する").click()
        expect(page.get_by_text("登録内容を変更しました。")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_have_text("髙橋花子さん")
        check_every_size(page)

    def test_a_mail_address_is_given_and_taken_away(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.staff("4204")
        page = portal("4204", "profile/edit")
        mail = page.get_by_label("メールアドレス（任意）")
        mail.fill("hanako@")
        page.get_by_role("button", name="変更する").click()
        expect(page.get_by_role("alert").filter(has_text="メールアドレスを確かめて")).to_be_visible()
        expect(mail).to_be_focused()
        check_every_size(page)
        mail.fill("hanako@example.jp")
        page.get_by_role("button", name="変更する").click()
        expect(page.get_by_text("登録内容を変更しました。")).to_be_visible()
        expect(page.get_by_text("hanako@example.jp")).to_be_visible()
        page.get_by_role("link", name="登録内容を変更する").click()
        page.get_by_label("メールアドレス（任意）").fill("")
        page.get_by_role("button", name="変更する").click()
        expect(page.get_by_text("登録内容を変更しました。")).to_be_visible()
        assert desk.sql("SELECT email FROM staffs WHERE staff_id = '4204'") == [(None,)]

    def test_a_change_elsewhere_is_said_and_the_next_try_works(
        self, desk: StaffDesk, portal: OpenPage, complaints: Complaints
    ) -> None:
        desk.staff("4202")
        page = portal("4202", "profile/edit")
        page.get_by_label("職種").fill("主任看護師")
        desk.sql("UPDATE staffs SET version = version + 1, given_name = '花代' WHERE staff_id = '4202'")
        page.get_by_role("button", name="変更する").click()
        expect(page.get_by_role("alert").filter(has_text="。").first).to_be_visible()
        page.get_by_label("名", exact=True).fill("花代")
        page.get_by_role("button", name="変更する").click()
        expect(page.get_by_text("登録内容を変更しました。")).to_be_visible()
        assert desk.sql("SELECT job_title, given_name FROM staffs WHERE staff_id = '4202'") == [("主任看護師", "花代")]
        complaints.expect("status of 409")

    def test_a_new_pin_ends_the_other_devices(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.staff("4203")
        elsewhere, page = portal("4203", "reservations"), portal("4203", "profile/pin", "desktop")
        for typed in (PIN, "7391", "7391"):
            page.get_by_role("textbox").fill(typed)
            page.keyboard.press("Enter")
        expect(page.get_by_text("暗証番号（PIN）を変更しました。")).to_be_visible()
        page.get_by_role("link", name="予約の確認").click()
        expect(page.get_by_text("これからの予約はありません。")).to_be_visible()
        elsewhere.get_by_role("link", name="わたし").click()
        elsewhere.get_by_role("link", name="予約の確認").click()
        expect(elsewhere.get_by_role("heading", level=1)).to_have_text("職員の予約")
