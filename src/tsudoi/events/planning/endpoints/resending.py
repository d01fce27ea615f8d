from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import require_json
from tsudoi.access.stepped_writes import SteppedWriteDep
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.idempotency import InFlight
from tsudoi.events.event.queries import event_of
from tsudoi.events.planning import service
from tsudoi.events.planning.endpoints import sending
from tsudoi.events.planning.errors import NobodyToResend
from tsudoi.events.planning.schemas import NoticeSent, ResendIn
from tsudoi.line.delivery.errors import QuotaExceeded

router = APIRouter(prefix="/api/admin/events", tags=["events"], dependencies=[Depends(require_json)])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]


@router.post(
    "/{event_id}/resend",
    status_code=201,
    summary="Resend what the monthly limit kept back",
    response_model=NoticeSent,
    responses=raises(NobodyToResend, QuotaExceeded, InFlight),
)
async def resend(
    event_id: EventId, body: ResendIn, write: SteppedWriteDep, wait: sending.Wait = sending.LONGEST_WAIT
) -> Response:
    """Sends to members whose message failed with `QUOTA` (it was certainly not sent) and who can be reached now.

    An invitation goes out with its picture. Over the monthly limit, with `confirm_over_quota`, the first in roster
    order get it and the others can be sent to later. 409 `NOBODY_TO_RESEND`.
    """
    links = sending.links_of(write.runtime)

    def count(tx: ReadTx) -> int:
        return len(service.to_resend(tx, event_of(tx, event_id), body.broadcast_id, links).people)

    steps = sending.notice_steps(
        write,
        wait,
        count,
        lambda tx, dispatch: service.resend(tx, dispatch, event_id, body.broadcast_id),
        confirmed=body.confirm_over_quota,
    )
    return await write.run(body.model_dump_json(exclude_unset=True).encode(), steps)
