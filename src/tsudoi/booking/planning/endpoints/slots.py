from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.booking.planning import queries
from tsudoi.booking.planning.errors import CapacityBelowBooked, SlotHasReservations, SlotInUse
from tsudoi.booking.planning.queries import SlotFilter
from tsudoi.booking.planning.schemas import SlotChange, SlotItem, SlotNew, SlotPage
from tsudoi.booking.planning.service import changing, creating
from tsudoi.booking.slots.schemas import LocalDay, SlotStatus
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.notifications.notifying_route import NotifyingRoute

router = APIRouter(prefix="/api/admin/slots", tags=["booking"], route_class=NotifyingRoute)

SlotId = Annotated[int, Path(ge=1, le=2**53, description="The slot.")]


@router.get("", summary="Slots of the office")
def slots(
    tx: ReadTx,
    _admin: Admin,
    first_day: Annotated[LocalDay | None, Query(alias="from", description="First day.")] = None,
    last_day: Annotated[LocalDay | None, Query(alias="to", description="Last day.")] = None,
    reservation_type_id: Annotated[
        int | None, Query(alias="reservationTypeId", ge=1, le=2**53, description="Only slots of this type.")
    ] = None,
    status: Annotated[SlotStatus | None, Query(description="Only slots with this status.")] = None,
    cursor: Annotated[str | None, Query(max_length=500, description="`nextCursor` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Rows per page.")] = 50,
) -> SlotPage:
    """All slots, also drafts and closed ones, by day and time."""
    return queries.slot_page(tx, SlotFilter(first_day, last_day, reservation_type_id, status), limit, cursor)


@router.post("", status_code=201, summary="Create a slot")
def create(tx: Tx, admin: Admin, body: SlotNew) -> SlotItem:
    """Creates a draft, unless `status` says otherwise. Times in `bookingStart` and `bookingEnd` need an offset."""
    return queries.slot_item(tx, creating.create_slot(tx, body, admin.actor))


@router.get("/{slot_id}", summary="A slot")
def slot(tx: ReadTx, _admin: Admin, slot_id: SlotId) -> SlotItem:
    """One slot with its counts and quotas."""
    return queries.slot_item(tx, slot_id)


@router.patch("/{slot_id}", summary="Change a slot", responses=raises(CapacityBelowBooked, SlotHasReservations))
def change(tx: Tx, admin: Admin, slot_id: SlotId, body: SlotChange) -> SlotItem:
    """Changes only the fields that are sent; `status` publishes and closes.

    The capacity cannot go below the number of reservations. Day, time and type cannot change while somebody has a seat
    or waits for one. Closing a slot keeps its reservations.
    """
    changing.change_slot(tx, slot_id, body, admin.actor)
    return queries.slot_item(tx, slot_id)


@router.delete("/{slot_id}", status_code=204, summary="Delete a slot", responses=raises(SlotInUse))
def delete(tx: Tx, admin: Admin, slot_id: SlotId) -> None:
    """Only a slot that nobody ever booked or waited for; close the others instead."""
    changing.delete_slot(tx, slot_id, admin.actor)
