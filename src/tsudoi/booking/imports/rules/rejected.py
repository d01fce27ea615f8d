"""The refused rows of an import, as the table that the office mends and sends again. Pure."""

from collections.abc import Iterator

from tsudoi.booking.imports.rules.csv_file import REJECTED_COLUMNS, CsvFile
from tsudoi.booking.imports.rules.judging import JudgedRow
from tsudoi.core.csv_text import Cell

_REFUSED = ("skippedInvalid", "duplicateInFile")
# `web/admin/src/staffs/import.ts` says the same on the screen.
_REASONS = {
    "DUPLICATE_IN_FILE": "同じ職員番号が、このファイルに2回以上あります",
    "TOO_MANY_CELLS": "列の数が1行目より多い行です",
    "DEPARTMENT_UNKNOWN": "登録されていない部署です",
    "DEPARTMENT_INACTIVE": "使わなくなった部署です",
    "DEPARTMENT_AMBIGUOUS": "同じ名前の部署がいくつもあります。部署のコードで書いてください",
    "DEPARTMENT_INVALID_FORMAT": "部署のコードに使えない文字が入っています",
}
_COLUMNS = {
    "STAFF_ID": "職員番号",
    "NAME": "名前",
    "DEPARTMENT": "部署",
    "JOB_TITLE": "職種",
    "EMAIL": "メールアドレス",
}
_PROBLEMS = {
    "REQUIRED": "が空です",
    "NOT_DIGITS": "が半角の数字ではありません",
    "TOO_LONG": "が長すぎます",
    "CONTROL_CHARACTER": "に使えない文字が入っています",
    "INVALID_FORMAT": "の形が正しくありません",
}


def rejected_header(file: CsvFile) -> list[str]:
    return [*file.header, *REJECTED_COLUMNS]


def rejected_rows(file: CsvFile, judged: list[JudgedRow]) -> Iterator[list[Cell]]:
    """The refused rows with all their columns, then the number of the row and why it was refused.

    Cells beyond the header come last, because they would push these two out of their columns.
    """
    width = len(file.header)
    for one in judged:
        if one.status in _REFUSED:
            row = one.candidate.row
            cells = row.written[:width] + [""] * (width - len(row.written))
            yield [*cells, row.number, "。".join(map(reason_text, one.reasons)), *row.written[width:]]


def reason_text(code: str) -> str:
    """`STAFF_ID_NOT_DIGITS` is the column and what is wrong with it."""
    if code in _REASONS:
        return _REASONS[code]
    column = next(name for name in _COLUMNS if code.startswith(f"{name}_"))
    return _COLUMNS[column] + _PROBLEMS[code.removeprefix(f"{column}_")]
