import asyncio
from concurrent.futures import ThreadPoolExecutor

from fastapi import APIRouter, Request
from starlette.responses import Response

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.core.idempotency import Reply
from tsudoi.core.runtime import Runtime
from tsudoi.events.pictures import service as files
from tsudoi.events.pictures.errors import PictureRefused
from tsudoi.events.pictures.rules import picture as pictures
from tsudoi.events.pictures.rules.picture import Prepared
from tsudoi.events.planning import queries, service
from tsudoi.events.planning.endpoints.desk import Desk, DeskDep, reply_of
from tsudoi.events.planning.endpoints.form import EventForm, read_form
from tsudoi.events.planning.rules import draft as drafts
from tsudoi.events.planning.rules.draft import Draft
from tsudoi.events.planning.rules.reach import target_faults
from tsudoi.events.planning.schemas import EVENT_FORM, EventMade
from tsudoi.events.planning.service import Made, Office, Picture

router = APIRouter(prefix="/api/admin/events", tags=["events"])

# A large picture takes up to 200 MB while it is worked on: two at a time, the others wait.
_PICTURES_AT_A_TIME = ThreadPoolExecutor(2, thread_name_prefix="picture")


@router.post(
    "",
    status_code=201,
    summary="Make an event and tell those who are asked",
    response_model=EventMade,
    openapi_extra=EVENT_FORM,
)
async def create(request: Request, desk: DeskDep) -> Response:
    """Everything is checked first, and every wrong field is named; nothing is stored when anything is wrong.

    The event, its targets and every message that is to go out are then written in one transaction and sent, within
    this request as far as `wait` allows. 409 `QUOTA_EXCEEDED`: LINE's monthly limit would not allow it; send
    `confirm_over_quota` to go on all the same.
    """
    form = await read_form(request)

    async def work(office: Office) -> Reply:
        made = await desk.runtime.db.read(service.made_before, office) or await _make(desk, form, office)
        push = await desk.send(made)
        return reply_of(201, {"event_id": made.event_id, "targets": made.people, "push": push})

    return await desk.once(form.content(), work)


async def _make(desk: Desk, form: EventForm, office: Office) -> Made:
    draft, prepared = await _checked(desk.runtime, form)
    office = await desk.within_quota(office, len(draft.target_member_ids), confirmed=draft.confirm_over_quota)
    media_key = await asyncio.to_thread(files.store, desk.runtime.media, prepared)
    try:
        picture = _picture(desk.runtime, media_key, prepared)
        made: Made = await desk.runtime.db.write(service.create_event, draft, picture, office)
    except Exception:
        # Not when we are cancelled: then it may be written all the same, and if it is not, the sweep finds the files.
        await _discard_unused(desk.runtime, media_key)
        raise
    await _discard_unused(desk.runtime, media_key)
    return made


async def _discard_unused(runtime: Runtime, media_key: str) -> None:
    """No event came to be; or a copy of this request was quicker, and its event has its own files."""
    if not await runtime.db.read(queries.is_picture_of_an_event, media_key):
        await asyncio.to_thread(files.discard, runtime.media, media_key)


async def _checked(runtime: Runtime, form: EventForm) -> tuple[Draft, Prepared]:
    """The draft and its picture, or every fault of both, the members' included."""
    draft, faults = drafts.read_draft(form.fields, runtime.db.clock.now())
    told = {fault.field for fault in form.faults}
    faults = [*form.faults, *(fault for fault in faults if fault.field not in told)]
    prepared: Prepared | None = None
    if form.image is None and "image" not in told:
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


def _picture(runtime: Runtime, media_key: str, prepared: Prepared) -> Picture:
    url, preview_url = files.urls(runtime.settings.public_base_url, media_key)
    return Picture(media_key, url, preview_url, len(prepared.original), len(prepared.preview))
