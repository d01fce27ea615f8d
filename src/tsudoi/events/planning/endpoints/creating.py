import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.stepped_writes import SteppedWriteDep, WriteSteps
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime
from tsudoi.events.pictures import service as files
from tsudoi.events.pictures.errors import PictureRefused
from tsudoi.events.pictures.rules import picture as pictures
from tsudoi.events.pictures.rules.picture import PreparedPicture
from tsudoi.events.planning import queries, service
from tsudoi.events.planning.endpoints import sending
from tsudoi.events.planning.endpoints.form import EventForm, read_form
from tsudoi.events.planning.rules import draft as drafts
from tsudoi.events.planning.rules.draft import Draft
from tsudoi.events.planning.rules.reach import target_faults
from tsudoi.events.planning.schemas import EVENT_FORM, EventCreated, PushCounts
from tsudoi.events.planning.service import Decision, Dispatch, StoredPicture
from tsudoi.line.delivery.errors import QuotaExceeded

router = APIRouter(prefix="/api/admin/events", tags=["events"])

# A large picture needs up to 200 MB of memory, so only two are processed at a time.
_PICTURES_AT_A_TIME = ThreadPoolExecutor(2, thread_name_prefix="picture")


@router.post(
    "",
    status_code=201,
    summary="Create an event and invite people to it",
    response_model=EventCreated,
    openapi_extra=EVENT_FORM,
    responses=raises(QuotaExceeded, InFlight),
)
async def create(request: Request, write: SteppedWriteDep, wait: sending.Wait = sending.LONGEST_WAIT) -> Response:
    """All fields are checked first, and every wrong field is named; nothing is stored if a field is wrong.

    The event, its targets and every message are then stored in one transaction and sent, within this request as far as
    `wait` allows. 409 `QUOTA_EXCEEDED`: LINE's monthly limit is too low; send `confirm_over_quota` to go on anyway.
    """
    form = await read_form(request)

    dispatch = sending.dispatch_of(write, wait)

    async def created(decision: Decision) -> EventCreated:
        push = await sending.send(write.runtime, decision, wait, dispatch.claimed or ())
        nobody = PushCounts(success=0, fail=0, unknown=0, pending=0)
        return EventCreated(event_id=decision.event_id, targets=decision.recipients, push=push or nobody)

    prepare = partial(_prepared, write.runtime, dispatch, form)
    return await write.run(form.content(), WriteSteps(prepare, sending.RESULT, created))


@asynccontextmanager
async def _prepared(runtime: Runtime, dispatch: Dispatch, form: EventForm) -> AsyncIterator[Callable[[Tx], Decision]]:
    draft, prepared = await _checked(runtime, form)
    people, confirmed = len(draft.target_member_ids), draft.confirm_over_quota
    allowed = await sending.within_quota(runtime, dispatch, people, confirmed=confirmed)
    media_key = await asyncio.to_thread(files.store, runtime.media, prepared)
    url, preview_url = files.urls(runtime.settings.public_base_url, media_key)
    picture = StoredPicture(media_key, url, preview_url, len(prepared.original), len(prepared.preview))
    try:
        yield lambda tx: service.create_event(tx, allowed, draft, picture)
    except Exception:
        # Not on cancellation of the request: the event may be stored anyway, and if not, the sweep removes the files.
        await _discard_unused(runtime, media_key)
        raise
    await _discard_unused(runtime, media_key)


async def _discard_unused(runtime: Runtime, media_key: str) -> None:
    """Remove the files if no event was created, or if a copy of this request created it with files of its own."""
    if not await runtime.db.read(queries.is_picture_of_an_event, media_key):
        await asyncio.to_thread(files.discard, runtime.media, media_key)


async def _checked(runtime: Runtime, form: EventForm) -> tuple[Draft, PreparedPicture]:
    """The draft and its picture, or an error with all faults of the draft, the picture and the targets."""
    draft, faults = drafts.read_draft(form.fields, runtime.db.clock.now())
    named = {fault.field for fault in form.faults}
    faults = [*form.faults, *(fault for fault in faults if fault.field not in named)]
    prepared: PreparedPicture | None = None
    if form.image is None and "image" not in named:
        faults.append(Detail("image", "REQUIRED"))
    elif form.image is not None:
        try:
            loop = asyncio.get_running_loop()
            prepared = await loop.run_in_executor(_PICTURES_AT_A_TIME, pictures.prepare, form.image)
        except PictureRefused as refused:
            faults.extend(refused.details)
    wanted = drafts.readable_ids(form.fields.get("target_member_ids"))
    if wanted:
        faults.extend(await runtime.db.read(_target_faults, wanted))
    if faults or draft is None or prepared is None:
        raise InvalidInput(details=faults)
    return draft, prepared


def _target_faults(tx: ReadTx, wanted: tuple[int, ...]) -> list[Detail]:
    return target_faults("target_member_ids", wanted, queries.people(tx, wanted))
