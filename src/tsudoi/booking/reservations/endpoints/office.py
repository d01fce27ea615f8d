"""The office's side: lists and files, and booking, moving and cancelling for a person."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.access.principals import Admin
from tsudoi.booking.payments.errors import HoldExpired
from tsudoi.booking.reservations.errors import REFUSALS, Canceled, NoSuchReservation, NotActiveStaff, TypeMismatch
from tsudoi.booking.reservations.queries import office as queries
from tsudoi.booking.reservations.queries.export import reservation_file
from tsudoi.booking.reservations.queries.waiting import line_of
from tsudoi.booking.reservations.schemas import (
    BookingOnBehalf,
    CancelOnBehalf,
    FileOptions,
    MoveOnBehalf,
    OfficeReservation,
    OfficeReservationPage,
    OfficeWaitingList,
    ReservationExport,
    ReservationItem,
    ReservationListing,
)
from tsudoi.booking.reservations.service import booking, changing, exporting
from tsudoi.booking.slots.errors import NoSuchSlot
from tsudoi.booking.staffs.errors import NoSuchStaff
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import ChangedMeanwhile
from tsudoi.core.idempotency import InFlight
from tsudoi.notifications.notifying_route import NotifyingRoute

files = APIRouter(prefix="/api/admin/reservations", tags=["booking"])
router = APIRouter(prefix="/api/admin", tags=["booking"], route_class=NotifyingRoute)

ReservationId = Annotated[int, Path(ge=1, le=2**53, description="The reservation.")]
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file.",
        "content": {
            "text/csv": {"schema": {"type": "string"}, "example": "予約番号,日付,開始\r\n501,2025-11-10,09:00\r\n"},
            _XLSX: {"schema": {"type": "string", "format": "binary"}, "example": "(a workbook)"},
        },
    }
}


@files.get("", summary="Reservations")
async def reservations(
    _admin: AdminDep, db: DatabaseDep, asked: Annotated[ReservationListing, Query()]
) -> OfficeReservationPage:
    """By day and time, with the people."""
    return await db.read(queries.office_page, asked)


@files.get("/export", summary="Reservations as a file", response_class=Response, responses=FILE)
async def export(admin: AdminDep, db: DatabaseDep, asked: Annotated[ReservationExport, Query()]) -> Response:
    """The same reservations, all of them, with what a health check needs to know about the people. Audited."""
    await db.write(exporting.note_export, asked, admin.actor)
    return file_response(await db.read(reservation_file, asked), "reservations", asked)


def file_response(content: bytes, name: str, options: FileOptions) -> Response:
    charset = "utf-8" if options.encoding == "utf8" else "Shift_JIS"
    media_type = _XLSX if options.format == "xlsx" else f"text/csv; charset={charset}"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{options.format}"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, media_type=media_type)


@router.post(
    "/reservations",
    status_code=201,
    summary="Book for a person",
    responses=raises(NoSuchStaff, NoSuchSlot, NotActiveStaff, *REFUSALS.values(), InFlight),
)
def book(tx: Tx, admin: Admin, body: BookingOnBehalf) -> ReservationItem:
    """The office may book outside the window, in a closed slot and for an incomplete profile, never over capacity.

    The seat is certain at once, also if it has a price: the person pays at the desk.
    """
    return booking.book_on_behalf(tx, body.staff_uid, body.slot_id, body.reason, admin.actor)


@router.patch(
    "/reservations/{reservation_id}",
    summary="Move a reservation for a person",
    responses=raises(
        NoSuchReservation, Canceled, HoldExpired, TypeMismatch, *REFUSALS.values(), ChangedMeanwhile, InFlight
    ),
)
def move(tx: Tx, admin: Admin, reservation_id: ReservationId, body: MoveOnBehalf) -> OfficeReservation:
    """To another slot of the same type, also after the deadline. The person keeps the old seat if it is refused."""
    changing.move_on_behalf(tx, reservation_id, body.slot_id, body.reason, admin.actor)
    return queries.office_reservation(tx, reservation_id)


@router.post(
    "/reservations/{reservation_id}/cancel",
    summary="Cancel a reservation for a person",
    responses=raises(NoSuchReservation, ChangedMeanwhile, InFlight),
)
def cancel(tx: Tx, admin: Admin, reservation_id: ReservationId, body: CancelOnBehalf) -> OfficeReservation:
    """Also after the deadline. A second time changes nothing."""
    changing.cancel_on_behalf(tx, reservation_id, body.reason, admin.actor)
    return queries.office_reservation(tx, reservation_id)


@router.get("/slots/{slot_id}/waiting", summary="Who waits for a slot", responses=raises(NoSuchSlot))
def waiting_list(
    tx: ReadTx, _admin: Admin, slot_id: Annotated[int, Path(ge=1, le=2**53, description="The slot.")]
) -> OfficeWaitingList:
    """The first in line first; `skippedBecause` says why somebody was passed over."""
    return line_of(tx, slot_id)
