"""CSV for Excel in a Japanese office: UTF-8 with its mark, CRLF, and no cell that a spreadsheet would run.

A name or a memo comes from outside. Excel takes `=cmd|…` for a formula, whoever wrote it; an apostrophe in front makes
it text again. Numbers of our own columns are numbers here and stay as they are.
"""

import csv
from collections.abc import Iterable, Sequence
from typing import IO

Cell = str | int | None

BOM = "\ufeff"
# Japanese keyboards make the full-width ones, and some programs fold them to the narrow ones before they look.
_STARTS_FORMULA = frozenset("=+-@＝＋－＠\t\r")


def safe(cell: Cell) -> Cell:
    """With an apostrophe where a program would see a formula, spaces in front or not."""
    if not isinstance(cell, str) or not cell:
        return cell
    start = cell.lstrip(" \u3000\u00a0\ufeff\u200b\n")[:1]
    return f"'{cell}" if start in _STARTS_FORMULA and start else cell


def write(target: IO[str], header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Row by row: a file of any length takes the memory of one row."""
    target.write(BOM)
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows(map(safe, row) for row in rows)
