from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.idempotency import Reply
from tsudoi.events.event.queries import event_of
from tsudoi.events.planning import service
from tsudoi.events.planning.endpoints.desk import DeskDep, reply_of
from tsudoi.events.planning.schemas import ResendIn, Told
from tsudoi.events.planning.service import Made, Office

router = APIRouter(prefix="/api/admin/events", tags=["events"])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]


@router.post(
    "/{event_id}/resend", status_code=201, summary="Send what the monthly limit kept back", response_model=Told
)
async def resend(event_id: EventId, body: ResendIn, desk: DeskDep) -> Response:
    """Only to those whose message failed for `QUOTA`, so that it surely did not go out, and who can be reached now.

    An invitation goes out with its picture. Over the monthly limit, with `confirm_over_quota`, the first in roster
    order get it and the others can be sent to later. 409 `NOBODY_TO_RESEND`.
    """

    def recipients(tx: ReadTx, office: Office) -> int:
        return len(service.to_resend(tx, event_of(tx, event_id), body.broadcast_id, office.links).people)

    async def work(office: Office) -> Reply:
        made: Made | None = await desk.runtime.db.read(service.made_before, office)
        if made is None:
            people = await desk.runtime.db.read(recipients, office)
            office = await desk.within_quota(office, people, confirmed=body.confirm_over_quota)
            made = await desk.runtime.db.write(service.resend, event_id, body.broadcast_id, office)
        return reply_of(201, {"ok": True, "targets": made.people, "push": await desk.send(made)})

    return await desk.once(body.model_dump_json(exclude_unset=True).encode(), work)
