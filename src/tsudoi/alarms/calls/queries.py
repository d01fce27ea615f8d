from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, RowMapping, and_, not_, select

from tsudoi.alarms.calls.errors import NoSuchCall
from tsudoi.alarms.calls.rules import CallOutcome, curl_command
from tsudoi.alarms.calls.schemas import CallDetail, CallItem, CallPage
from tsudoi.alarms.shop_names.queries import shop_names
from tsudoi.core.db.interface import ReadTx
from tsudoi.gateway.models import ApiCallLog

_FIRST_FAILURE = 400
_MOST_OF_A_REQUEST = 200
_SHOWN_OF_OUTAGE = 10
_PLAIN = (
    *("id", "request_id", "channel", "component", "shop_id", "target", "operation", "method", "url", "attempt"),
    *("status_code", "error", "error_code", "latency_ms", "external_request_id"),
)


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Which calls are wanted. None: all."""

    request_id: str | None = None
    shop_id: int | None = None
    system: str | None = None
    outcome: CallOutcome | None = None
    before: int | None = None
    # Not earlier and not later than these moments.
    since: datetime | None = None
    until: datetime | None = None


def call_page(tx: ReadTx, wanted: CallFilter, limit: int) -> CallPage:
    table = ApiCallLog
    columns = [table.__table__.c[name] for name in (*_PLAIN, "created_at_utc")]
    statement = select(*columns).where(*_conditions(wanted)).order_by(table.id.desc()).limit(limit + 1)
    rows = tx.execute(statement).mappings().all()
    items = _items(tx, rows[:limit])
    return CallPage(calls=items, next_before=items[-1].id if len(rows) > limit else None)


def calls_of_request(tx: ReadTx, request_id: str | None) -> list[CallItem]:
    """What one request asked of all outside systems, in the order of time."""
    if request_id is None:
        return []
    return call_page(tx, CallFilter(request_id=request_id), _MOST_OF_A_REQUEST).calls[::-1]


def failed_calls(tx: ReadTx, targets: Sequence[str], since: datetime, until: datetime) -> list[CallItem]:
    """The newest calls to these systems that failed in this time, in the order of time."""
    wanted = [CallFilter(system=one, outcome="failed", since=since, until=until) for one in targets]
    pages = [call_page(tx, one, _SHOWN_OF_OUTAGE).calls for one in wanted]
    newest = sorted((call for page in pages for call in page), key=lambda call: call.id)
    return newest[-_SHOWN_OF_OUTAGE:]


def call_detail(tx: ReadTx, call_id: int) -> CallDetail:
    row = tx.execute(select(*ApiCallLog.__table__.c).where(ApiCallLog.id == call_id)).mappings().one_or_none()
    if row is None:
        raise NoSuchCall
    item = _items(tx, [row])[0]
    bodies = {name: row[name] for name in ("request_body", "response_body")}
    curl = curl_command(item.method, item.url, row["request_body"])
    return CallDetail(**dict(item), **bodies, curl=curl)


def _conditions(wanted: CallFilter) -> list[ColumnElement[bool]]:
    table = ApiCallLog
    equal = ((table.request_id, wanted.request_id), (table.shop_id, wanted.shop_id), (table.target, wanted.system))
    conditions = [column == value for column, value in equal if value is not None]
    if wanted.before is not None:
        conditions.append(table.id < wanted.before)
    if wanted.since is not None:
        conditions.append(table.created_at_utc >= wanted.since)
    if wanted.until is not None:
        conditions.append(table.created_at_utc <= wanted.until)
    if wanted.outcome is not None:
        answered = and_(table.error.is_(None), table.status_code.is_not(None), table.status_code < _FIRST_FAILURE)
        conditions.append(answered if wanted.outcome == "ok" else not_(answered))
    return conditions


def _items(tx: ReadTx, rows: Sequence[RowMapping]) -> list[CallItem]:
    names = shop_names(tx, (row["shop_id"] for row in rows))
    return [
        CallItem(
            **{name: row[name] for name in _PLAIN},
            created_at=row["created_at_utc"],
            shop_name=names.get(row["shop_id"] or 0),
        )
        for row in rows
    ]
