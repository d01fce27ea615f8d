from typing import Annotated

from fastapi import APIRouter, Query

from tsudoi.access.audit_trail import queries
from tsudoi.access.audit_trail.schemas import AuditPage
from tsudoi.access.guard import AdminDep, DatabaseDep

router = APIRouter(prefix="/api/admin", tags=["access"])


@router.get("/audit-logs", summary="Who did what")
async def audit_logs(
    _admin: AdminDep,
    db: DatabaseDep,
    limit: Annotated[int, Query(ge=1, le=200, description="Rows per page.")] = 50,
    cursor: Annotated[str | None, Query(max_length=500, description="`next_cursor` of the page before.")] = None,
) -> AuditPage:
    """The audit trail, newest first. It can only grow; `tsudoi audit verify` proves that nobody has edited it."""
    return await db.read(queries.audit_page, limit, cursor)
