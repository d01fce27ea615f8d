from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import DatabaseDep, guard_of
from tsudoi.booking.identity.errors import NotActive, PinChangeRequired
from tsudoi.booking.principals import Staff
from tsudoi.booking.reservations.errors import NoSuchReservation
from tsudoi.booking.reservations.queries.reservations import hold_expired, own_row
from tsudoi.booking.reservations.rules.calendar import CalendarReservation, calendar_file
from tsudoi.booking.slots.rules import begins_at, ends_at
from tsudoi.core.db.interface import ReadTx

router = APIRouter(prefix="/api/reservations", tags=["booking"])

StaffDep = Annotated[Staff, Depends(guard_of(Staff))]
_TYPE = "text/calendar"
_CALENDAR: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "An iCalendar file with the one reservation.",
        "content": {_TYPE: {"schema": {"type": "string"}, "example": "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"}},
    }
}


@router.get(
    "/{reservation_id}.ics",
    summary="Calendar file",
    response_class=Response,
    responses={**_CALENDAR, **raises(NotActive, PinChangeRequired, NoSuchReservation)},
)
async def calendar(
    reservation_id: Annotated[int, Path(ge=1, le=2**53, description="The reservation.")],
    staff: StaffDep,
    db: DatabaseDep,
) -> Response:
    """The reservation as an iCalendar file; after a move or a cancellation the newer file replaces the older one."""
    content = await db.read(_file, reservation_id, staff.staff_uid)
    name = f'attachment; filename="reservation-{reservation_id}.ics"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return Response(content, headers=headers, media_type=f"{_TYPE}; charset=utf-8")


def _file(tx: ReadTx, reservation_id: int, staff_uid: str) -> bytes:
    row = own_row(tx, reservation_id, staff_uid)
    day, start = row.service_date_local, row.start_minute_of_day
    shown = CalendarReservation(
        id=row.id,
        title=row.reservation_type_name,
        notes=row.notes,
        begins_at=begins_at(day, start),
        ends_at=ends_at(day, start, row.duration_minutes),
        created_at=row.created_at,
        updated_at=row.updated_at,
        revision=row.revision,
        canceled=row.canceled_at is not None or hold_expired(row, tx.now),
        held=row.confirmed_at is None and row.hold_expires_at is not None,
    )
    return calendar_file(shown, tx.now)
