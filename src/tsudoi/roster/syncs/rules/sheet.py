"""The whole sheet as parsed rows, with the rows that contradict one another refused."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tsudoi.roster.syncs.rules.cells import Columns, RefusedRow, SheetRow, is_blank, read_headers, read_row

# The roster is compared in memory, which takes about 1 kB for each row.
MOST_ROWS = 200_000
# Each of these values may be in one row only. A person has to decide which of several rows is right.
_UNIQUE = {
    "id": ("同じ id が", "id twice"),
    "name_key": ("同じ氏名が", "name twice"),
    "line_user_id": ("同じ line_user_id が", "LINE id twice"),
}
_SHOWN_NUMBERS = 3

NumberedCells = tuple[int, Sequence[Any]]


class TooManyRows(Exception):
    """The sheet is longer than a roster can be; nothing of it is used."""


@dataclass(frozen=True, slots=True)
class RosterSheet:
    """A roster sheet that was read to its end: the rows that can be used, and the refused ones with their reasons."""

    columns: Columns
    rows: tuple[SheetRow, ...]
    refused: tuple[RefusedRow, ...]


def parse_sheet(numbered: Iterable[NumberedCells], *, nfkc: bool) -> RosterSheet:
    """The first row holds the headers. Raises `BadHeaders` or `TooManyRows`."""
    source = iter(numbered)
    columns = read_headers(next(source, (1, ()))[1])
    parsed = list(_parsed(columns, source, nfkc=nfkc))
    reasons = _repetitions(parsed)
    refused = (
        row if isinstance(row, RefusedRow) else row.refused(*reasons[row.number])
        for row in parsed
        if isinstance(row, RefusedRow) or row.number in reasons
    )
    good = (row for row in parsed if isinstance(row, SheetRow) and row.number not in reasons)
    return RosterSheet(columns, tuple(good), tuple(refused))


def _parsed(columns: Columns, source: Iterator[NumberedCells], *, nfkc: bool) -> Iterator[SheetRow | RefusedRow]:
    count = 0
    for number, cells in source:
        if is_blank(columns, cells):
            continue
        count += 1
        if count > MOST_ROWS:
            raise TooManyRows(f"行が多すぎます（{MOST_ROWS:,}行まで）/ more than {MOST_ROWS:,} rows")
        yield read_row(columns, number, cells, nfkc=nfkc)


def _repetitions(rows: list[SheetRow | RefusedRow]) -> dict[int, list[str]]:
    """The reasons by row number. An invalid row counts as a repetition too, but keeps its own reasons."""
    reasons: dict[int, list[str]] = defaultdict(list)
    for name in _UNIQUE:
        numbers: dict[Any, list[int]] = defaultdict(list)
        for row in rows:
            if value := getattr(row, name):
                numbers[value].append(row.number)
        for repeated in numbers.values():
            if len(repeated) > 1:
                reason = _repeated(name, repeated)
                for number in repeated:
                    reasons[number].append(reason)
    return reasons


def _repeated(name: str, numbers: list[int]) -> str:
    """A few of the row numbers are enough."""
    japanese, english = _UNIQUE[name]
    shown = "・".join(str(number) for number in numbers[:_SHOWN_NUMBERS])
    shown += "…" if len(numbers) > _SHOWN_NUMBERS else ""
    return f"{japanese}{shown}行目にあります / {english}: rows {shown}"
