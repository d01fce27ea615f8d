"""The one entrance of API_COMM. Upper layers ask for an operation and always get an envelope; nothing is raised."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import structlog

from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.gateway.api_comm.alarm_channels import AlarmChannels
from tsudoi.gateway.api_comm.cache import CacheKey, RequestCache
from tsudoi.gateway.api_comm.calls import ApiCall
from tsudoi.gateway.api_comm.notification_gateway import NotificationGateway
from tsudoi.gateway.api_comm.operations import OPERATIONS, Operation
from tsudoi.gateway.api_comm.remote_lock_gateway import RemoteLockGateway
from tsudoi.gateway.api_comm.requests import CheckedRequest, check, is_request_id, normalised
from tsudoi.gateway.api_comm.results import (
    ApiCommMeta,
    ApiCommRequest,
    ApiCommResult,
    FieldError,
    OperationResult,
    invalid,
    system_failure,
)
from tsudoi.gateway.api_comm.shop_data import ShopData
from tsudoi.gateway.api_comm.stores_gateway import StoresGateway
from tsudoi.gateway.api_comm.stores_watch import StoresWatch
from tsudoi.gateway.api_comm.system_health_gateway import ProbedClients, SystemHealthGateway
from tsudoi.gateway.call_log import on_behalf_of
from tsudoi.gateway.clients.remote_lock import RemoteLockStub

_log = structlog.stdlib.get_logger(__name__)

_UNKNOWN_COMPONENT = "ApiComm.call"


@dataclass(frozen=True, slots=True)
class OutsideClients:
    """Every client that API_COMM works with. They hold the addresses and keys; API_COMM holds none."""

    probed: ProbedClients
    channels: AlarmChannels


class ApiComm:
    """Business operations on outside systems. It blocks: a server calls it in a thread of its own."""

    def __init__(self, clients: OutsideClients, data: ShopData, cache: RequestCache | None = None) -> None:
        alarms = NotificationGateway(data, clients.channels)
        stores = StoresGateway(clients.probed.stores, StoresWatch(data, alarms))
        self._cache = RequestCache() if cache is None else cache
        self._run: dict[str, Callable[[ApiCall], OperationResult]] = {
            "notify.escalation": alarms.run,
            "system.check_connectivity": SystemHealthGateway(clients.probed, data).run,
            "remotelock.get_key_info_stub": RemoteLockGateway(RemoteLockStub()).run,
            **{name: stores.run for name, one in OPERATIONS.items() if one.asks_stores},
        }

    def call(
        self,
        operation: str,
        request: ApiCommRequest | Mapping[str, Any],
        *,
        once: bool = False,
        asked_by: str = "system",
    ) -> ApiCommResult:
        """`once`: a person tries something out: no retries, and neither breaker nor alarms are concerned."""
        started = time.perf_counter()
        given = request.as_dict() if isinstance(request, ApiCommRequest) else request
        request_id = _id_of(given)
        known = OPERATIONS.get(operation)
        if known is None:
            result, cached = invalid([FieldError("operation", "この操作はありません")]), False
        else:
            result, cached = self._answer(known, given, request_id, once, asked_by)
        component = _UNKNOWN_COMPONENT if known is None else known.component
        latency_ms = round((time.perf_counter() - started) * 1000)
        return ApiCommResult(
            "success" if result.error is None else "error",
            result.code,
            result.message,
            result.data,
            result.error,
            ApiCommMeta(request_id, component, latency_ms, cached),
        )

    def forget(self, request_id: str) -> None:
        """The request is over: what it has asked is not needed any more."""
        self._cache.forget(request_id)

    def _answer(
        self, operation: Operation, given: Any, request_id: str, once: bool, asked_by: str
    ) -> tuple[OperationResult, bool]:
        try:
            if not isinstance(given, Mapping):
                return invalid([FieldError("request", "項目の集まり（オブジェクト）ではありません")]), False
            checked = check(operation, given)
            if not isinstance(checked, CheckedRequest):
                return invalid(checked), False
            return self._ask(ApiCall(operation, checked, request_id, once, asked_by))
        except DatabaseUnavailable:
            _log.warning("api_comm_without_database", operation=operation.name, request_id=request_id)
            message = "データベースに接続できません。"
            return system_failure(operation.failure_code, "database", message, retryable=True), False
        except Exception:  # noqa: BLE001 (a caller of API_COMM is promised an envelope)
            _log.exception("api_comm_failed", operation=operation.name, request_id=request_id)
            message = "予期しない問題が起きました。"
            return system_failure(operation.failure_code, "internal", message, retryable=False), False

    def _ask(self, call: ApiCall) -> tuple[OperationResult, bool]:
        key = _cache_key(call)
        if key is None:
            return self._run_it(call), False
        with self._cache.turn(key):
            found = self._cache.get(key)
            if found is not None:
                return found, True
            result = self._run_it(call)
            if result.cacheable:
                self._cache.put(key, result)
            return result, False

    def _run_it(self, call: ApiCall) -> OperationResult:
        with on_behalf_of(call.origin):
            return self._run[call.operation.name](call)


def _cache_key(call: ApiCall) -> CacheKey | None:
    """None where nothing can be asked twice: for a request whose id we have just made up ourselves."""
    if not call.operation.asks_stores or call.request.request_id is None or call.once:
        return None
    return CacheKey(call.request_id, call.request.shop_id, call.operation.name, normalised(call.request.payload))


def _id_of(given: Any) -> str:
    request_id = given.get("request_id") if isinstance(given, Mapping) else None
    return str(request_id) if is_request_id(request_id) else str(uuid4())
