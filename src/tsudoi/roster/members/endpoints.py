from typing import Annotated

from fastapi import APIRouter, Query

from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.roster.members import queries
from tsudoi.roster.members.schemas import Flag, MemberList

router = APIRouter(prefix="/api/admin/members", tags=["roster"])


@router.get("", summary="The roster")
async def members(
    _admin: AdminDep,
    db: DatabaseDep,
    is_target: Annotated[
        Flag | None, Query(description="1: only members who may be chosen as recipients; 0: only the others.")
    ] = None,
    has_line: Annotated[
        Flag | None, Query(description="1: only members who are linked to LINE; 0: only the others.")
    ] = None,
) -> MemberList:
    """All members in roster order, including those who have withdrawn. The office edits the roster in the sheet."""
    return await db.read(queries.member_list, is_target=is_target, has_line=has_line)
