from fastapi import APIRouter

from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.pause import queries, service
from tsudoi.notifications.pause.schemas import PauseRequest, PauseState

router = APIRouter(prefix="/api/admin/notifications", tags=["notifications"], route_class=TransactionRoute)


@router.post("/pause", summary="Pause notices")
def pause(tx: Tx, admin: Admin, body: PauseRequest) -> PauseState:
    """Nothing about reservations goes out until somebody resumes, by LINE or by mail.

    That is: no notices, neither by the command nor right after a booking, and no reminders to those who have not
    booked. All of it waits. Invitations to events and threads go out.
    """
    service.pause(tx, body.reason, admin.actor)
    return PauseState(paused=queries.current_pause(tx))


@router.post("/resume", summary="Resume notices")
def resume(tx: Tx, admin: Admin, body: PauseRequest) -> PauseState:
    """What was held back goes out, except what is no longer true: whose time is over, who has booked meanwhile."""
    service.resume(tx, body.reason, admin.actor)
    return PauseState(paused=queries.current_pause(tx))
