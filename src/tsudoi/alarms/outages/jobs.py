"""Hears how each call to an outside system went, raises the alarm of an outage, and gives the all-clear."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

import structlog

from tsudoi.alarms.escalation.queries import default_room, ticket_address
from tsudoi.alarms.outages import queries, service
from tsudoi.alarms.outages.rules import NO_SHOP, OUTAGES, Outage
from tsudoi.alarms.tickets.service import channels_told, is_being_told, note_attempts
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.alarm_channels import NOT_CONFIGURED, AlarmChannels
from tsudoi.gateway.api_comm.alarm_texts import AlarmFacts, AlarmText, alarm_text, all_clear_text
from tsudoi.gateway.api_comm.policies import OTHERS_POOL
from tsudoi.gateway.api_comm.shop_data import AlarmChannel, AlarmRule, AttemptKind
from tsudoi.gateway.call_log import CallOrigin, on_behalf_of
from tsudoi.gateway.call_reports import CallReport, WatchedSystem
from tsudoi.gateway.clients.chatwork import ChatworkClient
from tsudoi.gateway.clients.karaden import sms_provider_of
from tsudoi.gateway.clients.mail import MailClient, MailConfig
from tsudoi.gateway.http import CallPolicy, HttpGateway

_log = structlog.stdlib.get_logger(__name__)

# How often a process that sees nothing but successes looks whether another one has seen failures.
_LOOK_SECONDS = 1.0
# How often a process counts a further failure of an outage that is already a ticket.
_COUNT_AGAIN = timedelta(seconds=2)
# A process that stops waits for the alarm that it has begun to send, and has ten seconds for everything.
_PATIENCE = timedelta(seconds=2.5)
# Three channels, one after the other.
_LONGEST_ALARM, _PAUSE_SECONDS = 7.5, 0.25
_POSTING = CallPolicy(OTHERS_POOL, _PATIENCE, _PATIENCE, longest_attempt=_PATIENCE)


@dataclass(slots=True)
class _SystemCounts:
    """What this process knows of a system, so that a call that changes nothing needs no transaction."""

    has_failures: bool = False
    looked_at: float = float("-inf")
    # When a failure was last added to the ticket of an outage; None: there is none, or it may be ending.
    counted_at: datetime | None = None


class OutageWatch:
    """Counts failures in a row of the watched systems. It writes nothing while they work.

    The alarm goes out in a thread of its own: the caller of the third failing call has waited long enough.
    """

    def __init__(self, settings: Settings, db: Database, channels: AlarmChannels) -> None:
        self._settings = settings
        self._db = db
        self._channels = channels
        self._known = {system: _SystemCounts() for system in OUTAGES}
        self._sending = ThreadPoolExecutor(1, thread_name_prefix="alarms")

    @staticmethod
    def of(runtime: Runtime) -> "OutageWatch":
        gateway = runtime.part(HttpGateway)
        watch = OutageWatch(runtime.settings, runtime.db, channels_of(runtime.settings, runtime.db, gateway))
        gateway.reports.listener = watch.note
        return watch

    def note(self, report: CallReport) -> None:
        if report.reason is None:
            self._note_success(report.system)
        else:
            self._note_failure(report.system, report.reason)

    def close(self) -> None:
        """Waits for the alarms that have begun. It comes before the clients are closed."""
        self._sending.shutdown(wait=True)

    def _note_failure(self, system: WatchedSystem, reason: str) -> None:
        known, now = self._known[system], self._db.clock.now()
        if known.counted_at is not None and now < known.counted_at + _COUNT_AGAIN:
            return
        known.has_failures = True
        noted = self._db.write_now(service.note_failure, self._settings, OUTAGES[system], reason)
        if noted is None:
            return
        known.counted_at = now
        _log.warning("outage", cause=noted.rule.rule_code, ticket_id=noted.alarm.ticket_id, reason=reason)
        if noted.alarm.may_send:
            self._sending.submit(self._raise_alarm, OUTAGES[system], noted, reason)

    def _note_success(self, system: WatchedSystem) -> None:
        known, now = self._known[system], time.monotonic()
        if not known.has_failures:
            if now < known.looked_at + _LOOK_SECONDS:
                return
            known.looked_at = now
            known.has_failures = self._db.read_now(queries.has_failures, system)
            if not known.has_failures:
                return
        # The next failure has to be counted, because it ends this run of successes.
        known.counted_at = None
        ended = self._db.write_now(service.note_success, self._settings, OUTAGES[system])
        known.has_failures = self._db.read_now(queries.has_failures, system)
        if ended is None:
            return
        _log.info("outage_is_over", cause=ended.rule.rule_code, ticket_id=ended.ticket.ticket_id)
        if ended.ticket.alarmed_at is not None:
            self._sending.submit(self._give_all_clear, ended, ended.ticket.alarmed_at)

    def _raise_alarm(self, outage: Outage, noted: service.NotedOutage, reason: str) -> None:
        status = reason.removeprefix("status_")
        details = {"last_status_code": status} if status.isdecimal() else {}
        facts = self._facts(noted.rule, noted.alarm.ticket_id)
        text = alarm_text(facts, f"{outage.title}。3回続けて失敗しました。", details, noted.alarm.since)
        self._tell(noted.rule, noted.alarm.ticket_id, "alarm", noted.channels, text)

    def _give_all_clear(self, ended: service.EndedOutage, alarmed_at: datetime) -> None:
        """To those who have the alarm. Another process may be sending it at this moment."""
        ticket_id, until = ended.ticket.ticket_id, time.monotonic() + _LONGEST_ALARM
        while self._db.read_now(is_being_told, ticket_id, alarmed_at) and time.monotonic() < until:
            time.sleep(_PAUSE_SECONDS)
        channels = self._db.read_now(channels_told, ticket_id, alarmed_at)
        text = all_clear_text(self._facts(ended.rule, ticket_id), ended.failures)
        self._tell(ended.rule, ticket_id, "all_clear", channels, text)

    def _facts(self, rule: AlarmRule, ticket_id: int) -> AlarmFacts:
        link = ticket_address(self._settings, ticket_id)
        return AlarmFacts(rule.rule_code, rule.severity, None, ticket_id, link, None)

    def _tell(
        self, rule: AlarmRule, ticket_id: int, kind: AttemptKind, channels: Sequence[AlarmChannel], text: AlarmText
    ) -> None:
        request_id = str(uuid4())
        try:
            with on_behalf_of(CallOrigin(request_id, "system", "OutageWatch", None, lambda _status: None)):
                stand_in = rule.fallback and kind == "alarm"
                now = self._db.clock.now()
                attempts = self._channels.tell(rule, channels, text, _POSTING, now, stand_in=stand_in)
            for one in attempts:
                if one.outcome == "sent":
                    self._db.write_now(service.note_working, NO_SHOP, one.channel)
                elif one.outcome != "skipped" and one.reason != NOT_CONFIGURED:
                    self._db.write_now(service.note_trouble, NO_SHOP, one.channel, one.reason or one.outcome)
            self._db.write_now(note_attempts, ticket_id, rule, kind, request_id, attempts)
        except Exception:  # noqa: BLE001 (an alarm that fails raises no other one)
            _log.exception("alarm_not_sent", cause=rule.rule_code, ticket_id=ticket_id)


def channels_of(settings: Settings, db: Database | None, gateway: HttpGateway) -> AlarmChannels:
    """The channels of alarms. Their mail client reports to nobody, because alarms raise no alarms."""
    chatwork, sms = ChatworkClient.of(settings, gateway), sms_provider_of(settings, gateway)
    return AlarmChannels(chatwork, MailClient(MailConfig.of(settings), db), sms, default_room(settings))
