"""The mailbox beside the phones: found from the phones page, and readable at both widths."""

import json
import smtplib
from collections.abc import Callable
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo, eventually
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious
from tests.browser.thread_desk import open_thread_desk
from tests.factories.threads import ANY

SUBJECT = "【予約確定】受信箱の試験 2025/08/20 09:00"
LINK = "https://tsudoi.example/" + "a-very-long-link-that-has-no-place-to-break/" * 4


@pytest.fixture(scope="module")
def address(demo: Demo) -> str:
    """Somebody who has got a mail from the demo's mail server."""
    settings = json.loads((demo.data_dir / "demo-is-running.json").read_bytes())
    message = EmailMessage()
    message["From"], message["To"] = "jimukyoku@tsudoi.example", "mailbox-test@hospital.example.jp"
    message["Subject"] = SUBJECT
    message.set_content(f"山田 太郎 様\n\nご予約を承りました。\n{LINK}\n")
    server = urlsplit(settings["SMTP_URL"])
    with smtplib.SMTP(server.hostname or "", server.port or 0, "tests.example") as program:
        program.send_message(message)
    return str(message["To"])


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_it_is_found_and_read(demo: Demo, open_page: Callable[..., Page], address: str, size: str) -> None:
    page = open_page(demo.phones, size)
    page.get_by_role("button", name="ほかの画面").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="メール").click()
    mailbox = opened.value
    expect(mailbox.get_by_role("heading", name="メールの受信箱")).to_be_visible()
    mailbox.get_by_label("宛先でしぼる").select_option(address)
    mailbox.get_by_role("button", name="表示する").click()
    expect(mailbox.get_by_role("status")).to_have_text("1 通")
    assert serious(mailbox) == []
    assert not overflows(mailbox)
    mailbox.get_by_role("link", name=SUBJECT).click()
    expect(mailbox.get_by_role("heading", name=SUBJECT)).to_be_visible()
    expect(mailbox.get_by_text("ご予約を承りました。")).to_be_visible()
    expect(mailbox.get_by_role("link", name=LINK)).to_have_attribute("href", LINK)
    assert serious(mailbox) == []
    assert not overflows(mailbox)


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_an_invitation_is_answered_from_its_mail_and_the_calendar_entry_comes(
    demo: Demo, open_page: Callable[..., Page], size: str
) -> None:
    name, guest = f"メールの会 {size}", f"guest-{size}@company.example"
    with open_thread_desk(demo) as desk:
        thread = desk.ask(name, (), invitees=[{"name": "三浦 直樹", "email": guest}], rule=ANY)
        sent = "SELECT count(*) FROM mail_messages WHERE to_address = ? AND sent_at IS NOT NULL"
        eventually(lambda: desk.sql(sent, guest)[0][0] == 1)
        page = open_page(f"{demo.phones}/mails?to={guest}", size)
        page.get_by_role("link", name=name).click()
        expect(page.get_by_text("List-Unsubscribe", exact=True)).to_be_visible()
        letter = page.frame_locator("iframe")
        expect(letter.get_by_role("heading", name=name)).to_be_visible()
        assert serious(page) == []
        assert not overflows(page)
        with page.context.expect_page() as opened:
            letter.get_by_role("link").first.click()
        invitation = opened.value
        expect(invitation.get_by_role("heading", level=1, name=name)).to_be_visible()
        invitation.locator("input[value=yes]").first.check(force=True)
        invitation.get_by_role("button", name="回答を送る").click()
        # The other dates have no mark yet, so the page asks once whether they become ×.
        invitation.get_by_role("button", name="この内容で送る").click()
        expect(invitation.get_by_text("日程が決まりました").first).to_be_visible()
        eventually(lambda: desk.sql(sent, guest)[0][0] == 2)
        page.goto(f"{demo.phones}/mails?to={guest}")
        page.locator("a.mail").first.click()
        expect(page.get_by_role("heading", name="予定（カレンダー）")).to_be_visible()
        expect(page.get_by_text("予定に入れる")).to_be_visible()
        assert desk.stored(thread)[2] == 1
        assert serious(page) == []
        assert not overflows(page)
