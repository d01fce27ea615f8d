"""Reads and writes the values of a spreadsheet by A1 ranges."""

from typing import Any
from urllib.parse import parse_qs

from tsudoi.sandbox import a1
from tsudoi.sandbox.a1 import BadRange, CellRange
from tsudoi.sandbox.errors import OAuthRefusal
from tsudoi.sandbox.google_login import GRANT
from tsudoi.sandbox.sheets_api.google_endpoint import GoogleEndpoint, GoogleRefusal, GoogleRequest
from tsudoi.sandbox.spreadsheets import Cell, OutsideGrid, Sheet, Spreadsheet
from tsudoi.sandbox.wire import base_url

_BOOLEANS = {"true": True, "false": False}
_LONGEST_CELL = 50_000


def token(request: GoogleRequest) -> Any:
    form = {name: values[0] for name, values in parse_qs(request.raw.decode("latin-1")).items()}
    if form.get("grant_type") != GRANT:
        raise OAuthRefusal("Invalid grant_type: ", "unsupported_grant_type")
    return request.world.google.exchange(form.get("assertion", ""), f"{base_url(request.http)}/token")


def about(request: GoogleRequest) -> Any:
    return request.spreadsheet().as_json()


def get_values(request: GoogleRequest) -> Any:
    return _values(request, request.spreadsheet(), request.path("range"))


def batch_get(request: GoogleRequest) -> Any:
    found = request.spreadsheet()
    ranges = request.http.query_params.getlist("ranges")
    return {"spreadsheetId": found.id, "valueRanges": [_values(request, found, wanted) for wanted in ranges]}


def put_values(request: GoogleRequest) -> Any:
    option = request.query("valueInputOption", "")
    return _write(request.spreadsheet(), {"range": request.path("range"), **request.json()}, option)


def batch_update(request: GoogleRequest) -> Any:
    """Like Google, this checks all of the data before it writes any of it."""
    found, body = request.spreadsheet(), request.json()
    data = body.get("data", [])
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        raise GoogleRefusal(400, "Invalid value at 'data'")
    option = str(body.get("valueInputOption", ""))
    for entry in data:
        _checked(found, entry, option)
    responses = [_write(found, entry, option) for entry in data]
    totals = {
        f"totalUpdated{what}": sum(answer[f"updated{what}"] for answer in responses)
        for what in ("Rows", "Columns", "Cells")
    }
    return {"spreadsheetId": found.id, **totals, "totalUpdatedSheets": min(1, len(responses)), "responses": responses}


def _values(request: GoogleRequest, found: Spreadsheet, wanted: str) -> dict[str, Any]:
    sheet, area = _located(found, wanted)
    area = _within(sheet, area)
    rows = sheet.read(area)
    if request.query("valueRenderOption", "FORMATTED_VALUE") == "FORMATTED_VALUE":
        rows = [[str(cell).upper() if isinstance(cell, bool) else str(cell) for cell in row] for row in rows]
    dimension = request.query("majorDimension", "ROWS")
    if dimension == "COLUMNS":
        rows = _transposed(rows)
    answer: dict[str, Any] = {"range": a1.name(sheet.title, area), "majorDimension": dimension}
    return {**answer, "values": rows} if rows else answer


def _located(found: Spreadsheet, wanted: Any) -> tuple[Sheet, CellRange]:
    try:
        area = a1.parse(str(wanted))
    except BadRange as error:
        raise GoogleRefusal(400, f"Unable to parse range: {wanted}") from error
    title = area.sheet if area.sheet is not None else next(iter(found.sheets), "")
    sheet = found.sheets.get(title)
    if sheet is None:
        raise GoogleRefusal(400, f"Unable to parse range: {wanted}")
    return sheet, area


def _within(sheet: Sheet, area: CellRange) -> CellRange:
    try:
        return sheet.clipped(area)
    except OutsideGrid as error:
        name = a1.name(sheet.title, CellRange(None, area.top, area.left, area.top, area.left))
        message = f"Range ({name}) exceeds grid limits. Max rows: {error.rows}, max columns: {error.columns}"
        raise GoogleRefusal(400, message) from error


def _transposed(rows: list[list[Cell]]) -> list[list[Cell]]:
    width = max(map(len, rows), default=0)
    columns: list[list[Cell]] = [[row[at] if at < len(row) else "" for row in rows] for at in range(width)]
    for column in columns:
        while column and column[-1] == "":
            column.pop()
    return columns


def _checked(found: Spreadsheet, entry: dict[str, Any], option: str) -> tuple[Sheet, CellRange, list[list[Any]]]:
    if option not in ("RAW", "USER_ENTERED"):
        raise GoogleRefusal(400, "'valueInputOption' is required but not specified")
    sheet, area = _located(found, entry.get("range"))
    area = _within(sheet, area)
    values = entry.get("values", [])
    if not isinstance(values, list) or not all(isinstance(row, list) and all(map(_is_cell, row)) for row in values):
        raise GoogleRefusal(400, "Invalid values")
    if entry.get("majorDimension", "ROWS") == "COLUMNS":
        values = [list(row) for row in zip(*values, strict=True)]
    return sheet, area, values


def _is_cell(value: Any) -> bool:
    return value is None or (isinstance(value, str | int | float) and len(str(value)) <= _LONGEST_CELL)


def _write(found: Spreadsheet, entry: dict[str, Any], option: str) -> dict[str, Any]:
    sheet, area, values = _checked(found, entry, option)
    if option == "USER_ENTERED":
        values = [[_entered(value) for value in row] for row in values]
    cells = sheet.write(area.top, area.left, values)
    width = max(map(len, values), default=0)
    end = CellRange(None, area.top, area.left, area.top + len(values) - 1, area.left + width - 1)
    return {
        "spreadsheetId": found.id,
        "updatedRange": a1.name(sheet.title, end),
        "updatedRows": len(values),
        "updatedColumns": width,
        "updatedCells": cells,
    }


def _entered(value: Any) -> Any:
    """The value as if a person had typed it: digits become a number."""
    if not isinstance(value, str):
        return value
    if value.lower() in _BOOLEANS:
        return _BOOLEANS[value.lower()]
    return int(value) if value.isascii() and value.isdigit() and str(int(value)) == value else value


_ONE = "/v4/spreadsheets/{id}"
ENDPOINTS = [
    GoogleEndpoint("POST", "/token", token, "google_token", open_to_all=True),
    GoogleEndpoint("GET", f"{_ONE}/values:batchGet", batch_get),
    GoogleEndpoint("POST", f"{_ONE}/values:batchUpdate", batch_update),
    GoogleEndpoint("GET", f"{_ONE}/values/{{range:path}}", get_values),
    GoogleEndpoint("PUT", f"{_ONE}/values/{{range:path}}", put_values),
    GoogleEndpoint("GET", _ONE, about),
]
