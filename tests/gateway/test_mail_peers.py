"""Mail servers that are slow, silent, talkative or no mail servers at all: each conversation ends, and none raises."""

import re
import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.gateway.smtp_peers import (
    MAIL,
    PASSWORD,
    USER,
    Reply,
    client_for,
    drip,
    flood,
    hang_up,
    make_certificate,
    scripted_peer,
    silence,
    tls_server,
)
from tests.servers import listen
from tsudoi.gateway.clients.mail_outcomes import MailAccepted, MailNotNow, MailRefused, MailUnknown

BEFORE_THE_CONTENT = ("greeting", "EHLO", "MAIL", "RCPT", "DATA")


def _until(where: str, seconds: float) -> float:
    """On a busy machine it takes a while to come to the end of the content, and only then may the time be over."""
    return 3 if where == "dot" else seconds


class TestTheDeadline:
    @pytest.mark.parametrize("where", [*BEFORE_THE_CONTENT, "dot"])
    def test_covers_a_reply_that_drips(self, where: str) -> None:
        """Each byte comes soon after the one before, and the reply would be complete after six seconds."""
        with scripted_peer(**{where: drip}) as peer:
            started = time.monotonic()
            found = client_for(peer.port, seconds=_until(where, 1)).send(MAIL)
            assert time.monotonic() - started < 5.5
        assert isinstance(found, MailUnknown)
        assert found.maybe_sent is (where == "dot")

    def test_a_patient_client_hears_the_end_of_it(self) -> None:
        """The control of the test above."""
        with scripted_peer(RCPT=drip) as peer:
            assert isinstance(client_for(peer.port, seconds=60).send(MAIL), MailAccepted)

    @pytest.mark.parametrize("where", [*BEFORE_THE_CONTENT, "dot"])
    def test_covers_silence(self, where: str) -> None:
        with scripted_peer(**{where: silence}) as peer:
            found = client_for(peer.port, seconds=_until(where, 0.5)).send(MAIL)
        assert isinstance(found, MailUnknown)
        assert found.maybe_sent is (where == "dot")

    def test_covers_a_server_that_does_not_take_the_content(self) -> None:
        def go_on_and_sleep(connection: socket.socket, stopping: object) -> None:
            connection.sendall(b"354 go on\r\n")
            silence(connection, stopping)  # type: ignore[arg-type]

        with scripted_peer(DATA=go_on_and_sleep) as peer:
            found = client_for(peer.port, seconds=1).send(replace(MAIL, content=b"x\r\n" * 5_000_000))
        assert isinstance(found, MailUnknown)
        assert not found.maybe_sent, "the final dot never left"

    def test_covers_a_handshake(self) -> None:
        with listen() as silent:
            started = time.monotonic()
            found = client_for(silent.getsockname()[1], seconds=0.5, security="tls").send(MAIL)
            assert time.monotonic() - started < 30
        assert isinstance(found, MailUnknown)
        assert not found.maybe_sent

    def test_a_good_bye_that_nobody_returns_does_not_change_the_outcome(self) -> None:
        with scripted_peer(QUIT=silence) as peer:
            assert client_for(peer.port).send(MAIL) == MailAccepted("taken")


class TestStrangeReplies:
    @pytest.mark.parametrize("where", [*BEFORE_THE_CONTENT, "dot"])
    @pytest.mark.parametrize("reply", [hang_up, flood, b"HTTP/1.1 200 OK\r\n\r\n", b"999 what?\r\n", b"\xff\x00\r\n"])
    def test_never_raise(self, where: str, reply: Reply) -> None:
        with scripted_peer(**{where: reply}) as peer:
            found = client_for(peer.port).send(MAIL)
        assert isinstance(found, MailUnknown)
        assert found.maybe_sent is (where == "dot")

    @pytest.mark.parametrize(("where", "code"), [("MAIL", 354), ("RCPT", 354), ("DATA", 250)])
    def test_a_yes_to_another_question_is_no_yes(self, where: str, code: int) -> None:
        with scripted_peer(**{where: f"{code} ok\r\n".encode()}) as peer:
            found = client_for(peer.port).send(MAIL)
            assert peer.contents == []
        assert found == MailUnknown(f"unexpected reply {code}", maybe_sent=False)

    @pytest.mark.parametrize("where", ["MAIL", "RCPT", "DATA", "dot"])
    def test_a_refusal_of_the_mail_is_final(self, where: str) -> None:
        with scripted_peer(**{where: b"550-5.7.1 no <taro@example.jp>\r\n550 5.7.1 never\r\n"}) as peer:
            assert client_for(peer.port).send(MAIL) == MailRefused(550, "5.7.1 no <***@***> 5.7.1 never")

    @pytest.mark.parametrize("where", ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "dot"])
    def test_a_postponement_is_none(self, where: str) -> None:
        replies = {where: b"451 4.3.0 later\r\n"} | ({"HELO": b"451 4.3.0 later\r\n"} if where == "EHLO" else {})
        with scripted_peer(**replies) as peer:
            assert client_for(peer.port).send(MAIL) == MailNotNow(451, "4.3.0 later")

    def test_a_refusal_of_our_connection_says_nothing_about_the_mail(self) -> None:
        with scripted_peer(greeting=b"554 5.7.1 you are on a list\r\n") as peer:
            assert client_for(peer.port).send(MAIL) == MailNotNow(554, "5.7.1 you are on a list")
        with scripted_peer(MAIL=b"530 5.7.0 log in first\r\n") as peer:
            assert client_for(peer.port).send(MAIL) == MailNotNow(530, "5.7.0 log in first")


class TestInjection:
    @pytest.mark.parametrize(
        "address",
        [
            "taro@example.jp>\r\nRCPT TO:<eve@example.jp",
            "taro@example.jp\nDATA",
            "taro@example.jp\x00",
            "taro@example.jp> SIZE=1 <x@example.jp",
            "太郎@example.jp",
            "",
        ],
    )
    def test_an_address_cannot_hold_another_command(self, address: str) -> None:
        with scripted_peer() as peer:
            found = client_for(peer.port).send(replace(MAIL, recipient=address))
            assert peer.commands == []
        assert isinstance(found, MailRefused)

    def test_content_cannot_end_early_and_begin_another_mail(self) -> None:
        smuggled = b"a\r\n.\r\nMAIL FROM:<eve@example.jp>\r\nb\n.\nc\r.\rd\n.\r\ne\r\n.x"
        with scripted_peer() as peer:
            assert isinstance(client_for(peer.port).send(replace(MAIL, content=smuggled)), MailAccepted)
        assert [command[:4] for command in peer.commands] == ["ehlo", "MAIL", "RCPT", "DATA", "quit"]
        (content,) = peer.contents
        assert not re.search(rb"\r(?!\n)|(?<!\r)\n", content)
        plain = re.sub(rb"(?m)^\.", b"", content)
        assert plain.split(b"\r\n") == [*re.split(rb"\r\n|\r|\n", smuggled), b""]


class TestEncryption:
    @pytest.fixture
    def trusted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        return tmp_path

    @pytest.mark.parametrize("security", ["tls", "starttls"])
    def test_a_mail_goes_out_over_tls_after_a_log_in(self, trusted: Path, security: str) -> None:
        with tls_server(make_certificate(trusted), implicit=security == "tls") as (port, handler):
            found = client_for(port, security=security, user=USER).send(MAIL)  # type: ignore[arg-type]
        assert isinstance(found, MailAccepted)
        ((envelope, session),) = handler.taken
        assert envelope.rcpt_tos == [MAIL.recipient]
        assert session.authenticated

    @pytest.mark.parametrize("security", ["tls", "starttls"])
    def test_a_certificate_that_nobody_vouches_for_ends_it(self, tmp_path: Path, security: str) -> None:
        with tls_server(make_certificate(tmp_path), implicit=security == "tls") as (port, handler):
            found = client_for(port, security=security, user=USER).send(MAIL)  # type: ignore[arg-type]
        assert isinstance(found, MailUnknown)
        assert "CERTIFICATE_VERIFY_FAILED" in found.reason
        assert handler.taken == []

    def test_a_certificate_of_another_host_ends_it(self, trusted: Path) -> None:
        with tls_server(make_certificate(trusted, "127.0.0.2"), implicit=True) as (port, _):
            found = client_for(port, security="tls").send(MAIL)
        assert isinstance(found, MailUnknown)
        assert not found.maybe_sent

    def test_a_server_without_tls_gets_neither_password_nor_mail(self) -> None:
        with scripted_peer() as peer:
            found = client_for(peer.port, security="starttls", user=USER).send(MAIL)
        assert isinstance(found, MailUnknown)
        assert [command for command in peer.commands if command[:4] not in ("ehlo", "quit")] == []

    def test_a_wrong_password_is_for_the_office_to_correct(self, trusted: Path) -> None:
        with tls_server(make_certificate(trusted), implicit=True) as (port, _):
            found = client_for(port, security="tls", user="somebody else").send(MAIL)
        assert isinstance(found, MailNotNow)
        assert found.code == 535
        assert PASSWORD not in found.text
