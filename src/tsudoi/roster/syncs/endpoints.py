from fastapi import APIRouter

from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.roster.syncs.queries import last_sync
from tsudoi.roster.syncs.schemas import LastSync

router = APIRouter(prefix="/api/admin/members", tags=["roster"])


@router.get("/last-sync", summary="What the last sync of the roster did")
async def last(_admin: AdminDep, db: DatabaseDep) -> LastSync:
    """The roster is synchronised by `tsudoi members sync` alone; this shows what it did last."""
    return await db.read(last_sync)
