"""CSV for Excel in a Japanese office: UTF-8 with a byte order mark, CRLF, and no cell that Excel runs as a formula.

Names and memos come from outside, and Excel reads `=cmd|…` as a formula. An apostrophe in front turns it into text.
Cells that are numbers stay unchanged.
"""

import codecs
import csv
import io
from collections.abc import Iterable, Sequence
from typing import IO, Literal

Cell = str | int | None
CsvEncoding = Literal["utf8", "cp932"]

BOM = "\ufeff"
# Japanese keyboards type the full-width characters, and some programs convert them to ASCII before they parse.
_STARTS_FORMULA = frozenset("=+-@＝＋－＠\t\r")
_CODECS: dict[CsvEncoding, str] = {"utf8": "utf-8", "cp932": "cp932"}
_GETA = "tsudoi.geta"


def _geta(error: UnicodeError) -> tuple[str, int]:
    """Printers use this mark for a character that they do not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "〓" * (error.end - error.start), error.end


codecs.register_error(_GETA, _geta)


def safe(cell: Cell) -> Cell:
    """Add an apostrophe where a program would see a formula, also after leading spaces."""
    if not isinstance(cell, str) or not cell:
        return cell
    start = cell.lstrip(" \u3000\u00a0\ufeff\u200b\n")[:1]
    return f"'{cell}" if start in _STARTS_FORMULA and start else cell


def bare(cell: str) -> str:
    """The cell without the apostrophe that `safe` added, so that a file of ours can come back as it was."""
    return cell[1:] if cell.startswith("'") and safe(cell[1:]) == cell else cell


def encoded(header: Sequence[str], rows: Iterable[Sequence[Cell]], encoding: CsvEncoding) -> bytes:
    """The whole file. CP932, for older programs, has no mark and no rare characters: `〓` stands for each of those."""
    target = io.BytesIO()
    text = io.TextIOWrapper(target, _CODECS[encoding], errors=_GETA, newline="")
    write(text, header, rows, bom=encoding == "utf8")
    text.flush()
    return target.getvalue()


def write(target: IO[str], header: Sequence[str], rows: Iterable[Sequence[Cell]], *, bom: bool = True) -> None:
    """Write row by row, so that a long file needs the memory of one row only."""
    if bom:
        target.write(BOM)
    writer = csv.writer(target, lineterminator="\r\n")
    # A heading may come from outside as well: from a file that is given back, or from what a form asks.
    writer.writerow(map(safe, header))
    writer.writerows(map(safe, row) for row in rows)
