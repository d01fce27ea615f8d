"""The mail client against the sandbox: what it says about each way a mail can go, and what it writes down."""

import socket
import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from tests.factories.product import Box
from tests.gateway.smtp_peers import MAIL, client_for
from tests.product_fixtures import sqlite_only
from tests.servers import free_port
from tsudoi.core.db.interface import Database
from tsudoi.core.settings import Settings
from tsudoi.gateway.call_reports import CallReport, CallReports
from tsudoi.gateway.clients.mail import MailClient, MailConfig
from tsudoi.gateway.clients.mail_outcomes import (
    MailAccepted,
    MailCalledOff,
    MailNotNow,
    MailOutcome,
    MailRefused,
    MailServerReady,
    MailUnknown,
)
from tsudoi.gateway.models import ApiCallLog


@pytest.fixture
def client(db: Database, box: Box, plain_log: None) -> MailClient:
    return client_for(int(box.smtp_url.rpartition(":")[2]), db, seconds=2)


def logged(db: Database) -> list[dict[str, Any]]:
    return [dict(row) for row in db.read_now(lambda tx: tx.execute(select(ApiCallLog.__table__)).mappings().all())]


@sqlite_only
class TestOutcomes:
    def test_a_mail_that_the_server_takes(self, client: MailClient, box: Box) -> None:
        assert client.send(MAIL) == MailAccepted("2.0.0 OK: queued as 1")
        (mail,) = box.mails()
        assert (mail["from"], mail["to"]) == ("office@tsudoi.example.jp", ["taro@example.jp"])
        assert mail["raw"] == "Subject: x\r\n\r\nhello\r\n"

    @pytest.mark.parametrize(
        ("fault", "outcome", "kept"),
        [
            ("smtp_421", MailNotNow(421, "4.3.2 The service is shutting down"), 0),
            ("smtp_450", MailNotNow(450, "4.2.0 Greylisted, please try again later"), 0),
            ("smtp_550", MailRefused(550, "5.1.1 No such user here"), 0),
            ("smtp_silence", False, 0),
            ("smtp_drip", False, 0),
            ("drop_connection", False, 0),
            ("timeout_before_accept", True, 0),
            ("timeout_after_accept", True, 1),
        ],
    )
    def test_each_fault(self, client: MailClient, box: Box, fault: str, outcome: MailOutcome | bool, kept: int) -> None:
        box.breaks(fault, "smtp")
        found = client.send(MAIL)
        if isinstance(outcome, bool):
            assert isinstance(found, MailUnknown)
            assert found.maybe_sent is outcome
        else:
            assert found == outcome
        assert len(box.mails()) == kept
        box.mends()
        assert isinstance(client.send(MAIL), MailAccepted)

    def test_nobody_there(self, db: Database) -> None:
        found = client_for(free_port(), db).send(MAIL)
        assert isinstance(found, MailUnknown)
        assert "ConnectionRefusedError" in found.reason
        assert not found.maybe_sent


@sqlite_only
class TestBeforeTheContent:
    def test_the_caller_is_asked_once_and_last(self, client: MailClient, box: Box) -> None:
        asked: list[int] = []

        def ask() -> bool:
            asked.append(len(box.mails()))
            return True

        assert isinstance(client.send(MAIL, ask), MailAccepted)
        assert asked == [0]

    @pytest.mark.parametrize("fault", ["smtp_421", "smtp_450", "smtp_550", "smtp_silence"])
    def test_the_caller_is_not_asked_when_the_server_wants_no_content(
        self, client: MailClient, box: Box, fault: str
    ) -> None:
        box.breaks(fault, "smtp")

        def ask() -> bool:
            raise AssertionError("asked too early")

        assert "asked too early" not in repr(client.send(MAIL, ask))

    def test_the_caller_can_end_it(self, client: MailClient, box: Box) -> None:
        assert client.send(MAIL, lambda: False) == MailCalledOff()
        assert box.mails() == []

    def test_a_caller_that_fails_ends_it_too(self, client: MailClient, box: Box) -> None:
        def fail() -> bool:
            raise LookupError("the database is away")

        assert client.send(MAIL, fail) == MailUnknown("LookupError: the database is away", maybe_sent=False)
        assert box.mails() == []


@sqlite_only
@pytest.mark.found("24.C14")
class TestOffering:
    """Whether the server would take a mail, without one."""

    def test_sends_nothing(self, client: MailClient, box: Box, db: Database) -> None:
        assert client.offer(timedelta(seconds=2)) == MailServerReady()
        assert box.mails() == []
        (row,) = logged(db)
        assert (row["target"], row["operation"], row["status_code"], row["error"]) == ("smtp", "offer", 250, None)
        assert (row["external_request_id"], row["request_body"]) == (None, None)

    def test_a_server_that_takes_nothing(self, client: MailClient, box: Box) -> None:
        box.breaks("smtp_421", "smtp")
        assert client.offer(timedelta(seconds=2)) == MailNotNow(421, "4.3.2 The service is shutting down")
        box.breaks("drop_connection", "smtp")
        assert isinstance(client.offer(timedelta(seconds=2)), MailUnknown)

    @pytest.mark.found("24.D4")
    def test_its_failures_count_for_an_outage_and_its_success_ends_none(self, box: Box, db: Database) -> None:
        heard: list[CallReport] = []
        reports = CallReports()
        reports.listener = heard.append
        client = MailClient(client_for(int(box.smtp_url.rpartition(":")[2]), db).config, db, reports=reports)
        client.offer(timedelta(seconds=2))
        assert heard == []
        box.breaks("smtp_421", "smtp")
        client.offer(timedelta(seconds=2))
        assert heard == [CallReport("email", "status_421")]
        box.mends()
        client.send(MAIL)
        assert heard[1:] == [CallReport("email")]

    def test_nobody_there_and_nothing_set_up(self, db: Database) -> None:
        assert isinstance(client_for(free_port(), db).offer(timedelta(seconds=2)), MailUnknown)
        assert isinstance(MailClient(None, db).offer(timedelta(seconds=2)), MailUnknown)

    def test_a_server_that_says_nothing_keeps_nobody_waiting(self, db: Database) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            started = time.monotonic()
            found = client_for(silent.getsockname()[1], db).offer(timedelta(seconds=0.5))
            assert isinstance(found, MailUnknown)
            assert time.monotonic() - started < 5


@sqlite_only
class TestTheLog:
    def test_each_attempt_leaves_a_row_without_addresses_and_words(
        self, client: MailClient, box: Box, db: Database
    ) -> None:
        client.send(replace(MAIL, content="Subject: 秘密\r\n\r\n秘密の本文 taro@example.jp".encode()))
        for fault in ("smtp_450", "smtp_550", "timeout_after_accept", "drop_connection"):
            box.breaks(fault, "smtp")
            client.send(MAIL)
        client.send(MAIL, lambda: False)
        rows = logged(db)
        assert [(row["status_code"], row["response_body"]) for row in rows[:3]] == [
            (250, "2.0.0"),
            (450, "4.2.0"),
            (550, "5.1.1"),
        ]
        assert [row["error"].split(":")[0] for row in rows[3:]] == ["unknown", "not_sent", "not_sent"]
        assert {(row["target"], row["operation"], row["method"]) for row in rows} == {("smtp", "send", "SMTP")}
        assert {row["external_request_id"] for row in rows} == {MAIL.message_id}
        assert {row["url"] for row in rows} == {box.smtp_url}
        written = repr(rows)
        for word in ("taro", "office", "秘密", "hello", "No such user", "Subject"):
            assert word not in written

    def test_a_log_that_cannot_be_written_does_not_change_the_outcome(
        self, client: MailClient, db: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_args: object, **_kwargs: object) -> None:
            raise RuntimeError("disk full")

        monkeypatch.setattr(db, "write_now", fail)
        assert isinstance(client.send(MAIL), MailAccepted)


class TestConfig:
    def of(self, url: str | None, sender: str | None = "事務局 <office@example.jp>") -> MailConfig | None:
        return MailConfig.of(
            Settings(_env_file=None, smtp_url=url, mail_from=sender, public_base_url="https://tsudoi.example.jp")
        )

    def test_a_url_says_how_to_connect(self) -> None:
        found = self.of("smtps://us%40er:p%2Fw%3A@mail.example.jp")
        assert found is not None
        assert (found.host, found.port, found.security) == ("mail.example.jp", 465, "tls")
        assert (found.user, found.password) == ("us@er", "p/w:")
        assert (found.sender_name, found.sender_address) == ("事務局", "office@example.jp")
        assert found.our_host == "tsudoi.example.jp"
        assert "p/w:" not in repr(found)

    @pytest.mark.parametrize(
        ("url", "port", "security"),
        [
            ("smtp://mail.example.jp", 25, "plain"),
            ("smtp://mail.example.jp:2525", 2525, "plain"),
            ("smtp://mail.example.jp:2525?starttls=1", 2525, "starttls"),
            ("smtp+starttls://mail.example.jp", 587, "starttls"),
            ("smtps://mail.example.jp:4650", 4650, "tls"),
        ],
    )
    def test_each_scheme(self, url: str, port: int, security: str) -> None:
        found = self.of(url)
        assert found is not None
        assert (found.port, found.security) == (port, security)

    def test_no_mail_without_both_settings(self) -> None:
        assert MailClient(None, None).send(MAIL) == MailUnknown("SMTP_URL or MAIL_FROM is not set", maybe_sent=False)
        assert self.of(None) is None
        assert self.of("smtp://mail.example.jp", None) is None
