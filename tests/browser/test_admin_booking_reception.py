"""The reception of a day, the QR code, and the board of who has booked."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.conftest import Demo
from tests.browser.hospital import Hospital, day, reception_code
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
HOSPITAL = True


@pytest.fixture
def hospital(demo: Demo) -> Iterator[Hospital]:
    with colleague(demo) as somebody:
        yield Hospital(somebody)


def sheet(office: Office, hospital: Hospital, ahead: int, size: str = "desktop") -> Page:
    return office(f"booking/day?date={day(ahead)}&type={hospital.type_id}", size)


class TestTheDay:
    def test_one_tap_notes_who_came_and_another_takes_it_back(self, office: Office, hospital: Hospital) -> None:
        person = hospital.person("山田")
        reservation = hospital.book(person, hospital.slot(ahead=0, minute=0, durationMinutes=1))
        page = sheet(office, hospital, 0, "phone")
        came = page.get_by_role("button", name="山田太郎さん：来た")
        came.click()
        expect(page.get_by_text("山田太郎さん：来た", exact=True)).to_be_attached()
        expect(came).to_have_attribute("aria-pressed", "true")
        assert hospital.reservation(reservation, person)["attendance"] == "came"
        check_every_size(page)
        page.get_by_role("button", name="山田太郎さん：来なかった").click()
        expect(page.get_by_text("山田太郎さん：来なかった", exact=True)).to_be_attached()
        page.get_by_role("button", name="山田太郎さん：来なかった").click()
        expect(page.get_by_text("山田太郎さん：未確認", exact=True)).to_be_attached()
        assert hospital.reservation(reservation, person)["attendance"] is None

    @pytest.mark.found("24.B6")
    def test_who_did_not_come_may_book_again_with_a_reason(self, office: Office, hospital: Hospital) -> None:
        person = hospital.person("山田")
        reservation = hospital.book(person, hospital.slot(ahead=0, minute=0, durationMinutes=1))
        page = sheet(office, hospital, 0, "phone")
        page.get_by_role("button", name="山田太郎さん：来なかった").click()
        expect(page.get_by_text("山田太郎さん：来なかった", exact=True)).to_be_attached()
        page.get_by_role("button", name="山田太郎さんの予約の変更").click()
        page.get_by_role("menuitem", name="もう一度予約できるようにする").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="当日の急な欠勤").click()
        check_every_size(page)
        dialog.get_by_role("button", name="もう一度予約できるようにする").click()
        expect(page.get_by_text("もう一度予約できます", exact=True)).to_be_visible()
        found = hospital.reservation(reservation, person)
        assert (found["attendance"], found["freesYear"]) == ("absent", True)
        page = office(f"staffs/{person.staff_uid}")
        expect(page.get_by_text("来なかった（もう一度予約できます）")).to_be_visible()
        check_every_size(page)
        page.get_by_role("button", name="この欠席を年度の1回に数える").click()
        page.get_by_role("dialog").get_by_role("textbox", name="理由").fill("記録のまちがい")
        page.get_by_role("dialog").get_by_role("button", name="年度の1回に数える").click()
        expect(page.get_by_role("button", name="もう一度予約できるようにする")).to_be_visible()

    @pytest.mark.found("24.C7")
    def test_nobody_is_noted_as_absent_before_the_slot_begins(self, office: Office, hospital: Hospital) -> None:
        hospital.book(hospital.person("山田"), hospital.slot(ahead=0, minute=1436, durationMinutes=1))
        page = sheet(office, hospital, 0, "phone")
        page.clock.set_fixed_time(f"{day(0)}T12:00:00+09:00")
        page.reload()
        expect(page.get_by_role("button", name="山田太郎さん：来なかった")).to_be_disabled()
        expect(page.get_by_role("button", name="山田太郎さん：来た")).to_be_enabled()
        expect(page.get_by_text("「来なかった」は23:56から")).to_be_visible()
        check_every_size(page)

    def test_finds_somebody_and_prints_the_list(self, office: Office, hospital: Hospital) -> None:
        slot_id = hospital.slot(ahead=9)
        hospital.book(hospital.person("髙橋", familyNameKana="タカハシ"), slot_id)
        hospital.book(hospital.person("田中"), slot_id)
        page = sheet(office, hospital, 9)
        rows = page.get_by_role("table").locator("tbody tr")
        expect(rows).to_have_count(2)
        page.get_by_label("この日の方を探す").fill("たかはし")
        expect(rows).to_have_count(1)
        page.get_by_role("link", name="名簿を印刷").click()
        expect(page.get_by_role("button", name="2人の名簿を印刷する")).to_be_visible()
        expect(page.get_by_role("article").get_by_role("row")).to_have_count(3)

    def test_the_office_books_moves_and_cancels_with_a_reason(self, office: Office, hospital: Hospital) -> None:
        person = hospital.person("山田")
        hospital.slot(ahead=10)
        later = hospital.slot(ahead=11, minute=600)
        page = sheet(office, hospital, 10)
        page.get_by_role("button", name="9:00–9:30に代わりに予約").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="予約する")).to_be_disabled()
        dialog.get_by_label("職員を探す").fill(person.staff_id)
        dialog.get_by_role("radio", name=re.compile("^山田太郎")).check()
        dialog.get_by_role("button", name="電話での依頼").click()
        dialog.get_by_role("button", name="予約する").click()
        page.get_by_role("button", name="山田太郎さんの予約の変更").click()
        page.get_by_role("menuitem", name="別の枠に移す").click()
        dialog.get_by_label("移す先").select_option(str(later))
        dialog.get_by_role("textbox", name="理由").fill("勤務の変更のため")
        dialog.get_by_role("button", name="この枠に移す").click()
        expect(page.get_by_text("予約した方はいません。")).to_be_visible()
        page = sheet(office, hospital, 11)
        page.get_by_role("button", name="山田太郎さんの予約の変更").click()
        page.get_by_role("menuitem", name="予約を取り消す").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="予約を取り消す").click()
        expect(dialog.get_by_text("理由を書いてください")).to_be_visible()
        dialog.get_by_role("textbox", name="理由").fill("本人からの申し出")
        dialog.get_by_role("button", name="予約を取り消す").click()
        expect(page.get_by_text("予約した方はいません。")).to_be_visible()
        found = hospital.office.get(f"reservations?staffUid={person.staff_uid}")["items"]
        assert [(one["slotId"], one["cancelReason"]) for one in found] == [(later, "本人からの申し出")]

    def test_a_day_without_reservations_says_so(self, office: Office) -> None:
        page = office("booking/day?date=2031-05-05")
        expect(page.get_by_role("heading", name="この日の予約はありません")).to_be_visible()
        check_every_size(page)


class TestTheQrCode:
    def test_marks_the_person_as_come_and_can_be_undone(self, office: Office, demo: Demo, hospital: Hospital) -> None:
        person = hospital.person("山田")
        reservation = hospital.book(person, hospital.slot(ahead=0, minute=1438, durationMinutes=1))
        code = reception_code(demo.product, person, reservation)
        page = office(f"reception?code={code}", "phone")
        result = page.get_by_role("status", name="受付の結果")
        expect(result).to_contain_text("受付しました")
        expect(result).to_contain_text("山田太郎さん")
        assert hospital.reservation(reservation, person)["attendance"] == "came"
        check_every_size(page)
        page.get_by_role("button", name="この受付を取り消す").click()
        expect(result).to_contain_text("受付を取り消しました")
        assert hospital.reservation(reservation, person)["attendance"] is None

    @pytest.mark.found("24.C7")
    def test_the_menu_leads_to_it(self, office: Office) -> None:
        page = office("")
        page.get_by_role("navigation", name="メインメニュー").get_by_role("link", name="受付", exact=True).click()
        expect(page.get_by_role("heading", name="QRコードの受付")).to_be_visible()

    def test_an_unknown_code_says_what_to_do(self, office: Office) -> None:
        page = office("reception?code=1-0000000000000000", "phone")
        expect(page.get_by_role("alert")).to_contain_text("受付できませんでした")
        expect(page.get_by_label("コードを入力する")).to_be_visible()
        check_every_size(page)


class TestTheBoard:
    def test_shows_who_is_missing_by_department(self, office: Office, hospital: Hospital) -> None:
        booked, missing = hospital.person("山田"), hospital.person("田中")
        hospital.book(booked, hospital.slot(ahead=0, minute=1437, durationMinutes=1))
        page = office(f"booking/coverage?type={hospital.type_id}", "phone")
        page.get_by_role("button", name=re.compile(f"^{hospital.department_name}.*1／2人（50%）.*まだ 1人")).click()
        people = page.get_by_role("table", name="「未予約」の方")
        expect(people.locator("tbody tr")).to_have_count(1)
        expect(people).to_contain_text(missing.name)
        check_every_size(page)
        page.get_by_role("group", name="表示する方").get_by_role("button", name="予約あり").click()
        expect(page.get_by_role("table", name="「予約あり」の方")).to_contain_text(booked.name)
        page.get_by_role("button", name="書き出し").last.click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name="CSV（UTF-8）").click()
        text = download.value.path().read_text(encoding="utf-8-sig")
        assert booked.staff_id in text
        assert missing.staff_id not in text
