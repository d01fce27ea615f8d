from fastapi import APIRouter

from tsudoi.access.api_description import raises
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import RateLimited
from tsudoi.core.idempotency import InFlight
from tsudoi.events.calendar_keys import service
from tsudoi.events.calendar_keys.schemas import CalendarKeysRenewed, CalendarRenewalRequest
from tsudoi.roster.members.errors import NotRegistered
from tsudoi.roster.principals import LinkedMember

router = APIRouter(prefix="/api/liff/calendar-keys", tags=["liff"], route_class=TransactionRoute)


@router.post("/renewal", summary="Renew my calendar addresses", responses=raises(NotRegistered, InFlight, RateLimited))
def renew(tx: Tx, member: LinkedMember, _body: CalendarRenewalRequest) -> CalendarKeysRenewed:
    """For a member who passed an address on by mistake: all earlier ones stop, and the pages show new ones."""
    return service.renew_keys(tx, member.member_id, member.actor)
