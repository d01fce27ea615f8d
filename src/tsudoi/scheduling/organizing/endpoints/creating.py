from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

from fastapi import APIRouter, Depends, Request
from pydantic import TypeAdapter
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import require_json
from tsudoi.access.stepped_writes import ClosingSteps, SteppedWriteDep
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import RateLimited
from tsudoi.core.idempotency import InFlight
from tsudoi.roster.audiences.errors import UnknownAudiences, UnknownMembers
from tsudoi.scheduling.candidates.jobs import suggest
from tsudoi.scheduling.candidates.rules.judging import SuggestedCandidate
from tsudoi.scheduling.decision.errors import BadRule
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.organizing.endpoints.admitting import CountedRoute
from tsudoi.scheduling.organizing.errors import TooManyPeople
from tsudoi.scheduling.organizing.rules.people import PersonDraft
from tsudoi.scheduling.organizing.schemas.requests import NewThread
from tsudoi.scheduling.organizing.schemas.responses import ThreadCreated
from tsudoi.scheduling.organizing.service.creating import ThreadBegun, begin_thread, finish_thread
from tsudoi.scheduling.principals import OrganizerDep

router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=CountedRoute)

_RESULT = TypeAdapter(ThreadBegun)
# A model answers within fifteen seconds, and the rest takes a moment.
_LEASE = timedelta(seconds=30)


@router.post(
    "",
    status_code=201,
    summary="Create a thread that finds a date",
    response_model=ThreadCreated,
    dependencies=[Depends(require_json)],
    responses=raises(BadRule, TooManyPeople, UnknownAudiences, UnknownMembers, RateLimited, InFlight),
)
async def create_thread(request: Request, body: NewThread, organizer: OrganizerDep, write: SteppedWriteDep) -> Response:
    """Document 001: three default slots and the rule ANY, unless others are given; everybody named is invited.

    Where neither people nor groups are named, a model may suggest people whom the organisation knows. The thread
    exists even where its rule, a slot, an invitation or a message could not be made: `warnings` says so.
    """
    runtime, common = write.runtime, message_settings(write.runtime.settings)

    @asynccontextmanager
    async def prepare() -> AsyncIterator[Callable[[Tx], ThreadBegun]]:
        yield lambda tx: begin_thread(tx, organizer, body)

    async def between(begun: ThreadBegun) -> Callable[[Tx], ThreadCreated]:
        found = await suggest(runtime, body.title, body.description) if begun.may_suggest else []
        people = [_person(one) for one in found]
        return partial(finish_thread, common=common, organizer=organizer, new=body, begun=begun, suggested=people)

    response = await write.run(await request.body(), ClosingSteps(prepare, _RESULT, between), _LEASE)
    runtime.work.send()
    return response


def _person(one: SuggestedCandidate) -> PersonDraft:
    person = one.person
    return PersonDraft(person.key, person.name, person.email, person.member_id, one.reason)
