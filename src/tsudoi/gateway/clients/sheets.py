"""The Google Sheets client: reads one sheet of a spreadsheet in slices, and writes single cells.

gspread and Google's log-in take half a second to import, so the first call that needs them imports them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.sheets_outcomes import (
    Denied,
    Failure,
    Missing,
    NumberedRow,
    RowsMoved,
    SheetsError,
    SheetsUnreachable,
)
from tsudoi.gateway.http import CallPolicy, HttpGateway, NoResponse, Pool

if TYPE_CHECKING:
    from tsudoi.gateway.clients.sheets_transport import SheetsTransport

T = TypeVar("T")

SHEET = "Members"
POLICY = CallPolicy(
    Pool("sheets", 4),
    timeout=timedelta(seconds=30),
    deadline=timedelta(seconds=90),
    attempts=3,
    largest_response=10 * 1024 * 1024,
)
_SCOPE = "https://www.googleapis.com/auth/spreadsheets"
_ROWS_AT_A_TIME = 5_000
_CELLS_AT_A_TIME = 2_000
_HTTP_UNAUTHORIZED, _HTTP_FORBIDDEN, _HTTP_NOT_FOUND = 401, 403, 404
_HTTP_BAD_REQUEST = 400


@dataclass(frozen=True, slots=True)
class SheetsConfig:
    """Which spreadsheet it is, and the key of the service account that may read it."""

    spreadsheet_id: str
    key_file: Path | None
    api_base: str

    @staticmethod
    def of(settings: Settings) -> "SheetsConfig":
        base = settings.sheets_api_base.rstrip("/")
        return SheetsConfig(settings.members_sheet_id or "", settings.google_service_account_file, base)


@dataclass(frozen=True, slots=True)
class CellUpdate:
    """A value for one cell; the place of its column is counted from 0."""

    row: int
    place: int
    value: str


@dataclass(frozen=True, slots=True)
class ColumnSlice:
    """Some rows of one column, and the column's header."""

    header: Any
    first: int
    cells: list[Any]

    def cell(self, row: int) -> Any:
        """None below the last cell that is not empty."""
        place = row - self.first
        return self.cells[place] if place < len(self.cells) else None


class SheetsClient:
    """Opens the spreadsheet of the roster as the service account."""

    def __init__(self, config: SheetsConfig, gateway: HttpGateway, policy: CallPolicy = POLICY) -> None:
        self._config = config
        self._gateway = gateway
        self._policy = policy

    def open(self, title: str = SHEET, *, to_write: bool = False) -> "OpenSheet | Failure":
        try:
            transport = self._transport(to_write=to_write)
            about = _asked(lambda: transport.fetch_sheet_metadata(self._config.spreadsheet_id))
            return OpenSheet(transport, self._config.spreadsheet_id, title, *_grid(about, title))
        except SheetsError as stop:
            return stop.failure

    def _transport(self, *, to_write: bool) -> "SheetsTransport":
        from google.oauth2.service_account import Credentials  # noqa: PLC0415

        from tsudoi.gateway.clients.sheets_transport import SheetsTransport  # noqa: PLC0415

        if not self._config.spreadsheet_id:
            raise SheetsError(Missing("MEMBERS_SHEET_ID が設定されていません / MEMBERS_SHEET_ID is not set"))
        info = _key(self._config.key_file)
        scope = _SCOPE if to_write else f"{_SCOPE}.readonly"
        try:
            credentials = Credentials.from_service_account_info(info, scopes=[scope])  # type: ignore[no-untyped-call]
        except (ValueError, KeyError, TypeError) as error:
            raise SheetsError(Denied(f"{_KEY_FILE}の中身が正しくありません / not a service account key")) from error
        return SheetsTransport(self._gateway, self._config.api_base, credentials, self._policy)


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """A sheet that exists, with its size."""

    _transport: "SheetsTransport"
    _id: str
    title: str
    row_count: int
    column_count: int

    def rows(self) -> Iterator[NumberedRow]:
        """Every row down to the last one that is not empty. Raises `SheetsError`."""
        last: list[Any] | None = None
        for start in range(1, self.row_count + 1, _ROWS_AT_A_TIME):
            # Each slice begins with the last row of the one before. If that differs, rows were inserted or deleted.
            first = start if last is None else start - 1
            found = self._slice(first, min(start + _ROWS_AT_A_TIME - 1, self.row_count))
            if last is not None:
                if (found[0] if found else []) != last:
                    raise SheetsError(RowsMoved(_ROWS_MOVED))
                found = found[1:]
            yield from enumerate(found, start)
            last = found[-1] if len(found) == _ROWS_AT_A_TIME else []
            del found  # Otherwise two slices would be in memory during the next call.

    def columns(self, places: Sequence[int], first: int, last: int) -> list[ColumnSlice] | Failure:
        """Read these rows of the columns and their headers with one call."""
        rows = ((1, 1), (first, last))
        ranges = [
            f"{self._quoted()}!{column_letters(p)}{top}:{column_letters(p)}{end}" for p in places for top, end in rows
        ]
        options: dict[str, Any] = {"majorDimension": "COLUMNS", "valueRenderOption": "UNFORMATTED_VALUE"}
        try:
            answer = _asked(lambda: self._transport.values_batch_get(self._id, ranges, options))
        except SheetsError as stop:
            return stop.failure
        found = [(each.get("values") or [[]])[0] for each in answer["valueRanges"]]
        return [
            ColumnSlice(head[0] if head else None, first, cells)
            for head, cells in zip(found[::2], found[1::2], strict=True)
        ]

    def fill(self, fills: Iterable[CellUpdate]) -> int | Failure:
        """Writes exactly these cells, as plain text: a name that looks like a formula stays a name."""
        done, source = 0, iter(fills)
        while some := list(islice(source, _CELLS_AT_A_TIME)):
            data = [
                {"range": f"{self._quoted()}!{column_letters(f.place)}{f.row}", "values": [[f.value]]} for f in some
            ]
            body = {"valueInputOption": "RAW", "data": data}
            try:
                _asked(lambda body=body: self._transport.values_batch_update(self._id, body))  # type: ignore[misc]
            except SheetsError as stop:
                return stop.failure
            done += len(some)
        return done

    def _slice(self, first: int, last: int) -> list[list[Any]]:
        wanted = f"{self._quoted()}!A{first}:{column_letters(self.column_count - 1)}{last}"
        answer = _asked(
            lambda: self._transport.values_get(self._id, wanted, {"valueRenderOption": "UNFORMATTED_VALUE"})
        )
        found: list[list[Any]] = answer.get("values", [])
        return found

    def _quoted(self) -> str:
        return "'" + self.title.replace("'", "''") + "'"


_KEY_FILE = "GOOGLE_SERVICE_ACCOUNT_FILE のファイル"
_ROWS_MOVED = (
    "読み取りの途中でシートの行が動きました。もう一度実行してください / rows moved while reading; run it again"
)


def column_letters(place: int) -> str:
    """0 is A, 25 is Z, 26 is AA."""
    place, last = divmod(place, 26)
    return (column_letters(place - 1) if place else "") + chr(ord("A") + last)


def _key(path: Path | None) -> dict[str, Any]:
    if path is None:
        raise SheetsError(Denied("GOOGLE_SERVICE_ACCOUNT_FILE が設定されていません / not set"))
    try:
        info = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SheetsError(Denied(f"{_KEY_FILE}を読めません / cannot be read: {path}")) from error
    if not isinstance(info, dict):
        raise SheetsError(Denied(f"{_KEY_FILE}の中身が正しくありません / not a service account key"))
    return info


def _grid(about: Any, title: str) -> tuple[int, int]:
    for sheet in about["sheets"]:
        properties = sheet["properties"]
        if properties["title"] == title:
            grid = properties["gridProperties"]
            return int(grid["rowCount"]), int(grid["columnCount"])
    raise SheetsError(Missing(f"シート「{title}」がありません / the spreadsheet has no sheet {title}"))


def _asked(question: Callable[[], Any]) -> Any:
    """The answer, or `SheetsError` with what went wrong."""
    from google.auth.exceptions import GoogleAuthError, RefreshError  # noqa: PLC0415
    from gspread.exceptions import APIError  # noqa: PLC0415

    try:
        return question()
    except NoResponse as silence:
        raise SheetsError(SheetsUnreachable(f"Google に接続できません / no answer: {silence}")) from silence
    except RefreshError as error:
        raise SheetsError(Denied(f"Google が鍵を受け付けません / the key was refused: {error.args[0]}")) from error
    except GoogleAuthError as error:
        raise SheetsError(SheetsUnreachable(f"Google にログインできません / no log-in: {error}")) from error
    except APIError as error:
        raise SheetsError(_refused(error.response.status_code, str(error.error.get("message", "")))) from error
    except (ValueError, KeyError, TypeError) as error:
        raise SheetsError(SheetsUnreachable("Google の返事を読み取れません / unreadable answer")) from error


def _refused(status: int, message: str) -> Failure:
    if status in (_HTTP_UNAUTHORIZED, _HTTP_FORBIDDEN):
        return Denied(
            "シートを読む権限がありません。サービスアカウントのメールアドレスにシートを共有してください"
            f" / not shared with the service account ({status}: {message})"
        )
    if status == _HTTP_NOT_FOUND:
        return Missing(f"スプレッドシートが見つかりません。MEMBERS_SHEET_ID を確認してください / not found ({message})")
    if status == _HTTP_BAD_REQUEST:
        return Missing(f"シートを読めません / the sheet cannot be read ({status}: {message})")
    return SheetsUnreachable(f"Google がエラーを返しました。時間をおいて実行してください / {status}: {message}")
