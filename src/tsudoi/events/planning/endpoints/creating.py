"""Creates an event from a form, which is read after the caller is authenticated."""

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import orjson
from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.stepped_writes import SteppedWriteDep, WriteSteps
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Detail, InvalidInput, UnsupportedMediaType
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime
from tsudoi.events.pictures import service as files
from tsudoi.events.pictures.errors import PictureRefused
from tsudoi.events.pictures.rules import picture as pictures
from tsudoi.events.pictures.rules.picture import LARGEST_UPLOAD, PreparedPicture
from tsudoi.events.planning import queries, service
from tsudoi.events.planning.endpoints import sending
from tsudoi.events.planning.rules import draft as drafts
from tsudoi.events.planning.rules.draft import FIELDS, LONGEST_IDS, Draft
from tsudoi.events.planning.rules.reach import target_faults
from tsudoi.events.planning.schemas import EVENT_FORM, FORM_FIELDS, EventCreated, PushCounts
from tsudoi.events.planning.service import Decision, Dispatch, StoredPicture
from tsudoi.line.delivery.errors import QuotaExceeded

router = APIRouter(prefix="/api/admin/events", tags=["events"])

# A large picture needs up to 200 MB of memory, so only two are processed at a time.
_PICTURES_AT_A_TIME = ThreadPoolExecutor(2, thread_name_prefix="picture")
# More than the form has, so that unknown fields can be named.
_MOST_FIELDS, _MOST_FILES = 50, 10
# Starlette decodes with any charset that the header names, some of which give text that cannot be stored.
_UTF8 = re.compile(r';\s*charset="?utf-8"?\s*(?:;|$)')


@dataclass(frozen=True, slots=True)
class EventForm:
    """The fields of the form as they were sent. `faults`: faults of the form itself, before the values are checked."""

    fields: dict[str, object]
    image: bytes | None
    faults: tuple[Detail, ...] = ()

    def content(self) -> bytes:
        """The same bytes for the same form, because a browser uses a new random boundary for each request."""
        digest = hashlib.sha256(self.image).hexdigest() if self.image is not None else None
        faults = [(fault.field, fault.reason) for fault in self.faults]
        return orjson.dumps([self.fields, digest, faults], option=orjson.OPT_SORT_KEYS)


class _FormParser(MultiPartParser):
    """Reads the whole form where the library would stop at the first fault, so that all faults are named at once."""

    def __init__(self, request: Request) -> None:
        limits = {"max_files": _MOST_FILES, "max_fields": _MOST_FIELDS, "max_part_size": LONGEST_IDS}
        super().__init__(request.headers, request.stream(), **limits)
        self.faults: dict[str, str] = {}
        self._size = 0

    def on_part_begin(self) -> None:
        self._size = 0
        super().on_part_begin()

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Keeps only as much of a field that is too long as is needed to see that."""
        is_text = self._current_part.file is None
        room = (self.max_part_size if is_text else LARGEST_UPLOAD + 1) - self._size
        self._size += end - start
        if is_text and end - start > room:
            self.faults[self._current_part.field_name] = "TOO_LONG"
        super().on_part_data(data, start, min(end, start + max(room, 0)))

    def on_part_end(self) -> None:
        part = self._current_part
        if part.file is None:
            try:
                part.data.decode()
            except UnicodeDecodeError:
                # Starlette would decode it as Latin-1 and give wrong characters.
                self.faults.setdefault(part.field_name, "INVALID_CHARACTER")
        super().on_part_end()


async def read_form(request: Request) -> EventForm:
    content_type = request.headers.get("content-type", "").lower()
    if not content_type.startswith("multipart/form-data"):
        raise UnsupportedMediaType("フォーム（multipart/form-data）で送ってください。")
    if "charset" in content_type and not (content_type.count("charset") == 1 and _UTF8.search(content_type)):
        raise UnsupportedMediaType("文字コードはUTF-8で送ってください。")
    reader = _FormParser(request)
    try:
        form = await reader.parse()
    except MultiPartException as error:
        raise InvalidInput("フォームを読み取れませんでした。", [Detail("form", "INVALID_FORMAT")]) from error
    try:
        return await _sorted(form.multi_items(), reader.faults)
    finally:
        await form.close()


async def _sorted(items: list[tuple[str, str | UploadFile]], unread: dict[str, str]) -> EventForm:
    texts: dict[str, object] = {name: value for name, value in items if isinstance(value, str) and name != "image"}
    files = {name: value for name, value in items if isinstance(value, UploadFile)}
    faults = {name: "GIVEN_TWICE" for name, count in Counter(name for name, _ in items).items() if count > 1}
    for name in files.keys() - {"image"}:
        faults.setdefault(name, "INVALID_FORMAT" if name in FORM_FIELDS else "UNKNOWN_FIELD")
    # Unknown fields are left out, because `UNKNOWN_FIELD` is reported for them elsewhere.
    for name in unread.keys() & set(FIELDS):
        faults.setdefault(name, unread[name])
    named = tuple(Detail(name, faults[name]) for name in sorted(faults))
    file = files.get("image")
    data = await file.read() if file is not None else None
    # A browser sends an empty file without a name when no file was chosen.
    image = data if data or (file is not None and file.filename) else None
    return EventForm(texts, image, named)


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
        faults.extend(target_faults("target_member_ids", wanted, await runtime.db.read(queries.people, wanted)))
    if faults or draft is None or prepared is None:
        raise InvalidInput(details=faults)
    return draft, prepared
