from fastapi import APIRouter

from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.events.home import queries
from tsudoi.events.home.schemas import Home

router = APIRouter(prefix="/api/admin", tags=["events"])


@router.get("/home", summary="What needs the office's attention")
async def home(_admin: AdminDep, db: DatabaseDep) -> Home:
    """The next events with their answers, messages that could not be sent, and the number of unlinked LINE friends."""
    return await db.read(queries.home)
