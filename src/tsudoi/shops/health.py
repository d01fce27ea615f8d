"""Numbers for `/metrics`: what needs a person, and how the outside systems work."""

from sqlalchemy import func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.shops.connectivity.models import OutsideState
from tsudoi.alarms.tickets.models import Ticket

_SYSTEMS = ("stores", "chatwork", "sms", "email", "line", "openai")


def gauges(tx: ReadTx) -> dict[str, float]:
    counted = tx.execute(select(Ticket.status, func.count().label("number")).group_by(Ticket.status))
    tickets = {row.status: row.number for row in counted}
    states = tx.execute(select(OutsideState.system, OutsideState.failures_in_a_row, OutsideState.open_until_utc)).all()
    worst = {f"tsudoi_{system}_failures_in_a_row": 0.0 for system in _SYSTEMS}
    for state in states:
        name = f"tsudoi_{state.system}_failures_in_a_row"
        worst[name] = max(worst.get(name, 0.0), float(state.failures_in_a_row))
    return {
        "tsudoi_tickets_open": float(tickets.get("open", 0)),
        "tsudoi_tickets_acknowledged": float(tickets.get("acknowledged", 0)),
        "tsudoi_breakers_open": float(sum(1 for one in states if one.open_until_utc is not None)),
        **worst,
    }
