from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.roster.audiences import queries, service
from tsudoi.roster.audiences.errors import AudienceNameTaken, NoSuchAudience, StaleAudience, UnknownAudiences
from tsudoi.roster.audiences.schemas import (
    AudienceChange,
    AudienceChanged,
    AudienceCreated,
    AudienceList,
    AudienceMembers,
    MembershipCount,
    MembershipRequest,
    NewAudience,
)
from tsudoi.roster.members.schemas import CandidateList, Flag

router = APIRouter(prefix="/api/admin/audiences", tags=["roster"], route_class=TransactionRoute)
recipients = APIRouter(prefix="/api/admin/recipients", tags=["roster"])

# The ids of some 250 groups. Any text of this length, percent-encoded, fits into the one line of a request.
_LONGEST_IDS = 1_300
AudienceId = Annotated[int, Path(ge=1, le=2**53, description="The group.")]


@router.get("", summary="Groups")
async def audiences(_admin: AdminDep, db: DatabaseDep) -> AudienceList:
    """All groups, ordered by `sort_order` (null at the end), then by name."""
    return await db.read(queries.audience_list)


@router.post("", status_code=201, summary="Create a group", responses=raises(AudienceNameTaken))
def create(tx: Tx, admin: Admin, body: NewAudience) -> AudienceCreated:
    """409 if another group has this name."""
    return AudienceCreated(id=service.create_audience(tx, body, admin.actor))


@router.patch("/{audience_id}", summary="Rename or move a group", responses=raises(AudienceNameTaken, StaleAudience))
def change(tx: Tx, admin: Admin, audience_id: AudienceId, body: AudienceChange) -> AudienceChanged:
    """Changes only the fields that are sent. 409 if the name is taken, or if it is no longer the `seen_name`."""
    service.change_audience(tx, audience_id, body, admin.actor)
    return AudienceChanged(ok=True)


@router.delete("/{audience_id}", status_code=204, summary="Delete a group")
def delete(tx: Tx, admin: Admin, audience_id: AudienceId) -> None:
    """Deletes the group only; its members stay on the roster."""
    service.delete_audience(tx, audience_id, admin.actor)


@router.get("/{audience_id}/members", summary="Members of a group")
async def audience_members(audience_id: AudienceId, _admin: AdminDep, db: DatabaseDep) -> AudienceMembers:
    """The members of one group in roster order, including those without LINE."""
    return await db.read(_members_of, audience_id)


@router.put("/{audience_id}/members", summary="Replace the members of a group", responses=raises(StaleAudience))
def replace_members(tx: Tx, admin: Admin, audience_id: AudienceId, body: MembershipRequest) -> MembershipCount:
    """Sets the members of the group; repeating the call changes nothing. Unknown ids are a 400 that lists them.

    If `version` is sent and the group has changed since, the answer is 409 `CHANGED_MEANWHILE`. Errors change nothing.
    """
    count = service.replace_members(tx, audience_id, body.member_ids, admin.actor, body.version)
    return MembershipCount(count=count)


@recipients.get("/candidates", summary="Members who would be invited")
async def candidates(
    _admin: AdminDep,
    db: DatabaseDep,
    all_members: Annotated[Flag, Query(alias="all", description="1: all members of the roster.")] = 0,
    audience_ids: Annotated[str, Query(max_length=_LONGEST_IDS, description="Groups, comma-separated: `1,2,3`.")] = "",
    require_target: Annotated[Flag, Query(description="1: only members who may be chosen (`is_target`).")] = 1,
    require_line: Annotated[Flag, Query(description="1: only members who are linked to LINE.")] = 1,
) -> CandidateList:
    """The members of the given groups (with `all=1` all members) who pass the filters, in roster order."""
    return await db.read(
        _candidates,
        _ids(audience_ids),
        everybody=all_members == 1,
        require_target=require_target == 1,
        require_line=require_line == 1,
    )


def _members_of(tx: ReadTx, audience_id: int) -> AudienceMembers:
    if not queries.exists(tx, audience_id):
        raise NoSuchAudience
    return queries.audience_members(tx, audience_id)


def _candidates(tx: ReadTx, audience_ids: list[int], /, **filters: bool) -> CandidateList:
    unknown = queries.unknown_ids(tx, audience_ids)
    if unknown:
        raise UnknownAudiences(unknown)
    return queries.candidates(tx, audience_ids, **filters)


def _ids(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) <= 15 for part in parts):  # noqa: PLR2004 (fits 2^53)
        raise InvalidInput(details=[Detail("audience_ids", "INVALID_FORMAT")])
    return [int(part) for part in parts]
