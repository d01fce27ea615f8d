from fastapi import APIRouter

from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.roster.syncs.queries import last_sync
from tsudoi.roster.syncs.schemas import LastSync

router = APIRouter(prefix="/api/admin/members", tags=["roster"])


@router.get("/last-sync", summary="Result of the last roster sync")
async def last(_admin: AdminDep, db: DatabaseDep) -> LastSync:
    """Only `tsudoi members sync` synchronises the roster; this returns the numbers of its last run."""
    return await db.read(last_sync)
