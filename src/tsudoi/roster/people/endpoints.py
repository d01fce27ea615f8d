from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, RuntimeDep
from tsudoi.access.principals import Admin
from tsudoi.access.registration import ActiveContexts
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.person_records import RecordKey, RecordKind
from tsudoi.core.runtime import Runtime
from tsudoi.roster.people import service
from tsudoi.roster.people.errors import NoSuchPerson, SameRecord, UnknownFinding
from tsudoi.roster.people.queries.drift import drift_report, one_finding
from tsudoi.roster.people.queries.page import person_page
from tsudoi.roster.people.queries.searching import people_found
from tsudoi.roster.people.schemas import (
    DriftReport,
    PeopleFound,
    PersonDecisionRequest,
    PersonDecisionResponse,
    PersonPage,
    RecordId,
)

router = APIRouter(prefix="/api/admin/people", tags=["people"], route_class=TransactionRoute)


@router.get("", summary="Look for people in all parts of the product")
def search(
    tx: ReadTx,
    _admin: Admin,
    runtime: Runtime,
    query: Annotated[
        str,
        Query(
            max_length=100,
            pattern=r"^[^\x00]*$",
            description="Part of a name, a reading, a mail address, a LINE name or a number, in any width and case.",
        ),
    ] = "",
    kind: Annotated[RecordKind | None, Query(description="Only records of this kind.")] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Records of each kind.")] = 20,
) -> PeopleFound:
    """The matching records by kind, with how many there are. An empty query finds nobody."""
    sources = runtime.part(ActiveContexts).person_sources
    chosen = [source for source in sources.values() if kind in (None, source.kind)]
    return people_found(tx, chosen, query, limit)


@router.get("/drift", summary="What no longer fits together", responses=raises(UnknownFinding))
def drift(
    tx: ReadTx,
    _admin: Admin,
    runtime: Runtime,
    finding: Annotated[
        str | None, Query(max_length=50, pattern=r"^[^\x00]*$", description="Only this finding, such as its next page.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Records of each finding.")] = 10,
    cursor: Annotated[str | None, Query(max_length=500, description="`next_cursor` of the page before.")] = None,
) -> DriftReport:
    """Links that lead nowhere, records that contradict each other, names that appear twice. Nothing is changed."""
    checks = runtime.part(ActiveContexts).drift_checks
    return drift_report(tx, checks, limit) if finding is None else one_finding(tx, checks, finding, limit, cursor)


@router.post(
    "/decisions", status_code=201, summary="Decide about two records", responses=raises(SameRecord, NoSuchPerson)
)
def decide(tx: Tx, admin: Admin, runtime: Runtime, body: PersonDecisionRequest) -> PersonDecisionResponse:
    """Same person, or two people. It is kept and audited, and changes neither the records nor their links."""
    return service.decide(tx, runtime.part(ActiveContexts).person_sources, body, admin.actor)


@router.get("/{kind}/{id}", summary="Everything about one person", responses=raises(NoSuchPerson))
async def person(
    admin: AdminDep,
    runtime: RuntimeDep,
    kind: Annotated[RecordKind, Path(description="The kind of record.")],
    record_id: Annotated[RecordId, Path(alias="id", description="The record, by the id of its kind.")],
) -> PersonPage:
    """All records with how each link came about. The look itself is audited, once per administrator and hour."""
    page = await runtime.db.read(person_page, runtime.part(ActiveContexts).person_sources, RecordKey(kind, record_id))
    await runtime.db.write(service.note_view, page, admin.actor)
    return page
