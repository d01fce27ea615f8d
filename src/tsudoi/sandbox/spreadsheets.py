"""Spreadsheets as Google keeps them: grids with a size, in which most cells are empty."""

from dataclasses import dataclass, field, replace
from typing import Any

from tsudoi.sandbox.a1 import CellRange

ROWS, COLUMNS = 1_000, 26
MOST_CELLS = 10_000_000
Cell = str | int | float | bool


class OutsideGrid(Exception):
    """A range begins outside the grid, whose size is given."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.rows = rows
        self.columns = columns


@dataclass
class Sheet:
    """One sheet of a spreadsheet. Rows hold only the cells up to the last one that was written."""

    sheet_id: int
    title: str
    rows: list[list[Cell]] = field(default_factory=list)

    @property
    def row_count(self) -> int:
        return max(ROWS, len(self.rows))

    @property
    def column_count(self) -> int:
        return max(COLUMNS, max(map(len, self.rows), default=0))

    def properties(self, index: int) -> dict[str, Any]:
        grid = {"rowCount": self.row_count, "columnCount": self.column_count}
        about = {"sheetId": self.sheet_id, "title": self.title, "index": index, "sheetType": "GRID"}
        return {**about, "gridProperties": grid}

    def clipped(self, area: CellRange) -> CellRange:
        """The range within the grid. One that begins outside is an error; one that ends outside is cut off."""
        rows, columns = self.row_count, self.column_count
        if area.top >= rows or area.left >= columns:
            raise OutsideGrid(rows, columns)
        bottom = rows - 1 if area.bottom is None else min(area.bottom, rows - 1)
        right = columns - 1 if area.right is None else min(area.right, columns - 1)
        return replace(area, bottom=bottom, right=right)

    def read(self, area: CellRange) -> list[list[Cell]]:
        """The values as Google returns them: without empty cells at the end of a row and empty rows at the end."""
        assert area.bottom is not None  # noqa: S101 (the range was clipped)
        assert area.right is not None  # noqa: S101
        found = [_trimmed(row[area.left : area.right + 1]) for row in self.rows[area.top : area.bottom + 1]]
        while found and not found[-1]:
            found.pop()
        return found

    def write(self, top: int, left: int, values: list[list[Any]]) -> int:
        """Writes the values and returns how many cells were written. None leaves a cell as it is."""
        written = 0
        for down, row in enumerate(values):
            for across, value in enumerate(row):
                if value is not None:
                    self.rows.extend([] for _ in range(top + down + 1 - len(self.rows)))
                    cells = self.rows[top + down]
                    cells.extend([""] * (left + across + 1 - len(cells)))
                    cells[left + across] = value
                    written += 1
        return written


def _trimmed(cells: list[Cell]) -> list[Cell]:
    end = len(cells)
    while end and cells[end - 1] == "":
        end -= 1
    return cells[:end]


@dataclass
class Spreadsheet:
    """A file with one or more sheets, which the office may have shared with the service account."""

    id: str
    title: str = "名簿"
    shared: bool = True
    sheets: dict[str, Sheet] = field(default_factory=dict)

    def put(self, title: str, rows: list[list[Cell]]) -> Sheet:
        found = self.sheets.setdefault(title, Sheet(len(self.sheets), title))
        found.rows = rows
        return found

    def as_json(self) -> dict[str, Any]:
        return {
            "spreadsheetId": self.id,
            "properties": {"title": self.title, "locale": "ja_JP", "timeZone": "Asia/Tokyo"},
            "sheets": [{"properties": sheet.properties(index)} for index, sheet in enumerate(self.sheets.values())],
            "spreadsheetUrl": f"https://docs.google.com/spreadsheets/d/{self.id}/edit",
        }


@dataclass
class Spreadsheets:
    """All spreadsheets that the office has made."""

    by_id: dict[str, Spreadsheet] = field(default_factory=dict)

    def get(self, spreadsheet_id: str) -> Spreadsheet | None:
        return self.by_id.get(spreadsheet_id)

    def make(self, spreadsheet_id: str) -> Spreadsheet:
        return self.by_id.setdefault(spreadsheet_id, Spreadsheet(spreadsheet_id))
