from typing import Annotated

from fastapi import APIRouter, Path

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.reception import service
from tsudoi.booking.reception.errors import UnknownCode
from tsudoi.booking.reception.schemas import AttendanceIn, ScannedCode
from tsudoi.booking.reservations.errors import (
    AlreadyBookedThisYear,
    Canceled,
    NoSuchReservation,
    NotConfirmed,
    TooEarly,
)
from tsudoi.booking.reservations.queries.office import office_reservation
from tsudoi.booking.reservations.schemas import OfficeReservation
from tsudoi.core.db.interface import Tx
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime

router = APIRouter(prefix="/api/admin", tags=["booking"], route_class=TransactionRoute)


@router.put(
    "/reservations/{reservation_id}/attendance",
    summary="Note whether a person came",
    responses=raises(NoSuchReservation, Canceled, NotConfirmed, TooEarly, AlreadyBookedThisYear, InFlight),
)
def attendance(
    tx: Tx,
    admin: Admin,
    reservation_id: Annotated[int, Path(ge=1, le=2**53, description="The reservation.")],
    body: AttendanceIn,
) -> OfficeReservation:
    """`null` takes it back. 409 `TOO_EARLY` for `came` before the day of the slot, for `absent` before the slot begins.

    An absence with `freesYear` does not count for the fiscal year and for the days between two reservations: the person
    books again, counts as not booked and is reminded; the record of the absence stays. 409 `ALREADY_BOOKED_THIS_YEAR`
    if it shall count again although the person has booked anew. 400 with the reason `ONLY_ABSENT` for `freesYear`
    beside anything but `absent`.
    """
    service.note_attendance(
        tx, reservation_id, body.attendance, admin.actor, frees_year=body.frees_year, reason=body.reason
    )
    return office_reservation(tx, reservation_id)


@router.post(
    "/reception",
    summary="Note that the person with a QR code came",
    responses=raises(UnknownCode, Canceled, NotConfirmed, TooEarly, InFlight),
)
def reception(tx: Tx, admin: Admin, runtime: Runtime, body: ScannedCode) -> OfficeReservation:
    """The reservation, marked as `came`. The same code again changes nothing."""
    secret = runtime.settings.jwt_secret
    assert secret is not None  # noqa: S101 (the context is off without it)
    return office_reservation(tx, service.receive(tx, body.code, secret.get_secret_value(), admin.actor))
