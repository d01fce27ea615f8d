from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, RuntimeDep
from tsudoi.access.principals import Admin
from tsudoi.access.registration import ActiveContexts
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import ChangedMeanwhile
from tsudoi.core.person_data import ErasureOrder
from tsudoi.core.person_records import RecordKey, RecordKind
from tsudoi.core.runtime import Runtime
from tsudoi.roster.people.errors import NoSuchPerson
from tsudoi.roster.people.schemas import RecordId
from tsudoi.roster.personal_data import queries, service
from tsudoi.roster.personal_data.errors import CannotErase
from tsudoi.roster.personal_data.schemas import ErasurePlan, ErasureRequest, ErasureResult

router = APIRouter(prefix="/api/admin/people", tags=["people"], route_class=TransactionRoute)

Kind = Annotated[RecordKind, Path(description="The kind of record.")]
_EXPORT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A JSON file: `made_at`, `records`, and `tables` with their rows.",
        "content": {"application/json": {"schema": {"type": "object"}, "example": {"records": [], "tables": []}}},
    }
}


@router.get(
    "/{kind}/{id}/export",
    summary="Everything that is stored about one person",
    response_class=Response,
    responses={**_EXPORT, **raises(NoSuchPerson)},
)
async def export(
    admin: AdminDep,
    runtime: RuntimeDep,
    kind: Kind,
    record_id: Annotated[RecordId, Path(alias="id", description="The record, by the id of its kind.")],
) -> Response:
    """For a person who asks what is stored about them. The export is audited before it is handed out."""
    key, active = RecordKey(kind, record_id), runtime.part(ActiveContexts)
    found = await runtime.db.read(queries.export_of, active.person_sources, active.person_tables, key)
    await runtime.db.write(service.note_export, key, admin.actor)
    headers = {
        "Content-Disposition": f'attachment; filename="person-{kind}-{record_id}.json"',
        "Cache-Control": "no-store",
    }
    return Response(orjson.dumps(found, option=orjson.OPT_INDENT_2), headers=headers, media_type="application/json")


@router.get("/{kind}/{id}/erasure", summary="What erasing one person would do", responses=raises(NoSuchPerson))
def plan(
    tx: ReadTx,
    _admin: Admin,
    runtime: Runtime,
    kind: Kind,
    record_id: Annotated[RecordId, Path(alias="id", description="The record, by the id of its kind.")],
) -> ErasurePlan:
    """The rows of each table, and what becomes of them. Nothing is changed."""
    active = runtime.part(ActiveContexts)
    return queries.erasure_plan(tx, active.person_sources, active.person_tables, RecordKey(kind, record_id))


@router.post(
    "/{kind}/{id}/erasure",
    summary="Erase the personal data of one person",
    responses=raises(NoSuchPerson, CannotErase, ChangedMeanwhile),
)
def erase(
    tx: Tx,
    admin: Admin,
    runtime: Runtime,
    kind: Kind,
    record_id: Annotated[RecordId, Path(alias="id", description="The record, by the id of its kind.")],
    body: ErasureRequest,
) -> ErasureResult:
    """Names, addresses, texts and LINE ids go, and cannot be brought back. Counts, the trail and backups stay.

    409 `CANNOT_ERASE`: something has to be done first. 409 `CHANGED_MEANWHILE`: the plan is no longer the one shown.
    """
    active, order = runtime.part(ActiveContexts), ErasureOrder(body.reason.strip(), admin.actor)
    tables = active.person_tables
    done = service.erase(
        tx, active.person_sources, tables, RecordKey(kind, record_id), order, expected_rows=body.expected_rows
    )
    return ErasureResult(tables=done.tables)
