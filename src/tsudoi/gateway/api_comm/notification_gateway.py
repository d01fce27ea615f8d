"""`notify.escalation`: a trouble becomes a ticket, and the channels of its rule are told once per outage.

Which of many calls tells them is decided in the transaction that counts the trouble. Escalating never escalates: what
goes wrong here is written to the ticket and to the lights of the channel, and to nobody else.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog

from tsudoi.gateway.api_comm.alarm_channels import NOT_CONFIGURED, AlarmChannels
from tsudoi.gateway.api_comm.alarm_texts import (
    AlarmFacts,
    AlarmText,
    alarm_text,
    all_clear_text,
    safe_details,
    safe_summary,
)
from tsudoi.gateway.api_comm.calls import ApiCall
from tsudoi.gateway.api_comm.policies import CallLimits
from tsudoi.gateway.api_comm.results import ApiCommError, FieldError, OperationResult, invalid
from tsudoi.gateway.api_comm.shop_data import (
    AlarmChannel,
    AlarmDraft,
    AlarmRule,
    ChannelAttempt,
    ShopData,
    ShopFacts,
)
from tsudoi.gateway.call_log import on_behalf_of

_log = structlog.stdlib.get_logger(__name__)

TRIGGERED, FAILED = "ESCALATION_TRIGGERED", "ESCALATION_FAILED"


class NotificationGateway:
    """Escalates, and gives the all-clear."""

    def __init__(self, data: ShopData, channels: AlarmChannels) -> None:
        self._data = data
        self._channels = channels

    def run(self, call: ApiCall) -> OperationResult:
        request = call.request
        shop_code = None
        if request.shop_id is not None:
            shop_code = self._data.shop_code(request.shop_id)
            if shop_code is None:
                return invalid([FieldError("shop_id", "店舗が見つかりません")])
        payload = request.payload
        return self._escalate(call, shop_code, payload["rule_code"], payload["summary"], payload["details"], asked=True)

    def escalate(
        self, call: ApiCall, shop: ShopFacts, rule_code: str, summary: str, details: Mapping[str, Any]
    ) -> None:
        """API_COMM itself has found the trouble. The result of the call that met it stays what it is."""
        try:
            with on_behalf_of(call.escalation_origin):
                self._escalate(call, shop.code, rule_code, summary, details)
        except Exception:  # noqa: BLE001 (see above)
            _log.exception("escalation_failed", rule_code=rule_code, shop_id=shop.id)

    def all_clear(self, call: ApiCall, shop: ShopFacts, causes: Sequence[str], failures: int) -> None:
        """Close the tickets of these causes, and tell those who heard the alarm that it is over, once."""
        try:
            with on_behalf_of(call.escalation_origin):
                for ticket in self._data.clear_tickets(causes):
                    rule = self._data.alarm_rule(ticket.rule_code)
                    if rule is None or not ticket.channels:
                        continue
                    facts = self._facts(rule, shop.code, ticket.ticket_id, call)
                    attempts = self._tell(call, rule, ticket.channels, all_clear_text(facts, failures))
                    self._data.note_attempts(ticket.ticket_id, rule, "all_clear", call.request_id, attempts)
        except Exception:  # noqa: BLE001 (the call itself has succeeded)
            _log.exception("all_clear_failed", shop_id=shop.id)

    def _escalate(
        self,
        call: ApiCall,
        shop_code: str | None,
        rule_code: str,
        summary: str,
        details: Mapping[str, Any],
        *,
        asked: bool = False,
    ) -> OperationResult:
        shop_id = call.request.shop_id
        rule = self._data.alarm_rule(rule_code)
        if rule is None:
            self._data.note_event("escalation_rule_unknown", call.request.channel, shop_id, {"rule_code": rule_code})
            return invalid([FieldError("rule_code", "このルールコードはありません")])
        title, kept = safe_summary(summary), safe_details(details)
        component = kept.get("component")
        draft = AlarmDraft(
            rule,
            shop_id,
            component if isinstance(component, str) else "",
            title,
            kept,
            call.request_id,
            call.request.channel,
            asked,
        )
        noted = self._data.note_alarm(draft)
        data: dict[str, Any] = {"rule_code": rule_code, "channels_used": [], "ticket_id": noted.ticket_id}
        if not noted.may_send:
            return OperationResult(TRIGGERED, data=data if not rule.active else {**data, "throttled": True})
        facts = self._facts(rule, shop_code, noted.ticket_id, call)
        text = alarm_text(facts, title, kept, None if asked else noted.since)
        out = self._data.channels_out()
        # Where all of them are out, it is tried all the same: nothing is lost by it.
        channels = [one for one in rule.channels if one not in out] or rule.channels
        attempts = self._tell(call, rule, channels, text, stand_in=rule.fallback)
        self._data.note_attempts(noted.ticket_id, rule, "alarm", call.request_id, attempts)
        return _result(data, attempts)

    def _facts(self, rule: AlarmRule, shop_code: str | None, ticket_id: int, call: ApiCall) -> AlarmFacts:
        link = self._data.ticket_address(ticket_id)
        return AlarmFacts(rule.rule_code, rule.severity, shop_code, ticket_id, link, call.request_id)

    def _tell(
        self,
        call: ApiCall,
        rule: AlarmRule,
        channels: Sequence[AlarmChannel],
        text: AlarmText,
        *,
        stand_in: bool = False,
    ) -> list[ChannelAttempt]:
        limits, channel = CallLimits(self._data.parameters(call.request.shop_id)), call.request.channel
        asked_for = call.operation.name == "notify.escalation"
        policy = limits.posting(channel) if asked_for else limits.posting_on_the_side(channel)
        attempts = self._channels.tell(rule, channels, text, policy, self._data.now(), stand_in=stand_in)
        for attempt in attempts:
            if attempt.outcome == "sent":
                self._data.note_working(0, attempt.channel)
            elif attempt.outcome != "skipped" and attempt.reason != NOT_CONFIGURED:
                self._data.note_trouble(0, attempt.channel, attempt.reason or attempt.outcome)
        return attempts


def _result(data: dict[str, Any], attempts: Sequence[ChannelAttempt]) -> OperationResult:
    used = [one.channel for one in attempts if one.outcome == "sent"]
    told = [{"channel": one.channel, "outcome": one.outcome, "reason": one.reason} for one in attempts]
    found = {**data, "channels_used": used, "channels": told}
    missed = [one for one in attempts if one.outcome in ("failed", "unknown")]
    if used or not missed:
        return OperationResult(TRIGGERED, data=found)
    nothing_set = all(one.reason == NOT_CONFIGURED for one in missed)
    error = ApiCommError(
        "system" if nothing_set else "external_api",
        {"reason": NOT_CONFIGURED if nothing_set else "no_channel_took_it", "retryable": not nothing_set},
    )
    return OperationResult(FAILED, "どの連絡先にも通知できませんでした。", data=found, error=error)
