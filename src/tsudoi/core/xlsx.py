"""A workbook of one sheet, written row by row. Text stays text: nothing in it is ever a formula.

The library makes the book and its first row; the other rows are put into its sheet here. Cell by cell through the
library they take twenty times as long, and all that time the other threads wait for the interpreter.
"""

import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import IO
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from tsudoi.core.csv_text import Cell

# XML has no way to say these, and Excel calls a file with one of them damaged.
_UNSPEAKABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHEET, _END = "xl/worksheets/sheet1.xml", b"</sheetData>"
_ROWS_AT_A_TIME = 500


def write(target: IO[bytes], title: str, columns: Sequence[tuple[str, int]], rows: Iterable[Sequence[Cell]]) -> None:
    """`columns`: each one's name and width. The target has to be seekable, as files are."""
    with ZipFile(BytesIO(_shell(title, columns))) as shell, ZipFile(target, "w", ZIP_DEFLATED, compresslevel=5) as book:
        for name in shell.namelist():
            if name != _SHEET:
                book.writestr(name, shell.read(name))
        head, _, tail = shell.read(_SHEET).partition(_END)
        with book.open(_SHEET, "w", force_zip64=True) as sheet:
            sheet.write(head)
            _write_rows(sheet, rows)
            sheet.write(_END + tail)


def _shell(title: str, columns: Sequence[tuple[str, int]]) -> bytes:
    """The book with nothing but its headings, which stay in sight."""
    from openpyxl import Workbook  # type: ignore[import-untyped]  # noqa: PLC0415 (openpyxl is slow to import)

    book, made = Workbook(write_only=True), BytesIO()
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    for letter, (_, width) in zip(_COLUMNS, columns, strict=False):
        sheet.column_dimensions[letter].width = width
    sheet.append([name for name, _ in columns])
    book.save(made)
    return made.getvalue()


def _write_rows(sheet: IO[bytes], rows: Iterable[Sequence[Cell]]) -> None:
    waiting: list[str] = []
    for number, row in enumerate(rows, 2):
        cells = "".join(_cell(f"{letter}{number}", cell) for letter, cell in zip(_COLUMNS, row, strict=False))
        waiting.append(f'<row r="{number}">{cells}</row>')
        if len(waiting) == _ROWS_AT_A_TIME:
            sheet.write("".join(waiting).encode())
            waiting.clear()
    sheet.write("".join(waiting).encode())


def _cell(place: str, value: Cell) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, int):
        return f'<c r="{place}"><v>{value}</v></c>'
    text = escape(_UNSPEAKABLE.sub("", value.replace("\r\n", "\n").replace("\r", "\n")))
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
