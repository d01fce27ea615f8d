"""One list of a LINE user's reservations, put together from every context that has some."""

from fastapi import APIRouter

from tsudoi.access.api_description import raises
from tsudoi.access.guard import RuntimeDep, VisitorDep
from tsudoi.access.registration import ActiveContexts
from tsudoi.core.errors import NotFound
from tsudoi.line.my_reservations.schemas import OwnReservationItem, OwnReservationList, ReservationGapItem

router = APIRouter(prefix="/api/liff", tags=["liff"])


@router.get("/my-reservations", summary="My reservations everywhere", responses=raises(NotFound))
async def my_reservations(visitor: VisitorDep, runtime: RuntimeDep) -> OwnReservationList:
    """Those at STORES of every shop that this LINE user is linked with, and those of this server, by time.

    STORES is asked once in a session. What could not be read stands in `gaps`, and the rest of the list is still shown.
    404 where no part of the product that has reservations is switched on.
    """
    contexts = runtime.part(ActiveContexts).contexts
    sources = [context.visitor_reservations for context in contexts if context.visitor_reservations]
    if not sources:
        raise NotFound
    found = [await source(runtime, visitor) for source in sources]
    reservations = sorted(
        (one for part in found for one in part.reservations), key=lambda one: (one.begins_at, one.source, one.id)
    )
    return OwnReservationList(
        reservations=[OwnReservationItem.of(one) for one in reservations],
        gaps=[ReservationGapItem.of(gap) for part in found for gap in part.gaps],
    )
