"""Reads the CSV file of the office: its encoding, its header, its cells. Pure."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tsudoi.booking.imports.errors import UnreadableFile, WrongColumns
from tsudoi.core.csv_text import CsvEncoding, bare

MOST_ROWS = 20_000
# What a rejected row has after its own columns (`rejected.py`). When such a file comes back, these say nothing.
REJECTED_COLUMNS = ("行", "理由")
# The columns that we use, by their names without brackets and white space, and how the document writes them.
_DOCUMENTED = {
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
# What the lists of other programs call them. A documented name beside it wins.
_SYNONYMS = {
    "氏名": "name",
    "職員名": "name",
    "職員番号": "staffId",
    "職員id": "staffId",
    "社員番号": "staffId",
    "部署コード": "departmentId",
    "所属": "departmentId",
    "所属コード": "departmentId",
    "職名": "jobTitle",
    "部署名": "departmentName",
    "所属名": "departmentName",
    "姓カナ": "familyNameKana",
    "名カナ": "givenNameKana",
    "フリガナ": "kana",
    "氏名カナ": "kana",
    "カナ": "kana",
}
_KNOWN = {**_DOCUMENTED, **_SYNONYMS}
# Here the bracket is not a remark: it says that this is the reading and not the name.
_READING = re.compile(r"(名前|氏名|職員名)\((カナ|フリガナ)\)")
_WRITTEN = {
    "name": "名前(漢字)",
    "staffId": "本部ID(staffId)",
    "departmentId": "部署(コード)",
    "jobTitle": "職種",
    "familyName": "姓",
    "givenName": "名",
    "email": "メールアドレス",
    "departmentName": "部署名",
    "familyNameKana": "姓カナ",
    "givenNameKana": "名カナ",
    "kana": "フリガナ",
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
    # All its cells, in the order of the file, for a file that is given back.
    written: list[str]


@dataclass(frozen=True, slots=True)
class CsvFile:
    """The rows of a file, and the names of the columns that nobody knows."""

    rows: list[CsvRow]
    unknown_columns: list[str]
    # Synonyms beside the documented name that won, each with that name.
    overruled_columns: list[tuple[str, str]]
    header: list[str]
    encoding: CsvEncoding


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
    readings: tuple[tuple[CsvEncoding, str | None], ...] = (("utf8", utf8), ("cp932", cp932))
    for encoding, text in readings:
        if text is not None and _knows_header(text):
            return _read_text(text, encoding)
    if utf8 is None:
        message = "文字コードを判別できません。UTF-8かShift_JIS（CP932）で保存してから、もう一度お試しください。"
        raise UnreadableFile("UNKNOWN_ENCODING", message)
    return _read_text(utf8, "utf8")  # This raises, and names the columns that are missing.


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _knows_header(text: str) -> bool:
    header = next(_records(text), (1, []))[1]
    _refuse_oversized(header)
    return any(_column_key(cell) in _KNOWN for cell in header)


def _read_text(text: str, encoding: CsvEncoding) -> CsvFile:
    records = _records(text)
    first = next(records, None)
    if first is None:
        raise UnreadableFile("EMPTY", "ファイルが空です。1行目に列の名前を入れてください。")
    header = first[1]
    given_back = tuple(map(_column_key, header[-len(REJECTED_COLUMNS) :])) == REJECTED_COLUMNS
    width = len(header) - len(REJECTED_COLUMNS) if given_back else len(header)
    dropped = slice(width, len(header))
    del header[dropped]
    keys = [_column_key(cell) for cell in header]
    names, overruled = _columns(keys)
    _refuse_wrong([name for name in names if name is not None])
    rows = []
    for number, cells in records:
        del cells[dropped]
        rows.append(_row(number, cells, names))
    columns = [cell.strip() for cell in header]
    unknown = [
        column
        for column, key in zip(columns, keys, strict=True)
        if column and key not in _KNOWN and key not in _IGNORED
    ]
    beside = [(columns[index], _WRITTEN[_KNOWN[keys[index]]]) for index in overruled]
    return CsvFile(rows, unknown, beside, header, encoding)


def _columns(keys: list[str]) -> tuple[list[str | None], list[int]]:
    """What each column is, and which synonyms are not used because the documented name stands beside them."""
    documented = {_DOCUMENTED[key] for key in keys if key in _DOCUMENTED}
    overruled = [index for index, key in enumerate(keys) if _SYNONYMS.get(key) in documented]
    return [None if index in overruled else _KNOWN.get(key) for index, key in enumerate(keys)], overruled


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
    """People widen a heading with spaces, as in 「氏　名」."""
    name = "".join(unicodedata.normalize("NFKC", cell).split())
    return "フリガナ" if _READING.fullmatch(name) else _BRACKETED.sub("", name).casefold()


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
    needed = ["staffId", "jobTitle"]
    if "departmentName" not in names:
        needed.insert(1, "departmentId")
    if not {"familyName", "givenName"} <= set(names):
        needed.insert(0, "name")
    missing = [_WRITTEN[name] for name in needed if name not in names]
    if missing:
        raise WrongColumns("必要な列がありません。1行目に列の名前を入れてください", missing, "REQUIRED")


def _row(number: int, cells: list[str], names: list[str | None]) -> CsvRow:
    values = [_value(cell) for cell in cells]
    padded = values + [""] * (len(names) - len(values))
    used = {name: value for name, value in zip(names, padded, strict=False) if name is not None}
    return CsvRow(number, used, any(values[len(names) :]), values)


def _value(cell: str) -> str:
    text = bare(cell.strip())
    excel = _EXCEL_TEXT.fullmatch(text)
    return excel.group(1).strip() if excel else text
