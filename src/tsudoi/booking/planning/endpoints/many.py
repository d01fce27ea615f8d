"""Many slots at once. These paths are registered before `/api/admin/slots/{slot_id}`."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import StringConstraints

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.booking.planning import queries
from tsudoi.booking.planning.errors import SelectionChanged, SomeRefused
from tsudoi.booking.planning.schemas import (
    ManySlotsChangeIn,
    ManySlotsChangeResult,
    SlotBulkIn,
    SlotBulkResult,
    SlotCalendar,
    SlotCopyIn,
    SlotStatusIn,
    SlotStatusResult,
)
from tsudoi.booking.planning.service import changing, creating
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.notifications.notifying_route import NotifyingRoute


class DryRunRoute(NotifyingRoute):
    """A route whose body may ask for a dry run. That is answered with 200, because nothing was created or changed."""

    def has_effect(self, arguments: dict[str, Any]) -> bool:
        body = arguments.get("body")
        return not (isinstance(body, SlotBulkIn | SlotCopyIn | ManySlotsChangeIn) and body.dry_run)

    def status_of(self, returned: Any) -> int:
        return 200 if isinstance(returned, SlotBulkResult) and returned.dry_run else super().status_of(returned)


router = APIRouter(prefix="/api/admin/slots", tags=["booking"], route_class=DryRunRoute)

Month = Annotated[str, StringConstraints(pattern=r"^20[0-9]{2}-(0[1-9]|1[0-2])$")]
_DRY_RUN: dict[int | str, dict[str, Any]] = {
    200: {"model": SlotBulkResult, "description": "The dry run: what would be created. Nothing was changed."}
}


@router.get("/calendar", summary="Month calendar of slots")
def calendar(
    tx: ReadTx,
    _admin: Admin,
    month: Annotated[Month, Query(description="The month, such as `2026-11`.")],
    reservation_type_id: Annotated[
        int | None, Query(alias="reservationTypeId", ge=1, le=2**53, description="Only slots of this type.")
    ] = None,
) -> SlotCalendar:
    """Every day of the month with its public holiday and its slots in numbers."""
    return queries.calendar(tx, month, reservation_type_id)


@router.post("/bulk", status_code=201, summary="Create many slots", responses=_DRY_RUN)
def bulk(tx: Tx, admin: Admin, body: SlotBulkIn) -> SlotBulkResult:
    """Creates a slot at each of the times on each of the weekdays of the period, at most 5,000.

    Public holidays, excluded days, times that have begun, and times at which the type already has a slot are left out
    and listed in `skipped`. A dry run shows the same and creates nothing.
    """
    return creating.create_many(tx, body, admin.actor)


@router.post("/copy", status_code=201, summary="Copy a day or a week of slots", responses=_DRY_RUN)
def copy(tx: Tx, admin: Admin, body: SlotCopyIn) -> SlotBulkResult:
    """Copies the slots of at most seven days, as drafts; the first day becomes `target`.

    Capacity, length, notes and quotas are copied, and the booking window moves by the same number of days.
    """
    return creating.copy_slots(tx, body, admin.actor)


@router.post("/status", summary="Publish or close many slots")
def set_status(tx: Tx, admin: Admin, body: SlotStatusIn) -> SlotStatusResult:
    """Gives all of these slots the same status. Reservations in a closed slot stay valid."""
    return SlotStatusResult(changed=changing.change_status(tx, body.slot_ids, body.status, admin.actor))


@router.post("/change", summary="Change many slots", responses=raises(SelectionChanged, SomeRefused))
def change(tx: Tx, admin: Admin, body: ManySlotsChangeIn) -> ManySlotsChangeResult:
    """Publishes, closes, changes or deletes at most 5,000 slots in one transaction: these, or all that a filter finds.

    The dry run shows what would happen; its `matched` is the `expect` of the write. If the selection has another number
    of slots by then, nothing is changed. If some of the slots cannot be changed, nothing is changed either, unless
    `skipRefused` is true: then the others are.
    """
    return changing.change_many(tx, body, admin.actor)
