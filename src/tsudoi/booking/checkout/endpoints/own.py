"""A staff person pays for a held seat."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Path

from tsudoi.access.api_description import raises
from tsudoi.access.guard import RuntimeDep, guard_of
from tsudoi.booking.checkout.service.paying import PayingPerson, pay
from tsudoi.booking.identity.errors import NotActive, PinChangeRequired
from tsudoi.booking.payments.errors import AlreadyPaid, HoldExpired, NothingToPay, PaymentUnavailable, TooManyPages
from tsudoi.booking.payments.jobs import page_of
from tsudoi.booking.payments.queries.shown import payment_of
from tsudoi.booking.payments.schemas import PaymentItem
from tsudoi.booking.principals import Staff
from tsudoi.booking.reservations.errors import Canceled, NoSuchReservation
from tsudoi.core.errors import RateLimited
from tsudoi.core.rate_limit import Limit

router = APIRouter(prefix="/api/reservations", tags=["booking"])

PayerDep = Annotated[Staff, Depends(guard_of(Staff, Limit("paying", 10, timedelta(minutes=1))))]
_ERRORS = (NotActive, PinChangeRequired, NoSuchReservation, Canceled, HoldExpired, AlreadyPaid, NothingToPay)


@router.post(
    "/{reservation_id}/payment",
    summary="Pay for a reservation",
    responses=raises(*_ERRORS, TooManyPages, PaymentUnavailable, RateLimited),
)
async def pay_for_reservation(
    reservation_id: Annotated[int, Path(ge=1, le=2**53, description="The reservation.")],
    staff: PayerDep,
    runtime: RuntimeDep,
) -> PaymentItem:
    """The payment page that is open, or a further one while the seat is held; at most three in all.

    Asking again changes nothing while the page is open. A further page extends the hold. `checkoutUrl` is null when
    Stripe does not answer in time; ask again a little later.
    """
    settings, db = runtime.settings, runtime.db
    person = PayingPerson(staff.staff_uid, reservation_id, settings.public_base_url if settings.payments_on else None)
    page = await page_of(runtime, reservation_id, await db.write(pay, person))
    if page is not None and page.status == "FAILED":
        # The request had waited until Stripe found its time too short. The next page has a new one.
        await page_of(runtime, reservation_id, await db.write(pay, person))
    return await db.read(payment_of, reservation_id)
