import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, TypeAdapter
from starlette.datastructures import UploadFile
from starlette.responses import StreamingResponse

from tsudoi.access.api_description import raises
from tsudoi.access.downloads import download
from tsudoi.access.guard import AdminDep, RuntimeDep
from tsudoi.access.stepped_writes import SteppedWriteDep, WriteSteps
from tsudoi.booking.departments.errors import DepartmentsAddedMeanwhile
from tsudoi.booking.imports import service
from tsudoi.booking.imports.errors import StaffAddedMeanwhile
from tsudoi.booking.imports.queries import judged_rows
from tsudoi.booking.imports.rules.csv_file import CsvFile, read_csv
from tsudoi.booking.imports.rules.judging import ImportCandidate, candidates
from tsudoi.booking.imports.rules.rejected import rejected_header, rejected_rows
from tsudoi.booking.imports.schemas import ImportPreview, ImportResult, preview
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.pins.rules import INITIAL_PIN
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Detail, InvalidInput, TooLarge, UnsupportedMediaType
from tsudoi.core.export_file import ExportFile, csv_file

PATH = "/api/admin/staffs/import"
REJECTED_PATH = f"{PATH}/rejected"
LARGEST_FILE = 5_000_000

router = APIRouter(tags=["booking"])

_RESULT = TypeAdapter(ImportResult)
_FILE = {"type": "string", "description": "The CSV file, in UTF-8 or CP932."}
_EXAMPLE = "名前(漢字),本部ID(staffId),部署(コード),職種\r\n山田 太郎,446752,3A,看護師\r\n"
_BODY = {
    "required": True,
    "content": {
        "text/csv": {"schema": _FILE, "example": _EXAMPLE},
        "multipart/form-data": {
            "schema": {"type": "object", "required": ["file"], "properties": {"file": {**_FILE, "format": "binary"}}},
            "example": {"file": "職員.csv"},
        },
    },
}
CreateDepartments = Annotated[
    Literal["true", "false"],
    Query(
        alias="createDepartments",
        description="`true`: create the departments in `unknownDepartments` first, in the same transaction.",
    ),
]


@router.post(
    PATH,
    summary="Import staff from a CSV file",
    response_model=ImportPreview,
    responses={
        201: {"model": ImportResult, "description": "Imported."},
        **raises(StaffAddedMeanwhile, DepartmentsAddedMeanwhile, TooLarge, UnsupportedMediaType),
    },
    openapi_extra={"requestBody": _BODY},
)
async def import_staff(
    write: SteppedWriteDep,
    request: Request,
    dry_run: Annotated[
        Literal["true", "false"], Query(alias="dryRun", description="`true`: only say what would happen.")
    ],
    create_departments: CreateDepartments = "false",
) -> Response:
    """Columns 名前(漢字), 本部ID(staffId), 部署(コード), 職種, in any order, or what other programs call them.

    They call them 氏名, 職員名, 職員番号, 職員ID, 社員番号, 部署コード, 所属, 所属コード, 職名; a documented name wins.
    Used if they are there: メールアドレス; 姓カナ and 名カナ, or one of フリガナ, 氏名カナ, カナ; 部署名 or 所属名,
    which names new departments and finds those of a file without codes. Existing people are never changed.

    A dry run (200) changes nothing and keeps no key; an import (201) is one transaction. New people have the PIN 0000.
    """
    content = await _file_of(request)
    file, rows = await asyncio.to_thread(_read, content)
    creates = create_departments == "true"
    if dry_run == "true":
        body = await write.runtime.db.read(_preview, file, rows, creates)
        return Response(body, media_type="application/json")

    @asynccontextmanager
    async def prepare() -> AsyncIterator[Callable[[Tx], ImportResult]]:
        pin_hash = await write.runtime.part(PinHasher).hash(INITIAL_PIN, known=True)
        yield lambda tx: service.apply(tx, file, rows, pin_hash, write.admin.actor, create_departments=creates)

    async def response(result: ImportResult) -> BaseModel:
        return result

    return await replace(write, status=201).run(content, WriteSteps(prepare, _RESULT, response))


@router.post(
    REJECTED_PATH,
    summary="The refused rows of a CSV file",
    response_class=Response,
    responses={
        200: {
            "description": "A CSV file.",
            "content": {
                "text/csv": {
                    "schema": {"type": "string"},
                    "example": "名前(漢字),本部ID(staffId),部署(コード),職種,行,理由\r\n"
                    "山田 太郎,44a,3A,看護師,2,職員番号が半角の数字ではありません\r\n",
                }
            },
        },
        **raises(TooLarge, UnsupportedMediaType),
    },
    openapi_extra={"requestBody": _BODY},
)
async def rejected_staff(
    _admin: AdminDep,
    runtime: RuntimeDep,
    request: Request,
    create_departments: CreateDepartments = "false",
) -> StreamingResponse:
    """The rows that an import of this file refuses now, `skippedInvalid` and `duplicateInFile`, to be mended.

    All their columns, then 行 and 理由, in the encoding of the file (UTF-8 with a byte order mark). The file can be
    imported again; these two columns are then ignored. The query may be that of the import.
    """
    file, rows = await asyncio.to_thread(_read, await _file_of(request))
    found, day = await runtime.db.read(_rejected, file, rows, create_departments == "true")
    names = f"登録できない職員_{day}.csv", f"rejected_staffs_{day}.csv"
    charset = "utf-8" if file.encoding == "utf8" else "Shift_JIS"
    return download(found, names, f"text/csv; charset={charset}")


async def _file_of(request: Request) -> bytes:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == "text/csv":
        return await request.body()
    if media_type != "multipart/form-data":
        raise UnsupportedMediaType("CSVファイル（text/csv か multipart/form-data）で送ってください。")
    async with request.form(max_files=1, max_fields=10) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise InvalidInput("CSVファイルを選んでください。", [Detail("file", "REQUIRED")])
        return await file.read()


def _read(content: bytes) -> tuple[CsvFile, list[ImportCandidate]]:
    file = read_csv(content)
    return file, candidates(file)


def _preview(tx: ReadTx, file: CsvFile, rows: list[ImportCandidate], create_departments: bool) -> bytes:
    return preview(file, judged_rows(tx, rows, create_departments)).model_dump_json().encode()


def _rejected(
    tx: ReadTx, file: CsvFile, rows: list[ImportCandidate], create_departments: bool
) -> tuple[ExportFile, str]:
    """The file, and the day for its name."""
    judged = judged_rows(tx, rows, create_departments).rows
    return csv_file(rejected_header(file), rejected_rows(file, judged), file.encoding), jst_date(tx.now)
