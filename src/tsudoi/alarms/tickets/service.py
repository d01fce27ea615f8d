from sqlalchemy import select, update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.alarms.tickets.errors import NoSuchTicket, TicketClosed
from tsudoi.alarms.tickets.models import Ticket


def acknowledge(tx: Tx, ticket_id: int, note: str | None, actor: str) -> None:
    """Somebody looks at it. Who was first stays written; a second person changes nothing."""
    status = _locked_status(tx, ticket_id)
    if status == "closed":
        raise TicketClosed
    if status == "acknowledged":
        return
    values = {"status": "acknowledged", "acknowledged_at_utc": tx.now, "acknowledged_by": actor}
    tx.execute(update(Ticket).where(Ticket.id == ticket_id).values(**values))
    _record(tx, ticket_id, "TICKET_ACKNOWLEDGE", note, (status, "acknowledged"), actor)


def close(tx: Tx, ticket_id: int, note: str | None, actor: str) -> None:
    status = _locked_status(tx, ticket_id)
    if status == "closed":
        raise TicketClosed
    values = {"status": "closed", "closed_at_utc": tx.now, "closed_by": actor}
    tx.execute(update(Ticket).where(Ticket.id == ticket_id).values(**values))
    _record(tx, ticket_id, "TICKET_CLOSE", note, (status, "closed"), actor)


def _locked_status(tx: Tx, ticket_id: int) -> str:
    statement = select(Ticket.status).where(Ticket.id == ticket_id).with_for_update(key_share=True)
    status = tx.scalar(statement)
    if status is None:
        raise NoSuchTicket
    return str(status)


def _record(tx: Tx, ticket_id: int, action: str, note: str | None, change: tuple[str, str], actor: str) -> None:
    old, new = ({"status": value} for value in change)
    audit.record(tx, actor, action, f"ticket:{ticket_id}", reason=note, old=old, new=new)
