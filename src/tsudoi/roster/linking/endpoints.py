from datetime import timedelta
from typing import Annotated, Any

import structlog
from fastapi import APIRouter, Path, Query, Response
from sqlalchemy.exc import SQLAlchemyError

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, DatabaseDep, SettingsDep, VisitorDep
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.core import rate_limit
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import RateLimited, Unavailable
from tsudoi.core.ndjson import DailyFile
from tsudoi.roster.linking import queries, service
from tsudoi.roster.linking.errors import LinkConflict, NoMatch, NoSuchFriend, NoSuchMember
from tsudoi.roster.linking.rules import LinkResult, LinkResultType
from tsudoi.roster.linking.schemas import (
    LinkRequest,
    LinkResponse,
    LinkSummary,
    RegisterRequest,
    RegisterResponse,
    RegistrationHandedOver,
    RegistrationState,
    UnlinkedFriends,
    UnlinkRequest,
    WaitingPeople,
)

_log = structlog.stdlib.get_logger(__name__)

# This is enough for typing errors, and too few to find out the roster by guessing names.
REGISTRATIONS = rate_limit.Limit("register", 10, timedelta(minutes=10))
UserId = Annotated[str, Path(pattern=r"^U[0-9a-f]{32}$", description="The LINE user.")]
MemberId = Annotated[int, Path(ge=1, le=2**53, description="The member.")]

liff = APIRouter(prefix="/api/liff", tags=["liff"])
admin = APIRouter(prefix="/api/admin/links", tags=["roster"], route_class=TransactionRoute)


@liff.post(
    "/register",
    summary="Register oneself by name",
    response_model_exclude_defaults=True,
    responses={
        **raises(NoMatch, RateLimited),
        202: {"model": RegisterResponse, "description": "`waiting`: the office confirms the name first."},
    },
)
async def register(
    body: RegisterRequest, visitor: VisitorDep, settings: SettingsDep, db: DatabaseDep, response: Response
) -> RegisterResponse:
    """Links the LINE user to the one member with this name. Every case that is not safe is a 404 `NO_MATCH`.

    With `ONBOARDING_AUTO_LINK=off` a name proves nothing: every name is kept for the office, and the answer is 202.
    """
    counted = await db.write(rate_limit.count_request, REGISTRATIONS, visitor.rate_key)
    counted.raise_if_refused()
    nfkc = settings.onboarding_name_nfkc
    try:
        if settings.onboarding_auto_link == "off":
            profile = (visitor.display_name, visitor.picture_url)
            result = await db.write(service.ask_for_link, visitor.user_id, body.full_name, profile, nfkc=nfkc)
        else:
            result = await db.write(
                service.link_by_full_name, visitor.user_id, body.full_name, visitor.display_name, nfkc=nfkc
            )
    except SQLAlchemyError as error:
        result = LinkResult(LinkResultType.ERROR, reason=type(error).__name__)
    now = db.clock.now()
    _log_result(DailyFile.of(settings, "line", "REGISTER-"), now, visitor.user_id, body.full_name, result)
    if result.type is LinkResultType.ERROR:
        # The fault is ours, so the person must not read "no such name" and call the office.
        raise Unavailable
    if result.reason == service.WAITS_FOR_OFFICE:
        response.status_code = 202
        return RegisterResponse(ok=False, waiting=True)
    if result.type not in service.SUCCESSFUL:
        raise NoMatch
    return RegisterResponse(ok=True)


@liff.post(
    "/register/handover",
    status_code=202,
    summary="Ask the office to confirm a name that was not found",
    responses=raises(RateLimited),
)
async def hand_over(
    body: RegisterRequest, visitor: VisitorDep, settings: SettingsDep, db: DatabaseDep
) -> RegistrationHandedOver:
    """The name waits for the office, as every name does where nobody is linked by a name alone.

    The answer is the same for every name, so that nobody learns from it who is on the roster. Counts together with
    `POST /api/liff/register`.
    """
    counted = await db.write(rate_limit.count_request, REGISTRATIONS, visitor.rate_key)
    counted.raise_if_refused()
    profile, nfkc = (visitor.display_name, visitor.picture_url), settings.onboarding_name_nfkc
    result = await db.write(service.ask_for_link, visitor.user_id, body.full_name, profile, nfkc=nfkc)
    log = DailyFile.of(settings, "line", "REGISTER-")
    _log_result(log, db.clock.now(), visitor.user_id, body.full_name, result)
    return RegistrationHandedOver(waiting=result.reason == service.WAITS_FOR_OFFICE)


@liff.get("/registration", summary="How far the own registration is")
async def registration(visitor: VisitorDep, db: DatabaseDep) -> RegistrationState:
    """For the page that waits until the office has confirmed the name."""
    return await db.read(queries.registration_state, visitor.user_id)


@admin.get("/summary", summary="How many members are linked")
async def summary(_admin: AdminDep, db: DatabaseDep) -> LinkSummary:
    """Members, linked members, and LINE friends who are no member yet, in numbers."""
    return await db.read(queries.link_summary)


@admin.get("/unlinked-friends", summary="LINE friends without a link to a member")
async def unlinked_friends(
    _admin: AdminDep,
    settings: SettingsDep,
    db: DatabaseDep,
    limit: Annotated[int, Query(ge=1, le=200, description="Rows per page.")] = 50,
    cursor: Annotated[str | None, Query(max_length=500, description="`next_cursor` of the page before.")] = None,
) -> UnlinkedFriends:
    """Each friend comes with the name that they typed in vain, and with members who have a similar name.

    They are suggestions only; nothing is linked by them. Old and new forms of a character (髙, 高) count as the same.
    """
    return await db.read(queries.unlinked_friends, limit, cursor, nfkc=settings.onboarding_name_nfkc)


@admin.get("/waiting", summary="Who waits for the office's confirmation")
async def waiting_people(_admin: AdminDep, settings: SettingsDep, db: DatabaseDep) -> WaitingPeople:
    """People whose name the office has to confirm: the typed name, LINE's name, and when.

    These are all who typed a name where nobody is linked by a name alone (`ONBOARDING_AUTO_LINK=off`), and those who
    asked the office because their name was not found. Members who are linked already are suggested too: the person may
    have a new telephone. `POST /api/admin/links` confirms it.
    """
    return await db.read(queries.waiting_people, nfkc=settings.onboarding_name_nfkc)


@admin.delete("/waiting/{user_id}", status_code=204, summary="Turn somebody away who waits")
def turn_away(tx: Tx, who: Admin, user_id: UserId) -> None:
    """The person is asked for the name again. 404 if nobody of this id waits."""
    service.turn_away(tx, user_id, who.actor)


@admin.post(
    "",
    status_code=201,
    summary="Link a LINE friend to a member by hand",
    responses=raises(NoSuchMember, NoSuchFriend, LinkConflict),
)
def link(tx: Tx, who: Admin, body: LinkRequest) -> LinkResponse:
    """409 if the friend or the member is already linked: a link is never overwritten. The reason is audited."""
    return LinkResponse(member_id=service.link_by_hand(tx, body.user_id, body.member_id, body.reason, who.actor))


@admin.post(
    "/{member_id}/removal",
    status_code=204,
    summary="Undo a link",
    response_description="The link is removed. If the LINE id is still in the sheet, the next sync links again.",
)
def unlink(tx: Tx, who: Admin, member_id: MemberId, body: UnlinkRequest) -> None:
    """The member gets no invitations until linked again. The audit trail keeps the reason.

    If the LINE id is still in the office's sheet, the next `tsudoi members sync` links it again. Clear the member's
    `line_user_id` cell too.
    """
    service.unlink(tx, member_id, body.reason, who.actor)


def _log_result(log: DailyFile, now: Any, user_id: str, input_name: str, result: LinkResult) -> None:
    record = {
        "ts": jst_text(now),
        "kind": "register",
        "userId": user_id,
        "inputName": input_name,
        "normalized": result.normalized_name,
        "result": result.type,
        "member_id": result.member_id,
        "reason": result.reason,
    }
    try:
        log.append(now, [{name: value for name, value in record.items() if value is not None}])
    except OSError:
        _log.exception("register_line_not_written")
