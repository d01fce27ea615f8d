"""Keeps an eye on STORES for each shop: the breaker, failures in a row, alarms, and the all-clear."""

import threading

from tsudoi.gateway.api_comm import stores_answers as answers
from tsudoi.gateway.api_comm.breaker import PROBE, breaker_state, is_known_to_be_good
from tsudoi.gateway.api_comm.calls import ApiCall
from tsudoi.gateway.api_comm.notification_gateway import NotificationGateway
from tsudoi.gateway.api_comm.policies import CallLimits
from tsudoi.gateway.api_comm.results import OperationResult
from tsudoi.gateway.api_comm.shop_data import STORES, ShopData, ShopFacts, cause_of
from tsudoi.gateway.clients.outside_answers import OutsideAnswer

CRITICAL, AUTH_FAILED = "API_ERROR_CRITICAL", "STORES_AUTH_FAILED"
COMPONENT = "StoresGateway"
_ALARM_AFTER = 3
_MOST_REPORTED = 1_000


class StoresWatch:
    """Decides whether STORES may be asked for a shop, and notes how it went."""

    def __init__(self, data: ShopData, alarms: NotificationGateway) -> None:
        self.data = data
        self._alarms = alarms
        self._lock = threading.Lock()
        # Parameters that make no sense and were reported. One report is enough for a process.
        self._reported: set[tuple[int, str, str]] = set()

    def limits_of(self, shop: ShopFacts) -> CallLimits:
        limits = CallLimits(shop.parameters)
        for key in ("stores_api_timeout_sec", "stores_api_retry_count"):
            limits.number(key)
        for key, source in limits.skipped:
            self._report(shop.id, key, source)
        return limits

    def may_ask(self, shop: ShopFacts) -> bool:
        """Where the breaker is half open, one call of all processes gets true."""
        now = self.data.now()
        state = breaker_state(shop.condition, now)
        return state == "closed" or (state == "half_open" and self.data.take_probe(shop.id, STORES, now + PROBE))

    def succeed(self, call: ApiCall, shop: ShopFacts) -> None:
        condition = shop.condition
        if is_known_to_be_good(condition, self.data.now()):
            return
        if condition.failures_in_a_row == 0 and condition.open_until is None:
            self.data.note_working(shop.id, STORES)
            return
        failures = self.data.note_success(shop.id, STORES)
        if failures:
            causes = [cause_of(rule_code, shop.id, COMPONENT) for rule_code in (CRITICAL, AUTH_FAILED)]
            self._alarms.all_clear(call, shop, causes, failures)

    def note_answered(self, call: ApiCall, shop: ShopFacts, answer: OutsideAnswer) -> None:
        """STORES answers, though not with what was asked for. That ends a probe, and counts neither way otherwise."""
        if shop.condition.open_until is not None and not call.once:
            self.succeed(call, shop)
        else:
            self.data.note_trouble(shop.id, STORES, answers.error_text(answer))

    def fail(self, call: ApiCall, shop: ShopFacts, answer: OutsideAnswer) -> OperationResult:
        trouble = answers.trouble_of(answer)
        if call.once:
            self.data.note_trouble(shop.id, STORES, answers.error_text(answer))
        elif trouble.counts:
            self._count(call, shop, answer, trouble)
        else:
            self.note_answered(call, shop, answer)
        return answers.failed(call.failure_code, answer)

    def _count(self, call: ApiCall, shop: ShopFacts, answer: OutsideAnswer, trouble: answers.Trouble) -> None:
        limits = CallLimits(shop.parameters)
        failures = self.data.note_failure(
            shop.id,
            STORES,
            answers.error_text(answer),
            limits.number("stores_breaker_failures") if trouble.dead else None,
            limits.number("stores_breaker_seconds"),
        )
        details = {
            "component": COMPONENT,
            "operation": call.operation.name,
            "last_status_code": answer.status,
            "failures": failures,
        }
        if trouble.token_refused:
            summary = "STORES予約APIがトークンを拒否しました。"
            self._alarms.escalate(call, shop, AUTH_FAILED, summary, details)
        elif failures >= _ALARM_AFTER:
            summary = f"STORES予約APIが{_ALARM_AFTER}回連続で失敗しました。"
            self._alarms.escalate(call, shop, CRITICAL, summary, details)

    def _report(self, shop_id: int, key: str, source: str) -> None:
        with self._lock:
            if (shop_id, key, source) in self._reported or len(self._reported) >= _MOST_REPORTED:
                return
            self._reported.add((shop_id, key, source))
        self.data.note_event("parameter_ignored", None, shop_id, {"key": key, "source": source})
