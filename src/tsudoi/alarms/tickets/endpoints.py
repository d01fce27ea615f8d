from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.alarms.lists import Before, OnlyShop, PageSize
from tsudoi.alarms.tickets import queries, service
from tsudoi.alarms.tickets.errors import NoSuchTicket, TicketClosed
from tsudoi.alarms.tickets.schemas import TicketDetail, TicketNote, TicketPage, TicketStatus
from tsudoi.core.db.interface import ReadTx, Tx

router = APIRouter(prefix="/api/admin/tickets", tags=["alarms"], route_class=TransactionRoute)

TicketId = Annotated[int, Path(ge=1, le=2**53, description="The ticket.")]
OnlyStatus = Annotated[TicketStatus | None, Query(description="Only those with this status.")]


@router.get("", summary="Tickets")
def tickets(
    tx: ReadTx,
    _admin: Admin,
    status: OnlyStatus = None,
    shop_id: OnlyShop = None,
    before: Before = None,
    limit: PageSize = 50,
) -> TicketPage:
    """Troubles that somebody has to look at, the newest first, and how many there are."""
    return queries.ticket_page(tx, status, shop_id, before, limit)


@router.get("/{ticket_id}", summary="One ticket", responses=raises(NoSuchTicket))
def ticket(tx: ReadTx, _admin: Admin, ticket_id: TicketId) -> TicketDetail:
    """What the channels did with it, and the calls of the request during which it was seen last.

    Of an outage, which no single request has met: the calls to the system that failed by then.
    """
    return queries.ticket_detail(tx, ticket_id)


@router.post("/{ticket_id}/acknowledge", summary="Take a ticket on", responses=raises(NoSuchTicket, TicketClosed))
def acknowledge(tx: Tx, admin: Admin, ticket_id: TicketId, body: TicketNote) -> TicketDetail:
    """Says that somebody looks at it. 409 `TICKET_CLOSED` if it is closed."""
    service.acknowledge(tx, ticket_id, body.note, admin.actor)
    return queries.ticket_detail(tx, ticket_id)


@router.post("/{ticket_id}/close", summary="Close a ticket", responses=raises(NoSuchTicket, TicketClosed))
def close(tx: Tx, admin: Admin, ticket_id: TicketId, body: TicketNote) -> TicketDetail:
    """A closed ticket stays closed; the same trouble opens a new one. 409 `TICKET_CLOSED` if it is closed."""
    service.close(tx, ticket_id, body.note, admin.actor)
    return queries.ticket_detail(tx, ticket_id)
