"""The staff portal inside LINE: the account is linked from the profile, and unlinked again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.member_desk import LIFF
from tests.browser.staff_desk import open_staff_desk
from tests.browser.test_screens import check_every_size
from tests.factories.booking import PIN

STAFF = True


@pytest.mark.row("3.7.24")
def test_notices_by_line(demo: Demo, open_page: Callable[..., Page], new_friend: Callable[[str], str]) -> None:
    user_id = new_friend("ナースのはなこ")
    with open_staff_desk(demo.product, demo.data_dir) as desk:
        desk.staff("5001")
        page = open_page(f"{demo.phones}{LIFF}/staff?as={user_id}", "phone")
        page.wait_for_url(f"{demo.product}/staff/profile")
        page.get_by_label("職員番号").fill("5001")
        page.get_by_label("暗証番号（PIN）4桁").fill(PIN)
        page.keyboard.press("Enter")
        page.get_by_role("button", name="LINEで通知を受け取る").click()
        expect(page.get_by_text("LINEでお知らせしています")).to_be_visible()
        check_every_size(page)
        assert desk.sql("SELECT line_user_id FROM staffs WHERE staff_id = '5001'") == [(user_id,)]
        page.get_by_role("button", name="LINEでのお知らせをやめる").click()
        expect(page.get_by_role("button", name="LINEで通知を受け取る")).to_be_visible()
        assert desk.sql("SELECT line_user_id FROM staffs WHERE staff_id = '5001'") == [(None,)]


def test_without_lines_session_the_way_to_it_is_shown(
    demo: Demo, open_page: Callable[..., Page], complaints: Complaints
) -> None:
    with open_staff_desk(demo.product, demo.data_dir) as desk:
        desk.staff("5002")
        page = open_page(f"{demo.product}/staff/profile", "phone")
        page.evaluate("sessionStorage.setItem('tsudoi:from-line', '1')")
        page.get_by_label("職員番号").fill("5002")
        page.get_by_label("暗証番号（PIN）4桁").fill(PIN)
        page.keyboard.press("Enter")
        page.get_by_role("button", name="LINEで通知を受け取る").click()
        expect(page.get_by_role("link", name="LINEの確認をする")).to_have_attribute("href", "/liff/staff")
        expect(page.get_by_role("heading", level=1)).to_have_text("山田花子さん")
        complaints.expect("status of 428")
