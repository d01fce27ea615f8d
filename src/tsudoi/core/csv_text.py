"""CSV for Excel in a Japanese office: a byte order mark for UTF-8, CRLF, and no cell that Excel runs as a formula.

Names and memos come from outside, and Excel reads `=cmd|…` as a formula. An apostrophe in front turns it into text.
Cells that are numbers stay unchanged.
"""

import csv
from collections.abc import Iterable, Sequence
from typing import IO

Cell = str | int | None

BOM = "\ufeff"
# Japanese keyboards type the full-width characters, and some programs convert them to ASCII before they parse.
_STARTS_FORMULA = frozenset("=+-@＝＋－＠\t\r")


def safe(cell: Cell) -> Cell:
    """Add an apostrophe where a program would see a formula, also after leading spaces."""
    if not isinstance(cell, str) or not cell:
        return cell
    start = cell.lstrip(" \u3000\u00a0\ufeff\u200b\n")[:1]
    return f"'{cell}" if start in _STARTS_FORMULA and start else cell


def write(target: IO[str], header: Sequence[str], rows: Iterable[Sequence[Cell]], *, bom: bool = True) -> None:
    """Write row by row, so that a long file needs the memory of one row only."""
    if bom:
        target.write(BOM)
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows(map(safe, row) for row in rows)
