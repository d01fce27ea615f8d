"""A workbook of one sheet, written row by row. Text never becomes a formula or a link."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import IO

from tsudoi.core.csv_text import Cell

# XML cannot contain these characters, and Excel calls a file with one of them damaged.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# `constant_memory` writes each row to a temporary file as soon as the next one begins.
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def write(target: IO[bytes], title: str, columns: Sequence[tuple[str, int]], rows: Iterable[Sequence[Cell]]) -> None:
    """`columns`: the name and the width of each. The target has to be seekable."""
    from xlsxwriter import Workbook  # type: ignore[import-untyped]  # noqa: PLC0415 (slow to import)

    with Workbook(target, _OPTIONS) as book:
        sheet = book.add_worksheet(title)
        sheet.freeze_panes(1, 0)
        for place, (_, width) in enumerate(columns):
            sheet.set_column(place, place, width)
        headings = [name for name, _ in columns]
        for number, row in enumerate(chain([headings], rows)):
            for place, value in enumerate(row):
                if isinstance(value, int):
                    sheet.write_number(number, place, value)
                elif value:
                    sheet.write_string(number, place, _text(value))


def _text(value: str) -> str:
    return _FORBIDDEN.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))
