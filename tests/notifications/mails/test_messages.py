"""A mail on the wire: Japanese survives, headers are complete, and no field can add a header."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.notifications.mails.post import draft
from tsudoi.notifications.mails.errors import BadMailAddress, UnsendableText
from tsudoi.notifications.mails.rules.drafts import MailDraft, checked_draft
from tsudoi.notifications.mails.rules.messages import MailSenderName, message_bytes

AT = datetime(2025, 8, 16, 3, 0, tzinfo=UTC)
SENDER = MailSenderName("集い 事務局", "office@tsudoi.example.jp")
CALENDAR = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:健康診断\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"


_FIELDS = ("to_address", "subject", "text", "html", "calendar", "unsubscribe_url")


def wire(sender: MailSenderName = SENDER, **more: Any) -> bytes:
    mail = checked_draft(draft(**more))
    fields = {name: getattr(mail, name) for name in _FIELDS}
    return message_bytes({**fields, "message_id": "<0000-1111@tsudoi.example.jp>"}, sender, AT)


def changed(field: str, value: Any) -> MailDraft:
    return replace(draft(), **{field: value})


def parsed(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    return message


class TestTheMessage:
    def test_has_the_headers_of_an_automatic_mail(self) -> None:
        message = parsed(wire())
        assert dict(message.items()) | {"Content-Type": ""} == {
            "From": "集い 事務局 <office@tsudoi.example.jp>",
            "To": "staff1@example.jp",
            "Subject": "【予約確定】健康診断 2025/08/20 09:00",
            "Date": "Sat, 16 Aug 2025 03:00:00 +0000",
            "Message-ID": "<0000-1111@tsudoi.example.jp>",
            "Auto-Submitted": "auto-generated",
            "Content-Transfer-Encoding": "base64",
            "MIME-Version": "1.0",
            "Content-Type": "",
        }
        assert message.get_content_charset() == "utf-8"

    def test_is_plain_ascii_in_short_lines(self) -> None:
        """Every mail server takes that, and nothing has to be converted on the way."""
        content = wire(text="髙﨑①🎉 " * 300 + "\r\n.\r\n..\r\nFrom here\r\n", subject="髙﨑さま " * 20)
        assert content.isascii()
        assert not re.search(rb"\r(?!\n)|(?<!\r)\n", content)
        assert max(map(len, content.split(b"\r\n"))) <= 78
        assert not re.search(rb"(?m)^\.", content)

    @pytest.mark.parametrize(
        "text", ["髙﨑①🎉\n", "plain ascii\n", "a\r\nb\rc\n\n\nd", "最後に改行なし", "　全角の字下げ\n\tタブ\n"]
    )
    def test_the_text_survives(self, text: str) -> None:
        found = parsed(wire(text=text)).get_content()
        assert found.splitlines() == text.splitlines()

    @given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=120))
    def test_any_subject_survives_or_loses_blanks_only(self, subject: str) -> None:
        found = str(parsed(wire(subject=subject))["Subject"])
        assert "".join(found.split()) == "".join(subject.split())

    def test_a_carriers_address_is_written_as_the_standard_wants_it(self) -> None:
        assert b'\r\nTo: "a..b"@docomo.ne.jp\r\n' in wire(to_address="a..b@docomo.ne.jp")
        assert b"\r\nTo: taro@xn--wgv71a119e.jp\r\n" in wire(to_address="taro@日本語.jp")

    def test_the_same_mail_is_the_same_each_time(self) -> None:
        assert wire() == wire()

    def test_a_long_message_id_stays_whole(self) -> None:
        host = "a-very-long-name-of-a-host-in-a-very-long-domain.example.or.jp"
        mail = {
            "to_address": "a@b.jp",
            "subject": "",
            "text": "",
            "html": None,
            "calendar": None,
            "unsubscribe_url": None,
        }
        content = message_bytes({**mail, "message_id": f"<{'1' * 36}@{host}>"}, SENDER, AT)
        assert f"<{'1' * 36}@{host}>".encode() in content

    def test_the_way_to_stop_is_one_click_and_stays_whole(self) -> None:
        url = f"https://tsudoi.minato-chokai.city.example.jp/i/{'a' * 43}/unsubscribe"
        content = wire(unsubscribe_url=url)
        assert f"List-Unsubscribe:\r\n <{url}>\r\n".encode() in content
        assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in content
        assert parsed(content)["List-Unsubscribe"].strip() == f"<{url}>"
        with pytest.raises(UnsendableText):
            checked_draft(changed("unsubscribe_url", "https://a.jp/\r\nBcc: x@example.jp"))

    def test_html_is_an_alternative_to_the_text(self) -> None:
        message = parsed(wire(html="<p>ご予約</p>"))
        assert message.get_content_type() == "multipart/alternative"
        assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
        html = message.get_body(("html",))
        assert html is not None
        assert html.get_content().strip() == "<p>ご予約</p>"

    def test_a_calendar_is_shown_and_attached(self) -> None:
        message = parsed(wire(html="<p>x</p>", calendar=CALENDAR))
        assert message.get_content_type() == "multipart/mixed"
        kinds = [part.get_content_type() for part in message.walk()]
        assert kinds == [
            *("multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/calendar"),
            "application/ics",
        ]
        shown = next(part for part in message.walk() if part.get_content_type() == "text/calendar")
        assert shown["Content-Type"].params["method"] == "REQUEST"
        assert shown.get_payload(decode=True) == CALENDAR.encode()
        assert [part.get_filename() for part in message.iter_attachments()] == ["invite.ics"]

    def test_without_a_name_the_sender_is_an_address(self) -> None:
        assert b"From: office@tsudoi.example.jp\r\n" in wire(MailSenderName("", "office@tsudoi.example.jp"))


class TestInjection:
    LINES = ("purpose", "subject_kind", "subject_id", "subject", "host")
    TEXTS = ("text", "html", "calendar")

    @pytest.mark.parametrize("field", LINES)
    @pytest.mark.parametrize("bad", ["\r\n", "\n", "\r", "\x00", "\x0b", "\x85", "\u2028", "\u2029", "\ud800", "\x7f"])
    def test_nothing_in_a_line_can_begin_another(self, field: str, bad: str) -> None:
        with pytest.raises(UnsendableText) as found:
            checked_draft(changed(field, f"会{bad}Bcc: eve@example.jp"))
        assert found.value.details[0].field == field
        assert found.value.status == 400

    @pytest.mark.parametrize("bad", ["\r\n", "\n", "\r", "\x00"])
    def test_nor_in_the_address(self, bad: str) -> None:
        with pytest.raises(BadMailAddress):
            checked_draft(draft(to_address=f"taro@example.jp{bad}Bcc: eve@example.jp"))

    @pytest.mark.parametrize("field", TEXTS)
    @pytest.mark.parametrize("bad", ["\x00", "\x1b", "\ud800"])
    def test_texts_have_line_breaks_and_no_other_controls(self, field: str, bad: str) -> None:
        with pytest.raises(UnsendableText):
            checked_draft(changed(field, f"METHOD:REQUEST\n{bad}"))
        fine = changed(field, "METHOD:REQUEST\r\n\tok")
        assert checked_draft(fine) == fine

    def test_a_calendar_without_a_method_is_none(self) -> None:
        with pytest.raises(UnsendableText):
            checked_draft(draft(calendar="BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"))

    @given(st.text(max_size=60))
    def test_no_subject_adds_a_header(self, subject: str) -> None:
        try:
            content = wire(subject=f"{subject}Bcc: eve@example.jp")
        except UnsendableText:
            return
        assert "Bcc" not in parsed(content)
        assert len(re.findall(rb"(?im)^(subject|to|from|bcc|cc):", content)) == 3
