"""Troubles that the product has found and nobody has ended: for the home page, `/metrics`, `/readyz` and the doctor."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.api_comm.alarm_texts import CAUSES

_SYSTEMS = ("stores", "chatwork", "sms", "email", "line", "openai", "stripe", "models")


@dataclass(frozen=True, slots=True)
class OpenAlarm:
    """A trouble that goes on, and its ticket."""

    cause: str
    title: str
    since: datetime
    ticket_id: int


def open_alarms(tx: ReadTx) -> list[OpenAlarm]:
    """The oldest first. A ticket that somebody asked for is no alarm of the product, whatever its rule."""
    found = (
        select(Ticket.id, Ticket.rule_code, Ticket.title, Ticket.opened_at_utc)
        .where(Ticket.status != "closed", Ticket.rule_code.in_(CAUSES), Ticket.source != "asked")
        .order_by(Ticket.opened_at_utc, Ticket.id)
    )
    return [OpenAlarm(row.rule_code, row.title, row.opened_at_utc, row.id) for row in tx.execute(found)]


def open_tickets(tx: ReadTx) -> int:
    """Those that nobody has taken on yet."""
    return int(tx.scalar(select(func.count()).select_from(Ticket).where(Ticket.status == "open")))


def alarm_light(_runtime: Runtime, tx: ReadTx) -> str:
    """For `/readyz`."""
    return ", ".join(f"{one.cause} since {one.since.isoformat()}" for one in open_alarms(tx)) or "ok"


def gauges(tx: ReadTx) -> dict[str, float]:
    counted = tx.execute(select(Ticket.status, func.count().label("number")).group_by(Ticket.status))
    tickets = {row.status: row.number for row in counted}
    states = tx.execute(select(OutsideState.system, OutsideState.failures_in_a_row, OutsideState.open_until_utc)).all()
    worst = {f"tsudoi_{system}_failures_in_a_row": 0.0 for system in _SYSTEMS}
    for state in states:
        name = f"tsudoi_{state.system}_failures_in_a_row"
        worst[name] = max(worst.get(name, 0.0), float(state.failures_in_a_row))
    alarms = dict.fromkeys(CAUSES, 0.0)
    for one in open_alarms(tx):
        alarms[one.cause] += 1
    return {
        "tsudoi_tickets_open": float(tickets.get("open", 0)),
        "tsudoi_tickets_acknowledged": float(tickets.get("acknowledged", 0)),
        "tsudoi_breakers_open": float(sum(1 for one in states if one.open_until_utc is not None)),
        **worst,
        **{f'tsudoi_alarms_open{{cause="{cause}"}}': number for cause, number in alarms.items()},
    }
