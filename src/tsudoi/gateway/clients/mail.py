"""The mail client: one conversation by SMTP for each mail, which ends at its deadline and never raises."""

import re
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from email.utils import parseaddr
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import structlog

from tsudoi.core.db.interface import Database
from tsudoi.core.installation import SendingHold
from tsudoi.core.log import mask_text
from tsudoi.core.settings import Settings
from tsudoi.gateway.call_log import write_call
from tsudoi.gateway.call_reports import CallReport, CallReports
from tsudoi.gateway.clients.mail_outcomes import (
    MailAccepted,
    MailCalledOff,
    MailNotNow,
    MailOutcome,
    MailRefused,
    MailServerReady,
    MailUnknown,
)
from tsudoi.gateway.deadlines import ending_at
from tsudoi.gateway.sockets import connect, tls_context

_log = structlog.stdlib.get_logger(__name__)

T = TypeVar("T")

Security = Literal["plain", "starttls", "tls"]
_PORTS: dict[Security, int] = {"plain": 25, "starttls": 587, "tls": 465}
_SCHEMES: dict[str, Security] = {"smtp": "plain", "smtp+starttls": "starttls", "smtps": "tls"}
# What may stand between < and > in a command: no spaces, no line ends, no brackets.
_PATH = re.compile(r"[!-;=?-~]+@[A-Za-z0-9.-]+")
_BARE_LINE_END = re.compile(rb"\r(?!\n)|(?<!\r)\n")
_LEADING_DOT = re.compile(rb"(?m)^\.")
_ENHANCED_CODE = re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b")
_READY, _GO_AHEAD = 220, 354
# This answer to an envelope says nothing about the mail either: the server wants a log-in that `SMTP_URL` lacks.
_LOG_IN_FIRST = 530
# With it the server leaves, whatever it was asked.
_LEAVES = 421
# Enhanced codes of this class say that we may not send, or not to the outside; those of an unknown address are 5.1.
_POLICY = "5.7."
_LONGEST_TEXT = 500
_QUIT_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class MailConfig:
    """The mail server, our account there, and the sender that people see."""

    host: str
    port: int
    security: Security
    user: str
    password: str = field(repr=False)
    sender_name: str
    sender_address: str
    # How we introduce ourselves to the server. Asking the system for its name may take seconds.
    our_host: str

    @staticmethod
    def of(settings: Settings) -> "MailConfig | None":
        """None when `SMTP_URL` or `MAIL_FROM` is empty: then no mail is sent. `Settings` has checked both."""
        if settings.smtp_url is None or settings.mail_from is None:
            return None
        url = urlsplit(settings.smtp_url.get_secret_value())
        security = _SCHEMES[url.scheme]
        if security == "plain" and parse_qs(url.query).get("starttls") == ["1"]:
            security = "starttls"
        name, address = parseaddr(settings.mail_from)
        return MailConfig(
            host=url.hostname or "",
            port=url.port or _PORTS[security],
            security=security,
            user=unquote(url.username or ""),
            password=unquote(url.password or ""),
            sender_name=name,
            sender_address=address,
            our_host=settings.mail_host,
        )


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A complete mail for one recipient. The content has its headers already, `Message-ID` among them."""

    recipient: str
    message_id: str
    content: bytes


def _always() -> bool:
    return True


class MailClient:
    """Hands mails to the server of `SMTP_URL`. Every attempt leaves a row without addresses in `api_call_logs`."""

    def __init__(
        self,
        config: MailConfig | None,
        db: Database | None,
        deadline: timedelta = timedelta(seconds=30),
        reports: CallReports | None = None,
    ) -> None:
        """`deadline` covers the whole conversation, however slowly the server talks.

        `reports` hears how the server does. Who sends an alarm has none: an alarm that fails raises no other one.
        """
        self.config = config
        self._reports = reports or CallReports()
        self._db = db
        self._hold = SendingHold(db)
        self._deadline = deadline
        self._lock = threading.Lock()
        self._tls: ssl.SSLContext | None = None

    def send(self, mail: OutgoingMail, before_content: Callable[[], bool] = _always) -> MailOutcome:
        """Try once to hand the mail over; never raises.

        `before_content` is asked when the server has accepted sender and recipient, immediately before the content is
        sent: the caller notes there that the mail may arrive from now on. False ends the conversation.
        """
        return self._send(mail, before_content, self._deadline)

    def send_within(self, mail: OutgoingMail, within: timedelta) -> MailOutcome:
        """The same for somebody who has less patience."""
        return self._send(mail, _always, min(within, self._deadline))

    def _send(self, mail: OutgoingMail, before_content: Callable[[], bool], within: timedelta) -> MailOutcome:
        if self.config is None:
            return MailUnknown("SMTP_URL or MAIL_FROM is not set", maybe_sent=False)
        if self._hold.is_on():
            return MailUnknown("SEND_NOTHING", maybe_sent=False)
        started = time.monotonic()
        conversation = _Conversation(self.config, self._tls_context)
        outcome = self._talk(conversation, lambda: conversation.hand_over(mail, before_content), within)
        if self._db is not None:
            write_call(self._db, _row(self.config, outcome, time.monotonic() - started, mail))
        self._reports.tell(conversation.report(outcome))
        return outcome

    def offer(self, within: timedelta) -> MailServerReady | MailOutcome:
        """Whether the server would take a mail of ours just now: as before a mail, up to its sender; never raises.

        It is no promise, because a server may still refuse the recipient or the content.
        """
        if self.config is None:
            return MailUnknown("SMTP_URL or MAIL_FROM is not set", maybe_sent=False)
        if self._hold.is_on():
            return MailUnknown("SEND_NOTHING", maybe_sent=False)
        started = time.monotonic()
        conversation = _Conversation(self.config, self._tls_context)
        outcome = self._talk(conversation, conversation.offer, min(within, self._deadline))
        if self._db is not None:
            write_call(self._db, _row(self.config, outcome, time.monotonic() - started))
        report = conversation.report(outcome)
        # That the server would take a mail ends no outage: it may refuse every recipient.
        if report is not None and not report.works:
            self._reports.tell(report)
        return outcome

    def look(self) -> MailServerReady | MailOutcome:
        """Greet the server as before a mail, and leave again without sending one; never raises."""
        if self.config is None:
            return MailUnknown("SMTP_URL or MAIL_FROM is not set", maybe_sent=False)
        conversation = _Conversation(self.config, self._tls_context)
        return self._talk(conversation, conversation.greet, self._deadline)

    def _talk(self, conversation: "_Conversation", talk: Callable[[], T], within: timedelta) -> T | MailOutcome:
        deadline = time.monotonic() + within.total_seconds()
        outcome: T | MailOutcome
        try:
            with ending_at(deadline):
                outcome = talk()
        except Exception as failure:  # noqa: BLE001 (how far it came is the outcome)
            outcome = conversation.outcome_of(failure)
            if not isinstance(failure, smtplib.SMTPException | OSError):
                conversation.failed_here = True
                _log.exception("mail_conversation_failed")
        with ending_at(min(deadline, time.monotonic() + _QUIT_SECONDS)):
            conversation.end()
        return outcome

    def _tls_context(self) -> ssl.SSLContext:
        with self._lock:
            self._tls = self._tls or tls_context()
            return self._tls


class _Smtp(smtplib.SMTP):
    """The SMTP of the standard library on sockets that stop at the deadline."""

    def __init__(self, config: MailConfig, tls: Callable[[], ssl.SSLContext]) -> None:
        # Without a host the parent does not connect yet.
        super().__init__(local_hostname=config.our_host)
        self._config, self._host, self._tls = config, config.host, tls

    def _get_socket(self, host: str, port: int, _timeout: object) -> socket.socket:
        plain = connect(host, port)
        return self._tls().wrap_socket(plain, server_hostname=host) if self._config.security == "tls" else plain

    def introduce(self) -> None:
        """Everything before the mail itself: greeting, encryption, log-in. Raises `SMTPException` or `OSError`."""
        code, text = self.connect(self._config.host, self._config.port)
        if code != _READY:
            raise smtplib.SMTPConnectError(code, text)
        if self._config.security == "starttls":
            # It raises when the server does not offer TLS: somebody in between may have removed the offer.
            self.starttls(context=self._tls())
        self.ehlo_or_helo_if_needed()
        if self._config.user:
            self.login(self._config.user, self._config.password)


class _Conversation:
    """One mail on one connection, and how far it came."""

    def __init__(self, config: MailConfig, tls: Callable[[], ssl.SSLContext]) -> None:
        self._sender = config.sender_address
        self._smtp = _Smtp(config, tls)
        self._introduced = False
        self._takes_commands = True
        self._content_sent = False
        # The command that the server answered last; None before the first one.
        self._stage: Literal["MAIL", "RCPT", "DATA"] | None = None
        # The conversation was ended by a fault of ours, which says nothing about the server.
        self.failed_here = False

    def greet(self) -> MailServerReady:
        self._smtp.introduce()
        self._introduced = True
        return MailServerReady()

    def offer(self) -> MailServerReady | MailOutcome:
        self.greet()
        return self._refused_command(f"MAIL FROM:<{self._sender}>") or MailServerReady()

    def hand_over(self, mail: OutgoingMail, before_content: Callable[[], bool]) -> MailOutcome:
        if not _PATH.fullmatch(mail.recipient):
            return MailRefused(553, "the address cannot stand in a command")
        self.greet()
        for command in (f"MAIL FROM:<{self._sender}>", f"RCPT TO:<{mail.recipient}>"):
            if (refused := self._refused_command(command)) is not None:
                return refused
        self._stage = "DATA"
        code, text = self._smtp.docmd("DATA")
        return self._refusal(code, text) if code != _GO_AHEAD else self._hand_over_content(mail, before_content)

    def _refused_command(self, command: str) -> MailRefused | MailNotNow | MailUnknown | None:
        self._stage = "MAIL" if command.startswith("MAIL") else "RCPT"
        code, text = self._smtp.docmd(command)
        return None if code // 100 == 2 else self._refusal(code, text)  # noqa: PLR2004 (the class of success)

    def _hand_over_content(self, mail: OutgoingMail, before_content: Callable[[], bool]) -> MailOutcome:
        # The server takes everything for content now. It discards the mail when the connection is closed.
        self._takes_commands = False
        if not before_content():
            return MailCalledOff()
        lines = _BARE_LINE_END.sub(b"\r\n", mail.content).removesuffix(b"\r\n")
        self._smtp.send(_LEADING_DOT.sub(b"..", lines) + b"\r\n.\r\n")
        # If that raised, the final dot has not left this machine, and the server cannot have taken the mail.
        self._content_sent = True
        code, text = self._smtp.getreply()
        self._takes_commands = True
        return MailAccepted(_plain(text)) if code // 100 == 2 else self._refusal(code, text)  # noqa: PLR2004

    def outcome_of(self, failure: Exception) -> MailOutcome:
        if isinstance(failure, smtplib.SMTPResponseException) and not self._introduced:
            refusal = self._refusal(failure.smtp_code, failure.smtp_error)
            return MailNotNow(refusal.code, refusal.text) if isinstance(refusal, MailRefused) else refusal
        return MailUnknown(_plain(f"{type(failure).__name__}: {failure}"), maybe_sent=self._content_sent)

    def report(self, outcome: MailServerReady | MailOutcome) -> CallReport | None:
        """Whether the server works for us. None: this mail says nothing about it.

        A recipient who is not known is no outage, and one who may come again later is not even a sign that it works.
        """
        if isinstance(outcome, MailUnknown):
            return None if self.failed_here else CallReport("email", "no_answer")
        if not isinstance(outcome, MailRefused | MailNotNow):
            return CallReport("email")
        if not self._introduced:
            # An address that cannot stand in a command is refused by ourselves.
            return CallReport("email", f"status_{outcome.code}") if isinstance(outcome, MailNotNow) else None
        enhanced = _ENHANCED_CODE.search(outcome.text)
        for_all = enhanced is not None and enhanced[0].startswith(_POLICY) and self._stage == "RCPT"
        if self._stage == "MAIL" or outcome.code in (_LEAVES, _LOG_IN_FIRST) or for_all:
            return CallReport("email", f"status_{outcome.code}")
        return CallReport("email") if self._stage == "RCPT" and isinstance(outcome, MailRefused) else None

    def end(self) -> None:
        with suppress(Exception):
            if self._takes_commands:
                self._smtp.quit()
        self._smtp.close()

    def _refusal(self, code: int, text: bytes | str) -> MailRefused | MailNotNow | MailUnknown:
        if code // 100 == 4 or code == _LOG_IN_FIRST:  # noqa: PLR2004 (the class of temporary refusals)
            return MailNotNow(code, _plain(text))
        if code // 100 == 5:  # noqa: PLR2004 (the class of final refusals)
            return MailRefused(code, _plain(text))
        return MailUnknown(f"unexpected reply {code}", maybe_sent=self._content_sent)


def _plain(text: bytes | str) -> str:
    """What the server said, without mail addresses and not too long."""
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return mask_text(" ".join(words.split()))[:_LONGEST_TEXT]


def _row(
    config: MailConfig, outcome: MailServerReady | MailOutcome, seconds: float, mail: OutgoingMail | None = None
) -> dict[str, Any]:
    """Only codes are kept of what the server said, because its words may repeat the address in part."""
    code, text, error = 250, "", None
    if isinstance(outcome, MailRefused | MailNotNow):
        code = outcome.code
    if isinstance(outcome, MailAccepted | MailRefused | MailNotNow):
        text = outcome.text
    elif isinstance(outcome, MailUnknown):
        error = f"{'unknown' if outcome.maybe_sent else 'not_sent'}: {outcome.reason}"
    elif isinstance(outcome, MailCalledOff):
        error = "called_off"
    enhanced = _ENHANCED_CODE.search(text)
    return {
        "target": "smtp",
        "operation": "offer" if mail is None else "send",
        "method": "SMTP",
        "url": f"smtp://{config.host}:{config.port}",
        "attempt": 1,
        "status_code": None if error else code,
        "error": error,
        "latency_ms": round(seconds * 1000),
        # The logs of mail servers can be searched for it.
        "external_request_id": mail and mail.message_id,
        "request_body": mail and f"({len(mail.content)} bytes)",
        "response_body": enhanced and enhanced[0],
    }
