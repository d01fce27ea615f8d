from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import TypeAdapter
from starlette.responses import StreamingResponse

from tsudoi.access.api_description import raises
from tsudoi.access.downloads import XLSX, download
from tsudoi.access.guard import AdminDep, DatabaseDep, require_json
from tsudoi.access.principals import Admin
from tsudoi.access.stepped_writes import SteppedWrite, SteppedWriteDep, WriteSteps
from tsudoi.booking.accounts import service
from tsudoi.booking.accounts.errors import AlreadyMasked, NotLeft
from tsudoi.booking.accounts.queries import export
from tsudoi.booking.accounts.queries import people as queries
from tsudoi.booking.accounts.rules import StaffFilters, State, Status
from tsudoi.booking.accounts.schemas import (
    NewStaff,
    ReasonGiven,
    RegistrationCodeItem,
    StaffChange,
    StaffDetail,
    StaffItem,
    StaffPage,
    UnlockRequest,
    UnlockResult,
)
from tsudoi.booking.lists import Cursor, Limit, SearchWords
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.pins.rules import INITIAL_PIN
from tsudoi.booking.staffs.errors import EmrPatientIdTaken, StaffIdTaken, StaleStaff
from tsudoi.core.csv_text import CsvEncoding
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.runtime import Runtime
from tsudoi.notifications.notifying_route import NotifyingRoute

router = APIRouter(prefix="/api/admin/staffs", tags=["booking"], route_class=NotifyingRoute)

StaffUid = Annotated[str, Path(max_length=64, pattern="^[^\\x00]*$", description="The person, by `staffUid`.")]
DepartmentFilter = Annotated[
    str | None, Query(alias="departmentId", max_length=100, pattern="^[^\\x00]*$", description="Only this department.")
]
StatusFilter = Annotated[Status | None, Query(description="Only people with this status.")]
StateFilter = Annotated[State | None, Query(description="Only people whose account is in this state.")]
_RESULT = TypeAdapter(str)


def _filters(
    words: SearchWords = "",
    department_id: DepartmentFilter = None,
    status: StatusFilter = None,
    state: StateFilter = None,
) -> StaffFilters:
    return StaffFilters(words, department_id, status, state)


@router.get("", summary="Staff")
def staffs(
    tx: ReadTx,
    _admin: Admin,
    words: SearchWords = "",
    department_id: DepartmentFilter = None,
    status: StatusFilter = None,
    state: StateFilter = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> StaffPage:
    """Everybody by staff id. `q` finds parts of the name, the reading and the number, in any width and case."""
    return queries.staff_page(tx, StaffFilters(words, department_id, status, state), limit, cursor)


@router.post(
    "",
    status_code=201,
    summary="Register one person",
    response_model=StaffItem,
    dependencies=[Depends(require_json)],
    responses=raises(StaffIdTaken, EmrPatientIdTaken),
)
async def create(write: SteppedWriteDep, request: Request, body: NewStaff) -> Response:
    """The PIN is 0000; it opens nothing but the change of it, and works for 30 days."""
    return await _with_initial_pin(
        write, await request.body(), lambda tx, pin_hash: service.create_staff(tx, body, pin_hash, write.admin.actor)
    )


@router.post("/unlock", summary="Unlock several people")
def unlock_all(tx: Tx, admin: Admin, body: UnlockRequest) -> UnlockResult:
    """Those who are not locked are left alone. Each unlocked account is audited."""
    return UnlockResult(unlocked=service.unlock(tx, body.staff_uids, body.reason, admin.actor))


@router.get("/registration-code", summary="The code for self-registration")
def registration_code(tx: ReadTx, _admin: Admin, runtime: Runtime) -> RegistrationCodeItem:
    """The newest code. It is asked for only while `STAFF_SELF_REGISTRATION` is `code`."""
    empty = {"code": None, "created_at": None, "created_by": None}
    found = queries.newest_registration_code(tx) or empty
    return RegistrationCodeItem.model_validate({**found, "self_registration": runtime.settings.staff_self_registration})


@router.post("/registration-code", status_code=201, summary="Make a new code for self-registration")
def rotate_registration_code(tx: Tx, admin: Admin, runtime: Runtime) -> RegistrationCodeItem:
    """The code before it no longer counts."""
    service.rotate_registration_code(tx, admin.actor)
    return registration_code(tx, admin, runtime)


@router.get(
    "/export",
    summary="Staff as a file",
    response_class=Response,
    responses={
        200: {
            "description": "The file.",
            "content": {
                "text/csv": {
                    "schema": {"type": "string"},
                    "example": "本部ID(staffId),名前(漢字)\r\n446752,山田 太郎\r\n",
                },
                XLSX: {"schema": {"type": "string", "format": "binary"}, "example": "(a workbook)"},
            },
        }
    },
)
async def export_staff(
    admin: AdminDep,
    db: DatabaseDep,
    filters: Annotated[StaffFilters, Depends(_filters)],
    file_format: Annotated[Literal["csv", "xlsx"], Query(alias="format", description="Kind of file.")] = "csv",
    encoding: Annotated[CsvEncoding, Query(description="Of a CSV file.")] = "utf8",
    sex_code: Annotated[
        Literal["iso5218"] | None, Query(alias="sexCode", description="`iso5218`: write the codes of ISO 5218.")
    ] = None,
) -> StreamingResponse:
    """The people of the list, in the order of the list, with headings that the import understands. It is audited."""
    names = await db.write(service.note_export, filters, file_format, admin.actor)
    if file_format == "xlsx":
        return download(await db.read(export.staff_xlsx, filters, sex_code == "iso5218"), names, XLSX)
    charset = "utf-8" if encoding == "utf8" else "Shift_JIS"
    file = await db.read(export.staff_csv, filters, sex_code == "iso5218", encoding)
    return download(file, names, f"text/csv; charset={charset}")


@router.get("/{staff_uid}", summary="One person")
def staff(tx: ReadTx, _admin: Admin, staff_uid: StaffUid) -> StaffDetail:
    """With the newest sessions and the addresses that they came from."""
    return queries.staff_detail(tx, staff_uid)


@router.patch(
    "/{staff_uid}",
    summary="Change one person",
    responses=raises(StaleStaff, StaffIdTaken, EmrPatientIdTaken, AlreadyMasked),
)
def change(tx: Tx, admin: Admin, staff_uid: StaffUid, body: StaffChange) -> StaffItem:
    """Needs `version` and `reason`. A new `staffId`, `emrPatientId` or `status` ends all sessions of the person.

    `status` `left` cancels the future reservations. 409 `CHANGED_MEANWHILE` if the version is not the current one.
    """
    service.change_staff(tx, staff_uid, body, admin.actor)
    return queries.staff_item(tx, staff_uid)


@router.post("/{staff_uid}/unlock", summary="Unlock one person")
def unlock(tx: Tx, admin: Admin, staff_uid: StaffUid, body: ReasonGiven) -> StaffItem:
    """After five wrong PINs only this unlocks the account. The PIN stays the same."""
    service.unlock(tx, [staff_uid], body.reason, admin.actor)
    return queries.staff_item(tx, staff_uid)


@router.post(
    "/{staff_uid}/pin-reset",
    summary="Reset the PIN of one person",
    response_model=StaffItem,
    dependencies=[Depends(require_json)],
)
async def reset_pin(write: SteppedWriteDep, request: Request, staff_uid: StaffUid, body: ReasonGiven) -> Response:
    """The PIN is 0000 again, the account is unlocked, and all sessions end."""
    reason, actor = body.reason, write.admin.actor
    return await _with_initial_pin(
        write, await request.body(), lambda tx, pin_hash: service.reset_pin(tx, staff_uid, pin_hash, reason, actor)
    )


@router.post("/{staff_uid}/confirm", summary="Confirm a self-registered person")
def confirm(tx: Tx, admin: Admin, staff_uid: StaffUid) -> StaffItem:
    """The office knows this person. To turn a stranger away, set the status to `left`."""
    service.confirm(tx, staff_uid, admin.actor)
    return queries.staff_item(tx, staff_uid)


@router.post("/{staff_uid}/mask", summary="Mask a person who left", responses=raises(NotLeft))
def mask(tx: Tx, admin: Admin, staff_uid: StaffUid, body: ReasonGiven) -> StaffItem:
    """Removes names, birth date, sex, patient id, LINE link, mail address and device data; reservations stay."""
    service.mask(tx, staff_uid, body.reason, admin.actor)
    return queries.staff_item(tx, staff_uid)


@router.delete("/{staff_uid}/line-link", status_code=204, summary="Undo the LINE link of one person")
def unlink_line(tx: Tx, admin: Admin, staff_uid: StaffUid) -> None:
    """The person can link again."""
    service.unlink_line(tx, staff_uid, admin.actor)


async def _with_initial_pin(write: SteppedWrite, content: bytes, verb: Callable[[Tx, str], str]) -> Response:
    """Hash the initial PIN outside of the transaction, because that takes a quarter of a second."""

    @asynccontextmanager
    async def prepare() -> AsyncIterator[Callable[[Tx], str]]:
        pin_hash = await write.runtime.part(PinHasher).hash(INITIAL_PIN, known=True)
        yield lambda tx: verb(tx, pin_hash)

    async def person(staff_uid: str) -> Any:
        return await write.runtime.db.read(queries.staff_item, staff_uid)

    return await write.run(content, WriteSteps(prepare, _RESULT, person))
