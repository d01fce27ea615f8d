"""A1 notation: `Members!A2:C10`, `'My sheet'!A:C`, `Members!3:5`, `Members`."""

import re
from dataclasses import dataclass

_CELL = re.compile(r"\$?([A-Za-z]{0,3})\$?([0-9]{0,7})", re.ASCII)
_CELLS = re.compile(r"\$?[A-Za-z]{1,3}\$?[0-9]+(:.*)?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|[0-9]+:[0-9]+")


class BadRange(ValueError):
    """A text that is not a range in A1 notation."""


@dataclass(frozen=True)
class CellRange:
    """A rectangle of cells. Rows and columns are counted from 0, the ends are included, and an open end is None."""

    sheet: str | None
    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None


def parse(text: str) -> CellRange:
    sheet, cells = _split(text)
    if not cells:
        return CellRange(sheet)
    start, _, end = cells.partition(":")
    left, top = _corner(start)
    right, bottom = _corner(end) if end else (left, top)
    return CellRange(sheet, top or 0, left or 0, bottom, right)


def _split(text: str) -> tuple[str | None, str]:
    """Google takes a bare word for the name of a sheet unless it can only be a cell."""
    quoted = re.fullmatch(r"'((?:[^']|'')*)'(?:!(.*))?", text, re.DOTALL)
    if quoted:
        return quoted.group(1).replace("''", "'"), quoted.group(2) or ""
    name, mark, cells = text.rpartition("!")
    if mark:
        return name, cells
    return (None, text) if _CELLS.fullmatch(text) else (text, "")


def _corner(text: str) -> tuple[int | None, int | None]:
    found = _CELL.fullmatch(text)
    if not found or not text:
        raise BadRange(text)
    column = None
    for letter in found.group(1).upper():
        column = ((column or 0) * 26) + ord(letter) - 64
    row = int(found.group(2)) if found.group(2) else None
    if row == 0:
        raise BadRange(text)
    return (None if column is None else column - 1), (None if row is None else row - 1)


def letters(column: int) -> str:
    column, last = divmod(column, 26)
    return (letters(column - 1) if column else "") + chr(ord("A") + last)


def name(sheet: str, area: CellRange) -> str:
    """The range as Google writes it back: it quotes a name that has anything but letters and digits."""
    title = sheet if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", sheet) else "'" + sheet.replace("'", "''") + "'"
    start = f"{letters(area.left)}{area.top + 1}"
    end = f"{letters(area.right or 0)}{(area.bottom or 0) + 1}"
    return f"{title}!{start}" if start == end else f"{title}!{start}:{end}"
