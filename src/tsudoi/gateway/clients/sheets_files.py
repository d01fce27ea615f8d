"""The roster as a file: CSV as spreadsheets save it, or XLSX. Gives the same rows as the sheet itself."""

import csv
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from tsudoi.gateway.clients.sheets_outcomes import BadFile, NumberedRow, SheetsError

MOST_ROWS = 200_000
_MOST_COLUMNS = 200
_LONGEST_CELL = 50_000
_LARGEST_FILE = 100 * 1024 * 1024
_LARGEST_UNPACKED = 600 * 1024 * 1024
_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_ENCODINGS = ("utf-8-sig", "cp932")
_BROKEN_XLSX = (
    zipfile.BadZipFile,
    zlib.error,
    ParseError,
    OSError,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    IndexError,
)


def file_rows(path: Path, sheet: str) -> Iterator[NumberedRow]:
    """The first bytes of the file decide its format, not its name. Raises `SheetsError`."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise SheetsError(BadFile(f"ファイルが大きすぎます / the file is too large: {path}"))
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        raise SheetsError(BadFile(f"ファイルを開けません / cannot be opened: {path}")) from error
    if start == _OLD_OFFICE:
        raise SheetsError(
            BadFile(
                "古い形式かパスワード付きのファイルです。.xlsx か .csv で保存し直してください / save as .xlsx or .csv"
            )
        )
    yield from _guarded(_xlsx(path, sheet) if start == _ZIP else _csv(path))


def _guarded(rows: Iterator[list[Any]]) -> Iterator[NumberedRow]:
    for number, cells in enumerate(rows, 1):
        if number > MOST_ROWS:
            raise SheetsError(BadFile(f"行が多すぎます（{MOST_ROWS:,}行まで）/ more than {MOST_ROWS:,} rows"))
        if any(isinstance(cell, str) and len(cell) > _LONGEST_CELL for cell in cells):
            raise SheetsError(BadFile(f"{number}行目に長すぎるセルがあります / a cell of row {number} is too long"))
        yield number, cells


def _csv(path: Path) -> Iterator[list[Any]]:
    encoding = _encoding(path)
    with path.open(encoding=encoding, newline="") as file:
        try:
            yield from csv.reader(file)
        except csv.Error as error:
            raise SheetsError(BadFile(f"CSV を読み取れません / not a CSV file: {error}")) from error


def _encoding(path: Path) -> str:
    """UTF-8 if the whole file is valid UTF-8, otherwise cp932, which Excel on Japanese Windows writes."""
    for encoding in _ENCODINGS:
        try:
            with path.open(encoding=encoding, newline="") as file:
                while file.read(1 << 20):
                    continue
        except UnicodeDecodeError:
            continue
        return encoding
    raise SheetsError(BadFile("文字コードが UTF-8 でも Shift_JIS でもありません / neither UTF-8 nor Shift_JIS"))


def _xlsx(path: Path, sheet: str) -> Iterator[list[Any]]:
    from tsudoi.gateway.clients.sheets_xlsx import opened  # noqa: PLC0415 (openpyxl is slow to import)

    try:
        with zipfile.ZipFile(path) as packed:
            if sum(part.file_size for part in packed.infolist()) > _LARGEST_UNPACKED:
                raise SheetsError(BadFile("ファイルが大きすぎます / the file is too large when unpacked"))
        with warnings.catch_warnings(action="ignore"), path.open("rb") as file, opened(file) as book:
            found = book[sheet] if sheet in book.sheetnames else book.worksheets[0]
            # Some programs write a wrong size into the file, so the size is not used.
            found.reset_dimensions()
            for cells in found.iter_rows(values_only=True):
                yield list(cells[:_MOST_COLUMNS])
    except _BROKEN_XLSX as error:
        raise SheetsError(BadFile(f"XLSX を読み取れません / not a readable XLSX file: {path}")) from error
