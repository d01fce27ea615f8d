"""The texts of notices: the editor, its preview, and that people get what the office wrote."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo
from tests.browser.notice_desk import NoticeDesk, open_notice_desk
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
HOSPITAL = True
PATH = "notifications/templates"


@pytest.fixture
def desk(demo: Demo) -> Iterator[NoticeDesk]:
    """All texts are the built-in ones again afterwards, because the demo is shared."""
    with open_notice_desk(demo) as found:
        yield found
        for key in ("CONFIRMATION", "REMINDER"):
            found.hospital.office.send("PUT", f"notifications/templates/{key}", {"body": None})


def test_what_the_office_writes_is_what_people_get(office: Office, desk: NoticeDesk) -> None:
    page = office(PATH, "phone")
    field = page.get_by_role("textbox", name="文面")
    phone = page.get_by_role("img", name="LINEに届く通知の見本")
    expect(page.get_by_role("button", name="保存する")).to_be_disabled()
    field.fill("お待ちしています、様")
    field.press("End")
    field.press("ArrowLeft")
    page.get_by_role("button", name="{氏名}").click()
    expect(field).to_have_value("お待ちしています、{氏名}様")
    expect(field).to_be_focused()
    page.keyboard.type("（予約の方）")
    expect(field).to_have_value("お待ちしています、{氏名}（予約の方）様")
    expect(phone).to_contain_text("お待ちしています、山田 太郎（予約の方）様")
    check_every_size(page)
    page.get_by_role("button", name="保存する").click()
    expect(page.get_by_text("保存しました。次に送る通知から使います。")).to_be_visible()
    expect(page.get_by_text("jimukyokuさんが変更しました")).to_be_visible()
    expect(page.get_by_role("link", name="予約確定 変更済み")).to_be_visible()
    person = desk.linked("勅使河原")
    desk.hospital.book(person, desk.hospital.slot(9))
    assert "お待ちしています、勅使河原 太郎（予約の方）様" in desk.chat(person)


def test_a_broken_text_is_refused_at_its_field(office: Office, desk: NoticeDesk) -> None:
    page = office(f"{PATH}?key=REMINDER", "phone")
    field = page.get_by_role("textbox", name="文面")
    field.fill("{氏名}様 {日付}に{会場")
    expect(page.get_by_text("「{日付}」という差し込みはありません")).to_be_visible()
    expect(page.get_by_text("が組になっていません")).to_be_visible()
    expect(page.get_by_role("button", name="保存する")).to_be_disabled()
    check_every_size(page)
    field.fill("{氏名}様 {日時}に{会場}")
    expect(page.get_by_role("button", name="保存する")).to_be_enabled()
    page.get_by_role("button", name="元に戻す").click()
    expect(page.get_by_text("変更はありません。")).to_be_visible()
    assert desk.hospital.office.get("notifications/templates/REMINDER")["is_built_in"] is True


def test_unsaved_words_are_not_lost_by_a_slip(office: Office, desk: NoticeDesk) -> None:
    page = office(PATH)
    field = page.get_by_role("textbox", name="文面")
    field.fill("{氏名}様")
    page.get_by_role("link", name="リマインド", exact=True).click()
    dialog = page.get_by_role("dialog", name="保存していない変更があります")
    dialog.get_by_role("button", name="この画面に残る").click()
    expect(field).to_have_value("{氏名}様")
    page.get_by_role("link", name="送信の状況").click()
    check_every_size(page)
    dialog.get_by_role("button", name="保存せずに移動").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("通知")
    assert desk.hospital.office.get("notifications/templates/CONFIRMATION")["is_built_in"] is True


def test_the_office_goes_back_to_an_earlier_text(office: Office, desk: NoticeDesk) -> None:
    for body in ("一 {氏名}", "二 {氏名}"):
        desk.hospital.office.send("PUT", "notifications/templates/CONFIRMATION", {"body": body})
    page = office(PATH)
    field = page.get_by_role("textbox", name="文面")
    expect(field).to_have_value("二 {氏名}")
    page.get_by_text("前の文面（").click()
    page.get_by_role("listitem").filter(has_text="一 {氏名}").get_by_role("button").click()
    expect(field).to_have_value("一 {氏名}")
    check_every_size(page)
    page.get_by_role("button", name="はじめの文面を編集欄に入れる").click()
    page.get_by_role("button", name="保存する").click()
    expect(page.get_by_text("はじめの文面に戻しました")).to_be_visible()
    assert desk.hospital.office.get("notifications/templates/CONFIRMATION")["is_built_in"] is True
