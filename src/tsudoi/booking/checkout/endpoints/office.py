"""The office's side of payments: the list, refunds, and money that does not fit."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.checkout.queries import office as queries
from tsudoi.booking.checkout.queries.export import payment_file
from tsudoi.booking.checkout.schemas import (
    MismatchNote,
    OfficePayment,
    OfficePaymentPage,
    PaymentExport,
    PaymentListing,
    RefundRequest,
    StripeMismatch,
)
from tsudoi.booking.checkout.service import exporting, refunds
from tsudoi.booking.payments.errors import AlreadyRefunded, NoSuchPayment, NoSuchStripeEvent, NotPaid
from tsudoi.booking.reservations.endpoints.office import FILE, file_response
from tsudoi.core.db.interface import Tx
from tsudoi.core.idempotency import InFlight

files = APIRouter(prefix="/api/admin/payments", tags=["booking"])
router = APIRouter(prefix="/api/admin", tags=["booking"], route_class=TransactionRoute)


@files.get("", summary="Payments")
async def payments(_admin: AdminDep, db: DatabaseDep, asked: Annotated[PaymentListing, Query()]) -> OfficePaymentPage:
    """The newest first, with their refunds; and events of Stripe whose money does not fit a reservation."""
    return await db.read(queries.payment_page, asked)


@files.get("/export", summary="Payments as a file", response_class=Response, responses=FILE)
async def export(admin: AdminDep, db: DatabaseDep, asked: Annotated[PaymentExport, Query()]) -> Response:
    """The same payments, all of them, as CSV or a workbook. Audited."""
    await db.write(exporting.note_export, asked, admin.actor)
    return file_response(await db.read(payment_file, asked), "payments", asked)


@router.post(
    "/payments/{payment_id}/refund",
    status_code=202,
    summary="Pay a payment back",
    responses=raises(NoSuchPayment, NotPaid, AlreadyRefunded, InFlight),
)
def refund(
    tx: Tx,
    admin: Admin,
    payment_id: Annotated[int, Path(ge=1, le=2**53, description="The payment.")],
    body: RefundRequest,
) -> OfficePayment:
    """All of it, also where the rule of the type would not. A refund that failed is tried again. The reservation stays
    as it is. The worker asks Stripe; the list shows what becomes of it.
    """
    refunds.refund(tx, payment_id, body.reason, admin.actor)
    return queries.one_payment(tx, payment_id)


@router.post(
    "/stripe-events/{event_id}/resolve",
    summary="Close a mismatch",
    responses=raises(NoSuchStripeEvent, InFlight),
)
def resolve(
    tx: Tx,
    admin: Admin,
    event_id: Annotated[str, Path(max_length=255, pattern="^[!-~]+$", description="Stripe's id of the event.")],
    body: MismatchNote,
) -> StripeMismatch:
    """Somebody has looked at money that does not fit, and did what was needed. A second time changes nothing."""
    refunds.resolve(tx, event_id, body.note, admin.actor)
    return queries.one_mismatch(tx, event_id)
