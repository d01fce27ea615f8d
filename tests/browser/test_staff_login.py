"""The staff portal's log-in: number and PIN, the first PIN change, what is missing, and the end of a session."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.staff_desk import StaffDesk, open_staff_desk
from tests.browser.test_screens import check_every_size
from tests.factories.booking import PIN

STAFF = True
OpenPage = Callable[..., Page]
NEW_PIN = "7391"
FAILURES_ALLOWED = 5


@pytest.fixture(scope="module")
def desk(demo: Demo) -> Iterator[StaffDesk]:
    with open_staff_desk(demo.product, demo.data_dir) as opened:
        yield opened


@pytest.fixture
def portal(demo: Demo, open_page: OpenPage) -> Callable[..., Page]:
    def opened(path: str = "", size: str = "phone") -> Page:
        return open_page(f"{demo.product}/staff/{path}", size)

    return opened


def log_in(page: Page, staff_id: str, pin: str = PIN) -> None:
    page.get_by_label("職員番号").fill(staff_id)
    page.get_by_label("暗証番号（PIN）4桁").fill(pin)
    page.get_by_role("button", name="ログイン", exact=True).click()


class TestLogIn:
    def test_with_the_pad_and_the_keyboard(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.staff("3001")
        page = portal()
        expect(page).to_have_title("職員ログイン｜集い")
        button = page.get_by_role("button", name="ログイン", exact=True)
        expect(button).to_be_in_viewport(ratio=1)
        button.click()
        expect(page.get_by_role("alert").filter(has_text="職員番号を入力してください")).to_be_visible()
        expect(page.get_by_label("職員番号")).to_be_focused()
        page.keyboard.type("３００１")
        for digit in PIN:
            page.get_by_role("button", name=digit, exact=True).click()
        expect(page.get_by_label("暗証番号（PIN）4桁")).to_have_value(PIN)
        check_every_size(page)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("予約する")
        # Neither token can be read by a script.
        assert page.evaluate("document.cookie") == ""
        assert "eyJ" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")

    def test_five_failures_lock_and_say_who_unlocks(
        self, desk: StaffDesk, portal: OpenPage, complaints: Complaints
    ) -> None:
        desk.staff("3002")
        page = portal()
        for attempt in range(1, FAILURES_ALLOWED + 1):
            with page.expect_response("**/auth/login"):
                log_in(page, "3002", "9999")
            expected = "ロックされています" if attempt == FAILURES_ALLOWED else "ログインできませんでした"
            expect(page.get_by_role("alert").filter(has_text=expected)).to_be_visible()
            expect(page.get_by_label("暗証番号（PIN）4桁")).to_have_value("")
        expect(page.get_by_text("管理画面の「職員」で解除できます")).to_be_visible()
        check_every_size(page)
        complaints.expect("status of 423")

    def test_somebody_who_is_suspended(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.staff("3003")
        desk.sql("UPDATE staffs SET status = 'suspended' WHERE staff_id = '3003'")
        page = portal()
        log_in(page, "3003")
        expect(page.get_by_role("alert").filter(has_text="いまは利用できません")).to_be_visible()

    def test_a_crowd_is_told_to_wait(self, desk: StaffDesk, portal: OpenPage, complaints: Complaints) -> None:
        desk.staff("3004")
        page = portal()
        busy = {"code": "UNAVAILABLE", "message": "混み合っています", "details": []}
        page.route("**/auth/login", lambda route: route.fulfill(status=503, json=busy, headers={"retry-after": "3"}))
        log_in(page, "3004")
        expect(page.get_by_role("alert").filter(has_text="混み合っています")).to_be_visible()
        page.unroute("**/auth/login")
        expect(page.get_by_text("あと")).to_have_count(0)
        log_in(page, "3004")
        expect(page.get_by_role("heading", level=1)).to_have_text("予約する")
        complaints.expect("status of 503")


class TestFirstLogIn:
    @pytest.mark.row("3.7.23", "3.6.20")
    def test_new_pin_then_only_what_is_missing(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.new_staff("3101", familyName="山田太郎", givenName="太郎", dateOfBirth="1985-04-12")
        page = portal("reservations")
        log_in(page, "3101", "0000")
        expect(page.get_by_role("heading", level=1)).to_have_text("暗証番号（PIN）を決めてください")
        check_every_size(page)
        field = page.get_by_label("新しい暗証番号")
        expect(field).to_be_focused()
        page.keyboard.type("1111")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert").filter(has_text="同じ数字だけ")).to_be_visible()
        page.keyboard.type(NEW_PIN)
        page.keyboard.press("Enter")
        expect(page.get_by_label("確認のため")).to_be_focused()
        page.keyboard.type(NEW_PIN)
        page.keyboard.press("Enter")

        expect(page.get_by_role("heading", level=1)).to_contain_text("入力をお願いします")
        check_every_size(page)
        expect(page.get_by_role("group", name="性別")).to_be_visible()
        expect(page.get_by_label("患者ID")).to_be_visible()
        for known in ("生年月日の年", "職種", "部署", "姓", "暗証番号（PIN）"):
            expect(page.get_by_label(known, exact=True)).to_have_count(0)
        page.get_by_role("button", name="直す").click()
        page.get_by_label("姓", exact=True).fill("山田")
        page.get_by_role("button", name="登録して予約へ進む").click()
        expect(page.get_by_role("alert").filter(has_text="入力してください").first).to_be_visible()
        page.get_by_label("女性").check()
        page.get_by_label("患者ID").fill("553101")
        page.get_by_role("button", name="登録して予約へ進む").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("予約の確認")
        row = desk.sql(
            "SELECT family_name, given_name, sex_code, emr_patient_id, pin_must_change FROM staffs WHERE staff_id = ?",
            "3101",
        )
        assert row == [("山田", "太郎", "2", "553101", 0)]

    def test_a_taken_patient_id_is_said_at_its_field(
        self, desk: StaffDesk, portal: OpenPage, complaints: Complaints
    ) -> None:
        desk.staff("3102", emrPatientId="553102")
        desk.staff("3103", emrPatientId=None)
        page = portal()
        log_in(page, "3103")
        page.get_by_label("患者ID").fill("553102")
        page.get_by_role("button", name="登録して予約へ進む").click()
        expect(page.get_by_role("alert").filter(has_text="すでに使われています")).to_be_visible()
        expect(page.get_by_label("患者ID")).to_be_focused()
        page.get_by_role("button", name="あとで入力する").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("予約する")
        complaints.expect("status of 409")


class TestRegistering:
    def test_with_the_code_of_the_office(self, desk: StaffDesk, portal: OpenPage) -> None:
        code = desk.registration_code()
        page = portal()
        page.get_by_role("link", name="職員登録をする").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("職員登録")
        page.get_by_role("button", name="登録する").click()
        expect(page.get_by_label("登録コード")).to_be_focused()
        check_every_size(page)
        page.get_by_label("登録コード").fill("ちがうコード")
        page.get_by_label("職員番号").fill("3201")
        page.get_by_label("姓", exact=True).fill("佐藤")
        page.get_by_label("名", exact=True).fill("次郎")
        page.get_by_label("姓のよみ").fill("さとう")
        page.get_by_label("部署").select_option("リハビリテーション科")
        page.get_by_label("職種").fill("理学療法士")
        for part, value in (("年", "1990"), ("月", "4"), ("日", "1")):
            page.get_by_label(f"生年月日の{part}").fill(value)
        page.get_by_label("男性").check()
        page.get_by_label("暗証番号（PIN）4桁").fill(NEW_PIN)
        page.get_by_label("確認のため").fill(NEW_PIN)
        page.get_by_role("button", name="登録する").click()
        expect(page.get_by_role("alert").filter(has_text="登録コードが正しくありません")).to_be_visible()
        page.get_by_label("登録コード").fill(code)
        page.get_by_role("button", name="登録する").click()
        expect(page.get_by_text("登録しました")).to_be_visible()
        expect(page.get_by_label("職員番号")).to_have_value("3201")
        page.get_by_label("暗証番号（PIN）4桁").fill(NEW_PIN)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("暗証番号（PIN）を決めてください")
        assert desk.sql("SELECT family_name_kana FROM staffs WHERE staff_id = '3201'") == [("サトウ",)]


class TestSession:
    def test_a_reload_and_a_second_tab_go_on(self, desk: StaffDesk, demo: Demo, portal: OpenPage) -> None:
        desk.staff("3301")
        page = portal("profile")
        log_in(page, "3301")
        expect(page.get_by_role("heading", level=1)).to_have_text("山田花子さん")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("山田花子さん")
        other = page.context.new_page()
        other.goto(f"{demo.product}/staff/reservations")
        expect(other.get_by_role("heading", level=1)).to_have_text("予約の確認")
        page.get_by_role("link", name="予約の確認").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("予約の確認")
        other.get_by_role("link", name="わたし").click()
        other.locator("main").get_by_role("button", name="ログアウト").click()
        # The first tab follows.
        for tab in (other, page):
            expect(tab.get_by_role("heading", level=1)).to_have_text("職員の予約")
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text("職員の予約")

    def test_an_ended_session_leads_back_to_the_same_address(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.staff("3302")
        page = portal("reservations")
        log_in(page, "3302")
        expect(page.get_by_role("heading", level=1)).to_have_text("予約の確認")
        desk.sql("UPDATE refresh_sessions SET revoked_at = '2020-01-01T00:00:00Z', revoked_because = 'office'")
        page.get_by_role("link", name="予約する").first.click()
        expect(page.get_by_text("有効期限が切れました")).to_be_visible()
        log_in(page, "3302")
        expect(page.get_by_role("heading", level=1)).to_have_text("予約する")

    def test_a_shared_pc_logs_out_by_itself(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.staff("3303")
        page = portal("", "desktop")
        page.clock.install()
        log_in(page, "3303")
        expect(page.get_by_role("heading", level=1)).to_have_text("予約する")
        page.clock.fast_forward(4 * 60_000 + 5_000)
        expect(page.get_by_role("dialog")).to_contain_text("まもなくログアウトします")
        check_every_size(page)
        page.get_by_role("button", name="続ける").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.clock.fast_forward(5 * 60_000)
        expect(page.get_by_text("しばらく操作がなかったため")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_have_text("職員の予約")

    def test_a_persons_own_phone_does_not(self, desk: StaffDesk, portal: OpenPage) -> None:
        desk.staff("3304")
        page = portal()
        page.clock.install()
        page.get_by_label("自分のスマートフォンです").check()
        log_in(page, "3304")
        expect(page.get_by_role("heading", level=1)).to_have_text("予約する")
        page.clock.fast_forward(60 * 60_000)
        page.get_by_role("link", name="わたし").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("山田花子さん")
