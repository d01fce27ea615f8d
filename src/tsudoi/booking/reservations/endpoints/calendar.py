from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import RuntimeDep, guard_of
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.identity.errors import NotActive, PinChangeRequired
from tsudoi.booking.principals import Staff
from tsudoi.booking.reservations.errors import NoSuchReservation
from tsudoi.booking.reservations.queries.reservations import hold_expired, own_calendar_key, own_row, owner_by_key
from tsudoi.booking.reservations.rules.calendar import CalendarReservation, calendar_file
from tsudoi.booking.reservations.rules.links import calendar_url
from tsudoi.booking.reservations.schemas import CalendarLink, CalendarLinksRenewal, CalendarLinksRenewed
from tsudoi.booking.reservations.service.calendar_keys import renew_calendar_keys
from tsudoi.booking.slots.rules import begins_at, ends_at
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import RateLimited
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime

router = APIRouter(prefix="/api/reservations", tags=["booking"])
keys = APIRouter(prefix="/api/reservations/calendar-keys", tags=["booking"], route_class=TransactionRoute)

StaffDep = Annotated[Staff, Depends(guard_of(Staff))]
ReservationId = Annotated[int, Path(ge=1, le=2**53, description="The reservation.")]
Key = Annotated[
    str | None,
    Query(min_length=1, max_length=200, description="The reservation's calendar key, for programs without a session."),
]
_TYPE = "text/calendar"
_CALENDAR: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "An iCalendar file with the one reservation.",
        "content": {_TYPE: {"schema": {"type": "string"}, "example": "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"}},
    }
}


async def staff_without_key(
    request: Request,
    runtime: RuntimeDep,
    key: Key = None,
    _authorization: Annotated[
        str | None, Header(alias="authorization", description="`Bearer <accessToken>` of the owner; not with a key.")
    ] = None,
) -> Staff | None:
    """A calendar program that has the key needs no session; all other callers need one."""
    return None if key is not None else await guard_of(Staff)(request, runtime)


@router.get(
    "/{reservation_id}.ics",
    summary="Calendar file",
    response_class=Response,
    responses={**_CALENDAR, **raises(NotActive, PinChangeRequired, NoSuchReservation)},
)
async def calendar(
    reservation_id: ReservationId,
    staff: Annotated[Staff | None, Depends(staff_without_key)],
    runtime: RuntimeDep,
    key: Key = None,
) -> Response:
    """The reservation as an iCalendar file; after a move or a cancellation the newer file replaces the older one.

    For its owner, or for a calendar program that knows its key, as long as the owner works here and has not renewed
    the keys. 404: there is none, or the key is wrong.
    """
    content = await runtime.db.read(_file, reservation_id, staff, key or "", _secret(runtime))
    name = f'attachment; filename="reservation-{reservation_id}.ics"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return Response(content, headers=headers, media_type=f"{_TYPE}; charset=utf-8")


@router.get(
    "/{reservation_id}/calendar",
    summary="The address of the calendar file",
    responses=raises(NotActive, PinChangeRequired, NoSuchReservation),
)
async def calendar_link(reservation_id: ReservationId, staff: StaffDep, runtime: RuntimeDep) -> CalendarLink:
    """An address that opens without a log-in: LINE's own browser hands it over to the phone's calendar."""
    key = await runtime.db.read(own_calendar_key, reservation_id, staff.staff_uid, _secret(runtime))
    return CalendarLink(url=calendar_url(runtime.settings.public_base_url, reservation_id, key))


@keys.post(
    "/renewal",
    summary="Renew my calendar addresses",
    responses=raises(NotActive, PinChangeRequired, InFlight, RateLimited),
)
def renew(tx: Tx, staff: Staff, _body: CalendarLinksRenewal) -> CalendarLinksRenewed:
    """For somebody who passed an address on by mistake: the earlier ones of all reservations stop."""
    return renew_calendar_keys(tx, staff.staff_uid, staff.actor)


def _secret(runtime: Runtime) -> str:
    secret = runtime.settings.jwt_secret
    assert secret is not None  # noqa: S101 (the context is off without it)
    return secret.get_secret_value()


def _file(tx: ReadTx, reservation_id: int, staff: Staff | None, key: str, secret: str) -> bytes:
    owner = owner_by_key(tx, reservation_id, key, secret) if staff is None else staff.staff_uid
    row = own_row(tx, reservation_id, owner)
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
