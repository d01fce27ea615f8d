"""A customer at the door, on a phone and at a desk, from the form to the reservation; and the same inside LINE."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.customer_desk import SHOP, SHOP_NAME, KnownCustomer, new_phone
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious

OpenPage = Callable[..., Page]
SMALLEST_TARGET = 44


def well_made(page: Page) -> None:
    assert serious(page) == []
    assert not overflows(page)
    for target in page.locator("a.button, button, input:not([type=hidden])").all():
        box = target.bounding_box()
        assert box is None or box["height"] >= SMALLEST_TARGET


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_help_page_from_the_form_to_the_reservation(
    demo: Demo, open_page: OpenPage, complaints: Complaints, size: str
) -> None:
    guest = KnownCustomer(demo, 7101 if size == "phone" else 7102, "戸口 花子")
    guest.is_known()
    page = open_page(f"{demo.product}/help/{SHOP}", size)
    expect(page.get_by_role("heading", level=1)).to_have_text("入室・ご予約の確認")
    expect(page.get_by_text(SHOP_NAME)).to_be_visible()
    assert page.get_by_role("link", name="店舗に電話する").get_attribute("href") == "tel:0521234567"
    well_made(page)
    page.get_by_label("メールアドレス").fill(guest.mail)
    page.get_by_role("button", name="確認メールを送る").click()
    expect(page.get_by_text("電話番号を入力してください。")).to_be_visible()
    expect(page.get_by_label("メールアドレス")).to_have_value(guest.mail)
    well_made(page)
    complaints.expect("status of 400")
    page.get_by_label("電話番号").fill(guest.phone)
    page.get_by_role("button", name="確認メールを送る").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("メールをご確認ください")
    well_made(page)
    says_and_corrects_the_address(page, guest)
    # The mail program opens another window of the same browser.
    page.goto(guest.link())
    expect(page.get_by_role("heading", level=1)).to_have_text("ボタンを押すと完了です")
    well_made(page)
    # A second press must not drop the answer to the first one: the link works once.
    page.get_by_role("button", name="本人確認を完了する").dblclick()
    expect(page.get_by_role("heading", level=1)).to_have_text("ご予約者様を確認できました")
    expect(page).to_have_url(f"{demo.product}/help/{SHOP}")
    expect(page.get_by_text("戸口 花子 様")).to_be_visible()
    expect(page.get_by_text("スタジオA")).to_be_visible()
    expect(page.get_by_text(re.compile("18:00〜20:00"))).to_be_visible()
    well_made(page)
    page.get_by_role("button", name="予約を変更した").click()
    expect(page.get_by_text("スタジオA")).to_be_visible()
    page.get_by_role("button", name="この画面の表示を終える").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("入室・ご予約の確認")


def says_and_corrects_the_address(page: Page, guest: KnownCustomer) -> None:
    """Without a script and without a word in the address of the page."""
    told = page.get_by_role("status")
    expect(told).to_contain_text(f"宛先：{guest.mail}")
    expect(page.get_by_label("メールアドレス")).to_be_hidden()
    page.get_by_text("入力し直す", exact=True).press("Enter")
    expect(page.get_by_label("メールアドレス")).to_have_value(guest.mail)
    expect(page.get_by_label("電話番号")).to_have_value(guest.phone)
    well_made(page)
    page.get_by_label("メールアドレス").fill(f"new.{guest.mail}")
    page.get_by_role("button", name="確認メールを送り直す").click()
    expect(told).to_contain_text(f"宛先：new.{guest.mail}")
    assert guest.mail not in page.url


@pytest.mark.found("24.C14")
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_reservation_that_the_shop_cancelled(demo: Demo, open_page: OpenPage, size: str) -> None:
    guest = KnownCustomer(demo, 7401 if size == "phone" else 7402, "取消 良子")
    guest.is_known()
    guest.was_cancelled()
    page = open_page(f"{demo.product}/help/{SHOP}", size)
    page.get_by_label("メールアドレス").fill(guest.mail)
    page.get_by_label("電話番号").fill(guest.phone)
    page.get_by_role("button", name="確認メールを送る").click()
    page.goto(guest.link())
    page.get_by_role("button", name="本人確認を完了する").click()
    expect(page.get_by_role("heading", name="取り消されたご予約")).to_be_visible()
    cancelled = page.get_by_role("listitem").filter(has_text="スタジオB")
    expect(cancelled).to_contain_text("取り消し済み（店舗による）")
    expect(page.get_by_role("listitem").filter(has_text="スタジオA")).to_contain_text("予約確定")
    expect(page.get_by_role("link", name="店舗に電話する")).to_be_visible()
    well_made(page)
    inside = open_page(new_phone(demo, f"良子 {size}", f"shops/{SHOP}"), size)
    proves(inside, guest, 2)
    expect(inside.get_by_role("listitem").filter(has_text="スタジオB")).to_contain_text("取り消し済み（店舗による）")
    well_made(inside)
    inside.get_by_role("link", name="わたしの予約を見る").click()
    expect(inside.get_by_role("listitem").filter(has_text="スタジオB")).to_contain_text("取り消し済み（店舗による）")
    well_made(inside)


@pytest.mark.found("24.C14")
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_mail_server_that_takes_nothing(demo: Demo, open_page: OpenPage, complaints: Complaints, size: str) -> None:
    guest = KnownCustomer(demo, 7501 if size == "phone" else 7502, "不達 太郎")
    page = open_page(f"{demo.product}/help/{SHOP}", size)
    page.get_by_label("メールアドレス").fill(guest.mail)
    page.get_by_label("電話番号").fill(guest.phone)
    with mail_server_down(demo):
        complaints.expect("status of 503")
        page.get_by_role("button", name="確認メールを送る").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("確認メールを送れません")
        expect(page.get_by_role("alert")).to_contain_text("メールは送られていません")
        assert page.get_by_role("link", name="店舗に電話する").get_attribute("href") == "tel:0521234567"
        in_line = page.get_by_role("link", name="LINEで予約を見る").get_attribute("href")
        assert in_line is not None
        assert in_line.endswith(f"/shops/{SHOP}")
        well_made(page)
        inside = open_page(new_phone(demo, f"不達 {size}", f"shops/{SHOP}"), size)
        inside.get_by_label("メールアドレス").fill(guest.mail)
        inside.get_by_label("電話番号").fill(guest.phone)
        inside.get_by_role("button", name="確認コードを送る").click()
        expect(inside.get_by_text("ただいま確認メールを送れません。")).to_be_visible()
        expect(inside.get_by_role("link", name="店舗に電話する")).to_be_visible()
        well_made(inside)
    page.get_by_role("button", name="もう一度送る").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("メールをご確認ください")


@contextmanager
def mail_server_down(demo: Demo) -> Iterator[None]:
    faults = f"{demo.phones}/_sandbox/faults"
    rules = {"rules": [{"kind": "smtp_421", "endpoint": "smtp"}]}
    httpx2.put(faults, json=rules, trust_env=False).raise_for_status()
    try:
        yield
    finally:
        httpx2.delete(faults, trust_env=False).raise_for_status()


def test_nobody_is_found(demo: Demo, open_page: OpenPage) -> None:
    stranger = KnownCustomer(demo, 7103, "知らない人")
    page = open_page(f"{demo.product}/help/{SHOP}", "phone")
    page.get_by_label("メールアドレス").fill(stranger.mail)
    page.get_by_label("電話番号").fill(stranger.phone)
    page.get_by_role("button", name="確認メールを送る").click()
    page.goto(stranger.link())
    page.get_by_role("button", name="本人確認を完了する").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("自動で特定できませんでした")
    expect(page.get_by_role("heading", name="よくある原因")).to_be_visible()
    expect(page.get_by_role("link", name="店舗に電話する")).to_be_visible()
    well_made(page)


def proves(page: Page, guest: KnownCustomer, number: int = 1) -> None:
    page.get_by_label("メールアドレス").fill(guest.mail)
    page.get_by_label("電話番号").fill(guest.phone)
    page.get_by_role("button", name="確認コードを送る").click()
    field = page.get_by_label("確認コード（6桁）")
    expect(field).to_be_focused()
    expect(page.get_by_text(f"宛先：{guest.mail}")).to_be_visible()
    assert field.get_attribute("autocomplete") == "one-time-code"
    assert field.get_attribute("inputmode") == "numeric"
    well_made(page)
    field.fill(guest.code(number))
    page.get_by_role("button", name="連携する").click()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_inside_line_with_a_code_and_a_transfer(
    demo: Demo, open_page: OpenPage, complaints: Complaints, size: str
) -> None:
    guest = KnownCustomer(demo, 7201 if size == "phone" else 7202, "連携 次郎")
    guest.is_known()
    page = open_page(new_phone(demo, f"次郎 {size}", "shops"), size)
    page.get_by_role("link", name=re.compile(SHOP_NAME)).click()
    expect(page.get_by_text("まだLINEと連携していません。")).to_be_visible()
    well_made(page)
    proves(page, guest)
    expect(page.get_by_text("連携が完了しました。")).to_be_visible()
    expect(page.get_by_text("スタジオA")).to_be_visible()
    well_made(page)
    page.get_by_role("link", name="わたしの予約を見る").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("わたしの予約")
    expect(page.get_by_text(SHOP_NAME)).to_be_visible()
    expect(page.get_by_text("鍵の状態は、この画面ではまだ確認できません")).to_be_visible()
    well_made(page)

    other = open_page(new_phone(demo, f"次郎の新しい電話 {size}", f"shops/{SHOP}"), size)
    proves(other, guest, 2)
    expect(other.get_by_role("heading", name="別のLINEと連携しています")).to_be_focused()
    well_made(other)
    complaints.expect("status of 409")
    other.get_by_role("button", name="このLINEに引き継ぐ").click()
    expect(other.get_by_text("このLINEに引き継ぎました。")).to_be_visible()
    well_made(other)


def test_a_wrong_code_and_no_reservations_yet(demo: Demo, open_page: OpenPage, complaints: Complaints) -> None:
    guest = KnownCustomer(demo, 7301, "間違い 三郎")
    page = open_page(new_phone(demo, "三郎", "reservations"), "phone")
    expect(page.get_by_role("heading", name="これからのご予約はありません")).to_be_visible()
    well_made(page)
    page.get_by_role("link", name="お店と連携する・予約を変更した").click()
    page.get_by_role("link", name=re.compile(SHOP_NAME)).click()
    page.get_by_label("メールアドレス").fill(guest.mail)
    page.get_by_label("電話番号").fill(guest.phone)
    page.get_by_role("button", name="確認コードを送る").click()
    right = guest.code()
    page.get_by_label("確認コード（6桁）").fill("000000" if right != "000000" else "111111")
    page.get_by_role("button", name="連携する").click()
    expect(page.get_by_text("コードが違います。あと4回入力できます。")).to_be_visible()
    complaints.expect("status of 400")
