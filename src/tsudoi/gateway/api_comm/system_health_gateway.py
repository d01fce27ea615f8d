"""`system.check_connectivity`: whether the outside systems answer. It runs when a person asks, and sends nothing."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from tsudoi.gateway.api_comm.calls import ApiCall
from tsudoi.gateway.api_comm.policies import CallLimits
from tsudoi.gateway.api_comm.remote_lock_gateway import STUB_STATUS
from tsudoi.gateway.api_comm.requests import MERCHANT_ID
from tsudoi.gateway.api_comm.results import ApiCommError, OperationResult
from tsudoi.gateway.api_comm.shop_data import STORES, ShopData, ShopFacts
from tsudoi.gateway.clients.chatwork import ChatworkClient
from tsudoi.gateway.clients.line_account import BotInfo, LineAccount
from tsudoi.gateway.clients.line_outcomes import NO_TOKEN, LineUnreachable, Rejected
from tsudoi.gateway.clients.openai import OpenAiClient
from tsudoi.gateway.clients.outside_answers import OutsideAnswer
from tsudoi.gateway.clients.sms import SmsProvider
from tsudoi.gateway.clients.stores import StoresClient
from tsudoi.gateway.http import CallPolicy

_SLOW_MS = 3_000
_HTTP_OK, _HTTP_TOO_MANY, _HTTP_UNAUTHORIZED = 200, 429, 401


@dataclass(frozen=True, slots=True)
class ProbedClients:
    """The clients that a check asks."""

    stores: StoresClient
    chatwork: ChatworkClient
    sms: SmsProvider
    line: LineAccount
    openai: OpenAiClient


class SystemHealthGateway:
    """Asks each system once for something that it has to read. STORES gets one request, without retries."""

    def __init__(self, clients: ProbedClients, data: ShopData) -> None:
        self._clients = clients
        self._data = data
        self._probes: dict[str, Callable[[CallPolicy], OutsideAnswer | None]] = {
            "chatwork": self._chatwork,
            "sms": self._sms,
            "line": self._line,
            "openai": self._openai,
        }

    def run(self, call: ApiCall) -> OperationResult:
        targets: list[str] = call.request.payload["targets"]
        limits = CallLimits(self._data.parameters(None))
        shop = self._data.healthcheck_shop(limits.optional("stores_healthcheck_shop_id")) if STORES in targets else None
        policy = limits.reading(call.request.channel)
        asked = [target for target in targets if target != "remotelock"]
        found: dict[str, dict[str, Any]] = {}
        if asked:
            with ThreadPoolExecutor(len(asked), thread_name_prefix="connectivity") as pool:
                runs = {one: pool.submit(copy_context().run, self._ask, call, one, shop, policy) for one in asked}
                found = {one: run.result() for one, run in runs.items()}
        results = {one: dict(STUB_STATUS) if one == "remotelock" else found[one] for one in targets}
        result = _summary(results)
        self._data.note_check(result.code, results, call.asked_by, call.request_id)
        return result

    def _ask(self, call: ApiCall, target: str, shop: ShopFacts | None, policy: CallPolicy) -> dict[str, Any]:
        started = time.perf_counter()
        answer = self._stores(call, shop) if target == STORES else self._probes[target](policy)
        latency_ms = round((time.perf_counter() - started) * 1000)
        judged = judge(answer, latency_ms)
        shop_id = shop.id if target == STORES and shop is not None else 0
        if judged["status"] == "fail":
            self._data.note_trouble(shop_id, target, judged["message"])
        elif answer is not None and answer.is_success:
            self._data.note_working(shop_id, target)
        return judged

    def _stores(self, call: ApiCall, shop: ShopFacts | None) -> OutsideAnswer | None:
        if shop is None or shop.token is None or not MERCHANT_ID.fullmatch(shop.merchant_canonical_id or ""):
            return None
        policy = CallLimits(shop.parameters).stores(call.request.channel, once=True)
        query = {"page": "1", "merchant_canonical_ids": shop.merchant_canonical_id or ""}
        return self._clients.stores.reservations(shop.token, query, policy)

    def _chatwork(self, policy: CallPolicy) -> OutsideAnswer | None:
        return self._clients.chatwork.me(policy) if self._clients.chatwork.is_configured else None

    def _sms(self, policy: CallPolicy) -> OutsideAnswer | None:
        return self._clients.sms.look(policy) if self._clients.sms.is_configured else None

    def _openai(self, policy: CallPolicy) -> OutsideAnswer | None:
        return self._clients.openai.models(policy) if self._clients.openai.config.key else None

    def _line(self, policy: CallPolicy) -> OutsideAnswer | None:
        found = self._clients.line.info(policy)
        if isinstance(found, BotInfo):
            return OutsideAnswer(_HTTP_OK, {})
        if isinstance(found, LineUnreachable):
            status = found.reason.partition(":")[0]
            return OutsideAnswer(int(status) if status.isdecimal() else None, reason=found.reason)
        return None if _is_unset(found) else OutsideAnswer(found.status, {})


def _is_unset(refused: Rejected) -> bool:
    return refused.status == _HTTP_UNAUTHORIZED and refused.reason == NO_TOKEN


def judge(answer: OutsideAnswer | None, latency_ms: int) -> dict[str, Any]:
    """None: the system is not configured, which is no failure, but nobody should rely on it."""
    if answer is None:
        return {"status": "warn", "latency_ms": 0, "message": "設定されていません"}
    if answer.is_success and answer.parsed is not None:
        slow = latency_ms >= _SLOW_MS
        message = "応答に時間がかかっています" if slow else "正常に疎通しました"
        return {"status": "warn" if slow else "ok", "latency_ms": latency_ms, "message": message}
    if answer.status == _HTTP_TOO_MANY:
        return {"status": "warn", "latency_ms": latency_ms, "message": "利用回数の上限に達しています"}
    if answer.status is None:
        message = "応答がありません"
    elif answer.is_success:
        message = "応答を読み取れません"
    else:
        message = f"ステータス{answer.status}が返りました"
    return {"status": "fail", "latency_ms": latency_ms, "message": message}


def _summary(results: dict[str, dict[str, Any]]) -> OperationResult:
    """The stub counts neither way."""
    statuses = {one["status"] for one in results.values()}
    if "fail" in statuses:
        failed = [name for name, one in results.items() if one["status"] == "fail"]
        error = ApiCommError("external_api", {"reason": "targets_failed", "targets": failed, "retryable": True})
        return OperationResult("HEALTH_ERROR", "疎通できない外部システムがあります。", data=dict(results), error=error)
    return OperationResult("HEALTH_WARN" if "warn" in statuses else "HEALTH_OK", data=dict(results))
