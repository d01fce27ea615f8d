from typing import Annotated

from fastapi import APIRouter, Query

from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.line.friends import queries
from tsudoi.line.friends.schemas import FriendList

router = APIRouter(prefix="/api/admin/line", tags=["line"])


@router.get("/friends", summary="LINE friends")
async def friends(
    _admin: AdminDep,
    db: DatabaseDep,
    limit: Annotated[int, Query(ge=1, le=200, description="Rows per page.")] = 50,
    cursor: Annotated[str | None, Query(max_length=500, description="`next_cursor` of the page before.")] = None,
) -> FriendList:
    """All LINE users who have ever added the account, newest contact first. Those who blocked it are included."""
    return await db.read(queries.friend_list, limit, cursor)
