"""Writes the rows of `api_call_logs`: one for each attempt to reach an outside system."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.forgetting import delete_some
from tsudoi.gateway.models import ApiCallLog

_log = structlog.stdlib.get_logger(__name__)

_COLUMNS = (
    *("request_id", "target", "operation", "method", "url", "attempt", "status_code", "error", "latency_ms"),
    *("external_request_id", "request_body", "response_body", "created_at_utc"),
    *("channel", "component", "shop_id", "error_code"),
)
_INSERT = RawSql(
    f"INSERT INTO api_call_logs ({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"  # noqa: S608 (names of ours)
)


@dataclass(frozen=True, slots=True)
class CallOrigin:
    """On whose behalf the calls of this moment are made. API_COMM sets it, and each of their rows has it."""

    request_id: str
    channel: str
    component: str
    shop_id: int | None
    # The code of the result that such a status leads to; None for a good one. The status is None without a response.
    error_code: Callable[[int | None], str | None]


_origin: ContextVar[CallOrigin | None] = ContextVar("call_origin", default=None)


@contextmanager
def on_behalf_of(origin: CallOrigin) -> Iterator[None]:
    """The rows of all calls in this block have this origin. A thread has it when it runs in a copy of the context."""
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)


def forget_old_calls(tx: Tx, kept_for: timedelta) -> int:
    """Delete some of the rows that are older. They are for finding the cause of a trouble, which is long over."""
    return delete_some(tx, ApiCallLog, ApiCallLog.created_at_utc < tx.now - kept_for)


def write_call(db: Database, row: Mapping[str, Any], *, soon: bool = False) -> None:
    """Never raises, because a log error must not change the outcome of the call. `soon`: nobody waits for the row.

    The caller has masked the row: it contains no personal data and no secrets.
    """
    try:
        write = db.write_soon if soon else db.write_now
        write(_INSERT.first, {**row, **_origin_columns(row), "created_at_utc": utc_text(db.clock.now())})
    except Exception:  # noqa: BLE001 (see above)
        _log.exception("api_call_not_logged", target=row["target"], operation=row["operation"])


def _origin_columns(row: Mapping[str, Any]) -> dict[str, Any]:
    origin = _origin.get()
    if origin is None:
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        return {"request_id": request_id, "channel": None, "component": None, "shop_id": None, "error_code": None}
    return {
        "request_id": origin.request_id,
        "channel": origin.channel,
        "component": origin.component,
        "shop_id": origin.shop_id,
        "error_code": origin.error_code(row["status_code"]),
    }
