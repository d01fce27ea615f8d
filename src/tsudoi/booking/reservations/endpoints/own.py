"""The staff portal's side: book, move, cancel, and the waiting list."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.booking.identity.errors import NotActive, PinChangeRequired, ProfileIncomplete
from tsudoi.booking.payments.errors import HoldExpired, PaymentRequired, PaymentUnavailable
from tsudoi.booking.payments.jobs import with_page
from tsudoi.booking.principals import CompleteStaff, Staff
from tsudoi.booking.reservations.errors import (
    REFUSALS,
    Canceled,
    NoSuchPlace,
    NoSuchReservation,
    NotFull,
    TooLate,
    TypeMismatch,
)
from tsudoi.booking.reservations.queries import reservations as queries
from tsudoi.booking.reservations.queries import waiting as places
from tsudoi.booking.reservations.rules.reception import reception_code, reception_link
from tsudoi.booking.reservations.schemas import (
    ChosenSlot,
    ReceptionCode,
    ReservationItem,
    ReservationPage,
    WaitingItem,
    WaitingPage,
)
from tsudoi.booking.reservations.service import booking, changing, waiting
from tsudoi.booking.slots.errors import NoSuchSlot
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import ChangedMeanwhile, RateLimited
from tsudoi.core.idempotency import InFlight, Reply
from tsudoi.core.qr_code import qr_path
from tsudoi.core.rate_limit import Limit as RequestLimit
from tsudoi.core.runtime import Runtime
from tsudoi.notifications.notifying_route import NotifyingRoute


class BookingRoute(NotifyingRoute):
    """A refused booking is kept with its key too: who asks again after a time-out gets the same result."""

    kept_refusals = frozenset({409})
    # A whole hospital may share one address, and books in the minute in which booking opens.
    limits_per_principal = (
        RequestLimit("booking", 10, timedelta(minutes=1)),
        # Somebody may press again and again for half an hour when booking opens.
        RequestLimit("booking-day", 300, timedelta(days=1)),
    )
    limits_per_client = (RequestLimit("booking", 1_200, timedelta(minutes=1)),)

    async def finish(self, runtime: Runtime, reply: Reply, enqueued: list[tuple[str, int]]) -> Reply:
        """A seat with a price is held; then the reply has the address of the payment page."""
        return await with_page(runtime, await super().finish(runtime, reply, enqueued))


class ChangingRoute(NotifyingRoute):
    """Moves and cancellations. Each is a message by LINE, and may give seats to those who wait."""

    limits_per_principal = (
        RequestLimit("changing", 10, timedelta(minutes=1)),
        RequestLimit("changing-day", 50, timedelta(days=1)),
    )


class WaitingRoute(NotifyingRoute):
    """Places in waiting lists, taken and given up."""

    limits_per_principal = (
        RequestLimit("waiting", 20, timedelta(minutes=1)),
        RequestLimit("waiting-day", 100, timedelta(days=1)),
    )


bookings = APIRouter(prefix="/api/reservations", tags=["booking"], route_class=BookingRoute)
router = APIRouter(tags=["booking"], route_class=NotifyingRoute)
changes = APIRouter(tags=["booking"], route_class=ChangingRoute)
waits = APIRouter(tags=["booking"], route_class=WaitingRoute)

ReservationId = Annotated[int, Path(ge=1, le=2**53, description="The reservation.")]
SlotId = Annotated[int, Path(ge=1, le=2**53, description="The slot.")]
PlaceId = Annotated[int, Path(ge=1, le=2**53, description="The place in the waiting list.")]
Limit = Annotated[int, Query(ge=1, le=200, description="Items per page.")]
Cursor = Annotated[str | None, Query(max_length=500, description="`nextCursor` of the page before.")]
_GUARD = (NotActive, PinChangeRequired)
_COMPLETE = (*_GUARD, ProfileIncomplete)


@bookings.post(
    "",
    status_code=201,
    summary="Book a seat",
    responses=raises(*_COMPLETE, NoSuchSlot, *REFUSALS.values(), PaymentUnavailable, InFlight, RateLimited),
)
def book(tx: Tx, staff: CompleteStaff, runtime: Runtime, body: ChosenSlot) -> ReservationItem:
    """Take a seat in a slot. The person comes from the token, and everything else from the slot.

    409, in this order: `TYPE_INACTIVE`, `SLOT_NOT_PUBLISHED`, `BOOKING_NOT_OPEN` or `BOOKING_CLOSED`,
    `ALREADY_IN_SLOT`, `SLOT_FULL`, `DEPARTMENT_FULL`, `ALREADY_BOOKED_THIS_YEAR`, `TOO_SOON_AFTER_LAST`, `OVERLAPS`.
    A repeated request with the same key gets the same result, also a refusal.

    A seat with a price is held: `holdExpiresAt` says until when, and `payment.checkoutUrl` is the page on which the
    person pays. It is null when Stripe does not answer in time; `POST /api/reservations/{reservation_id}/payment` asks
    for it again. 409 `PAYMENT_UNAVAILABLE` while this server takes no payments.
    """
    settings = runtime.settings
    pay_at = settings.public_base_url if settings.payments_on else None
    return booking.book(tx, staff.staff_uid, body.slot_id, staff.actor, pay_at)


@router.get("/api/reservations/me", summary="My reservations", responses=raises(*_GUARD))
def my_reservations(tx: ReadTx, staff: Staff, limit: Limit = 50, cursor: Cursor = None) -> ReservationPage:
    """The latest day first; cancelled ones have `canceledAt`."""
    return queries.own_page(tx, staff.staff_uid, limit, cursor)


@changes.patch(
    "/api/reservations/{reservation_id}",
    summary="Move a reservation to another slot",
    responses=raises(
        *_COMPLETE,
        NoSuchReservation,
        Canceled,
        HoldExpired,
        TooLate,
        TypeMismatch,
        *REFUSALS.values(),
        ChangedMeanwhile,
        InFlight,
        RateLimited,
    ),
)
def move(tx: Tx, staff: CompleteStaff, reservation_id: ReservationId, body: ChosenSlot) -> ReservationItem:
    """Take a seat in another slot of the same type and give the old one up, both or neither. The id stays.

    The same slot changes nothing. A refusal leaves the old seat as it is. A payment stays with the reservation.
    Moves within seconds of each other are told by one message. 429: too many moves and cancellations, at most 10 a
    minute and 50 a day.
    """
    changing.move(tx, reservation_id, staff.staff_uid, body.slot_id, staff.actor)
    return queries.own_reservation(tx, reservation_id, staff.staff_uid)


@changes.delete(
    "/api/reservations/{reservation_id}",
    status_code=204,
    summary="Cancel a reservation",
    responses=raises(*_GUARD, NoSuchReservation, TooLate, ChangedMeanwhile, InFlight, RateLimited),
)
def cancel(tx: Tx, staff: Staff, reservation_id: ReservationId) -> None:
    """The seat and the year are free at once. A second time changes nothing. 409 `TOO_LATE` after the deadline.

    What was paid is paid back if this is before `refundUntil`.
    """
    changing.cancel(tx, reservation_id, staff.staff_uid, staff.actor)


@router.get(
    "/api/reservations/{reservation_id}/reception",
    summary="The QR code for the reception",
    responses=raises(*_GUARD, NoSuchReservation),
)
def code_for_reception(tx: ReadTx, staff: Staff, runtime: Runtime, reservation_id: ReservationId) -> ReceptionCode:
    """The reception scans it, or types the code."""
    queries.own_row(tx, reservation_id, staff.staff_uid)
    secret = runtime.settings.jwt_secret
    assert secret is not None  # noqa: S101 (the context is off without it)
    code = reception_code(secret.get_secret_value(), reservation_id)
    size, path = qr_path(reception_link(runtime.settings.public_base_url, code))
    return ReceptionCode(code=code, size=size, path=path)


@waits.post(
    "/api/slots/{slot_id}/waiting",
    status_code=201,
    summary="Wait for a seat in a full slot",
    responses=raises(*_COMPLETE, NoSuchSlot, *REFUSALS.values(), NotFull, PaymentRequired, InFlight, RateLimited),
)
def wait(tx: Tx, staff: CompleteStaff, slot_id: SlotId) -> WaitingItem:
    """When a seat becomes free, the first in line for whom it fits gets it without being asked again.

    409 `NOT_FULL`: the slot has seats. `PAYMENT_REQUIRED`: a slot with a price has no waiting list. Otherwise the codes
    are those of a booking. Somebody who waits already gets their place again.
    """
    return places.own_place(tx, waiting.join(tx, staff.staff_uid, slot_id, staff.actor))


@router.get("/api/waiting/me", summary="My places in waiting lists", responses=raises(*_GUARD))
def my_places(tx: ReadTx, staff: Staff, limit: Limit = 50, cursor: Cursor = None) -> WaitingPage:
    """The newest first, with those that have ended."""
    return places.own_places(tx, staff.staff_uid, limit, cursor)


@waits.delete(
    "/api/waiting/{place_id}",
    status_code=204,
    summary="Give up a place in a waiting list",
    responses=raises(*_GUARD, NoSuchPlace, InFlight, RateLimited),
)
def leave(tx: Tx, staff: Staff, place_id: PlaceId) -> None:
    """A second time changes nothing."""
    waiting.leave(tx, place_id, staff.staff_uid, staff.actor)
