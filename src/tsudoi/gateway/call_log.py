"""Writes the rows of `api_call_logs`: one for each attempt to reach an outside system."""

from collections.abc import Mapping
from typing import Any

import structlog

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Database
from tsudoi.core.db.raw_sql import RawSql

_log = structlog.stdlib.get_logger(__name__)

_COLUMNS = (
    *("request_id", "target", "operation", "method", "url", "attempt", "status_code", "error", "latency_ms"),
    *("external_request_id", "request_body", "response_body", "created_at_utc"),
)
_INSERT = RawSql(
    f"INSERT INTO api_call_logs ({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"  # noqa: S608 (names of ours)
)


def write_call(db: Database, row: Mapping[str, Any], *, soon: bool = False) -> None:
    """Never raises, because a log error must not change the outcome of the call. `soon`: nobody waits for the row.

    The caller has masked the row: it contains no personal data and no secrets.
    """
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    try:
        write = db.write_soon if soon else db.write_now
        write(_INSERT.first, {**row, "request_id": request_id, "created_at_utc": utc_text(db.clock.now())})
    except Exception:  # noqa: BLE001 (see above)
        _log.exception("api_call_not_logged", target=row["target"], operation=row["operation"])
