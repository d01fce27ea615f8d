from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import StringConstraints

from tsudoi.access.audit_trail import queries
from tsudoi.access.audit_trail.schemas import AuditPage
from tsudoi.access.guard import AdminDep, DatabaseDep

FilterText = Annotated[str | None, StringConstraints(max_length=200, pattern=r"^[^\x00]*$")]

router = APIRouter(prefix="/api/admin", tags=["access"])


@router.get("/audit", summary="Who did what (the same as /audit-logs)", operation_id="audit_logs_by_short_name")
@router.get("/audit-logs", summary="Who did what")
async def audit_logs(
    _admin: AdminDep,
    db: DatabaseDep,
    limit: Annotated[int, Query(ge=1, le=200, description="Rows per page.")] = 50,
    cursor: Annotated[str | None, Query(max_length=500, description="`next_cursor` of the page before.")] = None,
    action: Annotated[FilterText, Query(description="Only this, such as `EVENT_CREATE`.")] = None,
    actor: Annotated[FilterText, Query(description="Only by this one, such as `admin:jimukyoku`.")] = None,
    subject: Annotated[FilterText, Query(description="Only about this, such as `event:12`.")] = None,
) -> AuditPage:
    """The audit trail, newest first. It can only grow; `tsudoi audit verify` proves that nobody has edited it."""
    return await db.read(queries.audit_page, limit, cursor, action=action, actor=actor, subject=subject)
