"""The mail server of the sandbox as any mail program meets it, its faults, and the mailbox that people look at."""

import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.servers import browser
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, run, running

TEXT = "山田 太郎 様\n\nご予約を承りました。\n確認: http://127.0.0.1:8000/staff/?a=1&b=2。\n<script>alert(1)</script>\n"


@contextmanager
def connected(box: RunningSandbox) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", int(box.smtp_url.rpartition(":")[2]), "tests.example", timeout=20) as program:
        yield program


def mail(to: str = "taro@example.jp", subject: str = "【予約確定】健康診断", text: str = TEXT) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "事務局 <office@example.jp>", to, subject
    message["Message-ID"] = "<1@example.jp>"
    message.set_content(text)
    return message


def send(box: RunningSandbox, *messages: EmailMessage) -> None:
    with connected(box) as program:
        for message in messages:
            program.send_message(message)


def breaks(control: httpx2.Client, kind: str, **more: Any) -> None:
    rule = {"kind": kind, "endpoint": "smtp", **more}
    control.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()


class TestTheMailbox:
    def test_a_mail_is_kept_as_it_came(self, box: RunningSandbox, control: httpx2.Client) -> None:
        send(box, mail())
        (kept,) = control.get("/_sandbox/mails").json()["mails"]
        assert (kept["id"], kept["from"], kept["to"]) == (1, "office@example.jp", ["taro@example.jp"])
        assert (kept["subject"], kept["message_id"]) == ("【予約確定】健康診断", "<1@example.jp>")
        assert kept["text"].splitlines() == TEXT.splitlines()
        assert kept["headers"]["From"] == "事務局 <office@example.jp>"
        assert kept["raw"].startswith("From: ")
        assert control.get("/_sandbox/mails/1").json() == kept
        assert control.get("/_sandbox/state").json()["mails"][0]["subject"] == kept["subject"]

    def test_mails_can_be_picked_and_forgotten(self, box: RunningSandbox, control: httpx2.Client) -> None:
        send(box, mail(), mail("Jiro@example.jp"), mail())
        assert len(control.get("/_sandbox/mails", params={"to": "jiro@EXAMPLE.jp"}).json()["mails"]) == 1
        assert [one["id"] for one in control.get("/_sandbox/mails?after=1").json()["mails"]] == [2, 3]
        assert control.get("/_sandbox/mails?after=x").status_code == 400
        assert control.delete("/_sandbox/mails").status_code == 204
        assert control.get("/_sandbox/mails").json() == {"mails": []}
        for missing in ("3", "0", "x", "9" * 30):
            assert control.get(f"/_sandbox/mails/{missing}").status_code == 404
        send(box, mail())
        assert control.get("/_sandbox/mails").json()["mails"][0]["id"] == 4, "a number is never used again"

    def test_a_mail_can_come_back(self, box: RunningSandbox, control: httpx2.Client) -> None:
        """The page hands the same report to people, as a file."""
        send(box, mail())
        report = message_from_bytes(control.get("/_sandbox/mails/1/bounce?status=5.2.2").content)
        assert report.get_content_type() == "multipart/report"
        text = report.as_string()
        for line in ("Final-Recipient: rfc822; taro@example.jp", "Action: failed", "Status: 5.2.2"):
            assert line in text.splitlines(), line
        assert "Message-ID: <1@example.jp>" in text.splitlines()
        assert [part.get_content_type() for part in report.walk()][1:3] == ["text/plain", "message/delivery-status"]
        assert control.get("/_sandbox/mails/9/bounce").status_code == 404
        page = control.get("/mails/1").text
        assert 'href="/mails/1/bounce"' in page
        given = control.get("/mails/1/bounce")
        assert given.headers["content-disposition"] == 'attachment; filename="bounce-1.eml"'
        assert message_from_bytes(given.content)["Subject"] == report["Subject"]
        assert control.get("/mails/9/bounce").status_code == 404

    def test_other_origins_cannot_empty_it(self, control: httpx2.Client) -> None:
        assert control.delete("/_sandbox/mails", headers={"origin": "http://evil.example"}).status_code == 403

    def test_a_reset_empties_it(self, box: RunningSandbox, control: httpx2.Client) -> None:
        send(box, mail())
        control.post("/_sandbox/reset").raise_for_status()
        assert control.get("/_sandbox/mails").json()["mails"] == []

    def test_it_comes_back_after_a_restart(self, config: SandboxConfig, tmp_path: Path) -> None:
        keeping = replace(config, state_file=tmp_path / "state.json")
        with running(keeping) as first, browser(first.url) as control:
            send(first, mail())
            before = control.get("/_sandbox/mails").json()
        with running(keeping) as second, browser(second.url) as control:
            assert control.get("/_sandbox/mails").json() == before
            send(second, mail())
            assert [one["id"] for one in control.get("/_sandbox/mails").json()["mails"]] == [1, 2]

    def test_a_mail_that_is_no_mail_is_kept_and_shown(self, box: RunningSandbox, control: httpx2.Client) -> None:
        with connected(box) as program:
            program.sendmail("a@example.jp", ["b@example.jp"], b"\xff\xfe nothing\r\n\r\n=?utf-8?b?!!!?=\r\n.\r\n")
            program.sendmail(
                "a@example.jp", ["b@example.jp"], b"Subject: =?x?y?z?=\r\nContent-Type: text/html\r\n\r\n<b>"
            )
            program.sendmail(
                "a@example.jp", ["b@example.jp"], b"Content-Type: text/plain; charset=none\r\n\r\nwords\r\n"
            )
        assert len(control.get("/_sandbox/mails").json()["mails"]) == 3
        assert control.get("/mails").status_code == 200
        assert [control.get(f"/mails/{number}").status_code for number in (1, 2, 3)] == [200, 200, 200]


class TestFaults:
    def test_refusals(self, box: RunningSandbox, control: httpx2.Client) -> None:
        for kind, code in (("smtp_450", 450), ("smtp_550", 550)):
            breaks(control, kind)
            with connected(box) as program, pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                program.send_message(mail())
            assert refused.value.recipients["taro@example.jp"][0] == code
        breaks(control, "smtp_421")
        with connected(box) as program, pytest.raises(smtplib.SMTPSenderRefused) as gone:
            program.send_message(mail())
        assert gone.value.smtp_code == 421
        assert control.get("/_sandbox/mails").json()["mails"] == []

    @pytest.mark.parametrize(
        ("kind", "kept"),
        [
            ("timeout_after_accept", 1),
            ("timeout_before_accept", 0),
            ("smtp_silence", 0),
            ("smtp_drip", 0),
            ("drop_connection", 0),
        ],
    )
    def test_no_answer(self, box: RunningSandbox, control: httpx2.Client, kind: str, kept: int) -> None:
        breaks(control, kind, seconds=0.3)
        with connected(box) as program, pytest.raises(smtplib.SMTPServerDisconnected):
            program.send_message(mail())
        assert len(control.get("/_sandbox/mails").json()["mails"]) == kept

    def test_as_often_as_the_rule_says(self, box: RunningSandbox, control: httpx2.Client) -> None:
        def run_of_luck() -> list[bool]:
            breaks(control, "smtp_550", percent=50, seed=7)
            lucky = []
            for _ in range(20):
                with connected(box) as program:
                    try:
                        program.send_message(mail())
                    except smtplib.SMTPRecipientsRefused:
                        lucky.append(False)
                    else:
                        lucky.append(True)
            return lucky

        first = run_of_luck()
        assert 4 < sum(first) < 16
        assert run_of_luck() == first

    def test_each_mail_of_one_connection_draws_again(self, box: RunningSandbox, control: httpx2.Client) -> None:
        breaks(control, "smtp_450", times=1)
        with connected(box) as program:
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                program.send_message(mail())
            program.send_message(mail())
        assert len(control.get("/_sandbox/mails").json()["mails"]) == 1

    def test_faults_of_line_are_none_of_the_mail_server(self, box: RunningSandbox, control: httpx2.Client) -> None:
        for rule in ({"kind": "drop_connection", "endpoint": "line"}, {"kind": "rate_limited"}, {"kind": "conflict"}):
            control.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()
            send(box, mail())
        assert len(control.get("/_sandbox/mails").json()["mails"]) == 3

    def test_faults_of_the_mail_server_are_none_of_line(self, line: httpx2.Client, control: httpx2.Client) -> None:
        control.put("/_sandbox/faults", json={"rules": [{"kind": "smtp_550"}]}).raise_for_status()
        assert line.get("/v2/bot/info").status_code == 200


class TestStopping:
    def test_neither_silence_nor_an_idle_program_keeps_it_from_closing(self, config: SandboxConfig) -> None:
        ended: list[Exception] = []

        def wait_in_vain(box: RunningSandbox) -> None:
            try:
                send(box, mail())
            except (smtplib.SMTPException, OSError) as error:
                ended.append(error)

        with running(config) as box:
            rules = {"rules": [{"kind": "timeout_after_accept", "endpoint": "smtp", "seconds": 60}]}
            httpx2.put(f"{box.url}/_sandbox/faults", json=rules, trust_env=False).raise_for_status()
            idle = socket.create_connection(("127.0.0.1", int(box.smtp_url.rpartition(":")[2])))
            waiting = threading.Thread(target=wait_in_vain, args=(box,))
            waiting.start()
            while not list(box.world.mailbox):
                time.sleep(0.01)
            started = time.monotonic()
        waiting.join(20)
        idle.close()
        assert time.monotonic() - started < 10
        assert len(ended) == 1

    def test_a_taken_mail_port_is_an_error_that_can_be_explained(self, config: SandboxConfig) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
            run(replace(config, smtp_port=taken.getsockname()[1]))

    def test_it_listens_one_above_the_other_port_unless_told_otherwise(self, config: SandboxConfig) -> None:
        assert replace(config, port=8001).mail_port == 8002
        assert replace(config, port=8001, smtp_port=2525).mail_port == 2525
        assert config.mail_port == 0


class TestThePages:
    def test_an_empty_box_says_so(self, control: httpx2.Client) -> None:
        page = control.get("/mails")
        assert "まだメールは届いていません" in page.text
        assert 'lang="ja"' in page.text
        assert "script-src" not in page.headers["content-security-policy"]

    def test_the_list_leads_to_each_mail_and_back(self, box: RunningSandbox, control: httpx2.Client) -> None:
        send(box, mail(subject="一通目"), mail("jiro@example.jp", "二通目 <b>"))
        listed = control.get("/mails").text
        assert listed.index("二通目 &lt;b&gt;") < listed.index("一通目"), "the newest first"
        assert 'href="/mails/2"' in listed
        assert '<option value="jiro@example.jp">' in listed
        only = control.get("/mails", params={"to": "jiro@example.jp"}).text
        assert "一通目" not in only
        assert 'value="jiro@example.jp" selected' in only
        shown = control.get("/mails/1").text
        assert 'href="/mails"' in shown
        assert "taro@example.jp" in shown

    def test_a_mail_is_text_in_which_links_work_and_nothing_else(
        self, box: RunningSandbox, control: httpx2.Client
    ) -> None:
        send(box, mail())
        shown = control.get("/mails/1").text
        assert 'href="http://127.0.0.1:8000/staff/?a=1&amp;b=2"' in shown
        assert "<script>" not in shown
        assert "&lt;script&gt;" in shown
        assert control.get("/mails/2").status_code == 404

    def test_other_parts_open_by_themselves_without_any_power(
        self, box: RunningSandbox, control: httpx2.Client
    ) -> None:
        message = mail()
        message.add_alternative("<script>alert(1)</script><p>ご予約</p>", subtype="html")
        message.add_attachment(b"BEGIN:VCALENDAR", maintype="application", subtype="ics", filename="invite.ics")
        send(box, message)
        shown = control.get("/mails/1").text
        assert ">HTML版</a>" in shown
        assert ">invite.ics</a>" in shown
        html, calendar = (control.get(f"/mails/1/parts/{number}") for number in (0, 1))
        assert "ご予約" in html.text
        policy = html.headers["content-security-policy"]
        assert policy.startswith("sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'")
        assert "allow-scripts" not in policy
        assert calendar.headers["content-type"] == "text/plain; charset=utf-8"
        assert calendar.text.startswith("BEGIN:VCALENDAR")
        for missing in ("2", "x", "-1"):
            assert control.get(f"/mails/1/parts/{missing}").status_code == 404
        assert control.get("/mails/9/parts/0").status_code == 404

    def test_an_invitation_shows_its_html_and_its_calendar_entry_in_words(
        self, box: RunningSandbox, control: httpx2.Client
    ) -> None:
        entry = (
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b//\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:u-1\r\n"
            "DTSTAMP:20261201T000000Z\r\nDTSTART:20261210T050000Z\r\nDTEND:20261210T063000Z\r\nSEQUENCE:2\r\n"
            "SUMMARY:理事会 <b>\r\nLOCATION:本部\r\nATTENDEE:mailto:taro@example.jp\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        )
        message = mail()
        message["List-Unsubscribe"] = "<https://example.jp/u>"
        html = (
            '<!doctype html><html><head lang="ja"><title>t</title></head><a href="https://example.jp/i/t">回答する</a>'
        )
        message.add_alternative(html, subtype="html")
        message.add_attachment(entry.encode(), "text", "calendar", filename="invite.ics")
        send(box, message)
        page = control.get("/mails/1")
        assert '<iframe class="mail-html" src="/mails/1/parts/0"' in page.text
        assert "frame-src 'self'" in page.headers["content-security-policy"]
        for words in (
            "予定に入れる",
            "2026/12/10 14:00〜2026/12/10 15:30",
            "理事会 &lt;b&gt;",
            "<dd>taro@example.jp</dd>",
            "&lt;https://example.jp/u&gt;",
        ):
            assert words in page.text, words
        part = control.get("/mails/1/parts/0").text
        assert '<head lang="ja"><base target="_blank">' in part

    def test_a_calendar_that_is_none_is_only_offered_as_a_file(
        self, box: RunningSandbox, control: httpx2.Client
    ) -> None:
        message = mail()
        message.add_attachment(b"no calendar", "text", "calendar", filename="broken.ics")
        message.add_attachment(b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "text", "calendar", filename="empty.ics")
        send(box, message)
        shown = control.get("/mails/1").text
        assert ">broken.ics</a>" in shown
        assert "<h2>予定（カレンダー）</h2>" not in shown
