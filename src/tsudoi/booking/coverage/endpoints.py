from typing import Annotated

from fastapi import APIRouter, Query, Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.booking.coverage import queries, service
from tsudoi.booking.coverage.errors import NoSuchReservationType
from tsudoi.booking.coverage.schemas import (
    CoverageExport,
    CoveragePeople,
    CoveragePeopleListing,
    CoverageQuestion,
    CoverageReport,
)
from tsudoi.booking.reservations.endpoints.office import FILE, file_response

router = APIRouter(prefix="/api/admin/coverage", tags=["booking"])


@router.get("", summary="Who has booked and who came, by department", responses=raises(NoSuchReservationType))
async def coverage(_admin: AdminDep, db: DatabaseDep, asked: Annotated[CoverageQuestion, Query()]) -> CoverageReport:
    """Counts of active staff for a type and a fiscal year."""
    return await db.read(queries.report, asked)


@router.get("/people", summary="The people behind the counts", responses=raises(NoSuchReservationType))
async def people(_admin: AdminDep, db: DatabaseDep, asked: Annotated[CoveragePeopleListing, Query()]) -> CoveragePeople:
    """By department and number; `state=notBooked` is the list that a reminder is for."""
    return await db.read(queries.people_page, asked)


@router.get(
    "/export",
    summary="The people as a file",
    response_class=Response,
    responses={**FILE, **raises(NoSuchReservationType)},
)
async def export(admin: AdminDep, db: DatabaseDep, asked: Annotated[CoverageExport, Query()]) -> Response:
    """CSV or a workbook. Audited."""
    await db.write(service.note_export, asked, admin.actor)
    return file_response(await db.read(queries.people_file, asked), "coverage", asked)
