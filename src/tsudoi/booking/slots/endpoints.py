from typing import Annotated

from fastapi import APIRouter, Query

from tsudoi.access.api_description import raises
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.identity.errors import NotActive, PinChangeRequired
from tsudoi.booking.principals import Staff
from tsudoi.booking.slots import queries
from tsudoi.booking.slots.queries import OpenSlotFilter
from tsudoi.booking.slots.schemas import LocalDay, OpenSlotPage
from tsudoi.core.db.interface import ReadTx

router = APIRouter(prefix="/api/slots", tags=["booking"], route_class=TransactionRoute)


@router.get("", summary="Slots that staff can see", responses=raises(NotActive, PinChangeRequired))
def open_slots(
    tx: ReadTx,
    staff: Staff,
    first_day: Annotated[LocalDay | None, Query(alias="from", description="First day; left out: today.")] = None,
    last_day: Annotated[LocalDay | None, Query(alias="to", description="Last day; left out: all later days.")] = None,
    reservation_type_id: Annotated[
        int | None, Query(alias="reservationTypeId", ge=1, le=2**53, description="Only slots of this type.")
    ] = None,
    cursor: Annotated[str | None, Query(max_length=500, description="`nextCursor` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Rows per page.")] = 50,
) -> OpenSlotPage:
    """The published slots of active types, by day and time, with the seats that are left for the caller's department.

    `reason` is the refusal that a booking would get now because of the slot itself, or `ALREADY_IN_SLOT`. The rules
    over all reservations of a person, such as once per fiscal year, are checked when they book.
    """
    wanted = OpenSlotFilter(first_day, last_day, reservation_type_id)
    return queries.open_slots(tx, staff.staff_uid, staff.department_id, wanted, limit, cursor)
