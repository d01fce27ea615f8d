"""What an answer of API_COMM means for a page: the HTTP status, and the error that a person reads. Pure."""

from collections.abc import Mapping
from typing import Any

from tsudoi.core.errors import Problem
from tsudoi.shops.snapshots.errors import (
    AlarmNotSent,
    CustomerGone,
    KeyNotConnected,
    RefusedRequest,
    StoresBusy,
    StoresFailed,
    StoresNotReady,
)
from tsudoi.shops.snapshots.rules.customers import CustomerSnapshot

_DETAIL_MISSING = ("STORES_CUSTOMER_DETAIL_NOT_FOUND", "STORES_RESERVATION_DETAIL_NOT_FOUND")
_PROBLEMS: dict[str, type[Problem]] = {
    "INVALID_REQUEST": RefusedRequest,
    "STORES_RATE_LIMITED": StoresBusy,
    "REMOTELOCK_STUB_MODE": KeyNotConnected,
    "ESCALATION_FAILED": AlarmNotSent,
}


def problem_of(result: Mapping[str, Any]) -> Problem | None:
    """The error of a page for this envelope of API_COMM; None for a success."""
    code = result["code"]
    if result["status"] == "success":
        return CustomerGone() if code in _DETAIL_MISSING else None
    if code in _PROBLEMS:
        return _PROBLEMS[code]()
    error = result.get("error") or {}
    return StoresFailed() if error.get("type") == "external_api" else StoresNotReady()


def http_status(result: Mapping[str, Any]) -> int:
    problem = problem_of(result)
    return 200 if problem is None else problem.status


def problem_of_snapshot(snapshot: CustomerSnapshot) -> Problem | None:
    """What a page says with the snapshot that it has just got; None where STORES answered the question."""
    if snapshot.state == "not_found" and snapshot.status == CustomerGone.status:
        return CustomerGone()
    if snapshot.state != "failed":
        return None
    if snapshot.code in _PROBLEMS:
        return _PROBLEMS[snapshot.code]()
    return StoresFailed() if snapshot.status == StoresFailed.status else StoresNotReady()
