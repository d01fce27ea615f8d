from fastapi import APIRouter

from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.pause import queries, service
from tsudoi.notifications.pause.schemas import PauseRequest, PauseState

router = APIRouter(prefix="/api/admin/notifications", tags=["notifications"], route_class=TransactionRoute)


@router.post("/pause", summary="Pause notices")
def pause(tx: Tx, admin: Admin, body: PauseRequest) -> PauseState:
    """Nothing is sent until somebody resumes, neither by the command nor right after a booking. Jobs stay PENDING."""
    service.pause(tx, body.reason, admin.actor)
    return PauseState(paused=queries.current_pause(tx))


@router.post("/resume", summary="Resume notices")
def resume(tx: Tx, admin: Admin, body: PauseRequest) -> PauseState:
    """The next run of the command sends what was held back, except notices whose time is over."""
    service.resume(tx, body.reason, admin.actor)
    return PauseState(paused=queries.current_pause(tx))
