from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, RowMapping, func, select

from tsudoi.alarms.calls.queries import calls_of_request, failed_calls
from tsudoi.alarms.escalation.models import EscalationAttempt
from tsudoi.alarms.shop_names.queries import shop_names
from tsudoi.alarms.tickets.errors import NoSuchTicket
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.alarms.tickets.schemas import (
    AttemptItem,
    TicketCounts,
    TicketDetail,
    TicketItem,
    TicketPage,
    TicketStatus,
    TroubleMeaning,
)
from tsudoi.core.db.interface import ReadTx
from tsudoi.gateway.api_comm.alarm_texts import CAUSES

_PLAIN = (
    *("id", "shop_id", "rule_code", "severity", "title", "status", "occurrences", "acknowledged_by", "closed_by"),
    "request_id",
)
_BEFORE_TICKET, _BESIDE = timedelta(hours=1), timedelta(seconds=5)
_TIMES = ("opened_at", "last_seen_at", "acknowledged_at", "closed_at", "all_clear_at")


def ticket_page(
    tx: ReadTx, status: TicketStatus | None, shop_id: int | None, before: int | None, limit: int
) -> TicketPage:
    table = Ticket
    of_shop = [table.shop_id == shop_id] if shop_id is not None else []
    conditions: list[ColumnElement[bool]] = [*of_shop]
    if status is not None:
        conditions.append(table.status == status)
    if before is not None:
        conditions.append(table.id < before)
    statement = select(*table.__table__.c).where(*conditions).order_by(table.id.desc()).limit(limit + 1)
    rows = tx.execute(statement).mappings().all()
    items = _items(tx, rows[:limit])
    found = tx.execute(select(table.status, func.count().label("number")).where(*of_shop).group_by(table.status))
    counts = {"open": 0, "acknowledged": 0, "closed": 0, **{row.status: row.number for row in found}}
    return TicketPage(
        tickets=items, counts=TicketCounts(**counts), next_before=items[-1].id if len(rows) > limit else None
    )


def ticket_detail(tx: ReadTx, ticket_id: int) -> TicketDetail:
    row = tx.execute(select(*Ticket.__table__.c).where(Ticket.id == ticket_id)).mappings().one_or_none()
    if row is None:
        raise NoSuchTicket
    item = _items(tx, [row])[0]
    words = CAUSES.get(item.rule_code or "") if row["source"] != "asked" else None
    meaning = None if words is None else TroubleMeaning(effect=words.effect, advice=words.advice)
    targets = words.targets if words is not None and item.request_id is None else ()
    # The first failures came before the ticket, and the log is written beside the count.
    since, until = item.opened_at - _BEFORE_TICKET, item.last_seen_at + _BESIDE
    calls = failed_calls(tx, targets, since, until) if targets else calls_of_request(tx, item.request_id)
    return TicketDetail(**dict(item), meaning=meaning, attempts=_attempts(tx, ticket_id), calls=calls)


def _attempts(tx: ReadTx, ticket_id: int) -> list[AttemptItem]:
    table = EscalationAttempt
    rows = tx.execute(select(*table.__table__.c).where(table.ticket_id == ticket_id).order_by(table.id))
    return [
        AttemptItem(
            kind=row.kind,
            channel=row.channel,
            outcome=row.outcome,
            reason=row.reason,
            attempted_at=row.attempted_at_utc,
        )
        for row in rows
    ]


def _items(tx: ReadTx, rows: Sequence[RowMapping]) -> list[TicketItem]:
    names = shop_names(tx, (row["shop_id"] for row in rows))
    return [
        TicketItem(
            **{name: row[name] for name in _PLAIN},
            **{name: row[f"{name}_utc"] for name in _TIMES},
            shop_name=names.get(row["shop_id"] or 0),
            details=row["details_json"] if isinstance(row["details_json"], dict) else {},
        )
        for row in rows
    ]
