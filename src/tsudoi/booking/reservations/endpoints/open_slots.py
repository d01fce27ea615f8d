from typing import Annotated

from fastapi import APIRouter, Query

from tsudoi.access.api_description import raises
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.identity.errors import NotActive, PinChangeRequired
from tsudoi.booking.principals import Staff
from tsudoi.booking.reservations.queries import open_slots as queries
from tsudoi.booking.slots.schemas import OpenSlotListing, OpenSlotPage
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.runtime import Runtime

router = APIRouter(prefix="/api/slots", tags=["booking"], route_class=TransactionRoute)


@router.get("", summary="Slots that staff can see", responses=raises(NotActive, PinChangeRequired))
def open_slots(tx: ReadTx, staff: Staff, runtime: Runtime, asked: Annotated[OpenSlotListing, Query()]) -> OpenSlotPage:
    """The published slots of active types, by day and time, with the seats that are left for the caller's department.

    `bookable` and `reason` say what `POST /api/reservations` would answer to the caller now, the rules over all
    reservations of the person included. For `ALREADY_BOOKED_THIS_YEAR`, `TOO_SOON_AFTER_LAST` and `OVERLAPS`,
    `replaceable` is the reservation that the caller can move to the slot instead.
    """
    return queries.open_slots(tx, staff.staff_uid, staff.department_id, asked, payments_on=runtime.settings.payments_on)
