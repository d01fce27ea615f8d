"""Reads the CSV file of the office: its encoding, its header, its cells. Pure."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tsudoi.booking.imports.errors import UnreadableFile, WrongColumns

MOST_ROWS = 20_000
# The columns that we use, by their names without brackets, and how the document writes them.
_KNOWN = {
    "名前": "name",
    "姓": "familyName",
    "名": "givenName",
    "本部id": "staffId",
    "staffid": "staffId",
    "部署": "departmentId",
    "職種": "jobTitle",
    # Optional. The document names a column `Email` that is ignored, so this one has another name.
    "メールアドレス": "email",
}
_WRITTEN = {
    "name": "名前(漢字)",
    "staffId": "本部ID(staffId)",
    "departmentId": "部署(コード)",
    "jobTitle": "職種",
    "familyName": "姓",
    "givenName": "名",
    "email": "メールアドレス",
}
_IGNORED = frozenset(
    {
        "役職", "部会", "部会管理", "機種", "入職日", "ログイン時刻",
        "ロック", "電話登録", "email", "管理者ロール", "ユーザー権限", "設定",
    }
)  # fmt: skip
_BRACKETED = re.compile(r"\([^()]*\)")
# Both far above what an office has. They bound the work on the first line, which comes before any other check.
_MOST_COLUMNS = 200
_LONGEST_COLUMN_NAME = 200
# Excel keeps leading zeros only in a formula such as `="00123"`.
_EXCEL_TEXT = re.compile(r'="(.*)"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One row: its number in the file (the header is 1), the cells that we use, and whether it has too many cells."""

    number: int
    cells: dict[str, str]
    overlong: bool


@dataclass(frozen=True, slots=True)
class CsvFile:
    """The rows of a file, and the names of the columns that nobody knows."""

    rows: list[CsvRow]
    unknown_columns: list[str]


def read_csv(content: bytes) -> CsvFile:
    """Read the file as UTF-8, or as CP932 where it is not UTF-8 or its header makes no sense as UTF-8.

    A short CP932 file can be valid UTF-8 by accident. The header always has Japanese names, so it decides.
    """
    if b"\0" in content:
        message = (
            "CSVファイルとして読み取れません。「CSV UTF-8（コンマ区切り）」で保存してから、もう一度お試しください。"
        )
        raise UnreadableFile("NUL_CHARACTER", message)
    utf8, cp932 = _decoded(content, "utf-8-sig"), _decoded(content, "cp932")
    for text in (utf8, cp932):
        if text is not None and _knows_header(text):
            return _read_text(text)
    if utf8 is None:
        message = "文字コードを判別できません。UTF-8かShift_JIS（CP932）で保存してから、もう一度お試しください。"
        raise UnreadableFile("UNKNOWN_ENCODING", message)
    return _read_text(utf8)  # This raises, and names the columns that are missing.


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _knows_header(text: str) -> bool:
    header = next(_records(text), (1, []))[1]
    _refuse_oversized(header)
    return any(_column_key(cell) in _KNOWN for cell in header)


def _read_text(text: str) -> CsvFile:
    records = _records(text)
    header = next(records, None)
    if header is None:
        raise UnreadableFile("EMPTY", "ファイルが空です。1行目に列の名前を入れてください。")
    names = [_KNOWN.get(_column_key(cell)) for cell in header[1]]
    _refuse_wrong([name for name in names if name is not None])
    rows = [_row(number, cells, names) for number, cells in records]
    unknown = [
        cell.strip()
        for cell, name in zip(header[1], names, strict=True)
        if name is None and cell.strip() and _column_key(cell) not in _IGNORED
    ]
    return CsvFile(rows, unknown)


def _records(text: str) -> Iterator[tuple[int, list[str]]]:
    """The records with their numbers. Empty lines count, because Excel counts them, but are no records."""
    count = 0
    try:
        for number, cells in enumerate(csv.reader(io.StringIO(text, newline=""), strict=True), start=1):
            if not cells:
                continue
            count += 1
            if count > MOST_ROWS + 1:
                raise UnreadableFile(
                    "TOO_MANY_ROWS", f"一度に取り込めるのは{MOST_ROWS:,}行までです。分けて取り込んでください。"
                )
            yield number, cells
    except csv.Error:
        message = 'CSVファイルの引用符（"）の組み合わせが正しくありません。保存し直してから、もう一度お試しください。'
        raise UnreadableFile("INVALID_CSV", message) from None


def _column_key(cell: str) -> str:
    return _BRACKETED.sub("", unicodedata.normalize("NFKC", cell)).strip().casefold()


def _refuse_oversized(header: list[str]) -> None:
    """Before anything else is done with the names of the columns."""
    if len(header) > _MOST_COLUMNS:
        message = f"列が多すぎます（{_MOST_COLUMNS}列まで）。1行目に列の名前があるか、確かめてください。"
        raise UnreadableFile("TOO_MANY_COLUMNS", message)
    if any(len(cell) > _LONGEST_COLUMN_NAME for cell in header):
        message = f"列の名前が長すぎます（{_LONGEST_COLUMN_NAME}文字まで）。1行目に列の名前があるか、確かめてください。"
        raise UnreadableFile("COLUMN_NAME_TOO_LONG", message)


def _refuse_wrong(names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise WrongColumns("同じ列が2つ以上あります", [_WRITTEN[name] for name in twice], "DUPLICATE")
    needed = ["staffId", "departmentId", "jobTitle"]
    if not {"familyName", "givenName"} <= set(names):
        needed.insert(0, "name")
    missing = [_WRITTEN[name] for name in needed if name not in names]
    if missing:
        raise WrongColumns("必要な列がありません。1行目に列の名前を入れてください", missing, "REQUIRED")


def _row(number: int, cells: list[str], names: list[str | None]) -> CsvRow:
    values = [_value(cell) for cell in cells]
    padded = values + [""] * (len(names) - len(values))
    used = {name: value for name, value in zip(names, padded, strict=False) if name is not None}
    return CsvRow(number, used, overlong=any(values[len(names) :]))


def _value(cell: str) -> str:
    text = cell.strip()
    excel = _EXCEL_TEXT.fullmatch(text)
    return excel.group(1).strip() if excel else text
