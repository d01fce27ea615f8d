"""Hands one message to one channel: ChatWork, mail or SMS. It says what became of it, and never raises."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import make_msgid

import structlog

from tsudoi.gateway.api_comm.alarm_texts import AlarmText, chatwork_body, is_quiet, mail_content, sms_body, standing_in
from tsudoi.gateway.api_comm.matching import phone_digits
from tsudoi.gateway.api_comm.shop_data import AlarmChannel, AlarmRule, AttemptOutcome, ChannelAttempt
from tsudoi.gateway.clients.chatwork import ChatworkClient
from tsudoi.gateway.clients.mail import MailClient, OutgoingMail
from tsudoi.gateway.clients.mail_outcomes import MailAccepted, MailUnknown
from tsudoi.gateway.clients.outside_answers import OutsideAnswer
from tsudoi.gateway.clients.sms import SmsProvider
from tsudoi.gateway.http import CallPolicy

_log = structlog.stdlib.get_logger(__name__)

NOT_CONFIGURED = "not_configured"
_NAMES: dict[AlarmChannel, str] = {"chatwork": "ChatWork", "email": "メール", "sms": "SMS"}
_MOST_RECIPIENTS = 10
_INTERNATIONAL = re.compile(r"\+[1-9][0-9]{6,14}")
_HTTP_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True)
class AlarmChannels:
    """The channels of escalations, and the room of those rules that name none."""

    chatwork: ChatworkClient
    mail: MailClient
    sms: SmsProvider
    default_room: str | None

    def tell(
        self,
        rule: AlarmRule,
        channels: Sequence[AlarmChannel],
        text: AlarmText,
        policy: CallPolicy,
        now: datetime,
        *,
        stand_in: bool = False,
    ) -> list[ChannelAttempt]:
        """What each channel did; it never raises. `stand_in`: a channel is only used if those before it failed."""
        attempts: list[ChannelAttempt] = []
        for channel in channels:
            missed = [_NAMES[one.channel] for one in attempts if one.outcome in ("failed", "unknown")]
            words = standing_in(text, "、".join(missed)) if stand_in and missed else text
            try:
                attempts.append(self.send(channel, rule, words, policy, now))
            except Exception:  # noqa: BLE001 (the other channels have to be told all the same)
                _log.exception("alarm_channel_failed", channel=channel)
                attempts.append(ChannelAttempt(channel, "failed", "internal"))
            if stand_in and attempts[-1].outcome == "sent":
                break
        return attempts

    def send(
        self, channel: AlarmChannel, rule: AlarmRule, text: AlarmText, policy: CallPolicy, now: datetime
    ) -> ChannelAttempt:
        if channel == "sms" and rule.quiet_hours and rule.severity != "critical" and is_quiet(now):
            return ChannelAttempt("sms", "skipped", "quiet_hours")
        if channel == "chatwork":
            return self._chatwork(rule, text, policy)
        return self._email(rule, text, policy, now) if channel == "email" else self._sms(rule, text, policy)

    def _chatwork(self, rule: AlarmRule, text: AlarmText, policy: CallPolicy) -> ChannelAttempt:
        room = rule.chatwork_room_id or self.default_room
        if not self.chatwork.is_configured or not room:
            return ChannelAttempt("chatwork", "failed", NOT_CONFIGURED)
        return _attempt("chatwork", self.chatwork.post(room, chatwork_body(text), policy))

    def _sms(self, rule: AlarmRule, text: AlarmText, policy: CallPolicy) -> ChannelAttempt:
        numbers = [international(one) for one in _recipients(rule.sms_to)]
        if not self.sms.is_configured or not numbers:
            return ChannelAttempt("sms", "failed", NOT_CONFIGURED)
        body = sms_body(text)

        def send(number: str) -> ChannelAttempt:
            return _attempt("sms", self.sms.send(number, body, policy))

        return _of_all("sms", numbers, send, policy.deadline)

    def _email(self, rule: AlarmRule, text: AlarmText, policy: CallPolicy, now: datetime) -> ChannelAttempt:
        config, addresses = self.mail.config, _recipients(rule.email_to)
        if config is None or not addresses:
            return ChannelAttempt("email", "failed", NOT_CONFIGURED)
        sender = (config.sender_name, config.sender_address)

        def send(address: str) -> ChannelAttempt:
            message_id = make_msgid(domain=config.our_host)
            content = mail_content(text, sender, address, message_id, now)
            outcome = self.mail.send_within(OutgoingMail(address, message_id, content), policy.timeout)
            if isinstance(outcome, MailAccepted):
                return ChannelAttempt("email", "sent")
            unknown = isinstance(outcome, MailUnknown) and outcome.maybe_sent
            return ChannelAttempt("email", "unknown" if unknown else "failed", type(outcome).__name__)

        return _of_all("email", addresses, send, policy.deadline)


def international(number: str) -> str:
    """`+819012345678` for a number as people in Japan write it. One from abroad is left as it is."""
    plain = re.sub(r"[\s()-]", "", number)
    if _INTERNATIONAL.fullmatch(plain) and not plain.startswith("+810"):
        return plain
    return f"+81{phone_digits(number).removeprefix('0')}"


def _recipients(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()][:_MOST_RECIPIENTS]


def _of_all(
    channel: AlarmChannel, recipients: list[str], send: Callable[[str], ChannelAttempt], within: timedelta
) -> ChannelAttempt:
    """A channel has taken the message when one of its recipients has it.

    After this time no further recipient is tried: a system that hangs would cost its time for each of them, while the
    next channel and the caller wait.
    """
    until, attempts = time.monotonic() + within.total_seconds(), list[ChannelAttempt]()
    for one in recipients:
        in_time = not attempts or time.monotonic() < until
        attempts.append(send(one) if in_time else ChannelAttempt(channel, "failed", "no_time"))
    order: tuple[AttemptOutcome, ...] = ("sent", "unknown", "failed")
    best = min(attempts, key=lambda one: order.index(one.outcome))
    missed = next((one.reason for one in attempts if one.outcome != "sent"), None)
    return ChannelAttempt(channel, best.outcome, missed)


def _attempt(channel: AlarmChannel, answer: OutsideAnswer) -> ChannelAttempt:
    if answer.is_success and not answer.is_page:
        return ChannelAttempt(channel, "sent")
    if answer.status is None:
        outcome: AttemptOutcome = "unknown" if answer.maybe_done else "failed"
        return ChannelAttempt(channel, outcome, "no_answer")
    # A server that fails may have taken the message before, and a page is from something in between.
    maybe = answer.status >= _HTTP_SERVER_ERROR or answer.is_success
    return ChannelAttempt(channel, "unknown" if maybe else "failed", f"status_{answer.status}")
