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
    is_target: Annotated[Flag | None, Query(description="1: only who may be chosen; 0: only who may not.")] = None,
    has_line: Annotated[Flag | None, Query(description="1: only who is linked to LINE; 0: only who is not.")] = None,
) -> MemberList:
    """All members in roster order, those who have withdrawn included. The roster itself is kept on the sheet."""
    return await db.read(queries.member_list, is_target=is_target, has_line=has_line)
