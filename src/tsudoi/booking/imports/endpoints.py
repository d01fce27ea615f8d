import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, TypeAdapter
from starlette.datastructures import UploadFile

from tsudoi.access.api_description import raises
from tsudoi.access.stepped_writes import SteppedWriteDep, WriteSteps
from tsudoi.booking.imports import service
from tsudoi.booking.imports.errors import StaffAddedMeanwhile
from tsudoi.booking.imports.queries import judged_rows
from tsudoi.booking.imports.rules.csv_file import CsvFile, read_csv
from tsudoi.booking.imports.rules.judging import ImportCandidate, candidates
from tsudoi.booking.imports.schemas import ImportPreview, ImportResult, preview
from tsudoi.booking.pins.jobs import PinHasher
from tsudoi.booking.pins.rules import INITIAL_PIN
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Detail, InvalidInput, TooLarge, UnsupportedMediaType

PATH = "/api/admin/staffs/import"
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


@router.post(
    PATH,
    summary="Import staff from a CSV file",
    response_model=ImportPreview,
    responses={
        201: {"model": ImportResult, "description": "Imported."},
        **raises(StaffAddedMeanwhile, TooLarge, UnsupportedMediaType),
    },
    openapi_extra={"requestBody": _BODY},
)
async def import_staff(
    write: SteppedWriteDep,
    request: Request,
    dry_run: Annotated[
        Literal["true", "false"], Query(alias="dryRun", description="`true`: only say what would happen.")
    ],
) -> Response:
    """Columns 名前(漢字), 本部ID(staffId), 部署(コード), 職種 and, if there is one, メールアドレス, in any order.

    Existing people are never changed.

    A dry run (200) changes nothing and keeps no key; an import (201) is one transaction. New people have the PIN 0000.
    """
    content = await _file_of(request)
    file, rows = await asyncio.to_thread(_read, content)
    if dry_run == "true":
        body = await write.runtime.db.read(_preview, file, rows)
        return Response(body, media_type="application/json")

    @asynccontextmanager
    async def prepare() -> AsyncIterator[Callable[[Tx], ImportResult]]:
        pin_hash = await write.runtime.part(PinHasher).hash(INITIAL_PIN, known=True)
        yield lambda tx: service.apply(tx, file, rows, pin_hash, write.admin.actor)

    async def response(result: ImportResult) -> BaseModel:
        return result

    return await replace(write, status=201).run(content, WriteSteps(prepare, _RESULT, response))


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


def _preview(tx: ReadTx, file: CsvFile, rows: list[ImportCandidate]) -> bytes:
    return preview(file, judged_rows(tx, rows)).model_dump_json().encode()
