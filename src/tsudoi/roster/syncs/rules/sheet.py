"""The sheet as a whole: its good rows, and the rows that contradict one another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tsudoi.roster.syncs.rules.cells import Refused, Row, is_blank, read_row
from tsudoi.roster.syncs.rules.columns import Columns, read_headers


@dataclass(frozen=True, slots=True)
class Sheet:
    columns: Columns
    rows: dict[int, Row]
    refused: tuple[Refused, ...] = ()
    # LINE id -> member id, for the good rows.
    lines: dict[str, int] = field(default_factory=dict)


def read_sheet(numbered: Iterable[tuple[int, Sequence[Any]]], *, nfkc: bool) -> Sheet:
    """The first row holds the headers. Rows that stand for the same id, name or LINE account are all refused:
    which of them is right is for a person to say.
    """
    source = iter(numbered)
    columns = read_headers(next(source, (1, ()))[1])
    good: list[Row] = []
    refused: list[Refused] = []
    for number, cells in source:
        if is_blank(columns, cells):
            continue
        row = read_row(columns, number, cells, nfkc=nfkc)
        if isinstance(row, Row):
            good.append(row)
        else:
            refused.append(row)
    return _without_contradictions(columns, good, refused)


def _without_contradictions(columns: Columns, good: list[Row], refused: list[Refused]) -> Sheet:
    everybody: list[Row | Refused] = sorted((*good, *refused), key=lambda row: row.number)
    ids = _repeated((row.id, row.number) for row in everybody)
    keys = _repeated((row.name_key or None, row.number) for row in everybody)
    lines = _repeated((row.line_user_id, row.number) for row in everybody)
    rows: dict[int, Row] = {}
    for row in good:
        reasons = (
            *_told("同じ id が", "id twice", ids.get(row.id)),
            *_told("同じ氏名が", "name twice", keys.get(row.name_key)),
            *_told("同じ line_user_id が", "LINE id twice", lines.get(row.line_user_id)),
        )
        if reasons:
            refused.append(refusal(row, *reasons))
        else:
            rows[row.id] = row
    refused.sort(key=lambda row: row.number)
    by_line = {row.line_user_id: row.id for row in rows.values() if row.line_user_id}
    return Sheet(columns, rows, tuple(refused), by_line)


def refusal(row: Row, *reasons: str) -> Refused:
    return Refused(row.number, reasons, row.name, row.id, row.name_key, row.line_user_id)


def _repeated(values: Iterable[tuple[Any, int]]) -> dict[Any, list[int]]:
    """Value -> the numbers of its rows, for values that stand in more than one."""
    first: dict[Any, int] = {}
    repeated: dict[Any, list[int]] = {}
    for value, number in values:
        if value is None:
            continue
        if value in first:
            repeated.setdefault(value, [first[value]]).append(number)
        else:
            first[value] = number
    return repeated


def _told(what: str, english: str, numbers: list[int] | None) -> tuple[str, ...]:
    if not numbers:
        return ()
    shown = "・".join(str(number) for number in numbers[:3]) + ("…" if len(numbers) > 3 else "")  # noqa: PLR2004
    return (f"{what}{shown}行目にあります / {english}: rows {shown}",)
