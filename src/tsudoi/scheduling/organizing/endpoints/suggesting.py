from datetime import timedelta
from typing import ClassVar

from fastapi import APIRouter, Depends

from tsudoi.access.api_description import raises
from tsudoi.access.guard import RuntimeDep, require_json
from tsudoi.core.errors import RateLimited
from tsudoi.core.rate_limit import Limit
from tsudoi.roster.audiences.errors import UnknownAudiences
from tsudoi.roster.audiences.queries import unknown_ids
from tsudoi.scheduling.candidates.jobs import suggestions
from tsudoi.scheduling.candidates.rules.judging import SuggestedCandidate
from tsudoi.scheduling.candidates.rules.offering import MeetingText
from tsudoi.scheduling.candidates.schemas import SuggestedPerson, SuggestionRequest, Suggestions
from tsudoi.scheduling.organizing.endpoints.admitting import AdmittedRoute
from tsudoi.scheduling.principals import OrganizerDep


class SuggestionRoute(AdmittedRoute):
    """A question to a model costs money, and a person reads the answer before asking again."""

    limit: ClassVar[Limit | None] = Limit("thread-suggestions", 10, timedelta(minutes=1))


router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=SuggestionRoute)


@router.post(
    "/suggestions",
    summary="Ask a model whom to invite",
    dependencies=[Depends(require_json)],
    responses=raises(UnknownAudiences, RateLimited),
)
async def suggest_people(body: SuggestionRequest, _organizer: OrganizerDep, runtime: RuntimeDep) -> Suggestions:
    """People whom the organisation knows, each with a reason. Nobody is asked, and nothing is stored.

    The model gets the title, the description, and facts about people without their names and addresses. It may take up
    to 15 seconds. When there are none, `unavailable` says why.
    """
    unknown = await runtime.db.read(unknown_ids, body.audience_ids or ())
    if unknown:
        raise UnknownAudiences(unknown)
    found = await suggestions(runtime, MeetingText(body.title, body.description), body.audience_ids)
    return Suggestions(candidates=[_item(one) for one in found.people], unavailable=found.unavailable)


def _item(one: SuggestedCandidate) -> SuggestedPerson:
    person = one.person
    return SuggestedPerson(
        name=person.name,
        email=person.email,
        member_id=person.member_id,
        invitee_key=person.key,
        reason=one.reason,
    )
