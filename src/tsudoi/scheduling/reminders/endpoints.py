from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import APIRouter, Depends, Request
from pydantic import TypeAdapter
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import require_json
from tsudoi.access.stepped_writes import SteppedWriteDep, WriteSteps
from tsudoi.core.db.interface import Tx
from tsudoi.core.idempotency import InFlight
from tsudoi.line.delivery.errors import QuotaExceeded
from tsudoi.line.delivery.jobs import ask_room
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.organizing.endpoints.admitting import AdmittedRoute
from tsudoi.scheduling.organizing.endpoints.reading import ThreadId
from tsudoi.scheduling.organizing.schemas.requests import RemindOrder
from tsudoi.scheduling.organizing.schemas.responses import Reminded
from tsudoi.scheduling.outcomes.service import subject_of
from tsudoi.scheduling.principals import OrganizerDep
from tsudoi.scheduling.reminders import service
from tsudoi.scheduling.reminders.errors import DraftIsNotReminded
from tsudoi.scheduling.thread.errors import NoSuchThread, ThreadCancelled, ThreadFinalized

router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=AdmittedRoute)

_RESULT = TypeAdapter(Reminded)


@router.post(
    "/{thread_id}/remind",
    summary="Remind those who have not answered",
    response_model=Reminded,
    dependencies=[Depends(require_json)],
    responses=raises(NoSuchThread, ThreadFinalized, ThreadCancelled, DraftIsNotReminded, QuotaExceeded, InFlight),
)
async def remind(
    request: Request, thread_id: ThreadId, body: RemindOrder, organizer: OrganizerDep, write: SteppedWriteDep
) -> Response:
    """Each person gets the own link again, at most once on a Japanese day. Stored at once, and sent by the worker.

    Without names: those who can still change the outcome, and those whom no message has reached. Who is too late is
    reminded when named, and may answer again. More time to answer is given, audited and answered in `extended` also
    where no reminder goes out; `reminded` is empty when nobody is told. 409 `QUOTA_EXCEEDED`: LINE's monthly limit is
    too low; with `confirm_over_quota` the others get a mail, or are in `skipped`.
    """
    runtime, common = write.runtime, message_settings(write.runtime.settings)

    @asynccontextmanager
    async def prepare() -> AsyncIterator[Callable[[Tx], Reminded]]:
        choice = await runtime.db.read(service.choose, common, thread_id, service.wish_of(body))
        left = await ask_room(runtime, choice.by_line(common), confirmed=body.confirm_over_quota)
        yield lambda tx: service.remind(tx, common, thread_id, body, organizer.actor, left)

    async def queued(result: Reminded) -> Reminded:
        runtime.work.send()
        runtime.feeds.nudge(subject_of(thread_id))
        return result

    return await write.run(await request.body(), WriteSteps(prepare, _RESULT, queued))
