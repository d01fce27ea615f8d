"""What the office does with its spreadsheets: reading, writing, sharing and deleting them."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tsudoi.sandbox.control_api.requests import ControlRequest, Fields, control, refuse_other_origins
from tsudoi.sandbox.errors import Refusal, not_found
from tsudoi.sandbox.spreadsheets import Cell
from tsudoi.sandbox.wire import OrjsonResponse, parse_json, read_body, world_of

# A roster of a hundred thousand rows is put into the sandbox with one request.
_SHEET_BYTES = 64 * 1024 * 1024


async def key_file(request: ControlRequest) -> Response:
    return OrjsonResponse(request.world.google.key_file(request.base_url))


async def get_sheet(request: ControlRequest) -> Response:
    found = request.world.spreadsheets.get(request.path("id"))
    sheet = found.sheets.get(request.path("sheet")) if found else None
    if found is None or sheet is None:
        raise not_found("No such sheet")
    return OrjsonResponse({"rows": sheet.rows, "shared": found.shared})


async def put_sheet(request: Request) -> Response:
    """`{"rows": [[…], …], "shared": true}`: replaces the whole sheet, and creates it if necessary."""
    try:
        world = world_of(request)
        refuse_other_origins(request, world)
        body = Fields(parse_json(await read_body(request, _SHEET_BYTES)))
        rows = [_cells(row) for row in body.entries("rows")]
        found = world.spreadsheets.make(request.path_params["id"])
        found.put(request.path_params["sheet"], rows)
        found.shared = body.flag("shared") if "shared" in body else True
    except Refusal as refusal:
        return OrjsonResponse(refusal.body(), refusal.status)
    return Response(status_code=204)


def _cells(row: Any) -> list[Cell]:
    if not isinstance(row, list) or not all(cell is None or isinstance(cell, str | int | float) for cell in row):
        raise Refusal(400, "'rows' must be lists of texts, numbers and booleans")
    return ["" if cell is None else cell for cell in row]


async def delete_sheet(request: ControlRequest) -> Response:
    found = request.world.spreadsheets.get(request.path("id"))
    if found is not None:
        found.sheets.pop(request.path("sheet"), None)
    return Response(status_code=204)


async def delete_spreadsheet(request: ControlRequest) -> Response:
    request.world.spreadsheets.by_id.pop(request.path("id"), None)
    return Response(status_code=204)


async def forget_tokens(request: ControlRequest) -> Response:
    request.world.google.forget_tokens()
    return Response(status_code=204)


ROUTES = [
    control("GET", "/sheets/service-account.json", key_file),
    control("DELETE", "/sheets/tokens", forget_tokens),
    control("GET", "/sheets/{id}/{sheet}", get_sheet),
    Route("/_sandbox/sheets/{id}/{sheet}", put_sheet, methods=["PUT"], name="PUT /sheets"),
    control("DELETE", "/sheets/{id}/{sheet}", delete_sheet),
    control("DELETE", "/sheets/{id}", delete_spreadsheet),
]
